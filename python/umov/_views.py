"""What plot() draws of a whole result, by what is in it: a plane of a mesh, a mode, spectra of a cell, the cases of a sweep."""

import numpy as np

from ._array import bar, draw, heading, last, picture

_elsewhere = ("run/", "timings/", "memory/", "solver/", "grid/", "axes/", "particle/")
_tets = [(0, 1, 2, 3), (1, 0, 2, 3), (2, 0, 1, 3), (3, 0, 1, 2)]  # a corner, and the others


def drawn(result, ax, across, at, name=None):
    """Draws a result of eqs with fields, of modes, of harmonic or of a sweep; None of another."""
    if "axes" in result and "scalars" in result:
        return _sweep(result, ax, name)
    if name is None and "mesh/elements" in result and "fields/potential" in result:
        return _mesh(result, ax, across or "z", at)
    if "n_eff" in result and "mode" in result and "low" in result:
        return _modes(result, ax, name)
    if name is None and result.case is not None and result.case.family == "harmonic":
        return _cell(result, ax)
    return _telling(result, ax) if name is None and not result._curves() else None


# What says most of a run, the first of these that is there.
_groups = ("resonances", "flux", "modes", "orders", "absorption", "ldos", "series", "points", "electrodes", "lines", "history")
_labels = ("material", "step", "rejected")  # numbers that name something, or of the solver


