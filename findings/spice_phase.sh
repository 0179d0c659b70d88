#!/bin/bash
# vp(out) of the same circuit is -45 in gnucap and -0.785 in ngspice: degrees and radians.
#
# Package    ngspice 39.3 (ngspice=39.3+ds-1), gnucap 0.36 (gnucap=1:0.36~20171003-1.1), Debian 12
# Behaviour  SPICE's vp() was in degrees, and is in gnucap. In ngspice it, ph() and cph() are in radians, and so are
#            atan and cos at the prompt, until `set units=degrees`. The .print card of a batch run has radians as
#            well.
# Seen       RC low pass at its corner: gnucap -45; ngspice -0.785398, with units=degrees -45; .print of a batch run
#            -0.785398
# Expected   -45
# Who        Whoever compares the phase of an S-parameter or a delay of a field solver with either, or moves a netlist
#            with its .print cards from one to the other.
# Way out    set units=degrees, or the real and the imaginary part

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends ngspice=39.3+ds-1 gnucap=1:0.36~20171003-1.1 gnucap-default-plugins0=1:0.36~20171003-1.1 libgnucap0=1:0.36~20171003-1.1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

circuit=$'V1 a 0 ac 1\nR1 a b 1\nC1 b 0 1'
cat > prompt.cir <<END
low pass
$circuit
.control
ac lin 1 0.159154943 0.159154943
print vp(b)
set units=degrees
print vp(b)
.endc
.end
END
cat > card.cir <<END
low pass
$circuit
.ac lin 1 0.159154943 0.159154943
.print ac vp(b)
.end
END
cat > gnucap.cir <<END
low pass
$circuit
.print ac vp(b)
.ac 0.159154943 0.159154943
.end
END
(ngspice -b prompt.cir 2>&1 || true) | sed -n 's/^vp(b) = /ngspice: /p' | tee seen.txt
(ngspice -b card.cir 2>&1 || true) | awk '$1 == "0" && NF == 3 { print "ngspice .print:", $3 }' | tee -a seen.txt
export GNUCAP_PLUGPATH="$libraries/gnucap0" LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/gnucap0"
gnucap -b gnucap.cir 2>&1 | tail -n 1 | awk '{ print "gnucap:", $2 }' | tee -a seen.txt

grep -q "^ngspice: -7.85398e-01" seen.txt
grep -q "^ngspice: -4.50000e+01" seen.txt
grep -q "^ngspice .print: -7.85398e-01" seen.txt
grep -q "^gnucap: -45" seen.txt
