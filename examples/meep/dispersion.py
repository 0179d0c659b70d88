"""The permittivity of a dispersive medium out of the frequencies of waves with a given wave vector."""

import umov.meep as mp

terms = [mp.LorentzianSusceptibility(frequency=1.1, gamma=1e-5, sigma=0.5),
         mp.LorentzianSusceptibility(frequency=0.5, gamma=0.1, sigma=2e-5)]
sim = mp.Simulation(
    cell_size=mp.Vector3(),
    geometry=[],
    sources=[mp.Source(mp.GaussianSource(0.9, fwidth=1.0), component=mp.Ez, center=mp.Vector3())],
    default_material=mp.Medium(epsilon=2.25, E_susceptibilities=terms),
    resolution=20,
)
points = mp.interpolate(1, [mp.Vector3(0.8), mp.Vector3(2.0)])
for k, found in zip(points, sim.run_k_points(200, points)):
    for f in sorted(found, key=lambda f: f.real):
        print(f"dispersion:, {k.x:.3f}, {f.real:.6f}, {(k.x / f.real) ** 2:.6f}")
