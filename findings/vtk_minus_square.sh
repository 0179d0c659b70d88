#!/bin/bash
# vtkFunctionParser takes -x^2 for (-x)^2: exp(-x^2) grows.
#
# Package    VTK 9.1.0 (python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1, Debian 12)
# Behaviour  The minus sign in front binds more tightly than the power, and powers are taken from the left. The calculator
#            (vtkArrayCalculator, ParaView's filter) has two parsers. Its default, ExprTk, does neither; the other
#            one, which the calculator had before and can still be asked for, does both. 0 - x^2 is the same in both.
# Seen       x = 3: -x^2 9 and -9; exp(-x^2) 8103.08 and 0.00012341; 2^3^2 64 and 512; 1-x^2 -8 in both
# Expected   -9, 0.00012341 and 512 in both, as in Fortran, Python, Octave and print
# Who        Whoever multiplies a beam's profile or a window onto a field in the calculator: the same formula in the same
#            program is a Gaussian or its inverse, as the version or the menu has it.
# Way out    exp(-(x^2))

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

image, x = vtk.vtkImageData(), vtk.vtkDoubleArray()
image.SetDimensions(1, 1, 1)
x.SetName("x")
x.InsertNextValue(3)
image.GetPointData().AddArray(x)


def value(formula, parser):
    calculator = vtk.vtkArrayCalculator()
    if parser == "function":
        calculator.SetFunctionParserTypeToFunctionParser()
    if parser == "exprtk":
        calculator.SetFunctionParserTypeToExprTkFunctionParser()
    calculator.SetInputData(image)
    calculator.AddScalarVariable("x", "x", 0)
    calculator.SetFunction(formula)
    calculator.SetResultArrayName("result")
    calculator.Update()
    return calculator.GetOutput().GetPointData().GetArray("result").GetValue(0)


for formula in ("-x^2", "1-x^2", "exp(-x^2)", "exp(-(x^2))", "2^3^2"):
    print(formula + ":", *(f"{parser} {value(formula, parser):.6g}" for parser in ("function", "exprtk", "default")))
END

grep -qF -- "-x^2: function 9 exprtk -9 default -9" seen.txt
grep -qF "1-x^2: function -8 exprtk -8 default -8" seen.txt
grep -qF "exp(-x^2): function 8103.08 exprtk 0.00012341 default 0.00012341" seen.txt
grep -qF "exp(-(x^2)): function 0.00012341 exprtk 0.00012341 default 0.00012341" seen.txt
grep -qF "2^3^2: function 64 exprtk 512 default 512" seen.txt
