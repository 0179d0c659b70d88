#!/bin/bash
# netCDF opens an HDF5 file and leaves out its complex datasets, as if they were not there.
#
# Package    netCDF4 for Python 1.6.2 on netCDF-C 4.9.0 (python3-netcdf4=1.6.2-1+b1, libnetcdf19=1:4.9.0-3+b1, Debian 12),
#            h5py 3.7.0 (python3-h5py=3.7.0-8)
# Behaviour  A dataset of a compound type that has no name in the file (that is how every program writes complex numbers)
#            is no variable. Reals, integers and text beside it are. No message. Where an equal type is committed in
#            the file, the datasets whose names sort after the type's are found, those before it are not.
# Seen       file of amplitude, frequency and power: frequency, power; with a type "type" beside them: the same; with the
#            type called "a": all three
# Expected   a variable of a compound type in all cases, or a message
# Who        Whoever opens results in xarray, ncview or another tool on netCDF, which reads HDF5 files well enough to be
#            trusted: amplitudes and fields are missing from a list that nobody compares.
# Way out    real and imaginary parts as two datasets, or a committed type whose name sorts first

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-netcdf4=1.6.2-1+b1 libnetcdf19=1:4.9.0-3+b1 python3-h5py=3.7.0-8 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
import h5py, netCDF4, numpy

z = numpy.array([1 + 2j, 3 - 4j])
for name in ("", "type", "a"):
    with h5py.File(f"results{name}.h5", "w") as f:
        f["frequency"] = [1.0, 2.0]
        f["power"] = abs(z) ** 2
        if name:
            f[name] = z.dtype
        f.create_dataset("amplitude", data=z, dtype=f[name] if name else None)
    print(f"type '{name}', in netCDF:", *sorted(netCDF4.Dataset(f"results{name}.h5").variables))
END

grep -q "^type '', in netCDF: frequency power$" seen.txt
grep -q "^type 'type', in netCDF: frequency power$" seen.txt
grep -q "^type 'a', in netCDF: amplitude frequency power$" seen.txt
