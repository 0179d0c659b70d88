"""Functions that a run calls on its way, and what ends it.

A run of umov is not left at every step, so each of these says when it is to be called next: due(sim), a time; what a
function of the user's own asks cannot be known, so that one without at_every and the like is called at every step.
"""

import inspect
import math

import numpy as np

from ._names import Volume, inf, vector


class Step:
    """What is called on the way: inner functions under a condition."""

    def __init__(self, *functions):
        self.functions = [as_step(f) for f in functions]

    def begin(self, sim, start):
        """A run begins, of which this hears from `start` on."""
        for f in self.functions:
            f.begin(sim, start)

    def due(self, sim):
        return min((f.due(sim) for f in self.functions), default=inf)

    def __call__(self, sim, todo="step"):
        for f in self.functions:
            if todo == "finish" or f.due(sim) <= sim.time() + sim.frame.dt / 2:
                f(sim, todo)


class User(Step):
    def __init__(self, function):
        super().__init__()
        self.function = function
        try:
            self.both = len(inspect.signature(function).parameters) > 1
        except (TypeError, ValueError):
            self.both = False

    def due(self, sim):
        return -inf

    def __call__(self, sim, todo="step"):
        if self.both:
            self.function(sim, todo)
        elif todo == "step":
            self.function(sim)


def as_step(function):
    if isinstance(function, Step):
        return function
    if not callable(function):
        raise TypeError(f"a step function is a function of the simulation, not {type(function).__name__}")
    return User(function)


class _At(Step):
    """Once, at a time after the run's start that `when` gives."""

    def __init__(self, when, *functions):
        super().__init__(*functions)
        self.when = when

    def begin(self, sim, start):
        self.at, self.done = max(start, self.when(sim)), False
        super().begin(sim, self.at)

    def due(self, sim):
        return inf if self.done else self.at

    def __call__(self, sim, todo="step"):
        if todo == "step" and not self.done and sim.time() >= self.at - sim.frame.dt / 2:
            self.done = True
            for f in self.functions:
                f(sim, "step")
        elif todo == "finish":
            super().__call__(sim, todo)


class _From(Step):
    """From a time on, or until one."""

    def __init__(self, since, until, *functions):
        super().__init__(*functions)
        self.since, self.until = since, until

    def begin(self, sim, start):
        self.first, self.last = max(start, self.since(sim)), self.until(sim)
        super().begin(sim, self.first)

    def due(self, sim):
        at = max(super().due(sim), self.first)
        return at if at < self.last else inf

    def __call__(self, sim, todo="step"):
        if todo == "finish" or self.first - sim.frame.dt / 2 <= sim.time() < self.last:
            super().__call__(sim, todo)


class _Every(Step):
    def __init__(self, dt, *functions):
        super().__init__(*functions)
        self.interval = dt

    def begin(self, sim, start):
        self.next = max(start, sim.time()) + self.interval
        super().begin(sim, start)

    def due(self, sim):
        return max(self.next, super().due(sim))

    def __call__(self, sim, todo="step"):
        if todo == "finish":
            return super().__call__(sim, todo)
        if sim.time() >= self.next - sim.frame.dt / 2:
            self.next = sim.time() + self.interval
            super().__call__(sim, todo)


class _End(Step):
    def due(self, sim):
        return inf

    def __call__(self, sim, todo="step"):
        if todo == "finish":
            for f in self.functions:
                f(sim, "step")
            for f in self.functions:
                f(sim, "finish")


class _When(Step):
    def __init__(self, condition, *functions):
        super().__init__(*functions)
        self.condition = condition

    def __call__(self, sim, todo="step"):
        if todo == "finish" or self.condition(sim):
            super().__call__(sim, todo)


class _With(Step):
    """With a part of the simulation set meanwhile: the volume of output, the prefix of files, one file."""

    def __init__(self, setting, value, *functions):
        super().__init__(*functions)
        self.setting, self.value = setting, value

    def __call__(self, sim, todo="step"):
        before = getattr(sim, self.setting)
        setattr(sim, self.setting, self.value)
        try:
            super().__call__(sim, todo)
        finally:
            setattr(sim, self.setting, before)


