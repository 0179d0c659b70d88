#!/bin/bash
# jsfive gives an array of length 0 for a dataset of 10 that holds its fill value only, and holes for unwritten chunks.
#
# Package    jsfive 0.4.2 (npm), h5py 3.7.0 (python3-h5py=3.7.0-8, Debian 12)
# Behaviour  A chunk that was never written is not in the file, and HDF5 gives the fill value for it. jsfive fills in
#            nothing: what lies behind the last chunk is undefined, and without any chunk the list is empty, beside the
#            shape 10.
# Seen       fill value 7, chunks of 5: h5py 1, 1, 7, 7, 7, 7, 7, 7, 7, 7; jsfive 1, 1, 7, 7, 7 and five times undefined
#            nothing written: h5py ten times 7; jsfive [], shape 10
# Expected   the numbers of h5py, or an error
# Who        Whoever shows a run that is still going on, or records that were laid out for more steps than were made:
#            sums are NaN, and indices run past the end.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-h5py=3.7.0-8 python3-h5py-serial=3.7.0-8 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

npm install --silent --no-audit --no-fund --prefix . jsfive@0.4.2 > npm.log 2>&1

/usr/bin/python3 - <<'END' | tee seen.txt
import h5py

with h5py.File("record.h5", "w") as f:
    for name in ("part", "none"):
        f.create_dataset(name, (10,), "f8", chunks=(5,), fillvalue=7)
    f["part"][:2] = 1
with h5py.File("record.h5") as f:
    for name in f:
        print(f"h5py {name}:", " ".join(f"{x:g}" for x in f[name][:]))
END
cat > read.mjs <<'END'
import fs from 'fs';
import { File } from 'jsfive';

const bytes = fs.readFileSync('record.h5');
const file = new File(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), 'record.h5');
for (const name of ['none', 'part']) {
  const data = file.get(name);
  console.log(`jsfive ${name}: shape ${data.shape}, values ${Array.from(data.value, String).join(' ')}`);
}
END
node read.mjs | tee -a seen.txt

grep -q "^h5py none: 7 7 7 7 7 7 7 7 7 7$" seen.txt
grep -q "^h5py part: 1 1 7 7 7 7 7 7 7 7$" seen.txt
grep -q "^jsfive none: shape 10, values $" seen.txt
grep -q "^jsfive part: shape 10, values 1 1 7 7 7 undefined undefined undefined undefined undefined$" seen.txt
