"""Modes of a line across a flat cell: guided ones of a slab by finite differences, plane waves of a homogeneous line.

Along the normal n of the line, the line's own axis t and z, with exp(i beta n - i omega t): of E along z
    Ez'' + omega^2 eps Ez = beta^2 Ez,                       Hn = Ez' / (i omega),      Ht = - b Ez / omega
of H along z
    eps (Hz' / eps)' + omega^2 eps Hz = beta^2 Hz,           En = Hz' / (-i omega eps), Et = b Hz / (omega eps)
for right-handed (n, t, z). All is that of the grid: omega is 2 / dt sin(omega dt / 2), beta^2 is (2 / dx sin(beta dx / 2))^2,
and b relates the two fields across the line as monitors have them, H being the mean of the points half a cell before and
behind: sin(beta dx) / dx where E is along z, 2 / dx tan(beta dx / 2) where H is. A mode has unit flux Re E x H*.
"""

import math

import numpy as np

from ._names import EVEN_Y, ODD_Y, Vector3, vector


class Line:
    """A line of nodes across a flat cell, with the permittivity along it.

    nodes: of a region whose size is not 0 along one axis; t, n: Meep's axes along it and normal to it.
    """

    def __init__(self, sim, nodes, normal):
        frame = self.frame = nodes.frame
        self.sim, self.nodes, self.n = sim, nodes, normal
        spread = [a for a in range(frame.dimensions) if nodes.extended[a]]
        if frame.dimensions == 1 or (not spread and frame.dimensions == 2):
            self.a = None  # a point: one plane wave
        else:
            self.a = spread[0]
        self.t = {0: 1, 1: 0, 2: 0}[normal] if self.a is None else frame.axes[self.a]
        self.sense = 1 if (normal, self.t) in ((0, 1), (1, 2), (2, 0)) else -1  # of (n, t, z) as a frame
        self.weights = np.ones(1) if self.a is None else nodes.weights[self.a]
        self.places = np.zeros(1) if self.a is None else nodes.places(self.a)
        k = sim.wave_vector()
        self.k = k if k is not None else Vector3()
        whole = self.a is not None and len(self.places) >= frame.cells[self.a]
        self.periodic = self.a is None or (k is not None and whole and sim.layer_thickness(self.t, 0) == 0)
        self.period = None if self.a is None else frame.cells[self.a] * frame.dx

    def epsilon(self, frequency, parts=10):
        """Permittivities of sub-cells of the line: [node][part], each node's from half a cell before it to half a cell
        beyond."""
        if self.a is None:
            at = np.array([self.middle()])
        else:
            shares = (np.arange(parts) + 0.5) / parts - 0.5
            along = (self.places[:, None] + shares[None, :] * self.frame.dx).ravel()
            at = np.tile(self.middle(), (len(along), 1))
            at[:, self.t] = along
        return self.sim.epsilon_at(at, frequency)[:, 2 if self.a is None else 2].real.reshape(
            len(self.places), -1)

    def middle(self):
        """A point of the line, in the plane that it was asked for in."""
        place = np.zeros(3)
        for a in range(self.frame.dimensions):
            at, weight = self.nodes.places(a), self.nodes.weights[a]
            m = self.frame.axes[a]
            place[m] = self.frame.signs[a] * (at @ weight) / weight.sum()
        return place

    def homogeneous(self, frequency):
        eps = self.epsilon(frequency)
        return float(eps.max() - eps.min()) < 1e-9

    def spread(self, profile):
        """A profile along the line over all nodes, which may be two along the normal."""
        shape = [1, 1, 1] if self.a is None else [-1 if x == 2 - self.a else 1 for x in range(3)]
        return np.broadcast_to(np.reshape(profile, shape), self.nodes.count[::-1]).ravel()

    def modes(self, frequencies, bands, parity, along_guide=None):
        """[frequency][band]; see modes."""
        guide = None if hasattr(bands, "g") else along_guide
        return [modes(self, f, bands, parity, guide and guide(f, bands[0])) for f in frequencies]


