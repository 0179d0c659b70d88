#!/bin/bash
# KLayout reads a rectangle of its own CIF file back 1 nm wider, if its width is odd.
#
# Package    KLayout 0.28.5 (klayout=0.28.5-2, Debian 12)
# Behaviour  CIF gives a box by its size and its centre, which is between two grid points where the size is odd. The
#            writer rounds the centre down and keeps the size; the reader rounds the edges outwards. Polygons are given
#            by corners, and are kept.
# Seen       box 0,0;1001,503: CIF "B 1001 503 500,251", read as -1,-1;1001,503; the same as a polygon: kept; box of
#            1000 x 500: kept
# Expected   the same box, as from GDS and OASIS
# Who        Whoever hands masks on by CIF at a grid of 1 nm: each odd width grows, gaps shrink, and neighbours that
#            touched overlap.
# Way out    GDS or OASIS; before CIF, boxes turned into polygons

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends klayout=0.28.5-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export LD_LIBRARY_PATH="$work/root/usr/lib/klayout:$LD_LIBRARY_PATH" HOME="$work" QT_QPA_PLATFORM=offscreen
cat > box.rb <<'END'
[["even", 1000, 500], ["odd", 1001, 503]].each do |name, width, height|
  layout = RBA::Layout.new
  cell = layout.create_cell("TOP")
  box = RBA::Box.new(0, 0, width, height)
  cell.shapes(layout.layer(1, 0)).insert(box)
  cell.shapes(layout.layer(2, 0)).insert(RBA::Polygon.new(box))
  ["cif", "gds", "oas"].each do |format|
    layout.write("box." + format)
    again = RBA::Layout.new
    again.read("box." + format)
    boxes = again.layer_indexes.map { |l| again.top_cell.bbox_per_layer(l).to_s }
    puts "seen: #{name} #{format}: box #{boxes[0]}, polygon #{boxes[1]}"
  end
  puts "seen: #{name} #{File.readlines("box.cif").grep(/^ *B /)[0].strip}"
end
END
root/usr/lib/klayout/klayout -b -zz -r box.rb 2>&1 | grep "^seen" | tee seen.txt

for format in cif gds oas; do grep -q "^seen: even $format: box (0,0;1000,500), polygon (0,0;1000,500)" seen.txt; done
for format in gds oas; do grep -q "^seen: odd $format: box (0,0;1001,503), polygon (0,0;1001,503)" seen.txt; done
grep -q "^seen: odd cif: box (-1,-1;1001,503), polygon (0,0;1001,503)" seen.txt
grep -q "^seen: odd B 1001 503 500,251;" seen.txt
