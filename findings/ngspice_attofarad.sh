#!/bin/bash
# A capacitor of 5aF is one of 5 F in ngspice: it knows f, and no a.
#
# Package    ngspice 39.3 (ngspice=39.3+ds-1), Debian 12
# Behaviour  A number may carry t, g, meg, k, m, u, n, p or f for its power of ten, and any other letter is taken for the
#            beginning of a unit and left out, without a message. The a of atto is such a letter in this version.
# Seen       1 ohm and a capacitor to ground at 1 Hz: 5aF 0.03181, that of 5 F; 5fF 1; 5e-18 1
# Expected   1, from 5aF too, or a message
# Who        Whoever puts the couplings of a field solver or a single-electron circuit, which are attofarads, into a netlist
#            with the unit that they are told in: a node is shorted to the ground.
# Way out    5e-18, or 0.005f

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
timeout 100 apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends ngspice=39.3+ds-1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > atto.cir <<'END'
* attofarads
v1 in 0 dc 0 ac 1
r1 in atto 1
c1 atto 0 5aF
r2 in femto 1
c2 femto 0 5fF
r3 in plain 1
c3 plain 0 5e-18
.ac lin 1 1 1
.control
run
print vm(atto) vm(femto) vm(plain)
.endc
.end
END
export SPICE_LIB_DIR="$work/root/usr/share/ngspice"
(timeout 20 ngspice -b atto.cir 2> messages.txt || true) | grep "^vm(.*) = " | sed 's/ *= */: /' | tee seen.txt

grep -q "^vm(atto): 3.181488*e-02" seen.txt
grep -q "^vm(femto): 1.000000*e+00" seen.txt
grep -q "^vm(plain): 1.000000*e+00" seen.txt
