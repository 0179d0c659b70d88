#!/bin/bash
# GetDP's Jn[0, z] of a complex z is that of its real part, and z < 4 is 1 + i Im z.
#
# Package    GetDP 3.2.0 (getdp=3.2.0+dfsg1-1.1+b9, Debian 12)
# Behaviour  In a time-harmonic problem Sqrt, Exp, Log, Sin, Cos, Tan and the hyperbolic functions take complex arguments,
#            and Asin and Fabs stop with an error about them. Jn, Min and Sign use the real part without a word.
#            A comparison sets the real part of its result to 0 or 1 and leaves the left side's imaginary part in it.
# Seen       z = 3+4i: Jn[0, z] -0.26005 + 0i (J0(3); J0(z) is -8.81 - 4.60i); (z < 4) 1 + 4i; (z == 3+5i) 0 + 4i; Sign 1;
#            Sin[z] 3.85 - 27.0i, right; Fabs[z] an error
# Expected   the value or the error, and truth values of 0 and 1
# Who        Whoever checks the skin effect in a wire or the modes of a lossy fibre against Bessel functions, or
#            weighs a complex law with a step.
# Way out    a series or a table of one's own; Re[] on both sides of a comparison

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends getdp=3.2.0+dfsg1-1.1+b9 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n' > a.msh
value() {
  cat > a.pro <<END
Group { D = Region[1]; }
Function { z[] = Complex[3, 4]; f[] = $1; }
Jacobian { { Name J; Case { { Region All; Jacobian Vol; } } } }
Integration { { Name I; Case { { Type Gauss; Case { { GeoElement Triangle; NumberOfPoints 3; } } } } } }
FunctionSpace { { Name H; Type Form0;
  BasisFunction { { Name sn; NameOfCoef vn; Function BF_Node; Support D; Entity NodesOf[All]; } } } }
Formulation { { Name F; Type FemEquation; Quantity { { Name u; Type Local; NameOfSpace H; } }
  Equation { Galerkin { [ Dof{u}, {u} ]; In D; Jacobian J; Integration I; } } } }
Resolution { { Name R; System { { Name A; NameOfFormulation F; Type Complex; Frequency 1; } }
  Operation { Generate[A]; Solve[A]; } } }
PostProcessing { { Name P; NameOfFormulation F; Quantity { { Name q; Value { Local { [ f[] ]; In D; Jacobian J; } } } } } }
PostOperation { { Name O; NameOfPostProcessing P;
  Operation { Print[ q, OnPoint {0.2, 0.2, 0}, Format SimpleTable, File "o.txt" ]; } } }
END
  rm -f o.txt
  getdp a.pro -msh a.msh -solve R -pos O -v 1 > getdp.log 2>&1 || true
  if [ -s o.txt ]; then awk -v f="$1" '{ printf "%s: %.5f %+.5fi\n", f, $4, $5 }' o.txt
  else echo "$1: $(grep -m 1 Error getdp.log)"; fi | tee -a seen.txt
}
for f in 'Sin[z[]]' 'Sqrt[z[]]' 'Fabs[z[]]' 'Jn[0, z[]]' 'Jn[0, 3]' '(z[] < 4)' '(z[] == Complex[3, 5])' 'Sign[z[]]'; do
  value "$f"
done

grep -qF 'Sin[z[]]: 3.85374 -27.01681i' seen.txt
grep -qF 'Sqrt[z[]]: 2.00000 +1.00000i' seen.txt
grep -q '^Fabs.*only accepts real arguments' seen.txt
grep -qF 'Jn[0, z[]]: -0.26005 +0.00000i' seen.txt
grep -qF 'Jn[0, 3]: -0.26005 +0.00000i' seen.txt
grep -qF '(z[] < 4): 1.00000 +4.00000i' seen.txt
grep -qF '(z[] == Complex[3, 5]): 0.00000 +4.00000i' seen.txt
grep -qF 'Sign[z[]]: 1.00000 +0.00000i' seen.txt
