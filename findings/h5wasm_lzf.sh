#!/bin/bash
# h5wasm reads an LZF-compressed dataset of h5py as numbers that are in no file.
#
# Package    h5wasm 0.10.3 (npm), h5py 3.7.0 (python3-h5py=3.7.0-8, Debian 12)
# Behaviour  The filter LZF, which h5py brings along, is not there. HDF5 says so on the console; the value is handed out
#            all the same, with the right shape and type, and holds what was in the memory before. Nothing is thrown.
# Seen       gzip: 0, 1, 2, 3, 4, 5; lzf: six other numbers; no exception in either case
# Expected   an exception, as for a half precision number
# Who        Whoever shows fields in a page or converts them in Node with the console out of sight: a picture of noise
#            or zeros.
# Way out    compression="gzip" in h5py; in h5wasm compare dataset.filters with what is known

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

npm install --silent --no-audit --no-fund --prefix . h5wasm@0.10.3 > npm.log 2>&1

/usr/bin/python3 - <<'END'
import h5py, numpy

with h5py.File("field.h5", "w") as f:
    for name in ("gzip", "lzf"):
        f.create_dataset(name, data=numpy.arange(6.0), compression=name)
END
cat > read.mjs <<'END'
import * as h5 from 'h5wasm/node';

await h5.ready;
const file = new h5.File('field.h5', 'r');
for (const name of ['gzip', 'lzf']) {
  const data = file.get(name), value = data.value;
  const right = value.every((v, i) => v === i);
  console.log(`${name}: ${value.constructor.name} of ${data.shape}, ${right ? 'right' : 'wrong'}, filter ${data.filters[0].name}`);
}
END
node read.mjs 2> messages.txt | tee seen.txt

grep -q "^gzip: Float64Array of 6, right" seen.txt
grep -q "^lzf: Float64Array of 6, wrong" seen.txt
grep -q "required filter 'lzf' is not registered" messages.txt
