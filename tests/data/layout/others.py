"""What KLayout and gdspy read in samples.gds, as figures.csv has it.

    klayout -zz -rd in=samples.gds -r others.py    (lines of KLayout)
    python3 others.py samples.gds                  (lines of gdspy)

Columns: program, layer, shapes, polygons after merging, area and box in database units.
"""
import sys


def by_klayout(path):
    layout = pya.Layout()
    layout.read(path)
    for index in layout.layer_indexes():
        info = layout.get_info(index)
        region = pya.Region(layout.cell("TOP").begin_shapes_rec(index))
        merged = region.merged()
        box = merged.bbox()
        if merged.count() > 0:
            print(f"{pya.Application.instance().version()},{info.layer}/{info.datatype},{region.count()},"
                  f"{merged.count()},{merged.area()},{box.left},{box.bottom},{box.right},{box.top}")


def by_gdspy(path):
    import gdspy
    import numpy

    library = gdspy.GdsLibrary(infile=path)
    per_unit = library.unit / library.precision
    top = library.cell_dict["TOP"]
    top.paths = [p for p in top.paths if len(p.points) > 1]  # it ends with an error for a path of one point
    for (layer, datatype), polygons in sorted(top.get_polygons(by_spec=True).items()):
        merged = gdspy.boolean(polygons, None, "or", precision=1e-7, max_points=0)
        if merged is None:
            continue
        corners = numpy.concatenate(merged.polygons)
        box = ",".join(f"{v * per_unit:.9g}" for v in [*corners.min(0), *corners.max(0)])
        print(f"gdspy {gdspy.__version__},{layer}/{datatype},{len(polygons)},{len(merged.polygons)},"
              f"{merged.area() * per_unit**2:.10g},{box}")


try:
    import pya
    by_klayout(globals()["in"])
except ImportError:
    by_gdspy(sys.argv[1])
