#!/usr/bin/env python3
"""All tables and figures of Richter 2019 on its models, by the two scripts that make them.

    benchmarks/richter_2019.py FOLDER [--umov build/bin/umov] [--models 1,2,3,4,5,6,7] [--orders 1,2] [--refine 2]
                               [--parts systems,assembly,errors] [-- OPTIONS OF umov eqs, as --gpu]

Tables 7.11 and 7.14 (eqs_methods.py: seconds and iterations of methods A to G) go to FOLDER/methods.txt and FOLDER/methods, figures
7.11 to 7.26 and 7.37 to 7.42 (eqs_figures.py: systems, assembly, errors) to FOLDER/figures.txt and .json. Hours of a GPU at
--refine 2; minutes of two cores at --refine 0. Without --gpu what runs on GPUs is left out.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def made(script, options, out):
    """Runs a script and keeps what it prints."""
    command = [sys.executable, str(HERE / script), *options]
    print(" ".join(command[1:]), flush=True)
    with open(out, "w") as text:
        return subprocess.run(command, stdout=text).returncode


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--umov", default=str(HERE.parent / "build/bin/umov"))
    p.add_argument("--models", default="1,2,3,4,5,6,7")
    p.add_argument("--orders", default="1,2")
    p.add_argument("--refine", default="2")
    p.add_argument("--parts", default="systems,assembly,errors", help="of the figures; assembly wants UMOV_BENCHMARKS=ON")
    ours, more = sys.argv[1:], []
    if "--" in ours:
        ours, more = ours[:ours.index("--")], ours[ours.index("--") + 1:]
    a = p.parse_args(ours)
    a.folder.mkdir(parents=True, exist_ok=True)
    common = ["--umov", a.umov, "--orders", a.orders, "--refine", a.refine]
    with_methods = ",".join(m for m in a.models.split(",") if m != "1")  # his tables have models 2 to 7
    places = "cpu,gpu,gpu-double,2gpus" if "--gpu" in more else "cpu"
    failed = []
    if with_methods and made("eqs_methods.py", common + ["--models", with_methods, "--out", str(a.folder / "methods")]
                             + (["--", *more] if more else []), a.folder / "methods.txt"):
        failed.append("eqs_methods.py")
    if made("eqs_figures.py", common + ["--models", a.models, "--parts", a.parts, "--on", places, "--out", str(a.folder / "figures.json")],
            a.folder / "figures.txt"):
        failed.append("eqs_figures.py")
    if failed:
        sys.exit(f"ended with an error: {', '.join(failed)}")


if __name__ == "__main__":
    main()
