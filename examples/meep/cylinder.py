"""Power that a dielectric cylinder scatters out of a plane wave, over its width: a closed box of fluxes."""

import umov.meep as mp

radius, index, layer, air, resolution = 0.5, 2.0, 1.0, 1.0, 20
size = 2 * (layer + air + radius)
fcen, df, count = 0.5, 0.3, 5
source = mp.Source(mp.GaussianSource(fcen, fwidth=2 * df, is_integrated=True), component=mp.Ez,
                   center=mp.Vector3(-0.5 * size + layer), size=mp.Vector3(0, size))
side = 2 * radius + 0.4


def simulation(geometry):
    sim = mp.Simulation(cell_size=mp.Vector3(size, size), boundary_layers=[mp.PML(layer)], geometry=geometry, sources=[source],
                        k_point=mp.Vector3(), symmetries=[mp.Mirror(mp.Y)], resolution=resolution)
    faces = [(mp.Vector3(x=s * side / 2), mp.Vector3(0, side)) for s in (-1, 1)]
    faces += [(mp.Vector3(y=s * side / 2), mp.Vector3(side, 0)) for s in (-1, 1)]
    return sim, [sim.add_flux(fcen, df, count, mp.FluxRegion(center=c, size=s)) for c, s in faces]


sim, empty = simulation([])
sim.run(until_after_sources=20)
kept = [sim.get_flux_data(face) for face in empty]
incident = [f / side for f in mp.get_fluxes(empty[0])]

sim, faces = simulation([mp.Cylinder(radius, material=mp.Medium(index=index))])
for face, data in zip(faces, kept):
    sim.load_minus_flux_data(face, data)
sim.run(until_after_sources=60)
left, right, low, high = [mp.get_fluxes(face) for face in faces]
for i, f in enumerate(mp.get_flux_freqs(faces[0])):
    scattered = right[i] - left[i] + high[i] - low[i]
    print(f"cylinder:, {f:.6f}, {scattered / incident[i] / (2 * radius):.6f}, {incident[i]:.6f}")
