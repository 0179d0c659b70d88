"""Course: the runs of umov that compute a simulation, one after the other or in parts, and what is called on their way."""

import math
import os
import time
import warnings
import weakref

import numpy as np

import umov

from . import _case, _conditions, _recorded, _steps
from ._imaginary import Imaginary
from ._names import CARTESIAN, inf, vector
from ._refusals import refuse
from ._settings import machine, verbosity
from ._sources import CustomSource

class Fields:
    """What scripts ask of sim.fields: dt, t, last_source_time(), and the fields themselves for integrate2_field_function."""

    def __init__(self, sim):
        self.sim, self.kept = sim, None
        self.dt, self.t = sim.frame.dt, sim.step

    def last_source_time(self):
        return self.sim.sources_end()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        refuse(f"sim.fields.{name}", "take get_array, get_field_point or a monitor of the simulation")

    def keep(self):
        """The fields as they are, before the simulation forgets them."""
        if self.kept is None and self.sim.result() is not None:
            self.kept = {c: self.sim._field(c) for c in self.sim.frame.components()}

    def quantity(self, component, points):
        """A component at points, as it was."""
        if self.kept is None:
            return self.sim._quantity(component, points)
        now, self.sim._samples = self.sim._samples, self.kept
        try:
            return self.sim._values(CARTESIAN[component], points)
        finally:
            self.sim._samples = now


class _More(BaseException):
    """A function on the way asks for what only a run that has stopped can tell: transforms, records."""


