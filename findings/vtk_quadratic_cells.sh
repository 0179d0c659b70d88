#!/bin/bash
# VTK probes a quadratic tetrahedron as a quadratic one, but cuts and integrates it as linear pieces.
#
# Package    VTK 9.1.0 (python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1, Debian 12)
# Behaviour  vtkProbeFilter uses the ten shape functions. vtkCutter, vtkContourFilter and vtkIntegrateAttributes take the
#            cell apart between its nodes and go linearly there; nothing says so.
# Seen       f = x^2 on one unit quadratic tetrahedron: probe at x = 0.3 0.0900; cut at x = 0.3 0.1500; surface f = 0.09
#            at x = 0.1800; integral 0.023438
# Expected   0.09, 0.09, 0.3 and 1/60 = 0.016667: a polynomial of the cell's own order is exact
# Who        Whoever reads energies by "Integrate Variables" or values from a slice in ParaView for a result of second
#            order: 41 % here; the error falls with the square of the cell, as if the order were the first.
# Way out    Probe (Resample, Plot Over Line), or take the integral from the solver

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
import vtk

corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
edges = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]
nodes = corners + [tuple((a + b) / 2 for a, b in zip(corners[i], corners[j])) for i, j in edges]
points, ids, f = vtk.vtkPoints(), vtk.vtkIdList(), vtk.vtkDoubleArray()
points.SetDataTypeToDouble()
f.SetName("f")
for i, node in enumerate(nodes):
    points.InsertNextPoint(node)
    ids.InsertNextId(i)
    f.InsertNextValue(node[0] ** 2)
grid = vtk.vtkUnstructuredGrid()
grid.SetPoints(points)
grid.InsertNextCell(vtk.VTK_QUADRATIC_TETRA, ids)
grid.GetPointData().SetScalars(f)


def result(algorithm):
    algorithm.Update()
    return algorithm.GetOutput()


def first(data):
    return data.GetPointData().GetArray("f").GetValue(0)


place = vtk.vtkPoints()
place.InsertNextPoint(0.3, 0.1, 0.2)
places = vtk.vtkPolyData()
places.SetPoints(place)
probe = vtk.vtkProbeFilter()
probe.SetInputData(places)
probe.SetSourceData(grid)
plane = vtk.vtkPlane()
plane.SetOrigin(0.3, 0, 0)
plane.SetNormal(1, 0, 0)
cut = vtk.vtkCutter()
cut.SetInputData(grid)
cut.SetCutFunction(plane)
surface = vtk.vtkContourFilter()
surface.SetInputData(grid)
surface.SetValue(0, 0.09)
integral = vtk.vtkIntegrateAttributes()
integral.SetInputData(grid)
print(f"probe at x = 0.3 {first(result(probe)):.4f}; cut at x = 0.3 {first(result(cut)):.4f}; "
      f"surface f = 0.09 at x = {result(surface).GetPoint(0)[0]:.4f}; integral {first(result(integral)):.6f}")
END

grep -q "probe at x = 0.3 0.0900; cut at x = 0.3 0.1500; surface f = 0.09 at x = 0.1800; integral 0.023438" seen.txt
