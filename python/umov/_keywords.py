"""Keywords as the parameters of a case: the names of its top, and short ones that lead to a single parameter."""

import functools
import os

from . import _core


@functools.cache
def _top(family):
    return frozenset(_core.top_names(family))


@functools.cache
def short_names(family):
    """Word -> {(section, key): of a list}: keys within sections, and the flags of the command line."""
    names = {}
    for section, key, flags, repeated in _core.parameters(family):
        if section:
            words = {flag[2:].replace("-", "_") for flag in flags if flag[:2] == "--" and flag[:5] != "--no-"}
            for word in words | {key}:
                names.setdefault(word, {})[section, key] = repeated
    return {word: meant for word, meant in names.items() if word not in _top(family)}


def full_path(family, path):
    """The path that a short name means; any other path as it is."""
    meant = short_names(family).get(path, {})
    if not meant:
        return path
    (section, key), repeated = _only(path, meant, family)
    return f"{section}[0].{key}" if repeated else f"{section}.{key}"


def _only(name, meant, family):
    own = {where: repeated for where, repeated in meant.items() if where[0] == family}
    meant = own if len(own) == 1 else meant  # [modes] goes before the tables of its model
    if len(meant) > 1:
        paths = [".".join(where) for where in meant]
        section, key = next(iter(meant))
        raise _core.BadInput(f"argument '{name}': may be {' or '.join(map(repr, paths))} (several parameters are called "
                             f"so); write {section}={{'{key}': ...}}")
    return next(iter(meant.items()))


def _given_in(tables, section, key):
    inside = tables.get(section)
    items = inside if isinstance(inside, (list, tuple)) else [inside]
    return any(isinstance(item, dict) and key in item for item in items)


def put(tree, family, keywords):
    """The tree with these keywords, which leaves the given one as it was."""
    tree = tree.copy()
    keywords, fields = _without_arrays(family, keywords)
    for name, value in keywords.items():
        if name in _top(family) or not (name in short_names(family) or "." in name or "[" in name):
            tree.merge(name, value)
    for name, value in keywords.items():
        if name in _top(family):
            continue
        if name in short_names(family):
            (section, key), repeated = _only(name, short_names(family)[name], family)
            if _given_in(keywords, section, key):
                raise _core.BadInput(f"argument '{name}': given twice (also as {section}={{'{key}': ...}}); leave one out")
            tree.put(section, key, repeated, value, name)
        elif "." in name or "[" in name:
            tree.set(name, value)
    if fields:
        _add_fields(tree, fields)
    return tree


def _without_arrays(family, keywords):
    """Keywords with files for arrays; of dda also the fields that are to be given at the dipoles."""
    if not any(_may_hold_arrays(value) for value in keywords.values()):
        return keywords, {}
    from . import _inputs

    fields, source = {}, keywords.get("source")
    if family == "dda" and isinstance(source, dict):
        fields = {key: item for key, item in source.items() if key in ("file_y", "file_x") and _inputs._is_data(item)}
        if fields:
            rest = {key: item for key, item in source.items() if key not in fields}
            keywords = keywords | {"source": {"kind": "read"} | rest}

    def path(name):
        meant = short_names(family).get(name, {})
        return ".".join(next(iter(meant))) if len(meant) == 1 else name

    return {name: _inputs.without_arrays(family, path(name), value) for name, value in keywords.items()}, fields


def _may_hold_arrays(value):
    """Whether it is more than numbers, texts and lists of them."""
    return not (value is None or isinstance(value, (str, int, float, complex, os.PathLike)))


def _add_fields(tree, fields):
    """Incident fields at the dipoles, which the rest of the case says the places of."""
    from . import _inputs
    from ._result import Result

    bare = tree.copy()
    bare.merge("source", None)
    model = Result(_core.model("dda", bare), None)
    for key, value in fields.items():
        tree.set(f"source.{key}", _inputs.incident_field(value, model, f"argument 'source.{key}'"))


def tree_of(family, case, keywords):
    """Of a file in TOML, another case, a dictionary or nothing, with keywords over it as flags are."""
    from ._case import Case

    if case is None:
        tree = _core.Tree()
    elif isinstance(case, Case):
        if case.family != family:
            raise _core.BadInput(f"a case of {case.family}, not of {family}; give one of {family}")
        tree = case._tree
    elif isinstance(case, dict):
        tree = put(_core.Tree(), family, case)
    elif isinstance(case, (str, os.PathLike)):
        tree = _core.tree_of_toml_file(os.path.abspath(case))
    else:
        raise TypeError(f"a case is the name of a file, a Case or a dictionary, not {type(case).__name__}")
    return put(tree, family, keywords)
