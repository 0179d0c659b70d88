"""The sides of a cell: absorbing layers and mirror planes."""

from ._names import ALL
from ._refusals import refuse


class PML:
    """An absorbing layer of a thickness: on one side of one direction, or on all."""

    def __init__(self, thickness=None, direction=ALL, side=ALL, R_asymptotic=1e-15, mean_stretch=1.0, pml_profile=None):
        if thickness is None:
            raise ValueError("an absorbing layer has a thickness; give it")
        self.thickness, self.direction, self.side = thickness, direction, side


class Absorber(PML):
    """As PML: umov's layers absorb at all angles."""


class Mirror:
    """A mirror plane through the middle of the cell, across a direction; phase 1 or -1."""

    def __init__(self, direction=None, phase=1):
        self.direction, self.phase = direction, complex(phase)

    def even(self):
        if self.phase not in (1, -1):
            refuse(f"a Mirror of phase {self.phase}", "give 1 or -1")
        return self.phase == 1


class Identity(Mirror):
    """No symmetry."""
