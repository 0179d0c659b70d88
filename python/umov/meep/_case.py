"""A Simulation as a case of umov.fdtd: domain, walls, materials, bodies, sources."""

import cmath
import math
import re

import numpy as np

import umov

from . import _launch
from ._frame import Nodes
from ._names import Magnetic, Metallic, Periodic, Vector3
from ._refusals import refuse
from ._sources import CustomSource, EigenModeSource, GaussianBeamSource


class Materials:
    """Tables of materials, one for each medium that differs."""

    def __init__(self, axes):
        self.axes, self.names, self.tables = axes, {}, []

    def name(self, medium):
        key = medium.key()
        if key not in self.names:
            self.names[key] = f"medium {len(self.names) + 1}"
            self.tables.append(medium.table(self.names[key], self.axes))
        return self.names[key]


def walls(sim, frame):
    """The tables [boundary] and [pml]."""
    k, boundary, thickness = sim.wave_vector(), {}, []
    mirrored = sim.mirrors()
    vector = []
    for a in range(frame.dimensions):
        m = frame.axes[a]
        along = 0.0 if k is None else frame.signs[a] * k[m]
        vector.append(along)
        absorbing = [sim.layer_thickness(m, side) if a not in frame.thin else 0 for side in (1, 0)]
        thickness += [t for t in absorbing if t > 0]
        periodic = a in frame.thin or k is not None
        kinds = []
        for side, layer in zip((1, 0), absorbing):
            given = sim.given_walls.get((side, m))
            if layer > 0:
                kinds.append("pml")
            elif given is not None:
                kinds.append({Metallic: "pec", Magnetic: "pmc", Periodic: "periodic"}[given])
            elif periodic and not any(absorbing):
                kinds.append("bloch" if along else "periodic")
            else:
                kinds.append("pec")
        if m in mirrored and a not in frame.thin:
            even = mirrored[m].even()
            kinds[0] = "mirror_even" if even else "mirror_odd"
            if kinds[1] in ("periodic", "bloch"):
                if along:
                    refuse("a mirror along an axis of k_point", "leave the Mirror out")
                kinds[1] = "pmc" if even else "pec"
        boundary["xyz"[a]] = kinds if kinds[0] != kinds[1] else kinds[0]
    used = [kind for kinds in boundary.values() for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    if sim.force_complex_fields and "bloch" not in used:
        # real fields are enough for what is read of them, but for arrays of complex numbers
        for word, kinds in boundary.items():
            if kinds == "periodic":
                boundary[word] = "bloch"
                used.append("bloch")
    if "bloch" in used:
        boundary["bloch"] = [v if "bloch" in boundary["xyz"[a]] else 0.0 for a, v in enumerate(vector)]
        frame.complex_fields = True
    tables = {"boundary": boundary}
    if "pml" in used:
        tables["pml"] = {"layers": max(1, int(math.floor(min(thickness) * frame.resolution + 0.5)))}
    return tables


def signal(source, frame, amplitude):
    """Keys of a source that say its course over time, of a complex amplitude."""
    if isinstance(source.src, CustomSource):
        frame.factor = amplitude
        return source.src.waveform(frame)
    if not source.src.frequency > 0:
        raise ValueError(f"a source of frequency {source.src.frequency:g}; give one above 0")
    found = dict(source.src.waveform(frame, amplitude / abs(amplitude) if amplitude else 1))
    found["amplitude"] = abs(amplitude)
    if found["waveform"] == "samples":
        return found
    phase = -math.degrees(cmath.phase(amplitude)) if amplitude else 0.0
    if phase or "phase" in found:
        found["phase"] = phase + found.get("phase", 0)
    return found


def current(source, frame, component=None, amplitude=None, center=None, size=None):
    """A source of kind point or box: component by Meep's name."""
    name, sign = frame.component(source.component if component is None else component)
    amplitude = (source.amplitude if amplitude is None else amplitude) * sign
    center = source.center if center is None else center
    size = source.size if size is None else size
    extent = frame.extent(size)
    found = {"kind": "box" if any(extent) else "point", "component": name, "center": frame.place(center)}
    if any(extent):
        found["size"] = extent
        for a, length in enumerate(extent):
            if a in frame.thin:
                found["size"][a] = frame.dx
            elif math.isfinite(length):
                low, high = found["center"][a] - length / 2, found["center"][a] + length / 2
                end = frame.cells[a] * frame.dx / 2
                low, high = max(low, -end), min(high, end)
                found["center"][a], found["size"][a] = (low + high) / 2, max(high - low, 0.0)
    return found | signal(source, frame, amplitude)


def sheet(source, frame, component, amplitude):
    """Point sources at the points of a component within the source's region; amplitude(points [n][3] of the cell)."""
    name, sign = frame.component(component)
    offset = frame.offset(component)
    where, weights = [], []
    for a in range(3):
        if a >= frame.dimensions:
            where.append(np.zeros(1))
            weights.append(np.ones(1))
            continue
        if a in frame.thin:
            where.append(np.zeros(1))
            weights.append(np.ones(1))
            continue
        nodes = Nodes(frame, _shifted(source.center, frame, a, -offset[a]), source.size)
        where.append(nodes.places(a) + offset[a] * frame.dx)
        weights.append(nodes.weights[a])
        inside = where[-1] < (frame.low[a] + frame.cells[a] + 1e-6) * frame.dx
        where[-1], weights[-1] = where[-1][inside], weights[-1][inside]
    z, y, x = np.meshgrid(where[2], where[1], where[0], indexing="ij")
    weight = (weights[2][:, None, None] * weights[1][None, :, None] * weights[0][None, None, :]).ravel()
    of_case = [x.ravel(), y.ravel(), z.ravel()]
    points = np.zeros((len(weight), 3))
    for a in range(3):
        points[:, frame.axes[a]] = frame.signs[a] * of_case[a]
    values = np.asarray(amplitude(points), complex) * weight * sign
    tables = []
    most = np.abs(values).max() if len(values) else 0
    for index in np.flatnonzero(np.abs(values) > 1e-9 * most):
        place = [0.0 if a in frame.thin else float(of_case[a][index]) - frame._shift(a) for a in range(frame.dimensions)]
        table = {"kind": "point", "component": name, "center": place}
        if frame.thin:
            table["kind"], table["size"] = "box", [frame.dx if a in frame.thin else 0.0 for a in range(frame.dimensions)]
        tables.append(table | signal(source, frame, complex(values[index])))
    return tables


def _shifted(center, frame, a, cells):
    """A center of the cell moved by cells along an axis of the case."""
    moved = list(center)
    moved[frame.axes[a]] += frame.signs[a] * cells * frame.dx
    return moved


def sources(sim, frame):
    tables = []
    for source in sim.sources:
        if isinstance(source, EigenModeSource):
            tables += _launch.mode(sim, frame, source)
        elif isinstance(source, GaussianBeamSource):
            tables += _launch.beam(sim, frame, source)
        elif source.amp_func is not None:
            def amplitude(points, source=source):
                return [source.amplitude * complex(source.amp_func(Vector3(*p) - source.center)) for p in points]

            tables += sheet(source, frame, source.component, amplitude)
        else:
            tables.append(current(source, frame))
    tables = [part for t in tables for part in _parts(t)]
    return [t for t in tables if t["kind"] not in ("point", "box") or in_computed_half(t, frame)]


def _parts(table):
    """A source, and the one of samples beside it that some courses over time take."""
    rest = table.pop("besides", None)
    if rest is None:
        return [table]
    return [table, {k: v for k, v in table.items() if k not in ("frequency", "phase", "ramp")} | rest]


def in_computed_half(table, frame):
    """Whether a current lies, or may be cut to lie, on the side of the mirrors that is computed: what a script says of the other
    side is not read, as in Meep, since the image is there anyway."""
    for a in frame.mirrored:
        middle, length = table["center"][a], table.get("size", [0.0] * 3)[a]
        if not math.isfinite(length) or abs(middle) < 1e-9:
            continue
        low, high = max(middle - length / 2, 0.0), middle + length / 2
        if high < -1e-9:
            return False
        if middle - length / 2 < -1e-9:
            table["center"][a], table["size"][a] = (low + high) / 2, high - low
    return True


def base_case(sim, frame, machine):
    """The case without monitors and without an end."""
    materials = Materials(frame.axes)
    size = [n * frame.dx for n in frame.cells]
    domain = {"size": size, "resolution": frame.resolution, "courant": frame.courant, "background":
              materials.name(sim.default_material)}
    if frame.dimensions == 2:
        domain["polarization"] = frame.polarization
    if not sim.eps_averaging:
        domain["averaging"] = False
    case = {"domain": domain} | walls(sim, frame)
    bodies = []
    for item in sim.geometry:
        body = item.body(frame)
        if body is not None:
            bodies.append(body | {"material": materials.name(item.material)})
    if bodies:
        case["body"] = bodies
    case["material"] = materials.tables
    case["source"] = sources(sim, frame)
    case["run"] = {"force": True}
    if machine:
        case["machine"] = dict(machine)
    return case


def fitted_layers(case, stop):
    """{"pml": ...} with the profile that umov chooses for the waves of a cell, so that a run in parts chooses it once."""
    walls = {w for kinds in case["boundary"].values() if isinstance(kinds, (str, list)) and not _numbers(kinds)
             for w in ([kinds] if isinstance(kinds, str) else kinds)}
    if "pml" not in walls or not walls & {"periodic", "bloch", "pec", "pmc"} or not case["source"]:
        return {}
    notes = umov.fdtd.case(case | {"stop": stop}).plan().notes
    found = re.search(r"sigma (\S+) times as strong as usual and of order (\S+), alpha (\S+) / dx", "\n".join(notes))
    # a profile that is not the usual one is not looked into
    sigma, order, alpha = map(float, found.groups()) if found else (1.0001, 3, 0.02)
    return {"pml": case["pml"] | {"sigma_scale": sigma, "order": order, "alpha_max": alpha}}


def _numbers(kinds):
    return not isinstance(kinds, str) and any(isinstance(k, (int, float)) for k in kinds)
