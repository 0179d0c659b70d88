#!/bin/bash
# Octave's jsonencode and fwrite write the real parts of complex numbers only, and say nothing.
#
# Package    Octave 7.3.0 (octave=7.3.0-2, Debian 12)
# Behaviour  jsonencode of a complex number is the real part, in brackets as if it were a list of one. fwrite counts the
#            numbers, not their halves, and reports success. save -ascii, beside them, warns of the imaginary part that it omits.
# Seen       jsonencode(1+2i) [1]; of a struct with field a = 1i {"a":[0]}; fwrite of 2 complex numbers as double: 16 bytes
# Expected   an error, as for other types that JSON does not have, and 32 bytes or an error
# Who        Whoever hands S-parameters, permittivities or eigenvalues on: a purely imaginary one is 0.
# Way out    real and imag in fields of their own, [real(z(:)) imag(z(:))].' for fwrite

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends octave=7.3.0-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export OCTAVE_HOME="$work/root/usr"
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/octave/7.3.0"

cat > write.m <<'END'
printf("number %s\n", jsonencode(1+2i));
printf("struct %s\n", jsonencode(struct("a", 1i)));
printf("matrix %s\n", jsonencode([1+2i 3-4i; 5 6i]));
printf("real %s\n", jsonencode(2));
try
  printf("function %s\n", jsonencode(@sin));
catch e
  printf("function: %s\n", e.message);
end
file = fopen("z.bin", "w");
n = fwrite(file, [1+2i 3-4i], "double");
fclose(file);
printf("fwrite: %d numbers, %d bytes\n", n, stat("z.bin").size);
END
(octave-cli --quiet --no-init-file --no-gui write.m 2> messages.txt || true) | tee seen.txt

grep -qF 'number [1]' seen.txt
grep -qF 'struct {"a":[0]}' seen.txt
grep -qF 'matrix [[1,3],[5,0]]' seen.txt
grep -qF 'real 2' seen.txt
grep -q '^function: .*unsupported' seen.txt
grep -qF 'fwrite: 2 numbers, 16 bytes' seen.txt
! grep -i warning messages.txt