class Mode:
    """beta, E and H [3][node] in Meep's axes, kdom (in 2 pi / length), group velocity."""

    def __init__(self, line, frequency, beta, tangential, slope, eps, wave_numbers):
        """tangential: Ez or Hz at the nodes; slope: its derivative along the line, on them; eps: on them."""
        dx, s = line.frame.dx, line.sense
        omega = grid_frequency(line.frame, frequency)
        self.beta, half = beta, beta * dx / 2
        along_z = line.frame.polarization == "tm" or line.frame.dimensions == 1
        b = np.sin(2 * half) / dx if along_z else 2 / dx * np.tan(half)
        E, H = np.zeros((3, len(tangential)), complex), np.zeros((3, len(tangential)), complex)
        if line.frame.polarization == "tm" and line.frame.dimensions == 2:
            E[2], H[line.n], H[line.t] = tangential, s * slope / (1j * omega), -s * b * tangential / omega
            flux = -s * (E[2] * H[line.t].conj())
        elif line.frame.dimensions == 1:
            E[0], H[1] = tangential, b * tangential / omega
            flux = E[0] * H[1].conj()
        else:
            H[2], E[line.n], E[line.t] = tangential, s * slope / (-1j * omega * eps), s * b * tangential / (omega * eps)
            flux = s * (E[line.t] * H[2].conj())
        power = (flux.real * line.weights).sum()
        scale = 1 / math.sqrt(abs(power)) if power else 1
        self.E, self.H = E * scale, H * scale
        energy = ((eps * (abs(self.E) ** 2).sum(0) + (abs(self.H) ** 2).sum(0)) * line.weights).sum() / 2
        self.velocity = 1 / energy if energy else 0.0
        normal, across = wave_numbers
        k = [0.0] * 3
        k[line.n], k[line.t] = normal, across
        self.kdom = Vector3(*k)


def plane_wave(line, frequency, across, parity=0):
    """The wave of a wave number (2 pi / length) along the line; with a parity the sum or difference with its mirror
    image."""
    eps = float(line.epsilon(frequency)[0, 0])
    square = eps * frequency**2 - across**2
    dx = line.frame.dx
    sine = eps * (grid_frequency(line.frame, frequency) * dx / 2) ** 2 - math.sin(math.pi * across * dx) ** 2
    normal = complex(np.emath.arcsin(np.emath.sqrt(min(sine, 1.0)))) / (math.pi * dx)  # the grid's
    normal = normal.real if sine > 0 else 1j * abs(normal.imag)
    phase = 2 * math.pi * across * (line.places - line.places.mean() * bool(parity))
    if parity:
        cosine = (parity == EVEN_Y) == (line.frame.polarization == "tm")
        value = np.cos(phase) if cosine else np.sin(phase)
        slope = 2 * math.pi * across * (-np.sin(phase) if cosine else np.cos(phase))
    else:
        value = np.exp(1j * phase)
        slope = 2j * math.pi * across * value
    return Mode(line, frequency, 2 * math.pi * normal, value.astype(complex), slope.astype(complex), np.full(len(value), eps),
                (math.sqrt(max(square, 0.0)), across))


def grid_frequency(frame, frequency):
    """The angular frequency that differences in time make of one."""
    return 2 / frame.dt * math.sin(math.pi * frequency * frame.dt)


def orders(line, frequency, count, parity):
    """Wave numbers along a homogeneous line, from the one nearest to the normal on."""
    if line.a is None:
        return [line.k[line.t] if line.frame.dimensions > 1 else 0.0] * count
    k = line.k[line.t] if line.periodic else 0.0
    period = line.period if line.periodic else len(line.places) * line.frame.dx
    found = sorted(((k + m / period) for m in range(-2 * count - 2, 2 * count + 3)), key=lambda q: (round(abs(q), 9), -q))
    if parity:
        found = [q for q in found if q > 1e-12 or (abs(q) <= 1e-12 and parity_keeps_normal(line, parity))]
    return found[:count]


def parity_keeps_normal(line, parity):
    return (parity == EVEN_Y) == (line.frame.polarization == "tm")


def transverse_parity(line, parity):
    """EVEN_Y, ODD_Y or 0: what eig_parity says of a line along y."""
    return parity & (EVEN_Y | ODD_Y) if line.t == 1 else 0


def guided(line, frequency, bands, parity):
    """Modes of these numbers, from 1, by decreasing effective index."""
    frame, parity = line.frame, transverse_parity(line, parity)
    sub = line.epsilon(frequency)
    mean, n, dx = sub.mean(1), len(sub), frame.dx
    omega2 = grid_frequency(frame, frequency) ** 2
    difference = (np.eye(n, k=1) - np.eye(n)) / dx  # from node to half-way to the next; beyond the ends the field is 0
    first = np.zeros((1, n))
    first[0, 0] = 1 / dx
    difference = np.vstack([first, difference])
    if frame.polarization == "tm":
        matrix = omega2 * np.diag(mean) - difference.T @ difference
        square, fields = np.linalg.eigh(matrix)
        eps = mean
    else:
        half = sub.shape[1] // 2
        shifted = np.concatenate([np.repeat(sub[:1, :1], half), sub.ravel(), np.repeat(sub[-1:, -1:], half)])
        along = 1 / shifted.reshape(n + 1, -1).mean(1)  # of E along the normal, half a cell off the nodes
        inverse = (1 / sub).mean(1)
        root = 1 / np.sqrt(inverse)
        matrix = root[:, None] * (omega2 * np.eye(n) - difference.T @ (along[:, None] * difference)) * root[None, :]
        square, fields = np.linalg.eigh(matrix)
        fields = root[:, None] * fields
        eps = 1 / inverse
    order = np.argsort(-square)
    found = {}
    number = 0
    for index in order:
        if square[index] <= 0:
            break
        h = fields[:, index]
        if parity:
            even = (h @ h[::-1]) > 0
            if even != parity_keeps_normal(line, parity):
                continue
        number += 1
        if number in bands:
            found[number] = _mode_of(line, frequency, square[index], h, eps, difference)
        if number >= max(bands):
            break
    for band in bands:
        if band not in found:
            raise ValueError(f"mode {band} of the line about {Vector3(*line.middle())} does not travel at frequency "
                             f"{frequency:g}; there are {number} of that parity")
    return [found[band] for band in bands]


