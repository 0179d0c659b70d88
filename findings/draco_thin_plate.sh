#!/bin/bash
# Draco's encoder makes a plate of 1000 x 1000 x 0.2 flat: top and bottom come back in one plane.
#
# Package    Draco 1.5.5 (draco=1.5.5+dfsg-2, Debian 12)
# Behaviour  Positions are rounded to 11 bits of the longest side of the box around the mesh unless told otherwise, 1/2047
#            of it in all three directions. The encoder prints the number of bits among other lines; the decoder gives no
#            message, all triangles are there, and the volume is 0.
# Seen       heights of the decoded corners: 0 only, volume 0; with -qp 0: 0 and 0.2, volume 200000; a layer of 1 on the
#            same plate comes back 0.977 thick
# Expected   no loss unless asked for, or a warning about sides that vanish
# Who        Whoever passes a membrane, a coating or an electrode through a Draco file (as glTF files have it): a layer
#            thinner than 1/4000 of its width is gone, other walls move by as much, and what touched may overlap.
# Way out    -qp 0, or as many bits as the thinnest layer needs

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends draco=1.5.5+dfsg-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

plate() { # thickness file
  local z
  for z in 0 "$1"; do printf 'v 0 0 %s\nv 1000 0 %s\nv 1000 1000 %s\nv 0 1000 %s\n' "$z" "$z" "$z" "$z"; done > "$2"
  printf 'f %s\n' "1 3 2" "1 4 3" "5 6 7" "5 7 8" "1 2 6" "1 6 5" "2 3 7" "2 7 6" "3 4 8" "3 8 7" "4 1 5" "4 5 8" >> "$2"
}
plate 0.2 thin.obj
plate 1 thick.obj
for run in "thin default" "thin exact -qp 0" "thick default"; do
  set -- $run
  mesh=$1 name=$2
  shift 2
  draco_encoder "$@" -i $mesh.obj -o $mesh.drc > encoder.log
  draco_decoder -i $mesh.drc -o back.obj > decoder.log
  awk -v name="$mesh $name" '
    $1 == "v" { ++n; x[n] = $2; y[n] = $3; z[n] = $4; if (!($4 in seen)) { seen[$4] = 1; ++heights }; if ($4 + 0 > top) top = $4 + 0 }
    $1 == "f" { split($0, t, /[ \/]+/); a = t[2]; b = t[3]; c = t[4]
      v += (x[a] * (y[b] * z[c] - y[c] * z[b]) + y[a] * (z[b] * x[c] - z[c] * x[b]) + z[a] * (x[b] * y[c] - x[c] * y[b])) / 6; ++faces }
    END { printf "%s: %d heights up to %g, %d triangles, volume %.0f\n", name, heights, top, faces, v < 0 ? -v : v }' back.obj
done | tee seen.txt

grep -q "^thin default: 1 heights up to 0, 12 triangles, volume 0" seen.txt
grep -q "^thin exact: 2 heights up to 0.2, 12 triangles, volume 200000" seen.txt
grep -q "^thick default: 2 heights up to 0.97" seen.txt
