"""Speed of Meep's time stepping: vacuum with PML, a point source; million cell steps per second.

usage: python3 meep_speed.py NX NY [NZ] [--steps N]
Meep of Debian computes in double precision; a build with --enable-single halves its memory traffic.
"""
import sys
import time

import meep as mp

numbers = [int(a) for a in sys.argv[1:] if a.isdigit()]
steps = 200
if "--steps" in sys.argv:
    steps = int(sys.argv[sys.argv.index("--steps") + 1])
    numbers = numbers[:-1]
resolution = 10
cell = mp.Vector3(*[n / resolution for n in numbers])
sim = mp.Simulation(
    cell_size=cell,
    resolution=resolution,
    sources=[mp.Source(mp.GaussianSource(1.0, fwidth=0.2), mp.Ez, mp.Vector3())],
    boundary_layers=[mp.PML(10 / resolution)],
    dimensions=len(numbers),
)
sim.init_sim()
mp.verbosity(0)
sim.fields.step()
begin = time.time()
for _ in range(steps):
    sim.fields.step()
seconds = time.time() - begin
cells = 1
for n in numbers:
    cells *= n
print(f"meep {mp.__version__}: {'x'.join(map(str, numbers))}: {cells * steps / seconds / 1e6:.1f} Mcell-steps/s")
