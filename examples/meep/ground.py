"""Radiation of a line current above a metal plane: far fields of half a cell, beside those of two opposite currents."""

import math

import umov.meep as mp

fcen, height, layer, size = 1.0, 1.25, 1.0, 6.0

sim = mp.Simulation(
    cell_size=mp.Vector3(size + 2 * layer, size + 2 * layer), resolution=20, boundary_layers=[mp.PML(layer)],
    symmetries=[mp.Mirror(mp.X), mp.Mirror(mp.Y, phase=-1)],
    sources=[mp.Source(mp.GaussianSource(fcen, fwidth=0.2), mp.Ez, mp.Vector3(0, sign * height), amplitude=sign)
             for sign in (1, -1)])
near = sim.add_near2far(
    fcen, 0, 1, *[mp.Near2FarRegion(mp.Vector3(*(sign * size / 2 * (a == axis) for a in range(2))),
                                    mp.Vector3(*(size * (a != axis) for a in range(2))), weight=sign)
                  for axis in range(2) for sign in (-1, 1)])
sim.run(until_after_sources=mp.stop_when_fields_decayed(20, mp.Ez, mp.Vector3(0.3, 1), 1e-6))
far, power = 1000.0, []
angles = [10 * k for k in range(10)]
for angle in angles:
    a = math.radians(angle)
    Ex, Ey, Ez, Hx, Hy, Hz = sim.get_farfield(near, mp.Vector3(far * math.sin(a), far * math.cos(a)))
    power.append(abs(Ez) ** 2)
for angle, p in zip(angles, power):
    exact = math.sin(2 * math.pi * fcen * height * math.cos(math.radians(angle))) ** 2
    print(f"ground:, {angle}, {p / max(power):.4f}, {exact:.4f}")
