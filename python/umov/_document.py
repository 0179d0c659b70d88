"""Signatures, docstrings and stubs out of the tables of parameters that the manual prints, too."""

import inspect
import re

from . import _core, _keywords

POSITIONAL, KEYWORD = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY


class Row:
    """A parameter: key, unit, values (its range, or its words), default, meaning."""

    def __init__(self, cells):
        self.key, _, self.unit, self.values, self.default, self.meaning = cells

    def facts(self):
        parts = [self.unit, self.values, f"default {self.default}" if self.default else ""]
        return "; ".join(part for part in parts if part)

    def type(self):
        """As far as default and values tell."""
        words = self.values.split(", ")
        if self.default in ("true", "false"):
            return "bool"
        if self.values and all(re.fullmatch(r"[a-z][\w-]*", word) for word in words) and len(words) > 1:
            return "Literal[" + ", ".join(f'"{word}"' for word in words) + "]"
        if self.default.startswith('"'):
            return "str"
        if self.default.startswith("["):
            return "Numbers"
        if re.match(r"[-+]?[\d.]", self.default) or re.match(r"(>=?|<=?|at least)? ?[-+]?[\d.]", self.values):
            return "Numbers"  # what the tables do not say: whether a list or a complex number may stand here, too
        return "Any"


class Table:
    """A section ("" is the top of a case) or a list of tables, which may be nested: "monitor.at"."""

    def __init__(self, name, is_list, help):
        self.name, self.is_list, self.help, self.rows = name, is_list, help, []


def _cells(line):
    cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    return [cells[0].strip("`"), *cells[1:]]


def tables(family):
    found = []
    for block in re.split(r"^### ", _core.markdown(family), flags=re.M)[1:]:
        title, _, body = block.partition("\n")
        name = title.strip("` \n").strip("[]")
        help = body.partition("|")[0].strip()
        table = Table("" if name == "Top level" else name, "[[" in title, help)
        for line in body.splitlines():
            if line.startswith("| `"):
                table.rows.append(Row(_cells(line)))
        if table.rows:
            found.append(table)
    return found


def text(tables):
    """Each table with its keys, units, ranges, defaults and what they mean."""
    lines = []
    for table in tables:
        if table.name:
            lines += ["", f"{table.name}: {'list of tables' if table.is_list else 'table'}"]
            lines += [f"    {table.help}"] if table.help else []
        for row in table.rows:
            facts = row.facts()
            lines.append(f"{'    ' if table.name else ''}{row.key}: {row.meaning}{f' ({facts})' if facts else ''}")
    return "\n".join(lines).strip("\n")


def top_names(tables):
    """Names at the top of a case with what stands there: a row, or a table."""
    names = {}
    for table in tables:
        if not table.name:
            names.update((row.key, row) for row in table.rows)
        elif "." not in table.name:
            names[table.name] = table
    return names


def short_names(family, tables):
    """Short names that mean a single parameter, with its row and path."""
    rows = {(table.name, row.key): row for table in tables for row in table.rows}
    for word, meant in sorted(_keywords.short_names(family).items()):
        (where, *others) = meant
        if not others and where in rows and word.isidentifier():
            yield word, rows[where], ".".join(where)


def describe(function, tables, title, with_run, positional=("case",)):
    """Its signature, as editors complete it, and its docstring."""
    parameters = [inspect.Parameter(name, POSITIONAL, default=None) for name in positional]
    names = dict.fromkeys(top_names(tables))
    if with_run:
        names |= dict.fromkeys(["checkpoint", "resume", "progress", "callback", "watch", "every"])
    parameters += [inspect.Parameter(name, KEYWORD, default=None) for name in names]
    parameters.append(inspect.Parameter("more", inspect.Parameter.VAR_KEYWORD))
    function.__signature__ = inspect.Signature(parameters)
    run = ("checkpoint, resume, progress, callback, watch, every: see Case.run; a dictionary for checkpoint is the case's table.\n"
           if with_run else "")
    case = ("case: a file in TOML, a Case or a dictionary, over which the keywords count; without it they are the whole "
            "case.\n" if "case" in positional else "")
    function.__doc__ = (f"{title}\n\n{case}{run}Further keywords are short names (size for shape={{'size': "
                        f"...}}) where one parameter alone is called so.\n\n"
                        f"{text(tables)}")


# stubs

