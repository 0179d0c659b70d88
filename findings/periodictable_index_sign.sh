#!/bin/bash
# periodictable's index of refraction absorbs with exp(+iwt) only, and is not a number for an energy in eV.
#
# Package    periodictable 1.6.0 (python3-periodictable=1.6.0-1), XrayDB 4.4.7 (python3-xraydb=4.4.7+ds1-3), Debian 12
# Behaviour  index_of_refraction returns 1 - delta - i beta, the sign of exp(+iwt), and takes keV. xray_delta_beta of
#            XrayDB returns delta and beta, which its reader joins as he likes, and takes eV. Out of its table
#            periodictable gives nan and XrayDB goes on, both without a message.
# Seen       gold at 8 keV: periodictable n - 1 = -4.768e-05 - 4.955e-06i, XrayDB delta 4.729e-05, beta 4.618e-06
#            (7 % less, from other tables); energy=8000: nan in periodictable; 8 eV: delta 1.745 in XrayDB
# Expected   an error out of the table; a sign that the documentation names
# Who        Whoever feeds n to a Mie or multilayer code with exp(-iwt): the metal has gain.
# Way out    numpy.conj, and keV

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-periodictable=1.6.0-1 python3-xraydb=4.4.7+ds1-3 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W ignore - <<'END' | tee seen.txt
import xraydb
from periodictable.xsf import index_of_refraction

n = complex(index_of_refraction("Au", density=19.3, energy=8.0)) - 1
print(f"periodictable 8: n - 1 = {n.real:.3e} {n.imag:+.3e}i")
n = complex(index_of_refraction("Au", density=19.3, energy=8000.0)) - 1
print(f"periodictable 8000: n - 1 = {n.real:.3e} {n.imag:+.3e}i")
for energy in (8000.0, 8.0):
    delta, beta, _ = xraydb.xray_delta_beta("Au", 19.3, energy)
    print(f"XrayDB {energy:g}: delta {delta:.3e}, beta {beta:.3e}")
END

grep -q "^periodictable 8: n - 1 = -4.768e-05 -4.955e-06i" seen.txt
grep -q "^periodictable 8000: n - 1 = nan" seen.txt
grep -q "^XrayDB 8000: delta 4.729e-05, beta 4.618e-06" seen.txt
grep -q "^XrayDB 8: delta 1.745e+00" seen.txt
