"""What a Simulation does with transforms, and what it refuses."""

import numpy as np

from . import _dft
from ._names import ALL, NO_DIRECTION, Vector3, vector
from ._refusals import refuse


class Monitors:
    def add_flux(self, *args, decimation_factor=0):
        return _dft.DftFlux(self, *_dft.frequencies_of(args))

    def add_mode_monitor(self, *args, yee_grid=False, decimation_factor=0):
        return self.add_flux(*args)

    def add_near2far(self, *args, nperiods=1, decimation_factor=0):
        found = _dft.DftNear2Far(self, *_dft.frequencies_of(args))
        found.periods = nperiods if nperiods > 1 else 0
        return found

    def add_force(self, *args, decimation_factor=0):
        return _dft.DftForce(self, *_dft.frequencies_of(args))

    def add_energy(self, *args, decimation_factor=0):
        return _dft.DftEnergy(self, *_dft.frequencies_of(args))

    def add_dft_fields(self, components, *args, where=None, center=None, size=None, yee_grid=False,
                       decimation_factor=0, persist=False):
        frequencies, rest = _dft.frequencies_of(args)
        if rest:
            where = rest[0]
        if where is not None:
            center, size = where.center, where.size
        if center is None and size is None:
            center, size = Vector3(), self.cell_size
        return _dft.DftFields(self, components, frequencies, _dft.FluxRegion(center=center, size=size or Vector3()))

    def get_dft_array(self, dft_obj, component, num_freq):
        """Complex fields on the pixels of the monitor's first region."""
        return dft_obj.array(component, num_freq)

    def get_dft_data(self, dft_chunk):
        refuse("get_dft_data", "write get_dft_array or get_flux_data")

    def get_eigenmode_coefficients(self, flux, bands, eig_parity=0, eig_vol=None, eig_resolution=0, eig_tolerance=1e-12,
                                   kpoint_func=None, direction=ALL):
        return _dft.coefficients(flux, bands, eig_parity, kpoint_func if direction == NO_DIRECTION else None)

    def get_flux_data(self, flux):
        """The transforms, to be loaded into a monitor like this one."""
        return flux.data()

    get_near2far_data = get_force_data = get_mode_data = get_flux_data

    def load_flux_data(self, flux, fdata):
        flux.shift(fdata, 1)

    load_near2far_data = load_force_data = load_mode_data = load_flux_data

    def load_minus_flux_data(self, flux, fdata):
        flux.shift(fdata, -1)

    load_minus_near2far_data = load_minus_force_data = load_minus_mode_data = load_minus_flux_data

    def save_flux(self, fname, flux):
        self._save_transforms(fname, flux)

    save_near2far = save_force = save_energy = save_mode = save_flux

    def load_flux(self, fname, flux):
        flux.shift(self._saved_transforms(fname, flux), 1)

    load_near2far = load_force = load_energy = load_mode = load_flux

    def load_minus_flux(self, fname, flux):
        flux.shift(self._saved_transforms(fname, flux), -1)

    load_minus_near2far = load_minus_force = load_minus_energy = load_minus_mode = load_minus_flux

    def get_farfield(self, near2far, x, *_):
        """Ex, Ey, Ez, Hx, Hy, Hz at a point, for each frequency one after the other."""
        return near2far.far(np.array([list(vector(x))])).reshape(-1).tolist()

    def get_farfields(self, near2far, resolution=None, where=None, center=None, size=None, *_):
        """{"Ex": array over the grid of the volume (and the frequencies, where there are several), ...}."""
        if where is not None:
            center, size = where.center, where.size
        points, _, count = _dft.grid(_dft.Volume(center, size), resolution)
        found = near2far.far(points)
        shape = [n for n in count if n > 1]
        out = {}
        for j, name in enumerate(("Ex", "Ey", "Ez", "Hx", "Hy", "Hz")):
            values = np.moveaxis(found[:, :, j].reshape(len(near2far.freq), *shape), 0, -1)
            out[name] = values[..., 0] if len(near2far.freq) == 1 else values
        return out

    def display_fluxes(self, *fluxes):
        self._display("flux", [f.freq for f in fluxes[:1]] + [f.fluxes() for f in fluxes])

    def display_forces(self, *forces):
        self._display("force", [f.freq for f in forces[:1]] + [f.forces() for f in forces])

    def display_electric_energy(self, *energys):
        self._display("electric_energy", [f.freq for f in energys[:1]] + [f.energies("E") for f in energys])

    def display_magnetic_energy(self, *energys):
        self._display("magnetic_energy", [f.freq for f in energys[:1]] + [f.energies("H") for f in energys])

    def display_total_energy(self, *energys):
        self._display("total_energy", [f.freq for f in energys[:1]] + [f.energies("E") + f.energies("H") for f in energys])

    def _display(self, name, columns):
        for row in zip(*columns):
            print(f"{name}{self.run_index - 1}:, " + ", ".join(str(float(v)) for v in row))

    # refused

    def set_epsilon(self, *_, **__):
        refuse("sim.set_epsilon", "write bodies in geometry, and sim.set_materials before a run")

    def mean_time_spent_on(self, time_sink):
        refuse("sim.mean_time_spent_on", "write sim.print_times()")

    def solve_cw(self, tol=1e-8, maxiters=10000, L=2):
        refuse("solve_cw", "run until the wave is steady (until=...), with transforms of a GaussianSource")

    def solve_eigfreq(self, *_, **__):
        refuse("solve_eigfreq", "write Harminv")

    def get_eigenmode(self, *_, **__):
        refuse("get_eigenmode", "write get_eigenmode_coefficients, EigenModeSource, or the command umov modes")

    def initialize_field(self, *_, **__):
        refuse("initialize_field", "start the fields by a GaussianSource")

    def phase_in_material(self, *_, **__):
        refuse("phase_in_material", "run two simulations")

    def visualize_chunks(self, *_, **__):
        refuse("visualize_chunks", "leave it out")

    def dump(self, *_, **__):
        refuse("dump", "keep the script; save transforms by sim.save_flux")

    load = dump_structure = dump_fields = load_structure = load_fields = dump

    def plot3D(self, *_, **__):
        refuse("plot3D", "write plot2D, or sim.get_epsilon() and a viewer of your own")
