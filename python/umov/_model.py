"""Models drawn."""

import numpy as np

from ._array import draw


def drawn(model, ax, across, at):
    """permittivity of fdtd with sources (red) and monitors (blue), material of dda, on one plane of a volume."""
    import matplotlib.pyplot as plt

    ax = ax or plt.gca()
    whole = model["permittivity"] if "permittivity" in model else model["material"]
    axes = "zyx"
    flat = [a for a, size in zip(axes, whole.shape) if size == 1]
    if len(flat) < 2:
        across = across or (flat[0] if flat else "z")
        if across not in axes:
            raise ValueError(f"argument 'across': {across!r} is no axis; give 'x', 'y' or 'z'")
        place = int(np.argmin(np.abs(np.asarray(model[across]) - at)))
        part = whole[tuple(place if a == across else slice(None) for a in axes)]
    else:
        across = None
        part = whole[tuple(0 if a in flat else slice(None) for a in axes)]
    draw(ax, part)
    if part.ndim == 2:
        ax.set_aspect("equal")
        for group, colour in (("sources", "tab:red"), ("monitors", "tab:blue")):
            if group in model:
                _mark(ax, model[group], part.dims, colour)
    return ax


def _mark(ax, marks, dims, colour):
    down, across = ("xyz".index(name) for name in dims)
    for middle, size in np.asarray(marks):
        x, y = ([middle[k] - size[k] / 2, middle[k] + size[k] / 2] for k in (across, down))
        corners = [x[0], x[1], x[1], x[0], x[0]], [y[0], y[0], y[1], y[1], y[0]]
        ax.plot(*corners, color=colour, marker="." if not size.any() else None)
