#!/bin/bash
# In GetDP Sqrt[-1] is -i, and Sqrt[0 - 1] is +i.
#
# Package    GetDP 3.2.0 (getdp=3.2.0+dfsg1-1.1+b9, Debian 12)
# Behaviour  In a time-harmonic problem every number is complex, and a minus sign in front turns that of the imaginary part,
#            too: -1 is -1 - 0i, which is on the other side of the square root's cut than 0 - 1 and Complex[-1, 0]. So
#            do -f[] and powers of 1/2, and Log[-1] is -pi i.
# Seen       Sqrt[-1] -1i; Sqrt[0-1] +1i; Sqrt[Complex[-1, 0]] +1i; Sqrt[-k[]] -1i with k[] = 1; Log[-1] -3.14159i
# Expected   +i in all, the principal value
# Who        Whoever writes a decaying wave as Exp[-Sqrt[-k2[]] x], or the propagation constant of a guide below cutoff:
#            it grows or it decays, as the minus is written in front of one term or between two.
# Way out    Complex[0, 1] * Sqrt[k], with the sign that is meant

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
Function { k[] = 1; f[] = $1; }
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
  awk -v f="$1" '{ printf "%s: %.5f\n", f, $5 }' o.txt | tee -a seen.txt
}
for f in 'Sqrt[-1]' 'Sqrt[0 - 1]' 'Sqrt[Complex[-1, 0]]' 'Sqrt[-k[]]' 'Sqrt[1 - 2 * k[]]' '(-k[])^0.5' 'Log[-1]' 'Log[0 - 1]'; do
  value "$f"
done

grep -qF 'Sqrt[-1]: -1.00000' seen.txt
grep -qF 'Sqrt[0 - 1]: 1.00000' seen.txt
grep -qF 'Sqrt[Complex[-1, 0]]: 1.00000' seen.txt
grep -qF 'Sqrt[-k[]]: -1.00000' seen.txt
grep -qF 'Sqrt[1 - 2 * k[]]: 1.00000' seen.txt
grep -qF '(-k[])^0.5: -1.00000' seen.txt
grep -qF 'Log[-1]: -3.14159' seen.txt
grep -qF 'Log[0 - 1]: 3.14159' seen.txt
