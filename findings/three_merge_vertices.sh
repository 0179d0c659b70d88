#!/bin/bash
# three.js welds a ball of 50 um, given in metres, into one point.
#
# Package    three 0.187.0 (npm)
# Behaviour  BufferGeometryUtils.mergeVertices rounds coordinates (and normals and the rest) to a tolerance of 1e-4, which
#            is absolute: it knows neither the size of the body nor its unit. All triangles are kept, those
#            with equal corners, too.
# Seen       a sphere of 16 x 16: 242 vertices at radius 1; 224 at 1e-3; 8 at 1e-4; 1 at 5e-5. Triangles: 480 in all cases.
# Expected   the same vertices at any scale, or a tolerance relative to the bounding box
# Who        Whoever shows an STL (whose triangles share no vertices, so that welding is the first step) of particles in
#            metres in a page: nothing is drawn, with no message; at a millimetre it lacks vertices.
# Way out    scale first, or pass a tolerance

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . three@0.187.0 > npm.log 2>&1

cat > weld.mjs <<'END'
import { SphereGeometry } from 'three';
import { mergeVertices } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

for (const radius of [1, 1e-3, 1e-4, 5e-5]) {
  const ball = new SphereGeometry(radius, 16, 16).toNonIndexed();
  for (const name of ['normal', 'uv']) ball.deleteAttribute(name);
  const welded = mergeVertices(ball);
  console.log(`radius ${radius}: ${welded.attributes.position.count} vertices, ${welded.index.count / 3} triangles`);
}
END
node weld.mjs | tee seen.txt

grep -q "^radius 1: 242 vertices, 480 triangles" seen.txt
grep -q "^radius 0.001: 224 vertices" seen.txt
grep -q "^radius 0.0001: 8 vertices" seen.txt
grep -q "^radius 0.00005: 1 vertices, 480 triangles" seen.txt
