#!/usr/bin/env python3
"""docs/performance.md from the results kept in benchmarks/results: for developers, the program needs no Python.

    benchmarks/performance.py            prints the page
    benchmarks/performance.py --write    writes docs/performance.md
    benchmarks/performance.py --check    exit status 1 if the page in the tree is another one

TO ADD A RESULT: its JSON file with "device", "commit", "what" or "command", and a `table(...)` in the section of its
family. A number is in the page only if it is in a file; a result of several runs is shown by their median.
"""
import json
import pathlib
import statistics
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "performance.md"
WORDS = {"what": "Measured", "command": "Command", "note": "Note", "floor": "Floor"}

HEAD = """# Speed: what was measured

This page is written by `benchmarks/performance.py` from the files of `benchmarks/results`; do not edit it. Each table
names its file, device and commit. *Floor* is the time that the memory traffic alone would take, counted as the line
above the table says; *ratio* is measured over floor, and below 1 where caches serve a part of that traffic. What holds
a kernel back is in the notebooks of `benchmarks/ladder`."""


def load(name):
    return json.loads((RESULTS / f"{name}.json").read_text())


def at(tree, path):
    for key in filter(None, path.split("/")):
        tree = tree[key]
    return tree


def number(value):
    """Three digits, or as many as the file has; of a list the median."""
    if isinstance(value, list):
        value = statistics.median(value)
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:,.0f}"
    text = f"{value:#.3g}".rstrip(".")
    return text if len(text) <= len(repr(value)) else repr(value)


def numeric(text):
    return text.replace(",", "").replace(" + ", "").replace(".", "").replace("-", "").isdigit() or not text


def grid(columns, rows):
    """A table of Markdown; a column is a heading and a key or a function of the row."""
    def cell(row, key):
        return number(key(row) if callable(key) else row.get(key)).replace("|", "\\|")
    filled = [[cell(r, key) for _, key in columns] for r in rows]
    kept = [i for i in range(len(columns)) if any(row[i] for row in filled)]
    lines = [[columns[i][0] for i in kept], ["---:" if all(numeric(row[i]) for row in filled) else "---" for i in kept]]
    lines += [[row[i] for i in kept] for row in filled]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def wrapped(text):
    return "\n".join(textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False))


def origin(name, tree, path):
    """File, device, commit, and what was run, from the table's place in its file outwards."""
    places = [tree]
    for key in filter(None, path.split("/")):
        inner = places[-1][key]
        places += [inner] if isinstance(inner, dict) else []
    found = {k: next((p[k] for p in reversed(places) if k in p), None)
             for k in ("device", "commit", *WORDS)}
    if not found["device"] and isinstance(at(tree, path), list):
        found["device"] = next((r["device"] for r in at(tree, path) if "device" in r), None)
    said = [found["device"], found["commit"] and f"commit {found['commit']}"]
    text = ": ".join(filter(None, [f"`{name}.json`", "; ".join(filter(None, said))])) + "."
    for key, word in WORDS.items():
        text += f" {word}: {found[key].rstrip('.')}." if found[key] else ""
    return wrapped(text)


def table(title, name, path, columns, keep=lambda row: True):
    tree = load(name)
    rows = at(tree, path)
    if isinstance(rows, dict):
        rows = [{"name": k, **(v if isinstance(v, dict) else {"value": v})} for k, v in rows.items()]
    return f"### {title}\n\n{origin(name, tree, path)}\n\n" + grid(columns, [r for r in rows if keep(r)])


def pair(key):
    """Set-up and solve as "a + b"."""
    return lambda row: " + ".join(number(v) for v in row[key]) if key in row else ""


