#!/bin/bash
# libGDSII, by which Meep reads GDS files, ends every path flush, whatever its type.
#
# Package    libGDSII 0.2 (libgdsii0=0.2+ds.1-1, gdsiiconvert=0.2+ds.1-1), files by gdspy 1.4.2
#            (python3-gdspy=1.4.2-2+b7), Debian 12
# Behaviour  The type of the path (0 flush, 1 round, 2 half a width longer) is read, printed by --analyze, and left out of
#            the polygon. No message.
# Seen       paths of length 10 and width 1: flush 0 to 10; round 0 to 10 (gdspy -0.5 to 10.5); extended 0 to 10 (gdspy -0.5
#            to 10.5)
# Expected   what gdspy says, as KLayout does
# Who        Whoever draws waveguides and traces as paths that end in one another: where two of type 2 make a corner, a
#            square of half the width is missing, and where they butt at a bend of their own, a gap stays.
# Way out    polygons before writing (gdspy: FlexPath without gdsii_path)

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

for kind in ("flush", "round", "extended"):
    top = gdspy.Cell("TOP", exclude_from_current=True)
    top.add(gdspy.FlexPath([(0, 0), (10, 0)], 1, ends=kind, layer=1, gdsii_path=True))
    library = gdspy.GdsLibrary(unit=1e-6, precision=1e-9)
    library.add(top)
    library.write_gds(kind + ".gds")
    low, high = top.get_bounding_box().round(6).tolist()
    print(f"gdspy {kind}: {low[0]:g} to {high[0]:g}")
END
for kind in flush round extended; do
  type=$(GDSIIConvert $kind.gds --analyze | sed -n 's/.*pathtype \([0-9]\).*/\1/p')
  GDSIIConvert $kind.gds --GMSH > convert.log
  sed -n 's/^Point.*={\(.*\),.*,.*/\1/p' $kind.geo | awk -v kind=$kind -v type=$type '
    { if (NR == 1 || $1 < a) a = $1; if (NR == 1 || $1 > b) b = $1 }
    END { printf "libGDSII %s (type %s): %g to %g\n", kind, type, a, b }' | tee -a seen.txt
done

grep -q "^gdspy flush: 0 to 10" seen.txt
grep -q "^gdspy round: -0.5 to 10.5" seen.txt
grep -q "^gdspy extended: -0.5 to 10.5" seen.txt
grep -q "^libGDSII flush (type 0): 0 to 10" seen.txt
grep -q "^libGDSII round (type 1): 0 to 10" seen.txt
grep -q "^libGDSII extended (type 2): 0 to 10" seen.txt
