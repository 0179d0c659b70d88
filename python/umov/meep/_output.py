"""Files of fields (HDF5, by h5py), files of transforms, pictures (by matplotlib)."""

import os
import sys

import numpy as np

from ._names import (CARTESIAN, D_EnergyDensity, Dielectric, EnergyDensity, H_EnergyDensity, Permeability, Sx, Sy, Sz,
                     Volume, component_name)
from ._refusals import refuse
from ._steps import Step


def _h5py():
    try:
        import h5py
    except ImportError:
        refuse("files of HDF5 without h5py", "install it (python3-h5py), or keep sim.get_array(...) by numpy.save")
    return h5py


class Output:
    output_directory = None

    def get_filename_prefix(self):
        if self.filename_prefix is not None:
            return self.filename_prefix
        script = os.path.basename(getattr(sys.modules["__main__"], "__file__", "") or "")
        return os.path.splitext(script)[0]

    def use_output_directory(self, dname=""):
        self.output_directory = dname or f"{self.get_filename_prefix()}-out"
        os.makedirs(self.output_directory, exist_ok=True)
        self.filename_prefix = None
        return self.output_directory

    def file_name(self, name, ending):
        prefix = self.get_filename_prefix()
        return os.path.join(self.output_directory or "", f"{prefix}-{name}{ending}" if prefix else f"{name}{ending}")

    def output_components(self, fname, *components):
        """A file of HDF5 with a data set for each component (.r and .i of complex fields), as get_array has them."""
        h5py = _h5py()
        appended = self.appended_file
        name = self.file_name(appended or f"{fname}-{self.time():09.2f}", ".h5")
        vol = self.output_volume
        sets = {}
        for c in components:
            found = self.get_array(c, vol=vol)
            word = component_name(c)
            sets |= {f"{word}.r": found.real, f"{word}.i": found.imag} if np.iscomplexobj(found) else {word: found}
        again = appended and name in self._begun_files()
        with h5py.File(name, "a" if again else "w") as out:
            for word, values in sets.items():
                if not appended:
                    out[word] = values
                elif word in out:
                    out[word].resize(out[word].shape[-1] + 1, out[word].ndim - 1)
                    out[word][..., -1] = values
                else:
                    out.create_dataset(word, data=values[..., None], maxshape=(*values.shape, None))
        self._begun_files().add(name)
        self.last_file = name

    def _begun_files(self):
        if not hasattr(self, "_begun"):
            self._begun = set()
        return self._begun

    def output_component(self, c, h5file=None, frequency=0):
        self.output_components(component_name(c), c)

    def output_times(self, fname):
        with open(self.file_name(fname, ".csv"), "w", encoding="utf-8") as out:
            out.write(f"seconds\n{getattr(self, 'seconds', 0)}\n")

    def output_field_function(self, *_, **__):
        refuse("output_field_function", "take sim.get_array of each component, and numpy.save")

    def output_dft(self, dft_fields, fname):
        h5py = _h5py()
        with h5py.File(self.file_name(fname, ".h5"), "w") as out:
            for c in dft_fields.components:
                for k in range(len(dft_fields.freq)):
                    found = dft_fields.array(c, k)
                    out[f"{c.lower()}_{k}.r"], out[f"{c.lower()}_{k}.i"] = found.real, found.imag

    def output_farfields(self, near2far, fname=None, resolution=None, where=None, center=None, size=None):
        h5py = _h5py()
        found = self.get_farfields(near2far, resolution, where, center, size)
        with h5py.File(self.file_name(fname, ".h5"), "w") as out:
            for name, values in found.items():
                out[f"{name.lower()}.r"], out[f"{name.lower()}.i"] = values.real, values.imag

    def _save_transforms(self, fname, monitor):
        arrays = {f"{i} {c}": v for i, region in enumerate(monitor.data()) for c, v in region.items()}
        np.savez(self.file_name(fname, ".npz"), **arrays)

    def _saved_transforms(self, fname, monitor):
        data = [{} for _ in monitor.regions]
        with np.load(self.file_name(fname, ".npz")) as kept:
            for key in kept.files:
                i, c = key.split()
                data[int(i)][c] = kept[key]
        return data

    # pictures

    def plot2D(self, ax=None, output_plane=None, fields=None, labels=False, eps_parameters=None, boundary_parameters=None,
               source_parameters=None, monitor_parameters=None, field_parameters=None, colorbar_parameters=None,
               frequency=None, plot_eps_flag=True, plot_sources_flag=True, plot_monitors_flag=True,
               plot_boundaries_flag=True, nb=False):
        """The permittivity of a plane, a field over it, sources, monitors and layers; returns the axes of matplotlib."""
        import matplotlib.pyplot as plt

        ax = ax or plt.gca()
        vol = output_plane or Volume(size=self.cell_size)
        x, y, z, _w = self.get_array_metadata(vol=vol)
        across = [m for m, places in enumerate((x, y, z)) if len(places) > 1]
        if len(across) != 2:
            raise ValueError(f"plot2D draws a plane; output_plane has {len(across)} axes with a size")
        u, v = [(x, y, z)[m] for m in across]
        extent = [u[0], u[-1], v[0], v[-1]]
        if plot_eps_flag:
            ax.imshow(np.real(self.get_array(Dielectric, vol=vol, frequency=frequency or 0)).T, origin="lower", extent=extent,
                      **{"cmap": "binary", "interpolation": "nearest"} | _drawn(eps_parameters))
        if fields is not None:
            ax.imshow(np.real(self.get_array(fields, vol=vol)).T, origin="lower", extent=extent,
                      **{"cmap": "RdBu", "alpha": 0.6} | _drawn(field_parameters))
        marks = []
        if plot_sources_flag:
            marks += [(s.center, s.size, "red") for s in self.sources]
        if plot_monitors_flag:
            marks += [(r.center, r.size, "blue") for m in self.transforms for r in m.regions]
        for center, size, colour in marks:
            ends = [[min(max(center[m] + s * size[m] / 2, extent[2 * i]), extent[2 * i + 1]) for s in (-1, 1)]
                    for i, m in enumerate(across)]
            ax.plot(*ends, color=colour, marker="." if not any(size) else None)
        if plot_boundaries_flag:
            for i, m in enumerate(across):
                for side, sign in ((1, -1), (0, 1)):
                    layer = self.layer_thickness(m, side)
                    if layer:
                        edge = sign * self.cell_size[m] / 2
                        low, high = extent[2 * i:2 * i + 2]
                        ends = sorted(min(max(e, low), high) for e in (edge - sign * layer, edge))
                        (ax.axvspan if i == 0 else ax.axhspan)(*ends, alpha=0.2, color="green", lw=0)
        ax.set_xlim(*extent[:2])
        ax.set_ylim(*extent[2:])
        ax.set_xlabel("xyz"[across[0]].upper())
        ax.set_ylabel("xyz"[across[1]].upper())
        return ax

    def plot_fields(self, **keywords):
        return self.plot2D(**keywords)


