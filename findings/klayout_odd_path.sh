#!/bin/bash
# A GDS path of width 401 becomes 402 wide in KLayout once it is a polygon.
#
# Package    KLayout 0.28.5 (klayout=0.28.5-2, Debian 12)
# Behaviour  Half of an odd width is not on the grid and is rounded up on both sides. The path's own `area` keeps 401, the
#            polygon (which Boolean operations, DRC, meshing and every export but GDS paths take) has 402. The GDS
#            file is written with 401; an OASIS file of the same layout is refused with an error.
#            The `area` of a path with round ends is also not that of what is drawn.
# Seen       1000 x 401: path 401000, polygon 402000, box -201..201; OASIS: "Paths with odd width cannot be written"
#            round ends, width 400: path 537200, polygon 525744, a stadium of that width 525664
# Expected   401000, or the message of OASIS in all cases
# Who        Whoever draws waveguides or gratings as paths at a grid of 1 nm: each line is 1 nm wider, and each
#            gap 1 nm narrower, than the number that the file and the path's own area say.

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
cat > path.rb <<'END'
layout = RBA::Layout.new
cell = layout.create_cell("TOP")
ends = [RBA::Point.new(0, 0), RBA::Point.new(1000, 0)]
cell.shapes(layout.layer(1, 0)).insert(RBA::Path.new(ends, 401))
cell.shapes(layout.layer(2, 0)).insert(RBA::Path.new(ends, 400, 200, 200, true))
layout.write("path.gds")
again = RBA::Layout.new
again.read("path.gds")
again.layer_indexes.each do |l|
  again.top_cell.shapes(l).each { |s| puts "seen: width #{s.path.width}, path #{s.area}, polygon #{s.polygon.area}, #{s.bbox}" }
end
begin
  layout.write("path.oas")
  puts "seen: OASIS written"
rescue => e
  puts "seen: #{e.message}"
end
END
root/usr/lib/klayout/klayout -b -zz -r path.rb 2>&1 | grep "^seen" | tee seen.txt

grep -q "^seen: width 401, path 401000, polygon 402000, (0,-201;1000,201)" seen.txt
grep -q "^seen: width 400, path 537200, polygon 525744" seen.txt
grep -q "^seen: Paths with odd width cannot be written to OASIS" seen.txt