def particles():
    product = [("case", "case"), ("precision", "precision"), ("solver", "solver"), ("measured (ms)", "product_ms"),
               ("floor (ms)", "floor_ms"), ("ratio", "ratio"), ("iteration (ms)", "iteration_ms")]
    lengths = [("case", "case"), ("grid", "grid"), ("precision", "precision"), ("kernels", "plans"),
               ("measured (ms)", "product_ms"), ("floor (ms)", "floor_ms"), ("ratio", "ratio")]
    runs = [("case", lambda r: f"`{r['case']}`"), ("commit", "commit"), ("iterations", "iterations"),
            ("whole run (s)", "wall_s")]
    yield "## Particles: `umov dda`"
    yield table("A product on processors, beside ADDA", "dda_product_cpu_xeon", "results", [
        ("case", "case"), ("ADDA, one core (ms)", "adda_1"), ("umov, one core (ms)", "double_1"),
        ("two cores", "double_2"), ("float, one core", "single_1"), ("float, two cores", "single_2"),
        ("ADDA / umov, one core", "times_adda_double_1"), ("bytes a box site", "bytes_per_site_double")])
    for title, name in [("A product on an H200, double", "dda_product_h200_double"),
                        ("The same by bicg", "dda_product_h200_double_bicg"),
                        ("The same in float", "dda_product_h200_single")]:
        yield table(title, name, "results", product)
    yield table("Lengths of transforms on an H200", "dda_lengths_h200", "results", lengths)
    yield table("Lengths of transforms on an H100", "dda_product_h100", "results", lengths,
                lambda r: r["plans"] != "none")
    yield table("Whole runs on an H200", "dda_runs_h200", "results", runs)
    yield table("Whole runs on an H100", "dda_runs_h100", "results", [
        ("dipoles across", "n"), ("options", lambda r: r["options"] and f"`{r['options']}`"),
        ("iterations", "iterations"), ("whole run (s)", "wall_s"), ("remark", "note")])
    yield table("Start and end of runs", "dda_startup_h200", "results", [
        ("dipoles across", "n"), ("products", "products"), ("whole run (s)", "wall_s"),
        ("products (s)", lambda r: r.get("log", {}).get("products")),
        ("preconditioner (s)", lambda r: r.get("log", {}).get("preconditioner"))])
    yield table("Mirror sectors", "dda_sectors_h200", "results", [
        ("dipoles across", "n"), ("sectors", "sectors"), ("iterations", "iterations"), ("whole run (s)", "seconds")])
    yield table("The interaction tensor in host memory", "dda_tensor_on_host_h200", "runs", [
        ("sphere across", "across"), ("precision", "precision"), ("iterations", "iterations"), ("products (s)", "products"),
        ("from the host (s)", "products_tensor_on_host"), ("factor", lambda r: r["products_tensor_on_host"] / r["products"]),
        ("whole run (s)", "whole"), ("whole run from the host (s)", "whole_tensor_on_host"),
        ("tensor on the GPU (MB)", "tensor_mb"), ("of it from the host (MB)", "tensor_on_host_mb")])
    yield wrapped("Memory of a product on processors: the bytes a box site above, and 384 bytes a dipole with qmr "
                  "([notebook](../benchmarks/ladder/dda_product_cpu.md)). Which solver takes the fewest "
                  "products: [table](../benchmarks/dda_solvers.md) (`dda_solvers_cpu.json`, `dda_solvers_h200.json`).")


def fdtd_cpu():
    tree = load("fdtd_cpu")
    meep = tree["peer"]["million_cell_steps_per_second"]
    two = {r["case"]: r for r in tree["two_threads"]}
    return "### Steps on processors, beside Meep\n\n" + origin("fdtd_cpu", tree, "") + "\n" + \
        wrapped(f"Meep: {tree['peer']['name']}.") + "\n\n" + grid([
            ("case", "case"),
            ("umov, one thread (million cell steps / s)", lambda r: 1e3 * r["gigacell_steps_per_second"]),
            ("ratio to the floor", "measured_over_floor"),
            ("two threads", lambda r: 1e3 * two[r["case"]]["gigacell_steps_per_second"]),
            ("Meep, one core", lambda r: meep[r["case"].split(":")[1]])], tree["one_thread"])


