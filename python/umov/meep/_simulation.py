"""Simulation: a cell, the runs that compute it, and what is asked of them."""

from ._arrays import Arrays
from ._cell import Cell
from ._course import Course
from ._monitors import Monitors
from ._output import Output


class Simulation(Cell, Course, Arrays, Monitors, Output):
    """A cell, what is in it, and its runs; names and meaning are Meep's."""
