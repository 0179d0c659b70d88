"""Computational electromagnetics: cases of every family planned and run from Python.

    import umov
    ball = umov.dda.case(size=1, wavelength=0.55, m=1.5 + 0.02j)   # um
    result = ball.run()
    result["cross_sections/Y/Cext"]                                # um^2

dda, fdtd, harmonic, eqs and modes are families, with case(), plan() and run(); mie() and solve() are functions. Keywords are
the names of cases in TOML, tables as dictionaries. docs/guide/python.md is the manual.
"""

import importlib as _importlib

from . import _core
from ._case import Case, Moment, Plan, load
from ._core import BadInput, Error, Interrupted, MachineFailure, NotConverged

__version__ = _core.version
__all__ = ["BadInput", "Case", "Error", "Interrupted", "MachineFailure", "Moment", "NotConverged", "Plan",
           "Preconditioner", "Result", "dda", "eqs", "fdtd", "fixed_angle", "harmonic", "load", "materials", "mie", "modes", "open", "solve",
           "sweep"]

# What takes time to load, or wants NumPy, comes when it is asked for.
_later = {"Result": "_result", "open": "_result", "mie": "_functions", "solve": "_functions", "sweep": "_functions",
          "Preconditioner": "_functions", "fixed_angle": "_fixed_angle"}
_modules = ("dda", "fdtd", "harmonic", "eqs", "modes", "materials")


def __getattr__(name):
    if name in _modules:
        return _importlib.import_module(f"umov.{name}")
    if name in _later:
        found = getattr(_importlib.import_module(f"umov.{_later[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module 'umov' has no attribute '{name}'")


def __dir__():
    return sorted(__all__)
