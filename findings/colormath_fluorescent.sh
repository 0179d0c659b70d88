#!/bin/bash
# In colormath a perfectly white surface is yellow under fluorescent light: sRGB (1.02, 1.00, 0.91) under F2.
#
# Package    colormath 3.0.0 (python3-colormath=3.0.0-4, Debian 12)
# Behaviour  A spectrum becomes XYZ by a sum over samples 10 nm apart, and the way on to sRGB adapts from the table's
#            white point of the illuminant. For A, B, C, D50, D65 and E the sum over the illuminant gives that white
#            point to 0.2 %. Of the fluorescent lamps F2, F7 and F11 the lines of mercury at 405 and 435 nm lie
#            between the samples, and blue is missing.
# Seen       reflectance 1, sum and white point, Z: F2 0.558 and 0.674, F7 0.972 and 1.087, F11 0.515 and 0.643; sRGB
#            under F11 (1.05, 0.99, 0.89); D65: 1.088 and 1.089, sRGB (1.00, 1.00, 1.00)
# Expected   1, 1, 1
# Who        Whoever turns a computed reflectance, of a thin film, a grating, a particle, into a colour in office
#            light.
# Way out    divide XYZ by that of a reflectance of 1 and multiply by the white point, or D65

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-colormath=3.0.0-4 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

OPENBLAS_NUM_THREADS=1 /usr/bin/python3 -W ignore - <<'END' | tee seen.txt
from colormath.color_conversions import convert_color
from colormath.color_objects import SpectralColor, XYZColor, sRGBColor

white = {f"spec_{wavelength}nm": 1.0 for wavelength in range(340, 831, 10)}
for illuminant in ("a", "b", "c", "d50", "d65", "e", "f2", "f7", "f11"):
    xyz = convert_color(SpectralColor(illuminant=illuminant, **white), XYZColor)
    rgb = convert_color(xyz, sRGBColor).get_value_tuple()
    print(f"{illuminant}: Z {xyz.xyz_z:.3f}, white point {xyz.get_illuminant_xyz()['Z']:.3f}, sRGB",
          *(f"{value:.2f}" for value in rgb))
END

for illuminant in a b c d50 d65 e; do
  grep -q "^$illuminant: .*sRGB 1.00 1.00 1.00" seen.txt
done
grep -q "^f2: Z 0.558, white point 0.674, sRGB 1.02 1.00 0.91" seen.txt
grep -q "^f7: Z 0.972, white point 1.087, sRGB 1.02 1.00 0.94" seen.txt
grep -q "^f11: Z 0.515, white point 0.643, sRGB 1.05 0.99 0.89" seen.txt
