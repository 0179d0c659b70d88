#!/bin/bash
# The npm parser gdsii stops at a path with ends of a length of their own, and names a record that is in the standard.
#
# Package    gdsii 0.1.0 (npm)
# Behaviour  Path type 4 has the records BGNEXTN and ENDEXTN, which KLayout and gdspy write for every path whose ends reach out
#            by something else than half the width. The parser knows their names, and throws at the first of them: all
#            of the file that comes after it is lost to a caller who collects the records as they come.
# Seen       the same path of type 0 and 2: read; of type 4: GDSParseError: Unknown record type: BGNEXTN
# Expected   the two lengths
# Who        Whoever shows or converts masks in a page: a chip of a thousand rectangles fails because of one path.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . gdsii@0.1.0 > npm.log 2>&1

cat > path.mjs <<'END'
import * as gdsii from 'gdsii';

const record = (type, bytes) => {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(4 + bytes.length, 0);
  head.writeUInt16BE(type, 2);
  return Buffer.concat([head, bytes]);
};
const words = (...v) => Buffer.concat(v.map((x) => { const b = Buffer.alloc(2); b.writeInt16BE(x); return b; }));
const longs = (...v) => Buffer.concat(v.map((x) => { const b = Buffer.alloc(4); b.writeInt32BE(x); return b; }));
const none = Buffer.alloc(0);
const date = words(2024, 1, 1, 0, 0, 0, 2024, 1, 1, 0, 0, 0);
const units = Buffer.from('3e4189374bc6a7f03944b82fa09b5a54', 'hex');  // 1e-3, 1e-9

const file = (type) => Buffer.concat([
  record(0x0002, words(600)), record(0x0102, date), record(0x0206, Buffer.from('LIB\0')), record(0x0305, units),
  record(0x0502, date), record(0x0606, Buffer.from('TOP\0')),
  record(0x0900, none), record(0x0d02, words(1)), record(0x0e02, words(0)), record(0x2102, words(type)),
  record(0x0f03, longs(400)),
  ...(type === 4 ? [record(0x3003, longs(100)), record(0x3103, longs(50))] : []),
  record(0x1003, longs(0, 0, 1000, 0)), record(0x1100, none),
  record(0x0700, none), record(0x0400, none)]);

for (const type of [0, 2, 4]) {
  let count = 0;
  try {
    for (const _ of gdsii.parseGDS(new Uint8Array(file(type)))) ++count;
    console.log(`path type ${type}: ${count} records`);
  } catch (error) {
    console.log(`path type ${type}: ${error.message} after ${count} records`);
  }
}
END
node path.mjs | tee seen.txt

grep -q "^path type 0: [0-9]* records" seen.txt
grep -q "^path type 2: [0-9]* records" seen.txt
grep -q "^path type 4: Unknown record type: BGNEXTN" seen.txt
