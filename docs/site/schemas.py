"""Puts the JSON Schema of every family's cases beside the pages: schema/FAMILY.json."""

import os
import pathlib
import subprocess

FAMILIES = ["dda", "fdtd", "harmonic", "eqs", "modes"]


def write(app, failure):
    if failure:
        return
    folder = pathlib.Path(app.outdir) / "schema"
    folder.mkdir(exist_ok=True)
    for family in FAMILIES:
        text = subprocess.run([os.environ["UMOV_BINARY"], "schema", family], check=True, capture_output=True, text=True).stdout
        (folder / f"{family}.json").write_text(text, encoding="utf-8")


def setup(app):
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