def _mode_of(line, frequency, square, h, eps, difference):
    dx = line.frame.dx
    reach = min(1.0, math.sqrt(square) * dx / 2)
    beta = 2 / dx * math.asin(reach)  # the phase per cell that the grid gives this mode
    d = difference @ h
    slope = (d[1:] + d[:-1]) / 2
    at = int(np.argmax(abs(h)))
    h, slope = h * np.sign(h[at]), slope * np.sign(h[at])
    return Mode(line, frequency, beta, h.astype(complex), slope.astype(complex), eps, (beta / (2 * math.pi), 0.0))


class Across(Line):
    """The line through the middle of another, across a direction at a slant to it, with the cells of the grid."""

    def __init__(self, line, direction):
        self.frame, self.sim, self.n, self.t, self.sense = line.frame, line.sim, line.n, line.t, line.sense
        self.origin = line.middle()
        self.forward = np.array(list(direction), float) / np.linalg.norm(list(direction))
        self.side = np.cross([0, 0, 1], self.forward) * line.sense
        reach = int(np.ceil((line.places[-1] - line.places[0]) / 2 / line.frame.dx))
        self.places = np.arange(-reach, reach + 1) * line.frame.dx
        self.weights, self.a, self.k, self.periodic = np.full(len(self.places), line.frame.dx), line.a, line.k, False

    def epsilon(self, frequency, parts=10):
        shares = (np.arange(parts) + 0.5) / parts - 0.5
        along = (self.places[:, None] + shares[None, :] * self.frame.dx).ravel()
        at = self.origin + along[:, None] * self.side
        return self.sim.epsilon_at(at, frequency)[:, 2].real.reshape(len(self.places), -1)


class Slanted:
    """A mode of a guide at a slant to a line, on the line: beta along the line's normal, E and H, of unit flux through it."""

    def __init__(self, line, direction, mode, across):
        points = np.tile(across.origin, (len(line.places), 1))
        points[:, line.t] = line.places
        away = points - across.origin
        s, ahead = away @ across.side, away @ across.forward
        phase = np.exp(1j * mode.beta * ahead)
        turned = np.array([across.forward if m == line.n else across.side if m == line.t else [0.0, 0, 1] for m in range(3)])
        self.E, self.H = [turned.T @ np.array([np.interp(s, across.places, f.real, 0, 0)
                                               + 1j * np.interp(s, across.places, f.imag, 0, 0) for f in F]) * phase
                          for F in (mode.E, mode.H)]
        t, u = (line.n + 1) % 3, (line.n + 2) % 3
        flux = ((self.E[t] * self.H[u].conj() - self.E[u] * self.H[t].conj()).real * line.weights).sum()
        self.E, self.H = self.E / math.sqrt(abs(flux)), self.H / math.sqrt(abs(flux))
        self.beta = mode.beta * across.forward[line.n]
        self.velocity = mode.velocity
        self.kdom = Vector3(*(across.forward * mode.beta / (2 * math.pi)))


def modes(line, frequency, bands, parity, along_guide=None):
    """Modes of a line at a frequency: bands are numbers from 1, or a DiffractedPlanewave. along_guide: where a guide that
    crosses the line at a slant runs."""
    if along_guide is not None and abs(vector(along_guide)[line.t]) > 1e-12 and not hasattr(bands, "g") \
            and not line.homogeneous(frequency):
        across = Across(line, along_guide)
        return [Slanted(line, along_guide, mode, across) for mode in guided(across, frequency, bands, 0)]
    if hasattr(bands, "g"):
        period = line.period or 1.0
        return [plane_wave(line, frequency, line.k[line.t] + bands.g[line.t] / period)]
    if line.homogeneous(frequency):
        parity = transverse_parity(line, parity)
        across = orders(line, frequency, max(bands), parity)
        return [plane_wave(line, frequency, across[b - 1] if b <= len(across) else 0.0, parity if len(line.places) > 1 else 0)
                for b in bands]
    return guided(line, frequency, bands, parity)


def direction_of(k, normal):
    """1, or -1 where a wave vector points against the normal."""
    return -1 if vector(k)[normal] < 0 else 1
