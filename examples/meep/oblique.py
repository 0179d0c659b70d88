"""A plane wave at 30 degrees in glass, by a mode source of a homogeneous medium; its flux and its phase along the cell."""

import math

import umov.meep as mp

layer, length, index, f = 1.0, 4.0, 1.5, 1.0
k = mp.Vector3(index * f).rotate(mp.Vector3(z=1), math.radians(30))
sim = mp.Simulation(
    cell_size=mp.Vector3(length + 2 * layer, 2.0),
    resolution=25,
    boundary_layers=[mp.PML(layer, direction=mp.X)],
    sources=[mp.EigenModeSource(mp.GaussianSource(f, fwidth=0.2), center=mp.Vector3(-1.0), size=mp.Vector3(0, 2.0),
                                direction=mp.NO_DIRECTION, eig_kpoint=k, eig_band=1, eig_parity=mp.ODD_Z)],
    k_point=k,
    default_material=mp.Medium(index=index),
)
right = sim.add_flux(f, 0, 1, mp.FluxRegion(center=mp.Vector3(1.0), size=mp.Vector3(0, 2.0)))
left = sim.add_flux(f, 0, 1, mp.FluxRegion(center=mp.Vector3(-1.7), size=mp.Vector3(0, 2.0)))
field = sim.add_dft_fields([mp.Ez], f, 0, 1, center=mp.Vector3(0.5), size=mp.Vector3(1.0, 0))
sim.run(until_after_sources=30)
Ez = sim.get_dft_array(field, mp.Ez, 0)
x = sim.get_array_metadata(dft_cell=field)[0]
turn = 0.0
for before, after in zip(Ez[:-1], Ez[1:]):
    step = after / before
    turn += math.atan2(step.imag, step.real)
print(f"oblique:, forward, {mp.get_fluxes(right)[0]:.6f}, {turn / (2 * math.pi * (x[-1] - x[0])):.6f}")
print(f"oblique:, backward, {-mp.get_fluxes(left)[0] / mp.get_fluxes(right)[0]:.6f}")
