"""Named media, `from umov.meep.materials import Ag`: those of umov's library under the names that scripts for Meep use.

Lengths are in um then. Elemental metals are the Lorentz-Drude models of Rakic et al. (1998) in both programs, fused_quartz is
Malitson's, BK7 Schott's, GaAs Skauli's, Si3N4_NIR Luke's; of the others the data are umov's (docs/guide/materials.md).
"""

import numpy as np

import umov

from ._media import Medium
from ._names import FreqRange
from ._refusals import refuse

_names = {"Ag": "silver", "Au": "gold", "Cu": "copper", "Al": "aluminium", "Be": "beryllium", "Cr": "chromium",
          "Ni": "nickel", "Pd": "palladium", "Pt": "platinum", "Ti": "titanium", "W": "tungsten", "fused_quartz": "silica",
          "BK7": "BK7", "GaAs": "gallium arsenide", "Si3N4_NIR": "silicon nitride", "Si": "silicon", "cSi": "c-Si",
          "aSi_H": "a-Si:H", "ITO": "ITO", "PMMA": "PMMA", "Au_JC_visible": "gold-jc"}
_absent = {"aSi": "aSi_H", "Al2O3": "sapphire in a case of umov.fdtd", "SiO2": "fused_quartz, or a Medium",
           "Si3N4": "Si3N4_NIR", "Si3N4_VISNIR": "Si3N4_NIR", "Au_visible": "Au", "Ag_visible": "Ag", "Al_visible": "Al", "Cr_visible": "Cr",
           "Ti_visible": "Ti", "Al_drude": "Al", "Ti_drude": "Ti", "SiN": "Si3N4_NIR"}
_absent |= dict.fromkeys(["AlN", "AlAs", "Co", "Mo", "NiCr", "NiFe", "InP", "Ge", "PC", "PS", "CLS", "BaB2O4", "LiNbO3", "CaWO4",
                          "CaCO3", "SiO2_aniso", "GaN", "AlN_aniso", "Al2O3_aniso", "Y2O3", "YAG", "CdTe"], "a Medium of its own")


class Named(Medium):
    """A medium of umov's library."""

    def __init__(self, name):
        super().__init__()
        self.name, self.entry = name, umov.materials.find(name)
        if self.entry.range:
            low, high = self.entry.range
            self.valid_freq_range = FreqRange(1 / high, 1 / low)

    def epsilon_along(self, f):
        """At f = 0 that at the highest frequency of its range."""
        f = abs(f) or self.valid_freq_range.max
        return np.full(3, complex(self.entry.epsilon(1 / f)))

    def table(self, name, axes):
        return {"name": name, "library": self.name}

    def key(self):
        return self.name


def __getattr__(name):
    if name in _names:
        globals()[name] = Named(_names[name])
        return globals()[name]
    if name in _absent:
        refuse(f"the material {name}", f"write {_absent[name]}")
    raise AttributeError(f"module 'umov.meep.materials' has no material '{name}' (there are {', '.join(_names)})")


def __dir__():
    return sorted(_names)
