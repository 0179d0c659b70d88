#!/bin/bash
# The npm package bessel takes J of order 1/2 for J of order 1, and says nothing.
#
# Package    bessel 1.0.2 (npm)
# Behaviour  besselj rounds the order to the nearest whole number (halves upwards), bessely cuts it down to one. No
#            message.
# Seen       besselj(10, 0.5) is 0.0434727, as besselj(10, 1); besselj(10, 2.5) 0.0583794, as besselj(10, 3);
#            bessely(10, 0.5) 0.0556712, as bessely(10, 0)
# Expected   J_1/2(10) = sqrt(2 / (10 pi)) sin 10 = -0.137264, or an error
# Who        Whoever makes spherical Bessel functions of it (order n + 1/2), for Mie series or spherical waves in a
#            page: each is the cylindrical function of a neighbouring order, smooth and of the right size.
# Way out    sin and cos with the recurrence in n; the argument comes before the order, too

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . bessel@1.0.2 > npm.log 2>&1

cat > order.mjs <<'END'
import bessel from 'bessel';

const show = (name, value) => console.log(`${name}: ${value.toPrecision(6)}`);
for (const order of [0.5, 1, 2.5, 3]) show(`order ${order}`, bessel.besselj(10, order));
for (const order of [0.5, 0]) show(`second kind, order ${order}`, bessel.bessely(10, order));
show('true, order 0.5', Math.sqrt(2 / (10 * Math.PI)) * Math.sin(10));
END
node order.mjs | tee seen.txt

grep -q "^order 0.5: 0.0434727" seen.txt
grep -q "^order 1: 0.0434727" seen.txt
grep -q "^order 2.5: 0.0583794" seen.txt
grep -q "^order 3: 0.0583794" seen.txt
grep -q "^second kind, order 0.5: 0.0556712" seen.txt
grep -q "^second kind, order 0: 0.0556712" seen.txt
grep -q "^true, order 0.5: -0.137264" seen.txt