def waves():
    def on(row, key):
        return "yes" if row[key] else "no"
    yield "## Waves in time: `umov fdtd`"
    yield fdtd_cpu()
    yield table("Ranks on processors, beside Meep", "fdtd_ranks_cpu", "million_cell_steps_per_second", [
        ("code, precision, ranks", "name"), ("million cell steps / s", "value")])
    yield table("Steps on an H200", "fdtd_h200", "results", [
        ("case", "case"), ("fields alone", lambda r: on(r, "bare")), ("absorbing layers", lambda r: on(r, "layers")),
        ("measured (us / step)", "microseconds_per_step"), ("ratio", "measured_over_floor"),
        ("10⁹ cell steps / s", "gigacell_steps_per_second"), ("bytes a cell", "bytes_per_cell")])
    yield table("Fourier monitors on an H200", "fdtd_planes_h200", "results", [
        ("case", "case"), ("frequencies", lambda r: str(r["frequencies"])),
        ("10⁹ cell steps / s", "gcell_steps_per_s"), ("ratio", "ratio_to_no_monitor")])
    yield table("Whole runs on an H200, start to result", "whole_runs_h200", "cases", [
        ("case", "case"), ("whole run (s)", "seconds")] + [
            (f"{stage} (s)", stage) for stage in ("painting", "sources", "monitors", "engine", "steps", "output")] + [
        (f"{s} squared", s) for s in ("S11", "S21", "S31", "S41")])


def cells():
    def solutions(name):
        for run in load(name)["runs"]:
            for s in run["solutions"]:
                yield {**run, **s}
    solved = [("case", "case"), ("planes", "planes"), ("polarization", "polarization"), ("iterations", "iterations"),
              ("measured (ms / iteration)", "milliseconds_per_iteration"), ("ratio", "measured_over_floor"),
              ("seconds", "seconds"), ("bytes a node", "bytes_per_node")]
    pseudo = [("case", "case"), ("version", "version"), ("precision", "precision"), ("threads", "threads"),
              ("median (million voxel steps / s)", "million_voxel_steps_per_second"), ("best", "best"),
              ("ratio", "measured_over_floor"), ("bytes a voxel step", "bytes_per_voxel_step")]
    tree = load("harmonic_h200")
    yield "## Thin-film cells: `[harmonic]`"
    yield "### Solves on an H200\n\n" + origin("harmonic_h200", tree, "") + "\n\n" + \
        grid(solved, list(solutions("harmonic_h200")))
    yield parts(tree)
    yield table("GMRES", "harmonic_gmres_h200", "results", solved)
    yield table("Sweeps", "harmonic_sweeps_h200", "results", [
        ("case", "case"), ("wavelengths", "wavelengths"), ("GPUs", "gpus"), ("rows at once", "rows_at_once"),
        ("commit", "commit"), ("seconds", "seconds"), ("remark", "note")])
    yield table("Pseudo-time on processors", "pseudo_time_cpu", "results", pseudo)
    yield table("Another code on the same processors", "pseudo_time_cpu", "peer/results", [
        ("stepper", "stepper"), ("precision", "precision"), ("threads", "threads"), ("median", "median"),
        ("best", "best")])
    yield table("Pseudo-time on an H200", "pseudo_time_h200", "results", pseudo)


def parts(tree):
    rows = [row for group in tree["parts"] for row in group]
    return "### The parts of an iteration\n\n" + origin("harmonic_h200", tree, "") + "\n\n" + grid([
        ("case", "case"), ("part", "part"), ("measured (ms)", "milliseconds"), ("ratio", "measured_over_floor"),
        ("bytes a node", "bytes_per_node")], rows)


def gpu_solver():
    tree = load("eqs_gpu_solver")
    peers = {r["system"]: r for r in tree["peers"]["results"]}
    rows = [{**r, **peers.get(r["system"], {})} for r in tree["results"]]
    names = {"p1": "first order", "p1r": "first order, refined", "p2": "second order", "p2r": "second order, refined"}
    return "### The linear solver on an H200, beside AmgX and AMGCL\n\n" + origin("eqs_gpu_solver", tree, "") + "\n" + \
        wrapped(f"Others: {tree['peers']['what']}.") + "\n\n" + grid([
            ("system", lambda r: names[r["system"]]), ("unknowns", "unknowns"), ("iterations", "iterations"),
            ("set-up + solve (ms)", lambda r: " + ".join(
                number(v) for v in (r["setup_ms"] + r.get("patches_ms", 0), r["solve_ms"]))),
            ("memory (GB)", "memory_gb"), ("AmgX (ms)", pair("AmgX_ms")), ("AmgX (GB)", "AmgX_gb"),
            ("AMGCL (ms)", pair("AMGCL_ms")), ("AMGCL (GB)", "AMGCL_gb")], rows)


