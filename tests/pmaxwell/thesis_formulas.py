"""Iterates a directory of `umov pmaxwell` by the formulas of Apelt's thesis (Erlangen 2011), sections 2.3.3, 3.3, 3.4.3 and 3.6,
in double precision, and compares the twelve fields with those that `umov pmaxwell --state` wrote. Written from the text alone:
it shares nothing with the program. Files as text (--ascii).

usage: thesis_formulas.py DIRECTORY ITERATIONS STATE [COPIES [NORM]]
           COPIES: text (periodic along x and y) or formulas (3.6.2); NORM: components or parts (3.5). Prints the largest difference
           of the fields, the largest field and, with NORM, the largest difference of DIRECTORY/results.0.vtk
       thesis_formulas.py make DIRECTORY
           forty files of pseudo-random numbers for 3 x 4 x 5 cells: every part, t, s and source counts, in all directions
"""
import cmath
import pathlib
import random
import sys

# part: (component of the other field that drives it, point in front of the minus, point behind it). E takes the neighbours of H
# at -1 (W, S, B), H those of E at +1 (E, N, T). E_xz stands with B and T in 3.6.1 and with N and S in 2.3.3, where it has to.
DRIVEN_E = {"xy": ("y", "B", "T"), "xz": ("z", "N", "S"), "yx": ("x", "T", "B"),
            "yz": ("z", "W", "E"), "zx": ("x", "S", "N"), "zy": ("y", "E", "W")}
# + curl E, whose part xy is listing 3's: s_H holds the minus
DRIVEN_H = {"xy": ("y", "B", "T"), "xz": ("z", "N", "S"), "yx": ("x", "T", "B"),
            "yz": ("z", "W", "E"), "zx": ("x", "S", "N"), "zy": ("y", "E", "W")}
AXIS = {"E": 0, "W": 0, "N": 1, "S": 1, "T": 2, "B": 2}
PARTS = ("xy", "xz", "yx", "yz", "zx", "zy")
LETTERS = "xyz"


class Grid:
    def __init__(self, path):
        words = open(path).read().split("\n")
        n = next(line for line in words if line.startswith("DIMENSIONS")).split()[1:]
        self.n = tuple(int(x) for x in n)
        numbers = [float(x) for x in " ".join(words[words.index("LOOKUP_TABLE default") + 1:]).split()]
        if len(numbers) == self.n[0] * self.n[1] * self.n[2]:
            self.values = numbers  # of results
        else:
            self.values = [complex(a, b) for a, b in zip(numbers[0::2], numbers[1::2])]

    def at(self, i, j, k):
        return (k * self.n[1] + j) * self.n[0] + i


def step_field(own, driven, other_parts, t, s, bnd, shift, cells):
    """One half step of one field, in all points that periodic planes do not repeat; E keeps its ends along z."""
    new = {}
    for part in PARTS:
        source, plus, minus = driven[part]
        a, b = other_parts[source + [l for l in LETTERS if l != source][0]], other_parts[source + [l for l in LETTERS if l != source][1]]
        total = lambda at: a.values[at] + b.values[at]
        field, axis, out = own[part], AXIS[plus], list(own[part].values)
        edge = bnd.get(part)
        first, last = 0, field.n[2]
        if shift < 0 and part[0] != "z":
            first, last = 1, cells[2]
        for k in range(first, last):
            for j in range(cells[1]):
                for i in range(cells[0]):
                    here, there = [i, j, k], [i, j, k]
                    there[axis] += shift
                    if there[axis] < 0:
                        there[axis] = cells[axis] - 1
                    upper = plus in "ENT"
                    high, low = (here, there) if shift < 0 else (there, here)
                    first_point, second_point = (high, low) if upper else (low, high)
                    difference = total(a.at(*first_point)) - total(a.at(*second_point))
                    at = field.at(i, j, k)
                    out[at] = t[part].values[at] * field.values[at] + s[part].values[at] * difference
                    if edge:
                        out[at] += edge.values[at]
        new[part] = out
    for part in PARTS:
        own[part].values = new[part]


def repeat(parts, cells):
    """Periodic along x and y: the last planes become the first, each part its own."""
    for part in PARTS:
        field = parts[part]
        for axis in (0, 1):
            if field.n[axis] == cells[axis]:
                continue
            for k in range(field.n[2]):
                for j in range(field.n[1] if axis == 0 else 1):
                    for i in range(field.n[0] if axis == 1 else 1):
                        to = (cells[0], j, k) if axis == 0 else (i, cells[1], k)
                        field.values[field.at(*to)] = field.values[field.at(i, j, k)]


