#!/bin/bash
# toml.dumps writes a number of NumPy as text in quotes.
#
# Package    toml for Python 0.10.2 (python3-toml=0.10.2-1, Debian 12), NumPy 1.24.2 (python3-numpy=1:1.24.2-1+deb12u1)
# Behaviour  numpy.float64 is a float of Python by inheritance, but the writer looks up the exact type, and what it does
#            not know becomes a string; so do numpy's integers and truth values, and complex numbers of Python. An array
#            becomes a list of strings. No message. There is an encoder for NumPy, which has to be asked for, and which
#            still writes truth values and complex numbers as text.
# Seen       {"w": numpy.float64(0.5), "p": 0.5, "a": numpy.arange(3) * 0.5, "z": 1+2j}: w = "0.5"; p = 0.5; a = [
#            "0.0", "0.5", "1.0",]; z = "(1+2j)"
# Expected   w = 0.5, a = [0.0, 0.5, 1.0], and an error for a complex number, which TOML does not have
# Who        Whoever writes the cases of a sweep from linspace or arange: a program with types refuses the file; one
#            that takes text where a name or a formula may stand reads something else.
# Way out    float(x) and .tolist(), or encoder=toml.TomlNumpyEncoder()

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-toml=0.10.2-1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W error - <<'END' | tee seen.txt
import numpy, toml

case = {"w": numpy.float64(0.5), "p": 0.5, "n": numpy.int64(3), "a": numpy.arange(3) * 0.5, "z": 1 + 2j}
print(toml.dumps(case))
print("# with the encoder")
print(toml.dumps(case, encoder=toml.TomlNumpyEncoder()).replace("w =", "encoder w ="))
END

grep -q '^w = "0.5"$' seen.txt
grep -q '^p = 0.5$' seen.txt
grep -q '^n = "3"$' seen.txt
grep -q '^a = \[ "0.0", "0.5", "1.0",\]$' seen.txt
grep -q '^z = "(1+2j)"$' seen.txt
grep -q '^encoder w = 0.5$' seen.txt