def _drawn(parameters):
    """What imshow takes; contours, colour bars and the pixels of the picture are Meep's own."""
    meeps = ("post_process", "colorbar", "contour", "contour_linewidth", "frequency", "resolution")
    return {k: v for k, v in (parameters or {}).items() if k not in meeps}


class _Output(Step):
    def __init__(self, name, *components):
        super().__init__()
        self.name, self.components = name, components

    def due(self, sim):
        return -float("inf")

    def __call__(self, sim, todo="step"):
        if todo == "step":
            sim.output_components(self.name, *self.components)


class _Png(_Output):
    def __init__(self, component, options, rm_h5=True):
        super().__init__(component_name(component), component)

    def __call__(self, sim, todo="step"):
        if todo != "step":
            return
        import matplotlib.image

        found = np.real(sim.get_array(self.components[0], vol=sim.output_volume))
        if found.ndim != 2:
            refuse(f"output_png of an array of {found.ndim} axes", "use in_volume with a plane")
        most = abs(found).max() or 1.0
        matplotlib.image.imsave(sim.file_name(f"{self.name}-{sim.time():09.2f}", ".png"), found.T, cmap="RdBu", vmin=-most,
                                vmax=most, origin="lower")


def output_png(compnt, options="", rm_h5=True):
    """A picture of a component, blue and red; options of h5topng are not read."""
    return _Png(compnt, options, rm_h5)


def step_functions():
    """output_efield_z and the like, by name."""
    found = {"output_epsilon": _Output("eps", Dielectric), "output_mu": _Output("mu", Permeability),
             "output_tot_pwr": _Output("energy", EnergyDensity), "output_dpwr": _Output("denergy", D_EnergyDensity),
             "output_hpwr": _Output("henergy", H_EnergyDensity),
             "output_poynting": _Output("s", Sx, Sy, Sz), "output_sfield": _Output("s", Sx, Sy, Sz)}
    numbers = {name: c for c, name in CARTESIAN.items()}
    for letter in "ehdb":
        for x in "xyz":
            found[f"output_{letter}field_{x}"] = _Output(letter + x, numbers[letter.upper() + x])
        found[f"output_{letter}field"] = _Output(letter, *(numbers[letter.upper() + x] for x in "xyz"))
    for x, c in (("x", Sx), ("y", Sy), ("z", Sz)):
        found[f"output_poynting_{x}"] = found[f"output_sfield_{x}"] = _Output("s" + x, c)
    return found
