from os import PathLike

from . import dda as dda
from . import eqs as eqs
from . import fdtd as fdtd
from . import harmonic as harmonic
from . import materials as materials
from . import modes as modes
from ._case import Case as Case
from ._case import Moment as Moment
from ._case import Plan as Plan
from ._case import load as load
from ._fixed_angle import fixed_angle as fixed_angle
from ._functions import Preconditioner as Preconditioner
from ._functions import mie as mie
from ._functions import solve as solve
from ._functions import sweep as sweep
from ._result import Result as Result
from ._result import open as open

__version__: str

class Error(Exception): ...
class BadInput(Error, ValueError): ...
class MachineFailure(Error, RuntimeError): ...
class NotConverged(Error, ArithmeticError): ...
class Interrupted(Error): ...
