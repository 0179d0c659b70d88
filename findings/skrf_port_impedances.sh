#!/bin/bash
# scikit-rf writes a two-port between 50 and 75 ohm into a Touchstone file as one between 50 and 50 ohm.
#
# Package    scikit-rf 0.15.4 (python3-scikit-rf=0.15.4-2.1, Debian 12)
# Behaviour  The option line takes the modulus of the first port's impedance at the first frequency for all ports and
#            frequencies; the parameters are written as they are, not renormalised. An impedance of 30+40j becomes R 50.
#            No warning.
# Seen       ports of 50 and 75: R 50.0, read back as 50 and 50 with the same S; 30+40j: R 50.0; 50 at the first
#            frequency and 60 at the second: R 50.0
# Expected   parameters renormalised to the one impedance that the format can say, or an error
# Who        Whoever hands on a transformer, a taper or a waveguide port whose impedance disperses: the parameters are
#            those of another network, and reflect as if matched where they are not.
# Way out    renormalize(50) before writing; write_z0=True adds the impedances as a remark

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-scikit-rf=0.15.4-2.1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W error::UserWarning - <<'END' 2>&1 | tee seen.txt
import numpy, skrf

frequency = skrf.Frequency(1, 2, 2, "ghz")
s = numpy.array([[[0.1, 0.12], [0.21, 0.2]]] * 2)
for name, z0 in (("ports", [50, 75]), ("complex", [30 + 40j, 30 + 40j]), ("dispersive", [[50, 50], [60, 60]])):
    skrf.Network(frequency=frequency, s=s, z0=numpy.array(z0)).write_touchstone(name)
    option = next(line for line in open(name + ".s2p") if line.startswith("#")).strip()
    back = skrf.Network(name + ".s2p")
    print(f"{name}: {option}, read back {back.z0.real.ravel().tolist()}, S unchanged {bool(numpy.allclose(back.s, s))}")
END

for name in ports complex dispersive; do
  grep -q "^$name: # GHz S RI R 50.0, read back \[50.0, 50.0, 50.0, 50.0\], S unchanged True" seen.txt
done
