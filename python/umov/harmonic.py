from . import _family

_family.define(globals(), "harmonic", "time-harmonic cells of periodic layers")
