"""Arrays, functions and meshes where a case names a file.

They are written as the file that the case would name, into a folder of this process that goes with it; the name is a
digest of what is in it, so equal arrays make equal cases.
"""

import atexit
import hashlib
import os
import re
import shutil
import struct
import tempfile
import zlib

_folder = None


def folder():
    """The folder of this process for files of arrays."""
    global _folder
    if _folder is None or _folder[1] != os.getpid():
        _folder = tempfile.mkdtemp(prefix="umov-"), os.getpid()
        atexit.register(_remove, *_folder)
    return _folder[0]


def _remove(path, process):
    if os.getpid() == process:
        shutil.rmtree(path, ignore_errors=True)


def keep(data, ending):
    """The path of a file with these bytes."""
    path = os.path.join(folder(), hashlib.sha256(data).hexdigest()[:24] + ending)
    if not os.path.exists(path):
        with open(path + ".part", "wb") as out:
            out.write(data)
        os.replace(path + ".part", path)
    return path


def named_in(text):
    """Paths of kept files that a case in TOML names."""
    if _folder is None:
        return []
    return sorted(set(re.findall(re.escape(_folder[0]) + r"/[0-9a-f]{24}\.[a-z]+", text)))


def without_arrays(family, path, value):
    """A value of a case in which files stand for arrays and functions."""
    write = _writers.get((family, _parameter(path)))
    if write is not None:
        return write(value, f"argument '{path}'") if _is_data(value) else value
    if isinstance(value, dict):
        if family == "dda" and path == "shape" and _is_data(value.get("file")):
            return _particle_table(value)
        return {key: without_arrays(family, f"{path}.{key}", item) for key, item in value.items()}
    if isinstance(value, (list, tuple)) and any(isinstance(item, dict) for item in value):
        return [without_arrays(family, f"{path}[{k}]", item) for k, item in enumerate(value)]
    return value


def _parameter(path):
    """"body.file" of "body[1].file" and "body.disk.file"."""
    first, *rest = re.sub(r"\[\d+\]", "", path).split(".")
    return ".".join([first, *rest[-1:]])


def _is_data(value):
    """Whether it is what a file may be made of: no name of one, no list of names."""
    if value is None or isinstance(value, (str, os.PathLike)):
        return False
    return not (isinstance(value, (list, tuple)) and value and all(isinstance(v, (str, os.PathLike)) for v in value))


def _refuse(where, problem):
    from ._core import BadInput

    raise BadInput(f"{where}: {problem}")


def _numbers(value, where, what, shape, kind=float):
    """An array of this kind and shape, None standing for any length."""
    import numpy as np

    try:
        array = np.ascontiguousarray(value, kind)
    except (TypeError, ValueError):
        _refuse(where, f"no array of {what}; give one, or the name of a file")
    fits = array.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, array.shape)) and array.size
    if not fits or array.dtype.kind in "fc" and not np.isfinite(array).all():
        said = " x ".join("n" if n is None else str(n) for n in shape)
        _refuse(where, f"an array of {' x '.join(map(str, array.shape))} (wanted are finite {what}, {said}); give these")
    return array


def _text(rows, heading=""):
    lines = "\n".join(",".join(map(repr, row)) for row in rows)
    return f"{heading}{lines}\n".encode()


def _columns(heading, what, count):
    def write(value, where):
        if isinstance(value, tuple) and len(value) == count:
            import numpy as np

            value = np.column_stack(value)
        return keep(_text(_numbers(value, where, what, (None, count)).tolist(), heading), ".csv")
    return write


# particles of dda


