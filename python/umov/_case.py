"""Cases and plans."""

import operator
import os
import re

from . import _core, _forked, _keywords
from ._progress import shown


class Case:
    """A case of a family: immutable, equal to another that says the same, checked when it is made.

    Made by umov.dda.case(...) and the other families', umov.load(file) and case.updated(...).
    """

    __slots__ = ("family", "_tree", "_text")

    def __init__(self, family, case=None, /, **keywords):
        tree = _keywords.tree_of(family, case, keywords)
        _core.check(family, tree)
        self._fill(family, tree)

    def _fill(self, family, tree):
        tree.kept()  # lets go of arrays that are not named any more
        for name, value in (("family", family), ("_tree", tree), ("_text", None)):
            object.__setattr__(self, name, value)

    @classmethod
    def _unchecked(cls, family, tree):
        case = cls.__new__(cls)
        case._fill(family, tree)
        return case

    def updated(self, changes=None, /, **keywords):
        """A case with other values: keywords as case() takes them, or a dictionary {"body.disk.radius": 0.4}. Tables
        are changed key by key, lists as a whole; None takes a value away, so that its default is in force."""
        changes = dict(changes or {}, **keywords)
        return Case(self.family, self, **changes)

    def plan(self):
        """Checks the case as far as that takes little time: what it would take, what it warns of."""
        return Plan(self.family, *_core.plan(self.family, self._tree))

    def model(self):
        """What the case describes, as a Result: fdtd has permittivity [z][y][x], places of sources and monitors; dda the
        material of each dipole, 0 outside."""
        from ._result import Result

        return Result(_core.model(self.family, self._tree), self)

    def plot(self, ax=None, across=None, at=0.0):
        """Draws the model with matplotlib; of a volume the plane at `at` across an axis, "z" if nothing is said. Returns the
        axes of matplotlib."""
        from ._model import drawn

        return drawn(self.model(), ax, across, at)

    def run(self, *, checkpoint=None, resume=False, progress=None, callback=None, watch=None, every=None):
        """Computes the case.

        checkpoint: folder of the run's state, made where it is not there; a stopped run leaves it there.
        resume: go on from the state in that folder; the folder itself stands for both.
        progress: True, False, or None, which shows a line in terminals and notebooks.
        callback: function(fraction, text), called as the run goes on; False ends the run with Interrupted, an
            exception ends it with that exception.
        watch: function(moment), called after every so many steps of fdtd and of eqs over time: moment.step, moment.time,
            moment["Ez"] or moment.fields for all of them as a Result; it ends the run as callback does.
        every: steps between two calls of watch; 1 if nothing is said.
        """
        from ._result import finished

        if isinstance(resume, (str, os.PathLike)):
            checkpoint, resume = resume, True
        if resume and not checkpoint:
            raise _core.BadInput("argument 'resume': no folder (the state to go on from lies in one); give checkpoint, or "
                                 "resume=folder")
        _forked.begin()
        self._refuse_changed_arrays()
        with shown(progress, f"umov {self.family}") as show:
            found = _core.run(self.family, self._tree, os.fspath(checkpoint or ""), bool(resume), callback, show,
                              self._watching(watch, every), 1 if every is None else operator.index(every))
        return finished(found, self)

    def _arrays(self):
        """Arrays that the case names as files."""
        paths = self._tree.kept()
        if not paths:
            return []
        from . import _inputs

        return _inputs.of_case(paths)

    def _refuse_changed_arrays(self):
        paths = self._tree.kept()
        if paths:
            from . import _inputs

            _inputs.refuse_changed(paths)

    def _watching(self, watch, every):
        if watch is None:
            if every is not None:
                raise TypeError("every without watch, the function that it is for")
            return None
        if not callable(watch):
            raise TypeError("watch is no function")
        return lambda step, time, fields: watch(Moment(self, step, time, fields))

    def to_dict(self):
        """The case as dictionaries, lists and values, files with whole paths."""
        self._write_arrays()
        return self._said()

    def _said(self):
        return _restored(self.family, self._text_of())._tree.object()

    def _text_of(self):
        return f"# umov {self.family}\n" + self._tree.text()

    def _write_arrays(self):
        for kept in self._arrays():
            if not os.path.exists(kept.path):
                kept.write(kept.path)

    def to_toml(self, file=None):
        """The case in TOML, as the command line takes it, files with whole paths; also into a file. Arrays are written beside
        it, "case-0123abcd.npy", and for a text alone as files that last as long as this process."""
        text = self._text_of()
        if file is None:
            self._write_arrays()
            return text
        beside = text
        for kept in self._arrays():
            path = f"{os.path.splitext(os.fspath(file))[0]}-{os.path.basename(kept.path)[:8]}{kept.ending}"
            kept.write(path)
            beside = beside.replace(kept.path, os.path.basename(path))
        with open(file, "w", encoding="utf-8") as out:
            out.write(beside)
        return text

    def __getitem__(self, path):
        path = _keywords.full_path(self.family, path)
        if not self._tree.has(path):
            raise KeyError(f"{path} (the case does not say it; case.plan().case has all defaults)")
        return self._tree.find(path)

    def __contains__(self, path):
        return self._tree.has(_keywords.full_path(self.family, path))

    def _canonical(self):
        if self._text is None:
            object.__setattr__(self, "_text", self._tree.canonical())
        return self._text

    def __eq__(self, other):
        if not isinstance(other, Case):
            return NotImplemented
        return self.family == other.family and self._canonical() == other._canonical()

    def __hash__(self):
        return hash((self.family, self._canonical()))

    def __setattr__(self, name, value):
        raise AttributeError(f"a case is immutable; make another one: case.updated({name}=...)")

    __delattr__ = __setattr__

    def __reduce__(self):
        kept = {k.path: (k.arrays, k.ending, k.where, k.names) for k in self._arrays()}
        return (_restored_with, (self.family, self._text_of(), kept)) if kept else (_restored, (self.family, self._text_of()))

    def __repr__(self):
        words = ", ".join(f"{name}={_short(value)}" for name, value in self._said().items())
        return f"umov.{self.family}.case({words})" if self.family not in ("mie", "solve") else f"umov.{self.family}({words})"


