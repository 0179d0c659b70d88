#!/bin/bash
# Harminv finds exp(+2 pi i 0.1 t) at -0.1, even when asked for 0.05 to 0.2 only.
#
# Package    Harminv 1.4.1 (harminv=1.4.1-4, Debian 12)
# Behaviour  Frequencies are those of exp(-2 pi i f t). A complex signal that turns the other way, as that of an exp(j w t)
#            program, is reported with the sign reversed. The range on the command line is one of |f|: nothing warns, and
#            -F, which discards what lies outside of it, keeps the line. A signal that grows comes back as a plain line with a negative
#            decay and a negative Q of the same size.
# Seen       signal exp(+2 pi i 0.1 t - 0.01 t), range 0.05-0.2: frequency -0.1, Q 31.4; the same with -F; 0.1 with -n
#            growing cosine exp(0.001 t): decay -1.0e-3, Q -314.159
# Expected   0.1, the sign of an FFT's exp(+2 pi i f t) component and of the range that was asked for
# Who        Whoever passes complex probe records of one program to Harminv: a filter on f > 0 drops
#            every mode; one on |Q| takes an instability for a resonance.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends harminv=1.4.1-4 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END'
import cmath, math
with open("turning.txt", "w") as f:
    for t in range(400):
        z = cmath.exp((0.2j * math.pi - 0.01) * t)
        f.write(f"{z.real:.15g}{z.imag:+.15g}i\n")
with open("growing.txt", "w") as f:
    for t in range(400):
        f.write(f"{math.exp(0.001 * t) * math.cos(0.2 * math.pi * t):.15g}\n")
END
for options in "" "-F" "-n"; do
  echo "turning $options: $(harminv -t 1 $options 0.05-0.2 < turning.txt | tail -n +2 | cut -d, -f1-3 | tr '\n' ' ')" | tee -a seen.txt
done
echo "growing: $(harminv -t 1 0.05-0.2 < growing.txt | tail -n 1 | cut -d, -f1-3 | tr '\n' ' ')" | tee -a seen.txt

grep -q "^turning : -0.1, 1.0000.*e-02, 31.415" seen.txt
grep -q "^turning -F: -0.1, " seen.txt
grep -q "^turning -n: 0.1, " seen.txt
grep -q "^growing: 0.1, -1.0000.*e-03, -314.1" seen.txt
