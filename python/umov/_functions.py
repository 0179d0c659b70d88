"""mie(), solve(), Preconditioner and sweep()."""

import contextlib
import operator
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
    with shown(progress, "umov solve") as show, _names_of_arguments():
        found = _core.solve(start, column, value, _right_side(A, b), options, callback, show)
    return finished(found, Case._unchecked("solve", options))


_document.describe(solve, _document.tables("solve"), """Solves A x = b, A symmetric and definite, by multigrid.

A: a sparse matrix or array of SciPy, or an array of NumPy, both triangles given; or the name of a file, as b then is.
b: as many numbers as A has rows; without it A times ones.
The result has the solution as x, and how it was reached.""", False, ("A", "b"))


@contextlib.contextmanager
def _names_of_arguments():
    """Errors of a system say A and b."""
    try:
        yield
    except _core.BadInput as problem:
        text = str(problem)
        for said, argument in (("matrix:", "argument 'A':"), ("right-hand side:", "argument 'b':")):
            if text.startswith(said):
                raise _core.BadInput(argument + text[len(said):]) from None
        raise


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


class Preconditioner:
    """One V-cycle of the multigrid of solve() for a symmetric definite matrix, about its inverse.

        M = umov.Preconditioner(A)                     # a matrix of SciPy, or an array of NumPy
        x, info = scipy.sparse.linalg.cg(A, b, M=M)
        ksp.pc.setType("python"); ksp.pc.setPythonContext(M)                    # of petsc4py

    Keywords are those of solve(): smoother, degree, strength, precision, threads, ... It computes on the processor.
    """

    def __init__(self, A, /, **keywords):
        import numpy as np

        start, column, value = _rows(A)
        _forked.begin()
        with _names_of_arguments():
            self._cycle = _core.Preconditioner(start, column, value, tree_of("solve", None, keywords))
        self.shape, self.dtype = (self._cycle.size(),) * 2, np.dtype(float)

    def matvec(self, r):
        """M r."""
        import numpy as np

        r = np.asarray(r)
        if np.iscomplexobj(r):
            return self.matvec(r.real) + 1j * self.matvec(r.imag)
        if r.size != self.shape[0]:
            raise _core.BadInput(f"argument 'r': {r.size} numbers (the matrix has {self.shape[0]} rows); give as many")
        return self._cycle.apply(r).reshape(r.shape)

    rmatvec = matvec

    def __matmul__(self, r):
        return self.matvec(r)

    def setUp(self, pc):
        """For PETSc."""

    def apply(self, pc, x, y):
        """For PETSc: y = M x."""
        y.setArray(self.matvec(x.getArray(readonly=True)))


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


def sweep(case, vary, /, *, together=None, jobs=0, threads=0, arrays=100000, keep_going=True, client=None, progress=None,
          callback=None):
    """Many cases, several at a time: one case with parameters varied, as umov sweep does.

    case: a Case of any family.
    vary: {path: values}, every value of one with every value of the others. Paths are those of cases
        ("body.disk.radius", "source.1.center[2]") or short names; a tuple of paths gets the same value.
    together: the same of parameters that go together, the first value of each, the second of each.
    jobs, threads: cases at a time and threads of each; 0: by the cores there are, on GPUs four on each.
    arrays: most numbers of an array that is kept of each case; 0 keeps single numbers alone.
    keep_going: go on when a case fails, which its status says.
    client: what computes the cases elsewhere, each by a call: a Client of Dask, or an executor of concurrent.futures whose
        processes are spawned. It has as many at a time as it will, each with `threads` (0: one); files that the case
        names have to be there, too.
    The result is a table with a row per case ("sweep"), and arrays with an item per case.
    """
    if not isinstance(case, Case):
        raise TypeError(f"a sweep is of a case (umov.dda.case(...), umov.load(...)), not of {getattr(case, '__name__', case)!r}; "
                        "of a function write a loop over its arguments")
    if client is not None and jobs:
        raise TypeError("jobs beside client, which has as many cases at a time as it will; leave one out")
    for name, number in (("jobs", jobs), ("threads", threads), ("arrays", arrays)):
        if operator.index(number) < 0:
            raise _core.BadInput(f"argument '{name}': {number} (it is a count); give 0 or more")
    tree = _varied(case, vary, together)
    _forked.begin()
    with shown(progress, "umov sweep") as show:
        if client is not None:
            rows, warnings = _rows_of(client, case, (vary, together), tree, threads or 1, arrays, keep_going,
                                      [f for f in (callback, show) if f])
            found = _core.sweep_table(case.family, tree, rows, warnings)
        else:
            found = _core.sweep(case.family, tree, jobs, threads, arrays, keep_going, callback, show)
    return finished(found, case)


def _varied(case, vary, together):
    tree = case._tree.copy()
    if not vary and not together:
        raise _core.BadInput("argument 'vary': nothing varies; give {path: values}")
    lengths = {path: _length(values) for path, values in (together or {}).items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{n} of {path!r}" for path, n in lengths.items())
        raise _core.BadInput(f"argument 'together': {said} (they go together, value by value); give as many of each")
    for varied, going_together in ((vary, False), (together or {}, True)):
        for path, values in varied.items():
            if not _length(values):
                raise _core.BadInput(f"argument '{'together' if going_together else 'vary'}': no value of {path!r} (nothing "
                                     "varies); give one at least")
            paths = path if isinstance(path, tuple) else (path,)
            tree.push_back("vary", {"parameter": [_numbered(full_path(case.family, p)) for p in paths],
                                    "values": values, "together": going_together})
    return tree


def _row(case, axes, number, threads, arrays):
    """A case of a sweep, where a client has put it."""
    _forked.begin()
    return _core.sweep_row(case.family, _varied(case, *axes), number, threads, arrays)


def _rows_of(client, case, axes, tree, threads, arrays, keep_going, listeners):
    """The rows of all cases, and what they warned of; None for those that keep_going leaves out."""
    count = _core.sweep_count(case.family, tree)
    more = {"pure": False} if hasattr(client, "scheduler_info") else {}  # of Dask: calls of equal arguments, computed anew
    futures = [client.submit(_row, case, axes, number, threads, arrays, **more) for number in range(count)]
    rows, warnings = [None] * count, []
    try:
        for number, future in enumerate(futures):
            rows[number], failed, why, said = future.result()
            warnings += [text for text in said if text not in warnings]
            if failed:
                warnings.append(f"case {number + 1}: {why}")
            if failed and not keep_going:
                break
            for listener in listeners:
                if listener((number + 1) / count, f"{number + 1} of {count} cases") is False:
                    raise _core.Interrupted("interrupted")
    finally:
        for future in futures:
            future.cancel()
    return rows, warnings


def _length(values):
    return len(values) if hasattr(values, "__len__") and not isinstance(values, str) else 1


def _numbered(path):
    return path.replace("[0].", ".1.")
