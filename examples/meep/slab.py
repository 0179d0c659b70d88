"""Reflectance of a dielectric half space for a plane wave at a slant: a cell of one pixel across, with k_point."""

import math

import umov.meep as mp

layer, length, index, resolution = 1, 6, 3.5, 40
cell = mp.Vector3(0, 0, length + 2 * layer)
fcen, df, count = 0.75, 0.3, 5
k = mp.Vector3(math.sin(math.radians(25)), 0, math.cos(math.radians(25))).scale(fcen - df / 2)
start = mp.Vector3(0, 0, -0.5 * cell.z + layer)
place = mp.FluxRegion(center=mp.Vector3(0, 0, -0.25 * cell.z))


def simulation(geometry):
    return mp.Simulation(cell_size=cell, boundary_layers=[mp.PML(layer)], geometry=geometry, k_point=k, resolution=resolution,
                         sources=[mp.Source(mp.GaussianSource(fcen, fwidth=2 * df), component=mp.Ex, center=start)])


until = mp.stop_when_fields_decayed(20, mp.Ex, start, 1e-7)
sim = simulation([])
flux = sim.add_flux(fcen, df, count, place)
sim.run(until_after_sources=until)
incident, kept = mp.get_fluxes(flux), sim.get_flux_data(flux)

sim = simulation([mp.Block(size=mp.Vector3(mp.inf, mp.inf, 0.5 * cell.z), center=mp.Vector3(0, 0, 0.25 * cell.z),
                           material=mp.Medium(index=index))])
flux = sim.add_flux(fcen, df, count, place)
sim.load_minus_flux_data(flux, kept)
sim.run(until_after_sources=mp.stop_when_fields_decayed(20, mp.Ex, start, 1e-7))
for f, r, i in zip(mp.get_flux_freqs(flux), mp.get_fluxes(flux), incident):
    print(f"slab:, {f:.6f}, {math.degrees(math.asin(k.x / f)):.3f}, {-r / i:.6f}, {i:.6f}")
