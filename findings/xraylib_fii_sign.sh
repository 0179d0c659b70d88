#!/bin/bash
# xraylib's Fii is negative: -7.53 for gold at 8 keV, where its own Atomic_Factors has +7.53 and XrayDB +7.27.
#
# Package    xraylib 4.0.0 (python3-xraylib=4.0.0+dfsg1-3), XrayDB 4.4.7 (python3-xraydb=4.4.7+ds1-3), Debian 12
# Behaviour  Fi and Fii are the two parts of the anomalous scattering factor, f = f0 + f' + i f''. Fii returns -f'', and
#            Atomic_Factors the same number with the other sign. Refractive_Index has a positive imaginary part.
# Seen       gold at 8 keV: Fii -7.532; Atomic_Factors 79, -4.443, +7.532; XrayDB f1 -4.606, f2 +7.265 (from
#            other tables); Refractive_Index - 1 -4.734e-05 + 4.932e-06i
# Expected   +7.532 from Fii too
# Who        Whoever builds structure factors or an index of refraction from Fi and Fii in a formula out of a book: the crystal
#            has gain, and its anomalous pairs of reflections change places.
# Way out    Atomic_Factors, or -Fii

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
timeout 100 apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-xraylib=4.0.0+dfsg1-3 python3-xraydb=4.4.7+ds1-3 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

timeout 60 /usr/bin/python3 -W error - <<'END' | tee seen.txt
import xraylib

print(f"Fi {xraylib.Fi(79, 8.0):.3f}, Fii {xraylib.Fii(79, 8.0):.3f}")
print("Atomic_Factors", *(f"{value:.3f}" for value in xraylib.Atomic_Factors(79, 8.0, 0.0, 1.0)))
n = xraylib.Refractive_Index("Au", 8.0, 19.3) - 1
print(f"Refractive_Index - 1: {n.real:.3e}{n.imag:+.3e}i")
END
timeout 60 /usr/bin/python3 -W ignore - <<'END' | tee -a seen.txt
import xraydb

print(f"XrayDB f1 {float(xraydb.f1_chantler('Au', 8000.0)):.3f}, f2 {float(xraydb.f2_chantler('Au', 8000.0)):.3f}")
END

grep -q "^Fi -4.443, Fii -7.532" seen.txt
grep -q "^Atomic_Factors 79.000 -4.443 7.532" seen.txt
grep -q "^Refractive_Index - 1: -4.734e-05+4.932e-06i" seen.txt
grep -q "^XrayDB f1 -4.606, f2 7.265" seen.txt