def _particle_table(table):
    """[shape] of a particle: an array [z][y][x] of materials, 0 outside, 1 the first; or a function of x, y and z about the
    middle, in extents of the box along x, that returns them, beside the grid to ask it on."""
    import numpy as np

    rest = {key: item for key, item in table.items() if key != "file"}
    rest.setdefault("name", "read")
    value = table["file"]
    where = "argument 'shape.file'"
    if callable(value):
        grid = rest.pop("grid", None)
        box = np.atleast_1d(grid if grid is not None else []).astype(int)
        if box.size not in (1, 3) or box.min() < 1:
            _refuse(where, "a function without a grid (it is asked at the middles of its dipoles); give "
                           "shape={'file': function, 'grid': 32}, or three numbers")
        box = np.resize(box, 3)
        x, y, z = ((np.arange(n) + 0.5 - n / 2) / box[0] for n in box)
        z, y, x = np.meshgrid(z, y, x, indexing="ij")
        value = np.broadcast_to(value(x, y, z), x.shape)
    material = np.asarray(value)
    if material.dtype.kind not in "biu" or material.ndim != 3:
        _refuse(where, f"{material.ndim} dimensions of {material.dtype} (a particle is an array of whole numbers "
                       "[z][y][x], 0 outside); give one")
    if not material.any() or material.min() < 0:
        _refuse(where, "no dipole, or a number below 0 (0 is outside, 1 the first material); mark some with 1 or more")
    found = np.argwhere(material)[:, ::-1]
    several = int(material.max())
    columns = [found[:, k].tolist() for k in range(3)]
    heading = ""
    if several > 1:
        columns.append(material[material != 0].tolist())
        heading = f"Nmat={several}\n"
    lines = "\n".join(map(" ".join, zip(*(map(str, column) for column in columns))))
    rest["file"] = keep(f"{heading}{lines}\n".encode(), ".geom")
    return rest


def incident_field(value, model, where):
    """A file of the field at the dipoles of a model: an array [dipole][3], the order that of material [z][y][x], or a
    function of x, y and z (um, about the middle of the box) that returns Ex, Ey and Ez."""
    import numpy as np

    k, j, i = np.nonzero(np.asarray(model["material"]))
    x, y, z = (np.asarray(model[name])[index] for name, index in (("x", i), ("y", j), ("z", k)))
    if callable(value):
        value = np.stack([np.broadcast_to(part, x.shape) for part in value(x, y, z)], axis=-1)
    field = _numbers(value, where, "complex numbers, Ex, Ey and Ez of each dipole", (x.size, 3), complex)
    columns = [x, y, z, (np.abs(field) ** 2).sum(axis=1)]
    for c in range(3):
        columns += [field[:, c].real, field[:, c].imag]
    rows = "\n".join(" ".join(map(repr, row)) for row in np.column_stack(columns).tolist())
    return keep(f"x y z |Einc|^2 Eincx.r Eincx.i Eincy.r Eincy.i Eincz.r Eincz.i\n{rows}\n".encode(), ".field")


# pictures


def _png(image):
    height, width = image.shape[:2]
    colour = 2 if image.ndim == 3 else 0

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + row.tobytes() for row in image)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def _picture(value, where):
    import numpy as np

    image = np.ascontiguousarray(value)
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or image.ndim == 3 and image.shape[2] != 3 or not image.size:
        _refuse(where, f"an array of {' x '.join(map(str, image.shape))} {image.dtype} (a picture is uint8 [row][column], "
                       "grey, or [row][column][3], the top row first); give one, or the name of a file")
    return keep(_png(image), ".png")


def _pictures(value, where):
    import numpy as np

    image = np.asarray(value)
    stack = list(image) if image.ndim == 4 else value if isinstance(value, (list, tuple)) else [value]
    return [_picture(one, where) for one in stack]


# meshes


def _surface(value, where):
    """Triangles: (vertices, faces), or what has these or points and cells_dict["triangle"]: meshio, trimesh."""
    import numpy as np

    if hasattr(value, "points") and hasattr(value, "cells_dict"):
        value = value.points, value.cells_dict.get("triangle", ())
    elif hasattr(value, "vertices") and hasattr(value, "faces"):
        value = value.vertices, value.faces
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        _refuse(where, "no mesh (wanted are vertices and faces); give a tuple of two arrays, or an object of meshio")
    vertices = _numbers(value[0], where, "places of vertices", (None, 3))
    faces = _numbers(value[1], where, "corners of triangles", (None, 3), np.int64)
    if faces.min() < 0 or faces.max() >= len(vertices):
        _refuse(where, f"a triangle with the corner {faces.max()} (there are {len(vertices)} vertices, from 0); correct it")
    lines = ["v " + " ".join(map(repr, v)) for v in vertices.tolist()]
    lines += ["f " + " ".join(map(str, f)) for f in (faces + 1).tolist()]
    return keep(("\n".join(lines) + "\n").encode(), ".obj")


