#!/bin/bash
# The npm package dxf mirrors the ellipses of a DXF file that are not mirrored, and leaves the polylines that are.
#
# Package    dxf 5.3.1, dxf-parser 1.1.2 (npm), ezdxf 0.18.1 (python3-ezdxf=0.18.1-1, Debian 12)
# Behaviour  An extrusion of 0, 0, -1 turns the plane of a body round, so that x counts the other way for circles, arcs
#            and LWPOLYLINE; the coordinates of an ellipse are those of the drawing in any case. dxf turns circles and
#            ellipses. dxf-parser leaves the extrusion of circles out of what it gives, so that its caller cannot turn
#            them.
# Seen       range of x: circle -4..-2 in ezdxf and dxf, no extrusion in dxf-parser; polyline -4..-3 in ezdxf, 3..4 in
#            dxf; ellipse 1..5 in ezdxf, -5..-1 in dxf
# Expected   what ezdxf says
# Who        Whoever shows or cuts boards and masks of which a part was mirrored in a CAD program, which writes such
#            bodies: parts lie on the other side of x = 0, each complete in itself.
# Way out    look for the group codes 210 to 230 and convert by ezdxf first

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-ezdxf=0.18.1-1 python3-pyparsing python3-typing-extensions > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

npm install --silent --no-audit --no-fund --prefix . dxf@5.3.1 dxf-parser@1.1.2 > npm.log 2>&1

/usr/bin/python3 - <<'END' | tee seen.txt
import ezdxf
from ezdxf import path

document = ezdxf.new("R2000")
space, back = document.modelspace(), {"extrusion": (0, 0, -1)}
space.add_circle((3, 0), 1, dxfattribs=back)
space.add_lwpolyline([(3, 0), (4, 1)], dxfattribs=back)
space.add_ellipse((3, 0), (2, 0), 0.5, dxfattribs=back)
document.saveas("mirrored.dxf")
for body in ezdxf.readfile("mirrored.dxf").modelspace():
    x = [point.x for point in path.make_path(body).flattening(0.01)]
    print(f"ezdxf {body.dxftype()}: {min(x):.2f} to {max(x):.2f}")
END
cat > read.mjs <<'END'
import fs from 'fs';
import { createRequire } from 'module';
const require = createRequire(import.meta.url);
const { Helper } = require('dxf'), Parser = require('dxf-parser');

const text = fs.readFileSync('mirrored.dxf', 'utf8');
const kinds = ['CIRCLE', 'LWPOLYLINE', 'ELLIPSE'];
new Helper(text).toPolylines().polylines.forEach((line, i) => {
  const x = line.vertices.map((v) => v[0]);
  console.log(`dxf ${kinds[i]}: ${Math.min(...x).toFixed(2)} to ${Math.max(...x).toFixed(2)}`);
});
for (const body of new Parser().parseSync(text).entities)
  console.log(`dxf-parser ${body.type}: ${Object.keys(body).some((k) => k.startsWith('extrusion')) ? 'with' : 'without'} extrusion`);
END
node read.mjs | tee -a seen.txt

for tool in ezdxf dxf; do grep -q "^$tool CIRCLE: -4.00 to -2.00" seen.txt; done
grep -q "^ezdxf LWPOLYLINE: -4.00 to -3.00" seen.txt
grep -q "^dxf LWPOLYLINE: 3.00 to 4.00" seen.txt
grep -q "^ezdxf ELLIPSE: 1.00 to 5.00" seen.txt
grep -q "^dxf ELLIPSE: -5.00 to -1.00" seen.txt
grep -q "^dxf-parser CIRCLE: without extrusion" seen.txt
grep -q "^dxf-parser LWPOLYLINE: with extrusion" seen.txt
