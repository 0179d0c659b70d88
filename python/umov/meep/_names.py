"""Numbers that name components, directions, sides and parities, as scripts for Meep have them, and vectors."""

import math

inf = 1e20

# Components of fields. Derived ones (Poynting's vector, energies) are names of their own.
Ex, Ey, Er, Ep, Ez, Hx, Hy, Hr, Hp, Hz = range(10)
Dx, Dy, Dr, Dp, Dz, Bx, By, Br, Bp, Bz = range(10, 20)
Dielectric, Permeability = 20, 21
ALL_COMPONENTS = Dielectric
Sx, Sy, Sr, Sp, Sz, EnergyDensity, D_EnergyDensity, H_EnergyDensity = range(100, 108)
X, Y, Z, R, P, NO_DIRECTION = range(6)
AUTOMATIC = ALL = ALL_SIDES = ALL_DIRECTIONS = -1
High, Low = 0, 1
Periodic, Metallic, Magnetic = 0, 1, 2
CYLINDRICAL = -2
NO_PARITY, EVEN_Z, ODD_Z, EVEN_Y, ODD_Y = 0, 1, 2, 4, 8
TE, TM = EVEN_Z, ODD_Z

CARTESIAN = {Ex: "Ex", Ey: "Ey", Ez: "Ez", Hx: "Hx", Hy: "Hy", Hz: "Hz", Dx: "Dx", Dy: "Dy", Dz: "Dz", Bx: "Bx", By: "By",
             Bz: "Bz", Sx: "Sx", Sy: "Sy", Sz: "Sz", Dielectric: "Dielectric", Permeability: "Permeability",
             EnergyDensity: "EnergyDensity", D_EnergyDensity: "D_EnergyDensity", H_EnergyDensity: "H_EnergyDensity"}
_file_words = {Dielectric: "eps", Permeability: "mu", EnergyDensity: "energy", D_EnergyDensity: "denergy",
               H_EnergyDensity: "henergy"}


def component_name(component):
    """"ez" of Ez, "eps" of Dielectric."""
    if component in _file_words:
        return _file_words[component]
    return CARTESIAN[component].lower()


def direction_name(direction):
    return "xyzrp"[direction]


def component_direction(component):
    """X, Y or Z of a component."""
    return "xyz".index(CARTESIAN[component][1])


class Vector3:
    """Three numbers, x, y and z."""

    __slots__ = ("x", "y", "z")

    def __init__(self, x=0.0, y=0.0, z=0.0):
        self.x, self.y, self.z = [float(v) if type(v) is int else v for v in (x, y, z)]

    def __iter__(self):
        return iter((self.x, self.y, self.z))

    def __getitem__(self, i):
        return (self.x, self.y, self.z)[i]

    def __eq__(self, other):
        return isinstance(other, Vector3) and tuple(self) == tuple(other)

    def __hash__(self):
        return hash(tuple(self))

    def __add__(self, other):
        if not isinstance(other, Vector3):
            other = Vector3(other, other, other)
        return Vector3(self.x + other.x, self.y + other.y, self.z + other.z)

    __radd__ = __add__

    def __neg__(self):
        return Vector3(-self.x, -self.y, -self.z)

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        """The dot product with a vector, or this vector times a number."""
        return self.dot(other) if isinstance(other, Vector3) else self.scale(other)

    def __rmul__(self, other):
        return self.scale(other)

    def __truediv__(self, other):
        if isinstance(other, Vector3):
            return Vector3(self.x / other.x, self.y / other.y, self.z / other.z)
        return self.scale(1 / other)

    def __abs__(self):
        return self.norm()

    def dot(self, v):
        return self.x * v.x + self.y * v.y + self.z * v.z

    def cdot(self, v):
        return self.conj().dot(v)

    def conj(self):
        return Vector3(*[v.conjugate() for v in self])

    def cross(self, v):
        return Vector3(self.y * v.z - self.z * v.y, self.z * v.x - self.x * v.z, self.x * v.y - self.y * v.x)

    def norm(self):
        return math.sqrt(sum(abs(v) ** 2 for v in self))

    def scale(self, s):
        return Vector3(self.x * s, self.y * s, self.z * s)

    def unit(self):
        return self.scale(1 / self.norm())

    def close(self, v, tol=1.0e-7):
        return all(abs(a - b) <= tol for a, b in zip(self, v))

    def rotate(self, axis, theta):
        """Turned about an axis by theta radians."""
        u = axis.unit()
        return (self.scale(math.cos(theta)) + u.cross(self).scale(math.sin(theta))
                + u.scale(u.dot(self) * (1 - math.cos(theta))))

    def __repr__(self):
        return f"Vector3<{self.x}, {self.y}, {self.z}>"

    __str__ = __repr__


def vector(value, name="a vector"):
    """A Vector3 of a Vector3 or up to three numbers."""
    if isinstance(value, Vector3):
        return value
    if hasattr(value, "__iter__"):
        return Vector3(*value)
    raise TypeError(f"{name} is a Vector3 or a tuple of numbers, not {type(value).__name__}")


class Volume:
    """A box, plane, line or point: center and size, or its vertices' bounds."""

    def __init__(self, center=Vector3(), size=Vector3(), dims=2, is_cylindrical=False, vertices=()):
        if vertices:
            corners = [vector(v) for v in vertices]
            low, high = [Vector3(*(f(axis) for axis in zip(*corners))) for f in (min, max)]
            center, size = (low + high).scale(0.5), high - low
        self.center, self.size, self.dims, self.is_cylindrical = vector(center), vector(size), dims, is_cylindrical


class FreqRange:
    def __init__(self, min=-inf, max=inf):
        self.min, self.max = min, max


def interpolate(n, nums):
    """The numbers, or vectors, with n more between each two."""
    between = []
    for low, high in zip(nums[:-1], nums[1:]):
        between += [low + (high - low) * (i / (n + 1)) for i in range(n + 1)]
    return [*between, nums[-1]]
