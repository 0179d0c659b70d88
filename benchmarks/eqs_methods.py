#!/usr/bin/env python3
"""Which method wins where: `umov eqs --compare` over models and orders, as one table.

    benchmarks/eqs_methods.py [--umov build/bin/umov] [--orders 1,2] [--refine N] [--out FOLDER]
                              [--cases case.toml,...] [-- further options of umov eqs]
    benchmarks/eqs_methods.py --from results/eqs_methods_h100.json       the table of what was measured

Prints Markdown: per model and order the seconds of every method (its iterations of the conjugate gradients),
the winner, and the iterations of E, F and G over D's. Without --cases: the examples that run in time.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys

EXAMPLES = ["eqs_two_layers", "eqs_cable_end", "eqs_model1_insulator", "eqs_model2_bushing"]
LETTERS = "ABCDEFG"


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def compare(umov, case, order, out, more):
    command = [umov, "eqs", str(case), "--compare", "--no-errors", "--quiet", "--order", str(order),
               "--output-dir", str(out)] + more
    done = subprocess.run(command)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)} ended with code {done.returncode}")
    return {r["method"]: r for r in rows(out / "methods.csv")}


def measured(path):
    """The table of a file of results: seconds (iterations), the winner in bold; empty where not measured."""
    with open(path) as file:
        models = json.load(file)["models"]
    print("| model | order | unknowns | " + " | ".join(LETTERS) + " |\n" + "|---" * (3 + len(LETTERS)) + "|")
    for m in models:
        fastest = min(m["methods"], key=lambda k: m["methods"][k]["seconds"])
        cells = []
        for letter in LETTERS:
            r = m["methods"].get(letter)
            text = f"{r['seconds']:.3g} ({r['cg']})" if r else ""
            cells.append(f"**{text}**" if letter == fastest else text)
        print("| " + " | ".join([m["model"], str(m["order"]), f"{m['unknowns']:,}"] + cells) + " |")


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    p = argparse.ArgumentParser()
    p.add_argument("--umov", default=str(here / "build/bin/umov"))
    p.add_argument("--orders", default="1,2")
    p.add_argument("--refine", type=int, default=0)
    p.add_argument("--out", default="eqs_methods")
    p.add_argument("--cases", default=",".join(str(here / "examples" / e / "case.toml") for e in EXAMPLES))
    p.add_argument("--from", dest="results")
    a, more = p.parse_known_args()
    if a.results:
        return measured(a.results)
    more = [m for m in more if m != "--"]
    if a.refine:
        more += ["--refine", str(a.refine)]
    head = ["model", "order"] + list(LETTERS) + ["wins", "E/D", "F/D", "G/D"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|", flush=True)
    for case in map(pathlib.Path, a.cases.split(",")):
        name = case.resolve().parent.name
        for order in a.orders.split(","):
            found = compare(a.umov, case, order, pathlib.Path(a.out) / f"{name}_{order}", more)
            cells, fit = [], {}
            for letter in LETTERS:
                r = found.get(letter)
                if r is None or float(r["converged"]) == 0:
                    cells.append("failed" if r else "")
                    continue
                fit[letter] = float(r["seconds [s]"])
                cells.append(f"{fit[letter]:.3g} s ({float(r['iterations']):.0f})")
            ratios = [f"{float(found[x]['iterations_over_D']):.2f}" if x in fit else "" for x in "EFG"]
            print("| " + " | ".join([name, order] + cells + [min(fit, key=fit.get) if fit else "none"] + ratios) + " |",
                  flush=True)


if __name__ == "__main__":
    main()
