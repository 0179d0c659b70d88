"""The far field of a dipole over a block, by a box around both."""

import math

import umov.meep as mp

size, layer, fcen = 4, 1, 1.0
sim = mp.Simulation(
    cell_size=mp.Vector3(size, size),
    boundary_layers=[mp.PML(layer)],
    geometry=[mp.Block(mp.Vector3(1, 0.3, mp.inf), center=mp.Vector3(0, -0.4), material=mp.Medium(epsilon=4))],
    sources=[mp.Source(mp.GaussianSource(fcen, fwidth=0.4), component=mp.Ex, center=mp.Vector3(0, 0.1))],
    symmetries=[mp.Mirror(mp.X, phase=-1)],
    resolution=25,
)
side = 1.6
faces = [(mp.Vector3(y=0.5 * side), mp.Vector3(side), 1), (mp.Vector3(y=-0.5 * side), mp.Vector3(side), -1),
         (mp.Vector3(0.5 * side), mp.Vector3(0, side), 1), (mp.Vector3(-0.5 * side), mp.Vector3(0, side), -1)]
far = sim.add_near2far(fcen, 0, 1, *[mp.Near2FarRegion(c, size=s, weight=w) for c, s, w in faces])
near = sim.add_flux(fcen, 0, 1, *[mp.FluxRegion(c, size=s, weight=w) for c, s, w in faces])
sim.run(until_after_sources=mp.stop_when_dft_decayed(tol=1e-8))

radius, count, total = 1000, 36, 0
for n in range(count):
    angle = 2 * math.pi * n / count
    E, H = [], sim.get_farfield(far, mp.Vector3(math.cos(angle), math.sin(angle)).scale(radius))
    E, H = H[:3], H[3:]
    power = ((E[1].conjugate() * H[2]).real * math.cos(angle) - (E[0].conjugate() * H[2]).real * math.sin(angle))
    total += 2 * math.pi * radius * power / count
    if n % 3 == 0:
        print(f"dipole:, {math.degrees(angle):.1f}, {2 * math.pi * radius * power:.6f}")
print(f"dipole:, flux, {mp.get_fluxes(near)[0]:.6f}, {total:.6f}")
