"""Arrays of results: numbers with a name, a unit and axes, which parts of them keep."""

import numpy as np


class Array(np.ndarray):
    """Numbers of a result, to be read only: an array of NumPy with a name, a unit ("1": none) and a description.

    dims names its axes; coords has the arrays along them, None where there is none. Parts have those of what they are a
    part of, and so have transpose() and T, real and imag; what is computed of it, and a copy(), is without them.
    to_xarray() is a DataArray, plot() draws it.
    """

    name = unit = description = None
    _result = None  # finds the axes, once
    _found = None   # axes: (label, coordinate or None) of each
    _part = None    # what this is a part of, and by which index; its axes are found when they are asked for

    def __array_finalize__(self, source):
        if isinstance(source, Array):
            self.name, self.unit, self.description = source.name, source.unit, source.description

    def __array_wrap__(self, computed, *_):
        return np.asarray(computed)[()]

    def __getitem__(self, index):
        found = super().__getitem__(index)
        if isinstance(found, Array):
            if _is_view(index):
                found._part = self, index
            else:  # numbers of its own, which need not keep the whole
                found._found = _axes_of_part(self._axes(), index)
        return found

    def _alike(self, other, order=None):
        axes = self._axes()
        other._found = tuple(axes[i] for i in order) if order is not None else axes
        return other

    @property
    def real(self):
        return self._alike(super().real)

    @property
    def imag(self):
        return self._alike(super().imag)

    def transpose(self, *axes):
        if len(axes) == 1 and not isinstance(axes[0], (int, np.integer)):
            axes = axes[0] or ()
        order = [int(i) % self.ndim for i in axes] or range(self.ndim)[::-1]
        return self._alike(super().transpose(*axes), order)

    @property
    def T(self):
        return self.transpose()

    def swapaxes(self, one, other):
        order = list(range(self.ndim))
        order[one], order[other] = order[other], order[one]
        return self.transpose(order)

    @property
    def dims(self):
        return tuple(label for label, _ in self._axes())

    @property
    def coords(self):
        return tuple(coordinate for _, coordinate in self._axes())

    def _axes(self):
        if self._found is None:
            if self._part is not None:
                whole, index = self._part
                self._found = _axes_of_part(whole._axes(), index)
            elif self._result is not None:
                self._found = self._result._axes(self)
        return self._found if self._found is not None else tuple((f"axis {i}", None) for i in range(self.ndim))

    def __reduce__(self):
        axes = tuple((label, None if along is None else (np.asarray(along), along.name, along.unit, along.description))
                     for label, along in self._axes())
        return _restored, (np.asarray(self), self.name, self.unit, self.description, axes)

    def __reduce_ex__(self, protocol):
        return self.__reduce__()

    def to_xarray(self):
        """A DataArray of xarray with unit, dimensions and coordinates. Copies no numbers."""
        import xarray

        dims, along = [], {}
        for label, coordinate in self._axes():
            while label in dims:
                label += "'"
            dims.append(label)
            if coordinate is not None:
                along[label] = label, np.asarray(coordinate), _attributes(coordinate)
        return xarray.DataArray(np.asarray(self), along, dims, self.name, _attributes(self))

    def plot(self, ax=None):
        """Draws it over its axis, or over its two axes as an image; of complex numbers the magnitudes. Returns the axes
        of matplotlib."""
        import matplotlib.pyplot as plt

        ax = ax or plt.gca()
        draw(ax, self)
        return ax


def named(numbers, name, unit="1", description="", axes=None):
    """Numbers as an Array with axes of its own."""
    array = np.asarray(numbers).view(Array)
    array.name, array.unit, array.description, array._found = name, unit, description, axes
    return array


def _restored(numbers, name, unit, description, axes):
    return named(numbers, name, unit, description,
                 tuple((label, along and named(*along, ((label, None),))) for label, along in axes))


def _attributes(array):
    return {"units": array.unit, "description": array.description}


def _is_view(index):
    """Whether NumPy answers an index with a view."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(i is None or i is Ellipsis or isinstance(i, (slice, int, np.integer)) and not isinstance(i, bool)
               for i in parts)


def _axes_of_part(axes, index):
    """Axes of the part of an array that an index takes; None where they cannot be told: by several lists of places."""
    parts = list(index) if isinstance(index, tuple) else [index]
    lists = [np.asarray(i) for i in parts if not _is_view(i)]
    if lists and (len(lists) > 1 or lists[0].ndim != 1 or any(isinstance(i, (int, np.integer)) for i in parts)):
        return None
    there = sum(i is not None and i is not Ellipsis for i in parts)
    rest = [slice(None)] * (len(axes) - there)
    at = next((k for k, i in enumerate(parts) if i is Ellipsis), None)
    parts = parts + rest if at is None else parts[:at] + rest + parts[at + 1:]
    found, left = [], iter(axes)
    for i in parts:
        if i is None:
            found.append((f"axis {len(found)}", None))
            continue
        label, along = next(left)
        if not isinstance(i, (int, np.integer)):
            found.append((label, None if along is None else named(np.asarray(along)[i], along.name, along.unit,
                                                                  along.description, ((label, None),))))
    return tuple(found)


def last(name):
    return name.rpartition("/")[2]


def heading(array):
    return f"{last(array.name)} [{array.unit}]" if array.unit not in ("1", "", None) else last(array.name)


def draw(ax, array):
    values = np.abs(np.asarray(array)) if np.iscomplexobj(array) else np.asarray(array)
    what = f"|{last(array.name)}|{heading(array)[len(last(array.name)):]}" if np.iscomplexobj(array) else heading(array)
    if array.ndim == 1:
        along = array.coords[0]
        ax.plot(np.arange(array.size) if along is None else np.asarray(along), values, label=what)
        ax.set_xlabel(array.dims[0] if along is None else heading(along))
        ax.set_ylabel(what)
    elif array.ndim == 2:
        down, across = array.coords
        extent, places = None, set(array.dims) < {"x", "y", "z"}
        if down is not None and across is not None and down.dtype.kind + across.dtype.kind == "ff":
            extent = [*_ends(across), *_ends(down)]
        picture(ax, values, what, "equal" if places else "auto", extent)
        ax.set_xlabel(array.dims[1] if across is None else heading(across))
        ax.set_ylabel(array.dims[0] if down is None else heading(down))
    else:
        raise ValueError(f"'{array.name}' has {array.ndim} axes ({', '.join(array.dims)}); draw a part of it with one or "
                         "two: result[name][0].plot()")


def picture(ax, values, what, aspect, extent):
    """An image, its first row below, with a bar of colours as high as itself; of numbers of both signs 0 is white, red above."""
    finite = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    most = max(abs(finite.min()), abs(finite.max())) if finite.size else 0
    signed = {"cmap": "RdBu_r", "vmin": -most, "vmax": most} if finite.size and finite.min() < 0 < finite.max() else {}
    bar(ax, ax.imshow(values, origin="lower", aspect=aspect, extent=extent, **signed), what)


def bar(ax, image, what):
    """A bar of colours beside axes, as high as they are whatever their aspect."""
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    ax.figure.colorbar(image, cax=make_axes_locatable(ax).append_axes("right", "5%", pad=0.08), label=what)
    ax.figure.sca(ax)


def _ends(along):
    """Where an image begins and ends whose cells have their middles at equal steps."""
    half = (along[-1] - along[0]) / (2 * max(along.size - 1, 1)) or 0.5
    return float(along[0] - half), float(along[-1] + half)