_head = """# Written by umov._document out of the tables of parameters.
from os import PathLike
from typing import Any, Callable, Literal, Mapping, Sequence, TypedDict

from numpy.typing import ArrayLike

from ._case import Case, Moment, Plan
from ._result import Result

Numbers = ArrayLike
"""


def _words(text):
    return text.replace("\\", "\\\\").replace('"""', "'''")


def _typed_dict(family, table):
    name = _class(table.name)
    lines = [f"{name} = TypedDict({name!r}, {{"]
    for row in table.rows:
        lines.append(f"    {row.key!r}: {row.type()},  # {' '.join(filter(None, [row.meaning, row.facts()]))}")
    return "\n".join([*lines, "}, total=False)", ""])


def _class(name):
    return "".join(word.title() for word in re.split(r"[._]", name)) + "Table"


def _type(what):
    if isinstance(what, Row):
        return f"{what.type()} | None"
    return f"Sequence[{_class(what.name)}] | {_class(what.name)} | None" if what.is_list else f"{_class(what.name)} | None"


def _arguments(family, tables):
    lines = [f"    {name}: {_type(what)} = ...," for name, what in top_names(tables).items() if name != "checkpoint"]
    lines += [f"    {word}: Any = ...,  # {path}" for word, row, path in short_names(family, tables)]
    return "\n".join(lines)


def stub(family):
    """The text of the module's .pyi."""
    found = tables(family)
    out = [_head, *(_typed_dict(family, table) for table in found if table.name)]
    arguments = _arguments(family, found)
    start = "    case: Case | Mapping[str, Any] | str | PathLike[str] | None = None,\n    /,\n    *,"
    own = "    checkpoint: CheckpointTable | None = ...,\n" if "checkpoint" in top_names(found) else ""
    state = "str | PathLike[str] | CheckpointTable | None" if own else "str | PathLike[str] | None"
    running = (f"    checkpoint: {state} = ...,\n    resume: bool = ...,\n    progress: bool | None = ...,\n"
               "    callback: Callable[[float, str], bool | None] | None = ...,\n"
               "    watch: Callable[[Moment], bool | None] | None = ...,\n    every: int | None = ...,\n")
    doc = f'    """{_words(text(found))}"""'
    for name, kind, more in (("case", "Case", own), ("plan", "Plan", own), ("run", "Result", running)):
        out.append(f"def {name}(\n{start}\n{more}{arguments}\n    **more: Any,\n) -> {kind}:\n{doc}\n    ...\n")
    return "\n".join(out)


def functions_stub():
    """The text of _functions.pyi."""
    out = [_head]
    for family, doc in (("mie", "A sphere by Lorenz-Mie theory."), ("solve", "Solves A x = b by multigrid.")):
        found = tables(family)
        out += [_typed_dict(family, table) for table in found if table.name]
        start = ("    case: Case | Mapping[str, Any] | str | PathLike[str] | None = None,\n    /," if family == "mie" else
                 "    A: Any = None,\n    b: Any = None,\n    /,")
        running = "" if family == "mie" else ("    progress: bool | None = ...,\n"
                                              "    callback: Callable[[float, str], bool | None] | None = ...,\n")
        out.append(f"def {family}(\n{start}\n    *,\n{running}{_arguments(family, found)}\n    **more: Any,\n) -> Result:\n"
                   f'    """{doc}\n\n{_words(text(found))}"""\n    ...\n')
    out.append("""def sweep(
    case: Case,
    vary: Mapping[str | tuple[str, ...], ArrayLike],
    /,
    *,
    together: Mapping[str | tuple[str, ...], ArrayLike] | None = ...,
    jobs: int = ...,
    threads: int = ...,
    arrays: int = ...,
    keep_going: bool = ...,
    client: Any = ...,
    progress: bool | None = ...,
    callback: Callable[[float, str], bool | None] | None = ...,
) -> Result: ...

class Preconditioner:
    shape: tuple[int, int]
    dtype: Any
    def __init__(self, A: Any, /, **keywords: Any) -> None: ...
    def matvec(self, r: ArrayLike) -> Any: ...
    def __matmul__(self, r: ArrayLike) -> Any: ...
    def setUp(self, pc: Any) -> None: ...
    def apply(self, pc: Any, x: Any, y: Any) -> None: ...
""")
    return "\n".join(out)
