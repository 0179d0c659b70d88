"""Reflection and transmission at one angle over a band, out of runs of fixed wave vectors."""

import concurrent.futures
import math
import os
import threading

from . import _core, _forked
from ._case import Case
from ._progress import shown

_points, _fewer = 6, 4  # runs around a frequency: of the answer, and of what its error is told by
_finest = 0.06  # steps of ln k, at most
_share = 0.35  # of the angle up to grazing that runs have: beyond it pulses fade out
_amplitudes = 0.15  # standard deviation of a pulse over its frequency, at most


def fixed_angle(case, angle, frequencies, /, *, index=1.0, runs=0, jobs=0, progress=None, callback=None):
    """T and R of the flux monitors of a periodic cell at one angle of incidence for all frequencies.

    Between Bloch walls a run has one wave vector along them, and so another angle at each frequency. Here runs of several
    wave vectors measure all of their frequencies, and what they found is interpolated along the wave vector onto
    k = 2 pi index frequency sin(angle): by six runs around it, polynomials in ln k.

    case: of fdtd, with normalize = true, flux monitors, and one plane wave as its source, whose direction says from which side it
        comes and, in space, in which plane; walls are bloch along the layers and absorb across them.
    angle: of incidence from the normal, degrees, above 0 and below 85.
    frequencies: c / unit, of the results; a list, or one.
    index: of the medium that the wave comes in.
    runs: wave vectors; 0: as the angle asks for. More of them where T_error says so (thick layers, resonances).
    jobs: runs at a time, each with a share of the cores; 0: as many as there are cores.
    Returns a dictionary: "frequency", and for each flux monitor by its name a dictionary of arrays T, R (where the monitor has one),
    T_error and R_error: how far four runs in place of six would be off.
    """
    import numpy as np

    wanted = np.sort(np.atleast_1d(np.asarray(frequencies, dtype=float)))
    cell = _Cell(case, angle, index)
    if not len(wanted) or not (wanted > 0).all():
        raise _core.BadInput("argument 'frequencies': they are above 0, and one at least; give a list, c / unit")
    vectors = _vectors(cell.sine, wanted, runs)
    near = [_nearest(vectors, f, cell.sine, _points) for f in wanted]
    jobs = min(jobs or os.cpu_count() or 1, len(vectors))
    threads = max(1, (os.cpu_count() or 1) // jobs)
    cases = {i: cell.of(vectors[i], wanted[[i in n for n in near]], threads) for i in sorted(set().union(*near))}
    _forked.begin()
    with shown(progress, "umov fixed angle") as show:
        found = _computed(cases, jobs, [f for f in (callback, show) if f])
    return {"frequency": wanted, **_at_the_angle(found, wanted, vectors, near, cell)}


class _Cell:
    """A case whose plane wave is turned: its axes and its direction."""

    def __init__(self, case, angle, index):
        import numpy as np

        if not isinstance(case, Case) or case.family != "fdtd":
            raise TypeError("the case is none of fdtd; make it by umov.fdtd.case(...)")
        if not 0 < angle < 85:
            raise _core.BadInput(f"argument 'angle': {angle} (from the normal, above 0 and below 85 degrees; at 0 one run with "
                                 "periodic walls has all frequencies)")
        if not index > 0:
            raise _core.BadInput(f"argument 'index': {index} (of a medium without loss, above 0)")
        self.case, self.index = case, index
        self.sine = math.sin(math.radians(angle))
        said = case.to_dict()
        size = np.atleast_1d(said.get("domain", {}).get("size", 0))
        axes = [a for a in range(len(size)) if size[a]]
        along = [a for a in axes if _walls(said, "xyz"[a]) == ("bloch", "bloch")]
        across = [a for a in axes if a not in along]
        if len(across) != 1 or not along:
            raise _core.BadInput("the cell has no Bloch walls around one axis (a wave at an angle turns by a phase along layers, and "
                                 "leaves across them); set bloch walls along the layers and pml across")
        sources, monitors = said.get("source", []), said.get("monitor", [])
        if len(sources) != 1 or sources[0].get("kind") != "plane_wave":
            raise _core.BadInput("the case has not one plane wave as its only source (its angle is the one of the results); give one")
        if not monitors or any(m.get("kind") != "flux" for m in monitors) or not said.get("run", {}).get("normalize"):
            raise _core.BadInput("the case has other monitors than flux, none, or no reference run (T and R are quotients of fluxes, and "
                                 "they alone are interpolated); give monitors of kind flux, and normalize = true")
        self.monitors = [m.get("name", f"flux{i + 1}") for i, m in enumerate(monitors)]
        self.spaces = len(axes)
        theta = math.radians(sources[0].get("theta", 90.0) if self.spaces == 3 else 90.0)
        phi = math.radians(sources[0].get("phi", 0.0))
        given = np.array([math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta)])
        normal, tangent = np.zeros(3), np.zeros(3)
        normal[across[0]] = 1 if given[across[0]] >= 0 else -1
        tangent[along] = given[along]
        if np.linalg.norm(tangent) < 1e-9:
            tangent[along[0]] = 1
        self.normal, self.tangent = normal, tangent / np.linalg.norm(tangent)

    def of(self, vector, frequencies, threads):
        """The run of a wave vector (along the layers, in 2 pi / unit)."""
        low, high = frequencies[0], frequencies[-1]
        # The pulse is brightest in the middle of its frequencies, and reaches to both ends.
        middle = (low + high) / 2
        sine = vector / (self.index * middle)
        way = math.sqrt(1 - sine**2) * self.normal + sine * self.tangent
        turned = {"phi": math.degrees(math.atan2(way[1], way[0]))}
        if self.spaces == 3:
            turned["theta"] = math.degrees(math.acos(max(-1.0, min(1.0, way[2]))))
        changes = {"boundary.bloch": [float(vector * t) for t in self.tangent], "machine.threads": threads,
                   "source.1.frequency": middle, "source.1.wavelength": None, "source.1.wavelength_um": None,
                   "source.1.waveform": "gaussian",
                   "source.1.width": min(_amplitudes, max(0.02, (high - low) / 3 / middle))}
        changes |= {f"source.1.{key}": value for key, value in turned.items()}
        for i in range(len(self.monitors)):
            for key in ("wavelengths", "wavelengths_um", "frequency_from", "frequency_to", "frequency_count"):
                changes[f"monitor.{i + 1}.{key}"] = None
            changes[f"monitor.{i + 1}.frequencies"] = [float(f) for f in frequencies]
        return self.case.updated({k: v for k, v in changes.items() if v is not None or k in self.case})


