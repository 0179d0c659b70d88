from . import _family

_family.define(globals(), "modes", "guided modes of cross-sections")
