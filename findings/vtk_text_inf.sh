#!/bin/bash
# VTK writes inf into its text files and cannot read it back; nan it reads in the XML files, not in the legacy ones.
#
# Package    VTK 9.1.0 (python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1, Debian 12)
# Behaviour  An XML file (.vti) in text mode with an inf comes back without points; with a nan it is right. A legacy
#            text file (.vtk) with either comes back at its full length, right up to the first of them, and with
#            numbers that are in no file from there. An error is printed, and Update goes on. Binary files are right.
# Seen       four numbers, the second nan: .vti 4 points, as written; .vtk 1 right of 4. The second -inf: .vti 0 points;
#            .vtk 1 right of 4. Binary: all right
# Expected   the numbers that VTK itself wrote
# Who        Whoever masks a field where it is not defined (inside a conductor, outside of a domain), or writes a level
#            in dB, -inf where the field is zero, as text so that it can be looked at.
# Way out    SetDataModeToBinary or SetFileTypeToBinary

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 libvtk9.1=9.1.0+really9.1.0+dfsg2-5+deb12u1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W ignore - 2> errors.txt <<'END' | tee seen.txt
import numpy, vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy


def read(reader, file):
    reader.SetFileName(file)
    reader.Update()
    grid = reader.GetOutput()
    array = grid.GetPointData().GetArray("e")
    return grid.GetNumberOfPoints(), None if array is None else vtk_to_numpy(array)


for name, odd in (("nan", numpy.nan), ("inf", -numpy.inf)):
    values = numpy.array([1.0, odd, 3.0, 4.0])
    grid = vtk.vtkImageData()
    grid.SetDimensions(4, 1, 1)
    array = numpy_to_vtk(values)
    array.SetName("e")
    grid.GetPointData().AddArray(array)
    for mode in ("Ascii", "Binary"):
        writer = vtk.vtkXMLImageDataWriter()
        writer.SetFileName("grid.vti")
        writer.SetInputData(grid)
        getattr(writer, "SetDataModeTo" + mode)()
        writer.Write()
        points, back = read(vtk.vtkXMLImageDataReader(), "grid.vti")
        same = back is not None and bool(numpy.array_equal(back, values, equal_nan=True))
        print(f"{name} vti {mode}: {points} points, as written {same}")
        legacy = vtk.vtkStructuredPointsWriter()
        legacy.SetFileName("grid.vtk")
        legacy.SetInputData(grid)
        legacy.SetFileType(1 if mode == "Ascii" else 2)
        legacy.Write()
        points, back = read(vtk.vtkStructuredPointsReader(), "grid.vtk")
        right = 0 if back is None else int(numpy.isclose(back, values, equal_nan=True).sum())
        print(f"{name} vtk {mode}: {right} right of 4")
END

for name in nan inf; do
  grep -q "^$name vti Binary: 4 points, as written True" seen.txt
  grep -q "^$name vtk Ascii: 1 right of 4" seen.txt
  grep -q "^$name vtk Binary: 4 right of 4" seen.txt
done
grep -q "^nan vti Ascii: 4 points, as written True" seen.txt
grep -q "^inf vti Ascii: 0 points, as written False" seen.txt
