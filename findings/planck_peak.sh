#!/bin/bash
# The black body of 5000 K is brightest at 580 nm in PySpectral, at 734 nm in synphot and at 1020 nm in Astropy.
#
# Package    Astropy 5.2.1 (python3-astropy=5.2.1-2+deb12u1), synphot 1.1.1 (python3-synphot=1.1.1-3+b2), PySpectral 0.12.3
#            (python3-pyspectral=0.12.3+ds-1), Debian 12
# Behaviour  All three take wavelengths. PySpectral's blackbody gives the radiance per wavelength, synphot's photons per
#            wavelength, and Astropy's the radiance per frequency, though it was asked at wavelengths.
# Seen       maximum over 200 to 2500 nm: PySpectral 579.6 nm, synphot 733.9 nm (PHOTLAM), Astropy 1019.9 nm
#            (erg / (cm2 Hz s sr)); Astropy with scale = 1 erg / (cm2 nm s sr): 579.6 nm
# Expected   580 nm, Wien's 2898 um K / T
# Who        Whoever weights an absorptance with a black body over wavelengths: solar absorptance and thermal emittance come out
#            for the wrong spectrum, by a smooth factor of the wavelength that no plot shows.
# Way out    the units of the result; scale with a unit in Astropy, flux_unit in synphot

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
timeout 100 apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-astropy=5.2.1-2+deb12u1 python3-synphot=1.1.1-3+b2 python3-pyspectral=0.12.3+ds-1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

timeout 100 /usr/bin/python3 -W ignore - <<'END' | tee seen.txt
import astropy.units as u
import numpy
from astropy.modeling.models import BlackBody
from pyspectral.blackbody import blackbody
from synphot import SourceSpectrum
from synphot.models import BlackBodyNorm1D

wavelength = numpy.linspace(200, 2500, 23001)


def say(name, values):
    print(f"{name}: {wavelength[numpy.argmax(numpy.asarray(values))]:.1f} nm, {getattr(values, 'unit', 'SI')}")


say("PySpectral", blackbody(wavelength * 1e-9, 5000))
spectrum = SourceSpectrum(BlackBodyNorm1D, temperature=5000)
say("synphot", spectrum(wavelength * u.nm))
say("synphot FLAM", spectrum(wavelength * u.nm, flux_unit="flam"))
say("Astropy", BlackBody(5000 * u.K)(wavelength * u.nm))
say("Astropy scaled", BlackBody(5000 * u.K, scale=1 * u.erg / (u.cm**2 * u.nm * u.s * u.sr))(wavelength * u.nm))
END

grep -q "^PySpectral: 579.6 nm" seen.txt
grep -q "^synphot: 733.9 nm, PHOTLAM" seen.txt
grep -q "^synphot FLAM: 579.6 nm" seen.txt
grep -q "^Astropy: 1019.9 nm, erg / (cm2 Hz s sr)" seen.txt
grep -q "^Astropy scaled: 579.6 nm" seen.txt
