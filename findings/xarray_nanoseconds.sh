#!/bin/bash
# xarray reads a lifetime of 0.4 with the unit "nanoseconds" as 0.
#
# Package    xarray 2023.01.0 (python3-xarray=2023.01.0-1.1), netCDF4 1.6.2 (python3-netcdf4=1.6.2-1+b1),
#            Debian 12
# Behaviour  open_dataset makes a variable whose unit is the name of a time a timedelta64 in whole nanoseconds, and
#            drops the fraction. With "seconds" the same number becomes a count of nanoseconds;
#            with "ns" it stays what it is. No warning.
# Seen       0.4, 1.6 and 2.5 written: "nanoseconds" 0, 1, 2; "seconds" 400000000, 1600000000, 2500000000 (as numbers);
#            "ns" 0.4, 1.6, 2.5
# Expected   0.4, 1.6, 2.5
# Who        Whoever keeps pulse lengths, lifetimes, delays or the times of an FDTD record with their unit spelled out:
#            all that is below one nanosecond is zero.
# Way out    open_dataset(file, decode_timedelta=False), or the symbol instead of the name

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-xarray=2023.01.0-1.1 python3-netcdf4=1.6.2-1+b1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W error::UserWarning - <<'END' | tee seen.txt
import xarray

for unit in ("nanoseconds", "seconds", "ns"):
    xarray.Dataset({"tau": ("i", [0.4, 1.6, 2.5], {"units": unit})}).to_netcdf(unit + ".nc", engine="netcdf4")
    for decode in (None, False):
        tau = xarray.open_dataset(unit + ".nc", engine="netcdf4", decode_timedelta=decode).tau.values
        numbers = tau.astype("int64") if tau.dtype.kind == "m" else tau
        print(f"{unit}, decode_timedelta {decode}: {tau.dtype} {numbers.tolist()}")
END

grep -q "^nanoseconds, decode_timedelta None: timedelta64\[ns\] \[0, 1, 2\]" seen.txt
grep -q "^seconds, decode_timedelta None: timedelta64\[ns\] \[400000000, 1600000000, 2500000000\]" seen.txt
grep -q "^ns, decode_timedelta None: float64 \[0.4, 1.6, 2.5\]" seen.txt
for unit in nanoseconds seconds; do
  grep -q "^$unit, decode_timedelta False: float64 \[0.4, 1.6, 2.5\]" seen.txt
done
