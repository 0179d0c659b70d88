#!/bin/bash
# A phot is 0.0001 lux in the two UCUM packages of npm, 1e8 times less than it is.
#
# Package    @lhncbc/ucum-lhc 7.1.10, @atomic-ehr/ucum 0.2.5 (npm), GNU units 2.22 (units=2.22-2, Debian 12)
# Behaviour  The phot is a lumen on a square centimetre. Both packages have the factor of the UCUM standard's own
#            table, 1e-4 lx, which is the wrong way round. The eV, u and h of ucum-lhc are those of CODATA 1986.
# Seen       1 ph in lx: 0.0001, GNU units 10000; 1 lm/cm2 in lx: 10000 in both; 1 Lmb in cd/m2: 3183.1, right
#            1 eV: 1.60217733e-19 J in ucum-lhc, 1.602176634e-19 J in the others
# Expected   1 ph = 1 lm/cm2 = 10000 lx
# Who        Whoever converts old photometric data; whoever takes a wavelength from an energy by ucum-lhc has six
#            digits.
# Way out    lm/cm2

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends units=2.22-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

npm install --silent --no-audit --no-fund --prefix . @lhncbc/ucum-lhc@7.1.10 @atomic-ehr/ucum@0.2.5 > npm.log 2>&1

cat > convert.mjs <<'END'
import { createRequire } from 'module';
import { ucum } from '@atomic-ehr/ucum';
const lhc = createRequire(import.meta.url)('@lhncbc/ucum-lhc').UcumLhcUtils.getInstance();

for (const [from, to] of [['ph', 'lx'], ['lm/cm2', 'lx'], ['Lmb', 'cd/m2'], ['eV', 'J']])
  console.log(`${from} in ${to}: ucum-lhc ${Number(lhc.convertUnitTo(from, 1, to).toVal.toPrecision(10))}, ` +
              `atomic-ehr ${Number(ucum.convert(1, from, to).toPrecision(10))}`);
END
node convert.mjs | tee seen.txt
grep -v '^!include' root/usr/share/units/definitions.units > definitions.units
for pair in "phot lx" "lambert cd/m^2" "eV J"; do
  echo "$pair: GNU units $(LC_ALL=C units -f definitions.units -t -o %.10g $pair 2> units.log)" | tee -a seen.txt
done

grep -q "^ph in lx: ucum-lhc 0.0001, atomic-ehr 0.0001" seen.txt
grep -q "^lm/cm2 in lx: ucum-lhc 10000, atomic-ehr 10000" seen.txt
grep -q "^Lmb in cd/m2: ucum-lhc 3183.09" seen.txt
grep -q "^eV in J: ucum-lhc 1.60217733e-19" seen.txt
grep -q "^phot lx: GNU units 10000" seen.txt
grep -q "^lambert cd/m^2: GNU units 3183.09" seen.txt
grep -q "^eV J: GNU units 1.602176634e-19" seen.txt
