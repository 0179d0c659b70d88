"""Sources that send one wave: modes, plane waves, beams."""

import cmath
import math

import numpy as np

from . import _modes
from ._frame import Nodes
from ._names import AUTOMATIC, EVEN_Y, EVEN_Z, NO_DIRECTION, ODD_Y, ODD_Z
from ._refusals import refuse


def normal_of(frame, size, direction, what):
    """Meep's axis normal to a region: that along which it has no size."""
    if direction not in (AUTOMATIC, NO_DIRECTION):
        return direction
    for a in range(frame.dimensions):
        if a not in frame.thin and size[frame.axes[a]] == 0:
            return frame.axes[a]
    raise ValueError(f"{what} of size {size} has no normal; give a size of 0 along one axis, or a direction")


def mode(sim, frame, source):
    from ._case import signal

    normal = normal_of(frame, source.size, source.direction, "an EigenModeSource")
    nodes = Nodes(frame, source.center, source.size)
    f = source.src.frequency
    forward = _modes.direction_of(source.eig_kpoint, normal)
    if not source.eig_match_freq:
        refuse("eig_match_freq = False", "give the frequency of the mode to its source, and eig_match_freq = True")
    band = source.eig_band
    if frame.dimensions < 3:
        line = _modes.Line(sim, nodes, normal)
        if line.homogeneous(f):
            return _wave(sim, frame, source, line, f, forward)
        if source.direction == NO_DIRECTION and source.eig_kpoint[line.t]:
            found = _modes.modes(line, f, [band], source.eig_parity, source.eig_kpoint)[0]
            return currents(frame, source, line, found, 1, oriented=True)
        number = band
        parity = _modes.transverse_parity(line, source.eig_parity)
        if parity and line.t not in sim.mirrors():
            number = 2 * band - (1 if _modes.parity_keeps_normal(line, parity) else 0)
    else:
        number = band
        mirrored = sim.mirrors()
        for bits, axis in ((EVEN_Y | ODD_Y, 1), (EVEN_Z | ODD_Z, 2)):
            if source.eig_parity & bits and axis not in mirrored:
                refuse("eig_parity of a plane in space without a Mirror", f"add mp.Mirror(mp.{'XYZ'[axis]}, phase=...) to the "
                       "symmetries, or leave eig_parity out and give eig_band among all modes")
    center, size = frame.place(source.center), frame.extent(source.size)
    a = frame.axis(normal)
    size[a] = 0.0
    for b in range(frame.dimensions):
        if b != a and math.isfinite(size[b]):
            end = frame.cells[b] * frame.dx / 2
            low, high = max(center[b] - size[b] / 2, -end), min(center[b] + size[b] / 2, end)
            center[b], size[b] = (low + high) / 2, high - low
    return [{"kind": "mode", "center": center, "size": size, "mode": number, "direction": forward * frame.signs[a]}
            | signal(source, frame, source.amplitude * mode_amplitude)]


# What Meep's source of amplitude 1 sends over a mode of flux Re E x H* = 1: twice the amplitude.
sheet_amplitude = 2

# The same over umov's own mode, whose mean power Re E x H* / 2 is 1.
mode_amplitude = math.sqrt(2)


def _wave(sim, frame, source, line, f, forward):
    """A plane wave of a homogeneous line, by the electric and magnetic currents that it would have there."""
    k = source.eig_kpoint
    if hasattr(source.eig_band, "g"):
        found = _modes.modes(line, f, source.eig_band, 0)[0]
    elif any(k) and source.direction == NO_DIRECTION or (any(k) and line.t is not None and k[line.t]):
        found = _modes.plane_wave(line, f, k[line.t])
    else:
        found = _modes.modes(line, f, [source.eig_band], source.eig_parity)[0]
    if abs(complex(found.beta).imag) > 0:
        raise ValueError(f"the wave of wave number {k[line.t]:g} along its plane does not travel at frequency {f:g}")
    return currents(frame, source, line, found, forward)


