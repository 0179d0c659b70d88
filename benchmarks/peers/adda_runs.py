#!/usr/bin/env python3
"""Whole runs of the spheres of Kiess 2010 (figures 4, 6, 11, 15, 19) in ADDA and in umov, each to its end.

    benchmarks/peers/adda_runs.py UMOV ADDA [--sizes 16,24,26,32,40,48] [--solvers qmr,bicg,bicgstab,cgnr] [--json FILE]
    benchmarks/peers/adda_runs.py --from results/adda_runs_cpu.json          the table of what was measured

ADDA: the program of `make seq OPTIONS=NO_FORTRAN` (github.com/adda-team/adda) with FFTW. Dipoles of 0.4189 um, wavelength 6.2832
um, m = 1.5, one polarization, relative residual 1e-5, one thread. Twice umov: the solver alone in double, as ADDA, and as umov
chooses (mirror sectors, preconditioner, iterations in float). Seconds are of the processor (user and system), so that other work
on the machine counts little.
"""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import tempfile

DIPOLE, WAVELENGTH = 0.4189, 6.2832
ALONE = "--preconditioner none --sectors off --inner double".split()
PROGRAMS = ["adda", "alone", "chosen"]


def command(program, size, solver, out, a):
    if program == "adda":
        return [a.adda, "-grid", str(size), "-size", f"{DIPOLE * size!r}", "-lambda", str(WAVELENGTH), "-m", "1.5", "0",
                "-no_vol_cor", "-iter", solver, "-eps", "5", "-dir", out]
    return [a.umov, "dda", "--shape-grid", str(size), "--spacing", str(DIPOLE), "--lambda", str(WAVELENGTH), "--m", "1.5",
            "--no-volume-correction", "--iter", solver, "--epsilon", "1e-5", "--cpu", "--threads", "1", "--quiet",
            "--no-pictures", "--no-hdf5", "--output-dir", out] + (ALONE if program == "alone" else [])


def run(program, size, solver, a):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command(program, size, solver, str(out), a), check=True, capture_output=True, cwd=folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        log = (out / "log").read_text()
        cext = re.search(r"Cext\s*=\s*(\S+)", (out / "CrossSec-Y").read_text()).group(1)
        return {"seconds": round(sum(getattr(after, t) - getattr(before, t) for t in ("ru_utime", "ru_stime")), 2),
                "iterations": int(re.search(r"Total number of iterations: (\d+)", log).group(1)), "Cext": float(cext)}


def measure(a):
    rows = []
    for size in map(int, a.sizes.split(",")):
        for solver in a.solvers.split(","):
            row = {"size": size, "solver": solver} | {p: run(p, size, solver, a) for p in PROGRAMS}
            print(row, flush=True)
            rows.append(row)
    return {"what": "benchmarks/peers/adda_runs.py: processor seconds of whole runs", "cases": rows}


def told(tree):
    print("| sphere | solver | ADDA: iterations | s | umov, solver alone: iterations | s | as it chooses: iterations | s | Cext apart |")
    print("|---:|---|---:|---:|---:|---:|---:|---:|---:|")
    for r in tree["cases"]:
        apart = abs(r["alone"]["Cext"] / r["adda"]["Cext"] - 1)
        cells = " | ".join(f"{r[p]['iterations']} | {r[p]['seconds']:.3g}" for p in PROGRAMS)
        print(f"| {r['size']} | {r['solver']} | {cells} | {apart:.0e} |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("umov", nargs="?")
    p.add_argument("adda", nargs="?")
    p.add_argument("--sizes", default="16,24,26,32,40,48")
    p.add_argument("--solvers", default="qmr,bicg,bicgstab,cgnr")
    p.add_argument("--json")
    p.add_argument("--from", dest="results")
    a = p.parse_args()
    if a.results:
        return told(json.loads(pathlib.Path(a.results).read_text()))
    if not a.adda:
        p.error("UMOV and ADDA are wanted")
    a.umov, a.adda = (str(pathlib.Path(x).resolve()) for x in (a.umov, a.adda))
    tree = measure(a)
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(tree, indent=1) + "\n")
    told(tree)


if __name__ == "__main__":
    main()
