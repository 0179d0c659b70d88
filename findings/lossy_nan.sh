#!/bin/bash
# A nan comes out of HDF5's scale-offset filter and of zfp as an ordinary number, and nothing says so.
#
# Package    HDF5 1.10.8 by h5py 3.7.0 (libhdf5-103-1=1.10.8+repack1-1, python3-h5py=3.7.0-8), zfp 1.0.0
#            (python3-zfpy=1.0.0-7, libzfp1=1.0.0-7), Debian 12
# Behaviour  Both turn the numbers of a block into integers with a common scale. A nan is not caught: its bits become some
#            integer. With HDF5 it comes back as the smallest value of the chunk that is not the fill value, with zfp as
#            about a power of two beyond the largest one. All other values keep their accuracy. A reversible zfp stream
#            keeps the nan.
# Seen       10, 11.429, ... 20 with a nan in the fourth place: scaleoffset=3 gives 10.0 there, zfp with tolerance 1e-3
#            gives -32.0; the others to 5e-4 and 2.6e-4; zfp without a tolerance: nan
# Expected   nan, or an error
# Who        Whoever marks the inside of a conductor, or what was not computed, by nan and stores his fields with a
#            compression filter: the mark is gone, the minimum and the mean are taken over numbers that nobody computed.
# Way out    a mask of its own; gzip with shuffle, or zfp's reversible mode

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-h5py=3.7.0-8 python3-h5py-serial=3.7.0-8 libhdf5-103-1=1.10.8+repack1-1 python3-zfpy=1.0.0-7 libzfp1=1.0.0-7 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W error - <<'END_PYTHON' | tee seen.txt
import h5py, numpy, zfpy

field = numpy.linspace(10, 20, 8)
marked = field.copy()
marked[3] = numpy.nan


def say(name, back):
    others = numpy.delete(back - field, 3)
    print(f"{name}: {back[3]:.1f}, others within {numpy.abs(others).max():.1e}")


with h5py.File("field.h5", "w") as f:
    f.create_dataset("E", data=marked, scaleoffset=3)
with h5py.File("field.h5") as f:
    say("HDF5 scaleoffset=3", f["E"][...])
say("zfp tolerance=1e-3", zfpy.decompress_numpy(zfpy.compress_numpy(marked, tolerance=1e-3)))
say("zfp reversible", zfpy.decompress_numpy(zfpy.compress_numpy(marked)))
END_PYTHON

grep -q "^HDF5 scaleoffset=3: 10.0, others within [1-5]\.[0-9]e-04" seen.txt
grep -q "^zfp tolerance=1e-3: -32.0, others within 2.6e-04" seen.txt
grep -q "^zfp reversible: nan, others within 0.0e+00" seen.txt
