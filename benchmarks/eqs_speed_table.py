#!/usr/bin/env python3
"""How long whole runs of `umov eqs` take, as one table from the results kept beside this file.

    benchmarks/eqs_speed_table.py [results/eqs_gpu_runs.json results/eqs_gpu_termination.json ...]

Prints Markdown: model, unknowns, options, seconds of the steps, Newton steps and iterations of the conjugate
gradients, seconds of mesh and model and of the engine's set-up, memory of the device. What a file does not say stays empty.
"""
import json
import pathlib
import sys

COLUMNS = ["model", "unknowns", "options", "steps (s)", "Newton / CG", "host (s)", "memory"]


def cells(r):
    host = [r.get(k) for k in ("mesh_and_model_seconds", "engine_seconds")]
    memory = r.get("device_memory_gb")
    seconds = r.get("seconds")
    return [
        r["case"],
        f"{r['unknowns']:,}" if "unknowns" in r else "",
        f"`{r['options']}`" if "options" in r else r.get("command", "") and f"`{r['command']}`",
        f"{seconds:.3g}" if seconds is not None else f"{r['wall_seconds']:.3g} in all" if "wall_seconds" in r else "",
        f"{r['newton']} / {r['cg_iterations']}" if "newton" in r else "",
        " + ".join(f"{h:.2g}" for h in host) if all(h is not None for h in host) else "",
        "" if memory is None else f"{memory:.2g} GB" if memory >= 0.1 else f"{1e3 * memory:.2g} MB",
    ]


def main():
    here = pathlib.Path(__file__).resolve().parent / "results"
    files = sys.argv[1:] or [here / "eqs_gpu_runs.json", here / "eqs_gpu_termination.json"]
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for file in files:
        with open(file) as f:
            found = json.load(f)
        case = ""
        for r in found["results"]:
            case = r["case"] = case if r["case"] == "the same" else r["case"]
            print("| " + " | ".join(cells(r)) + " |")


if __name__ == "__main__":
    main()