def cpu_solver():
    tree = load("eqs_cpu_solver")
    quiet = tree["quiet"]
    rows = [{"system": r["case"], "code": "umov", "setup_s": r["setup_s"], "solve_s": r["solve_s"],
             "floor_s": r["floor_solve_s"], "ratio": r["measured_over_floor"]} for r in quiet["results"]]
    for system, others in tree["rivals_quiet_s"].items():
        rows += [{"system": system, "code": k, "setup_s": v[0], "solve_s": v[1]} for k, v in others.items()]
    rows.sort(key=lambda r: r["system"])
    title = "### The linear solver on two cores, beside others"
    return title + "\n\n" + origin("eqs_cpu_solver", tree, "quiet") + "\n\n" + \
        grid([("elements", "system"), ("code", "code"), ("set-up (s)", "setup_s"), ("solve (s)", "solve_s"),
              ("floor of the solve (s)", "floor_s"), ("ratio", "ratio")], rows)


def growth():
    tree = load("eqs_cpu_solver")["growth"]
    names = {"poisson_7_points": "seven-point Laplacian", "rod_first_order": "rod, first order",
             "rod_second_order": "rod, second order"}
    rows = [{"system": names[k], "unknowns": u, "iterations": i} for k in names for u, i in tree[k]]
    return "### Iterations by the number of unknowns\n\n`eqs_cpu_solver.json`.\n\n" + grid(
        [("system", "system"), ("unknowns", "unknowns"), ("iterations", "iterations")], rows)


def methods():
    tree = load("eqs_methods_h200")
    letters = "BCDEFGIJ"
    rows = []
    for m in tree["models"]:
        for who, by, what in [("umov, s", "methods", "seconds"), ("Richter, s", "richter_2019", "seconds"),
                              ("umov, CG", "methods", "cg"), ("Richter, CG", "richter_2019", "cg"),
                              ("umov, steps", "methods", "steps"), ("umov, rejected", "methods", "rejected"),
                              ("umov, stages of RKC", "methods", "stages")]:
            cells = {l: m[by].get(l, {}).get(what) or (None if what == "stages" else m[by].get(l, {}).get(what)) for l in letters}
            if any(v is not None for v in cells.values()):
                rows.append({"model": m["model"].removeprefix("examples/eqs_"), **{k: m[k] for k in ("order", "unknowns")}, "who": who, **cells})
    return "### Methods against each other\n\n" + origin("eqs_methods_h200", tree, "") + "\n\n" + grid(
        [("model", "model"), ("order", "order"), ("unknowns", "unknowns"), ("", "who")] + [(l, l) for l in letters], rows)


