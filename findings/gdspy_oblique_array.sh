#!/bin/bash
# gdspy lays the rows of an oblique array, a triangular lattice of holes, on top of one another.
#
# Package    gdspy 1.4.2 (python3-gdspy=1.4.2-2+b7), KLayout 0.28.5 (klayout=0.28.5-2), Debian 12
# Behaviour  An array of GDSII has a vector for its columns and one for its rows; KLayout writes both, whatever their
#            angle. The reader of gdspy keeps x of the one and y of the other. No warning.
# Seen       3 x 3 holes with steps (400, 0) and (200, 346): 9 places in KLayout; in gdspy spacing (0.2, 0), 3 places,
#            all with y = 0; steps (400, 0) and (0, 346): 9 places in both
# Expected   9 places, or an error
# Who        Whoever passes a photonic crystal or a staggered array of vias from KLayout through gdspy.
# Way out    In KLayout resolve the array into single instances before writing (CellInstArray of size 1)

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-gdspy=1.4.2-2+b7 klayout=0.28.5-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export LD_LIBRARY_PATH="$work/root/usr/lib/klayout:$LD_LIBRARY_PATH:$libraries/pulseaudio" HOME="$work"
export QT_QPA_PLATFORM=offscreen
cat > lattice.rb <<'END'
layout = RBA::Layout.new
layer = layout.layer(1, 0)
hole = layout.create_cell("HOLE")
hole.shapes(layer).insert(RBA::Box.new(-50, -50, 50, 50))
top = layout.create_cell("TOP")
{ "oblique" => 200, "upright" => 0 }.each do |name, shift|
  top.clear_insts
  steps = [RBA::Vector.new(400, 0), RBA::Vector.new(shift, 346)]
  top.insert(RBA::CellInstArray.new(hole.cell_index, RBA::Trans.new, *steps, 3, 3))
  layout.write(name + ".gds")
  back = RBA::Layout.new
  back.read(name + ".gds")
  back.top_cell.flatten(true)
  centres = back.top_cell.shapes(back.layer(1, 0)).each.map { |shape| shape.bbox.center.to_s }
  puts "seen KLayout #{name}: #{centres.uniq.size} places"
end
END
root/usr/lib/klayout/klayout -b -zz -r lattice.rb 2>&1 | grep "^seen" | tee seen.txt

/usr/bin/python3 - <<'END' | tee -a seen.txt
import gdspy

for name in ("oblique", "upright"):
    top = gdspy.GdsLibrary(infile=name + ".gds").cell_dict["TOP"]
    places = {tuple(polygon.mean(axis=0).round(4).tolist()) for polygon in top.get_polygons()}
    x, y = top.references[0].spacing
    print(f"gdspy {name}: spacing ({x:.3g}, {y:.3g}), {len(places)} places, {len({y for _, y in places})} rows")
END

for name in oblique upright; do grep -q "^seen KLayout $name: 9 places" seen.txt; done
grep -q "^gdspy oblique: spacing (0.2, 0), 3 places, 1 rows" seen.txt
grep -q "^gdspy upright: .* 9 places, 3 rows" seen.txt
