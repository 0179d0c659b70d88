"""What a run records on the way as a step function: resonances, the density of states."""

import math

import numpy as np

from ._dft import frequencies_of
from ._names import inf, vector
from ._steps import Step



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
        sim.say(f"harminv{sim.harminv_runs}:, frequency, imag. freq., Q, |amp|, amplitude, error")
        for m in self.modes:
            sim.say(f"harminv{sim.harminv_runs}:, {m.freq}, {m.decay}, {m.Q}, {abs(m.amp)}, {m.amp.real}"
                    f"{m.amp.imag:+}i, {m.err}+0.0i")


class Ldos:
    """Frequencies at which the power of the point source is looked at."""

    def __init__(self, *arguments):
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
            sim.say("ldos0:, frequency, ldos")
            for f, value in zip(self.ldos.freq, sim.ldos_data):
                sim.say(f"ldos0:, {f}, {value}")


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
