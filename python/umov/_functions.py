"""mie(), solve() and sweep()."""

import os

from . import _core, _document, _forked
from ._case import Case
from ._keywords import full_path, tree_of
from ._progress import shown
from ._result import finished


def mie(case=None, /, **keywords):
    case = Case._unchecked("mie", tree_of("mie", case, keywords))
    return case.run()


_document.describe(mie, _document.tables("mie"), "A sphere, homogeneous or with a core, by Lorenz-Mie theory.", False)


def solve(A=None, b=None, /, *, progress=None, callback=None, **keywords):
    if A is None or isinstance(A, (str, os.PathLike)):
        files = {"matrix": A, "right_side": b}
        keywords |= {name: file for name, file in files.items() if file is not None}
        case = Case._unchecked("solve", tree_of("solve", None, keywords))
        return case.run(progress=progress, callback=callback)
    start, column, value = _rows(A)
    options = tree_of("solve", None, keywords)
    _forked.begin()
    with shown(progress, "umov solve") as show:
        found = _core.solve(start, column, value, _right_side(A, b), options, callback, show)
    return finished(found, Case._unchecked("solve", options))


_document.describe(solve, _document.tables("solve"), """Solves A x = b, A symmetric and definite, by multigrid.

A: a sparse matrix or array of SciPy, or an array of NumPy, both triangles given; or the name of a file, as b then is.
b: as many numbers as A has rows; without it A times ones.
The result has the solution as x, and how it was reached.""", False, ("A", "b"))


def _rows(A):
    import numpy as np

    if not hasattr(A, "tocsr"):
        A = np.asarray(A)
        if A.ndim != 2:
            raise ValueError(f"argument 'A': {A.ndim} dimensions (a matrix has two); give a matrix")
        start = np.concatenate([[0], np.cumsum(np.count_nonzero(A, axis=1))])
        row, column = np.nonzero(A)
        value = A[row, column]
        shape = A.shape
    else:
        A = A.tocsr()
        if not A.has_canonical_format:
            A = A.copy()
            A.sum_duplicates()
        start, column, value, shape = A.indptr, A.indices, A.data, A.shape
    if shape[0] != shape[1]:
        raise _core.BadInput(f"argument 'A': {shape[0]} rows and {shape[1]} columns (a system has as many); give a "
                             "square matrix")
    if np.iscomplexobj(value):
        raise _core.BadInput("argument 'A': complex numbers (the solver works with real ones); give real ones")
    if len(value) > np.iinfo(np.int32).max:
        raise _core.BadInput("argument 'A': more than 2^31 - 1 entries; solve a smaller system")
    return start, column, value


def _right_side(A, b):
    import numpy as np

    b = A @ np.ones(A.shape[1]) if b is None else np.asarray(b)
    if b.ndim == 2 and 1 in b.shape:
        b = b.reshape(-1)
    if b.ndim != 1:
        raise _core.BadInput(f"argument 'b': {b.ndim} dimensions (a right-hand side is a list); give one at a time")
    if np.iscomplexobj(b):
        raise _core.BadInput("argument 'b': complex numbers (the solver works with real ones); give real ones")
    return b


def sweep(case, vary, /, *, together=None, jobs=0, threads=0, arrays=100000, keep_going=True, progress=None,
          callback=None):
    """Many cases, several at a time: one case with parameters varied, as umov sweep does.

    case: a Case of any family.
    vary: {path: values}, every value of one with every value of the others. Paths are those of cases
        ("body.disk.radius", "source.1.center[2]") or short names; a tuple of paths gets the same value.
    together: the same of parameters that go together, the first value of each, the second of each.
    jobs, threads: cases at a time and threads of each; 0: by the cores there are, on GPUs four on each.
    arrays: most numbers of an array that is kept of each case; 0 keeps single numbers alone.
    keep_going: go on when a case fails, which its status says.
    The result is a table with a row per case ("sweep"), and arrays with an item per case.
    """
    tree = case._tree.copy()
    for varied, going_together in ((vary, False), (together or {}, True)):
        for path, values in varied.items():
            paths = path if isinstance(path, tuple) else (path,)
            tree.push_back("vary", {"parameter": [_numbered(full_path(case.family, p)) for p in paths],
                                    "values": values, "together": going_together})
    _forked.begin()
    with shown(progress, "umov sweep") as show:
        found = _core.sweep(case.family, tree, jobs, threads, arrays, keep_going, callback, show)
    return finished(found, case)


def _numbered(path):
    return path.replace("[0].", ".1.")
