"""Transmission of a waveguide's right-angled bend: a straight guide first, then the bend, reflection by the difference."""

import umov.meep as mp

size, layer, width = 14, 1, 1
glass = mp.Medium(epsilon=12)
cell = mp.Vector3(size, size)
fcen, df, count = 0.15, 0.06, 7
row, column = -0.5 * size + 4, 0.5 * size - 4

straight = [mp.Block(mp.Vector3(mp.inf, width, mp.inf), center=mp.Vector3(0, row), material=glass)]
bent = [mp.Block(mp.Vector3(size - 3.5, width, mp.inf), center=mp.Vector3(-1.75, row), material=glass),
        mp.Block(mp.Vector3(width, size - 3.5, mp.inf), center=mp.Vector3(column, 1.75), material=glass)]
source = mp.Source(mp.GaussianSource(fcen, fwidth=2 * df), component=mp.Ez, center=mp.Vector3(-0.5 * size + layer, row),
                   size=mp.Vector3(0, width))
before = mp.FluxRegion(center=mp.Vector3(-0.5 * size + layer + 1, row), size=mp.Vector3(0, 2 * width))
end = mp.Vector3(0.5 * size - layer - 0.5, row)
top = mp.Vector3(column, 0.5 * size - layer - 0.5)


def simulation(geometry):
    return mp.Simulation(cell_size=cell, boundary_layers=[mp.PML(layer)], geometry=geometry, sources=[source], resolution=10)


sim = simulation(straight)
reflected = sim.add_flux(fcen, df, count, before)
passed = sim.add_flux(fcen, df, count, mp.FluxRegion(center=end, size=mp.Vector3(0, 2 * width)))
sim.run(until_after_sources=mp.stop_when_fields_decayed(30, mp.Ez, end, 1e-3))
incident, kept = mp.get_fluxes(passed), sim.get_flux_data(reflected)
sim.reset_meep()

sim = simulation(bent)
reflected = sim.add_flux(fcen, df, count, before)
passed = sim.add_flux(fcen, df, count, mp.FluxRegion(center=top, size=mp.Vector3(2 * width, 0)))
sim.load_minus_flux_data(reflected, kept)
sim.run(until_after_sources=mp.stop_when_fields_decayed(30, mp.Ez, top, 1e-3))
for f, r, t, i in zip(mp.get_flux_freqs(passed), mp.get_fluxes(reflected), mp.get_fluxes(passed), incident):
    print(f"bend:, {f:.6f}, {-r / i:.6f}, {t / i:.6f}, {i:.6f}")
