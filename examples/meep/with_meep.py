"""Runs scripts of this folder with Meep itself: python3 with_meep.py bend.py ... prints what each prints.

The lines of tests/data/meep were made so: cd examples/meep && for s in bend ring ...; do
OMP_NUM_THREADS=1 /usr/bin/python3 with_meep.py $s.py > ../../tests/data/meep/$s.txt; done
"""

import contextlib
import io
import os
import runpy
import sys
import types

import meep

meep.verbosity(0)
sys.modules["umov"] = umov = types.ModuleType("umov")
sys.modules["umov.meep"] = umov.meep = meep

for script in sys.argv[1:]:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        runpy.run_path(script, run_name="__main__")
    label = os.path.splitext(os.path.basename(script))[0]
    print("\n".join(line for line in said.getvalue().splitlines() if line.startswith(f"{label}:,")))
