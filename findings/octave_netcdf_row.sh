#!/bin/bash
# Octave's ncwrite writes one number of a row into a netCDF variable, and the real parts of complex numbers.
#
# Package    netcdf 1.0.16 for Octave (octave-netcdf=1.0.16-2), Octave 7.3.0 (octave=7.3.0-2), Debian 12
# Behaviour  The first dimension of the array is taken for the variable's: of a row of four one number goes into a
#            variable of one dimension of four, and the rest stays at the fill value, 9.97e36. A column goes in whole.
#            Imaginary parts are dropped. No message, no warning.
# Seen       1:2:7 into four: 1 9.97e+36 9.97e+36 9.97e+36; its transpose: 1 3 5 7; [1+2i; 3; 5i; 7]: 1 3 0 7
# Expected   1 3 5 7, or an error; complex numbers refused
# Who        Whoever saves linspace(...) or a:b:c, which are rows, as a frequency axis, and complex fields as netCDF.
# Way out    x(:), and two variables for the parts

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends octave=7.3.0-2 octave-netcdf=1.0.16-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export OCTAVE_HOME="$work/root/usr"
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/octave/7.3.0"

cat > write.m <<'END'
addpath([getenv("OCTAVE_HOME") "/share/octave/packages/netcdf-1.0.16"]);
binaries = dir([getenv("OCTAVE_HOME") "/lib/x86_64-linux-gnu/octave/packages/netcdf-1.0.16/*linux*"]);
addpath([binaries(1).folder "/" binaries(1).name]);
function through(name, values)
  nccreate("x.nc", name, "Dimensions", {"n", 4});
  ncwrite("x.nc", name, values);
  printf("%s:%s\n", name, sprintf(" %.3g", ncread("x.nc", name)));
end
through("row", 1:2:7);
through("column", (1:2:7)');
through("complex", [1+2i; 3; 5i; 7]);
printf("warning: '%s'\n", lastwarn());
END
(OPENBLAS_NUM_THREADS=1 octave-cli --quiet --no-init-file --no-gui write.m 2> messages.txt || true) | tee seen.txt

grep -qF "row: 1 9.97e+36 9.97e+36 9.97e+36" seen.txt
grep -qF "column: 1 3 5 7" seen.txt
grep -qF "complex: 1 3 0 7" seen.txt
grep -qF "warning: ''" seen.txt
