#!/bin/bash
# asin(2), the angle behind total reflection, is 1.57 + 1.32i in NumPy, C and gnuplot, and 1.57 - 1.32i in Octave.
#
# Package    NumPy 1.24.2, glibc by gcc 12.2.0, gnuplot 5.4.4, Octave 7.3.0, PARI/GP 2.15.2, numexpr 2.8.4 (Debian 12),
#            mathjs 15.2.0 (npm)
# Behaviour  A real number above 1 lies on the branch cut. NumPy, C and gnuplot take the side of +0i, Octave, PARI, math.js
#            and numexpr the one below. So do Octave, math.js and numexpr where the argument is complex with an imaginary
#            part of +0; numexpr beside NumPy, on the same array. With a little of it, 2 + 1e-9i, all agree on +1.32i.
# Seen       sign of Im asin(2): + NumPy, C, gnuplot; - Octave, PARI, math.js, numexpr; + in all for 2 + 1e-9i
# Expected   the same side in all
# Who        Whoever takes a transmitted wave by way of Snell's angle: cos(theta) is -1.73i above and +1.73i below, so with
#            exp(-iwt) the evanescent wave grows in NumPy and decays in Octave, and the other way round with exp(+iwt).
# Way out    the cosine without the angle: a root of 1 - sin^2 whose sign is then chosen by the imaginary part

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends octave=7.3.0-2 pari-gp=2.15.2-1 gnuplot-nox=5.4.4+dfsg1-2+b2 python3-numexpr=2.8.4-1+b2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"
npm install --silent --no-audit --no-fund --prefix . mathjs@15.2.0 > npm.log 2>&1

export OCTAVE_HOME="$work/root/usr" LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/octave/7.3.0"
cat > angle.c <<'END_C'
#include <complex.h>
#include <stdio.h>

int main(void) {
  volatile double s = 2;
  for (int lossy = 0; lossy < 2; ++lossy) {
    const double complex angle = casin(CMPLX(s, 1e-9 * lossy));
    printf("C %s: %.3f %+.3fi\n", lossy ? "2+1e-9i" : "2", creal(angle), cimag(angle));
  }
}
END_C
gcc angle.c -o angle -lm
./angle | tee seen.txt
gnuplot-nox -e 's = {2,0}; a = asin(s); b = asin({2,1e-9});
  print sprintf("gnuplot 2: %.3f %+.3fi", real(a), imag(a)), sprintf("\ngnuplot 2+1e-9i: %.3f %+.3fi", real(b), imag(b))' 2>&1 | tee -a seen.txt
/usr/bin/python3 - <<'END_PYTHON' | tee -a seen.txt
import numexpr, numpy

s = numpy.array([2, 2 + 1e-9j])
for name, angles in (("NumPy", numpy.arcsin(s)), ("numexpr", numexpr.evaluate("arcsin(s)"))):
    for text, angle in zip(("2", "2+1e-9i"), angles):
        print(f"{name} {text}: {angle.real:.3f} {angle.imag:+.3f}i")
END_PYTHON
octave-cli --no-gui --norc -q --eval '
  a = asin(2); printf("Octave 2: %.3f %+.3fi, cosine %+.3fi\n", real(a), imag(a), imag(cos(a)));
  a = asin(complex(2, 0)); printf("Octave complex(2, 0): %.3f %+.3fi\n", real(a), imag(a));
  a = asin(2 + 1e-9i); printf("Octave 2+1e-9i: %.3f %+.3fi\n", real(a), imag(a));' 2> octave.log | tee -a seen.txt
cat > angle.gp <<'END_GP'
f(n, s) = { my(a = asin(s)); printf("PARI %s: %.3f %s%.3fi\n", n, real(a), if(imag(a) > 0, "+", ""), imag(a)) };
f("2", 2); f("2+1e-9i", 2 + 1e-9*I);
END_GP
gp -q -f angle.gp < /dev/null 2> gp.log | tee -a seen.txt
cat > angle.mjs <<'END_JS'
import { asin, complex } from 'mathjs';

for (const [text, s] of [['2', 2], ['complex 2', complex(2, 0)], ['2+1e-9i', complex(2, 1e-9)]]) {
  const angle = asin(s);
  console.log(`math.js ${text}: ${angle.re.toFixed(3)} ${angle.im > 0 ? '+' : ''}${angle.im.toFixed(3)}i`);
}
END_JS
node angle.mjs | tee -a seen.txt

for name in C gnuplot NumPy; do grep -q "^$name 2: 1.571 +1.317i" seen.txt; done
for name in Octave PARI math.js numexpr; do grep -q "^$name 2: 1.571 -1.317i" seen.txt; done
for name in C gnuplot NumPy Octave PARI math.js numexpr; do grep -q "^$name 2+1e-9i: 1.571 +1.317i" seen.txt; done
grep -q "^Octave complex(2, 0): 1.571 -1.317i" seen.txt
grep -q "^math.js complex 2: 1.571 -1.317i" seen.txt
grep -q "^Octave 2: .*cosine +1.732i" seen.txt
