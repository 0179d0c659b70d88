#!/bin/bash
# mat-for-js reads an array of 2 x 3 x 4 from a MAT-file with 9 of its 24 numbers missing and others twice.
#
# Package    mat-for-js 1.1.0 (npm), SciPy 1.10.1 (python3-scipy=1.10.1-2, Debian 12)
# Behaviour  The shape is right, and so are all matrices. From three dimensions on, the place of a number is computed with
#            strides that do not belong to the column-major order of the file; real, complex and single precision alike.
# Seen       0.5 to 23.5 in steps of one: [0][0] is 0.5, 16.5, 1.5, 17.5 instead of 0.5, 1.5, 2.5, 3.5; 15 different numbers
#            of 24; 2 x 2 x 2: 6 of 8; 2 x 3: right
# Expected   24 different numbers in their places, or an error for three dimensions
# Who        Whoever shows a field on a grid from MATLAB or SciPy in a browser: the picture has the right range and shape,
#            and is scrambled.

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
npm install --silent --no-audit --no-fund --prefix . mat-for-js@1.1.0 > npm.log 2>&1

/usr/bin/python3 - <<'END_PYTHON'
import numpy, scipy.io

flat = numpy.arange(6.0).reshape(2, 3) + 0.5
small = numpy.arange(8.0).reshape(2, 2, 2) + 0.5
large = numpy.arange(24.0).reshape(2, 3, 4) + 0.5
scipy.io.savemat("field.mat", {"flat": flat, "small": small, "large": large})
back = scipy.io.loadmat("field.mat")
assert (back["small"] == small).all() and (back["large"] == large).all()
END_PYTHON
cat > read.mjs <<'END_JS'
import fs from 'fs';
import { read } from 'mat-for-js';

const bytes = fs.readFileSync('field.mat');
const { data } = read(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
for (const name of ['flat', 'small', 'large']) {
  const numbers = data[name].flat(2);
  const row = name == 'flat' ? data[name][0] : data[name][0][0];
  console.log(`${name}: first row ${row.join(' ')}, ${new Set(numbers).size} different of ${numbers.length}`);
}
END_JS
node read.mjs | tee seen.txt

grep -q "^flat: first row 0.5 1.5 2.5, 6 different of 6" seen.txt
grep -q "^small: first row 0.5 2.5, 6 different of 8" seen.txt
grep -q "^large: first row 0.5 16.5 1.5 17.5, 15 different of 24" seen.txt
