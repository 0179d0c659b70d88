#!/bin/bash
# SciPy's oblate radial function of the second kind is 7e7 where it should be -147.
#
# Package    SciPy 1.10.1 (python3-scipy=1.10.1-2, Debian 12)
# Behaviour  obl_rad2 is right from x = 2 on. Below, where the surface of every flat spheroid is, it is wrong by many orders
#            of magnitude, for the lowest orders and small c too. pro_rad2 near x = 1 has values right to some digits for
#            small c and derivatives that are not those of them. No message.
# Seen       m = n = 0, c = 0.01: x = 0.1 7.2e+07, limit for small c -acot(x)/c = -147.11; x = 1 5.57e+08, limit -78.54;
#            x = 2 -46.35, limit -46.36. Of 192 arguments (m to 2, n to m + 3, c 0.5 to 4, x 0.1 to 2) the Wronskian
#            with obl_rad1 is off by more than 1 % in 144, of 192 of pro_rad2 (x 1.05 to 2) in 29
# Expected   the Wronskian R1 R2' - R1' R2 = 1 / (c (x^2 + 1)), for the prolate 1 / (c (x^2 - 1)), to ten digits
# Who        Whoever checks the scattering by spheroids, or the field at a disk or a hole, against the exact series.
# Way out    the Wronskian beside each value; tables (Flammer), or Van Buren's codes

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W error - <<'END' | tee seen.txt
import math, scipy.special as special

for x in (0.1, 1, 2):
    print(f"oblate x {x}: {special.obl_rad2(0, 0, 0.01, x)[0]:.2f}, limit {-math.atan(1 / x) / 0.01:.2f}")


def astray(kind, sign, places):
    first, second = getattr(special, kind + "_rad1"), getattr(special, kind + "_rad2")
    count = 0
    for m in range(3):
        for n in range(m, m + 4):
            for c in (0.5, 1, 2, 4):
                for x in places:
                    (a, da), (b, db) = first(m, n, c, x), second(m, n, c, x)
                    count += not abs((a * db - da * b) * c * (x * x + sign) - 1) < 0.01
    return f"{count} of {12 * 4 * len(places)}"


print(f"Wronskian: oblate {astray('obl', 1, (0.1, 0.5, 1, 2))}, prolate {astray('pro', -1, (1.05, 1.2, 1.5, 2))}")
END

grep -Eq "^oblate x 0.1: -?[0-9]{6,}\.[0-9]+, limit -147.11" seen.txt
grep -Eq "^oblate x 1: -?[0-9]{6,}\.[0-9]+, limit -78.54" seen.txt
grep -q "^oblate x 2: -46.35, limit -46.36" seen.txt
grep -Eq "^Wronskian: oblate 1[3-4][0-9] of 192, prolate [23][0-9] of 192" seen.txt