def at_beginning(*step_funcs):
    return _At(lambda sim: -inf, *step_funcs)


def at_time(t, *step_funcs):
    return _At(lambda sim: t, *step_funcs)


def at_every(dt, *step_funcs):
    return _Every(dt, *step_funcs)


def at_end(*step_funcs):
    return _End(*step_funcs)


def after_time(t, *step_funcs):
    return _From(lambda sim: t, lambda sim: inf, *step_funcs)


def before_time(t, *step_funcs):
    return _From(lambda sim: -inf, lambda sim: t, *step_funcs)


def after_sources(*step_funcs):
    return _From(lambda sim: sim.sources_end(), lambda sim: inf, *step_funcs)


def after_sources_and_time(t, *step_funcs):
    return _From(lambda sim: sim.sources_end() + t, lambda sim: inf, *step_funcs)


def during_sources(*step_funcs):
    return _From(lambda sim: -inf, lambda sim: sim.sources_end(), *step_funcs)


def when_true(cond, *step_funcs):
    return _When(cond, *step_funcs)


def when_false(cond, *step_funcs):
    return _When(lambda sim: not cond(sim), *step_funcs)


def combine_step_funcs(*step_funcs):
    return Step(*step_funcs)


def synchronized_magnetic(*step_funcs):
    """H is that of its own half step here; functions are called as they are."""
    return Step(*step_funcs)


def in_volume(v, *step_funcs):
    return _With("output_volume", v, *step_funcs)


def in_point(pt, *step_funcs):
    return _With("output_volume", Volume(center=pt), *step_funcs)


def to_appended(fname, *step_funcs):
    return _With("appended_file", fname, *step_funcs)


def with_prefix(pre, *step_funcs):
    return _With("filename_prefix", pre, *step_funcs)


def display_progress(*_):
    return Step()


# what ends a run


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
        return sim.time() >= self.end - sim.frame.dt / 2


class _UserCondition(Condition):
    def __init__(self, function):
        self.function = function

    def begin(self, sim, start):
        self.start = start

    def due(self, sim):
        return -inf

    def reached(self, sim):
        return bool(self.function(sim)) and sim.time() >= self.start


def as_condition(given):
    if isinstance(given, Condition):
        return given
    if callable(given):
        return _UserCondition(given)
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


class _DftDecayed(Condition):
    """The sum of |F|^2 over all transforms changes by less than a share between two looks, each a passage of the cell or 20
    time units apart."""

    def __init__(self, tol, shortest, longest):
        self.tol, self.shortest, self.longest = tol, shortest, longest

    def begin(self, sim, start):
        self.origin, self.before = sim.time(), None
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
    import time

    class Walltime(Condition):
        def begin(self, sim, start):
            self.began = time.monotonic()

        def due(self, sim):
            return sim.time() + 20 * sim.frame.dt if time.monotonic() - self.began < t else -inf

        def reached(self, sim):
            return time.monotonic() - self.began >= t

    return Walltime()


# what is recorded on the way


class Mode:
    """A resonance: freq, decay (imaginary part of the frequency), Q, amp, err."""

    def __init__(self, freq, decay, Q, amp, err):
        self.freq, self.decay, self.Q, self.amp, self.err = freq, decay, Q, amp, err

    def __repr__(self):
        return f"Mode(freq={self.freq!r}, decay={self.decay!r}, Q={self.Q!r}, amp={self.amp!r}, err={self.err!r})"


