"""Fourier transforms of fields over regions, and what is made of them: fluxes, far fields, energies, forces, modes.

Every region has a monitor of kind `fourier`, whose fields are on the nodes. Transforms are Meep's: integral of
exp(2 pi i f t) F(t) dt / sqrt(2 pi); fluxes Re E* x H, energies Re E* D / 2, without the half of a mean over time.
"""

import math
import warnings

import numpy as np

from . import _green, _modes, _planes
from ._frame import Nodes
from ._launch import normal_of
from ._names import AUTOMATIC, CARTESIAN, NO_PARITY, Vector3, Volume, vector


class FluxRegion:
    """A plane, line or point with a weight: center and size, or a volume."""

    def __init__(self, center=None, size=Vector3(), direction=AUTOMATIC, weight=1.0, volume=None):
        if volume is not None:
            center, size = volume.center, volume.size
        if center is None:
            raise ValueError("a region has a center or a volume; give one of them")
        self.center, self.size, self.direction, self.weight = vector(center), vector(size), direction, complex(weight)


ModeRegion = Near2FarRegion = ForceRegion = EnergyRegion = FluxRegion


def frequencies_of(arguments):
    """(frequencies, regions) of fcen, df, nfreq, *regions or a list of frequencies, *regions."""
    arguments = list(arguments)
    if np.ndim(arguments[0]) == 1:
        return np.asarray(arguments[0], float), arguments[1:]
    fcen, df, count, *regions = arguments
    if count < 1:
        raise ValueError(f"{count} frequencies; give one or more")
    f = np.linspace(fcen - df / 2, fcen + df / 2, int(count)) if count > 1 else np.array([float(fcen)])
    return f, regions


def _own(values, low, part, axis):
    """Numbers midway between nodes, where they were before the mean of two was taken for each node: by the polynomial of third
    degree (at the ends of second degree) whose means the nodes have. Beyond the ends the line through two nodes goes on."""
    n = values.shape[axis]
    weights = np.zeros((len(low), n))
    for row, (i, share) in enumerate(zip(low, part)):
        if abs(share - 0.5) > 1e-6 or n < 3:
            weights[row, [i, min(i + 1, n - 1)]] += 1 - share, share
        elif 0 < i < n - 2:
            weights[row, i - 1:i + 3] = -1 / 8, 5 / 8, 5 / 8, -1 / 8
        elif i == 0:
            weights[row, :3] = 1 / 4, 1, -1 / 4
        else:
            weights[row, n - 3:] = -1 / 4, 1, 1 / 4
    return np.moveaxis(np.tensordot(weights, values, (1, axis)), 0, axis)


