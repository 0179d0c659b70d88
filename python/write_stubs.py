"""Writes the stubs of the families and functions into the package's folder: write_stubs.py FOLDER."""

import pathlib
import sys

from umov import _document

folder = pathlib.Path(sys.argv[1])
for family in ("dda", "fdtd", "harmonic", "eqs", "modes"):
    (folder / f"{family}.pyi").write_text(_document.stub(family), encoding="utf-8")
(folder / "_functions.pyi").write_text(_document.functions_stub(), encoding="utf-8")
