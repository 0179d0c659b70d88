#!/bin/bash
# Maker.js gives the union of two squares of 1 um, drawn in mm, as one of them.
#
# Package    makerjs 0.19.2 (npm)
# Behaviour  combineUnion joins what is nearer than lengths of its own, which are absolute, whatever the unit of the
#            model is. Below them the second square is dropped. No message.
# Seen       two squares of side s that overlap by a half: s = 1, 0.01 and 0.002: one outline of 8 corners, length 6 s;
#            0.001: one of 4 corners, length 4 s
# Expected   the same outline at any scale
# Who        Whoever draws masks, gratings or waveguides with it and takes millimetres for them: the
#            DXF file lacks bodies, and what is left is a closed outline.
# Way out    draw in micrometres and scale the coordinates of the file

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . makerjs@0.19.2 > npm.log 2>&1

cat > union.mjs <<'END'
import makerjs from 'makerjs';

for (const side of [1, 0.01, 0.002, 0.001]) {
  const other = makerjs.model.move(new makerjs.models.Rectangle(side, side), [side / 2, side / 2]);
  const both = makerjs.model.combineUnion(new makerjs.models.Rectangle(side, side), other);
  for (const chain of makerjs.model.findChains(both))
    console.log(`side ${side}: ${chain.links.length} corners, ${chain.endless ? 'closed' : 'open'}, length ${
      (chain.pathLength / side).toFixed(3)}`);
}
END
node union.mjs | tee seen.txt

for side in 1 0.01 0.002; do grep -q "^side $side: 8 corners, closed, length 6.000" seen.txt; done
grep -q "^side 0.001: 4 corners, closed, length 4.000" seen.txt
test "$(wc -l < seen.txt)" = 4
