#!/bin/bash
# A statvolt is 0.0033 V in unyt, and 299.8 V in its own statampere times statohm.
#
# Package    unyt 2.9.3 (python3-unyt=2.9.3-2), GNU units 2.22 (units=2.22-2), Debian 12
# Behaviour  The conversion between cgs and SI has the factor of the potential the wrong way round, in both
#            directions. Those of charge, current and resistance are right.
# Seen       1 statV 0.00333564 V, 1 V 299.792 statV; 1 statA 3.33564e-10 A, 1 statohm 8.98755e+11 ohm, 1 statA
#            statohm 1 statV; GNU units: 1 statV 299.792 V
# Expected   299.792 V, as 3.33564e-10 A times 8.98755e+11 ohm is
# Who        Whoever takes a field or a potential from a paper in Gaussian units: it is wrong by 89875, and energies
#            by the square of that.
# Way out    by way of statA and statohm, or of erg and statC

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-unyt=2.9.3-2 python3-numpy=1:1.24.2-1+deb12u1 units=2.22-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

OPENBLAS_NUM_THREADS=1 /usr/bin/python3 -W ignore - <<'END' | tee seen.txt
from unyt import unyt_quantity as quantity

for one, other in (("statV", "V"), ("V", "statV"), ("statA", "A"), ("statohm", "ohm"), ("statC", "C"),
                   ("statA*statohm", "statV"), ("erg/statC", "statV")):
    print(f"1 {one} = {float(quantity(1, one).to(other)):.6g} {other}")
END
grep -v '^!include' root/usr/share/units/definitions.units > definitions.units
echo "GNU units: 1 statV = $(LC_ALL=C units -f definitions.units -t -o %.6g statvolt V 2> units.log) V" | tee -a seen.txt

grep -qF "1 statV = 0.00333564 V" seen.txt
grep -qF "1 V = 299.792 statV" seen.txt
grep -qF "1 statA = 3.33564e-10 A" seen.txt
grep -qF "1 statohm = 8.98755e+11 ohm" seen.txt
grep -qF "1 statC = 3.33564e-10 C" seen.txt
grep -qF "1 statA*statohm = 1 statV" seen.txt
grep -qF "1 erg/statC = 1 statV" seen.txt
grep -qF "GNU units: 1 statV = 299.792 V" seen.txt
