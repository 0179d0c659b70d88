"""Bodies as scripts for Meep write them, and as bodies of a case."""

import math
import os

import numpy as np

from ._media import Medium, medium
from ._names import Vector3, inf, vector
from ._refusals import refuse

_polygon = 96  # sides of a cone's and corners of a wedge's whole circle


def _finite(length, reach):
    """A length, or one that reaches beyond the cell."""
    return length if abs(length) < inf / 10 else 4 * reach


class GeometricObject:
    """A body: material and center; later ones cover earlier ones."""

    def __init__(self, material=None, center=Vector3(), epsilon_func=None):
        if callable(epsilon_func) or (callable(material) and not isinstance(material, Medium)):
            refuse("a body whose medium is a function", "write bodies of one Medium each")
        self.material, self.center = Medium() if material is None else medium(material), vector(center)

    def shift(self, vec):
        """The body, moved by a vector."""
        import copy

        moved = copy.copy(self)
        moved.center = self.center + vec
        if isinstance(self, Prism):
            moved.vertices = [v + vec for v in self.vertices]
        return moved

    def __add__(self, vec):
        return self.shift(vec)

    __radd__ = __add__

    def __contains__(self, point):
        return bool(self.contains(np.array([list(vector(point))]))[0])

    def contains(self, points):
        """Which of points [n][3] lie in the body."""
        return self.inside(points - np.array(list(self.center)))


def _length(value, name, body):
    """A length that is not negative, as a float."""
    if not float(value) >= 0:
        raise ValueError(f"a {body} with a {name} of {value}; give 0 or above")
    return float(value)


def _axis(v):
    v = np.array(list(vector(v)), float)
    return v / np.linalg.norm(v)


class Sphere(GeometricObject):
    def __init__(self, radius, **keywords):
        super().__init__(**keywords)
        self.radius = _length(radius, "radius", "Sphere")

    def inside(self, r):
        return (r * r).sum(1) <= self.radius**2

    def body(self, frame):
        radius = self.radius
        away = frame.out_of_plane(self.center)
        if abs(away) >= radius:
            return None
        return {"shape": "sphere", "center": frame.place(self.center), "radius": math.sqrt(radius**2 - away**2)}


class Cylinder(GeometricObject):
    def __init__(self, radius, axis=Vector3(0, 0, 1), height=inf, **keywords):
        super().__init__(**keywords)
        body = type(self).__name__
        self.radius, self.axis = _length(radius, "radius", body), vector(axis)
        self.height = _length(height, "height", body)

    def inside(self, r):
        along = r @ _axis(self.axis)
        return (np.abs(along) <= self.height / 2) & ((r * r).sum(1) - along**2 <= self.radius**2)

    def body(self, frame):
        axis = _axis(self.axis)
        if frame.flat and frame.dimensions == 2:
            away = frame.out_of_plane(self.center)
            if abs(axis[2]) > 1 - 1e-9:
                if abs(away) > self.height / 2:
                    return None
                return {"shape": "cylinder", "center": frame.place(self.center), "radius": self.radius}
            if abs(axis[2]) < 1e-9:
                if abs(away) >= self.radius:
                    return None
                width = 2 * math.sqrt(self.radius**2 - away**2)
                across = Vector3(-axis[1], axis[0], 0)
                return Block(Vector3(self.height, width, inf), e1=self.axis, e2=across, center=self.center).body(frame)
            refuse("a cylinder whose axis is neither in the plane of a flat cell nor across it", "write Ellipsoid or Prism")
        found = {"shape": "cylinder", "center": frame.place(self.center), "radius": self.radius,
                 "axis": frame.turned(self.axis)}
        if self.height < inf / 10:
            found["height"] = self.height
        return found


class Wedge(Cylinder):
    """The part of a cylinder from wedge_start, an angle (rad) on about the axis."""

    def __init__(self, radius, wedge_angle=2 * math.pi, wedge_start=Vector3(1, 0, 0), **keywords):
        super().__init__(radius, **keywords)
        self.wedge_angle, self.wedge_start = wedge_angle, vector(wedge_start)

    def _directions(self):
        axis = _axis(self.axis)
        start = np.array(list(self.wedge_start), float)
        start = start - axis * (start @ axis)
        start /= np.linalg.norm(start)
        return axis, start, np.cross(axis, start)

    def inside(self, r):
        _, start, side = self._directions()
        angle = np.arctan2(r @ side, r @ start) % (2 * math.pi)
        return super().inside(r) & (angle <= self.wedge_angle)

    def body(self, frame):
        if self.wedge_angle >= 2 * math.pi:
            return super().body(frame)
        axis, start, side = self._directions()
        count = max(3, math.ceil(_polygon * self.wedge_angle / (2 * math.pi)))
        step = self.wedge_angle / count
        radius = self.radius * math.sqrt(step / math.sin(step))  # the sector's area is the wedge's
        angles = np.arange(count + 1) * step
        rim = radius * (np.outer(np.cos(angles), start) + np.outer(np.sin(angles), side))
        middle = np.array(list(self.center))
        below = -axis * _finite(self.height, frame.reach) / 2
        vertices = [Vector3(*(middle + below + p)) for p in [np.zeros(3), *rim]]
        return Prism(vertices, self.height, axis=self.axis).body(frame)


