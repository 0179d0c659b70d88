#!/bin/bash
# RdBu goes from blue to red in Plotly.js and colormap, and from red to blue in D3 and chroma.js.
#
# Package    plotly.js-basic-dist-min 3.1.0, colormap 2.3.2, d3-scale-chromatic 3.1.1, chroma-js 3.2.0 (npm)
# Behaviour  The name is ColorBrewer's, where red comes first; Matplotlib has it so, too. Plotly.js has blue first in
#            its RdBu, whose middle is grey, and dark first in YlGnBu, whose ends are those of ColorBrewer turned round.
# Seen       lowest colour of RdBu: Plotly.js and colormap 5,10,172 (blue), D3 and chroma.js 103,0,31 (red); of YlGnBu:
#            Plotly.js and colormap 8,29,88 (dark blue), D3 255,255,217 (light yellow)
# Expected   one direction for one name
# Who        Whoever shows signed fields or charges by two programs: plus and minus change places, and only the legend
#            says so. Both pictures look as usual.
# Way out    reversescale in Plotly.js, where RdBu then begins with red

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . plotly.js-basic-dist-min@3.1.0 colormap@2.3.2 d3-scale-chromatic@3.1.1 chroma-js@3.2.0 > npm.log 2>&1

cat > low.mjs <<'END'
import fs from 'fs';
import colormap from 'colormap';
import chroma from 'chroma-js';
import { interpolateRdBu, interpolateYlGnBu } from 'd3-scale-chromatic';

const text = fs.readFileSync('node_modules/plotly.js-basic-dist-min/plotly-basic.min.js', 'utf8');
const plotly = (name) => text.match(new RegExp(`${name}:\\[\\[0,"rgb\\(([0-9,]*)\\)"`))[1];
const table = (name) => colormap({ colormap: name, nshades: 12, format: 'rgb' })[0].slice(0, 3);
const d3 = { RdBu: interpolateRdBu, YlGnBu: interpolateYlGnBu };
for (const [name, other] of [['RdBu', 'RdBu'], ['YlGnBu', 'YIGnBu']])
  console.log(`${name}: Plotly.js ${plotly(name)}; colormap ${table(other)}; D3 ${chroma(d3[name](0)).rgb()}; chroma.js ${
    chroma.scale(name)(0).rgb()}`);
END
node low.mjs | tee seen.txt

grep -q "^RdBu: Plotly.js 5,10,172; colormap 5,10,172; D3 103,0,31; chroma.js 103,0,31" seen.txt
grep -q "^YlGnBu: Plotly.js 8,29,88; colormap 8,29,88; D3 255,255,217; chroma.js 255,255,217" seen.txt
