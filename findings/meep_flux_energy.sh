#!/bin/bash
# The flux spectrum of Meep, summed over its frequencies, is the pulse's energy divided by 4 pi.
#
# Package    Meep 1.25.0 (python3-meep=1.25.0-2, Debian 12)
# Behaviour  The fields are transformed with 1 / sqrt(2 pi), as the manual says where it defines them, so that a flux has
#            1 / (2 pi) in it. Frequencies are f and not omega, but that is not made up for: Parseval's sum is one
#            over omega. Negative frequencies, which are the same of real fields, are another factor of 2.
# Seen       pulse through a plane: integral of E x H over time / (sum of get_fluxes times df) = 12.53 with 20 cells a
#            wavelength, 12.56 with 40; 4 pi = 12.57
# Expected   1 (energy per df of a real field), or 2
# Who        Whoever takes absolute numbers: the energy that a body absorbs of a pulse, a decay rate from the flux of a point
#            source, one program against another. Ratios of two fluxes do not show it.
# Way out    a reference run, or the factor 4 pi

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-meep=1.25.0-2 python3-matplotlib=3.6.3-1+b1 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

# Debian's Matplotlib, which Meep imports, looks for its data at a fixed place
grep -l /usr/share/matplotlib root/usr/lib/python3/dist-packages/matplotlib/*.py |
  xargs -r sed -i "s#/usr/share/matplotlib#$work/root/usr/share/matplotlib#; s#/etc/matplotlibrc#$work/root/etc/matplotlibrc#"

OMP_NUM_THREADS=1 HOME="$work" /usr/bin/python3 -W ignore - <<'END' | tee seen.txt
import math, meep as mp

mp.verbosity(0)
place = mp.Vector3(0, 0, 1)
pulse = mp.Source(mp.GaussianSource(1, fwidth=0.6), component=mp.Ex, center=mp.Vector3(0, 0, -3))
s = mp.Simulation(cell_size=mp.Vector3(0, 0, 10), resolution=20, dimensions=1, boundary_layers=[mp.PML(1)],
                  sources=[pulse])
flux = s.add_flux(1, 2, 400, mp.FluxRegion(center=place, direction=mp.Z))
power = []
record = lambda sim: power.append(sim.get_field_point(mp.Ex, place).real * sim.get_field_point(mp.Hy, place).real)
s.run(mp.synchronized_magnetic(record), until=80)
f = mp.get_flux_freqs(flux)
energy, spectrum = sum(power) * s.fields.dt, sum(mp.get_fluxes(flux)) * (f[1] - f[0])
print(f"energy over sum: {energy / spectrum:.2f}, 4 pi: {4 * math.pi:.2f}")
END

grep -Eq "^energy over sum: 12\.5[0-9], 4 pi: 12.57" seen.txt
