#!/bin/bash
# In a source of ngspice v^3 is even: (-2)^3 is 8, and -8 at the prompt.
#
# Package    ngspice 39.3 (ngspice=39.3+ds-1, Debian 12)
# Behaviour  In B sources v^3, v**3 and pow(v, 3) are taken of |v|; pwr(v, 3) keeps the sign. In .param q^3 and q**3 are
#            taken of |q|, and pow(q, 3) is not. At the prompt a^3 keeps the sign. 2^3^2 goes from the left in a source
#            and from the right at the prompt.
# Seen       of -2: source ^ 8, ** 8, pow 8, pwr -8, v*v*v -8; .param ^ 8, ** 8, pow -8; prompt ^ -8; 2^3^2: source 64,
#            prompt 512
# Expected   -8 and one of 64 and 512
# Who        Whoever models a Kerr or another odd nonlinearity as a polynomial: it becomes even, makes even harmonics
#            and a direct part instead of odd harmonics, and no run fails.
# Way out    v*v*v

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends ngspice=39.3+ds-1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > cube.cir <<'END'
* cubes
v1 1 0 dc -2
.param q=-2 hat={q^3} stars={q**3} power={pow(q,3)}
b2 hat 0 v=v(1)^3
b3 stars 0 v=v(1)**3
b4 pow 0 v=pow(v(1),3)
b5 pwr 0 v=pwr(v(1),3)
b6 times 0 v=v(1)*v(1)*v(1)
b7 tower 0 v=2^3^2
b8 param_hat 0 v={hat}
b9 param_stars 0 v={stars}
b10 param_pow 0 v={power}
.op
.control
run
print v(hat) v(stars) v(pow) v(pwr) v(times) v(tower) v(param_hat) v(param_stars) v(param_pow)
let a=-2
print a^3 2^3^2
.endc
.end
END
export SPICE_LIB_DIR="$work/root/usr/share/ngspice"
ngspice -b cube.cir 2> messages.txt | grep -E "^(v\(.*\)|a\^3|2\^3\^2) = " | sed 's/ *= */: /' | tee seen.txt

for name in hat stars pow param_hat param_stars; do grep -q "^v($name): 8.0000" seen.txt; done
for name in pwr times param_pow; do grep -q "^v($name): -8.0000" seen.txt; done
grep -q "^v(tower): 6.40000*e+01" seen.txt
grep -q "^a^3: -8.0000" seen.txt
grep -q "^2^3^2: 5.120000*e+02" seen.txt
