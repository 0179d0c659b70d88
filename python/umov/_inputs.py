"""Arrays, functions and meshes where a case names a file.

Readers take the numbers from where NumPy has them (python/src/given.cpp). The name that stands in the case is that of a file
which is written when the case is asked for in TOML; it is a digest of what is in the arrays, so equal ones make equal cases.
"""

import atexit
import hashlib
import io
import os
import re
import shutil
import struct
import tempfile
import weakref
import zlib

from . import _core

_folder = None
_known = weakref.WeakValueDictionary()  # by path, as long as a case names them


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


class Kept:
    """Arrays that stand for a file: (name, array) of each, names of groups, and how they are written."""

    def __init__(self, arrays, names, ending, where):
        self.arrays, self.names, self.ending, self.where = arrays, names, ending, where
        self.path = os.path.join(folder(), self.digest() + ending)

    def digest(self):
        found = hashlib.blake2b(digest_size=12)
        for name, array in self.arrays:
            found.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
            found.update(memoryview(array).cast("B") if array.size else b"")
        found.update(repr(self.names).encode())
        return found.hexdigest()

    def write(self, path):
        data = _files[self.ending](dict(self.arrays), self.names)
        with open(path + ".part", "wb") as out:
            out.write(data)
        os.replace(path + ".part", path)


class _Name(str):
    """The name of arrays; what holds it holds them."""


def keep(arrays, ending, where, names=None):
    """What stands in a case for arrays, contiguous ones, which are not copied."""
    kept = Kept([(name, array) for name, array in arrays], names or {}, ending, where)
    kept = _known.setdefault(kept.path, kept)
    name = _Name(kept.path)
    name.given = _core.give(kept.path, where, kept.arrays, kept.names, kept)
    return name


def of_case(paths):
    """What is kept under the paths that a tree holds."""
    return [_known[path] for path in paths]


def refuse_changed(paths):
    """A case is what it was when it was made, and so are its arrays."""
    for kept in of_case(paths):
        if os.path.basename(kept.path) != kept.digest() + kept.ending:
            _refuse(kept.where, "the array was changed after the case was made (a case takes it without a copy, and does not "
                                "change); make the case again, or give it array.copy()")


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
    raise _core.BadInput(f"{where}: {problem}")


def _numbers(value, where, what, shape, kinds="fiu"):
    """An array of one of these kinds and of this shape, None standing for any length: the very one where it is contiguous."""
    import numpy as np

    try:
        array = np.asarray(value)
        if array.dtype.kind not in kinds or array.dtype.itemsize > 16 or not array.dtype.isnative:
            if array.dtype.kind in "OUSV" or array.dtype.kind == "c" or kinds == "iu":
                raise TypeError
            array = array.astype(float)
        array = np.ascontiguousarray(array)
    except (TypeError, ValueError):
        _refuse(where, f"no array of {what}; give one, or the name of a file")
    fits = array.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, array.shape)) and array.size
    if not fits:
        said = " x ".join("n" if n is None else str(n) for n in shape)
        _refuse(where, f"an array of {' x '.join(map(str, array.shape))} (wanted are finite {what}, {said}); give these")
    return array


def _columns(heading, what, count):
    def kept(value, where):
        ending = _with_heading[heading]
        if isinstance(value, tuple) and len(value) == count:
            parts = [_numbers(part, where, what, (None,)) for part in value]
            if len({part.size for part in parts}) > 1:
                _refuse(where, f"{' and '.join(str(part.size) for part in parts)} numbers ({what} go together); give as many")
            return keep([(str(k), part) for k, part in enumerate(parts)], ending, where)
        return keep([("", _numbers(value, where, what, (None, count)))], ending, where)
    return kept


_with_heading = {"": ".csv", "wavelength (um),n,k\n": ".nk.csv"}


def _csv(heading):
    def data(arrays, names):
        import numpy as np

        columns = list(arrays.values())
        rows = columns[0].tolist() if len(columns) == 1 else np.column_stack(columns).tolist()
        lines = "\n".join(",".join(map(repr, row)) for row in rows)
        return f"{heading}{lines}\n".encode()
    return data


def _npy(arrays, names):
    import numpy as np

    out = io.BytesIO()
    np.save(out, arrays[""], allow_pickle=False)
    return out.getvalue()


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
    rest["file"] = keep([("", np.ascontiguousarray(material))], ".npy", where)
    return rest


def incident_field(value, model, where):
    """A field at the dipoles of a model: an array [dipole][3], the order that of material [z][y][x], or a function of x, y
    and z (um, about the middle of the box) that returns Ex, Ey and Ez."""
    import numpy as np

    material = np.asarray(model["material"])
    if callable(value):
        k, j, i = np.nonzero(material)
        x, y, z = (np.asarray(model[name])[index] for name, index in (("x", i), ("y", j), ("z", k)))
        value = np.stack([np.broadcast_to(part, x.shape) for part in value(x, y, z)], axis=-1)
    what = "complex numbers, Ex, Ey and Ez of each dipole"
    return keep([("", _numbers(value, where, what, (np.count_nonzero(material), 3), "cfiu"))], ".npy", where)


