#!/bin/bash
# The same contour lies half a cell further right and down in d3-contour than in MarchingSquares.js, and turns the other way.
#
# Package    d3-contour 4.0.3, marchingsquares 1.3.3 (npm)
# Behaviour  d3-contour takes the values for those of cells, whose centres are at 0.5, 1.5, ...; MarchingSquares.js for
#            those at 0, 1, .... Both close a line that meets the border along the frame: d3-contour around what is above
#            the level, MarchingSquares.js around what is below it, and where the whole border is below it adds the frame as
#            a line.
# Seen       5 - distance from (10, 10) on 21 x 21, level 0: d3-contour one ring around 10.5, area -77.8; MarchingSquares.js
#            a frame of area -400 and a ring around 10, area 77.8; the value x of 5 x 4, level 1.25: x = 1.75 with the frame
#            up to 5, and 1.25 with the frame down to 0
# Expected   lines at 1.25 in both, and no frame among lines
# Who        Whoever draws contours of a field over its colours or its geometry, measures a spot's size by the length or the
#            area of a contour, or replaces one package by the other.
# Way out    take 0.5 off d3's coordinates; noFrame: true for the frame around everything; drop segments on the border

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . d3-contour@4.0.3 marchingsquares@1.3.3 > npm.log 2>&1

cat > contour.mjs <<'END_JS'
import { contours } from 'd3-contour';
import { isoLines } from 'marchingsquares';

const field = (w, h, value) => Array.from({ length: h }, (_, y) => Array.from({ length: w }, (_, x) => value(x, y)));
const area = (ring) => ring.slice(1).reduce((sum, [x, y], i) => sum + (ring[i][0] * y - x * ring[i][1]) / 2, 0);
const say = (name, rings) => {
  for (const ring of rings) {
    const x = ring.map((point) => point[0]);
    console.log(`${name}: x ${Math.min(...x).toFixed(2)} to ${Math.max(...x).toFixed(2)}, area ${area(ring).toFixed(1)}`);
  }
};
const disc = field(21, 21, (x, y) => 5 - Math.hypot(x - 10, y - 10)), ramp = field(5, 4, (x) => x);
for (const [name, rows, level] of [['disc', disc, 0], ['ramp', ramp, 1.25]]) {
  say(`d3 ${name}`, contours().size([rows[0].length, rows.length]).contour(rows.flat(), level).coordinates.flat());
  say(`MarchingSquares ${name}`, isoLines(rows, level));
}
say('noFrame disc', isoLines(disc, 0, { noFrame: true }));
END_JS
node contour.mjs | tee seen.txt

grep -q "^d3 disc: x 5.50 to 15.50, area -77.8" seen.txt
grep -q "^MarchingSquares disc: x 0.00 to 20.00, area -400.0" seen.txt
grep -q "^MarchingSquares disc: x 5.00 to 15.00, area 77.8" seen.txt
test "$(grep -c "^noFrame disc" seen.txt)" = 1
grep -q "^d3 ramp: x 1.75 to 5.00" seen.txt
grep -q "^MarchingSquares ramp: x 0.00 to 1.25" seen.txt