class DftObj:
    """Transforms over regions, from when they were added."""

    components = None  # by name; None: what a flux through the region's normal needs

    def __init__(self, sim, frequencies, regions):
        self.sim, self.freq = sim, np.asarray(frequencies, float)
        self.regions = [r for r in regions if isinstance(r, FluxRegion)]
        if len(self.regions) != len(regions) or not regions:
            raise TypeError("give regions (mp.FluxRegion and its like), one or more, after the frequencies")
        if not (self.freq > 0).all():
            raise ValueError(f"frequencies from {self.freq.min():g} on; give some above 0")
        self.offset = [{} for _ in self.regions]
        self.names = []
        sim.add_transform(self)

    def __getstate__(self):
        raise TypeError("transforms belong to a simulation; keep sim.get_flux_data(...) and its like")

    @property
    def nfreqs(self):
        return len(self.freq)

    def _nodes(self, i):
        r = self.regions[i]
        return Nodes(self.sim.frame, r.center, r.size)

    def _normal(self, i):
        r = self.regions[i]
        return normal_of(self.sim.frame, r.size, r.direction, "a region")

    def _wanted(self, i):
        names = self.components
        if names is None:
            n = "xyz"[self._normal(i)]
            names = [c for c in ("Ex", "Ey", "Ez", "Hx", "Hy", "Hz") if c[1] != n]
        return [c for c in names if self.sim.frame.has(c)]

    def monitors(self):
        """Monitors of the case."""
        frame, tables = self.sim.frame, []
        self.names = []
        for i in range(len(self.regions)):
            center, size = self._nodes(i).box()
            self.names.append(self.sim.new_name("fourier"))
            tables.append({"kind": "fourier", "name": self.names[-1], "center": center, "size": size,
                           "fields": [frame.component(c)[0] for c in self._wanted(i)], "frequencies": self.freq.tolist()})
        return tables

    def raw(self, i):
        """Transforms of region i by Meep's names, [frequency][z][y][x] of the case, since the beginning of the run."""
        frame, nodes, result = self.sim.frame, self._nodes(i), self.sim.result()
        shape = (len(self.freq), *nodes.count[::-1])
        if result is None:
            return {c: np.zeros(shape, complex) for c in self._wanted(i)}
        group, imaginary = result[f"fourier/{self.names[i]}"], self.sim.imaginary()
        found = {}
        for c in self._wanted(i):
            name, sign = frame.component(c)
            given = np.asarray(group[name])
            if imaginary is not None:
                given = given + 1j * np.asarray(imaginary[f"fourier/{self.names[i]}"][name])
            values = np.zeros(shape, complex)
            keep = [slice(0, min(m, n)) for m, n in zip(given.shape[1:], shape[1:])]
            values[(slice(None), *keep)] = given[(slice(None), *keep)] * (sign / math.sqrt(2 * math.pi))
            for a in range(frame.dimensions):
                self._close(values, given, nodes, a)
            found[c] = values
        return found

    def _close(self, values, given, nodes, a):
        """The last node of a period is the first one, with the phase of the wave vector."""
        frame, axis = self.sim.frame, 3 - a
        if given.shape[axis] >= values.shape[axis] or not self.sim.repeats(a) or nodes.first[a] != frame.low[a]:
            return
        if nodes.count[a] != frame.cells[a] + 1:
            return
        phase = np.exp(2j * math.pi * self.sim.along(a) * frame.cells[a] * frame.dx)
        to, of = [slice(None)] * 4, [slice(None)] * 4
        to[axis], of[axis] = -1, 0
        values[tuple(to)] = values[tuple(of)] * phase

    def fields(self, i):
        """As raw, with what was loaded, and without what there was when the monitor was added."""
        found = self.raw(i)
        for c, offset in self.offset[i].items():
            if c in found:
                found[c] = found[c] + offset
        return found

    def begin_here(self):
        """Transforms count from now on."""
        for i in range(len(self.regions)):
            self.shift([self.raw(i)], -1, [i])

    def shift(self, data, factor, which=None):
        for i, added in zip(range(len(self.regions)) if which is None else which, data):
            for c, values in added.items():
                if values.shape != (len(self.freq), *self._nodes(i).count[::-1]):
                    raise ValueError("the loaded transforms are of other frequencies or of another region; load those of "
                                     "a monitor like this one")
                self.offset[i][c] = self.offset[i].get(c, 0) + factor * values

    def data(self):
        return [self.fields(i) for i in range(len(self.regions))]

    def scale_dfts(self, factor):
        for i in range(len(self.regions)):
            now = self.fields(i)
            self.shift([now], factor - 1, [i])

    def norm(self):
        """Sum of |F|^2 over all."""
        return sum(float((abs(v) ** 2).sum()) for i in range(len(self.regions)) for v in self.raw(i).values())

    def array(self, component, number):
        """Transforms at the pixels' middles within the first region, in Meep's order of axes."""
        frame, r = self.sim.frame, self.regions[0]
        name = component if isinstance(component, str) else CARTESIAN[component]
        if name[0] in "DB":
            other = self.array({"D": "E", "B": "H"}[name[0]] + name[1], number)
            if name[0] == "B":
                return other
            middles = self.sim.pixels(r.center, r.size)
            eps = self.sim.epsilon_at(middles.points().reshape(-1, 3) + self._half(), self.freq[number])[:, "xyz".index(name[1])]
            return self._collapse(eps.reshape(middles.count[::-1]), middles) * other
        values = self.fields(0).get(name)
        if values is None:
            if frame.has(name):
                raise ValueError(f"{name} is not among the components of this monitor")
            middles = self.sim.pixels(r.center, r.size)
            return self._collapse(np.zeros(middles.count[::-1], complex), middles)
        nodes, middles = self._nodes(0), self.sim.pixels(r.center, r.size)
        found = values[number]
        for a in range(frame.dimensions):
            if a in frame.thin:
                continue
            axis = 2 - a
            if not nodes.extended[a]:
                found = np.tensordot(found, nodes.weights[a], (axis, 0))
                found = np.expand_dims(found, axis)
                continue
            wanted = middles.first[a] + np.arange(middles.count[a]) + 0.5
            have = nodes.first[a] + np.arange(nodes.count[a])
            turns = 0
            if a in [b for b in range(3) if b < frame.dimensions and self.sim.repeats(b)] and len(have) > frame.cells[a]:
                turns = np.floor((wanted - have[0]) / frame.cells[a])
                wanted = wanted - turns * frame.cells[a]
            share = wanted - have[0]  # half a cell beyond the ends the line through the last two nodes goes on
            low = np.clip(np.floor(share).astype(int), 0, max(len(have) - 2, 0))
            flat = [-1 if b == axis else 1 for b in range(3)]
            part = (share - low).reshape(flat)
            if frame.offset(name)[a]:
                found = _own(found, low, share - low, axis)
            else:
                high = np.minimum(low + 1, len(have) - 1)
                found = np.take(found, low, axis) * (1 - part) + np.take(found, high, axis) * part
            if np.any(turns):
                phase = np.exp(2j * math.pi * self.sim.along(a) * turns * frame.cells[a] * frame.dx)
                found = found * phase.reshape(part.shape)
        return self.sim.meep_order(found, nodes, [not nodes.extended[a] for a in range(3)])

    def _half(self):
        half = np.zeros(3)
        for a in range(self.sim.frame.dimensions):
            if a not in self.sim.frame.thin:
                half[self.sim.frame.axes[a]] = self.sim.frame.dx / 2
        return half

    def _collapse(self, values, middles):
        for a in range(3):
            if not middles.extended[a] and a < self.sim.frame.dimensions and a not in self.sim.frame.thin:
                values = np.expand_dims(np.tensordot(values, middles.weights[a], (2 - a, 0)), 2 - a)
        return self.sim.meep_order(values, middles, [not middles.extended[a] for a in range(3)])


