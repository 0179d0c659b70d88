#!/bin/bash
# h5diff says 0, "equal", for two files whose datasets have different shapes.
#
# Package    HDF5 1.10.8 (hdf5-tools=1.10.8+repack1-1, Debian 12), h5py 3.7.0 (python3-h5py=3.7.0-8)
# Behaviour  A dataset that only one file has ends h5diff with 1, as a value that differs does. A dataset that has another
#            shape, or is of integers in one file and of reals in the other, is "not comparable", and the exit code is 0;
#            with -q nothing is printed, either. The message names no dataset.
# Seen       another value: 1; a dataset less: 1; 20 points instead of 10: 0; integers 2 instead of reals 1: 0
# Expected   1 (or 2, the code of errors) in all of them
# Who        Whoever keeps reference results in HDF5 and tests a run by `h5diff -q --delta=1e-9 new.h5 old.h5`: a run on
#            another grid passes in silence.
# Way out    -c, and a test that its output is empty

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends hdf5-tools=1.10.8+repack1-1 python3-h5py=3.7.0-8 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END'
import h5py, numpy
cases = {
    "old": {"E": numpy.ones(10), "f": 1.0},
    "value": {"E": numpy.ones(10) * 1.5, "f": 1.0},
    "less": {"E": numpy.ones(10)},
    "shape": {"E": numpy.ones(20) * 7, "f": 1.0},
    "integers": {"E": numpy.full(10, 2), "f": 1.0},
}
for name, sets in cases.items():
    with h5py.File(name + ".h5", "w") as f:
        for key, value in sets.items():
            f[key] = value
END
for name in old value less shape integers; do
  code=0
  h5diff -q old.h5 $name.h5 > text.txt || code=$?
  echo "old and $name: exit $code, $(wc -l < text.txt) lines" | tee -a seen.txt
done

grep -q "^old and old: exit 0" seen.txt
grep -q "^old and value: exit 1" seen.txt
grep -q "^old and less: exit 1" seen.txt
grep -q "^old and shape: exit 0, 0 lines" seen.txt
grep -q "^old and integers: exit 0, 0 lines" seen.txt