class Cone(Cylinder):
    """From radius at the lower end of its axis to radius2 at the upper one."""

    def __init__(self, radius, radius2=0, **keywords):
        super().__init__(radius, **keywords)
        self.radius2 = _length(radius2, "radius2", "Cone")

    def inside(self, r):
        along = r @ _axis(self.axis)
        radius = self.radius + (self.radius2 - self.radius) * (along / self.height + 0.5)
        return (np.abs(along) <= self.height / 2) & ((r * r).sum(1) - along**2 <= radius**2)

    def body(self, frame):
        axis = _axis(self.axis)
        if self.height > inf / 10:
            return Cylinder((self.radius + self.radius2) / 2, axis=self.axis, center=self.center).body(frame)
        if frame.flat:
            if frame.dimensions == 1 or abs(axis[2]) < 1 - 1e-9:
                refuse("a cone in a flat cell whose axis is not across it", "write Prism")
            along = -frame.out_of_plane(self.center) * np.sign(axis[2]) / self.height
            if abs(along) > 0.5:
                return None
            radius = self.radius + (self.radius2 - self.radius) * (along + 0.5)
            return Cylinder(radius, center=self.center).body(frame)
        return {"shape": "mesh", "center": frame.place(self.center), "file": frame.file(self._mesh(frame), ".obj")}

    def _mesh(self, frame):
        axis = _axis(frame.turned(self.axis))
        side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        side /= np.linalg.norm(side)
        angles = 2 * math.pi * np.arange(_polygon) / _polygon
        circle = np.outer(np.cos(angles), side) + np.outer(np.sin(angles), np.cross(axis, side))
        circle *= math.sqrt(2 * math.pi / _polygon / math.sin(2 * math.pi / _polygon))
        ends = [(-self.height / 2, self.radius), (self.height / 2, self.radius2)]
        points, rings, faces = [], [], []
        for along, radius in ends:
            middle = len(points)
            points.append(axis * along)
            if radius > 0:
                points += list(axis * along + radius * circle)
            rings.append((middle, [middle + 1 + i if radius > 0 else middle for i in range(_polygon)]))
        for i in range(_polygon):
            j = (i + 1) % _polygon
            (low, below), (high, above) = rings
            faces += [(low, below[j], below[i]), (high, above[i], above[j]), (below[i], below[j], above[j]),
                      (below[i], above[j], above[i])]
        lines = [f"v {x:.12g} {y:.12g} {z:.12g}" for x, y, z in points]
        lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces if len(set(face)) == 3]
        return "\n".join(lines) + "\n"