class DftFlux(DftObj):
    def _flux(self, i):
        n = self._normal(i)
        t, u = (n + 1) % 3, (n + 2) % 3
        f, weight = self.fields(i), self._nodes(i).weight()
        total = np.zeros(len(self.freq))
        for a, b, sign in ((t, u, 1), (u, t, -1)):
            E, H = f.get("E" + "xyz"[a]), f.get("H" + "xyz"[b])
            if E is not None and H is not None:
                total = total + sign * ((E.conj() * H).real * weight).sum((1, 2, 3))
        return total * self.regions[i].weight.real

    def fluxes(self):
        return sum(self._flux(i) for i in range(len(self.regions)))


class DftForce(DftObj):
    components = ["Ex", "Ey", "Ez", "Hx", "Hy", "Hz"]

    def _plane(self, i):
        return normal_of(self.sim.frame, self.regions[i].size, AUTOMATIC, "a ForceRegion")

    def forces(self):
        """Through each region's plane, along its direction: Maxwell's stress tensor in vacuum."""
        total = np.zeros(len(self.freq))
        for i, r in enumerate(self.regions):
            n = self._plane(i)
            d = n if r.direction == AUTOMATIC else r.direction
            f, weight = self.fields(i), self._nodes(i).weight()
            density = 0
            for letter in "EH":
                one, other = f.get(letter + "xyz"[d]), f.get(letter + "xyz"[n])
                if one is not None and other is not None:
                    density = density + (one.conj() * other).real
                if d == n:
                    density = density - sum(abs(f[c]) ** 2 for c in f if c[0] == letter) / 2
            total = total + (density * weight).sum((1, 2, 3)) * r.weight.real
        return total


class DftEnergy(DftObj):
    components = ["Ex", "Ey", "Ez", "Hx", "Hy", "Hz"]

    def energies(self, letter):
        total = np.zeros(len(self.freq))
        for i, r in enumerate(self.regions):
            nodes, f = self._nodes(i), self.fields(i)
            weight = nodes.weight()
            for k, frequency in enumerate(self.freq):
                points = nodes.points().reshape(-1, 3)
                factor = self.sim.epsilon_at(points, frequency).real if letter == "E" else self.sim.mu_at(points)
                for c, values in f.items():
                    if c[0] == letter:
                        density = abs(values[k]) ** 2 * factor[:, "xyz".index(c[1])].reshape(values[k].shape)
                        total[k] += (density * weight).sum() / 2 * r.weight.real
        return total


