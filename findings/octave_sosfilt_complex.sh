#!/bin/bash
# Octave's sosfilt filters the real part of a complex signal and leaves the imaginary one out; filter does both.
#
# Package    signal 1.4.3 for Octave 7.3.0 (octave-signal=1.4.3-1, octave=7.3.0-2), Debian 12
# Behaviour  sosfilt, which is there for filters of higher order because filter loses digits with them, takes the real part
#            of its input and returns real numbers. medfilt1 does the same. No message. filter, filtfilt, sgolayfilt and
#            resample of the same package or of Octave are right.
# Seen       one section, first input 1 + i: sosfilt 1 0.5 0.25, filter 1+i 0.5+0.5i 0.25+0.25i; medfilt1 of i 2i 3i: zeros
# Expected   complex numbers, or an error
# Who        Whoever filters an envelope that was mixed down, a phasor over time or a Fourier field along a line: half of it
#            is lost, and with it which way the phase turns.
# Way out    complex(sosfilt(s, real(x)), sosfilt(s, imag(x)))

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends octave=7.3.0-2 octave-signal=1.4.3-1 octave-control=3.4.0-3 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export OCTAVE_HOME="$work/root/usr"
cat > sections.m <<'END_OCTAVE'
addpath(fullfile(getenv("OCTAVE_HOME"), "share", "octave", "packages", "signal-1.4.3"));
addpath(glob(fullfile(getenv("OCTAVE_HOME"), "lib", "*", "octave", "packages", "signal-1.4.3", "*")){1});
x = [1+1i 0 0];
printf("sosfilt %s\n", mat2str(sosfilt([1 0 0 1 -0.5 0], x)));
printf("filter %s\n", mat2str(filter(1, [1 -0.5], x)));
printf("medfilt1 %s\n", mat2str(medfilt1([1i 2i 3i], 3)));
printf("last warning: %s\n", lastwarn());
END_OCTAVE
LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/octave/7.3.0" octave-cli --no-gui --norc -q sections.m 2> octave.log | tee seen.txt

grep -q "^sosfilt \[1 0.5 0.25\]$" seen.txt
grep -q "^filter \[1+1i 0.5+0.5i 0.25+0.25i\]$" seen.txt
grep -q "^medfilt1 \[0 0 0\]$" seen.txt
grep -q "^last warning: $" seen.txt
