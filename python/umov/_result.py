"""Results: named arrays with units and axes, which keep their run alive."""

import builtins
import csv
import html
import os
import sys
import warnings

import numpy as np

from . import _core
from ._array import Array, draw, last, named
from ._case import load

# Last words of the names of arrays along which others run, in the order in which they are taken.
_coordinates = ("time", "saved_times", "frequency", "wavelength", "theta", "phi", "depth", "length", "x", "y", "z", "case",
                "angle", "azimuth")


def _described(array):
    """Names of axes that the description ends with: "..., frequency x z x y x x"."""
    text = (array.description or "").split(";")[0].rpartition(", ")[2]
    labels = text.split(" x ")
    return labels if len(labels) == array.ndim > 1 else None


class Group:
    """The arrays whose names begin alike: result.flux.left.T, or result["flux/left"]["T"]."""

    def __init__(self, result, prefix):
        self._result, self._prefix = result, prefix

    def keys(self):
        """Names within the group."""
        return [name[len(self._prefix):] for name in self._result._numbers if name.startswith(self._prefix)]

    def _children(self):
        return list(dict.fromkeys(key.partition("/")[0] for key in self.keys()))

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.keys())

    def __contains__(self, name):
        name = self._prefix + name
        return name in self._result._numbers or any(key.startswith(name + "/") for key in self._result._numbers)

    def __getitem__(self, name):
        if not isinstance(name, str) or name not in self:
            near = [key for key in self.keys() if last(key) == last(str(name))] or self._children()
            raise KeyError(f"{name} (there are {', '.join(near[:20])})")
        whole = self._prefix + name
        return self._result._array(whole) if whole in self._result._numbers else Group(self._result, whole + "/")

    def __getattr__(self, name):
        if not name.startswith("_") and name in self:
            return self[name]
        raise AttributeError(f"no array or group '{name}' (there are {', '.join(self._children()[:20])})")

    def __dir__(self):
        return sorted({*object.__dir__(self), *self._children()})

    def items(self):
        return [(key, self[key]) for key in self.keys()]

    def to_xarray(self):
        """A Dataset of xarray: its arrays with units, dimensions and coordinates. Copies no numbers."""
        import xarray

        variables, coordinates, sizes = {}, {}, {}

        def dims_of(array):
            dims = []
            for (label, coordinate), size in zip(array._axes(), array.shape):
                if coordinate is not None:
                    label = coordinate.name.removeprefix(self._prefix)
                    coordinates[label] = coordinate
                elif sizes.setdefault(label, size) != size:
                    label = f"{label}_{size}"
                    sizes[label] = size
                while label in dims:
                    label += "'"
                dims.append(label)
            return dims

        for key, array in self.items():
            variables[key] = (dims_of(array), np.asarray(array), {"units": array.unit, "description": array.description})
        along = {label: ((label,), np.asarray(array), {"units": array.unit, "description": array.description})
                 for label, array in coordinates.items()}
        return xarray.Dataset({key: value for key, value in variables.items() if key not in along}, along,
                              dict(self._result.attributes))

    def plot(self, name=None, ax=None):
        """Draws an array over its axis, or over its two axes as an image; without a name all single-column arrays of
        the group over the first axis. Complex numbers are drawn as magnitudes. Returns the axes of matplotlib."""
        import matplotlib.pyplot as plt

        ax = ax or plt.gca()
        if name is not None:
            found = self[name]
            if isinstance(found, Group):
                return found.plot(ax=ax)
            draw(ax, found)
            return ax
        drawn = self._curves()
        if not drawn:
            raise ValueError(f"nothing in '{self._prefix.rstrip('/') or 'the result'}' is a curve; name an array: "
                             f"{', '.join(self._children()[:12])}")
        for array in drawn:
            draw(ax, array)
        if len(drawn) > 1:
            units = {array.unit for array in drawn}
            ax.set_ylabel("" if len(units) > 1 or units <= {"1", "", None} else f"[{units.pop()}]")
            ax.legend()
        return ax

    def _curves(self):
        """Arrays that plot() draws: what has a coordinate and is none, but errors of others, where there are these."""
        curves = [a for key, a in self.items() if "/" not in key and a.ndim == 1 and a.size > 1 and a.coords[0] is not None
                  and a.coords[0].name != a.name and last(a.name) not in _coordinates]
        return [a for a in curves if not last(a.name).endswith("error")] or curves

    def _lines(self):
        return [(key, _shown(array), array.unit if array.unit != "1" else "", array.description)
                for key, array in self.items()]

    def __repr__(self):
        lines = self._lines()
        wide = max((len(key) for key, *_ in lines), default=0)
        return "\n".join([self._title(), *(f"  {key:<{wide}}  {value} {unit}".rstrip() for key, value, unit, _ in lines)])

    def _repr_html_(self):
        rows = "".join("<tr>" + "".join(f"<td style='text-align:left'>{html.escape(cell)}</td>" for cell in line) + "</tr>"
                       for line in self._lines())
        return f"<b>{html.escape(self._title())}</b><table>{rows}</table>"

    def _title(self):
        return self._prefix.rstrip("/")


