from . import _family

_family.define(globals(), "dda", "the discrete dipole approximation")
