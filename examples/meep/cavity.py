"""The density of states in a metal box with a slit, by the resonance's quality and directly."""

import math

import umov.meep as mp

side, wall, slit, layer = 0.999, 0.1, 0.399, 0.6  # walls just before nodes of the grid, where Meep has them
cell = mp.Vector3(1.6 + 2 * layer, 1.6 + 2 * layer)
geometry = [mp.Block(mp.Vector3(side + 2 * wall, side + 2 * wall, mp.inf), material=mp.metal),
            mp.Block(mp.Vector3(side, side, mp.inf), material=mp.air),
            mp.Block(center=mp.Vector3(side / 2), size=mp.Vector3(2 * wall, slit, mp.inf), material=mp.air)]
fcen = math.sqrt(0.5) / side
sim = mp.Simulation(
    cell_size=cell,
    geometry=geometry,
    boundary_layers=[mp.PML(layer)],
    sources=[mp.Source(mp.GaussianSource(fcen, fwidth=0.2), component=mp.Ez, center=mp.Vector3())],
    symmetries=[mp.Mirror(mp.Y)],
    resolution=30,
)
modes = mp.Harminv(mp.Ez, mp.Vector3(), fcen, 0.2)
sim.run(mp.after_sources(modes), until_after_sources=200)
mode = modes.modes[0]
by_quality = mode.Q / (0.25 * side**2) / (2 * math.pi * mode.freq * math.pi * 0.5)
sim.reset_meep()
sim.run(mp.dft_ldos(mode.freq, 0, 1), until_after_sources=2 * mode.Q / mode.freq)
print(f"cavity:, {mode.freq:.6f}, {sim.ldos_data[0] / by_quality:.4f}, {mode.Q:.1f}")