def _shown(array):
    if array.ndim == 0:
        return f"{array[()]:.6g}"
    if array.ndim == 1 and array.size <= 3:
        return "[" + ", ".join(f"{x:.6g}" for x in np.asarray(array)) + "]"
    return " x ".join(map(str, array.shape)) + f" {array.dtype}"


class Table:
    """Columns of equal length by their headings: table["flux"], table.flux; units[heading]."""

    def __init__(self, name, columns):
        self.name, self.units = name, {heading: unit for heading, unit, _ in columns}
        self._columns = {heading: np.asarray(cells) for heading, _, cells in columns}

    def keys(self):
        return list(self._columns)

    def __iter__(self):
        return iter(self._columns)

    def __getitem__(self, heading):
        return self._columns[heading]

    def __getattr__(self, heading):
        if not heading.startswith("_") and heading in self._columns:
            return self._columns[heading]
        raise AttributeError(f"no column '{heading}' (there are {', '.join(self._columns)})")

    def __dir__(self):
        return sorted({*object.__dir__(self), *self._columns})

    def __len__(self):
        return max((len(cells) for cells in self._columns.values()), default=0)

    def __repr__(self):
        return f"table {self.name}: {len(self)} rows of {', '.join(self._columns)}"


def _table_of_file(name, path):
    with builtins.open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    columns = []
    for (heading, unit), cells in zip(map(_heading_of, rows[0] if rows else []), zip(*rows[1:])):
        try:
            cells = np.array(cells, float)
        except ValueError:
            cells = np.array(cells)
        columns.append((heading, unit, cells))
    return Table(name, columns)


def _heading_of(text):
    """"flux [W]" as its name and its unit."""
    name, found, unit = text.rpartition(" [")
    return (name, unit[:-1]) if found and unit.endswith("]") else (text, "")


