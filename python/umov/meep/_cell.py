"""Cell: what a script says of a simulation, and the case of umov.fdtd that this is."""

import os
import shutil
import tempfile
import weakref

import numpy as np

import umov

from . import _case
from ._frame import TE, TM, Frame
from ._media import medium, vacuum
from ._names import ALL, CARTESIAN, EVEN_Z, ODD_Z, Vector3, vector
from ._refusals import NotHere, cylindrical, refuse
from ._settings import machine
from ._sides import Identity
from ._sources import EigenModeSource, GaussianBeamSource


class Cell:
    """What is in a cell, and what is asked of it; names and meaning are Meep's."""

    def __init__(self, cell_size=None, resolution=None, geometry=None, sources=None, eps_averaging=True, dimensions=3,
                 boundary_layers=None, symmetries=None, force_complex_fields=False, default_material=vacuum, m=0,
                 k_point=False, kz_2d="complex", extra_materials=None, material_function=None, epsilon_func=None,
                 epsilon_input_file="", progress_interval=4, subpixel_tol=1e-4, subpixel_maxeval=100000,
                 loop_tile_base_db=0, loop_tile_base_eh=0, ensure_periodicity=True, num_chunks=0, Courant=0.5,
                 accurate_fields_near_cylorigin=False, filename_prefix=None, output_volume=None,
                 output_single_precision=False, geometry_center=Vector3(), force_all_components=False,
                 split_chunks_evenly=True, chunk_layout=None, collect_stats=False, load_structure=None):
        if cell_size is None or resolution is None:
            raise ValueError("a Simulation has a cell_size and a resolution; give both")
        if not resolution > 0:
            raise ValueError(f"a resolution of {resolution}; give pixels per unit of length, above 0")
        if material_function is not None or epsilon_func is not None or epsilon_input_file:
            refuse("media as functions or files (material_function, epsilon_func, epsilon_input_file)",
                   "write bodies in geometry, or draw a picture for umov.fdtd")
        for length in vector(cell_size):
            if not length >= 0:
                raise ValueError(f"a cell_size of {vector(cell_size)}; give lengths of 0 or above")
        if any(vector(geometry_center)):
            refuse("geometry_center", "move the bodies")
        self.cell_size, self.resolution = vector(cell_size), resolution
        self.geometry, self.sources = list(geometry or []), list(sources or [])
        self.symmetries, self.boundary_layers = list(symmetries or []), list(boundary_layers or [])
        self.eps_averaging, self.dimensions, self.force_complex_fields = eps_averaging, dimensions, force_complex_fields
        self.default_material, self.k_point, self.Courant = medium(default_material), k_point, Courant
        self.extra_materials, self.kz_2d, self.m = list(extra_materials or []), kz_2d, m
        self.filename_prefix, self.output_volume, self.appended_file = filename_prefix, output_volume, None
        self.given_walls, self.ldos_data = {}, None
        self.folder = tempfile.mkdtemp(prefix="umov-meep-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self._finalizer = weakref.finalize(self, _remove, self.folder)
        self.transforms, self._extras, self._told = [], [], set()
        self._clear()

    # what the case is made of

    @property
    def frame(self):
        if self._frame is None:
            self._frame = Frame(self, self._components())
            _case.walls(self, self._frame)
        return self._frame

    def _components(self):
        """Components that sources drive, by Meep's names."""
        found = set()
        for s in self.sources:
            if isinstance(s, GaussianBeamSource):
                found |= {"E" + "xyz"[a] for a, v in enumerate(s.beam_E0) if v}
            elif isinstance(s, EigenModeSource):
                if s.component in CARTESIAN and CARTESIAN[s.component] not in ("Dielectric",):
                    found.add(CARTESIAN[s.component])
                elif s.eig_parity & EVEN_Z and not s.eig_parity & ODD_Z:
                    found |= TE
                elif hasattr(s.eig_band, "g"):
                    found |= TE if s.eig_band.p and not s.eig_band.s else TM
                else:
                    found.add("Ez")
            else:
                if s.component not in CARTESIAN or s.component >= 10:
                    cylindrical("a source along r or phi") if s.component < 10 else refuse(
                        "a source of D or B", "write the component of E or H")
                found.add(CARTESIAN[s.component])
        if self.dimensions == 1:
            found &= {"Ex", "Hy"} if not any(isinstance(s, (EigenModeSource,)) for s in self.sources) else found
        return found

    def media(self):
        return [self.default_material, *(g.material for g in self.geometry)]

    def mirrors(self):
        """{direction: Mirror}."""
        return {s.direction: s for s in self.symmetries if not isinstance(s, Identity)}

    def wave_vector(self):
        return None if self.k_point is False or self.k_point is None else vector(self.k_point)

    def layer_thickness(self, direction, side):
        """Of the absorbing layer on a side (mp.High, mp.Low) of a direction; 0 where there is none."""
        return max((p.thickness for p in self.boundary_layers if p.direction in (ALL, direction) and p.side in (ALL, side)),
                   default=0)

    def repeats(self, a):
        """Whether an axis of the case is periodic."""
        kinds = self.case()["boundary"]["xyz"[a]]
        return kinds in ("periodic", "bloch")

    def along(self, a):
        k = self.wave_vector()
        return 0.0 if k is None else self.frame.signs[a] * k[self.frame.axes[a]]

    def set_boundary(self, side, direction, condition):
        for s in ((0, 1) if side == ALL else (side,)):
            for d in (range(3) if direction == ALL else (direction,)):
                self.given_walls[s, d] = condition
        self._changed()

    def _changed(self):
        if self.step:
            raise NotHere("the cell is changed after a run began (umov computes a run of one cell): sim.reset_meep() or "
                          "sim.restart_fields() first")
        self._frame = self._case = None

    def change_sources(self, new_sources):
        self._restart_unless(self.step == 0, "change_sources")
        self.sources = list(new_sources)
        self._frame = self._case = None

    def add_source(self, src):
        self.sources.append(src)
        self._restart_unless(self.step == 0, "add_source")
        self._frame = self._case = None

    def change_k_point(self, k):
        self.k_point = k
        self.restart_fields()
        self._frame = self._case = None

    def set_materials(self, geometry=None, default_material=None):
        self._restart_unless(self.step == 0, "set_materials")
        if geometry is not None:
            self.geometry = list(geometry)
        if default_material is not None:
            self.default_material = medium(default_material)
        self._frame = self._case = None

    def _restart_unless(self, fine, what):
        if not fine:
            refuse(f"{what} on the way", "call sim.reset_meep() or sim.restart_fields() first; a run is of one cell")

    def case(self):
        """The case without monitors, as a dictionary."""
        if self._case is None:
            frame = self.frame
            frame.run_end = self._run_end
            self._case = _case.base_case(self, frame, machine)
        return self._case

    def to_case(self):
        """The case of umov.fdtd that this simulation is, monitors included."""
        return umov.fdtd.case(self.case() | self._monitor_tables() | {"stop": {"time": max(self.step, 1) * self.frame.dt}})

    # monitors

    def new_name(self, kind):
        self._names[kind] = self._names.get(kind, 0) + 1
        return f"{kind}_{self._names[kind]}"

    def add_transform(self, monitor):
        self.transforms.append(monitor)
        if self.step:
            self._again()
            monitor.begin_here()

    def _extra(self, key, table):
        """A monitor that is no transform; one of the same key stays."""
        for known, name, _ in self._extras:
            if known == key:
                return name
        name = self.new_name(table["kind"])
        self._extras.append((key, name, table | {"name": name}))
        self._stale = True
        return name

    def add_series(self, component, place):
        name, sign = self.frame.component(component)
        place = self.frame.place(place)
        found = self._extra(("series", name, *place), {"kind": "series", "fields": [name], "center": place})
        self._signs = getattr(self, "_signs", {}) | {found: sign}
        return found

    def series(self, name):
        """(times, values) of a record."""
        group = self.result()[f"series/{name}"]
        value = np.asarray(group["value"])
        return np.asarray(group["time"]), value + 1j * np.asarray(group["imag"]) if "imag" in group else value

    def add_resonance(self, component, place, low, high, start):
        name, _ = self.frame.component(component)
        place = self.frame.place(place)
        return self._extra(("resonance", name, *place, low, high, start),
                           {"kind": "resonance", "fields": [name], "center": place, "frequency_from": low,
                            "frequency_to": high, "start": max(start, self.frame.dt)})

    def add_ldos(self, frequencies):
        return self._extra(("ldos", *frequencies), {"kind": "ldos", "frequencies": list(frequencies)})

    def _monitor_tables(self):
        self._names = {k: v for k, v in self._names.items() if k != "fourier"}
        tables = [t for m in self.transforms for t in m.monitors()] + [t for _, _, t in self._extras]
        return {"monitor": tables} if tables else {}

    def threads(self):
        """As a case says them; 0: all."""
        return machine.get("threads", 0)


def _remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
