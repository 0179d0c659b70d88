#!/bin/bash
# libGDSII, by which Meep reads GDS files, does not mirror a mirrored cell, and does not turn the cells of an array.
#
# Package    libGDSII 0.2 (libgdsii0=0.2+ds.1-1, gdsiiconvert=0.2+ds.1-1), files by gdspy 1.4.2
#            (python3-gdspy=1.4.2-2+b7), Debian 12
# Behaviour  Of a reference the angle and the magnification count, the mirror does not. Of an array neither of the three
#            does: its cells are put at the right places as they were drawn. No message. Meep 1.25's get_GDSII_prisms
#            gives the same polygons.
# Seen       an L of 4 x 2, mirrored: y 0 to 2 (gdspy -2 to 0); turned by 90 degrees: x -2 to 0, y 0 to 4 (the same in gdspy);
#            an array of one, turned by 90 degrees: x 0 to 4, y 0 to 2 (gdspy -2 to 0, 0 to 4); an array of one, twice the size:
#            x 0 to 4 (gdspy 0 to 8)
# Expected   what gdspy says, as KLayout does
# Who        Whoever simulates a coupler, a splitter or a grating that was drawn as one half and its mirror image: the halves
#            do not meet, or meet in a way that still looks plausible.
# Way out    flatten the cells before writing (gdspy: Cell.flatten)

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends gdsiiconvert=0.2+ds.1-1 libgdsii0=0.2+ds.1-1 python3-gdspy=1.4.2-2+b7 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
import gdspy

cases = {"mirrored": dict(x_reflection=True), "turned": dict(rotation=90), "larger": dict(magnification=2)}
for name, how in cases.items():
    for array in (False, True):
        ell = gdspy.Cell("L", exclude_from_current=True)
        ell.add(gdspy.Polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 2), (0, 2)], layer=1))
        top = gdspy.Cell("TOP", exclude_from_current=True)
        top.add(gdspy.CellArray(ell, 1, 1, (9, 9), **how) if array else gdspy.CellReference(ell, **how))
        library = gdspy.GdsLibrary(unit=1e-6, precision=1e-9)
        library.add([ell, top])
        file = name + ("_array" if array else "")
        library.write_gds(file + ".gds")
        low, high = (p.round(6).tolist() for p in top.get_bounding_box())
        print(f"gdspy {file}: x {low[0]:g} to {high[0]:g} y {low[1]:g} to {high[1]:g}")
END
for file in mirrored mirrored_array turned turned_array larger larger_array; do
  GDSIIConvert $file.gds --GMSH > convert.log
  sed -n 's/^Point.*={\(.*\),\(.*\),.*/\1 \2/p' $file.geo | awk -v file=$file '
    { if (NR == 1 || $1 < a) a = $1; if (NR == 1 || $1 > b) b = $1; if (NR == 1 || $2 < c) c = $2; if (NR == 1 || $2 > d) d = $2 }
    function r(v) { v = sprintf("%.3f", v) + 0; return v == 0 ? 0 : v }
    END { printf "libGDSII %s: x %g to %g y %g to %g\n", file, r(a), r(b), r(c), r(d) }' | tee -a seen.txt
done

grep -q "^gdspy mirrored: x 0 to 4 y -2 to 0" seen.txt
grep -q "^libGDSII mirrored: x 0 to 4 y 0 to 2" seen.txt
grep -q "^gdspy turned: x -2 to 0 y 0 to 4" seen.txt
grep -q "^libGDSII turned: x -2 to 0 y 0 to 4" seen.txt
grep -q "^libGDSII larger: x 0 to 8 y 0 to 4" seen.txt
grep -q "^gdspy mirrored_array: x 0 to 4 y -2 to 0" seen.txt
grep -q "^libGDSII mirrored_array: x 0 to 4 y 0 to 2" seen.txt
grep -q "^gdspy turned_array: x -2 to 0 y 0 to 4" seen.txt
grep -q "^libGDSII turned_array: x 0 to 4 y 0 to 2" seen.txt
grep -q "^gdspy larger_array: x 0 to 8 y 0 to 4" seen.txt
grep -q "^libGDSII larger_array: x 0 to 4 y 0 to 2" seen.txt
