#!/bin/bash
# In nerdamer (i/2)^0.8 is 0.574, a real number, i^i is i, and asin(-2) is -0.73 + 1.10i.
#
# Package    nerdamer 1.1.13, mathjs 15.2.0 (npm), NumPy 1.24.2 (python3-numpy=1:1.24.2-1+deb12u1, Debian 12)
# Behaviour  A broken power of i/2 is that of 1/2; (-i)^(1/2) is -0.71-0.71i, whose square is i. asin and acos are
#            right above 1 and wrong below -1: the sine of the result is not -2. exp, log, sqrt and asin(2) are right.
#            No message.
# Seen       (i/2)^0.8: 0.5743, math.js 0.1775+0.5462i; 1/(1+(i/2)^0.8): 0.6352, 0.6989-0.3242i; i^i: i, 0.2079;
#            asin(-2): -0.7297+1.0986i, math.js and NumPy -1.5708+1.3170i
# Expected   what math.js and NumPy say
# Who        Whoever evaluates a Cole-Cole or constant phase law, a root of a wave number or an angle behind total
#            reflection in it: a lossy medium comes out lossless.
# Way out    exp(0.8*log(i/2)), which is right

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

npm install --silent --no-audit --no-fund --prefix . nerdamer@1.1.13 mathjs@15.2.0 > npm.log 2>&1

cat > power.mjs <<'END'
import { createRequire } from 'module';
const require = createRequire(import.meta.url);
const nerdamer = require('nerdamer/all.min.js'), math = require('mathjs');

const round = x => (Math.abs(x) < 5e-5 ? 0 : x).toFixed(4);
const show = z => (typeof z == 'number' ? `${round(z)}` : `${round(z.re)}${z.im < 0 ? '-' : '+'}${round(Math.abs(z.im))}i`);
for (const formula of ['(i/2)^0.8', 'exp(0.8*log(i/2))', '1/(1+(i/2)^0.8)', 'i^i', 'sqrt(-i)', '(-i)^(1/2)', 'sqrt(3+4*i)',
                       'asin(2)', 'sin(asin(-2))', 'asin(-2)', 'acos(-2)']) {
  const text = nerdamer(formula).evaluate().text();
  console.log(`${formula}: nerdamer ${show(math.evaluate(text))}, math.js ${show(math.evaluate(formula))}`);
}
END
node power.mjs | tee seen.txt
/usr/bin/python3 -c 'import numpy; print("NumPy: asin(-2) {:.4f}, acos(-2) {:.4f}".format(numpy.arcsin(-2 + 0j), numpy.arccos(-2 + 0j)))' | tee -a seen.txt

grep -qF "(i/2)^0.8: nerdamer 0.5743, math.js 0.1775+0.5462i" seen.txt
grep -qF "exp(0.8*log(i/2)): nerdamer 0.1775+0.5462i" seen.txt
grep -qF "1/(1+(i/2)^0.8): nerdamer 0.6352, math.js 0.6989-0.3242i" seen.txt
grep -qF "i^i: nerdamer 0.0000+1.0000i, math.js 0.2079" seen.txt
grep -qF "(-i)^(1/2): nerdamer -0.7071-0.7071i, math.js 0.7071-0.7071i" seen.txt
grep -qF "asin(2): nerdamer 1.5708-1.3170i, math.js 1.5708-1.3170i" seen.txt
grep -qF "sin(asin(-2)): nerdamer -1.1111-0.9938i, math.js -2.0000" seen.txt
grep -qF "asin(-2): nerdamer -0.7297+1.0986i" seen.txt
grep -qF "NumPy: asin(-2) -1.5708+1.3170j, acos(-2) 3.1416-1.3170j" seen.txt