class DftFields(DftObj):
    def __init__(self, sim, components, frequencies, region):
        self.components = []
        for c in components:
            if c not in CARTESIAN:
                raise TypeError(f"a component is a number as mp.Ez, not {c!r}")
            name = CARTESIAN[c]
            name = {"D": "E", "B": "H"}.get(name[0], name[0]) + name[1]
            if name not in self.components:
                self.components.append(name)
        super().__init__(sim, frequencies, [region])

    def _nodes(self, i):
        """The corners of all pixels that get_dft_array has."""
        nodes, pixels = super()._nodes(i), Nodes(self.sim.frame, self.regions[i].center, self.regions[i].size, half=True)
        for a in range(self.sim.frame.dimensions):
            if nodes.extended[a]:
                # of a whole period's corners those of the cell, which repeat
                nodes.first[a], nodes.count[a] = pixels.first[a], pixels.count[a] + 1
                nodes.weights[a] = np.full(nodes.count[a], self.sim.frame.dx)
        return nodes


class DftNear2Far(DftObj):
    periods = 0  # copies of the cell on each side, along axes of k_point that a region spans

    def _copies(self, nodes):
        """(shift, phase) of the cell's copies that radiate too."""
        copies = [(np.zeros(3), 1.0)]
        frame = self.sim.frame
        for a in range(frame.dimensions):
            if self.periods and nodes.extended[a] and self.sim.repeats(a) and nodes.count[a] >= frame.cells[a]:
                step = np.eye(3)[frame.axes[a]] * frame.cells[a] * frame.dx
                turn = 2j * math.pi * frame.signs[a] * self.sim.along(a) * frame.cells[a] * frame.dx
                copies = [(shift + m * step, phase * np.exp(turn * m)) for shift, phase in copies
                          for m in range(-self.periods, self.periods + 1)]
        return copies

    def far(self, points):
        """Fields [frequency][point][6] at points [point][3]."""
        frame, found = self.sim.frame, np.zeros((len(self.freq), len(points), 6), complex)
        self._warn_near(np.asarray(points, float))
        for i, r in enumerate(self.regions):
            n, nodes = self._normal(i), self._nodes(i)
            f, weight = self.fields(i), nodes.weight().ravel() * r.weight
            places = nodes.points().reshape(-1, 3)
            unit = np.eye(3)[n]
            middle = np.array([list(r.center)])
            for k, frequency in enumerate(self.freq):
                eps = self.sim.epsilon_at(middle, frequency)[0, 0].real
                E, H = [np.array([f[letter + x][k].ravel() if letter + x in f else np.zeros(len(weight)) for x in "xyz"])
                        * weight for letter in "EH"]
                J, M = np.cross(unit, H.T).T, -np.cross(unit, E.T).T
                for shift, phase in self._copies(nodes):
                    found[k] += phase * _green.fields(frame.dimensions - len(frame.thin), 2 * math.pi * frequency, eps,
                                                      places + shift, J, M, np.asarray(points, float))
        return found

    def _warn_near(self, points):
        """Sums over the pixels of a surface are integrals from two pixels on: the rest falls as exp(-2 pi distance / pixel)."""
        nearest = min((float(np.linalg.norm(np.maximum(np.abs(points - list(r.center)) - np.array(list(self._inplane(r.size))) / 2, 0),
                                            axis=1).min()) for r in self.regions), default=math.inf)
        if nearest < 2 / self.sim.resolution:
            warnings.warn(f"get_farfield: a point lies {nearest * self.sim.resolution:.2g} pixels from the surface of the "
                          "monitor, whose pixels it sees one by one; keep two pixels away, or read the field by add_dft_fields",
                          stacklevel=4)

    def flux(self, direction, where, resolution):
        """The flux through a plane far away: a list, a number per frequency."""
        size = self._inplane(where.size)
        points, weight, _ = grid(Volume(where.center, size), resolution)
        f = self.far(points)
        t, u = (direction + 1) % 3, (direction + 2) % 3
        density = (f[:, :, t].conj() * f[:, :, 3 + u] - f[:, :, u].conj() * f[:, :, 3 + t]).real
        return [float(v) for v in density.sum(1) * weight]

    def _inplane(self, size):
        return Vector3(*[0 if self.sim.frame.axis(m) is None or self.sim.frame.axis(m) in self.sim.frame.thin else size[m]
                         for m in range(3)])


