"""Light that a sphere scatters, by the flux through a box around it, in units of its cross-section (Mie)."""

import math

import umov.meep as mp

radius, index, air, layer = 1.0, 2.0, 0.4, 0.8
fcen, df, count = 0.35, 0.12, 3
size, half = 2 * (radius + air + layer), radius + air / 2


def box(bodies, less=None):
    """Flux through the box's six sides, and through the side that the light comes in by."""
    sim = mp.Simulation(
        cell_size=mp.Vector3(size, size, size), geometry=bodies, resolution=12, k_point=mp.Vector3(),
        boundary_layers=[mp.PML(layer)], symmetries=[mp.Mirror(mp.Y), mp.Mirror(mp.Z, phase=-1)],
        sources=[mp.Source(mp.GaussianSource(fcen, fwidth=0.3, is_integrated=True), mp.Ez, mp.Vector3(-size / 2 + layer),
                           size=mp.Vector3(0, size, size))])
    sides = []
    for axis in range(3):
        for sign in (-1, 1):
            center, extent = [0.0] * 3, [2 * half] * 3
            center[axis], extent[axis] = sign * half, 0
            sides.append(sim.add_flux(fcen, df, count, mp.FluxRegion(mp.Vector3(*center), mp.Vector3(*extent), weight=sign)))
    if less:
        for side, data in zip(sides, less):
            sim.load_minus_flux_data(side, data)
    sim.run(until_after_sources=15)
    return sim, sides


sim, sides = box([])
incident = [-v / (2 * half) ** 2 for v in mp.get_fluxes(sides[0])]
data = [sim.get_flux_data(side) for side in sides]
_, sides = box([mp.Sphere(radius, material=mp.Medium(index=index))], data)
scattered = [sum(v) for v in zip(*map(mp.get_fluxes, sides))]
for f, power, intensity in zip(mp.get_flux_freqs(sides[0]), scattered, incident):
    print(f"sphere:, {f:.3f}, {power / intensity / (math.pi * radius**2):.4f}")
