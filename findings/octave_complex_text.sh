#!/bin/bash
# Octave's dlmread reads the complex numbers of numpy.savetxt as zeros, and load leaves out half of its own.
#
# Package    Octave 7.3.0 (octave=7.3.0-2), NumPy 1.24.2 (python3-numpy=1:1.24.2-1+deb12u1), Debian 12
# Behaviour  numpy.savetxt puts complex numbers in parentheses, (1+2j), a stream of C++ or Fortran as (1,2). dlmread makes
#            zeros of the former, and of the latter a matrix of another shape. load reads 1+2i 3-4i as the two numbers 1 and 2.
#            No message. dlmread reads 1+2i and 1+2j without parentheses right.
# Seen       two rows of two: savetxt's (1+2j) (3-4j): dlmread [0 0;0 0]; (1,2) (3,-4): dlmread [0 2 -4;0 6 8]; 1+2i 3-4i:
#            load [1 2;5 6], dlmread right
# Expected   the numbers, or an error: load says "unable to determine file format" about the first two
# Who        Whoever hands spectra or S-parameters from Python to Octave as text.
# Way out    numpy.savetxt(file, a, fmt="%.17g%+.17gj") for one column, or real and imaginary columns

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends octave=7.3.0-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export OCTAVE_HOME="$work/root/usr"
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/octave/7.3.0"

/usr/bin/python3 - <<'END'
import numpy

a = numpy.array([[1 + 2j, 3 - 4j], [5 + 6j, 7 + 8j]])
numpy.savetxt("numpy.txt", a)
numpy.savetxt("column.txt", a[:, 0], fmt="%.17g%+.17gj")
END
printf '(1,2) (3,-4)\n(5,6) (7,8)\n' > stream.txt
printf '1+2i 3-4i\n5+6i 7+8i\n' > plain.txt
cat > read.m <<'END'
for name = {"numpy", "stream", "plain", "column"}
  printf("dlmread %s: %s\n", name{1}, mat2str(dlmread([name{1} ".txt"])));
  try
    printf("load %s: %s\n", name{1}, mat2str(load([name{1} ".txt"])));
  catch e
    printf("load %s: %s\n", name{1}, strrep(e.message, "\n", " "));
  end
end
END
(octave-cli --quiet --no-init-file --no-gui read.m 2> messages.txt || true) | tee seen.txt

grep -qF 'dlmread numpy: [0 0;0 0]' seen.txt
grep -qF 'load numpy: load: unable to determine file format' seen.txt
grep -qF 'dlmread stream: [0 2 -4;0 6 8]' seen.txt
grep -qF 'dlmread plain: [1+2i 3-4i;5+6i 7+8i]' seen.txt
grep -qF 'load plain: [1 2;5 6]' seen.txt
grep -qF 'dlmread column: [1+2i;5+6i]' seen.txt
! grep -i warning messages.txt
