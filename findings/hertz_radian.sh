#!/bin/bash
# 1 Hz is 1 rad/s in Pint and quantities, and 6.28 rad/s in convert-units.
#
# Package    Pint 0.19.2 (python3-pint=0.19.2-1), quantities 0.13.0 (python3-quantities=0.13.0-2), Debian 12;
#            convert-units 2.3.4 (npm)
# Behaviour  A radian is the number 1 in Pint and quantities, and a hertz is one of nothing per second. So is the way
#            from a wavelength to rad/s in Pint's spectroscopy: it is c over the wavelength, without 2 pi. One rpm is
#            0.105 Hz there.
# Seen       1 Hz in rad/s: Pint 1, quantities 1, convert-units 6.28319; 1 um in rad/s by Pint's "sp": 2.998e14; 1 rpm
#            in Hz: Pint 0.10472
# Expected   2 pi, or an error as in Astropy and unyt; 1.884e15 rad/s; 1/60 Hz
# Who        Whoever lets the library turn frequencies into the omega of a material model (Drude, Lorentz): it is too
#            low by 2 pi, and the units of the result are right.
# Way out    2 * pi * f.to("Hz").magnitude, by hand

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-pint=0.19.2-1 python3-quantities=0.13.0-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

npm install --silent --no-audit --no-fund --prefix . convert-units@2.3.4 > npm.log 2>&1

/usr/bin/python3 - <<'END' | tee seen.txt
import pint, quantities

registry = pint.UnitRegistry()
print(f"Pint 1 Hz: {registry.Quantity(1, 'Hz').to('rad/s'):.6g}")
print(f"Pint 1 um: {registry.Quantity(1, 'um').to('rad/s', 'sp'):.4g}")
print(f"Pint 1 rpm: {registry.Quantity(1, 'rpm').to('Hz'):.6g}")
print(f"quantities 1 Hz: {float(quantities.Quantity(1, 'Hz').rescale('rad/s')):.6g}")
END
cat > units.mjs <<'END'
import convert from 'convert-units';

console.log(`convert-units 1 Hz: ${convert(1).from('Hz').to('rad/s').toPrecision(6)}`);
END
node units.mjs | tee -a seen.txt

grep -q "^Pint 1 Hz: 1 radian / second" seen.txt
grep -q "^Pint 1 um: 2.998e+14 radian / second" seen.txt
grep -q "^Pint 1 rpm: 0.10472 hertz" seen.txt
grep -q "^quantities 1 Hz: 1$" seen.txt
grep -q "^convert-units 1 Hz: 6.28319$" seen.txt
