"""Functions that a run calls on its way.

A run of umov is not left at every step, so each of these says when it is to be called next: due(sim), a time; what a
function of the user's own asks cannot be known, so that one without at_every and the like is called at every step.
"""

import inspect

from ._names import Volume, inf


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
            for f in self.functions:
                f(sim, "step")
            self.done = True
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
            super().__call__(sim, todo)
            self.next = sim.time() + self.interval  # not before: a call that the run breaks off is made again


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


class _Prefixed(_With):
    def __call__(self, sim, todo="step"):
        self.value = self.given + sim.get_filename_prefix()
        super().__call__(sim, todo)


def with_prefix(pre, *step_funcs):
    found = _Prefixed("filename_prefix", pre, *step_funcs)
    found.given = pre
    return found


def display_progress(*_):
    return Step()
