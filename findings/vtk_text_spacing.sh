#!/bin/bash
# VTK writes the origin and the spacing of a grid with six digits into a legacy file, a binary one included.
#
# Package    VTK 9.1.0 (python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1, Debian 12)
# Behaviour  In legacy files of structured points ORIGIN and SPACING are text, also where the values are binary, and have
#            six digits. Values have 11 digits in text files and all in binary ones, and so have the coordinates of a
#            rectilinear grid. The XML files have all digits throughout. A table written as CSV has six.
# Seen       origin 0.00123456789 m, 2000 cells of 1.23456789 nm: read back 0.00123457 and 1.23457e-09, that is shifted by
#            1.7 cells, from the text and the binary file; 0 from the XML file; 1.23456789 in a CSV file: 1.23457
# Expected   as many digits as the numbers have, or those of the values
# Who        Whoever keeps a near field at nanometres on a chip of millimetres, or a time series of a long run, in these
#            files: two grids that were cut from one no longer fit, and a probe reads the neighbour's value.
# Way out    .vti files, or the origin at 0

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END_PYTHON' | tee seen.txt
import numpy, vtk
from vtkmodules.util.numpy_support import numpy_to_vtk


def array(values):
    result = numpy_to_vtk(numpy.array(values, dtype=float), deep=1)
    result.SetName("E")
    return result


grid = vtk.vtkImageData()
grid.SetDimensions(2001, 2, 2)
grid.SetOrigin(1.23456789e-3, 0, 0)
grid.SetSpacing(1.23456789e-9, 1e-9, 1e-9)
grid.GetPointData().SetScalars(array(numpy.linspace(0, 1, grid.GetNumberOfPoints())))
for kind in ("text", "binary", "XML text"):
    if kind == "XML text":
        writer, reader = vtk.vtkXMLImageDataWriter(), vtk.vtkXMLImageDataReader()
        writer.SetDataModeToAscii()
    else:
        writer, reader = vtk.vtkStructuredPointsWriter(), vtk.vtkStructuredPointsReader()
        writer.SetFileTypeToBinary() if kind == "binary" else writer.SetFileTypeToASCII()
    for pipe in (writer, reader):
        pipe.SetFileName("grid")
    writer.SetInputData(grid)
    writer.Write()
    reader.Update()
    back = reader.GetOutput()
    shift = (back.GetOrigin()[0] - grid.GetOrigin()[0]) / grid.GetSpacing()[0]
    print(f"{kind}: origin {back.GetOrigin()[0]}, spacing {back.GetSpacing()[0]}, shifted by {shift:.1f} cells")

table = vtk.vtkTable()
table.AddColumn(array([1.23456789]))
writer = vtk.vtkDelimitedTextWriter()
writer.SetFileName("table.csv")
writer.SetInputData(table)
writer.Write()
print("CSV:", open("table.csv").read().split()[1])
END_PYTHON

for kind in text binary; do grep -q "^$kind: origin 0.00123457, spacing 1.23457e-09, shifted by 1.7 cells" seen.txt; done
grep -q "^XML text: origin 0.00123456789, spacing 1.23456789e-09, shifted by 0.0 cells" seen.txt
grep -q "^CSV: 1.23457$" seen.txt
