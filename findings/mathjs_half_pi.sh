#!/bin/bash
# In math.js 1/2pi is pi / 2, and a/2pi is a / (2 pi), with a = 1.
#
# Package    mathjs 15.2.0 (npm)
# Behaviour  A product without a sign binds tighter than a division, but not if the division is of two plain numbers.
#            Putting a name in the place of a number changes the result of the formula around it.
# Seen       1/2pi: 1.5708; a/2pi with a = 1: 0.15915; 1/2i: 0.5i; a/2i: -0.5i; 1/2 x with x = 2: 1; a/2 x: 0.25
# Expected   one grouping, whatever the numerator is written as
# Who        Whoever types c/2pi k or 1/2pi tau: an inductance, a rate or a frequency is off by pi^2 or by x^2 when a
#            number is replaced by a parameter, and a phase turns its sign.
# Way out    Parentheses, or a sign for each product

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . mathjs@15.2.0 > npm.log 2>&1

cat > group.mjs <<'END'
import { evaluate } from 'mathjs';

for (const text of ['1/2pi', 'a/2pi', '1/2i', 'a/2i', '1/2 x', 'a/2 x']) {
    console.log(`${text}: ${String(evaluate(text, { a: 1, x: 2 })).slice(0, 7)}`);
}
END
node group.mjs | tee seen.txt

grep -q "^1/2pi: 1.57079" seen.txt
grep -q "^a/2pi: 0.15915" seen.txt
grep -q "^1/2i: 0.5i" seen.txt
grep -q "^a/2i: -0.5i" seen.txt
grep -q "^1/2 x: 1$" seen.txt
grep -q "^a/2 x: 0.25$" seen.txt
