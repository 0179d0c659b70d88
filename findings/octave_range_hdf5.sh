#!/bin/bash
# Octave saves the row 0:0.5:4 as three numbers that are not its first three.
#
# Package    Octave 7.3.0 (octave=7.3.0-2, Debian 12), h5py 3.7.0 (python3-h5py=3.7.0-8)
# Behaviour  `save -hdf5` keeps a range lazily: the dataset is one compound (base, limit, increment) instead of the
#            values. The same numbers made by linspace, or by a range in brackets, are written out.
# Seen       t/value: a scalar of ('base', 'limit', 'increment') = (0, 4, 0.5); [t] in brackets: 9 x 1 doubles
# Expected   nine numbers, as for every other vector
# Who        Whoever prepares angles, frequencies or instants in Octave for a program that reads HDF5. A reader that
#            takes the members in order gets 0, 4, 0.5: a list that passes for three frequencies.

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

cat > write.m <<'END'
t = 0:0.5:4;
u = [0:0.5:4];
v = linspace(0, 4, 9);
save("-hdf5", "t.h5", "t", "u", "v");
END
octave-cli --quiet --no-init-file --no-gui write.m 2> messages.txt || true

/usr/bin/python3 - <<'END' | tee seen.txt
import h5py
f = h5py.File("t.h5")
for name in "tuv":
    value = f[name + "/value"]
    print(name, value.shape, value.dtype.names, value[()].ravel().tolist())
END

grep -q "^t () ('base', 'limit', 'increment') .*0.0, 4.0, 0.5" seen.txt
grep -q "^u (9, 1) None" seen.txt
grep -q "^v (9, 1) None" seen.txt
