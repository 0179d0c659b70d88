"""Modes of a plane in space: guided ones as umov.modes finds them, plane waves where the plane is all of one medium and spans a
cell that repeats.

Fields are those of Fourier monitors, at the nodes: means of the two or four points of the grid around each. A mode has unit flux
Re E x H* through the plane.
"""

import functools
import math
import warnings

import numpy as np

import umov

from ._names import EVEN_Y, EVEN_Z, ODD_Y, ODD_Z, Vector3
from ._refusals import refuse

# Bits of eig_parity: (axis, even, odd).
_parities = ((1, EVEN_Y, ODD_Y), (2, EVEN_Z, ODD_Z))


class Plane:
    """Nodes of a region in space that is flat along Meep's axis `normal`."""

    def __init__(self, sim, nodes, normal):
        self.sim, self.nodes, self.frame, self.n = sim, nodes, nodes.frame, normal
        self.a = self.frame.axis(normal)  # of the case
        if self.a in self.frame.thin:
            refuse("modes of a plane across an axis without extent", "give the cell a length along it, or a plane across "
                   "another axis")

    def middle(self):
        """A point of the plane."""
        place = np.zeros(3)
        for a in range(3):
            at, weight = self.nodes.places(a), self.nodes.weights[a]
            place[self.frame.axes[a]] = (at @ weight) / weight.sum()
        return place

    def spread(self, profile):
        """A profile [z][y][x] over all nodes, which may be two along the normal."""
        return np.broadcast_to(profile, self.nodes.count[::-1]).ravel()

    def modes(self, frequencies, bands, parity, along_guide=None):
        """[frequency][band] of modes; bands: numbers from 1, or a DiffractedPlanewave."""
        if along_guide is not None and any(abs(along_guide(f, 1)[m]) > 1e-12 for f in frequencies[:1] for m in range(3)
                                           if m != self.n):
            refuse("kpoint_func at a slant to a plane in space", "write a plane across the guide")
        if hasattr(bands, "g"):
            return [[self._wave(f, bands)] for f in frequencies]
        if self._repeats() and self._homogeneous(frequencies[0]):
            refuse("numbers of plane waves in space (waves of an order and both polarizations travel alike)",
                   "write mp.DiffractedPlanewave((0, 0, 0), axis, s, p) and other orders")
        return self._guided(frequencies, bands, parity)

    def _epsilon(self, frequency):
        return self.sim.epsilon_at(self.nodes.points().reshape(-1, 3), frequency)

    def _homogeneous(self, frequency):
        eps = self._epsilon(frequency)
        return float(abs(eps - eps[0, 0]).max()) < 1e-9

    def _repeats(self):
        """Whether the plane is a whole cell between walls that repeat."""
        return all(a in self.frame.thin or (self.sim.repeats(a) and self.nodes.count[a] >= self.frame.cells[a])
                   for a in range(3) if a != self.a)

    # guided modes

    def _guided(self, frequencies, bands, parity):
        mirrored = self.sim.mirrors()
        filters = [(m, bool(parity & even)) for m, even, odd in _parities
                   if m != self.n and bool(parity & even) != bool(parity & odd)]
        free = [m for m, _ in filters if m not in mirrored]
        center, size = self.nodes.box()
        center[self.a], size[self.a] = self.frame.place(Vector3(*self.middle()))[self.a], 0.0
        plane = {"kind": "mode", "name": "plane", "center": center, "size": size, "mode": 1,
                 "frequencies": [float(f) for f in frequencies]}
        case = {k: v for k, v in self.sim.case().items() if k not in ("run", "source", "machine")}
        asked = umov.modes.case(case | {"monitor": [plane]}, modes={
            "at": "plane", "wavelengths": [1 / float(f) for f in frequencies], "count": max(bands) * 2 ** len(free),
            "dispersion": False, "extrapolate": 1, "threads": self.sim.threads()})
        try:
            result = _solved(asked)
        except umov.BadInput as error:
            raise ValueError(f"modes of the plane about {Vector3(*self.middle())}: {error}") from error
        for text in result.warnings:
            if "mode" in text and "fewer" not in text:
                self.sim.warn(text)
        index, numbers, wavelengths = (np.atleast_1d(np.asarray(result[k])) for k in ("n_group", "mode", "wavelength"))
        beta = np.atleast_1d(np.asarray(result["n_eff"]))
        found = []
        solved = list(dict.fromkeys(wavelengths.tolist()))  # in an order of their own
        for frequency in frequencies:
            k = 1 + int(np.argmin([abs(w * frequency - 1) for w in solved]))
            rows = np.flatnonzero(wavelengths == solved[k - 1])
            kept = []
            for row in rows:
                fields = result[f"fields/wavelength{k}/mode{int(numbers[row])}"]
                mode = self._mode(fields, 2 * math.pi * frequency * beta[row].real, 1 / float(index[row]), np.asarray(result["low"]))
                if all(mode.parity(self, m) == even for m, even in filters):
                    kept.append(mode)
            if max(bands) > len(kept):
                raise ValueError(f"mode {max(bands)} of the plane about {Vector3(*self.middle())} does not travel at frequency "
                                 f"{frequency:g}; there are {len(kept)} of that parity")
            found.append([kept[b - 1] for b in bands])
        return found

    def _mode(self, fields, beta, velocity, low):
        half = beta * self.frame.dx / 2
        E, H = np.zeros((2, 3, *self._flat_shape()), complex)
        for letter, to in (("E", E), ("H", H)):
            for c in range(3):
                name = letter + "xyz"[c]
                if name in fields:
                    to[self.frame.axes[c]] = self._at_nodes(np.asarray(fields[name]), letter == "E", c, low)
        # monitors have the mean of H half a cell before and behind
        H *= np.cos(half)
        k = [0.0] * 3
        k[self.n] = beta / (2 * math.pi)
        return Mode(self, beta, E, H, velocity, Vector3(*k))

    def _flat_shape(self):
        return tuple(1 if a == self.a else self.nodes.count[a] for a in (2, 1, 0))

    def _at_nodes(self, field, electric, c, low):
        """[z][y][x] of a component along axis c of the case, from its own points [second][first axis after the normal]."""
        axes = (self.a + 1) % 3, (self.a + 2) % 3
        for place, (axis, dim) in enumerate(zip(axes, (1, 0))):
            field = np.moveaxis(field, dim, 0)
            count, walls = len(field) - 1, self.sim.case()["boundary"]["xyz"[axis]]
            low_wall, high_wall = walls if isinstance(walls, list) else (walls, walls)
            mirrored, even = axis in self.frame.mirrored, low_wall == "mirror_even"
            if (c == axis) == electric:  # half a cell off the nodes: E across walls, H along them
                before, after = field[0], field[count - 1]  # as beyond conductors
                if low_wall in ("periodic", "bloch"):
                    before, after = after, before
                if low_wall in ("mirror_even", "pmc"):
                    before = -before
                if high_wall == "pmc":
                    after = -after
                field = (np.concatenate([before[None], field[:count]]) + np.concatenate([field[:count], after[None]])) / 2
            at = self.nodes.first[axis] + np.arange(self.nodes.count[axis])
            at = at - int(round((low[place] + self.frame._shift(axis)) / self.frame.dx))
            sign = np.ones(len(at))
            if mirrored:
                sign[at < 0] = 1 if even == ((c != axis) == electric) else -1
                at = abs(at)
            sign *= (at >= 0) & (at <= count)  # beyond its plane a mode has died out
            field = field[np.clip(at, 0, count)] * sign.reshape(-1, *[1] * (field.ndim - 1))
            field = np.moveaxis(field, 0, dim)
        shape = [1, 1, 1]
        shape[2 - axes[0]], shape[2 - axes[1]] = field.shape[1], field.shape[0]
        return (field if axes[1] > axes[0] else field.T).reshape(shape)

    # plane waves

    def _wave(self, frequency, order):
        """The wave of a DiffractedPlanewave, with the wave number along the normal and the fields that the grid gives it."""
        if not self._repeats() or not self._homogeneous(frequency):
            refuse("DiffractedPlanewave on a part of a cell, or across bodies", "write a plane across the whole cell, between "
                   "walls that repeat (k_point), in one medium")
        frame, dx = self.frame, self.frame.dx
        k, given = np.zeros(3), self.sim.wave_vector() or Vector3()
        for a in range(3):
            m = frame.axes[a]
            if a != self.a:
                k[m] = given[m] + (0 if a in frame.thin else order.g[m] / (frame.cells[a] * dx))
        K, omega = 2 / dx * np.sin(math.pi * k * dx), 2 / frame.dt * math.sin(math.pi * frequency * frame.dt)
        eps = float(self._epsilon(frequency)[0, 0].real)
        square = eps * omega**2 - K @ K
        beta = complex(2 / dx * np.emath.arcsin(np.emath.sqrt(square) * dx / 2))
        exact = math.sqrt(max(eps * frequency**2 - k @ k, 0.0))
        if square <= 0 or abs(beta.imag) > 0:
            return Still(beta)
        K[self.n], k[self.n] = math.sqrt(square), beta.real / (2 * math.pi)
        s = np.cross(K, list(order.axis))
        if np.linalg.norm(s) < 1e-9 * np.linalg.norm(K):
            raise ValueError(f"the axis {order.axis} of a DiffractedPlanewave lies along the wave (it and the wave span the plane of "
                             "incidence); give another")
        s = s / np.linalg.norm(s)
        p = np.cross(s, K) / np.linalg.norm(K)
        E0 = complex(order.s or 0) * s + complex(order.p or 0) * p
        H0 = np.cross(K, E0) / omega
        share = np.cos(math.pi * k * dx)  # of a mean of two points half a cell before and behind
        points = self.nodes.points()
        flat = points.take([0], axis=2 - self.a)
        phase = np.exp(2j * math.pi * sum(flat[..., m] * k[m] for m in range(3) if m != self.n))
        E = np.stack([E0[m] * share[m] * phase for m in range(3)])
        H = np.stack([H0[m] * share[(m + 1) % 3] * share[(m + 2) % 3] * phase for m in range(3)])
        found = Vector3(*[exact if m == self.n else k[m] for m in range(3)])
        return Mode(self, beta.real, E, H, exact / (eps * frequency), found)