class Course:
    """The step that a simulation is at, and the result up to there."""

    def _clear(self):
        for fields in getattr(self, "_looked_at", ()):
            fields.keep()
        self._looked_at = weakref.WeakSet()
        self.step, self._result, self._frame, self._case, self._names = 0, None, None, None, {}
        self._fresh, self._run_end, self._samples, self._imaginary = True, inf, {}, None
        self._whole = {}

    @property
    def fields(self):
        """The fields of the run, which stay when the simulation is reset."""
        found = Fields(self)
        self._looked_at.add(found)
        return found

    def reset_meep(self):
        """Forgets fields, monitors and the cell as it was set up; what was given to Simulation stays."""
        self.transforms, self._extras = [], []
        self._clear()

    def restart_fields(self):
        """Time 0 again, transforms from 0 on."""
        for m in self.transforms:
            m.offset = [{} for _ in m.regions]
        self._extras = []
        self._clear()

    clear_dft_monitors = lambda self: self.transforms.clear()

    def init_sim(self):
        self.case()

    def require_dimensions(self):
        self.frame

    # time

    def time(self):
        return self.step * self.frame.dt

    def meep_time(self):
        return self.time()

    round_time = meep_time

    def timestep(self):
        return self.step

    def sources_end(self):
        """When the last source falls silent; inf where one never does."""
        ends = [s.src.last_time() for s in self.sources]
        return min(max(ends, default=0.0), inf)

    def using_real_fields(self):
        self.case()
        return not (self.frame.complex_fields or self.force_complex_fields)

    @staticmethod
    def single_precision():
        return machine.get("precision", "single") == "single"

    def print_times(self):
        """Seconds of the last run, by the clock on the wall."""
        print(f"time stepping: {getattr(self, 'seconds', 0):g} s")

    def say(self, text):
        if verbosity.level >= 1:
            print(text)

    def warn(self, text):
        """Once, of umov's; none with verbosity(0)."""
        if text not in self._told and verbosity.level > 0:
            self._told.add(text)
            warnings.warn(text, stacklevel=5)

    # the runs

    def _stop(self, step):
        """The table [stop] of a run that ends at a step and keeps its state: the limit of a criterion that is never met."""
        endless = any(s.src.last_time() >= inf / 10 and not isinstance(s.src, CustomSource) for s in self.sources)
        return {"steady" if endless else "decay": 1e-300, "max_time": (step - 0.5) * self.frame.dt}

    def _case_to(self, step):
        """The case of a run to a step."""
        if self._fresh:
            self._frame = self._case = None  # lists of sources and bodies may have grown
            tables = self._monitor_tables()
            self._running = self.case() | tables
            self._fresh, self._stale, self._imaginary = False, False, None
            if self._in_parts:
                self._running |= _case.fitted_layers(self._running, self._stop(step))
        return umov.fdtd.case(self._running | {"stop": self._stop(step), "output": self._wanted_fields()})

    def _wanted_fields(self):
        return {"fields": [self.frame.component(c)[0] for c in self.frame.components()]}

    def _advance(self, step, look=None):
        """On to a step; look(moment) is called after each on the way."""
        case = self._case_to(step)
        watched = {} if look is None else {"watch": look, "every": 1}
        if self.frame.dimensions == 3:
            watched, self._whole = whole_fields(self.frame, self.step, step, look)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._result = case.run(checkpoint=self.folder, resume=self.step > 0, **watched)
        for text in self._result.warnings:
            self.warn(text)
        self.step = step
        self._samples = {}

    def _walk(self, functions, conditions, last):
        """On to a step, with functions called on the way where they are due: they look at the fields of the run itself. A
        condition that is reached ends it there, and a function that asks for more than fields, which is called again once the
        run was computed up to there. The functions that are still to be called at this step; None for all."""
        ended, more = [], []

        def look(moment):
            self.step, self._samples, self._moment = moment.step, {}, moment
            if moment.step == last:
                return True
            try:
                ended.extend(c for c in conditions if c.reached(self))
                for f in functions if not ended else ():
                    if f.due(self) <= self.time() + self.frame.dt / 2:
                        more[:] = [f]
                        f(self, "step")
                more.clear()
            except _More:
                more[:] = functions[functions.index(more[0]):] if more else functions
                return False
            return not ended

        try:
            self._advance(last, look)
        except umov.Interrupted:
            if not more and not ended:
                raise
        finally:
            self._moment = None
        if more or ended:
            self._again()  # from its state a run takes one step at least
        return list(more) or None

    def _again(self):
        """From the start to this step, with monitors that were added."""
        step, self.step, self._fresh = self.step, 0, True
        state = os.path.join(self.folder, "checkpoint")
        if os.path.exists(state):
            os.remove(state)
        self._advance(step)

    def result(self):
        """The umov.Result of the run so far; None before its first step."""
        if self._moment is not None:
            raise _More
        return self._result

    def in_two_runs(self):
        """Whether fields are complex by a run of their imaginary parts: force_complex_fields without Bloch walls."""
        self.case()
        return self.force_complex_fields and not self.frame.complex_fields

    @staticmethod
    def whole_fields(*arguments):
        return whole_fields(*arguments)

    def imaginary(self):
        """The umov.Result of the imaginary parts at this step; None where there are none."""
        if not self.in_two_runs() or self.result() is None:
            return None
        if self._imaginary is None:
            self._imaginary = Imaginary(self)
        return self._imaginary.result()

    def run(self, *step_funcs, until=None, until_after_sources=None):
        if until is None and until_after_sources is None:
            raise ValueError("a run has an end; give until or until_after_sources")
        began = time.monotonic()
        start = self.time()
        conditions = []
        given = until if until is not None else until_after_sources
        for end in given if isinstance(given, (list, tuple)) else [given]:
            if isinstance(end, (int, float, np.number)):
                at = start + float(end) if until is not None else max(self.sources_end() + float(end), start)
                if not at < inf / 10:
                    refuse("until_after_sources of a source that never ends", "give until")
                conditions.append(_conditions.Until(at))
            else:
                conditions.append(_conditions.as_condition(end))
        not_before = 0.0 if until is not None else self.sources_end()
        if not_before > inf / 10:
            refuse("until_after_sources of a source that never ends", "give until")
        self._stale = False
        self._set_run_end(conditions)
        functions = [_steps.as_step(f) for f in step_funcs]
        for item in [*conditions]:
            item.begin(self, not_before)
        for f in functions:
            f.begin(self, start)
        if self._stale and self.step:
            self._again()
        self._in_parts = any(not isinstance(c, _conditions.Until) for c in conditions) or any(f.due(self) < inf for f in functions)
        dt, walks, pending = self.frame.dt, True, None
        asked = [c for c in conditions if isinstance(c, _conditions.Asked)]
        others = [c for c in conditions if not isinstance(c, _conditions.Asked)]

        def step_of(items):
            due = min((item.due(self) for item in items), default=inf)
            return max(self.step + 1, math.ceil(max(min(due / dt, 2**31 - 1), 0) - 1e-6))

        def call(functions):
            for f in functions:
                if f.due(self) <= self.time() + dt / 2:
                    f(self, "step")

        while not any(c.reached(self) for c in conditions):
            call(functions if pending is None else pending)
            pending = None
            step, last = step_of([*conditions, *functions]), step_of(others)
            if step >= 2**31 - 1:
                raise ValueError("nothing ends this run; give until a time or a condition")
            if walks and step < last:
                pending = self._walk(functions, asked, min(last, self.step + 10**6))
                walks = pending is None
            else:
                self._advance(step)
        call(functions if pending is None else pending)  # Meep's last step, too
        for f in functions:
            f(self, "finish")
        self.say(f"run {self.run_index} finished at t = {self.time():g} ({self.step} timesteps)\n")
        self.run_index += 1
        self.seconds = time.monotonic() - began

    run_index, _in_parts, _moment = 0, False, None

    def run_end(self):
        """When the run under way ends, where a time ends it; else inf."""
        return self._run_end

    def _set_run_end(self, conditions):
        ends = [c.end for c in conditions if isinstance(c, _conditions.Until)]
        before, self._run_end = self._run_end, min(ends, default=inf)
        if self.step and self._run_end > before and any(isinstance(s.src, CustomSource) and s.src.last_time() >= inf / 10
                                                        for s in self.sources):
            self._case, self._stale = None, True  # its samples go on
            return

    def _run_until(self, cond, step_funcs):
        self.run(*step_funcs, until=cond)

    def _run_sources_until(self, cond, step_funcs):
        self.run(*step_funcs, until_after_sources=cond)

    def _run_sources(self, step_funcs):
        self.run(*step_funcs, until_after_sources=0)

    def run_k_point(self, t=None, k=None):
        """Harminv at the first source with a wave vector k, for a time t after the sources: the modes."""
        low, high = [], []
        for s in self.sources:
            half = getattr(s.src, "fwidth", 0) / 2
            low.append(s.src.frequency - half)
            high.append(s.src.frequency + half)
        if not low:
            raise ValueError("run_k_point needs a source; give one")
        fcen, df = (min(low) + max(high)) / 2, max(high) - min(low)
        self.k_point = vector(k)
        self.restart_fields()
        harminv = _recorded.Harminv(self.sources[0].component, self.sources[0].center, fcen, df)
        self.run(_steps.after_sources(harminv), until_after_sources=t)
        return harminv

    def run_k_points(self, t=None, k_points=None):
        """Complex frequencies of each k."""
        found = []
        for number, k in enumerate(k_points, 1):
            modes = self.run_k_point(t, k).modes
            freqs = [complex(m.freq, m.decay) for m in modes]
            words = ", ".join([str(number), *(str(v) for v in k), *(str(f.real) for f in freqs)])
            self.say(f"freqs:, {words}")
            self.say("freqs-im:, " + ", ".join([str(number), *(str(v) for v in k), *(str(f.imag) for f in freqs)]))
            found.append(freqs)
        return found


def whole_fields(frame, begin, end, look=None):
    """(keywords of a run from step to step, fields): the fields in space where the run stops, of which its result has planes
    only."""
    kept = {}

    def watch(moment):
        goes_on = look is None or look(moment)
        if moment.step == end or not goes_on:
            for c in frame.components():
                own, _ = frame.component(c)
                kept[own] = np.array(moment[own])
        return goes_on

    return {"watch": watch, "every": 1 if look is not None else math.gcd(begin, end)}, kept
