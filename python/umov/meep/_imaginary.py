"""The imaginary part of complex fields without Bloch walls: a run of its own, of the imaginary parts of the currents."""

import copy
import os
import warnings

import umov

from . import _case


class Imaginary:
    """What force_complex_fields adds to a run of real fields: the same cell under the currents' imaginary parts, computed up
    to where the run is when somebody asks."""

    def __init__(self, sim):
        self.sim, self.step, self.found, self.whole = sim, 0, None, {}
        self.folder = os.path.join(sim.folder, "imaginary")
        os.makedirs(self.folder, exist_ok=True)
        state = os.path.join(self.folder, "checkpoint")
        if os.path.exists(state):
            os.remove(state)
        given, sim.sources = sim.sources, [self._turned(s) for s in sim.sources]
        try:
            self.tables = sim._running | {"source": _case.sources(sim, sim.frame)}
        finally:
            sim.sources = given

    @staticmethod
    def _turned(source):
        """Re(-i J) is Im J."""
        turned = copy.copy(source)
        turned.amplitude = -1j * source.amplitude
        return turned

    def result(self):
        sim = self.sim
        if self.step < sim.step:
            case = umov.fdtd.case(self.tables | {"stop": sim._stop(sim.step), "output": sim._wanted_fields()})
            watched = {}
            if sim.frame.dimensions == 3:
                watched, self.whole = sim.whole_fields(sim.frame, self.step, sim.step)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.found = case.run(checkpoint=self.folder, resume=self.step > 0, **watched)
            self.step = sim.step
        return self.found