class Result(Group):
    """What a run left.

    result["cross_sections/Y/Cext"] or result.cross_sections.Y.Cext: arrays, without copies; tables: columns side by
    side, as in CSV files; attributes: version, device, ...; converged, why_not; warnings; case; save(), to_xarray(),
    plot().
    """

    def __init__(self, run, case, folder=None):
        self._prefix, self._run, self.case, self._folder = "", run, case, folder
        self._numbers = {name: number for number, (name, _, _) in reversed(list(enumerate(run.arrays())))}
        self._numbers = dict(sorted(self._numbers.items(), key=lambda entry: entry[1]))
        self._said = run.arrays()
        self.attributes = dict(run.attributes())
        self.warnings = list(run.warnings())
        self._tables = None

    def __reduce__(self):
        return Result, (self._run, self.case, self._folder)

    def _array(self, name):
        number = self._numbers[name]
        array = named(self._run.numbers(number), *self._said[number])
        array._result = self
        return array

    @property
    def _result(self):  # no circle: a run ends with its last array
        return self

    @property
    def converged(self):
        """Whether the run came to its end as it should."""
        return self.attributes.get("converged", "yes") == "yes"

    @property
    def why_not(self):
        """Why it did not converge; "" where it did."""
        return "" if self.converged else self.attributes["converged"].partition(": ")[2]

    @property
    def tables(self):
        """{name: Table}. Of a folder they are those of its CSV files, to their digits."""
        if self._tables is None:
            self._tables = {name: Table(name, columns) for name, columns in self._run.tables()}
            for file in sorted(os.listdir(self._folder)) if os.path.isdir(self._folder or "") else []:
                if file.endswith(".csv"):
                    self._tables[file[:-4]] = _table_of_file(file[:-4], os.path.join(self._folder, file))
        return self._tables

    def save(self, folder):
        """Writes the file that the command line writes, results.vtkhdf or results.h5, into the folder, which is made;
        fields that it has in files of their own stand in fields.h5, the case in case.toml."""
        folder = os.fspath(folder)
        os.makedirs(folder, exist_ok=True)
        if self.case is not None:
            self.case.to_toml(os.path.join(folder, "case.toml"))
        self._run.save(folder)

    def plot(self, name=None, ax=None, across=None, at=None):
        """Draws an array as a group does. Without a name: of eqs with fields the potential on the plane `at` a place (m)
        across an axis, "z" if nothing is said; of modes ``|E|`` of the first, or the effective indices; of harmonic the powers;
        of a sweep a number of each case (also by its name) over what varies; of others the curves that say most: spectra of
        fdtd, else a field; intensities over the angle of dda; of eqs lines, points, electrodes. Returns the axes of
        matplotlib."""
        import matplotlib.pyplot as plt

        from ._views import drawn

        ax = ax or plt.gca()
        return drawn(self, ax, across, at, name) or super().plot(name, ax)

    def _axes(self, array):
        """(label, coordinate or None) of each axis."""
        if array.name.startswith("voxels/") and array.ndim >= 3:
            return self._voxel_axes(array)
        labels = _described(array) or [None] * array.ndim
        if array.name.startswith("planes/") and array.ndim == 3:
            labels = list("zyx")
        used, axes = set(), []
        for label, size in zip(labels, array.shape):
            found = self._names(label, size)
            if found is None:
                found = self._coordinate(array.name, label, size, used)
            if found is None and label in ("x", "y", "z"):
                found = self._nodes_from_origin(array.name, label, size)
            if found is None and array.name.startswith("planes/") and f"axes/{label}" in self._numbers \
                    and self._array(f"axes/{label}").size == size:
                found = self._array(f"axes/{label}")
            if found is not None:
                used.add(found.name)
            word = "component" if size == 3 and array.ndim > 1 and label in (None, "3") else label
            axes.append((last(found.name) if found is not None else word or f"axis {len(axes)}", found))
        return tuple(axes)

    def _names(self, label, size):
        """Names along an axis, where an attribute lists as many: "rows" those of the axis row."""
        words = self.attributes.get(f"{label}s", "").split("\n")[:-1] if label else []
        return named(np.array(words), label, "", f"names of the {label}s") if len(words) == size else None

    def _coordinate(self, name, label, size, used):
        """The list that an axis runs along: of the array's own group, then of those around it, then the times of a
        run."""
        group = name
        while True:
            group = group.rpartition("/")[0]
            for word in _coordinates if label not in _coordinates else (label,):
                place = f"{group}/{word}" if group else word
                if place in self._numbers and place not in used:
                    found = self._array(place)
                    if found.ndim == 1 and found.size == size:
                        return found
            if not group:
                break
        if "history/time" in self._numbers and "history/time" not in used:
            found = self._array("history/time")
            return found if found.size == size else None
        return None

    def _nodes_from_origin(self, name, label, size):
        """Places of so many nodes of the grid, from the origin that stands beside an array."""
        beside, grid = name.rpartition("/")[0] + "/origin", "axes/" + label
        if beside not in self._numbers or grid not in self._numbers:
            return None
        nodes, begin = self._array(grid), float(self._array(beside)["xyz".index(label)])
        first = int(np.argmin(np.abs(np.asarray(nodes) - begin)))
        last_edge = nodes[-1] - nodes[-2] if nodes.size > 1 else float(self._array("grid/dx"))
        places = np.append(np.asarray(nodes)[first:first + size],
                           nodes[-1] + last_edge * np.arange(1, max(0, first + size - nodes.size) + 1))
        return named(places, f"{name.rpartition('/')[0]}/{label}", nodes.unit, "nodes of the grid")

    def _voxel_axes(self, array):
        axes = []
        unit = next((self._array(key).unit for key in ("axes/x", "particle/spacing", "mesh/nodes") if key in self._numbers), "")
        for axis, size in zip((2, 1, 0), array.shape):
            origin, spacing = self["voxels/origin"][axis], self["voxels/spacing"][axis]
            places = origin + (np.arange(size) + 0.5) * spacing
            axes.append(("xyz"[axis], named(places, "voxels/" + "xyz"[axis], unit, "middles of the voxels")))
        return (*axes, *[("component", None)] * (array.ndim - 3))

    def _title(self):
        program = self.attributes.get("program", "umov")
        device = self.attributes.get("device")
        state = "" if self.converged else f", not converged: {self.why_not}"
        return f"{program}{f' on {device}' if device else ''}: {len(self._numbers)} arrays{state}"


def finished(run, case):
    """The result of a run, whose warnings are told where its user called."""
    result = Result(run, case)
    level = 1
    while sys._getframe(level).f_globals.get("__name__", "").partition(".")[0] == "umov":
        level += 1
    for text in result.warnings:
        warnings.warn(text, stacklevel=level + 1)
    return result


def open(folder):
    """The results in the folder of a finished run, of the command line or of Result.save(); its case is that of the
    folder, None where there is none that a family reads."""
    folder = os.fspath(folder)
    run = _core.open(folder)
    case = None
    for name in ("resolved.toml", "case.toml"):
        file = os.path.join(folder, name)
        if case is None and os.path.exists(file):
            try:
                case = load(file)
            except _core.BadInput:
                pass
    return Result(run, case, os.path.abspath(folder))