def figures():
    tree = load("eqs_figures_h200")
    places = [("cpu", "cpu"), ("gpu", "gpu"), ("gpu, double", "gpu-double"), ("2 gpus", "2gpus")]
    solves = [{"model": m["model"], "unknowns": m["systems"]["unknowns"], "iterations": m["systems"]["gpu"]["iterations"],
               "memory": m["systems"]["gpu"]["memory"], "each": m["systems"].get("2gpus", {}).get("memory", "").removesuffix(" on the fullest rank"),
               **{k: f"{m['systems'][k]['setup']:.3g} + {m['systems'][k]['solve']:.3g}" for _, k in places if k in m["systems"]}}
              for m in tree["models"] if "systems" in m]
    products = [{"model": m["model"], "order": m["order"], "elements": m["assembly"]["cpu"]["elements"],
                 "slow": m["assembly"]["cpu"]["assembly"] * 1e3, "fast": m["assembly"]["gpu"]["assembly_with_product"] * 1e3,
                 "ratio": m["assembly"]["cpu"]["assembly"] / m["assembly"]["gpu"]["assembly_with_product"]}
                for m in tree["models"] if "assembly" in m]
    return "### Figures of Richter 2019\n\n" + origin("eqs_figures_h200", tree, "") + \
        "\n\nLinear systems (his 7.11 to 7.22): set-up + solve, s.\n\n" + \
        grid([("model", "model"), ("unknowns", "unknowns"), ("iterations", "iterations"), ("memory on a GPU", "memory"), ("on the fuller of two", "each")] + places,
             solves) + "\n\nAssembly on processors, assembly with product on the GPU (his 7.23 to 7.26).\n\n" + \
        grid([("model", "model"), ("order", "order"), ("elements", "elements"), ("cpu (ms)", "slow"), ("gpu (ms)", "fast"),
              ("factor", "ratio")], products) + \
        "\n\nErrors of fixed steps, relative (his 7.37 to 7.42): the estimate's largest and mean, one step from half time, the end.\n\n" + \
        grid([("model", "model"), ("scheme", "scheme"), ("step (ms)", "ms"), ("largest", "estimate_largest"),
              ("mean", "estimate_mean"), ("local", "local"), ("global", "global")],
             [{"model": m["model"], **e, "ms": e["step"] * 1e3} for m in tree["models"] for e in m.get("errors", [])])


def high_voltage():
    def options(row):
        return f"`{row['options']}`" if "options" in row else ""
    runs = [("model", "case"), ("options", options), ("unknowns", "unknowns"), ("steps (s)", "seconds"),
            ("whole run (s)", "wall_seconds"), ("Newton", "newton"), ("iterations", "cg_iterations"),
            ("memory (GB)", "device_memory_gb")]
    yield "## High voltage: `umov eqs`, `umov solve`"
    yield cpu_solver()
    yield gpu_solver()
    yield growth()
    yield table("Newton's matrix on an H200", "eqs_gpu_assembly", "results", [
        ("elements", "elements"), ("with a curve", "with_a_curve"), ("measured (ms)", "measured_ms"),
        ("floor (ms)", "floor_ms"), ("ratio", "ratio"), ("memory (GB)", "bytes_gb")])
    yield element_products()
    yield table("Whole runs of a cable end on an H100", "eqs_h100", "termination", [
        ("order", "order"), ("refined", lambda r: str(r["refine"])), ("scheme", "scheme"), ("unknowns", "unknowns"),
        ("commit", "commit"), ("Newton", "newton"), ("iterations", "cg"), ("steps (s)", "seconds_of_steps")])
    yield table("Whole runs on an H200", "eqs_gpu_runs", "results", runs)
    yield table("Whole runs of a cable end on an H200", "eqs_gpu_termination", "results", runs)
    yield table("Explicit steps on an H200", "eqs_stabilised_h200", "results", [
        ("drive (kV)", "kilovolts"), ("scheme", "scheme"), ("unknowns", "unknowns"), ("steps", "steps"),
        ("Newton", "newton"), ("iterations", "cg_iterations"), ("seconds", "seconds")])
    yield methods()
    yield figures()


def element_products():
    tree = load("eqs_h100")
    found = tree["products"][0]
    rows = [{"kernel": k, **v} for k, v in found.items() if "ms" in v]
    text = f"`eqs_h100.json`: {tree['device']}; commit {found['commit']}. Measured: {tree['what']}."
    return "### Products without the matrix on an H100\n\n" + wrapped(text) + "\n\n" + grid(
        [("kernel", "kernel"), ("measured (ms)", "ms"), ("floor (ms)", "floor_ms"), ("ratio", "ratio")], rows)


