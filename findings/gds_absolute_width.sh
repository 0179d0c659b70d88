#!/bin/bash
# A GDS path of negative, that is absolute, width doubles in a cell that is placed with magnification 2.
#
# Package    gdspy 1.4.2 (python3-gdspy=1.4.2-2+b7), KLayout 0.28.5 (klayout=0.28.5-2), Debian 12
# Behaviour  GDSII says that the minus of WIDTH makes it absolute: no magnification of a reference touches it. KLayout
#            takes the modulus and scales; gdspy notes the sign (width_transform False) and scales the polygons of the
#            referenced cell all the same. No warning.
# Seen       WIDTH 200 and -200 in a cell that is placed at magnification 2: 400 and 400 in both
# Expected   400 and 200
# Who        Whoever gets guides or traces drawn with absolute width in a library cell that is magnified: a mode of a
#            guide twice as wide.
# Way out    Flatten in the tool that drew it, or write outlines instead of paths

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
/usr/bin/python3 - <<'END'
import struct


def record(kind, data, payload=b""):
    return struct.pack(">HBB", 4 + len(payload), kind, data) + payload


def name(text):
    return (text + "\0" * (len(text) % 2)).encode()


def real(value):  # 8 bytes, base 16, excess 64
    exponent = 64
    while value >= 1:
        value, exponent = value / 16, exponent + 1
    while value < 1 / 16:
        value, exponent = value * 16, exponent - 1
    return bytes([exponent]) + int(value * 2**56).to_bytes(7, "big")


date = struct.pack(">12H", *([2020, 1, 1, 0, 0, 0] * 2))
file = record(0, 2, struct.pack(">h", 600)) + record(1, 2, date) + record(2, 6, name("LIB"))
file += record(3, 5, real(1e-3) + real(1e-9)) + record(5, 2, date) + record(6, 6, name("WIRE"))
for layer, width in ((1, 200), (2, -200)):
    file += record(9, 0) + record(13, 2, struct.pack(">h", layer)) + record(14, 2, b"\0\0")
    file += record(15, 3, struct.pack(">i", width)) + record(16, 3, struct.pack(">4i", 0, 0, 10000, 0)) + record(17, 0)
file += record(7, 0) + record(5, 2, date) + record(6, 6, name("TOP")) + record(10, 0) + record(18, 6, name("WIRE"))
file += record(26, 1, b"\0\0") + record(27, 5, real(2.0)) + record(16, 3, struct.pack(">2i", 0, 0)) + record(17, 0)
open("wire.gds", "wb").write(file + record(7, 0) + record(4, 0))

import gdspy

library = gdspy.GdsLibrary(infile="wire.gds")
for (layer, _), polygons in sorted(library.cell_dict["TOP"].get_polygons(by_spec=True).items()):
    low, high = polygons[0].min(axis=0), polygons[0].max(axis=0)
    print(f"gdspy layer {layer}: width {1000 * (high - low)[1]:.0f}", file=open("seen.txt", "a"))
notes = [path.width_transform for path in library.cell_dict["WIRE"].paths]
print(f"gdspy width_transform {notes}", file=open("seen.txt", "a"))
END
cat > wire.rb <<'END'
layout = RBA::Layout.new
layout.read("wire.gds")
layout.top_cell.flatten(true)
[1, 2].each do |number|
  height = layout.top_cell.shapes(layout.layer(number, 0)).each.first.bbox.height
  puts "seen KLayout layer #{number}: width #{height}"
end
END
root/usr/lib/klayout/klayout -b -zz -r wire.rb 2>&1 | grep "^seen" >> seen.txt
cat seen.txt

for layer in 1 2; do
  grep -q "^gdspy layer $layer: width 400" seen.txt
  grep -q "^seen KLayout layer $layer: width 400" seen.txt
done
grep -q "^gdspy width_transform \[True, False\]" seen.txt
