"""The ring resonator of examples/ring_resonator in Meep: frequencies and quality factors by harmonic inversion.

usage: python3 meep_ring.py [resolution]      (Debian: python3-meep; run with /usr/bin/python3)
"""
import sys

import meep as mp

resolution = float(sys.argv[1]) if len(sys.argv) > 1 else 10
index, width, inner, pad, layer = 3.4, 1, 1, 4, 2
size = 2 * (inner + width + pad + layer)
frequency, band = 0.15, 0.1

sim = mp.Simulation(
    cell_size=mp.Vector3(size, size),
    geometry=[
        mp.Cylinder(radius=inner + width, material=mp.Medium(index=index)),
        mp.Cylinder(radius=inner, material=mp.air),
    ],
    sources=[mp.Source(mp.GaussianSource(frequency, fwidth=band), mp.Ez, mp.Vector3(inner + 0.1))],
    resolution=resolution,
    boundary_layers=[mp.PML(layer)],
    symmetries=[mp.Mirror(mp.Y)],
)
harminv = mp.Harminv(mp.Ez, mp.Vector3(inner + 0.1), frequency, band)
sim.run(mp.after_sources(harminv), until_after_sources=300)
for mode in harminv.modes:
    print(f"ring: resolution {resolution:g}: f = {mode.freq:.6f}, Q = {mode.Q:.1f}, error {mode.err:.1e}")