def ranks():
    dda = [("case", "case"), ("ranks", "ranks"), ("kernels", "kernels"), ("joined by", "joined_by"),
           ("measured (ms / product)", "product_ms"), ("times one", "times_one"),
           ("GiB a card", lambda r: r.get("gib_a_card", r.get("gib")))]
    fdtd = [("case", "case"), ("ranks", "ranks"), ("kernels", "kernels"), ("overlap", "overlap"),
            ("measured (us / step)", "microseconds_a_step"), ("times one", "times_one"),
            ("share of communication", "in_communication")]
    eqs = [("order", "order"), ("unknowns", "unknowns"), ("steps", "steps"), ("GPUs", "gpus"), ("joined by", "mpirun"),
           ("steps (s)", "seconds_of_steps"), ("times one", "times_one"), ("iterations", "cg"),
           ("share of communication", "in_communication")]
    yield "## Several ranks"
    yield table("Particles on two H200", "ranks_h200", "dda", dda)
    yield table("Waves on two H200", "ranks_h200", "fdtd", fdtd)
    yield table("Waves on two H100", "ranks_h100", "fdtd", fdtd)
    yield table("Particles on four H100", "ranks_h100", "four_cards/dda_products/cases", dda)
    yield table("Waves on four H100", "ranks_h100", "four_cards/fdtd/cases", fdtd)
    yield table("High voltage on four H100", "ranks_h100", "eqs_shares_by_all_cores/cases", eqs)
    yield table("Processors, the same model, beside ADDA and Meep", "ranks_cpu_xeon", "strong", [
        ("ranks", "ranks"), ("umov dda (ms)", "dda_sphere_96_ms"), ("ADDA (ms)", "adda_sphere_96_ms"),
        ("umov fdtd (million cell steps / s)", "fdtd"), ("Meep", "meep")])
    yield table("Processors, the model growing with the ranks", "ranks_cpu_xeon", "weak", [
        ("ranks", "ranks"), ("sphere", "sphere"), ("umov dda (ms)", "dda_ms"), ("ADDA (ms)", "adda_ms"),
        ("umov fdtd (million cell steps / s)", "fdtd_200x200x50_a_rank"), ("Meep", "meep")])


def view():
    cost = [("view", "view"), ("seconds", "seconds"), ("slower by", "slower_by"), ("share in looks", "in_looks")]
    yield "## The view in the browser"
    yield table("What a view costs a run on a processor", "view_cost", "results", cost)
    yield table("What a view costs a run on an H100", "view_cost", "gpu/results", cost)
    yield table("The first picture", "view_first_picture", "results", [
        ("case", "case"), ("milliseconds", "milliseconds")])


def python():
    def milliseconds(key):
        return lambda row: 1000 * row[key]
    yield "## From Python"
    yield table("A run of 64 x 64 cells, and a ring's resonances, beside Meep", "python_overhead_cpu", "", [
        ("module", "name"), ("import (ms)", milliseconds("import")), ("beside the engine (ms)", milliseconds("overhead")),
        ("100 steps (ms)", milliseconds("engine")), ("ring (s)", "ring"), ("ring as a process (s)", "ring_process")],
        lambda row: row["name"] in ("umov", "umov.meep", "meep"))


def sweeps():
    def scaled(count):
        return lambda r: next((r[k] / int(k.split("_")[1]) * r["cases"] for k in r if k.startswith("of_") and k.endswith(count)), None)
    yield "## Many small cases: `umov sweep`"
    yield table("Beside as many commands, on an H200", "sweeps_h200", "sweeps", [
        ("family", "family"), ("cases", "cases"), ("sweep (s)", "sweep"), ("commands, scaled (s)", scaled("commands")),
        ("without pictures (s)", scaled("pictures")), ("the sweep on 16 cores (s)", "cpu_16_cores")])
    yield wrapped("More in the [notebook](../benchmarks/ladder/sweeps.md).")


def page():
    sections = [particles, waves, cells, high_voltage, python, sweeps, ranks, view]
    blocks, last = [HEAD], ""
    for block in (block for section in sections for block in section()):
        title, _, rest = block.partition("\n\n")
        text, found, rows = rest.partition("\n\n")
        if found and text == last:
            block = f"{title}\n\nAs in the table above.\n\n{rows}"
        blocks.append(block)
        last = text if found else last
    return "\n\n".join(blocks) + "\n"


def main():
    text = page()
    if "--write" in sys.argv:
        PAGE.write_text(text)
    elif "--check" in sys.argv:
        if PAGE.read_text() != text:
            sys.exit("docs/performance.md differs from benchmarks/results; run benchmarks/performance.py --write")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
