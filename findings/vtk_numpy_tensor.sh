#!/bin/bash
# VTK's NumPy interface turns the 3 x 3 tensors of a file into their transposes, both ways.
#
# Package    VTK 9.1.0 (python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1, Debian 12), NumPy 1.24.2
# Behaviour  dataset_adapter shows an array of nine components as (points, 3, 3) with [p, i, j] = component 3 j + i, and writes one
#            of (points, 3, 3) likewise. vtk_to_numpy keeps the nine. vtkGradientFilter puts dV_i/dx_j at
#            component 3 i + j, so that the adapter's [p, i, j], and gradient() of the same module, is dV_j/dx_i.
# Seen       components 0 to 8: [0, 1] = 3 by the adapter; numbers 0 to 8 appended as 3 x 3 come out as 0, 3, 6, 1, 4, 7,
#            2, 5, 8; V = (y, 0, 0): gradient()[1, 0] = 1 and vtkGradientFilter's second component = 1
# Expected   [i, j] = component 3 i + j, the order of the file, of reshape(-1, 3, 3) and of NumPy
# Who        Whoever works in ParaView's Programmable Filter or with dataset_adapter on tensors that are not
#            symmetric: the permittivity of a magnetised plasma or ferrite turns its sense of rotation, and the gradient of a
#            field multiplies from the wrong side. Symmetric ones show nothing.
# Way out    vtk_to_numpy(array).reshape(-1, 3, 3)

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

/usr/bin/python3 - <<'END' | tee seen.txt
import numpy, vtk
from vtk.numpy_interface import algorithms, dataset_adapter
from vtk.util import numpy_support

image = vtk.vtkImageData()
image.SetDimensions(3, 3, 3)
n = image.GetNumberOfPoints()
tensor = numpy_support.numpy_to_vtk(numpy.tile(numpy.arange(9.0), (n, 1)), deep=True)
tensor.SetName("tensor")
image.GetPointData().AddArray(tensor)
data = dataset_adapter.WrapDataObject(image)
print("adapter:", numpy.asarray(data.PointData["tensor"])[0].ravel().tolist())
print("vtk_to_numpy:", numpy_support.vtk_to_numpy(tensor)[0].tolist())

data.PointData.append(numpy.tile(numpy.arange(9.0).reshape(3, 3), (n, 1, 1)), "written")
print("written:", list(image.GetPointData().GetArray("written").GetTuple(0)))

v = numpy.zeros((n, 3))
v[:, 0] = [image.GetPoint(i)[1] for i in range(n)]
data.PointData.append(v, "V")
print("gradient():", numpy.asarray(algorithms.gradient(data.PointData["V"]))[13].ravel().tolist())
gradient = vtk.vtkGradientFilter()
gradient.SetInputData(image)
gradient.SetInputScalars(vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "V")
gradient.Update()
print("vtkGradientFilter:", list(gradient.GetOutput().GetPointData().GetArray("Gradients").GetTuple(13)))
END

grep -q "^adapter: \[0.0, 3.0, 6.0, 1.0, 4.0, 7.0, 2.0, 5.0, 8.0\]" seen.txt
grep -q "^vtk_to_numpy: \[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0\]" seen.txt
grep -q "^written: \[0.0, 3.0, 6.0, 1.0, 4.0, 7.0, 2.0, 5.0, 8.0\]" seen.txt
grep -q "^gradient(): \[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0\]" seen.txt
grep -q "^vtkGradientFilter: \[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0\]" seen.txt
