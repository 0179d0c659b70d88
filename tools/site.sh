#!/usr/bin/env bash
# Builds the site of docs/, examples/ and findings/ with what a build folder has; warnings are errors. No network.
# usage: tools/site.sh BUILD        UMOV_NOTEBOOKS=never: without running the tutorials
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
export UMOV_BINARY=${UMOV_BINARY:-$build/bin/umov} PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1
python=/usr/bin/python3  # the distribution's, which has Sphinx and what belongs to it
"$python" -c 'import umov' || { echo "site: $build/python has no module for $python; build with -DPython3_EXECUTABLE=$python" >&2; exit 4; }
"$python" -m sphinx -b html -W --keep-going -q -j 1 -c docs/site -d "$build/site.doctrees" . "$build/site"
echo "site: $build/site/index.html"
