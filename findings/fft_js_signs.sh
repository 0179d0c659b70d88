#!/bin/bash
# Three FFT packages of npm turn the other way: exp(+2 pi i t / 8) is in the last bin, not in the first.
#
# Package    jsfft 0.0.4, ndarray-fft 1.0.3, ndarray 1.1.1, dsp.js 1.0.1, fft.js 4.0.4 (npm)
# Behaviour  The forward transform sums with exp(+2 pi i k t / N) in jsfft (divided by sqrt(N), too) and in ndarray-fft.
#            In dsp.js the class DFT does, and the class FFT beside it does not. fft.js is as FFTW, NumPy and Octave.
# Seen       exp(+2 pi i t / 8): fft.js bin 1, 8; ndarray-fft bin 7, 8; jsfft bin 7, 2.83 sin(2 pi t / 8) in bin 1:
#            dsp.js FFT -4i, DFT +4i
# Expected   exp(-2 pi i k t / N) and no factor in the forward one
# Who        Whoever takes phases or directions of it: delays become advances, left and right circular light change
#            places, and the phase of a dsp.js spectrum changes sign with the class. Power spectra of real records do
#            not show it.
# Way out    test with exp(+2 pi i t / N); dir = -1 of ndarray-fft has the usual sign, and divides by N

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . jsfft@0.0.4 ndarray-fft@1.0.3 ndarray@1.1.1 dsp.js@1.0.1 fft.js@4.0.4 > npm.log 2>&1

cat > sign.mjs <<'END'
import { createRequire } from 'module';
const require = createRequire(import.meta.url);
const FFT = require('fft.js'), { ComplexArray } = require('jsfft'), dsp = require('dsp.js');
const ndarray = require('ndarray'), ndfft = require('ndarray-fft');

const n = 8, angle = Array.from({ length: n }, (_, t) => (2 * Math.PI * t) / n);
const re = angle.map(Math.cos), im = angle.map(Math.sin);
const show = (name, a, b) => {
  for (let k = 0; k < n; ++k)
    if (Math.hypot(a[k], b[k]) > 1e-6) console.log(`${name}: bin ${k}, ${Math.hypot(a[k], b[k]).toFixed(2)}`);
};

const plain = new FFT(n), out = plain.createComplexArray();
plain.transform(out, angle.flatMap((_, t) => [re[t], im[t]]));
show('fft.js', out.filter((_, k) => k % 2 == 0), out.filter((_, k) => k % 2 == 1));
const x = ndarray(Float64Array.from(re), [n]), y = ndarray(Float64Array.from(im), [n]);
ndfft(1, x, y);
show('ndarray-fft', x.data, y.data);
const z = new ComplexArray(n);
re.forEach((_, t) => { z.real[t] = re[t]; z.imag[t] = im[t]; });
const spectrum = z.FFT();
show('jsfft', spectrum.real, spectrum.imag);
for (const kind of ['FFT', 'DFT']) {
  const transform = new dsp[kind](n, n);
  transform.forward(Float64Array.from(im));
  console.log(`dsp.js ${kind} of the sine, bin 1: ${transform.imag[1].toFixed(2)}i`);
}
END
node sign.mjs | tee seen.txt

grep -q "^fft.js: bin 1, 8.00" seen.txt
grep -q "^ndarray-fft: bin 7, 8.00" seen.txt
grep -q "^jsfft: bin 7, 2.83" seen.txt
grep -q "^dsp.js FFT of the sine, bin 1: -4.00i" seen.txt
grep -q "^dsp.js DFT of the sine, bin 1: 4.00i" seen.txt
