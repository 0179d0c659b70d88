"""Orders of a binary grating of glass, by the modes of a plane in air: cosines, as the cell has a mirror."""

import math

import umov.meep as mp

layer, glass_below, air, period, height, resolution = 1.0, 2.0, 2.0, 3.0, 0.5, 20
size = mp.Vector3(layer + glass_below + height + air + layer, period)
glass = mp.Medium(index=1.5)
fcen, df, count, orders = 1.0, 0.2, 3, 3
source = mp.Source(mp.GaussianSource(fcen, fwidth=2 * df), component=mp.Ez, size=mp.Vector3(0, period),
                   center=mp.Vector3(-0.5 * size.x + layer + 0.5 * glass_below))
place = mp.Vector3(0.5 * size.x - layer - 0.5 * air)


def run(geometry, background):
    sim = mp.Simulation(resolution=resolution, cell_size=size, boundary_layers=[mp.PML(layer, direction=mp.X)],
                        k_point=mp.Vector3(), geometry=geometry, default_material=background, sources=[source],
                        symmetries=[mp.Mirror(mp.Y)])
    flux = sim.add_flux(fcen, df, count, mp.FluxRegion(center=place, size=mp.Vector3(0, period)))
    sim.run(until_after_sources=mp.stop_when_fields_decayed(30, mp.Ez, place, 1e-6))
    return sim, flux


incident = mp.get_fluxes(run([], glass)[1])
low = -0.5 * size.x
bodies = [mp.Block(mp.Vector3(layer + glass_below, mp.inf, mp.inf), center=mp.Vector3(low + 0.5 * (layer + glass_below)),
                   material=glass),
          mp.Block(mp.Vector3(height, 0.5 * period, mp.inf), center=mp.Vector3(low + layer + glass_below + 0.5 * height),
                   material=glass)]
sim, flux = run(bodies, mp.Medium())
found = sim.get_eigenmode_coefficients(flux, list(range(1, orders + 1)), eig_parity=mp.ODD_Z + mp.EVEN_Y)
for n in range(orders):
    for i, f in enumerate(mp.get_eigenmode_freqs(flux)):
        angle = math.degrees(math.acos(found.kdom[n * count + i].x / f))
        print(f"grating:, {n}, {f:.4f}, {angle:.3f}, {abs(found.alpha[n, i, 0]) ** 2 / incident[i]:.6f}")
