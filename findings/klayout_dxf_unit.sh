#!/bin/bash
# A DXF drawing in millimetres comes out of KLayout 1000 times smaller, as one in metres or inches does.
#
# Package    KLayout 0.28.5 (klayout=0.28.5-2), files by ezdxf 0.18.1 (python3-ezdxf=0.18.1-1), Debian 12
# Behaviour  KLayout takes a unit of the drawing for 1 um, whatever the header's $INSUNITS says; a setting of the reader can
#            be changed by hand. ezdxf writes $INSUNITS = 6, metres, into each new drawing unless it is told otherwise.
# Seen       a line of 10 to the right, drawing in um, mm, inch and m: 10 um in KLayout for all four; header of
#            ezdxf.new(): 6
# Expected   10 um, 10 mm, 254 mm and 10 m, or a message
# Who        Whoever takes a board or an antenna from a CAD program to a layout, or the layout of a script to CAD: both
#            ends believe in a unit, and each in another one.
# Way out    RBA::LoadLayoutOptions.dxf_unit = 1000; ezdxf.new(units=...)

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends klayout=0.28.5-2 python3-ezdxf=0.18.1-1 python3-pyparsing=3.0.9-1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export LD_LIBRARY_PATH="$work/root/usr/lib/klayout:$LD_LIBRARY_PATH" HOME="$work" QT_QPA_PLATFORM=offscreen

/usr/bin/python3 - <<'END' | tee seen.txt
import ezdxf

print("ezdxf.new():", ezdxf.new().header["$INSUNITS"])
for name, units in (("um", 13), ("mm", 4), ("inch", 1), ("m", 6)):
    drawing = ezdxf.new(units=units)
    drawing.modelspace().add_lwpolyline([(0, 0), (10, 0), (10, 5), (0, 5)], close=True)
    drawing.saveas(name + ".dxf")
END
cat > read.rb <<'END'
%w[um mm inch m].each do |name|
  layout = RBA::Layout.new
  layout.read(name + ".dxf")
  puts "seen #{name}: #{layout.top_cell.dbbox.width.round(6)} um"
end
layout, options = RBA::Layout.new, RBA::LoadLayoutOptions.new
options.dxf_unit = 1000
layout.read("mm.dxf", options)
puts "seen mm with dxf_unit 1000: #{layout.top_cell.dbbox.width.round(6)} um"
END
root/usr/lib/klayout/klayout -b -zz -r read.rb 2>&1 | grep "^seen" | tee -a seen.txt

grep -q "^ezdxf.new(): 6$" seen.txt
for name in um mm inch m; do grep -q "^seen $name: 10.0 um" seen.txt; done
grep -q "^seen mm with dxf_unit 1000: 10000.0 um" seen.txt
