#!/bin/bash
# GDL's convol does not turn the kernel: it correlates, and only center = 0 makes it a convolution.
#
# Package    GNU Data Language 1.0.1 (gnudatalanguage=1.0.1-4+b5), NumPy 1.24.2 (python3-numpy), Debian 12
# Behaviour  As in IDL. By default the kernel lies centred on the point and is not reversed; with center = 0 it is.
#            Points within half a kernel of an end are set to zero. fft, too, is IDL's: the forward one is divided by
#            N.
# Seen       a one at 3 of 0 to 6, kernel 1 2 3: convol 0 0 3 2 1 0 0, with center = 0: 0 0 0 1 2 3 0;
#            NumPy, same: 0 0 1 2 3 0 0; a one at 0: convol 0 1 0 0 0 0 0, NumPy 2 3 0 0 0 0 0; fft of eight ones, bin
#            0: 1
# Expected   1 2 3 after the one; 8
# Who        Whoever answers a pulse with an impulse response or a line with a one-sided kernel in GDL: causality is
#            turned round. A symmetric kernel shows nothing.
# Way out    convol(signal, reverse(kernel)), and zeros around the signal

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends gnudatalanguage=1.0.1-4+b5 libgnudatalanguage0=1.0.1-4+b5 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > convolution.pro <<'END'
one = fltarr(7) & one[3] = 1
print, 'convol', fix(convol(one, [1., 2, 3])), format='(a,7(1x,i0))'
print, 'center 0', fix(convol(one, [1., 2, 3], center=0)), format='(a,7(1x,i0))'
print, 'reversed', fix(convol(one, reverse([1., 2, 3]))), format='(a,7(1x,i0))'
one = fltarr(7) & one[0] = 1
print, 'at the end', fix(convol(one, [1., 2, 3])), format='(a,7(1x,i0))'
print, 'fft', fix(round(abs((fft(fltarr(8) + 1))[0]))), format='(a,1x,i0)'
END
export GDL_PATH="$work/root/usr/share/gnudatalanguage/lib"
gdl -q convolution.pro 2> messages.txt < /dev/null | grep -v "^%" | tee seen.txt
/usr/bin/python3 -c 'import numpy; print("NumPy same", *numpy.convolve([0, 0, 0, 1, 0, 0, 0], [1, 2, 3], "same"))' | tee -a seen.txt

grep -q "^convol 0 0 3 2 1 0 0" seen.txt
grep -q "^center 0 0 0 0 1 2 3 0" seen.txt
grep -q "^reversed 0 0 1 2 3 0 0" seen.txt
grep -q "^at the end 0 1 0 0 0 0 0" seen.txt
grep -q "^fft 1$" seen.txt
grep -q "^NumPy same 0 0 1 2 3 0 0" seen.txt
