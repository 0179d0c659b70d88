#!/bin/bash
# toeplitz(c) of a complex vector is not symmetric, and SciPy's is the transpose of Octave's.
#
# Package    SciPy 1.10.1 (python3-scipy=1.10.1-2), Octave 7.3.0 (octave=7.3.0-2), Debian 12
# Behaviour  One vector given, both make a Hermitian matrix and conjugate the half that was not given. SciPy takes c as the
#            first column, Octave as the first row. solve_toeplitz of SciPy does as toeplitz. No message.
# Seen       c = 1, 2i, 3+i: corner below left 3+1i in SciPy and 3-1i in Octave, above right the other way round; the
#            residual of solve_toeplitz(c, b) against the symmetric matrix is 1.09 of b
# Expected   the symmetric matrix t_mn = c_|m-n|, as for real numbers; failing that, the same in both
# Who        Whoever writes the interaction of equal dipoles in a row, the moments of a wire in equal segments or a
#            convolution: their matrices are complex symmetric and depend on |m - n|. The conjugated half is a wave that
#            comes in; energy looks conserved.
# Way out    toeplitz(c, c) and solve_toeplitz((c, c), b) in SciPy; toeplitz(c, c) in Octave

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 octave=7.3.0-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export OCTAVE_HOME="$work/root/usr"
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/octave/7.3.0"

/usr/bin/python3 - <<'END' | tee seen.txt
import numpy, scipy.linalg

c, b = numpy.array([1, 2j, 3 + 1j]), numpy.array([1, 0, 0])
one, two = scipy.linalg.toeplitz(c), scipy.linalg.toeplitz(c, c)
print(f"SciPy one: below {one[2, 0]:.0f} above {one[0, 2]:.0f}")
print(f"SciPy two: below {two[2, 0]:.0f} above {two[0, 2]:.0f}")
for name, given in (("one", c), ("two", (c, c))):
    residual = numpy.linalg.norm(two @ scipy.linalg.solve_toeplitz(given, b) - b)
    print(f"solve_toeplitz {name}: residual {residual:.2f}")
END
cat > corners.m <<'END'
c = [1, 2i, 3+1i];
one = toeplitz(c); column = toeplitz(c.'); two = toeplitz(c, c);
printf("Octave one: below %s above %s\n", num2str(one(3, 1)), num2str(one(1, 3)));
printf("Octave column: below %s above %s\n", num2str(column(3, 1)), num2str(column(1, 3)));
printf("Octave two: below %s above %s\n", num2str(two(3, 1)), num2str(two(1, 3)));
END
(octave-cli --quiet --no-init-file --no-gui corners.m 2> messages.txt || true) | tee -a seen.txt

grep -q "^SciPy one: below 3+1j above 3-1j" seen.txt
grep -q "^SciPy two: below 3+1j above 3+1j" seen.txt
grep -q "^solve_toeplitz one: residual 1.09" seen.txt
grep -q "^solve_toeplitz two: residual 0.00" seen.txt
grep -q "^Octave one: below 3-1i above 3+1i" seen.txt
grep -q "^Octave column: below 3-1i above 3+1i" seen.txt
grep -q "^Octave two: below 3+1i above 3+1i" seen.txt
