#!/bin/bash
# ngspice's Y matrix of a resistor or a capacitor between two ports is off by 20 % or 60 %, or not a number.
#
# Package    ngspice 39.3 (ngspice=39.3+ds-1, Debian 12)
# Behaviour  The analysis `sp` gives S, Z and Y, and Y by way of Z. An element between the ports with nothing to
#            ground has no Z matrix: z_1_1 is 1e17, what rounding leaves, and Y follows from that. S is right. No
#            message.
# Seen       100 ohm: y_1_1 0.0122, between ports of 50 and 75 ohm 0.00407; 10 ohm: nan; 1 pF at 1 GHz: 0.00195 +
#            0.00798 i; with 50 ohm to ground from the middle of 200 ohm: 0.0075, right
# Expected   1 / R = 0.01 and 0.1; 0.00628 i
# Who        Whoever takes the admittance of a coupling capacitor, a gap in a line or a fitted element from ngspice,
#            or checks a field solver's capacitance by it.
# Way out    Y from S: for equal ports Y = (1 - S) (1 + S)^-1 / Z0, as scikit-rf's s2y

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends ngspice=39.3+ds-1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

admittance() {
  cat > line.cir <<END
* $1
V1 a 0 dc 0 ac 1 portnum 1 z0 50
V2 b 0 dc 0 ac 0 portnum 2 z0 $2
$3
.control
sp lin 1 1e9 1e9
print s_2_1 y_1_1
.endc
.end
END
  (ngspice -b line.cir 2>&1 || true) | awk -v name="$1, ports 50 and $2" '
    /^s_2_1 =/ { split($3, s, ",") }
    /^y_1_1 =/ { split($3, y, ","); printf "%s: S21 %.4f%+.4fi, Y11 %s\n", name, s[1], s[2],
      ($3 ~ /nan/) ? "nan" : sprintf("%.5f%+.5fi", y[1], y[2]) }' | tee -a seen.txt
}
admittance "10 ohm" 50 "R1 a b 10"
admittance "100 ohm" 50 "R1 a b 100"
admittance "100 ohm" 75 "R1 a b 100"
admittance "1 pF" 50 "C1 a b 1p"
admittance "tee" 50 "R1 a m 100
R2 m b 100
R3 m 0 50"

grep -q "^10 ohm, ports 50 and 50: S21 0.9091+0.0000i" seen.txt
grep -q "^100 ohm, ports 50 and 50: S21 0.5000+0.0000i" seen.txt
grep -q "^100 ohm, ports 50 and 75: S21 0.5443+0.0000i" seen.txt
grep -q "^tee, ports 50 and 50: S21 0.1333+0.0000i, Y11 0.00750+0.00000i" seen.txt
! grep -q "^10 ohm.*Y11 0.1000" seen.txt
! grep -q "^100 ohm.*Y11 0.0100" seen.txt
! grep -q "^1 pF.*Y11 0.00000+0.00628" seen.txt