class Block(GeometricObject):
    """A box of a size along e1, e2 and e3."""

    def __init__(self, size, e1=Vector3(1, 0, 0), e2=Vector3(0, 1, 0), e3=Vector3(0, 0, 1), **keywords):
        super().__init__(**keywords)
        self.size, self.e1, self.e2, self.e3 = vector(size), vector(e1), vector(e2), vector(e3)

    def _edges(self):
        return np.array([_axis(e) for e in (self.e1, self.e2, self.e3)])

    def _local(self, r):
        return np.linalg.solve(self._edges().T, r.T).T

    def inside(self, r):
        return (np.abs(self._local(r)) <= np.array(list(self.size)) / 2 + 1e-12).all(1)

    def body(self, frame):
        edges, size = self._edges(), list(self.size)
        straight = [int(np.argmax(np.abs(e))) for e in edges]
        if np.abs(edges).max(1).min() > 1 - 1e-9 and len(set(straight)) == 3:
            along = [0.0] * 3
            for axis, length in zip(straight, size):
                along[axis] = length
            for axis in frame.missing:
                if abs(self.center[axis]) > along[axis] / 2 and along[axis] < inf / 10:
                    return None
            return {"shape": "box", "center": frame.place(self.center), "size": frame.extent(Vector3(*along))}
        for upright in (2, 0, 1):
            others = [i for i in range(3) if i != upright]
            if all(abs(edges[upright] @ edges[i]) < 1e-9 for i in others):
                break
        else:
            refuse("a Block whose three edges are all at a slant to each other", "write a Prism of its base")
        lengths = [_finite(s, frame.reach) for s in size]
        middle = np.array(list(self.center)) - edges[upright] * lengths[upright] / 2
        u, v = [edges[i] * lengths[i] / 2 for i in others]
        corners = [Vector3(*(middle + s * u + t * v)) for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return Prism(corners, size[upright], axis=Vector3(*edges[upright])).body(frame)


class Ellipsoid(Block):
    """An ellipsoid of diameters size along e1, e2 and e3."""

    def __init__(self, **keywords):
        super().__init__(**keywords)

    def inside(self, r):
        return ((self._local(r) / (np.array(list(self.size)) / 2)) ** 2).sum(1) <= 1

    def body(self, frame):
        edges, size = self._edges(), list(self.size)
        if abs(edges[2][2]) < 1 - 1e-9 or abs(edges[0] @ edges[1]) > 1e-9:
            refuse("an Ellipsoid turned about another axis than z", "write its size along x, y and z, or turn it about z")
        if frame.flat and size[2] < inf / 10:
            share = 1 - (2 * frame.out_of_plane(self.center) / size[2]) ** 2
            if share <= 0:
                return None
            size = [s * math.sqrt(share) for s in size]
        found = {"shape": "ellipsoid", "center": frame.place(self.center), "size": frame.extent(Vector3(*size))}
        angle = math.degrees(math.atan2(edges[0][1], edges[0][0])) % 180
        if min(angle, 180 - angle) > 1e-9:
            found["rotation"] = angle
        return found


class Prism(GeometricObject):
    """A polygon of vertices, in the plane of its base, and a height along an axis; center moves its middle there."""

    def __init__(self, vertices, height, axis=Vector3(0, 0, 1), center=None, sidewall_angle=0, **keywords):
        super().__init__(**keywords)
        self.axis, self.height, self.sidewall_angle = vector(axis), float(height), sidewall_angle
        if sidewall_angle:
            refuse("sidewall_angle", "write a layout for umov.fdtd, whose layers have a side_angle, or a stack of prisms")
        self.vertices = [vector(v) for v in vertices]
        if len(self.vertices) < 3:
            raise ValueError(f"a Prism of {len(self.vertices)} vertices; give three or more")
        middle = self._middle()
        if center is not None:
            center = vector(center)
            self.vertices = [v + (center - middle) for v in self.vertices]
            middle = center
        self.center = middle

    def _middle(self):
        """The centroid of the base, half the height along the axis."""
        turn = turn_from_z(_axis(self.axis))
        p = np.array([list(v) for v in self.vertices]) @ turn  # in the base's own axes
        x, y = p[:, 0] - p[0, 0], p[:, 1] - p[0, 1]
        cross = x * np.roll(y, -1) - np.roll(x, -1) * y
        area = cross.sum() / 2
        if abs(area) > 0:
            middle = np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]) / (6 * area)
        else:
            middle = np.array([x.mean(), y.mean()])
        up = self.height / 2 if self.height < inf / 10 else 0
        return Vector3(*(turn @ np.array([middle[0] + p[0, 0], middle[1] + p[0, 1], p[0, 2] + up])))

    def inside(self, r):
        turn = turn_from_z(_axis(self.axis))
        middle = np.array(list(self.center))
        q, p = r @ turn, (np.array([list(v) for v in self.vertices]) - middle) @ turn
        odd = np.zeros(len(q), bool)
        for (x0, y0), (x1, y1) in zip(p[:, :2], np.roll(p[:, :2], -1, 0)):
            crosses = (y0 > q[:, 1]) != (y1 > q[:, 1])
            with np.errstate(divide="ignore", invalid="ignore"):
                odd ^= crosses & (q[:, 0] < x0 + (q[:, 1] - y0) / (y1 - y0) * (x1 - x0))
        return odd & (np.abs(q[:, 2]) <= self.height / 2)

    def body(self, frame):
        axis = np.array(frame.turned(self.axis), float)
        axis /= np.linalg.norm(axis)
        endless = self.height > inf / 10
        if frame.flat and frame.dimensions == 1:
            refuse("a Prism in one dimension", "write Block")
        if frame.flat:
            if abs(axis[2]) < 1 - 1e-9:
                refuse("a Prism in a flat cell whose axis is not across it", "write the outline of its cut as a Prism along z")
            if not endless and abs(frame.out_of_plane(self.center)) > self.height / 2:
                return None
            endless = True
        turn = turn_from_z(axis)
        middle = np.array(frame.turned(self.center), float)
        corners = (np.array([frame.turned(v) for v in self.vertices]) - middle) @ turn
        found = {"shape": "prism", "center": frame.place(self.center), "vertices": corners[:, :2].tolist(),
                 "axis": axis.tolist()}
        if not endless:
            found["height"] = self.height
        return found


def turn_from_z(axis):
    """The shortest turn that takes z to a unit vector, as a matrix; about x where they are opposite."""
    x, y, z = axis
    if z < -1 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    cross = np.array([[0, 0, x], [0, 0, y], [-x, -y, 0]])
    return np.eye(3) + cross + cross @ cross / (1 + z)


def geometric_objects_duplicates(shift_vector, min_multiple, max_multiple, objects):
    """The bodies, moved by min_multiple to max_multiple times a vector."""
    return [body.shift(shift_vector.scale(k)) for body in objects for k in range(min_multiple, max_multiple + 1)]


def geometric_object_duplicates(shift_vector, min_multiple, max_multiple, body):
    return geometric_objects_duplicates(shift_vector, min_multiple, max_multiple, [body])


def write_file(folder, text, ending):
    """A file of that text in a folder, the same for the same text; returns its path."""
    import hashlib

    path = os.path.join(folder, hashlib.sha256(text.encode()).hexdigest()[:16] + ending)
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
    return path
