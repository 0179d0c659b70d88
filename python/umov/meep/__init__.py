"""Scripts for Meep on umov: `import umov.meep as mp`.

Simulation, Medium, Block, Source, PML and the like mean what they mean in Meep 1.25; what is computed is a case of
umov.fdtd. Lengths are in a unit of your choice, frequencies in c over it. What is not here is refused by name, with what to
write instead (NotHere). docs/guide/meep.md is the manual.
"""

import math as _math

from . import _refusals
from ._conditions import (stop_after_walltime, stop_when_dft_decayed, stop_when_energy_decayed,
                          stop_when_fields_decayed)
from ._dft import (DftEnergy, DftFields, DftFlux, DftForce, DftNear2Far, DftObj, EigCoeffsResult, EnergyRegion, FluxRegion,
                   ForceRegion, ModeRegion, Near2FarRegion, get_eigenmode_freqs, get_electric_energy, get_energy_freqs,
                   get_flux_freqs, get_fluxes, get_force_freqs, get_forces, get_magnetic_energy, get_near2far_freqs,
                   get_total_energy, scale_energy_fields, scale_flux_fields, scale_force_fields, scale_near2far_fields)
from ._geometry import (Block, Cone, Cylinder, Ellipsoid, GeometricObject, Prism, Sphere, Wedge,
                        geometric_object_duplicates, geometric_objects_duplicates)
from ._media import (DrudeSusceptibility, LorentzianSusceptibility, Medium, Susceptibility, air, metal,
                     perfect_electric_conductor, vacuum)
from ._names import *  # noqa: F403 - numbers of components and directions
from ._names import Vector3, component_direction, component_name, direction_name, vector
from ._output import output_png
from ._output import step_functions as _step_functions
from ._recorded import Harminv, Ldos, dft_ldos, get_ldos_freqs
from ._refusals import NotHere
from ._settings import Verbosity, machine, quiet, verbosity
from ._sides import PML, Absorber, Identity, Mirror
from ._simulation import Simulation
from ._sources import (ContinuousSource, CustomSource, DiffractedPlanewave, EigenModeSource, GaussianBeamSource,
                       GaussianSource, Source, SourceTime)
from ._steps import (after_sources, after_sources_and_time, after_time, at_beginning, at_end, at_every, at_time, before_time,
                     combine_step_funcs, display_progress, during_sources, in_point, in_volume, synchronized_magnetic,
                     to_appended, when_false, when_true, with_prefix)

pi = _math.pi
globals().update(_step_functions())


def _world():
    """The communicator of a script that mpirun started several times and that has loaded mpi4py; else None."""
    import sys

    return sys.modules["mpi4py.MPI"].COMM_WORLD if "mpi4py.MPI" in sys.modules else None


def am_master():
    """Whether this is the process that speaks: the first where mpi4py is loaded, else the only one. Each computes all."""
    return my_rank() == 0


am_really_master = am_master


def count_processors():
    return 1 if _world() is None else _world().Get_size()


def my_rank():
    return 0 if _world() is None else _world().Get_rank()


def all_wait():
    pass


def with_mpi():
    return False


def is_point_in_object(point, body):
    return point in body


def get_rotation_matrix(axis, theta):
    """Columns: the turned unit vectors."""
    return [Vector3(*unit).rotate(axis, theta) for unit in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]


def get_center_and_size(v):
    return v.center, v.size


def master_printf(text, *values):
    if am_master():
        print(text % values if values else text, end="")


def vec(*coordinates):
    return Vector3(*coordinates)


def __getattr__(name):
    if name == "materials":
        import importlib

        return importlib.import_module("umov.meep.materials")
    found = _refusals.stand_in(name)
    if found is None:
        raise AttributeError(f"module 'umov.meep' has no attribute '{name}' (docs/guide/meep.md lists what it has)")
    return found
