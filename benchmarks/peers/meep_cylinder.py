"""Scattering efficiency of a dielectric cylinder in Meep: plane wave, E along the axis, closed flux box, two runs.

usage: python3 meep_cylinder.py [index=2] [size parameter=1] [resolution=20]
"""
import math
import sys

import meep as mp

index = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
x = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
resolution = float(sys.argv[3]) if len(sys.argv) > 3 else 20

radius = 1.0
frequency = x / (2 * math.pi * radius)
half_box, layer = 1.5 * radius, 2.0 / frequency / 4
size = 2 * (half_box + 1.0 + layer)


def run(geometry, minus=None):
    sim = mp.Simulation(
        cell_size=mp.Vector3(size, size),
        geometry=geometry,
        sources=[
            mp.Source(
                mp.GaussianSource(frequency, fwidth=0.5 * frequency, is_integrated=True),
                mp.Ez,
                center=mp.Vector3(-size / 2 + layer),
                size=mp.Vector3(0, size),
            )
        ],
        resolution=resolution,
        boundary_layers=[mp.PML(layer)],
        k_point=mp.Vector3(),
    )
    sides = [(mp.X, -1), (mp.X, 1), (mp.Y, -1), (mp.Y, 1)]
    regions = []
    for axis, sign in sides:
        at = mp.Vector3(sign * half_box) if axis == mp.X else mp.Vector3(0, sign * half_box)
        extent = mp.Vector3(0, 2 * half_box) if axis == mp.X else mp.Vector3(2 * half_box, 0)
        regions.append(mp.FluxRegion(center=at, size=extent, weight=sign))
    box = sim.add_flux(frequency, 0, 1, *regions)
    entry = sim.add_flux(frequency, 0, 1, mp.FluxRegion(center=mp.Vector3(-half_box), size=mp.Vector3(0, 2 * half_box)))
    if minus is not None:
        sim.load_minus_flux_data(box, minus)
    sim.run(until_after_sources=mp.stop_when_fields_decayed(10, mp.Ez, mp.Vector3(half_box), 1e-6))
    return mp.get_fluxes(box)[0], mp.get_fluxes(entry)[0], sim.get_flux_data(box)


_, incident, data = run([])
scattered, _, _ = run([mp.Cylinder(radius=radius, material=mp.Medium(index=index))], minus=data)
efficiency = scattered / (incident / (2 * half_box)) / (2 * radius)
print(f"cylinder: m = {index:g}, x = {x:g}, resolution {resolution:g}: Qsca = {efficiency:.6f}")