def _groups_of_meshio(mesh, kind):
    """Cells of a kind, and the name of each by its physical group."""
    import numpy as np

    names = {(int(number), int(dimension)): name for name, (number, dimension) in mesh.field_data.items()}
    dimension = {"tetra": 3, "triangle": 2}[kind]
    cells, said = [], []
    for k, block in enumerate(mesh.cells):
        if block.type != kind:
            continue
        cells.append(np.asarray(block.data))
        numbers = mesh.cell_data["gmsh:physical"][k] if "gmsh:physical" in mesh.cell_data else [0] * len(block.data)
        said += [names.get((int(n), dimension), str(int(n))) for n in numbers]
    return (np.concatenate(cells), said) if cells else (np.zeros((0, 4 if dimension == 3 else 3), int), [])


def _tetrahedra(value, where):
    """A mesh of meshio with physical groups; or a dictionary: nodes [node][3], tetrahedra [element][4], regions (a name
    each, or one for all), triangles [face][3] and surfaces (a name each) of the electrodes."""
    import numpy as np

    if hasattr(value, "points") and hasattr(value, "cells"):
        cells, regions = _groups_of_meshio(value, "tetra")
        faces, surfaces = _groups_of_meshio(value, "triangle")
        value = {"nodes": value.points, "tetrahedra": cells, "regions": regions, "triangles": faces, "surfaces": surfaces}
    if not isinstance(value, dict) or not {"nodes", "tetrahedra", "regions"} <= value.keys():
        _refuse(where, "no mesh (wanted are nodes, tetrahedra, regions, triangles, surfaces); give a dictionary of these, "
                       "or an object of meshio")
    nodes = _numbers(value["nodes"], where, "places of nodes", (None, 3))
    groups = []
    for dimension, cells, names in ((3, "tetrahedra", "regions"), (2, "triangles", "surfaces")):
        if not len(value.get(cells, ())):
            continue
        corners = _numbers(value[cells], where, f"corners of {cells}", (None, dimension + 1), np.int64)
        if corners.min() < 0 or corners.max() >= len(nodes):
            _refuse(where, f"{cells}: a corner {corners.max()} (there are {len(nodes)} nodes, from 0); correct it")
        said = value[names]
        said = [said] * len(corners) if isinstance(said, str) else list(said)
        if len(said) != len(corners):
            _refuse(where, f"{len(said)} {names} for {len(corners)} {cells} (each has one); give as many")
        groups.append((dimension, corners, said))
    return keep(_msh(nodes, groups), ".msh")


def _msh(nodes, groups):
    """MSH 2.2, binary."""
    import numpy as np

    numbers, out = {}, [b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n"]
    for dimension, _, said in groups:
        for name in dict.fromkeys(said):
            numbers[dimension, name] = len(numbers) + 1
    lines = "".join(f'{dimension} {number} "{name}"\n' for (dimension, name), number in numbers.items())
    out.append(f"$PhysicalNames\n{len(numbers)}\n{lines}$EndPhysicalNames\n".encode())
    table = np.empty(len(nodes), [("number", "<i4"), ("place", "<f8", 3)])
    table["number"], table["place"] = np.arange(1, len(nodes) + 1), nodes
    out.append(f"$Nodes\n{len(nodes)}\n".encode() + table.tobytes() + b"\n$EndNodes\n")
    elements, first = [], 1
    for dimension, corners, said in groups:
        group = np.array([numbers[dimension, name] for name in said], "<i4")
        rows = np.column_stack([np.arange(first, first + len(corners)), group, group, corners + 1]).astype("<i4")
        elements.append(struct.pack("<3i", {3: 4, 2: 2}[dimension], len(corners), 2) + rows.tobytes())
        first += len(corners)
    out.append(f"$Elements\n{first - 1}\n".encode() + b"".join(elements) + b"\n$EndElements\n")
    return b"".join(out)


_nk = _columns("wavelength (um),n,k\n", "wavelengths (um), n and k", 3)
_wave = _columns("", "times and values", 2)
_writers = {("dda", "material.nk_file"): _nk, ("harmonic", "material.nk_file"): _nk,
            ("harmonic", "harmonic.spectrum"): _columns("", "wavelengths (um) and irradiances (W/m^2/um)", 2),
            ("harmonic", "texture.file"): _picture,
            ("eqs", "mesh.file"): _tetrahedra, ("eqs", "electrode.file"): _wave}
for _family in ("fdtd", "modes"):
    _writers |= {(_family, "material.nk_file"): _nk, (_family, "body.file"): _surface, (_family, "source.file"): _wave,
                 (_family, "picture.files"): _pictures}
