"""What Meep has and this module has not, by name, with what to write instead."""

from .. import _core

# Names of Meep's module, with why they are not here and what stands in for them.
absent = {
    "MaterialGrid": "permittivities of a design are no numbers of a grid here; write Block, Prism or Cylinder, or draw the "
                    "structure as a picture for umov.fdtd",
    "MultilevelAtom": "populations of levels are not computed; write a Medium with a LorentzianSusceptibility",
    "Transition": "populations of levels are not computed; write a Medium with a LorentzianSusceptibility",
    "NoisyLorentzianSusceptibility": "no thermal currents are computed; write LorentzianSusceptibility",
    "NoisyDrudeSusceptibility": "no thermal currents are computed; write DrudeSusceptibility",
    "GyrotropicLorentzianSusceptibility": "media are reciprocal here; write LorentzianSusceptibility",
    "GyrotropicDrudeSusceptibility": "media are reciprocal here; write DrudeSusceptibility",
    "GyrotropicSaturatedSusceptibility": "media are reciprocal here; write LorentzianSusceptibility",
    "Rotate2": "symmetries are mirrors here; write Mirror where there is one, or leave it out and write all sources",
    "Rotate4": "symmetries are mirrors here; write Mirror where there is one, or leave it out and write all sources",
    "adjoint": "gradients are not computed; write umov.sweep over the parameters of a case",
    "Animate2D": "write the command umov fdtd with output.animation = true for the case of sim.to_case()",
    "BinaryPartition": "a run is shared by machine = {'ranks': n} of the case; leave chunk_layout out",
    "GDSII_layers": "layouts are read by umov.fdtd (layout = {'file': ...}, docs/guide/layouts.md)",
    "GDSII_prisms": "layouts are read by umov.fdtd (layout = {'file': ...}, docs/guide/layouts.md)",
    "GDSII_vol": "layouts are read by umov.fdtd (layout = {'file': ...}, docs/guide/layouts.md)",
    "get_GDSII_prisms": "layouts are read by umov.fdtd (layout = {'file': ...}, docs/guide/layouts.md)",
    "get_GDSII_volume": "layouts are read by umov.fdtd (layout = {'file': ...}, docs/guide/layouts.md)",
    "get_GDSII_layers": "layouts are read by umov.fdtd (layout = {'file': ...}, docs/guide/layouts.md)",
    "perfect_magnetic_conductor": "magnetic walls are those of the cell (sim.set_boundary with mp.Magnetic); as a body there is "
                                  "mp.perfect_electric_conductor",
    "epsilon_file_material": "permittivities come from bodies; draw the structure as a picture for umov.fdtd",
    "PadeDFT": "write Harminv",
    "green2d": "write near2far with get_farfield",
    "green3d": "write near2far with get_farfield",
    "Lattice": "modes of unit cells are not computed; write Simulation with k_point and Harminv",
    "mpb": "modes of unit cells are not computed; write Simulation with k_point and Harminv (run_k_points)",
    "make_casimir_gfunc": "forces of vacuum are not computed",
    "Matrix": "write get_rotation_matrix, or tensors along x, y and z by epsilon_diag",
    "structure": "write Simulation",
    "fields": "write Simulation",
    "set_epsilon": "write bodies in geometry",
    "visualization": "write sim.plot2D",
    "dump": "save transforms by sim.save_flux",
    "stop_on_interrupt": "Control-C ends a run with KeyboardInterrupt; leave it out",
    "geometric_objects_lattice_duplicates": "write geometric_objects_duplicates with each period's vector",
    "merge_subgroup_data": "a script has one group of processes here; write its numbers to a file, or umov.sweep",
    "divide_parallel_processes": "a script has one group of processes here; write umov.sweep",
    "plot3D": "write sim.get_epsilon() and a viewer of your own, or umov fdtd and ParaView",
}

class NotHere(_core.BadInput, NotImplementedError):
    """What Meep can do and umov.meep cannot; the text says what to write instead."""


def refuse(what, instead):
    """Raises NotHere: WHAT (umov.meep has it not); INSTEAD."""
    raise NotHere(f"{what} (umov.meep does not have it): {instead}")


def cylindrical(what):
    refuse(what, "cylindrical coordinates are not computed; write the cell in three dimensions, or in two where the structure "
                 "goes on along an axis")


class _Absent:
    """Stands where Meep has a class or function; using it is refused, importing it is not."""

    def __init__(self, name):
        object.__setattr__(self, "_name", name)

    def __call__(self, *_, **__):
        refuse(f"mp.{self._name}", absent[self._name])

    def __getattr__(self, what):
        if what.startswith("__"):
            raise AttributeError(what)
        refuse(f"mp.{self._name}.{what}", absent[self._name])


def stand_in(name):
    return _Absent(name) if absent.get(name) else None
