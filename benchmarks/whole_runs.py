#!/usr/bin/env python3
"""Whole runs of real cases, start to result: how long each takes, and in which stage.

    benchmarks/whole_runs.py [--umov build/bin/umov] [--cases mmi_8,mmi_15,...] [--runs 3] [--out whole_runs.json]
                             [-- further options of the command, as --gpu]
    benchmarks/whole_runs.py --against whole_runs_before.json ...      says which stages take longer than there, too
    benchmarks/whole_runs.py --list

Kernels are measured elsewhere; a set-up that doubles is seen here alone. Each case runs in a folder of its own, without
pictures; the stages are those that its log ends with, of the fastest of the runs, parts of a stage as "stage: part". A stage
that takes 1.5 times as long as before and more than 0.3 s is named, and the exit status is 1. mmi_N, coupler_N and crossing_N
are devices of Liu and Poon (Optics Continuum 4, 2427, 2025) at N cells per wavelength in silicon, from layouts that are
written here: 220 nm of silicon (3.47644) in silica (1.44402), guides of 0.5 um.
- The 2 x 2 multimode interferometer: a region of 8 um whose width falls from 1.6 um at its ends to 1.48 um from 2 to 6 um, guides
  that widen to 0.7 um over 1 um, 0.45 um from the axis, S-bends 11 um long and 1.8 um across.
- The directional coupler: 20 um of two guides with a gap of 236 nm, S-bends (cubic Bezier curves with handles of half their
  length) 10 um long to guides 4 um apart.
- The crossing: arms that widen over 3.4 um to a square of 1.2 um, in a slab of 150 nm of two ellipses with half axes of 3 and 1.1 um.
Of these the powers at the middle of the band are told, too.
"""
import argparse
import csv
import functools
import json
import math
import pathlib
import re
import runpy
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
SILICON, SILICA, WAVELENGTH = 3.47644, 1.44402, 1.55
MMI_END = 16.2  # um from the middle: the ends of its guides


def strip(points, widths):
    """Corners around a centre line [(x, y)] with a width at each point."""
    upper, lower = [], []
    for i, ((x, y), w) in enumerate(zip(points, widths)):
        (x0, y0), (x1, y1) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        length = math.hypot(x1 - x0, y1 - y0)
        nx, ny = -(y1 - y0) / length, (x1 - x0) / length
        upper.append((x + nx * w / 2, y + ny * w / 2))
        lower.append((x - nx * w / 2, y - ny * w / 2))
    return upper + lower[::-1]


def arm(side_x, side_y, end):
    """A guide from the multimode region outwards: taper, S-bend, straight on to `end`. um."""
    points, widths = [(3.9, 0.45), (4, 0.45), (5, 0.45)], [0.7, 0.7, 0.5]
    for i in range(1, 101):
        u = i / 100
        points.append((5 + 11 * u, 0.45 + 1.8 * (u - math.sin(2 * math.pi * u) / (2 * math.pi))))
        widths.append(0.5)
    points.append((end, points[-1][1]))
    widths.append(0.5)
    corners = strip(points, widths)
    corners = [(side_x * x, side_y * y) for x, y in corners]
    return corners if side_x * side_y > 0 else corners[::-1]


def nm(corners):
    return [round(1000 * c) for corner in corners for c in corner]


def mmi_layout():
    """Bytes of a layout of GDSII: the region and its arms on layer 1, the names of the ports on layer 10."""
    gds = runpy.run_path(str(EXAMPLES / "waveguide_crossing" / "write_layout.py"))
    middle = [(-4, -.8), (-2, -.74), (2, -.74), (4, -.8), (4, .8), (2, .74), (-2, .74), (-4, .8)]
    shapes = [middle] + [arm(sx, sy, MMI_END) for sx in (1, -1) for sy in (1, -1)]
    ports = {"in": (-1, 1), "add": (-1, -1), "through": (1, 1), "across": (1, -1)}
    return gds["library"]("mmi", [gds["boundary"](1, *nm(corners)) for corners in shapes] + [
        gds["label"](10, *nm([(sx * MMI_END, sy * 2.25)]), name) for name, (sx, sy) in ports.items()])


