"""What the modules of the families have in common: case(), plan() and run(), with the signatures of their tables."""

from . import _document
from ._case import Case
from ._keywords import tree_of


def define(module, family, title):
    """Fills the module of a family."""

    def case(case=None, /, **keywords):
        return Case(family, case, **keywords)

    def plan(case=None, /, **keywords):
        return Case._unchecked(family, tree_of(family, case, keywords)).plan()

    def run(case=None, /, *, checkpoint=None, resume=False, progress=None, callback=None, watch=None, every=None,
            **keywords):
        if isinstance(checkpoint, dict):  # the case's table
            keywords["checkpoint"], checkpoint = checkpoint, None
        found = Case._unchecked(family, tree_of(family, case, keywords))
        return found.run(checkpoint=checkpoint, resume=resume, progress=progress, callback=callback, watch=watch, every=every)

    tables = _document.tables(family)
    said = {case: "A case, checked", plan: "The plan of a case", run: "Computes a case"}
    for function, what in said.items():
        _document.describe(function, tables, f"{what}: {title}.", run is function)
        function.__module__ = module["__name__"]
        function.__qualname__ = function.__name__
        module[function.__name__] = function
    module["__doc__"] = f"umov {family}: {title}.\n\n{_document.text(tables)}"
    module["__all__"] = ["case", "plan", "run"]
    module["__dir__"] = lambda: module["__all__"]
