"""Resonances of a dielectric ring, with its mirror plane."""

import umov.meep as mp

index, width, inner, air, layer = 3.4, 1, 1, 4, 2
size = 2 * (inner + width + air + layer)
fcen, df = 0.15, 0.1

sim = mp.Simulation(
    cell_size=mp.Vector3(size, size),
    geometry=[mp.Cylinder(radius=inner + width, material=mp.Medium(index=index)), mp.Cylinder(radius=inner)],
    sources=[mp.Source(mp.GaussianSource(fcen, fwidth=df), mp.Ez, mp.Vector3(inner + 0.1))],
    symmetries=[mp.Mirror(mp.Y)],
    boundary_layers=[mp.PML(layer)],
    resolution=10,
)
modes = mp.Harminv(mp.Ez, mp.Vector3(inner + 0.1), fcen, df)
sim.run(mp.after_sources(modes), until_after_sources=300)
for mode in sorted(modes.modes, key=lambda m: m.freq):
    if mode.Q > 50:
        print(f"ring:, {mode.freq:.6f}, {mode.Q:.2f}")
