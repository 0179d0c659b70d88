"""What plot() draws of a whole result, by what is in it: a plane of a mesh, a mode, spectra of a cell, the cases of a sweep."""

import numpy as np

from ._array import draw, heading, last

_elsewhere = ("run/", "timings/", "memory/", "solver/", "grid/", "axes/")
_tets = [(0, 1, 2, 3), (1, 0, 2, 3), (2, 0, 1, 3), (3, 0, 1, 2)]  # a corner, and the others


def drawn(result, ax, across, at, name=None):
    """Draws a result of eqs with fields, of modes, of harmonic or of a sweep; None of another."""
    if "axes" in result:
        return _sweep(result, ax, name)
    if name is None and "mesh/elements" in result and "fields/potential" in result:
        return _mesh(result, ax, across or "z", at)
    if name is None and result.case is not None and result.case.family == "modes":
        return _modes(result, ax)
    if name is None and result.case is not None and result.case.family == "harmonic":
        return _cell(result, ax)
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
    ax.figure.colorbar(image, ax=ax, label=heading(potential))
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


def _modes(result, ax):
    """|E| of the first mode where its fields are there, else effective indices over wavelength."""
    first = "fields/wavelength1/mode1"
    if first in result:
        group = result[first]
        square = sum(np.abs(np.asarray(group[c])) ** 2 for c in ("Ex", "Ey", "Ez") if c in group)
        whole = group["Ex" if "Ex" in group else "Ez"]
        low, cell = np.asarray(result["low"], float), float(result["cell"])
        rows, columns = square.shape
        image = ax.imshow(np.sqrt(square), origin="lower",
                          extent=[low[0], low[0] + columns * cell, low[1], low[1] + rows * cell])
        ax.set_title(f"mode 1, n_eff = {complex(np.atleast_1d(np.asarray(result['n_eff']))[0]).real:.5f}")
        ax.figure.colorbar(image, ax=ax, label=f"|E| [{whole.unit}]")
        return ax
    numbers = np.atleast_1d(np.asarray(result["mode"])).astype(int)
    wavelength, index = (np.atleast_1d(np.asarray(result[k])) for k in ("wavelength", "n_eff"))
    of = [numbers == n for n in sorted(set(numbers))]
    for number, these in enumerate(of, 1):
        _curves(ax, wavelength[these], [(f"mode {number}", index[these].real)])
    ax.set_xlabel(heading(result["wavelength"]))
    ax.set_ylabel("n_eff")
    return ax


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


def _sweep(result, ax, name):
    """A number of each case over the first parameter, a curve for each combination of the others; over two parameters alone
    that have a grid of numbers an image."""
    axes = [(key, result["axes/" + key]) for key in result["axes"].keys()]
    if name is None:
        name = next((key for key, array in result["scalars"].items()
                     if not key.startswith(_elsewhere) and "second" not in key and len(set(np.asarray(array).tolist())) > 1), None)
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
            ax.figure.colorbar(image, ax=ax, label=heading(array))
            return ax
    others = np.stack([np.asarray(a) for _, a in rest], 1) if rest else np.zeros((values.size, 0))
    for key in np.unique(others, axis=0):
        these = (others == key).all(1)
        label = ", ".join(f"{last(k)} = {v:g}" for (k, _), v in zip(rest, key)) or last(name)
        _curves(ax, np.asarray(first[1])[these], [(label, values[these])])
    ax.set_xlabel(heading(first[1]))
    ax.set_ylabel(heading(array))
    return ax
