#!/bin/bash
# 20 dB above 1 V are 100 V in Astropy, and 10 V in GNU units and scikit-rf.
#
# Package    Astropy 5.2.1 (python3-astropy=5.2.1-2+deb12u1), GNU units 2.22 (units=2.22-2), scikit-rf 0.15.4
#            (python3-scikit-rf=0.15.4-2.1), UDUNITS 2.2.28 (udunits-bin=2.2.28-5), Debian 12
# Behaviour  Astropy's dB is ten times the logarithm of whatever it stands on, a power or an amplitude. GNU units' dBV and
#            scikit-rf's db_2_mag take twenty times that of an amplitude. UDUNITS has no dB of its own; the way its manual
#            shows for milliwatts gives 100 V too when a volt is put there.
# Seen       20 dB(V): Astropy 100 V; 10 V there: 10 dB(V), and its square 20 dB(V2); GNU units dBV(20) 10 V; scikit-rf
#            db_2_mag(20) 10; UDUNITS 20 of 0.1 lg(re 1 V) 100 V
# Expected   10 V, as of dBV and dBuV/m on every receiver and in every limit of field strength
# Who        Whoever takes field strengths, antenna factors or S-parameters in dB through a package of units: the decibels
#            come out halved, and 6 dB become 3.
# Way out    the unit of the square, u.dB(u.V**2); or 20 log10 by hand

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-astropy=5.2.1-2+deb12u1 python3-scikit-rf=0.15.4-2.1 units=2.22-2 udunits-bin=2.2.28-5 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W ignore - <<'END_PYTHON' | tee seen.txt
import astropy.units as u
import skrf

print(f"Astropy 20 dB(V): {(20 * u.dB(u.V)).physical}")
print(f"Astropy 10 V: {(10 * u.V).to(u.dB(u.V))}")
print(f"Astropy 100 V2: {((10 * u.V) ** 2).to(u.dB(u.V**2))}")
print(f"scikit-rf 20 dB: {skrf.db_2_mag(20):g}")
END_PYTHON
grep -v '^!include' root/usr/share/units/definitions.units > definitions.units
echo "GNU units dBV(20): $(LC_ALL=C units -f definitions.units --terse 'dBV(20)' V 2> units.log) V" | tee -a seen.txt
echo "UDUNITS: $(udunits2 root/usr/share/xml/udunits/udunits2.xml -H '20 (0.1 lg(re 1 V))' -W V < /dev/null 2>&1 | head -n 1 | tr -s ' ')" | tee -a seen.txt

grep -q "^Astropy 20 dB(V): 100.0 V" seen.txt
grep -q "^Astropy 10 V: 10.0 dB(V)" seen.txt
grep -q "^Astropy 100 V2: 20.0 dB(V2)" seen.txt
grep -q "^scikit-rf 20 dB: 10$" seen.txt
grep -q "^GNU units dBV(20): 10 V" seen.txt
grep -q "^UDUNITS: .* 100 V" seen.txt
