from . import _family

_family.define(globals(), "eqs", "electroquasistatics")
