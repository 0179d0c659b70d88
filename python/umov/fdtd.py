from . import _family

_family.define(globals(), "fdtd", "finite differences in the time domain")
