"""A cell of Meep as a domain of a case: axes, cells, walls, and the places of its nodes."""

import math

import numpy as np

from ._geometry import write_file
from ._names import CARTESIAN, inf
from ._refusals import cylindrical, refuse

TM, TE = {"Ez", "Hx", "Hy"}, {"Hz", "Ex", "Ey"}


class Frame:
    """Axes of the case and of the cell.

    axes: which of Meep's axes each axis of the case is; signs: of unit vectors; thin: axes of the case of one cell, along
    which nothing changes but the phase of k_point. A node lies at every whole multiple of dx, as Meep's corners of pixels do.
    """

    def __init__(self, sim, components):
        dims = sim.dimensions
        if dims == -2:
            cylindrical("dimensions = mp.CYLINDRICAL")
        size, k = sim.cell_size, sim.wave_vector()
        self.resolution, self.folder = float(sim.resolution), sim.folder
        self.dx = 1 / self.resolution
        kz_in_space = dims == 3 and size.z == 0 and k is not None and k.z != 0
        if dims == 3 and size.z == 0 and not kz_in_space:
            dims = 2
        self.polarization = "tm"
        if dims == 1:
            self.axes, self.signs = (2, 1, 0), (1, -1, 1)
            wrong = components - {"Ex", "Hy"}
            if wrong:
                refuse(f"{', '.join(sorted(wrong))} in one dimension", "write Ex or Hy, or dimensions = 3")
        else:
            self.axes, self.signs = (0, 1, 2), (1, 1, 1)
            if dims == 2:
                if components and components <= TE:
                    self.polarization = "te"
                elif not components <= TM:
                    dims = 3  # both polarizations
        self.dimensions, self.flat = dims, dims < 3
        self.missing = [self.axes[a] for a in range(dims, 3)]
        if dims == 3:  # long rows are fast ones
            order = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
            self.axes = max(order, key=lambda axes: (size[axes[0]] > 0, axes == order[0] or size[0] == 0, size[axes[0]]))
        mirrored = sim.mirrors()
        self.cells, self.low, self.thin = [], [], []
        for a in range(dims):
            m = self.axes[a]
            count = int(math.floor(size[m] * self.resolution + 0.5)) if size[m] < inf / 10 else 0
            if count <= 0:
                count = 1
                self.thin.append(a)
            elif m in mirrored:
                count += count % 2
            self.cells.append(count)
            self.low.append(-(count // 2))  # the number of the first node; the one at 0 has 0
        self.mirrored = [a for a in range(dims) if self.axes[a] in mirrored and a not in self.thin]
        self.dt, self.courant = self._step(sim)
        self.reach = sum(n * self.dx for n in self.cells) + 1
        self.complex_fields = False  # set with the walls
        self.run_end = inf

    def _step(self, sim):
        """Meep's time step; with perfect conductors in space no more than they bear."""
        share = sim.Courant * math.sqrt(self.dimensions)
        if any(material.perfect for material in sim.media()) and self.dimensions == 3:
            share = min(share, 0.75)
        return share * self.dx / math.sqrt(self.dimensions), share

    # places

    def _shift(self, a):
        """Of the domain's middle along an axis, from Meep's origin."""
        return (self.low[a] + self.cells[a] / 2) * self.dx

    def place(self, v):
        """A point of the cell, in the case."""
        return [0.0 if a in self.thin else self.signs[a] * v[self.axes[a]] - self._shift(a) for a in range(self.dimensions)]

    def extent(self, size):
        """A size of the cell, in the case: that of a current or a body."""
        return [math.inf if a in self.thin or size[self.axes[a]] > inf / 10 else float(size[self.axes[a]])
                for a in range(self.dimensions)]

    def turned(self, v):
        """A direction, in the axes of the case."""
        return [self.signs[a] * v[self.axes[a]] for a in range(3)]

    def out_of_plane(self, v):
        """How far a point is out of a flat cell."""
        if self.dimensions == 3:
            return 0.0
        if self.dimensions == 1:
            refuse("round bodies in one dimension", "write Block")
        return v[2]

    def component(self, c):
        """The name of a component in the case, and its sign there."""
        name = c if isinstance(c, str) else CARTESIAN.get(c)
        if name is None:
            cylindrical("components along r and phi")
        a = self.axes.index("xyz".index(name[1]))
        return name[0] + "xyz"[a], self.signs[a]

    def has(self, name):
        """Whether this run has a component, by Meep's name."""
        if self.dimensions == 3:
            return True
        if self.dimensions == 1:
            return name in ("Ex", "Hy")
        return name in (TM if self.polarization == "tm" else TE)

    def components(self):
        return [name for name in ("Ex", "Ey", "Ez", "Hx", "Hy", "Hz") if self.has(name)]

    def offset(self, name):
        """Where a component lies in its cell, along the axes of the case, in cells."""
        own, _ = self.component(name)
        electric = own[0] == "E"
        at = [(0.5 if (own[1] == "xyz"[a]) == electric else 0.0) for a in range(3)]
        return [at[a] if a < self.dimensions else 0.0 for a in range(3)]

    def axis(self, m):
        """The axis of the case that Meep's axis m is; None where the case has none."""
        a = self.axes.index(m)
        return a if a < self.dimensions else None

    def steps(self, time):
        return int(round(time / self.dt))

    def file(self, text, ending):
        return write_file(self.folder, text, ending)


class Nodes:
    """The nodes around a region of the cell and their weights, so that sums over them are integrals along the axes in
    which it is extended, and interpolate along the others.

    first, count: along the axes of the case; weights: three lists. half: of pixels' middles in place of nodes. repeated: axes
    along which pixels beyond the cell are those of the next period.
    """

    def __init__(self, frame, center, size, half=False, repeated=()):
        self.frame = frame
        self.first, self.count, self.weights, self.extended = [0] * 3, [1] * 3, [np.ones(1)] * 3, [False] * 3
        for a in range(frame.dimensions):
            if a in frame.thin:
                self.first[a] = frame.low[a]
                continue
            m = frame.axes[a]
            middle = frame.signs[a] * center[m] * frame.resolution - (0.5 if half else 0)
            length = float(size[m]) * frame.resolution
            low, high = middle - length / 2, middle + length / 2
            end = frame.low[a] + frame.cells[a] - (1 if half else 0)
            if length > 2 * frame.cells[a]:
                low, high = frame.low[a], end
            slack = 1e-6
            begin = int(math.floor(low + slack))
            last = int(math.ceil(high - slack))
            self.extended[a] = length > 0
            low, high = max(low, begin), min(high, last)
            if length > 0:
                last = max(last, begin + 1)
                weight = np.array([_hat_integral(low - i, high - i) for i in range(begin, last + 1)]) * frame.dx
            else:
                weight = np.ones(1) if last == begin else np.array([last - middle, middle - begin])
            cut_low, cut_high = (0, 0) if a in repeated else (max(0, frame.low[a] - begin), max(0, last - end))
            weight = weight[cut_low:len(weight) - cut_high]
            if not len(weight):
                raise ValueError(f"a region of center {center} and size {size} lies outside of the cell")
            self.first[a], self.count[a], self.weights[a] = begin + cut_low, len(weight), weight

    def places(self, a, half=False):
        """Meep's coordinates of the nodes along an axis of the case, in the case's sense."""
        if a >= self.frame.dimensions or a in self.frame.thin:
            return np.zeros(1)
        return (self.first[a] + np.arange(self.count[a]) + (0.5 if half else 0)) * self.frame.dx

    def box(self):
        """center and size of a monitor of the case that has just these nodes."""
        f = self.frame
        center = [0.0 if a in f.thin else (self.first[a] + (self.count[a] - 1) / 2) * f.dx - f._shift(a)
                  for a in range(f.dimensions)]
        for a in f.thin:
            center[a] = -f.dx / 2
        return center, [(self.count[a] - 1) * f.dx for a in range(f.dimensions)]

    def weight(self):
        """Products of the weights, [z][y][x] of the case."""
        x, y, z = self.weights
        return z[:, None, None] * y[None, :, None] * x[None, None, :]

    def points(self):
        """Meep's coordinates of all nodes: [z][y][x][3]."""
        z, y, x = np.meshgrid(*[self.places(a) for a in (2, 1, 0)], indexing="ij")
        of_case = (x, y, z)
        out = np.zeros((*x.shape, 3))
        for a in range(3):
            out[..., self.frame.axes[a]] = self.frame.signs[a] * of_case[a]
        return out


def _hat_integral(low, high):
    """Of the hat 1 - |x| over [low, high]."""
    def upto(x):
        x = min(max(x, -1.0), 1.0)
        return (1 + x) ** 2 / 2 if x < 0 else 1 - (1 - x) ** 2 / 2
    return upto(high) - upto(low)
