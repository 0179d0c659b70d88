"""Transmission through holes in a waveguide with a defect: H along z, odd under the mirror."""

import umov.meep as mp

eps, width, radius, defect, pairs, layer, pad = 13, 1.2, 0.36, 1.4, 2, 1, 2
size = mp.Vector3(2 * (pad + layer + pairs) + defect - 1, 6)
fcen, df, count = 0.25, 0.1, 5

geometry = [mp.Block(size=mp.Vector3(mp.inf, width, mp.inf), material=mp.Medium(epsilon=eps))]
for i in range(pairs):
    geometry += [mp.Cylinder(radius, center=mp.Vector3(side * (defect / 2 + i))) for side in (1, -1)]


def transmission(bodies):
    sim = mp.Simulation(
        cell_size=size,
        geometry=bodies,
        sources=[mp.Source(mp.GaussianSource(fcen, fwidth=2 * df), component=mp.Ey,
                           center=mp.Vector3(-0.5 * size.x + layer), size=mp.Vector3(0, width))],
        symmetries=[mp.Mirror(mp.Y, phase=-1)],
        boundary_layers=[mp.PML(layer)],
        resolution=20,
    )
    place = mp.Vector3(0.5 * size.x - layer - 0.5)
    flux = sim.add_flux(fcen, df, count, mp.FluxRegion(center=place, size=mp.Vector3(0, 2 * width)))
    sim.run(until_after_sources=mp.stop_when_fields_decayed(50, mp.Ey, place, 1e-3))
    return mp.get_flux_freqs(flux), mp.get_fluxes(flux)


_, whole = transmission(geometry[:1])
for f, t, i in zip(*transmission(geometry), whole):
    print(f"holes:, {f:.6f}, {t / i:.6f}, {i:.6f}")
