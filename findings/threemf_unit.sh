#!/bin/bash
# A 3MF file of 10 micrometres is 10 mm in OpenSCAD, and 10 in Assimp and three.js, as one of 10 metres is.
#
# Package    OpenSCAD 2021.01 (openscad=2021.01-6), Assimp 5.2.5 (assimp-utils=5.2.5~ds0-1+b1), Debian 12; three 0.187.0 (npm)
# Behaviour  3MF, other than STL, says its unit (micron, millimeter, centimeter, inch, foot, meter). All three readers
#            leave it out, and say nothing; the scene or object that comes back has no record of it either.
# Seen       largest coordinate of a body of 10 in micron, millimeter, meter: OpenSCAD 10 10 10; Assimp 10 10 10; three 10
#            10 10. AMF, for comparison, in three: micron 0.01, meter 10000
# Expected   0.01, 10 and 10000 in the unit of the program, or an error
# Who        Whoever takes 3MF instead of STL because it has a unit: the geometry is smaller or larger by 1000 all the same.
# Way out    3MF in millimetres only

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends openscad=2021.01-6 assimp-utils=5.2.5~ds0-1+b1 libassimp5=5.2.5~ds0-1+b1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

npm install --silent --no-audit --no-fund --prefix . three@0.187.0 linkedom@0.18.15 > npm.log 2>&1
/usr/bin/python3 - <<'END'
import zipfile

corners = [(0, 0, 0), (10, 0, 0), (0, 10, 0), (0, 0, 10)]
faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
vertices = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in corners)
triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in faces)
package = "http://schemas.openxmlformats.org/package/2006/"
for unit in ("micron", "millimeter", "meter"):
    with zipfile.ZipFile(unit + ".3mf", "w") as file:
        file.writestr("[Content_Types].xml", f'''<?xml version="1.0" encoding="UTF-8"?><Types xmlns="{package}content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>''')
        file.writestr("_rels/.rels", f'''<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{package}relationships">
<Relationship Target="/3D/3dmodel.model" Id="r0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>''')
        file.writestr("3D/3dmodel.model", f'''<?xml version="1.0" encoding="UTF-8"?>
<model unit="{unit}" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources><object id="1" type="model">
<mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object></resources>
<build><item objectid="1"/></build></model>''')
    vertices_amf = "".join(f"<vertex><coordinates><x>{x}</x><y>{y}</y><z>{z}</z></coordinates></vertex>" for x, y, z in corners)
    triangles_amf = "".join(f"<triangle><v1>{a}</v1><v2>{b}</v2><v3>{c}</v3></triangle>" for a, b, c in faces)
    open(unit + ".amf", "w").write(f'''<?xml version="1.0" encoding="UTF-8"?>
<amf unit="{unit}"><object id="1"><mesh><vertices>{vertices_amf}</vertices><volume>{triangles_amf}</volume></mesh></object></amf>''')
END

for unit in micron millimeter meter; do
  echo "import(\"$unit.3mf\");" > body.scad
  openscad -o body.stl body.scad > openscad.log 2>&1
  most=$(sed -n 's/.*vertex \([^ ]*\) .*/\1/p' body.stl | sort -g | tail -n 1)
  echo "OpenSCAD $unit: $most, $(grep -ciE 'warn|unit' openscad.log || true) messages" | tee -a seen.txt
  echo "Assimp $unit: $(assimp info $unit.3mf | sed -n 's/^Maximum point *(\([0-9.]*\) .*/\1/p')" | tee -a seen.txt
done
echo '{ "type": "module" }' > package.json
cat > read.mjs <<'END'
import { readFileSync } from 'fs';
import { DOMParser } from 'linkedom';
import { Box3 } from 'three';
globalThis.DOMParser = DOMParser;
const { ThreeMFLoader } = await import('three/examples/jsm/loaders/3MFLoader.js');
const { AMFLoader } = await import('three/examples/jsm/loaders/AMFLoader.js');

for (const unit of ['micron', 'millimeter', 'meter'])
  for (const [name, loader, file] of [['3MF', ThreeMFLoader, unit + '.3mf'], ['AMF', AMFLoader, unit + '.amf']]) {
    const data = new Uint8Array(readFileSync(file)).buffer;
    const scene = new loader().parse(data);
    scene.updateMatrixWorld(true);
    console.log(`three ${name} ${unit}: ${+new Box3().setFromObject(scene).max.x.toPrecision(5)}`);
  }
END
node read.mjs | tee -a seen.txt

for unit in micron millimeter meter; do
  grep -q "^OpenSCAD $unit: 10, 0 messages" seen.txt
  grep -q "^Assimp $unit: 10.0*$" seen.txt
  grep -q "^three 3MF $unit: 10$" seen.txt
done
grep -q "^three AMF micron: 0.01$" seen.txt
grep -q "^three AMF meter: 10000$" seen.txt
