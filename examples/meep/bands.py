"""Bands of a waveguide with a hole in each period, by the wave vector along it."""

import umov.meep as mp

geometry = [mp.Block(size=mp.Vector3(mp.inf, 1.2, mp.inf), material=mp.Medium(epsilon=13)), mp.Cylinder(radius=0.36)]
sim = mp.Simulation(
    cell_size=mp.Vector3(1, 8),
    geometry=geometry,
    sources=[mp.Source(mp.GaussianSource(0.25, fwidth=0.3), component=mp.Hz, center=mp.Vector3(0.1234))],
    symmetries=[mp.Mirror(mp.Y, phase=-1)],
    boundary_layers=[mp.PML(1, direction=mp.Y)],
    resolution=20,
)
points = [mp.Vector3(0.3), mp.Vector3(0.5)]
for k, found in zip(points, sim.run_k_points(200, points)):
    for f in found:
        if abs(f.imag) < 1e-4 and f.real < k.x:  # below the light line: guided
            print(f"bands:, {k.x:.3f}, {f.real:.6f}")