def coupler_layout():
    """Bytes of a layout of GDSII: the two guides, and the names of their ends."""
    gds = runpy.run_path(str(EXAMPLES / "waveguide_crossing" / "write_layout.py"))
    near, far, end = (0.236 + 0.5) / 2, 2.0, 21
    right = [(10 + 10 * (1.5 * u * (1 - u) + u ** 3), near + (far - near) * (3 * u * u - 2 * u ** 3)) for u in (i / 100 for i in range(101))]
    points = [(-x, y) for x, y in [(end, far)] + right[::-1]] + right + [(end, far)]
    upper = strip(points, [0.5] * len(points))
    ports = {"in": (-1, 1), "add": (-1, -1), "through": (1, 1), "across": (1, -1)}
    return gds["library"]("coupler", [gds["boundary"](1, *nm(corners)) for corners in (upper, [(x, -y) for x, y in upper[::-1]])] + [
        gds["label"](10, *nm([(sx * end, sy * far)]), name) for name, (sx, sy) in ports.items()])


def crossing_layout():
    """Bytes of a layout of GDSII: both arms on layer 1, their slabs on layer 2, the names of the ports."""
    gds = runpy.run_path(str(EXAMPLES / "waveguide_crossing" / "write_layout.py"))
    arm = [(-4, -.25), (-.6, -.6), (.6, -.6), (4, -.25), (4, .25), (.6, .6), (-.6, .6), (-4, .25)]
    slab = [(3 * math.cos(2 * math.pi * i / 200), 1.1 * math.sin(2 * math.pi * i / 200)) for i in range(200)]
    turned = lambda corners: [(-y, x) for x, y in corners]
    ports = {"west": (-4, 0), "east": (4, 0), "south": (0, -4), "north": (0, 4)}
    return gds["library"]("crossing", [
        gds["boundary"](layer, *nm(corners)) for layer, shape in ((1, arm), (2, slab)) for corners in (shape, turned(shape))] + [
        gds["label"](10, *nm([place]), name) for name, place in ports.items()])


def device(name, layout, excited, cells, folder, more=""):
    """A column of the S-parameters of a layout at so many cells per wavelength in silicon. A path."""
    (folder / f"{name}.gds").write_bytes(layout())
    case = folder / "case.toml"
    case.write_text(f"""[domain]
size = [inf, inf, 2.4]
resolution = {SILICON / WAVELENGTH * cells!r}
background = "silica"

[layout]
file = "{name}.gds"
port_layer = [10, 0]
margin = 1.3
port_margin = 0.9

[[layer]]
layer = 1
from = -0.11
to = 0.11
material = "silicon"
{more}
[[material]]
name = "silicon"
index = {SILICON}

[[material]]
name = "silica"
index = {SILICA}

[s_parameters]
frequency_from = {1 / 1.6!r}
frequency_to = {1 / 1.5!r}
frequency_count = 21
excite = ["{excited}"]
""")
    return case


SLAB = """
[[layer]]
layer = 2
from = -0.11
to = 0.04
material = "silicon"
"""


CELLS = (8, 10, 12, 15, 20, 25)
CASES = {
    **{f"mmi_{n}": ("fdtd", functools.partial(device, "mmi", mmi_layout, "in", n)) for n in CELLS},
    **{f"coupler_{n}": ("fdtd", functools.partial(device, "coupler", coupler_layout, "in", n)) for n in CELLS},
    **{f"crossing_{n}": ("fdtd", functools.partial(device, "crossing", crossing_layout, "west", n, more=SLAB)) for n in CELLS},
    "ring": ("fdtd", EXAMPLES / "ring_resonator" / "case.toml"),
    "sphere_in_time": ("fdtd", EXAMPLES / "sphere_in_time" / "case.toml"),
    "solar_cell": ("fdtd", EXAMPLES / "solar_cell" / "case.toml"),
    "strip": ("modes", EXAMPLES / "strip_modes" / "case.toml"),
    "rough_solar_cell": ("harmonic", EXAMPLES / "rough_solar_cell" / "case.toml"),
    "sphere": ("dda", EXAMPLES / "sphere" / "case.toml"),
    "ice_prism": ("dda", EXAMPLES / "ice_prism" / "case.toml"),
    "two_layers": ("eqs", EXAMPLES / "eqs_two_layers" / "case.toml"),
    "bushing": ("eqs", EXAMPLES / "eqs_model2_bushing" / "case.toml"),
    "layer": ("eqs", EXAMPLES / "eqs_model4_layer1" / "case.toml"),
}
DEFAULT = "ring,sphere_in_time,solar_cell,ice_prism,bushing,layer"  # devices: on a GPU


