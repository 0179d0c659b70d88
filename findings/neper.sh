#!/bin/bash
# A neper is 8.69 dB in Pint and 4.34 dB in GNU units.
#
# Package    GNU units 2.22 (units=2.22-2), Pint 0.19.2 (python3-pint=0.19.2-1), Debian 12
# Behaviour  A neper is the logarithm of a ratio of amplitudes, a decibel ten times that of powers. In GNU units both are
#            functions that give a bare ratio, e for neper(1) and 10 for decibel(10), so that a conversion mixes an
#            amplitude with a power. Its dBV knows the difference: 20 dBV are 10 V.
# Seen       neper(1) in decibel: 4.3429448; Pint: 8.6858896; dBV(20): 10 V
# Expected   8.6859
# Who        Whoever takes the attenuation of a line or a waveguide, which field programs give in Np/m, to dB/m: half of it,
#            and a gain-loss budget that still looks reasonable.
# Way out    20 / ln(10) dB, by hand; in GNU units dB_amplitude instead of decibel

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends units=2.22-2 python3-pint=0.19.2-1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

grep -v '^!include' root/usr/share/units/definitions.units > definitions.units
convert() { LC_ALL=C units -f definitions.units --terse "$1" "$2" 2> units.log; }
{
  echo "GNU neper(1) in decibel: $(convert 'neper(1)' decibel)"
  echo "GNU neper(1) in dB_amplitude: $(convert 'neper(1)' dB_amplitude)"
  echo "GNU dBV(20): $(convert 'dBV(20)' V) V"
} | tee seen.txt
/usr/bin/python3 - <<'END_PYTHON' | tee -a seen.txt
import pint

print(f"Pint 1 Np: {pint.UnitRegistry().Quantity(1, 'neper').to('dB').magnitude:.7f} dB")
END_PYTHON

grep -q "^GNU neper(1) in decibel: 4.342944" seen.txt
grep -q "^GNU neper(1) in dB_amplitude: 8.685889" seen.txt
grep -q "^GNU dBV(20): 10 V" seen.txt
grep -q "^Pint 1 Np: 8.6858896 dB" seen.txt