def _telling(result, ax):
    """Intensities over the angle, curves of the first group that has some, or a field."""
    if "scattering_plane/mueller" in result and "scattering_plane/theta" in result:
        mueller = result["scattering_plane/mueller"]
        ax.plot(np.asarray(result["scattering_plane/theta"]), np.asarray(mueller)[..., 0].ravel()
                if mueller.shape[-1] == 16 else np.asarray(mueller)[:, 0, 0])
        ax.set_yscale("log")
        ax.set_xlabel(heading(result["scattering_plane/theta"]))
        ax.set_ylabel("S11")
        return ax
    for top in _groups:
        group = result[top] if top in result else None
        for part in () if group is None else [group, *(group[key] for key in group._children() if not hasattr(group[key], "unit"))]:
            curves = [array for array in part._curves() if last(array.name) not in _labels]
            if "potential" in part and part["potential"].ndim == 2:  # of a line, over times
                curves = [part["potential"][-1]]
            for array in (curves := [array for array in curves if array.unit == curves[0].unit]):
                draw(ax, array)
            if curves:
                ax.set_title(part._prefix.rstrip("/"))
                if len(curves) > 1:
                    ax.set_ylabel(f"[{curves[0].unit}]")
                    ax.legend()
                return ax
    fields = [result[key] for key in result.keys()
              if key.startswith("planes/z/") or key.startswith("voxels/") and last(key)[0] in "EH"]
    if fields:
        field = max(fields, key=lambda array: np.abs(np.asarray(array)).max())
        draw(ax, field[tuple(n // 2 for n in field.shape[:-2])] if field.ndim > 2 else field)
        ax.set_title(field.name)
        return ax
    return None


# meshes


def plane_of_mesh(nodes, elements, values, across, at):
    """(points [n][2], triangles [m][3], values [n]) where tetrahedra meet the plane at a place across axis 0, 1 or 2; values
    are given at nodes and linear between corners."""
    corners = np.asarray(elements)[:, :4].astype(int)
    reach = float(np.ptp(nodes[:, across])) or 1.0
    height = nodes[:, across] - (at + 1e-9 * reach)  # off nodes that lie in the plane
    below = height[corners] < 0
    count = below.sum(1)
    rest = [a for a in range(3) if a != across]
    points, found, triangles, first = [], [], [], 0

    def cut(one, other):
        share = (height[one] / (height[one] - height[other]))[:, None]
        points.append((nodes[one] + share * (nodes[other] - nodes[one]))[:, rest])
        found.append(values[one] + share[:, 0] * (values[other] - values[one]))

    for alone, *others in _tets:  # one corner on its side: a triangle
        here = corners[((count == 1) & below[:, alone]) | ((count == 3) & ~below[:, alone])]
        for other in others:
            cut(here[:, alone], here[:, other])
        n = len(here)
        triangles.append(first + np.arange(n)[:, None] + n * np.arange(3))
        first += 3 * n
    for a, b, c, d in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):  # two and two: a quadrangle
        here = corners[(count == 2) & (below[:, a] == below[:, b])]
        for one, other in ((a, c), (a, d), (b, d), (b, c)):
            cut(here[:, one], here[:, other])
        n = len(here)
        triangles += [first + np.arange(n)[:, None] + n * np.array(t) for t in ((0, 1, 2), (0, 2, 3))]
        first += 4 * n
    return np.concatenate(points), np.concatenate(triangles), np.concatenate(found)


def _mesh(result, ax, across, at):
    """The potential of the last saved time on a plane."""
    if across not in ("x", "y", "z"):
        raise ValueError(f"argument 'across': {across!r} is no axis; give 'x', 'y' or 'z'")
    axis = "xyz".index(across)
    nodes, potential = np.asarray(result["mesh/nodes"]), result["fields/potential"]
    if at is None:
        at = float(nodes[:, axis].min() + nodes[:, axis].max()) / 2
    points, triangles, values = plane_of_mesh(nodes, result["mesh/elements"], np.asarray(potential)[-1], axis, at)
    if not len(triangles):
        raise ValueError(f"argument 'at': {at} m lies outside of the mesh, which is from {nodes[:, axis].min():g} to "
                         f"{nodes[:, axis].max():g} m along {across}")
    image = ax.tripcolor(*points.T, triangles, values, shading="gouraud")
    ax.set_aspect("equal")
    names = [a for a in "xyz" if a != across]
    ax.set_xlabel(f"{names[0]} [m]")
    ax.set_ylabel(f"{names[1]} [m]")
    ax.set_title(f"{across} = {at:g} m, t = {float(np.asarray(result['fields/time'])[-1]):g} s")
    bar(ax, image, heading(potential))
    return ax


# modes and cells


def _curves(ax, along, curves):
    for label, values in curves:
        if len(along) == 1:
            ax.plot(along, values, "o", label=label)
        else:
            order = np.argsort(along, kind="stable")
            ax.plot(np.asarray(along)[order], np.asarray(values)[order], label=label)
    ax.legend()


def _modes(result, ax, name):
    """Of no name |E| of the first mode where its fields are there, else effective indices over wavelength; a number of each mode
    over wavelength, a curve for each; the permittivity or a field on its plane."""
    first = "fields/wavelength1/mode1"
    if name is None and first in result:
        _on_plane(result, ax, np.sqrt(_intensity(result, result[first])), "|E|")
        ax.set_title(f"mode 1, n_eff = {complex(np.atleast_1d(np.asarray(result['n_eff']))[0]).real:.5f}")
        return ax
    array = result["n_eff" if name is None else name]
    if getattr(array, "ndim", 0) == 2:
        values = np.asarray(array)
        _on_plane(result, ax, np.abs(values) if np.iscomplexobj(values) else values,
                  f"|{last(array.name)}|" if np.iscomplexobj(values) else heading(array))
        return ax
    numbers = np.atleast_1d(np.asarray(result["mode"])).astype(int)
    if getattr(array, "shape", None) not in ((numbers.size,), () if numbers.size == 1 else None):
        return None
    wavelength, values = (np.atleast_1d(np.asarray(a)) for a in (result["wavelength"], array))
    for number in sorted(set(numbers)):
        these = numbers == number
        _curves(ax, wavelength[these], [(f"mode {number}", values[these].real)])
    ax.set_xlabel(heading(result["wavelength"]))
    ax.set_ylabel(heading(array))
    return ax


def _intensity(result, fields):
    """|E|^2 at the middles of the cells, of components that lie on their edges."""
    normal, total = _normal(result.case), 0
    for c in range(3):
        if "E" + "xyz"[c] not in fields:
            continue
        field = np.asarray(fields["E" + "xyz"[c]])
        for k, axis in ((1, 1), (2, 0)):  # along a component's own axis it is at the middles already
            low, high = [field.take(range(begin, field.shape[axis] - 1 + begin), axis) for begin in (0, 1)]
            field = low if normal is not None and (normal + k) % 3 == c else (low + high) / 2
        total = total + np.abs(field) ** 2
    return total


def _on_plane(result, ax, values, what):
    """Numbers of the cells of a cross-section, or of the points at their low ends."""
    low, edges = np.asarray(result["low"], float), result["permittivity"].shape
    normal = _normal(result.case)
    if "lines" in result:  # cells of several edges
        ends = [np.asarray(result["lines"][key]) for key in result["lines"].keys()]
        ends = [e if n == len(e) - 1 else np.append(e, 2 * e[-1] - e[-2]) for e, n in zip(ends, values.shape[::-1])]
        bar(ax, ax.pcolormesh(*ends, values), what)
        ax.set_aspect("equal")
    else:
        cell = float(result["cell"])
        middle = 0 if values.shape == edges else cell / 2  # points are drawn about where they are
        low = low - middle
        picture(ax, values, what, "equal", [low[0], low[0] + values.shape[1] * cell, low[1], low[1] + values.shape[0] * cell])
    axes = [f"{'xyz'[(normal + k) % 3]}" if normal is not None else f"axis {k} after the normal" for k in (1, 2)]
    unit = result["low"].unit
    ax.set_xlabel(f"{axes[0]} [{unit}]")
    ax.set_ylabel(f"{axes[1]} [{unit}]")


def _normal(case):
    """The axis along which modes travel, 0 to 2; None where the case does not say it."""
    if case is None:
        return None
    said = case.to_dict()
    table = said.get("modes", {})
    if "normal" in table:
        return "xyz".index(table["normal"])
    for item in [*said.get("source", []), *said.get("monitor", [])]:
        if "at" in table and item.get("name") == table["at"]:
            flat = [a for a, length in enumerate(item.get("size", [])) if length == 0]
            return flat[0] if flat else None
    flat = [a for a, length in enumerate(said.get("domain", {}).get("size", [])) if length == 0]
    return flat[0] if flat else 0


def _cell(result, ax):
    """Reflectance, transmittance and absorptance over wavelength, or over the angle where that alone varies."""
    along = next((result[k] for k in ("wavelength", "angle", "azimuth") if k in result
                  and len(set(np.atleast_1d(np.asarray(result[k])).tolist())) > 1), result["wavelength"])
    group = next((result[g] for g in ("mean", "s", "p") if g in result), {})
    curves = [(key, np.asarray(array)) for key, array in group.items()
              if key.replace("_", " ").split(" ")[0] in ("reflection", "transmission", "absorption") and array.ndim <= 1]
    if not curves:
        raise ValueError("the result has no powers to draw; name an array: result.plot(name)")
    _curves(ax, np.atleast_1d(np.asarray(along)), [(key, np.atleast_1d(values)) for key, values in curves])
    ax.set_xlabel(heading(along))
    ax.set_ylabel("share of the incident power")
    return ax


# sweeps


def _varies(values):
    """From case to case, by more than rounding."""
    return values.dtype.kind in "fiuc" and float(np.ptp(np.abs(values))) > 1e-9 * float(np.abs(values).max())


def _sweep(result, ax, name):
    """A number of each case over the first parameter, a curve for each combination of the others; over two parameters alone
    that have a grid of numbers an image."""
    axes = [(key, result["axes/" + key]) for key in result["axes"].keys()]
    if name is None:
        names = [key for key, array in result["scalars"].items()
                 if not key.startswith(_elsewhere) and "second" not in key and _varies(np.asarray(array))]
        name = next((key for words in ("cross_sections/", "") for key in names if key.startswith(words)), None)
        if name is None:
            raise ValueError("no number changes from case to case; name an array: result.plot(name)")
    array = result[name if name in result else f"scalars/{name}"]
    if array.ndim != 1 or array.size != axes[0][1].size:
        return None
    values = np.asarray(array)
    first, rest = axes[0], axes[1:]
    if len(rest) == 1 and min(len(set(np.asarray(a).tolist())) for _, a in axes) > 2:
        one, other = (np.unique(np.asarray(a)) for _, a in axes)
        if one.size * other.size == values.size:
            grid = np.full((other.size, one.size), np.nan)
            grid[np.searchsorted(other, np.asarray(rest[0][1])), np.searchsorted(one, np.asarray(first[1]))] = values
            image = ax.pcolormesh(one, other, grid, shading="nearest")
            ax.set_xlabel(heading(first[1]))
            ax.set_ylabel(heading(rest[0][1]))
            bar(ax, image, heading(array))
            return ax
    others = np.stack([np.asarray(a) for _, a in rest], 1) if rest else np.zeros((values.size, 0))
    for key in np.unique(others, axis=0):
        these = (others == key).all(1)
        label = ", ".join(f"{last(k)} = {v:g}" for (k, _), v in zip(rest, key)) or last(name)
        _curves(ax, np.asarray(first[1])[these], [(label, values[these])])
    ax.set_xlabel(heading(first[1]))
    ax.set_ylabel(heading(array))
    return ax
