"""What ends a run: times, and conditions that are asked when they say so."""

import math
import time

import numpy as np

from ._names import inf, vector



class Condition:
    """Whether a run ends: reached(sim), asked when it is due(sim)."""

    def begin(self, sim, start):
        """A run begins, which may not end before `start`."""

    def due(self, sim):
        return -inf

    def reached(self, sim):
        raise NotImplementedError


class Until(Condition):
    def __init__(self, time):
        self.end = time

    def due(self, sim):
        return self.end

    def reached(self, sim):
        return sim.time() >= self.end - 1e-6 * sim.frame.dt  # the first step at or after it, but for rounding


class Asked(Condition):
    """A function of the user's, which is asked at every step."""

    def __init__(self, function):
        self.function = function

    def begin(self, sim, start):
        self.start, self.said = start, (None, False)

    def due(self, sim):
        return -inf

    def reached(self, sim):
        if self.said[0] != sim.step:  # once a step
            self.said = sim.step, bool(self.function(sim)) and sim.time() >= self.start
        return self.said[1]


def as_condition(given):
    if isinstance(given, Condition):
        return given
    if callable(given):
        return Asked(given)
    raise TypeError(f"what ends a run is a time or a condition, not {type(given).__name__}")


class _Decayed(Condition):
    """Windows of a length one after the other from time 0 on; the run ends with one whose largest is a share of the largest of
    all."""

    def __init__(self, dt, decay_by):
        self.length, self.decay_by = dt, decay_by
        if not dt > 0 or not 0 < decay_by:
            raise ValueError("stop_when_..._decayed: give dt, the length of a window, and decay_by, a share; above 0")

    def begin(self, sim, start):
        step = sim.frame.dt
        self.steps = int(math.floor(self.length / step + 1e-9)) + 1
        self.first = sim.step  # of the windows
        self.number = max(1, math.ceil((start / step - self.first) / self.steps))  # of windows until the sources are over

    def due(self, sim):
        return (self.first + self.number * self.steps) * sim.frame.dt

    def reached(self, sim):
        if sim.step < self.first + self.number * self.steps:
            return False
        values = self.sizes(sim)
        self.number = max(self.number + 1, int(1.2 * self.number))  # a look takes time, too
        last, largest = values[-1], max(values)
        sim.say(f"field decay(t = {sim.time():g}): {last:g} / {largest:g} = {last / largest if largest else 0:g}")
        return last <= largest * self.decay_by


class _FieldsDecayed(_Decayed):
    def __init__(self, dt, c, pt, decay_by):
        super().__init__(dt, decay_by)
        self.component, self.place = c, vector(pt)

    def begin(self, sim, start):
        super().begin(sim, start)
        self.name = sim.add_series(self.component, self.place)

    def sizes(self, sim):
        """The largest |field|^2 of each window."""
        t, value = sim.series(self.name)
        window = np.minimum(((t / sim.frame.dt - self.first) / self.steps).astype(int), self.number - 1)
        size, kept = abs(value) ** 2, t >= self.first * sim.frame.dt
        return [float(size[kept & (window == w)].max(initial=0)) for w in range(self.number)]


class _EnergyDecayed(_Decayed):
    def begin(self, sim, start):
        super().begin(sim, start)
        self.seen = []

    def sizes(self, sim):
        self.seen.append(sim.field_energy_in_box())
        return self.seen


# The least change of sums of |F|^2 that single precision shows: what is left of a pulse, rounded at every step, goes on at some
# 1e-8 of it and changes the sums by 1e-10 to 2e-9 per look (measured; in double precision 1e-14).
single_precision_tol = 1e-8


class _DftDecayed(Condition):
    """The sum of |F|^2 over all transforms changes by less than a share between two looks, each a passage of the cell or 20
    time units apart."""

    def __init__(self, tol, shortest, longest):
        self.tol, self.shortest, self.longest = tol, shortest, longest

    def begin(self, sim, start):
        self.origin, self.before = sim.time(), None
        if sim.single_precision():
            self.tol = max(self.tol, single_precision_tol)
        self.interval = max(20.0, sum(sim.frame.cells) * sim.frame.dx)
        self.next = max(start, self.origin + self.shortest)
        if not sim.transforms:
            raise ValueError("stop_when_dft_decayed without transforms; add a monitor before, or another condition")

    def due(self, sim):
        return self.next

    def reached(self, sim):
        if sim.time() < self.next - sim.frame.dt / 2:
            return False
        now, before = sum(m.norm() for m in sim.transforms), self.before
        self.before, self.next = now, sim.time() + self.interval
        if self.longest is not None and sim.time() - self.origin > self.longest:
            return True
        if before is None or now == 0:
            return False
        change = abs(now - before) / now
        sim.say(f"DFT fields decay(t = {sim.time():g}): {change:g}")
        return change <= self.tol


def stop_when_fields_decayed(dt=None, c=None, pt=None, decay_by=None):
    """|c|^2 at pt fell to decay_by of its maximum, over windows of dt."""
    if dt is None or c is None or pt is None or decay_by is None:
        raise ValueError("stop_when_fields_decayed needs dt, c, pt and decay_by")
    return _FieldsDecayed(dt, c, pt, decay_by)


def stop_when_energy_decayed(dt=None, decay_by=None):
    if dt is None or decay_by is None:
        raise ValueError("stop_when_energy_decayed needs dt and decay_by")
    return _EnergyDecayed(dt, decay_by)


def stop_when_dft_decayed(tol=1e-11, minimum_run_time=0, maximum_run_time=None):
    return _DftDecayed(tol, minimum_run_time, maximum_run_time)


def stop_after_walltime(t):
    class Walltime(Condition):
        def begin(self, sim, start):
            self.began = time.monotonic()

        def due(self, sim):
            return sim.time() + 20 * sim.frame.dt if time.monotonic() - self.began < t else -inf

        def reached(self, sim):
            return time.monotonic() - self.began >= t

    return Walltime()