def stages_of(log):
    """{stage: s} of the table that a log ends with; of runs for S-parameters of theirs, added up, which stands before it."""
    found = re.search(r"time in s\n((?:  .*\n)+)", log)
    if not found:
        sys.exit("a log without its table of times")
    stages, within = {}, ""
    for line in found.group(1).splitlines():
        name, seconds = line.rsplit(None, 1)
        part = name.startswith("    ")
        within = within if part else name.strip()
        stages[f"{within}: {name.strip()}" if part else within] = float(seconds)
    return stages


def middle_of(folder):
    """{"S21": |S21|^2, ...} at the middle of the band, of a run for S-parameters; {} of others."""
    file = folder / "s_parameters.csv"
    if not file.exists():
        return {}
    rows = list(csv.DictReader(line for line in file.read_text().splitlines() if not line.startswith("#")))
    row = rows[len(rows) // 2]
    return {"wavelength": float(row["wavelength [unit]"])} | {
        key[1:key.index("|", 1)]: float(value) for key, value in row.items() if key.startswith("|S")}


def run(umov, name, more):
    """Seconds of the whole process, its stages, and S-parameters."""
    family, case = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if callable(case):
            case = case(folder)
        command = [umov, family, str(case), "--quiet", "--no-pictures", "--output-dir", str(folder / "out")] + more
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        seconds = time.monotonic() - begin
        if done.returncode:
            sys.exit(f"{name} ended with code {done.returncode}\n{done.stderr}")
        return seconds, stages_of((folder / "out" / "log").read_text()), middle_of(folder / "out")


def slower(name, now, before):
    """Stages that take longer than they did, in words."""
    pairs = [("all", now["seconds"], before["seconds"])] + [
        (stage, s, before["stages"].get(stage, 0)) for stage, s in now["stages"].items() if stage != "all"]
    return [f"{name}, {stage}: {s:.2f} s, before {b:.2f} s" for stage, s, b in pairs if s > 1.5 * b and s - b > 0.3]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--umov", default=str(HERE.parent / "build/bin/umov"))
    p.add_argument("--cases", default=DEFAULT)
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--out")
    p.add_argument("--against")
    p.add_argument("--list", action="store_true")
    a, more = p.parse_known_args()
    if a.list:
        return print("\n".join(CASES))
    before = json.loads(pathlib.Path(a.against).read_text())["cases"] if a.against else {}
    results, doubts = {}, []
    for name in a.cases.split(","):
        seconds, stages, powers = min((run(a.umov, name, [m for m in more if m != "--"]) for _ in range(a.runs)), key=lambda r: r[0])
        results[name] = {"seconds": round(seconds, 3), "stages": stages} | ({"powers": powers} if powers else {})
        parts = ", ".join(f"{stage} {s:.2f}" for stage, s in stages.items() if stage != "all" and s >= 0.01)
        print(f"{name:18} {seconds:8.2f} s  {parts}", flush=True)
        if powers:
            print(" " * 20 + ", ".join(f"{key} {value:.4f}" for key, value in powers.items()), flush=True)
        if name in before:
            doubts += slower(name, results[name], before[name])
    if a.out:
        pathlib.Path(a.out).write_text(json.dumps({"command": " ".join(["benchmarks/whole_runs.py"] + sys.argv[1:]), "cases": results}, indent=1) + "\n")
    if doubts:
        sys.exit("slower than before:\n  " + "\n  ".join(doubts))


if __name__ == "__main__":
    main()
