"""Iterates a directory of `umov pmaxwell` by the formulas of Apelt's thesis (Erlangen 2011), sections 2.3.3, 3.3, 3.4.3 and 3.6,
in double precision, and compares the twelve fields with those that `umov pmaxwell --state` wrote. Written from the text alone:
it shares nothing with the program. Files as text (--ascii).

usage: thesis_formulas.py DIRECTORY ITERATIONS STATE       prints the largest difference and the largest field
"""
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
        numbers = " ".join(words[words.index("LOOKUP_TABLE default") + 1:]).split()
        pairs = [float(x) for x in numbers]
        self.values = [complex(a, b) for a, b in zip(pairs[0::2], pairs[1::2])]

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


def main(folder, iterations, state):
    read = lambda name: Grid(f"{folder}/{name}.vtk")
    group = lambda prefix: {part: read(prefix + part) for part in PARTS}
    e, h = group("E_"), group("H_")
    t_e, t_h, s_e, s_h = group("t_E_"), group("t_H_"), group("s_E_"), group("s_H_")
    bnd_e = {"xy": read("E_bnd_x"), "yx": read("E_bnd_y")}
    bnd_h = {"xy": read("H_bnd_x"), "yx": read("H_bnd_y")}
    cells = (e["xy"].n[0], e["yx"].n[1], e["zx"].n[2])
    for _ in range(iterations):
        repeat(e, cells)
        step_field(h, DRIVEN_H, e, t_h, s_h, bnd_h, 1, cells)
        repeat(h, cells)
        step_field(e, DRIVEN_E, h, t_e, s_e, bnd_e, -1, cells)
    apart, size = 0.0, 0.0
    for letter, fields in (("E_", e), ("H_", h)):
        for part in PARTS:
            wanted, found = fields[part].values, Grid(f"{state}/{letter}{part}.vtk").values
            assert len(wanted) == len(found)
            apart = max(apart, max(abs(a - b) for a, b in zip(wanted, found)))
            size = max(size, max(abs(a) for a in wanted))
    print(f"{apart:.9g} {size:.9g}")


main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
