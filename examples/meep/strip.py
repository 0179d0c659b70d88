"""Reflection and transmission of a notch in a strip, in space, by mode coefficients."""

import umov.meep as mp

width, height, notch, layer = 1.0, 0.6, 0.4, 0.8
fcen, df = 0.4, 0.1
strip = mp.Medium(index=2.4)

sim = mp.Simulation(
    cell_size=mp.Vector3(5, 5, 4.6),
    geometry=[mp.Block(mp.Vector3(mp.inf, width, height), material=strip),
              mp.Block(mp.Vector3(notch, width, height), center=mp.Vector3(0.4), material=mp.Medium(index=2.0))],
    symmetries=[mp.Mirror(mp.Y, phase=-1), mp.Mirror(mp.Z)],
    sources=[mp.EigenModeSource(mp.GaussianSource(fcen, fwidth=df), center=mp.Vector3(-1.4), size=mp.Vector3(0, 3.4, 3),
                                eig_parity=mp.ODD_Y + mp.EVEN_Z)],
    boundary_layers=[mp.PML(layer)],
    resolution=10,
)
across = mp.Vector3(0, 3.4, 3)
before = sim.add_mode_monitor(fcen, 0.05, 3, mp.ModeRegion(center=mp.Vector3(-0.8), size=across))
after = sim.add_mode_monitor(fcen, 0.05, 3, mp.ModeRegion(center=mp.Vector3(1.4), size=across))
sim.run(until_after_sources=25)
one, two = (sim.get_eigenmode_coefficients(m, [1], eig_parity=mp.ODD_Y + mp.EVEN_Z).alpha[0] for m in (before, after))
for k, f in enumerate(mp.get_flux_freqs(before)):
    print(f"strip:, {f:.3f}, {abs(one[k, 1] / one[k, 0])**2:.5f}, {abs(two[k, 0] / one[k, 0])**2:.5f}")
