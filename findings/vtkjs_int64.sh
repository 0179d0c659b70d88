#!/bin/bash
# vtk.js reads 64 bit integers of a VTK XML text file into 32 bits, and says nothing.
#
# Package    @kitware/vtk.js 37.4.3 (npm)
# Behaviour  A DataArray of type Int64, written as text, becomes an Int32Array, whose values are taken modulo 2^32:
#            3000000000 is -1294967296. Float64 and UInt32 beside it are kept. No message.
# Seen       Int32Array 7, -1294967296; Float64Array 7, 3000000000
# Expected   a BigInt64Array, doubles, or an error
# Who        Whoever shows results in a page: global numbers of nodes, cell ids that were packed from three indices, hashes
#            and time stamps in ns collide or turn negative, where ParaView shows them right.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . @kitware/vtk.js@37.4.3 > npm.log 2>&1

echo '{ "type": "module" }' > package.json
cat > read.mjs <<'END'
import XMLImageDataReader from '@kitware/vtk.js/IO/XML/XMLImageDataReader.js';

const array = (type) => `<DataArray type="${type}" Name="${type}" format="ascii">7 3000000000</DataArray>`;
const text = `<VTKFile type="ImageData" version="0.1" byte_order="LittleEndian">
<ImageData WholeExtent="0 1 0 0 0 0" Origin="0 0 0" Spacing="1 1 1"><Piece Extent="0 1 0 0 0 0">
<PointData>${array('Float64')}${array('Int64')}${array('UInt32')}</PointData></Piece></ImageData></VTKFile>`;
const reader = XMLImageDataReader.newInstance();
reader.parseAsArrayBuffer(new TextEncoder().encode(text).buffer);
for (const a of reader.getOutputData(0).getPointData().getArrays())
  console.log(`${a.getName()}: ${a.getDataType()} ${Array.from(a.getData()).join(', ')}`);
END
node read.mjs | tee seen.txt

grep -q "^Float64: Float64Array 7, 3000000000" seen.txt
grep -q "^Int64: Int32Array 7, -1294967296" seen.txt
grep -q "^UInt32: Uint32Array 7, 3000000000" seen.txt