def _restored(family, text):
    try:
        return Case._unchecked(family, _core.tree_of_toml(text, "case"))
    except _core.BadInput:  # a case that says nothing
        return Case._unchecked(family, _core.Tree())


def _restored_with(family, text, kept):
    """The same with arrays, which get names of this process."""
    from . import _inputs

    names = {path: _inputs.keep(*arrays) for path, arrays in kept.items()}
    for path, name in names.items():
        text = text.replace(path, name)
    case = _restored(family, text)
    case._tree.hold(list(names.values()))
    return case


class Moment:
    """A run on its way. step: taken so far; time: in the unit of the family; fields: as they are, a Result, which is made
    when it is asked for, before the function returns; moment["Ez"] is an array of it."""

    def __init__(self, case, step, time, fields):
        self.case, self.step, self.time, self._make, self._made = case, step, time, fields, None

    @property
    def fields(self):
        if self._made is None:
            from ._result import Result

            self._made = Result(self._make(), self.case)
        return self._made

    def __getitem__(self, name):
        return self.fields[name]

    def __repr__(self):
        return f"moment of umov {self.case.family}: step {self.step}, time {self.time:.6g}"


def _short(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:56] + " ..."


class Plan:
    """What a case is before it is run.

    case: the case with every default; resolved: the same in TOML; bytes: estimate of the memory it takes, 0 where
    that is not known; warnings, notes: texts.
    """

    __slots__ = ("family", "resolved", "bytes", "warnings", "notes")

    def __init__(self, family, resolved, size, warnings, notes):
        self.family, self.resolved, self.bytes, self.warnings, self.notes = family, resolved, size, warnings, notes

    @property
    def case(self):
        return _restored(self.family, self.resolved)

    def __repr__(self):
        memory = f"memory: {_bytes(self.bytes)}" if self.bytes else "memory: not known"
        return "\n".join([f"plan of umov {self.family}", memory, *self.notes, *(f"warning: {w}" for w in self.warnings)])


def _bytes(count):
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.3g} {unit}"
        count /= 1000


def load(file, family=None):
    """The case in a file of TOML. Its family is told by its first line, where that names a command ("# umov dda"), else by
    the names at its top, or it is given."""
    tree = _core.tree_of_toml_file(os.path.abspath(file))
    with open(file, encoding="utf-8") as lines:
        named = re.search(rf"^#.*\bumov ({'|'.join(_core.families())})\b", lines.readline())
    if not family:  # umov fdtd takes cases of harmonic, too
        family = named[1] if named and not tree.has("harmonic") else _core.family_of(tree)
    _core.check(family, tree)
    return Case._unchecked(family, tree)
