"""The docstrings of the Python module as autodoc shows them: the tables of parameters stand as they are."""


def as_it_is(app, what, name, obj, options, lines):
    """What follows the first paragraph of a function that takes cases is preformatted."""
    if what not in ("function", "method") or "" not in lines or not any(line.startswith("    ") or ": " in line for line in lines):
        return
    first = lines.index("")
    rest = lines[first + 1:]
    if not any(rest):
        return
    lines[:] = [*lines[:first], "", ".. code-block:: none", "", *("    " + line for line in rest), ""]


def setup(app):
    app.connect("autodoc-process-docstring", as_it_is)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