def _walls(said, axis):
    boundary = said.get("boundary", {})
    wall = boundary.get(axis, boundary.get("all", "pml"))
    return tuple(wall) if isinstance(wall, list) else (wall, wall)


def _vectors(sine, frequencies, runs):
    """Wave vectors over index: evenly in ln k, from below the lowest frequency's to above the highest's. Those above are on
    their way to grazing, and three of them lie before it."""
    import numpy as np

    angle = math.asin(sine)
    room = math.log(math.sin(angle + _share * (math.pi / 2 - angle)) / sine)
    step, span = min(_finest, room / (_points // 2)), math.log(frequencies[-1] / frequencies[0])
    if runs:
        if runs < _points + 1:
            raise _core.BadInput(f"argument 'runs': {runs} (six of them are around a frequency); give {_points + 1} or more")
        step = min(step, span / (runs - _points + 1) or step)
    count = _points + max(0, math.ceil(span / step - 1e-9))
    first = math.log(sine * frequencies[0]) - (_points // 2 - 0.5) * step
    return np.exp(first + step * np.arange(count))


def _nearest(vectors, frequency, sine, points):
    """Numbers of the runs around a frequency's own wave vector."""
    import numpy as np

    distance = np.abs(np.log(vectors / (sine * frequency)))
    return sorted(int(i) for i in np.argsort(distance, kind="stable")[:points])


def _computed(cases, jobs, listeners):
    """Results by number of the wave vector."""
    stopped, done, lock, found = threading.Event(), 0, threading.Lock(), {}

    def one(number):
        return number, cases[number].run(progress=False, callback=lambda fraction, text: not stopped.is_set())

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(one, number) for number in cases]
        try:
            for future in concurrent.futures.as_completed(futures):
                number, result = future.result()
                with lock:
                    found[number], done = result, done + 1
                for listener in listeners:
                    if listener(done / len(cases), f"{done} of {len(cases)} wave vectors") is False:
                        raise _core.Interrupted("interrupted")
        except BaseException:
            stopped.set()
            for future in futures:
                future.cancel()
            raise
    return found


def _at_the_angle(found, wanted, vectors, near, cell):
    import numpy as np

    out = {}
    for name in cell.monitors:
        known = set.intersection(*({q for q in ("T", "R") if f"flux/{name}/{q}" in result} for result in found.values()))
        of = out[name] = {q: np.empty(len(wanted)) for k in sorted(known, reverse=True) for q in (k, f"{k}_error")}
        for at, frequency in enumerate(wanted):
            for q in known:
                six, four = (_interpolated(found, vectors, _nearest(vectors, frequency, cell.sine, n), frequency, cell.sine,
                                           f"flux/{name}/{q}", f"flux/{name}/frequency") for n in (_points, _fewer))
                of[q][at], of[f"{q}_error"][at] = six, abs(six - four)
    return out


def _interpolated(found, vectors, numbers, frequency, sine, quantity, axis):
    import numpy as np

    x = np.log(vectors[numbers] / (sine * frequency))
    y = []
    for number in numbers:
        place = np.abs(np.asarray(found[number][axis]) - frequency).argmin()
        y.append(float(np.asarray(found[number][quantity])[place]))
    weights = [np.prod([x[j] / (x[j] - x[i]) for j in range(len(x)) if j != i]) for i in range(len(x))]
    return float(np.dot(weights, y))
