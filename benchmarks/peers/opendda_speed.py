#!/usr/bin/env python3
"""Whole runs of one control file in OpenDDA and in umov, in turn: seconds, iterations, Qext.

    benchmarks/peers/opendda_speed.py UMOV OPENDDA_S OPENDDA_OMP [--sizes 32,48,64] [--tries 3] [--json FILE]

OPENDDA_S and OPENDDA_OMP: the programs of opendda_S_double and opendda_OMP_double (github.com/drjmcdonald/OpenDDA),
built with gcc -O3 -march=native and FFTW. A sphere of m = 1.5 + 0.05i with ten dipoles per wavelength inside it, one
polarization, residual 1e-6, no preconditioner, both start from 0.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

SCHEMES = ["bicgstab,NULL", "qmr_sym,NULL", "mlbicgstab,8"]
INDEX, PER_WAVELENGTH = 1.5, 10


def control(size, scheme, threads):
    """The control file of a sphere `size` dipoles across; wavelengths and radii in um."""
    wavelength = 1.0
    radius = size / 2 * wavelength / INDEX / PER_WAVELENGTH
    nulls = "".join(f"Material {i}='NULL'\n" for i in range(1, 16))
    return (f"Wavelengths='{wavelength},0.0,{wavelength}'\n"
            "Incident polarisation e0='[1.0+0.0i,0.0+0.0i,0.0+0.0i],no'\n"
            f"Effective radii='{radius!r},0.0,{radius!r}'\n"
            f"Shape='ellipsoid,{size},{size},{size},NULL,NULL,NULL'\n"
            "Number of dielectric materials for the target='1'\n"
            f"Material 0='{INDEX}+0.05i'\n{nulls}"
            "Euler phi='0.0,0.0,0.0'\nEuler theta='1.0,0.0,1.0'\nEuler psi='0.0,0.0,0.0'\n"
            "Scattering angle phi='0.0,0.0,0.0'\nScattering angle theta='0.0,0.0,0.0'\n"
            f"Iterative scheme='{scheme}'\nConvergence tolerance='1e-6'\nBreakdown tolerance='1e-50'\n"
            "Maximum number of iterations='10000'\nInitial guess='0'\nPreconditioning='0'\nPolynomial degree='3'\n"
            "VTK target xyz coordinate data='0'\nTiming='1'\nOutput precision [DOUBLE]='[0]'\n"
            + (f"OpenMP threads='{threads}'\n" if threads > 1 else ""))


def run(command, text, threads):
    """Seconds of the wall clock, all that the run wrote."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "control.input").write_text(text)
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
        start = time.monotonic()
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        seconds = time.monotonic() - start
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        files = [p for p in pathlib.Path(folder).rglob("*") if p.is_file() and p.name != "control.input"]
        return seconds, {p.name: p.read_text(errors="replace") for p in files} | {"printed": done.stdout + done.stderr}


def numbers(files):
    """Qext and iterations; umov writes OpenDDA's files."""
    q = re.search(r"Qext=([-+\d.e]+)", "\n".join(files.values()))
    course = files["OUTPUT_iterative.info"]
    total = re.findall(r"After (\d+) iterations", course)
    return float(q.group(1)), int(total[-1]) if total else course.count("At iteration")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("umov")
    parser.add_argument("serial")
    parser.add_argument("omp")
    parser.add_argument("--sizes", default="32,48,64")
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--json")
    a = parser.parse_args()
    program = {name: str(pathlib.Path(getattr(a, name)).resolve()) for name in ("umov", "serial", "omp")}
    quiet = ["--backend", "cpu", "--no-pictures", "--no-hdf5"]
    rows = []
    for size in map(int, a.sizes.split(",")):
        for scheme in SCHEMES:
            for threads in (1, 2):
                peer = [program["serial"] if threads == 1 else program["omp"]]
                commands = {"opendda": peer,
                            "umov": [program["umov"], "opendda", "control.input", "--threads", str(threads)] + quiet}
                row = {"size": size, "scheme": scheme, "threads": threads}
                for turn in range(a.tries):
                    for name, command in commands.items():
                        seconds, files = run(command, control(size, scheme, threads), threads)
                        q, n = numbers(files)
                        row.setdefault(name, {"seconds": [], "qext": q, "iterations": n})["seconds"].append(round(seconds, 3))
                best = {name: min(row[name]["seconds"]) for name in commands}
                print(f"{size:3d} {scheme:18s} {threads} thread(s): " +
                      "; ".join(f"{name} {best[name]:.2f} s, {row[name]['iterations']} iterations, Qext {row[name]['qext']:.8f}"
                                for name in commands), flush=True)
                rows.append(row)
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps({"cases": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