class Still:
    """A wave that does not travel."""

    kdom, velocity = Vector3(), 0.0

    def __init__(self, beta):
        self.beta = beta


class Mode:
    """beta, E and H [3][z][y][x] over a plane's nodes in Meep's axes, of unit flux; kdom (in 2 pi / length), group velocity."""

    def __init__(self, plane, beta, E, H, velocity, kdom):
        t, u = (plane.n + 1) % 3, (plane.n + 2) % 3
        weight = [np.ones(1) if a == plane.a else plane.nodes.weights[a] for a in range(3)]
        area = weight[2][:, None, None] * weight[1][None, :, None] * weight[0][None, None, :]
        flux = float(((E[t] * H[u].conj() - E[u] * H[t].conj()).real * area).sum())
        scale = 1 / math.sqrt(abs(flux))
        self.beta, self.E, self.H, self.velocity, self.kdom = beta, E * scale, H * scale, velocity, kdom

    def parity(self, plane, m):
        """Whether the mode is even (as E is a vector) about the plane's middle along Meep's axis m."""
        a = plane.frame.axis(m)
        image = np.flip(self.E, 3 - a) * np.array([-1 if c == m else 1 for c in range(3)])[:, None, None, None]
        tangential = [c for c in range(3) if c != plane.n]
        return float((self.E[tangential].conj() * image[tangential]).real.sum()) > 0


@functools.lru_cache(maxsize=4)
def _solved(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return case.run()
