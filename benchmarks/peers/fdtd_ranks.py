"""Strong scaling of time steps beside Meep's MPI: 1 and 2 ranks of one thread, vacuum with ten absorbing layers on all
sides, a point source; the same cells and steps. In turn, the fastest of several tries.

usage: /usr/bin/python3 fdtd_ranks.py UMOV NX NY NZ [--steps N] [--tries N] > fdtd_ranks.json
Meep: Debian's python3-meep-openmpi and python3-mpi4py (double precision).
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def option(name, default):
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else default


umov, cells = os.path.abspath(sys.argv[1]), [int(n) for n in sys.argv[2:5]]
steps, tries = option("--steps", 200), option("--tries", 3)
mpirun = "mpirun.openmpi --bind-to none -n {}"
case = f"""[domain]
size = {[n / 10 for n in cells]}
resolution = 10
[pml]
layers = 10
[[source]]
kind = "point"
waveform = "gaussian"
frequency = 1
width = 0.2
[stop]
steps = {steps}
"""
here = os.path.dirname(os.path.abspath(__file__))
runs = {}
for precision in ("double", "single"):
    line = f"{umov} fdtd case.toml --cpu --threads 1 --precision {precision} --no-pictures --no-hdf5 --force --output-dir out"
    runs[f"umov, {precision}, 1 rank"] = line
    runs[f"umov, {precision}, 2 ranks, threads"] = line + " --ranks 2"
    runs[f"umov, {precision}, 2 ranks, Open MPI"] = mpirun.format(2) + " " + line
for ranks in (1, 2):
    line = f"/usr/bin/python3 {here}/meep_speed.py {' '.join(map(str, cells))} --steps {steps}"
    runs[f"Meep, double, {ranks} rank" + "s" * (ranks > 1)] = mpirun.format(ranks) + " " + line

environment = dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
found = {name: [] for name in runs}
with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/case.toml", "w") as f:
        f.write(case)
    for _ in range(tries):
        for name, line in runs.items():
            said = subprocess.run(line.split(), cwd=folder, env=environment, capture_output=True, text=True)
            speeds = re.findall(r"([\d.]+) Mcell", said.stdout)
            if not speeds:
                sys.exit(f"{line}: {said.stdout}{said.stderr}")
            found[name].append(float(speeds[0]))
json.dump(
    {
        "case": "vacuum, ten absorbing layers on all sides, a point source; " + "x".join(map(str, cells)) + f" cells, {steps} steps",
        "million_cell_steps_per_second": {name: max(all) for name, all in found.items()},
        "all_tries": found,
        "load_at_end": os.getloadavg()[0],
        "cores": os.cpu_count(),
        "commands": {name: line.replace(umov, "umov").replace(here + "/", "benchmarks/peers/") for name, line in runs.items()},
    },
    sys.stdout,
    indent=1,
)
