#!/usr/bin/env python3
"""Figures 7.11 to 7.26 and 7.37 to 7.42 of Richter 2019 on his models: linear systems, assembly with product, errors of steps.

    benchmarks/eqs_figures.py [--umov build/bin/umov] [--models 1,2,3,4,5,6,7] [--parts systems,assembly,errors]
                              [--orders 1] [--refine 2] [--on cpu,gpu,gpu-double,2gpus] [--meshes FOLDER] [--out FILE.json]
    benchmarks/eqs_figures.py --from results/eqs_figures_h200.json        tables of what was measured

systems (7.11 to 7.22): the electrostatic system of a model as files (`--write-systems`), solved by `umov solve` to 1e-12 with
the residual of every iteration: on processors, on a GPU, with the preconditioner in double, on two GPUs; seconds, memory.
assembly (7.23 to 7.26): Newton's matrix on processors against K(u) u on the GPU (bench_eqs_conduct, bench_eqs_conduct_gpu).
errors (7.37 to 7.42): `--compare` with fixed steps: estimated errors, local and global ones, at `--refine` less one.
--meshes: a folder with mN.msh of `umov eqs CASE --save-mesh`, where the Gmsh library is not. The tables A to G are those of
eqs_methods.py.
"""
import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
PLACES = {"cpu": ["--cpu"], "gpu": ["--gpu"], "gpu-double": ["--gpu", "--precision", "double"], "2gpus": ["--gpus", "2"]}
STEPS = "1e-3,5e-4,2.5e-4,1.25e-4"  # s; his are 1 to 0.1 ms (sdirk3), 0.5 to 0.01 ms (rkc)


def call(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: code {done.returncode}\n{done.stdout[-800:]}{done.stderr[-800:]}")
    return done.stdout


def case_of(model):
    return next(EXAMPLES.glob(f"eqs_model{model}_*")) / "case.toml"


def words_of(a, model, order, refine):
    """The case and what is the same in every run of it."""
    mesh = ["--mesh", pathlib.Path(a.meshes) / f"m{model}.msh"] if a.meshes else []
    return [case_of(model), *mesh, "--order", order, "--refine", refine]


def solved(text):
    """What `umov solve --history` printed."""
    number = r"([-+.\de]+)"
    find = lambda pattern: re.search(pattern, text)
    return {"setup": float(find(rf"set-up +{number} s").group(1)), "solve": float(find(rf"solve +{number} s").group(1)),
            "iterations": int(find(r"solve .* (\d+) iterations").group(1)), "memory": find(r"memory +(.*)").group(1).strip(),
            "residuals": [float(r) for r in re.findall(rf"^ +\d+  {number}$", text, re.M)]}


def systems(a, model, order):
    with tempfile.TemporaryDirectory() as folder:
        call([a.umov, "eqs", *words_of(a, model, order, a.refine), "--analysis", "electrostatic", "--periods", "1.25", "--write-systems", f"{folder}/s",
              "--output-dir", f"{folder}/out", "--quiet", "--no-vtk", "--no-pictures", "--no-hdf5"])
        matrix, right = sorted(pathlib.Path(folder, "s").glob("A*.mtx"))[0], sorted(pathlib.Path(folder, "s").glob("b*.mtx"))[0]
        out = {}
        for place in a.on.split(","):
            text = call([a.umov, "solve", matrix, right, "--history", *PLACES[place]])
            out[place] = solved(text)
            rows, entries = re.search(r"(\d+) unknowns, (\d+) entries", text).groups()
            out["unknowns"], out["entries"] = int(rows), int(entries)
        return out


def assembly(a, model, order):
    near = pathlib.Path(a.umov).resolve().parent
    words = words_of(a, model, order, a.refine)
    return {name: json.loads(call([near / program, *words])) for name, program in
            [("cpu", "bench_eqs_conduct"), ("gpu", "bench_eqs_conduct_gpu")]}


def errors(a, model, order):
    with tempfile.TemporaryDirectory() as out:
        call([a.umov, "eqs", *words_of(a, model, order, max(a.refine - 1, 0)), "--compare", "--methods", "C,D", "--quiet",
              "--compare-steps", STEPS, "--output-dir", out] + (["--gpu"] if "gpu" in a.on else ["--cpu"]))
        with open(pathlib.Path(out) / "errors.csv") as file:
            return [{k.split(" [")[0]: v if k in ("method", "scheme") else float(v) for k, v in row.items()}
                    for row in csv.DictReader(line for line in file if not line.startswith("#"))]


PARTS = {"systems": systems, "assembly": assembly, "errors": errors}


def told(tree):
    """Tables in Markdown."""
    for order in sorted({r["order"] for r in tree["models"]}):
        rows = [r for r in tree["models"] if r["order"] == order]
        places = [p for p in PLACES if any(p in r.get("systems", {}) for r in rows)]
        if places:
            print(f"\nOrder {order}: set-up + solve (s), iterations\n\n| model | unknowns | " + " | ".join(places) + " |")
            print("|---" * (2 + len(places)) + "|")
        for r in rows:
            s = r.get("systems", {})
            cells = [f"{s[p]['setup']:.3g} + {s[p]['solve']:.3g}, {s[p]['iterations']}" if p in s else "" for p in places]
            if s:
                print(f"| {r['model']} | {s['unknowns']:,} | " + " | ".join(cells) + " |")
        if any("assembly" in r for r in rows):
            print(f"\nOrder {order}: assembly on processors, with product on the GPU (ms)\n\n| model | elements | cpu | gpu | factor |")
            print("|---|---|---|---|---|")
        for r in rows:
            if "assembly" in r:
                c, g = r["assembly"]["cpu"], r["assembly"]["gpu"]
                slow, fast = c["assembly"] * 1e3, g["assembly_with_product"] * 1e3
                print(f"| {r['model']} | {c['elements']:,} | {slow:.3g} | {fast:.3g} | {slow / fast:.0f} |")
        if any("errors" in r for r in rows):
            print(f"\nOrder {order}: errors of fixed steps\n\n| model | scheme | step (ms) | estimated: largest | mean | local | own | global |")
            print("|---" * 8 + "|")
        for r in rows:
            for e in r.get("errors", []):
                print(f"| {r['model']} | {e['scheme']} | {e['step'] * 1e3:g} | " + " | ".join(
                    f"{e[k]:.2g}" for k in ("estimate_largest", "estimate_mean", "local", "own", "global")) + " |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--umov", default=str(HERE.parent / "build/bin/umov"))
    p.add_argument("--models", default="1,2,3,4,5,6,7")
    p.add_argument("--parts", default="systems,assembly,errors")
    p.add_argument("--orders", default="1")
    p.add_argument("--refine", type=int, default=2)
    p.add_argument("--on", default="cpu,gpu,gpu-double")
    p.add_argument("--meshes")
    p.add_argument("--out", default="eqs_figures.json")
    p.add_argument("--from", dest="results")
    a = p.parse_args()
    if a.results:
        return told(json.loads(pathlib.Path(a.results).read_text()))
    tree = {"models": []}
    for model in map(int, a.models.split(",")):
        for order in map(int, a.orders.split(",")):
            row = {"model": model, "order": order, "refine": a.refine}
            for part in a.parts.split(","):
                if part == "systems" or model > 1:  # model 1 has no curve
                    row[part] = PARTS[part](a, model, order)
            tree["models"].append(row)
            pathlib.Path(a.out).write_text(json.dumps(tree, indent=1) + "\n")  # a run that is cut leaves what it has
    told(tree)


if __name__ == "__main__":
    main()
