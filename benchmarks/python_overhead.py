#!/usr/bin/env python3
"""What runs from Python cost beside the engine: umov, umov.meep and, where it is there, Meep.

    PYTHONPATH=build/python benchmarks/python_overhead.py            all of them, each in a process of its own, as JSON
    PYTHONPATH=build/python benchmarks/python_overhead.py umov       one of umov, umov.meep, meep, arrays

A run of 64 x 64 cells from its set-up to an array of its field, again with a thousand steps more: their difference is the
engine's, the rest of the shorter one is overhead. `ring` is the script examples/meep/ring.py, resonances of a ring: as a process
of its own from the interpreter's start to the last line (ring_process), and without what is imported (ring). Seconds of the
processor, one thread, the least of many, so that other programs disturb little.
"""
import contextlib
import io
import json
import os
import resource
import runpy
import subprocess
import sys
import time
import types

os.environ.setdefault("OMP_NUM_THREADS", "1")
CELLS, RESOLUTION, STEPS, MORE = 6.4, 10, 100, 1000
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "meep")


def least(run, times):
    found = []
    for _ in range(times):
        begun = time.process_time()
        run()
        found.append(time.process_time() - begun)
    return min(found)


def overhead(run, times=40):
    """(overhead, engine's time of 100 steps), s, of run(steps)."""
    short, long = least(lambda: run(STEPS), times), least(lambda: run(STEPS + MORE), max(times // 4, 3))
    engine = (long - short) * STEPS / MORE
    return short - engine, engine


def by_umov():
    import umov

    def run(steps):
        case = umov.fdtd.case(domain={"size": [CELLS, CELLS], "resolution": RESOLUTION, "polarization": "tm"},
                              source=[{"kind": "point", "component": "Ez", "frequency": 0.5, "waveform": "continuous"}],
                              stop={"steps": steps}, machine={"backend": "cpu", "threads": 1})
        return case.run()["voxels/Ez"]
    return run


def by_meep(mp):
    mp.verbosity(0)

    def run(steps):
        sim = mp.Simulation(cell_size=mp.Vector3(CELLS, CELLS), resolution=RESOLUTION, boundary_layers=[mp.PML(1)],
                            sources=[mp.Source(mp.ContinuousSource(0.5), component=mp.Ez, center=mp.Vector3())])
        sim.run(until=steps * 0.5 / RESOLUTION)
        return sim.get_array(component=mp.Ez)
    return run


def every_step(mp):
    """Seconds of a step function that looks at a field, called at every step."""
    mp.verbosity(0)
    seen = []

    def run(steps, *functions):
        sim = mp.Simulation(cell_size=mp.Vector3(CELLS, CELLS), resolution=RESOLUTION, boundary_layers=[mp.PML(1)],
                            sources=[mp.Source(mp.ContinuousSource(0.5), component=mp.Ez, center=mp.Vector3())])
        sim.run(*functions, until=steps * 0.5 / RESOLUTION)

    look = lambda sim: seen.append(sim.get_field_point(mp.Ez, mp.Vector3(1, 1)))
    return (least(lambda: run(STEPS, look), 8) - least(lambda: run(STEPS), 8)) / STEPS


def ring(mp):
    """Seconds of the script with a module that is loaded already."""
    mp.verbosity(0)
    if mp.__name__ == "meep":
        sys.modules["umov"] = types.ModuleType("umov")
        sys.modules["umov"].meep = sys.modules["umov.meep"] = mp

    def run():
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(os.path.join(SCRIPTS, "ring.py"), run_name="__main__")
    return least(run, 7)


def ring_process(what, times=5):
    """Seconds of the script as a process, imports and interpreter included."""
    script = ["ring.py"] if what == "umov.meep" else ["with_meep.py", "ring.py"]
    found = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *script], cwd=SCRIPTS, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def arrays():
    """Arrays of a million numbers that go in and come out."""
    import numpy as np
    import umov

    particle = np.ones((100, 100, 100), np.int32)
    nodes, tetrahedra = np.random.default_rng(1).random((200000, 3)), np.zeros((1000000, 4), np.int32) + [0, 1, 2, 3]
    words = {"run": {"analysis": "electrostatic"}, "material": [{"name": "oil", "permittivity": 2}],
             "electrode": [{"name": "high", "amplitude": 1}]}
    time_, value = np.linspace(0, 1, 500000), np.zeros(500000)
    found = {
        "particle": least(lambda: umov.dda.case(shape={"file": particle, "size": 1}, wavelength=5, m=1.5), 10),
        "tetrahedra": least(lambda: umov.eqs.case(words, mesh={"file": {"nodes": nodes, "tetrahedra": tetrahedra,
                                                                         "regions": "oil"}}), 10),
        "samples": least(lambda: umov.fdtd.case(
            domain={"size": [1], "resolution": 20}, stop={"steps": 1},
            source=[{"kind": "point", "component": "Ez", "waveform": "samples", "file": (time_, value)}]), 10)}
    result = umov.fdtd.case(domain={"size": [100, 100], "resolution": 10, "polarization": "tm"}, stop={"steps": 1},
                            source=[{"kind": "point", "component": "Ez", "frequency": 0.5}]).run()
    return found | {"out": least(lambda: result["voxels/Ez"], 100), "out_numbers": int(result["voxels/Ez"].size)}


def measured(what):
    begun = time.process_time()
    if what == "arrays":
        return arrays()
    if what == "meep":
        import meep as mp
    elif what == "umov.meep":
        import umov.meep as mp

        mp.machine["threads"] = 1
    else:
        import umov  # noqa: F401
    imported = time.process_time() - begun
    run = by_umov() if what == "umov" else by_meep(mp)
    beside, engine = overhead(run)
    found = {"import": imported, "overhead": beside, "engine": engine}
    return found if what == "umov" else found | {"step_function": every_step(mp), "ring": ring(mp),
                                                 "ring_process": ring_process(what)}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measured(sys.argv[1])))
    else:
        out = {"what": __doc__.split("\n\n")[2].replace("\n", " ").strip(), "command": "benchmarks/python_overhead.py"}
        for what in ("umov", "umov.meep", "meep", "arrays"):
            done = subprocess.run([sys.executable, __file__, what], capture_output=True, text=True)
            said = [line for line in done.stdout.splitlines() if line.startswith("{")]  # Meep says more at its end
            out[what] = json.loads(said[-1]) if done.returncode == 0 and said else None
        print(json.dumps(out, indent=1))