def copy_as_in_formulas(parts, cells):
    """3.6.2: of each component plane 1 along its own axis goes to n - 2 (x), n - 1 (y, z); n, of all arrays alike, is cells + 1.
    A plane that the component does not have is left out."""
    for part in PARTS:
        field, axis = parts[part], LETTERS.index(part[0])
        to = cells[axis] + 1 - (2 if axis == 0 else 1)
        if to >= field.n[axis] or field.n[axis] < 2:
            continue
        for k in range(field.n[2]):
            for j in range(field.n[1]):
                for i in range(field.n[0]):
                    at = [i, j, k]
                    if at[axis] == to:
                        at[axis] = 1
                        field.values[field.at(i, j, k)] = field.values[field.at(*at)]


def norms(e, h, n, norm):
    """3.5: by its first line of components, by its second of parts, where all six have the point."""
    for k in range(n[2]):
        for j in range(n[1]):
            for i in range(n[0]):
                total = 0
                for parts in (e, h):
                    for a, b in (("xy", "xz"), ("yx", "yz"), ("zx", "zy")):
                        u, v = (parts[part].values[parts[part].at(i, j, k)] for part in (a, b))
                        total += abs(u) ** 2 + abs(v) ** 2 if norm == "parts" else abs(u + v) ** 2
                yield total ** 0.5


def make(folder):
    pathlib.Path(folder).mkdir()
    numbers, cells = random.Random(36), (3, 4, 5)
    any_number = lambda: complex(numbers.uniform(-1, 1), numbers.uniform(-1, 1))
    for field in "EH":
        names = [f"{kind}{field}_{part}" for kind in ("", "t_", "s_") for part in PARTS] + [f"{field}_bnd_x", f"{field}_bnd_y"]
        for name in names:
            along = LETTERS.index(name[-1] if "bnd" in name else name[-2])
            n = [c + ((a != along) if field == "E" else (a == along)) for a, c in enumerate(cells)]
            # abs(t) below 1 and s of some tenths, with Faraday's minus: fields neither die out nor run away within some steps
            draw = {"t": lambda: cmath.rect(numbers.uniform(0.8, 0.95), 0.2),
                    "s": lambda: (0.3 + 0.05 * any_number()) * (1 if field == "E" else -1)}.get(name[0], any_number)
            lines = ["# vtk DataFile Version 3.0", "random", "ASCII", "DATASET RECTILINEAR_GRID", "DIMENSIONS %d %d %d" % tuple(n)]
            for axis, count in zip("XYZ", n):
                lines += [f"{axis}_COORDINATES {count} double", " ".join(map(str, range(count)))]
            lines += [f"POINT_DATA {n[0] * n[1] * n[2]}", f"SCALARS {name} float 2", "LOOKUP_TABLE default"]
            lines += ["%.7e %.7e" % (z.real, z.imag) for z in (draw() for _ in range(n[0] * n[1] * n[2]))]
            pathlib.Path(folder, name + ".vtk").write_text("\n".join(lines) + "\n")


def main(folder, iterations, state, copies="text", norm=None):
    read = lambda name: Grid(f"{folder}/{name}.vtk")
    group = lambda prefix: {part: read(prefix + part) for part in PARTS}
    e, h = group("E_"), group("H_")
    t_e, t_h, s_e, s_h = group("t_E_"), group("t_H_"), group("s_E_"), group("s_H_")
    bnd_e = {"xy": read("E_bnd_x"), "yx": read("E_bnd_y")}
    bnd_h = {"xy": read("H_bnd_x"), "yx": read("H_bnd_y")}
    cells = (e["xy"].n[0], e["yx"].n[1], e["zx"].n[2])
    update = {"text": repeat, "formulas": copy_as_in_formulas}[copies]
    for _ in range(iterations):
        update(e, cells)
        step_field(h, DRIVEN_H, e, t_h, s_h, bnd_h, 1, cells)
        update(h, cells)
        step_field(e, DRIVEN_E, h, t_e, s_e, bnd_e, -1, cells)
    apart, size = 0.0, 0.0
    for letter, fields in (("E_", e), ("H_", h)):
        for part in PARTS:
            wanted, found = fields[part].values, Grid(f"{state}/{letter}{part}.vtk").values
            assert len(wanted) == len(found)
            apart = max(apart, max(abs(a - b) for a, b in zip(wanted, found)))
            size = max(size, max(abs(a) for a in wanted))
    told = f"{apart:.9g} {size:.9g}"
    if norm:
        results = Grid(f"{folder}/results.0.vtk")
        told += f" {max(abs(a - b) for a, b in zip(norms(e, h, results.n, norm), results.values)):.9g}"
    print(told)


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