class Harminv(Step):
    """Resonances within fcen +- df / 2 in a component at a point, from when it is first called on."""

    def __init__(self, c=None, pt=None, fcen=None, df=None, mxbands=None):
        super().__init__()
        self.component, self.place, self.fcen, self.df, self.mxbands = c, vector(pt), fcen, df, mxbands
        self.modes = []

    def begin(self, sim, start):
        start = max(start, sim.time())
        low, high = max(self.fcen - self.df / 2, 1e-3 * self.fcen), self.fcen + self.df / 2
        # The inversion's matrices have as many rows as the band has lines of the record's width, so a wide one is cut.
        record = sim.run_end() - start
        parts = max(1, math.ceil((high - low) * record / 25)) if record < inf / 10 else 1
        edges = np.linspace(low, high, parts + 1)
        self.bands = [(a, b, sim.add_resonance(self.component, self.place, a - 0.05 * (b - a) * (a > low),
                                               b + 0.05 * (b - a) * (b < high), start)) for a, b in zip(edges, edges[1:])]

    def due(self, sim):
        return inf

    def __call__(self, sim, todo="step"):
        if todo != "finish":
            return
        self.modes = []
        for low, high, name in self.bands:
            if f"resonances/{name}" not in sim.result():
                continue  # no line
            found = sim.result()[f"resonances/{name}"]
            rows = zip(*[np.atleast_1d(np.asarray(found[key])) for key in
                         ("frequency", "quality", "amplitude", "phase", "record_error")])
            self.modes += [Mode(float(f), -float(f) / (2 * float(q)), float(q), complex(a * np.exp(1j * np.radians(p))),
                                float(e)) for f, q, a, p, e in rows if low <= f < high or f == high == self.bands[-1][1]]
        # As Meep, which reports no line below a quality of 50; amplitudes are those of exp(-i w t), half of a real field's.
        half = 0.5 if sim.using_real_fields() else 1.0
        self.modes = [Mode(m.freq, m.decay, m.Q, half * m.amp, m.err) for m in self.modes if m.Q >= 50]
        if self.mxbands:
            self.modes = sorted(self.modes, key=lambda m: -abs(m.amp))[:self.mxbands]
        self.modes.sort(key=lambda m: m.freq)
        sim.harminv_runs = getattr(sim, "harminv_runs", -1) + 1
        sim.say(f"harminv{sim.harminv_runs}:, frequency, imag. freq., Q, |amp|, amplitude, error", always=True)
        for m in self.modes:
            sim.say(f"harminv{sim.harminv_runs}:, {m.freq}, {m.decay}, {m.Q}, {abs(m.amp)}, {m.amp.real}"
                    f"{m.amp.imag:+}i, {m.err}+0.0i", always=True)


class Ldos:
    """Frequencies at which the power of the point source is looked at."""

    def __init__(self, *arguments):
        from ._dft import frequencies_of

        self.freq, _ = frequencies_of(arguments)

    def freqs(self):
        return self.freq.tolist()


class dft_ldos(Step):
    """The local density of states of the only source, a point: sim.ldos_data at the end of the run."""

    def __init__(self, *arguments, ldos=None):
        super().__init__()
        self.ldos = ldos or Ldos(*arguments)

    def begin(self, sim, start):
        self.name = sim.add_ldos(self.ldos.freq)

    def due(self, sim):
        return inf

    def __call__(self, sim, todo="step"):
        if todo == "finish":
            purcell = np.atleast_1d(np.asarray(sim.result()[f"ldos/{self.name}/purcell"]))
            source = sim.sources[0]
            n = math.sqrt(sim.epsilon_at(np.array([list(source.center)]), source.src.frequency)[0].real.mean())
            sim.ldos_data = [float(ldos_of_power * p * homogeneous_power(sim.frame, n, 2 * math.pi * f))
                             for p, f in zip(purcell, self.ldos.freq)]
            sim.ldos_scale = 1.0
            sim.say("ldos0:, frequency, ldos", always=True)
            for f, value in zip(self.ldos.freq, sim.ldos_data):
                sim.say(f"ldos0:, {f}, {value}", always=True)


def homogeneous_power(frame, index, omega):
    """Mean power of a current of amplitude 1 in a medium, by which umov's Purcell factor is divided."""
    if frame.dimensions == 3:
        return index * omega**2 / (12 * math.pi)
    if frame.dimensions == 2:
        return omega / (8 if frame.polarization == "tm" else 16)
    return 1 / (4 * index)


# Meep's density of states over the power of a current of amplitude 1: - Re(E I*) / 2 to - 2 / pi Re(E I*).
ldos_of_power = 4 / math.pi


def get_ldos_freqs(f):
    return f.freqs()
