#!/usr/bin/env python3
"""Float, double and long double on the processor: time of an iteration, iterations, their product.

    benchmarks/dda_precisions.py [--umov build/bin/umov] [--sizes 16,24,32,48] [--solvers qmr,...]
                                 [--precisions float,...] [--json results/dda_precisions_cpu.json]
    benchmarks/dda_precisions.py --from results/dda_precisions_cpu.json       the tables of what was measured

The spheres of Kiess 2010, section 4 (figures 8 to 10): dipoles of 0.4189 um, wavelength 6.2832 um, m = 1.5, one
polarization, relative residual 1e-5, no preconditioner. The time of an iteration is that of a core: processor
time of a run of one thread with 20 iterations less that of one with 4, so that other work on the machine and
the set-up do not enter.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

PRECISIONS, SOLVERS = ["float", "double", "ldouble"], ["qmr", "bicg", "bicgstab", "cgnr"]


def run(umov, size, solver, precision, more):
    """Iterations, whether they converged, seconds of the processor."""
    with tempfile.TemporaryDirectory() as folder:
        command = [umov, "dda", "--shape-sphere-size", str(size), "--lambda", "6.2832", "--grid-unit", "0.4189",
                   "--m", "1.5", "--cpu", "--ftype", precision, "--iter", solver, "--preconditioner", "none",
                   "--sectors", "off", "--no-pictures", "--no-hdf5", "--no-mueller-matrix", "--quiet",
                   "--output-dir", folder] + more
        if precision == "double":
            command += ["--inner", "double"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(command)} ended with code {done.returncode}: {done.stderr}")
        for line in (pathlib.Path(folder) / "log").read_text().splitlines():
            if line.startswith("Total number of iterations:"):
                return int(line.split(":")[1]), done.returncode == 0, seconds
    sys.exit("no iterations in the log")


def of_an_iteration(umov, size, solver, precision):
    """Milliseconds of a core; of runs of each length the shortest of three, since disturbances only add."""
    def seconds(iterations):
        more = ["--threads", "1", "--max-iterations", str(iterations), "--epsilon", "1e-14"]
        return min(run(umov, size, solver, precision, more)[2] for _ in range(3))
    return 1000 * (seconds(20) - seconds(4)) / 16


def measure(a):
    rows = []
    for size in map(int, a.sizes.split(",")):
        for solver in a.solvers.split(","):
            for precision in a.precisions.split(","):
                iterations, converged, _ = run(a.umov, size, solver, precision, [])
                row = {"size": size, "solver": solver, "precision": precision, "iterations": iterations,
                       "converged": converged,
                       "ms": round(of_an_iteration(a.umov, size, solver, precision), 3)}
                print(row, file=sys.stderr, flush=True)
                rows.append(row)
    return rows


def table(rows, title, cell):
    print(f"\n{title}\n\n| sphere | solver | " + " | ".join(PRECISIONS) + " |\n|---:|---|" + "---:|" * len(PRECISIONS))
    at = {(r["size"], r["solver"], r["precision"]): r for r in rows}
    for size, solver in dict.fromkeys((r["size"], r["solver"]) for r in rows):
        cells = [cell(at[size, solver, p]) if (size, solver, p) in at else "" for p in PRECISIONS]
        print(f"| {size} | {solver} | " + " | ".join(cells) + " |")


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    p = argparse.ArgumentParser()
    p.add_argument("--umov", default=str(here / "build/bin/umov"))
    p.add_argument("--sizes", default="16,24,32,48")
    p.add_argument("--solvers", default=",".join(SOLVERS))
    p.add_argument("--precisions", default=",".join(PRECISIONS))
    p.add_argument("--json")
    p.add_argument("--machine", default="", help="in words, for the JSON")
    p.add_argument("--from", dest="results")
    a = p.parse_args()
    if a.results:
        rows = json.loads(pathlib.Path(a.results).read_text())["rows"]
    else:
        rows = measure(a)
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps({"machine": a.machine, "rows": rows}, indent=1) + "\n")
    failed = "not converged"
    table(rows, "Milliseconds of a core for an iteration:", lambda r: f"{r['ms']:.3g}" if r["ms"] else "")
    table(rows, "Iterations to 1e-5:", lambda r: str(r["iterations"]) if r["converged"] else failed)
    table(rows, "Seconds of a core for all iterations:",
          lambda r: f"{r['ms'] * r['iterations'] / 1000:.2g}" if r["converged"] and r["ms"] else "")


if __name__ == "__main__":
    main()