# pictures


def _png(arrays, names):
    image = arrays[""]
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
    if image.dtype.kind in "fc":
        what = "permittivities, [y][x] or [z][y][x]"
        return keep([("", _numbers(image, where, what, (None,) * (3 if image.ndim == 3 else 2), "fc"))], ".npy", where)
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or image.ndim == 3 and image.shape[2] != 3 or not image.size:
        _refuse(where, f"an array of {' x '.join(map(str, image.shape))} {image.dtype} (a picture is uint8 [row][column], "
                       "grey, or [row][column][3], the top row first); give one, or the name of a file")
    return keep([("", image)], ".png", where)


def _pictures(value, where):
    import numpy as np

    image = np.asarray(value)
    stack = list(image) if image.ndim == 4 else value if isinstance(value, (list, tuple)) and image.dtype == np.uint8 else [value]
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
    faces = _numbers(value[1], where, "corners of triangles", (None, 3), "iu")
    if faces.min() < 0 or faces.max() >= len(vertices):
        _refuse(where, f"a triangle with the corner {faces.max()} (there are {len(vertices)} vertices, from 0); correct it")
    return keep([("vertices", vertices), ("faces", faces)], ".obj", where)


def _obj(arrays, names):
    lines = ["v " + " ".join(map(repr, v)) for v in arrays["vertices"].tolist()]
    lines += ["f " + " ".join(str(corner + 1) for corner in f) for f in arrays["faces"].tolist()]
    return ("\n".join(lines) + "\n").encode()


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
    arrays, names = [("nodes", _numbers(value["nodes"], where, "places of nodes", (None, 3)))], {}
    for dimension, cells, groups in ((3, "tetrahedra", "regions"), (2, "triangles", "surfaces")):
        if not len(value.get(cells, ())):
            continue
        arrays.append((cells, _numbers(value[cells], where, f"corners of {cells}", (None, dimension + 1), "iu")))
        numbers, names[groups] = _numbered(value[groups], len(value[cells]), cells, groups, where)
        arrays.append((groups, numbers))
    return keep(arrays, ".msh", where, names)


def _numbered(said, count, cells, groups, where):
    """A number for each element and the names of the numbers: of a name for all, one for each, or of both as a tuple."""
    import numpy as np

    if isinstance(said, tuple) and len(said) == 2 and hasattr(said[0], "dtype"):
        numbers, names = _numbers(said[0], where, f"numbers of {groups}", (None,), "iu"), [str(name) for name in said[1]]
    elif isinstance(said, str):
        numbers, names = np.zeros(count, np.int32), [said]
    else:
        number_of = {name: number for number, name in enumerate(dict.fromkeys(said))}
        numbers, names = np.array([number_of[name] for name in said], np.int32), list(number_of)
    if len(numbers) != count:
        _refuse(where, f"{len(numbers)} {groups} for {count} {cells} (each has one); give as many")
    return numbers, names


def _msh(arrays, names):
    """MSH 2.2, binary."""
    import numpy as np

    tags, out = {}, [b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n"]
    kinds = [(3, 4, "tetrahedra", "regions"), (2, 2, "triangles", "surfaces")]
    for dimension, _, _, groups in kinds:
        for name in names.get(groups, ()):
            tags[groups, name] = dimension, len(tags) + 1
    lines = "".join(f'{dimension} {tag} "{name}"\n' for (_, name), (dimension, tag) in tags.items())
    out.append(f"$PhysicalNames\n{len(tags)}\n{lines}$EndPhysicalNames\n".encode())
    nodes = arrays["nodes"]
    table = np.empty(len(nodes), [("number", "<i4"), ("place", "<f8", 3)])
    table["number"], table["place"] = np.arange(1, len(nodes) + 1), nodes
    out.append(f"$Nodes\n{len(nodes)}\n".encode() + table.tobytes() + b"\n$EndNodes\n")
    elements, first = [], 1
    for dimension, kind, cells, groups in kinds:
        if cells not in arrays:
            continue
        corners = arrays[cells]
        group = np.array([tags[groups, name][1] for name in names[groups]], "<i4")[arrays[groups]]
        rows = np.column_stack([np.arange(first, first + len(corners)), group, group, corners + 1]).astype("<i4")
        elements.append(struct.pack("<3i", kind, len(corners), 2) + rows.tobytes())
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
_files = {".csv": _csv(""), ".nk.csv": _csv("wavelength (um),n,k\n"), ".npy": _npy, ".png": _png, ".obj": _obj, ".msh": _msh}
