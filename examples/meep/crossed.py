"""Orders of a crossed grating in space, lit at a slant, by coefficients of plane waves."""

import cmath
import math

import umov.meep as mp

f, angle = 1.0, math.radians(20)
periods, kx = (1.4, 0.8), f * math.sin(angle)


def run(bodies, until):
    sim = mp.Simulation(
        cell_size=mp.Vector3(*periods, 5), geometry=bodies, k_point=mp.Vector3(kx), resolution=10,
        boundary_layers=[mp.PML(1, direction=mp.Z)],
        sources=[mp.Source(mp.GaussianSource(f, fwidth=0.2), mp.Ey, mp.Vector3(0, 0, -1.3), size=mp.Vector3(*periods),
                           amp_func=lambda p: cmath.exp(2j * math.pi * kx * p.x))])
    plane = sim.add_mode_monitor(f, 0, 1, mp.ModeRegion(center=mp.Vector3(0, 0, 1.2), size=mp.Vector3(*periods)))
    sim.run(until_after_sources=until)
    return sim, plane


empty, plane = run([], 30)
incident = mp.get_fluxes(plane)[0]
sim, plane = run([mp.Block(mp.Vector3(0.6, 0.4, 0.5), material=mp.Medium(index=1.5))], 40)
print(f"crossed:, flux, {mp.get_fluxes(plane)[0] / incident:.5f}")
for m in (-1, 0):
    order = mp.DiffractedPlanewave((m, 0, 0), mp.Vector3(0, 1, 0), 0, 1)
    alpha = sim.get_eigenmode_coefficients(plane, order).alpha[0, 0]
    print(f"crossed:, {m}, {abs(alpha[0])**2 / incident:.5f}")
