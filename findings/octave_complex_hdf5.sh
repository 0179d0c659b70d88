#!/bin/bash
# Octave reads the complex numbers of h5py as zeros, and says nothing.
#
# Package    Octave 7.3.0 (octave=7.3.0-2, Debian 12), h5py 3.7.0 (python3-h5py=3.7.0-8)
# Behaviour  `load` takes a compound of the members `r` and `i`, which is how h5py and most Python and Julia programs
#            store a complex number, for complex: the variable has the right shape and class, and every value is 0.
#            Octave's own files name the members `real` and `imag`, and HDF5 converts compounds member by member by
#            name: none match, and what matches none is not written.
# Seen       class double, complex 1, sum |z| = 0 where 27.236 was written; no warning, exit code 0
# Expected   the values, a struct of r and i, or an error
# Who        Whoever looks at fields or amplitudes from an HDF5 file with Octave. A scattering amplitude of 0 looks like
#            a dark direction, not like a file that was not read. The other way round h5py shows Octave's numbers as
#            records of (real, imag), and transposed.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends octave=7.3.0-2 python3-h5py=3.7.0-8 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export OCTAVE_HOME="$work/root/usr"
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/octave/7.3.0"

/usr/bin/python3 - <<'END'
import h5py, numpy
with h5py.File("amplitude.h5", "w") as f:
    f["z"] = numpy.array([[1 + 2j, 3, 4], [5, 6j, 7]])
    f["real_part"] = f["z"][()].real
END

cat > look.m <<'END'
f = load("amplitude.h5");
printf("z: class %s, complex %d, size %d x %d, sum of |z| %g\n", class(f.z), iscomplex(f.z), size(f.z), sum(abs(f.z(:))));
printf("real_part: sum %g\n", sum(f.real_part(:)));
z = [1+2i 3 4; 5 6i 7];
save("-hdf5", "octave.h5", "z");
END
octave-cli --quiet --no-init-file --no-gui look.m > seen.txt 2> messages.txt || true
cat seen.txt
grep -v "preparing to exit" messages.txt && { echo "Octave says something now"; exit 1; }
/usr/bin/python3 -c '
import h5py
z = h5py.File("octave.h5")["z/value"]
print("octave.h5 in h5py:", z.dtype.names, z.shape)' | tee -a seen.txt

grep -q "complex 1, size 3 x 2, sum of |z| 0$" seen.txt
grep -q "real_part: sum 20$" seen.txt
grep -q "('real', 'imag') (3, 2)" seen.txt
