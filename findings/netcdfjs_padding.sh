#!/bin/bash
# netcdfjs hands out the padding of a netCDF file as a value: three numbers a record become four.
#
# Package    netcdfjs 4.0.0 (npm), SciPy 1.10.1 (python3-scipy=1.10.1-2, Debian 12)
# Behaviour  Each record of a classic netCDF file is filled up to a multiple of 4 bytes. Where it has 2 byte or 1 byte
#            numbers whose count does not fit, netcdfjs reads the filling, too. It does not if the variable is the only
#            one of the file.
# Seen       three 16 bit numbers by record, beside a time: SciPy 0 1 2; netcdfjs 0 1 2 and a fourth, -32767; without
#            the time 0 1 2 in both; 32 bit numbers 0 1 2 in both
# Expected   0 1 2 in all cases, as its dimensions say
# Who        Whoever reads packed fields (16 bit with scale_factor) of models and instruments: each row is longer than
#            the one before it in the file's own list of dimensions, flattened arrays are sheared, and minima are
#            -32767.
# Way out    the first numbers of each record only, as many as the dimensions say

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

npm install --silent --no-audit --no-fund --prefix . netcdfjs@4.0.0 > npm.log 2>&1

/usr/bin/python3 - <<'END' | tee seen.txt
from scipy.io import netcdf_file

for name, kind, time in (("short", ">i2", True), ("alone", ">i2", False), ("int", ">i4", True)):
    with netcdf_file(name + ".nc", "w") as f:
        f.createDimension("time", None)
        f.createDimension("x", 3)
        field = f.createVariable("field", kind, ("time", "x"))
        clock = f.createVariable("clock", ">f8", ("time",)) if time else None
        for t in range(2):
            field[t] = [10 * t, 10 * t + 1, 10 * t + 2]
            if time:
                clock[t] = t
    with netcdf_file(name + ".nc", mmap=False) as f:
        print(f"SciPy {name}:", "; ".join(" ".join(map(str, row)) for row in f.variables["field"][:]))
END
cat > read.mjs <<'END'
import fs from 'fs';
import { NetCDFReader } from 'netcdfjs';

for (const name of ['short', 'alone', 'int']) {
  const rows = new NetCDFReader(fs.readFileSync(name + '.nc')).getDataVariable('field');
  console.log(`netcdfjs ${name}: ${rows.map((row) => Array.from(row).join(' ')).join('; ')}`);
}
END
node read.mjs | tee -a seen.txt

for name in short alone int; do grep -q "^SciPy $name: 0 1 2; 10 11 12$" seen.txt; done
grep -q "^netcdfjs short: 0 1 2 -32767; 10 11 12 -32767$" seen.txt
for name in alone int; do grep -q "^netcdfjs $name: 0 1 2; 10 11 12$" seen.txt; done
