#!/bin/bash
# chroma.js' viridis is not viridis: at 0.5 it has the colour of 0.44, and of 0.55 at 0.625.
#
# Package    chroma-js 3.2.0, d3-scale-chromatic 3.1.1 (npm)
# Behaviour  chroma.scale('viridis') goes straight between nine colours at equal distances, which were taken from
#            viridis at unequal ones: from 0.625 to 0.75 it runs through 0.22 of the real map, elsewhere through 0.10 to
#            0.12.
# Seen       the place of its colours in D3's viridis (256 colours, as Matplotlib's): 0.25: 0.22, 0.5: 0.44, 0.625:
#            0.55, 0.75: 0.77
# Expected   the same colours in both
# Who        Whoever compares two pictures of a field, or reads values off a legend by another program: equal colours
#            are up to 12 % of the range apart. A smooth field seems to have a step at two thirds.
# Way out    chroma.scale with D3's or Matplotlib's colours as a list

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . chroma-js@3.2.0 d3-scale-chromatic@3.1.1 > npm.log 2>&1

cat > map.mjs <<'END'
import chroma from 'chroma-js';
import { interpolateViridis } from 'd3-scale-chromatic';

const table = Array.from({ length: 1001 }, (_, i) => chroma(interpolateViridis(i / 1000)).rgb());
const distance = (a, b) => Math.hypot(...a.map((v, k) => v - b[k]));
for (const t of [0, 0.25, 0.5, 0.625, 0.75, 1]) {
  const colour = chroma.scale('viridis')(t).rgb();
  let best = 0;
  table.forEach((entry, i) => { if (distance(entry, colour) < distance(table[best], colour)) best = i; });
  console.log(`${t}: ${colour.join(' ')}, in D3 at ${(best / 1000).toFixed(2)}, ${distance(table[best], colour) < 3 ? 'same' : 'other'} colour`);
}
END
node map.mjs | tee seen.txt

grep -q "^0: 68 1 84, in D3 at 0.00, same" seen.txt
grep -q "^0.25: .* in D3 at 0.22, same" seen.txt
grep -q "^0.5: 38 131 143, in D3 at 0.44, same" seen.txt
grep -q "^0.625: .* in D3 at 0.55, same" seen.txt
grep -q "^0.75: .* in D3 at 0.77, same" seen.txt
grep -q "^1: .* in D3 at 1.00, same" seen.txt
