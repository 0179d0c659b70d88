#!/bin/bash
# numpy.interp at 1.5 um in a table at 1000 and 2000 nm gives the first value for unyt and quantities, and no error.
#
# Package    unyt 2.9.3 (python3-unyt=2.9.3-2), quantities 0.13.0 (python3-quantities=0.13.0-2), Pint 0.19.2
#            (python3-pint=0.19.2-1), Astropy 5.2.1 (python3-astropy), NumPy 1.24.2, Debian 12
# Behaviour  A quantity of unyt or quantities is an array to functions of NumPy that are not ufuncs: interp,
#            searchsorted and digitize compare bare numbers, dot and where lose the unit, concatenate and append put 1
#            m and 1 cm together as 1 and 1. linspace and trapz, in whose sums ufuncs work, convert. Pint and Astropy
#            convert or refuse.
# Seen       interp: unyt and quantities 1.0, Pint and Astropy 1.5; where of 1 m and 1 cm: 1 and 1, Pint and Astropy 1
#            m and 0.01 m
# Expected   1.5, or an error as unyt has for m + s
# Who        Whoever looks up n and k at a wavelength in another unit than the table's: the end of the table answers,
#            a smooth constant. The package was there to prevent this.
# Way out    x.to(table.units) first, x.rescale(table.units) in quantities

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-unyt=2.9.3-2 python3-quantities=0.13.0-2 python3-pint=0.19.2-1 python3-astropy=5.2.1-2+deb12u1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

OPENBLAS_NUM_THREADS=1 /usr/bin/python3 -W ignore - <<'END' | tee seen.txt
import astropy.units, numpy, pint, quantities, unyt

registry = pint.UnitRegistry()
makers = {
    "unyt": unyt.unyt_array,
    "quantities": quantities.Quantity,
    "Pint": lambda value, unit: registry.Quantity(numpy.array(value), unit),
    "Astropy": astropy.units.Quantity,
}
for name, make in makers.items():
    x, table, metre, centimetre = make(1.5, "um"), make([1000.0, 2000.0], "nm"), make([1.0], "m"), make([1.0], "cm")
    bare = lambda value: numpy.asarray(getattr(value, "magnitude", value)).tolist()
    print(f"{name}: interp", bare(numpy.interp(x, table, [1.0, 2.0])), "searchsorted", bare(numpy.searchsorted(table, x)),
          "where", bare(numpy.where([True, False], make([1.0, 1.0], "m"), make([1.0, 1.0], "cm"))),
          "concatenate", bare(numpy.concatenate([metre, centimetre])))
END

for name in unyt quantities; do
  grep -q "^$name: interp 1.0 searchsorted 0 where \[1.0, 1.0\] concatenate \[1.0, 1.0\]" seen.txt
done
for name in Pint Astropy; do
  grep -q "^$name: interp 1.5 searchsorted 1 where \[1.0, 0.01\] concatenate \[1.0, 0.01\]" seen.txt
done
