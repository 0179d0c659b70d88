#!/bin/bash
# In Octave's optics package a quarter wave plate makes left circular light of Jones vectors and right of Stokes vectors.
#
# Package    optics 0.1.4 for Octave (octave-optics=0.1.4-4), Octave 7.3.0 (octave=7.3.0-2), Debian 12
# Behaviour  jones_linretarder and mueller_linretarder delay axes of opposite names, so that the Mueller matrix of a Jones
#            matrix is the package's own with the sign of the retardance turned; jones_waveplate and mueller_waveplate
#            likewise. States (cpleft, cpright), polarisers and rotators agree. Both help texts name the same books.
# Seen       +45 degrees through a quarter wave: Jones (1, -i), which is jones_cpleft; Mueller S3 = +1, which is stokes_cpright
# Expected   the same hand
# Who        Whoever checks one description by the other, or takes polarisers from one and plates from the other: the
#            handedness, and with it the sign of a circular dichroism, comes out reversed.
# Way out    a negative retardance in one of them

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends octave=7.3.0-2 octave-optics=0.1.4-4 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export OCTAVE_HOME="$work/root/usr"
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/octave/7.3.0"

cat > plate.m <<'END'
addpath([getenv("OCTAVE_HOME") "/share/octave/packages/optics-0.1.4"]);
same = @(a, b) max(abs(a(:) / a(1) - b(:) / b(1))) < 1e-12;
hand = {"neither", "left", "right"};
named = @(v, left, right) hand{1 + same(v, left) + 2 * same(v, right)};
for plate = {"linretarder", "waveplate"}
  for turn = [1 -1] / 4
    if strcmp(plate{1}, "linretarder") size = 2 * pi * turn; else size = turn; end
    v = feval(["jones_" plate{1}], size) * jones_lpplus45();
    s = feval(["mueller_" plate{1}], size) * stokes_lpplus45();
    printf("%s %+g: Jones %s, Mueller %s\n", plate{1}, turn, named(v, jones_cpleft(), jones_cpright()),
           named(s, stokes_cpleft(), stokes_cpright()));
  end
end
v = jones_cpleft();
printf("S3 of jones_cpleft from its parts %+g, of stokes_cpleft %+g\n", 2 * imag(conj(v(1)) * v(2)) / (v' * v),
       stokes_cpleft()(4));
END
(octave-cli --quiet --no-init-file --no-gui plate.m 2> messages.txt || true) | tee seen.txt

grep -q "^linretarder +0.25: Jones left, Mueller right" seen.txt
grep -q "^linretarder -0.25: Jones right, Mueller left" seen.txt
grep -q "^waveplate +0.25: Jones left, Mueller right" seen.txt
grep -q "^S3 of jones_cpleft from its parts -1, of stokes_cpleft -1" seen.txt
