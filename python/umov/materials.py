"""The named materials: refractive index and permittivity over the wavelength.

    gold = umov.materials.find("gold")
    gold.n(0.55), gold.k(0.55), gold.epsilon([0.5, 0.6])     # vacuum wavelengths in um
"""

import warnings

from . import _core

__all__ = ["Material", "find", "names"]


class Material:
    """A named material. name, aliases, source (its citation), note, range (vacuum wavelengths in um where its data
    hold; None: all)."""

    def __init__(self, entry):
        self._entry = entry
        self.name, self.aliases, self.source = entry.name, tuple(entry.aliases), entry.source
        self.note, self.range = entry.note, entry.range

    def _at(self, wavelength, value_at):
        import numpy as np

        um = np.asarray(wavelength, float)
        if um.size and not (np.all(np.isfinite(um)) and um.min() > 0):
            raise _core.BadInput("argument 'wavelength': it must be positive (a vacuum wavelength); give it in um")
        outside = self._entry.outside(um.min(), um.max()) if um.size else ""
        if outside:
            warnings.warn(outside, stacklevel=3)
        return np.array([value_at(x) for x in um.flat], complex).reshape(um.shape)[()]

    def index(self, wavelength):
        """n + ik at vacuum wavelengths (um), a number or an array."""
        return self._at(wavelength, self._entry.index)

    def n(self, wavelength):
        """Real part of the refractive index."""
        return self._at(wavelength, self._entry.index).real

    def k(self, wavelength):
        """Imaginary part of the refractive index; k > 0 absorbs."""
        return self._at(wavelength, self._entry.index).imag

    def epsilon(self, wavelength):
        """Relative permittivity, Im > 0 absorbs."""
        return self._at(wavelength, self._entry.permittivity)

    def __repr__(self):
        where = f"{self.range[0]:.4g} to {self.range[1]:.4g} um" if self.range else "any wavelength"
        return f"{self.name}: {where}; {self.source}"


def find(name):
    """The material of that name or alias."""
    return Material(_core.material(name))


def names():
    """Names of all materials."""
    return _core.materials()
