#!/bin/bash
# In C++ sqrt(1.0 - s * s) of a complex s = 2 is -1.73i, and sqrt(C(1) - s * s) is +1.73i.
#
# Package    libstdc++ and C by g++ and gcc 12.2.0, Python 3.11.2 (Debian 12)
# Behaviour  A double minus a complex number negates its imaginary part: +0 becomes -0. A complex 1 minus a complex number
#            leaves 0 - 0 = +0. The root has its cut there and takes the side that the sign of the zero says. C is as C++
#            with a double; Python makes the one complex first and is as C++ with C(1).
# Seen       1.0 - s*s: root -1.73i in C++ and C, +1.73i in Python; C(1) - s*s and (1.0 - s) * (1.0 + s): +1.73i and -1.73i
#            in C++
# Expected   the same, as 1.0 and C(1) are the same number
# Who        Whoever takes the normal component of an evanescent wave, sqrt(1 - s^2) or sqrt(k^2 - kx^2): it decays or grows
#            with how the one is written, and when a formula goes from Python to C++.
# Way out    choose the root by its imaginary part; do not leave it to the cut

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > wave.cpp <<'END_CPP'
#include <complex>
#include <cstdio>

using C = std::complex<double>;

int main() {
  volatile double two = 2;
  const C s(two);
  const auto say = [](const char *name, C z) {
    std::printf("%s: %+g%+gi, root %+.2fi\n", name, z.real(), z.imag(), std::sqrt(z).imag());
  };
  say("C++ 1.0 - s*s", 1.0 - s * s);
  say("C++ C(1) - s*s", C(1) - s * s);
  say("C++ (1.0 - s)(1.0 + s)", (1.0 - s) * (1.0 + s));
}
END_CPP
g++ wave.cpp -o wave
./wave | tee seen.txt
cat > wave.c <<'END_C'
#include <complex.h>
#include <stdio.h>

int main(void) {
  volatile double two = 2;
  const double complex s = two, z = 1.0 - s * s;
  printf("C 1.0 - s*s: %+g%+gi, root %+.2fi\n", creal(z), cimag(z), cimag(csqrt(z)));
}
END_C
gcc wave.c -o wave_c -lm
./wave_c | tee -a seen.txt
/usr/bin/python3 - <<'END_PYTHON' | tee -a seen.txt
import cmath

s = 2 + 0j
z = 1.0 - s * s
print(f"Python 1.0 - s*s: {z.real:+g}{z.imag:+g}i, root {cmath.sqrt(z).imag:+.2f}i")
END_PYTHON

grep -q "^C++ 1.0 - s\*s: -3-0i, root -1.73i" seen.txt
grep -q "^C++ C(1) - s\*s: -3+0i, root +1.73i" seen.txt
grep -q "^C++ (1.0 - s)(1.0 + s): -3-0i, root -1.73i" seen.txt
grep -q "^C 1.0 - s\*s: -3-0i, root -1.73i" seen.txt
grep -q "^Python 1.0 - s\*s: -3+0i, root +1.73i" seen.txt