def currents(frame, source, line, mode, forward, oriented=False):
    """Electric currents n x H and magnetic ones - n x E of a mode."""
    from ._case import sheet

    n = np.zeros(3)
    n[line.n] = forward if not oriented else math.copysign(1, mode.beta.real)
    H = mode.H * 1.0
    if not oriented:  # the mode that travels against the normal
        H[[a for a in range(3) if a != line.n]] *= forward
    J, M = np.cross(n, H.T).T, -np.cross(n, mode.E.T).T
    tables = []
    for letter, values in (("E", J), ("H", M)):
        for axis in range(3):
            name = letter + "xyz"[axis]
            if np.abs(values[axis]).max() == 0 or not frame.has(name):
                continue

            def amplitude(points, profile=values[axis], electric=letter == "E"):
                if len(line.places) == 1:
                    along = np.full(len(points), profile[0])
                else:
                    at = points[:, line.t]
                    along = np.interp(at, line.places, profile.real) + 1j * np.interp(at, line.places, profile.imag)
                # where the points are off the plane, the wave has gone on by then
                away = (points[:, line.n] - source.center[line.n]) * forward
                return sheet_amplitude * source.amplitude * along * np.exp(1j * mode.beta * away)

            tables += sheet(source, frame, name, amplitude)
    return tables


def beam(sim, frame, source):
    from ._case import signal

    if frame.dimensions == 1:
        refuse("GaussianBeamSource in one dimension", "write Source")
    k = np.array(frame.turned(source.beam_kdir), float)
    k /= np.linalg.norm(k)
    normal = normal_of(frame, source.size, AUTOMATIC, "a GaussianBeamSource")
    a = frame.axis(normal)
    waist = np.array(frame.turned(source.beam_x0), float)
    distance = waist[a] / k[a]
    if distance == 0 and any(abs(waist) > 0):
        distance = 0.0
    meets = np.array(frame.place(source.center) + [0.0] * (3 - frame.dimensions)) + waist - distance * k
    E0 = np.array([complex(v) for v in source.beam_E0])
    theta, phi = math.degrees(math.acos(max(-1, min(1, k[2])))), math.degrees(math.atan2(k[1], k[0]))
    found = {"kind": "beam", "center": meets[:frame.dimensions].tolist(), "phi": phi,
             "waist_radius": float(source.beam_w0), "waist_distance": float(distance)}
    amplitude = source.amplitude
    if frame.dimensions == 3:
        found["theta"] = theta
        e_theta = np.array([math.cos(math.radians(theta)) * math.cos(math.radians(phi)),
                            math.cos(math.radians(theta)) * math.sin(math.radians(phi)), -math.sin(math.radians(theta))])
        e_phi = np.array([-math.sin(math.radians(phi)), math.cos(math.radians(phi)), 0])
        p, q = E0 @ e_theta, E0 @ e_phi
        turn = cmath.phase(p if abs(p) >= abs(q) else q)
        p, q = p * cmath.exp(-1j * turn), q * cmath.exp(-1j * turn)
        if max(abs(p.imag), abs(q.imag)) > 1e-9 * max(abs(p), abs(q)):
            refuse("beam_E0 of an elliptic polarization", "write two sources, the second one of amplitude 1j")
        found["polarization_angle"] = math.degrees(math.atan2(q.real, p.real))
        amplitude *= math.hypot(p.real, q.real) * cmath.exp(1j * turn)
    elif frame.polarization == "tm":
        amplitude *= E0[2]
    else:
        amplitude *= E0 @ np.array([-k[1], k[0], 0])
    size = frame.extent(source.size)
    for b in range(frame.dimensions):
        if b == a:
            size[b] = 0.0
            continue
        if frame.thin and b in frame.thin:
            size[b] = frame.dx
            continue
        low, high = found["center"][b] - size[b] / 2, found["center"][b] + size[b] / 2
        layers = [sim.layer_thickness(frame.axes[b], side) for side in (1, 0)]
        end = frame.cells[b] * frame.dx / 2
        reach = min(found["center"][b] - max(low, layers[0] - end), min(high, end - layers[1]) - found["center"][b])
        size[b] = 2 * reach
    found["size"] = size
    return [found | signal(source, frame, amplitude)]
