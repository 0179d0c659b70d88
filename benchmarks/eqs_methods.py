#!/usr/bin/env python3
"""Methods A to G of Richter 2019 (tables 7.6, 7.11, 7.14) on his models, and umov's own three, as tables.

    benchmarks/eqs_methods.py [--umov build/bin/umov] [--models 2,3,4,5,6,7] [--cases case.toml,...] [--orders 1,2]
                              [--methods ABCDEFG] [--refine 2] [--out FOLDER] [-- further options of umov eqs]
    benchmarks/eqs_methods.py --from results/eqs_methods_h200.json       the table of what was measured

A is SDIRK3(2) on processors, B on what computes (the GPU where there is one), C with the preconditioner reused, D RKC with
his heuristic for the number of stages (figures 6.6 and 9.6), E to G its start vectors: of the last ten solutions, POD of
the first 20, POD renewed. H to J are ours: SDIRK3(2) with E's start vectors, RKC by the power method, RKC by the bound
with E's start vectors. His models are run in steps as table 7.7 has them: A to C (and H) of 0.5 ms, shorter where the error
asks for it, D to G (and I, J) with a first one of 0.25 ms. docs/guide/eqs.md ("Methods against each other") says where
letters are not exactly his. A is a run of its own (`--cpu --methods B`); where B computes on processors, too, it is that
one. Prints Markdown, per model and order a row for each method: steps, repeated steps, stages, iterations of
Newton's method and of the conjugate gradients, difference of the potentials at the end from the first of
its scheme (over the largest norm), seconds of the steps, speed-up over A. Full size: `--refine 2`.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
IMPLICIT = "ABCH"
HIS_IMPLICIT_STEPS = ["--first-step", "5e-4", "--max-step", "5e-4"]  # table 7.7
HIS_EXPLICIT_STEPS = ["--first-step", "2.5e-4"]
COLUMNS = ["steps", "rejected", "stages", "newton", "iterations"]


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def compare(umov, case, order, out, methods, more):
    """What `umov eqs --compare` says of these methods, by letter."""
    command = [umov, "eqs", str(case), "--compare", "--no-errors", "--quiet", "--order", str(order),
               "--methods", ",".join(methods), "--output-dir", str(out)] + more
    done = subprocess.run(command)
    if done.returncode not in (0, 3):  # 3: a method failed, and its row says so
        sys.exit(f"{' '.join(command)} ended with code {done.returncode}")
    return {r["method"]: r for r in rows(out / "methods.csv")}


def on_processors(out):
    """Whether the comparison in this folder computed on processors."""
    return "backend = \"cuda\"" not in (out / "resolved.toml").read_text()


def all_methods(umov, case, order, out, letters, more, his):
    """Rows by letter; `his`: in his steps."""
    implicit, explicit = (HIS_IMPLICIT_STEPS, HIS_EXPLICIT_STEPS) if his else ([], [])
    found = {}
    for name, steps, own in [("implicit", implicit, [m for m in letters if m in IMPLICIT and m != "A"]),
                             ("explicit", explicit, [m for m in letters if m not in IMPLICIT])]:
        if own:
            found |= compare(umov, case, order, pathlib.Path(f"{out}_{name}"), own, more + steps)
    if "A" in letters:
        alike = "B" in found and on_processors(pathlib.Path(f"{out}_implicit"))
        found["A"] = found["B"] if alike else compare(
            umov, case, order, pathlib.Path(f"{out}_A"), ["B"],
            [m for m in more if m != "--gpu"] + ["--cpu"] + implicit)["B"]
    return found


def print_table(name, order, letters, found):
    print(f"\n### {name}, order {order}\n\n| method | " + " | ".join(COLUMNS) + " | difference | seconds | speed-up over A |")
    print("|---" * (4 + len(COLUMNS)) + "|")
    converged = {m: r for m, r in found.items() if float(r["converged"])}
    for letter in letters:
        r = converged.get(letter)
        if r is None:
            print(f"| {letter} " + "| " * (3 + len(COLUMNS)) + "failed |")
            continue
        seconds = float(r["seconds [s]"])
        faster = f"{float(converged['A']['seconds [s]']) / seconds:.2f}" if "A" in converged else ""
        print(f"| {letter} | " + " | ".join(f"{float(r[c]):.0f}" for c in COLUMNS) + f" | {float(r['difference']):.1e} | {seconds:.3g} | {faster} |",
              flush=True)


def measured(path):
    """The table of a file of results: seconds (iterations), the winner in bold; empty where not measured."""
    with open(path) as file:
        models = json.load(file)["models"]
    letters = sorted({m for row in models for m in row["methods"]})
    print("| model | order | unknowns | " + " | ".join(letters) + " |\n" + "|---" * (3 + len(letters)) + "|")
    for m in models:
        fastest = min(m["methods"], key=lambda k: m["methods"][k]["seconds"])
        cells = []
        for letter in letters:
            r = m["methods"].get(letter)
            text = f"{r['seconds']:.3g} ({r['cg']})" if r else ""
            cells.append(f"**{text}**" if letter == fastest else text)
        print("| " + " | ".join([m["model"], str(m["order"]), f"{m['unknowns']:,}"] + cells) + " |")


def cases_of(models):
    """The case of each numbered model of the dissertation."""
    return [next(EXAMPLES.glob(f"eqs_model{n}_*")) / "case.toml" for n in models.split(",")]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--umov", default=str(HERE.parent / "build/bin/umov"))
    p.add_argument("--models", default="2,3,4,5,6,7")
    p.add_argument("--cases")
    p.add_argument("--orders", default="1,2")
    p.add_argument("--methods", default="ABCDEFG")
    p.add_argument("--refine", type=int, default=0)
    p.add_argument("--out", default="eqs_methods")
    p.add_argument("--from", dest="results")
    a, more = p.parse_known_args()
    if a.results:
        return measured(a.results)
    more = [m for m in more if m != "--"] + (["--refine", str(a.refine)] if a.refine else [])
    cases = [pathlib.Path(c) for c in a.cases.split(",")] if a.cases else cases_of(a.models)
    for case in cases:
        name = case.resolve().parent.name
        for order in a.orders.split(","):
            out = pathlib.Path(a.out) / f"{name}_{order}"
            print_table(name, order, a.methods, all_methods(a.umov, case, order, out, a.methods, more, his=not a.cases))


if __name__ == "__main__":
    main()