def grid(where, resolution):
    """Points [n][3] of a volume, the volume of one, and how many along x, y and z."""
    along, count, cell = [], [], 1.0
    for m in range(3):
        n = max(1, int(math.floor(where.size[m] * resolution)))
        count.append(n)
        if n > 1:
            along.append(where.center[m] - where.size[m] / 2 + np.arange(n) * where.size[m] / (n - 1))
            cell *= where.size[m] / (n - 1)
        else:
            along.append(np.array([where.center[m]]))
    x, y, z = np.meshgrid(*along, indexing="ij")
    return np.stack([x.ravel(), y.ravel(), z.ravel()], 1), cell, count


class EigCoeffsResult:
    """alpha [band][frequency][0: along the normal, 1: against it]; vgrp, kpoints, kdom, cscale: of the first band at each
    frequency, then of the next."""

    def __init__(self, alpha, vgrp, kpoints, kdom, cscale):
        self.alpha, self.vgrp, self.kpoints, self.kdom, self.cscale = alpha, vgrp, kpoints, kdom, cscale


def coefficients(flux, bands, parity=NO_PARITY, kpoint_func=None):
    """Amplitudes of modes in the fields of the first region: |alpha|^2 is their flux."""
    sim, n, nodes = flux.sim, flux._normal(0), flux._nodes(0)
    where = (_planes.Plane if sim.frame.dimensions == 3 else _modes.Line)(sim, nodes, n)
    numbers = bands if hasattr(bands, "g") else [int(b) for b in bands]
    found = where.modes(flux.freq, numbers, parity, kpoint_func)
    count = len(found[0])
    f, weight = flux.fields(0), nodes.weight().ravel()
    t, u = (n + 1) % 3, (n + 2) % 3
    away_from_middle = nodes.points().reshape(-1, 3)[:, n] - where.middle()[n]
    alpha = np.zeros((count, len(flux.freq), 2), complex)
    vgrp = np.zeros(count * len(flux.freq))
    for k, modes in enumerate(found):
        for b, mode in enumerate(modes):
            if abs(complex(mode.beta).imag) > 0:
                continue  # does not travel
            one = two = 0
            away = np.exp(-1j * mode.beta * away_from_middle)
            for a, c, sign in ((t, u, 1), (u, t, -1)):
                E, H = f.get("E" + "xyz"[a]), f.get("H" + "xyz"[c])
                if E is not None and H is not None:
                    one = one + sign * (E[k].ravel() * where.spread(mode.H[c]).conj() * weight)
                    two = two + sign * (H[k].ravel() * where.spread(mode.E[a]).conj() * weight)
            alpha[b, k] = ((one + two) * away).sum() / 2, ((one - two) / away).sum() / 2
            vgrp[b * len(flux.freq) + k] = mode.velocity
    order = [found[k][b].kdom for b in range(count) for k in range(len(flux.freq))]
    return EigCoeffsResult(alpha * math.sqrt(abs(flux.regions[0].weight)), vgrp, order, order, np.ones(len(vgrp)))


def get_flux_freqs(f):
    """The frequencies of a monitor."""
    return f.freq.tolist()


get_near2far_freqs = get_force_freqs = get_energy_freqs = get_eigenmode_freqs = get_flux_freqs


def get_fluxes(f):
    """Of each frequency."""
    return f.fluxes().tolist()


def get_forces(f):
    return f.forces().tolist()


def get_electric_energy(f):
    return f.energies("E").tolist()


def get_magnetic_energy(f):
    return f.energies("H").tolist()


def get_total_energy(f):
    return (f.energies("E") + f.energies("H")).tolist()


def scale_flux_fields(s, flux):
    flux.scale_dfts(s)


scale_near2far_fields = scale_force_fields = scale_energy_fields = scale_flux_fields
