"""Fields and permittivities as arrays and at points, and integrals of them, at the time a run has come to."""

import math

import numpy as np

from ._frame import Nodes
from ._names import (CARTESIAN, D_EnergyDensity, Dielectric, EnergyDensity, H_EnergyDensity, Permeability, Sx, Sy, Sz,
                     Vector3, Volume, vector)
from ._refusals import cylindrical, refuse


def region(vol, center, size, whole):
    """(center, size) of a volume, of both, or of the whole cell."""
    if vol is not None:
        return vol.center, vol.size
    if center is None and size is None:
        return Vector3(), whole
    return vector(center if center is not None else Vector3()), vector(size if size is not None else Vector3())


def _component(result, own, whole):
    """A component of the case; whole: the fields in space."""
    if own in whole:
        return whole[own]
    voxels = result["voxels"]
    return np.asarray(voxels[own] if own in voxels else np.asarray(voxels[own + "_re"], float)
                      + 1j * np.asarray(voxels[own + "_im"], float))


class Arrays:
    def pixels(self, center, size):
        """The pixels of arrays of a region."""
        return Nodes(self.frame, center, size, half=True,
                     repeated=[a for a in range(self.frame.dimensions) if a not in self.frame.thin and self.repeats(a)])

    # media at points

    def epsilon_at(self, points, frequency):
        """Permittivities along x, y, z at points [n][3] of the cell: complex, [n][3]."""
        return self._at(points, lambda m: m.epsilon_along(frequency))

    def mu_at(self, points):
        return self._at(points, lambda m: np.array(list(m.mu_diag), complex)).real

    def _at(self, points, of_medium):
        found = np.tile(of_medium(self.default_material), (len(points), 1))
        k = self.wave_vector()
        shifts = [np.zeros(3)]
        if k is not None:  # bodies go on across the walls of a period
            for m in range(3):
                if self.layer_thickness(m, 0) == 0 and self.frame.axis(m) is not None and \
                        self.frame.axis(m) not in self.frame.thin:
                    step = np.zeros(3)
                    step[m] = self.frame.cells[self.frame.axis(m)] * self.frame.dx
                    shifts = [s + q for s in shifts for q in (0 * step, step, -step)]
        for body in self.geometry:
            inside = np.zeros(len(points), bool)
            for s in shifts:
                inside |= body.contains(points + s)
            found[inside] = of_medium(body.material)
        return found

    def get_epsilon_point(self, pt=None, frequency=0.0):
        """The mean of the permittivities along x, y and z, without averaging over pixels."""
        return complex(self.epsilon_at(np.array([list(vector(pt))]), frequency)[0].mean())

    def get_mu_point(self, pt=None, frequency=0.0):
        return complex(self.mu_at(np.array([list(vector(pt))]))[0].mean())

    def get_epsilon_grid(self, xtics=None, ytics=None, ztics=None, frequency=0.0):
        x, y, z = np.meshgrid(*[np.atleast_1d(t) for t in (xtics, ytics, ztics)], indexing="ij")
        found = self.epsilon_at(np.stack([x.ravel(), y.ravel(), z.ravel()], 1), frequency).mean(1)
        found = found.real if not np.iscomplexobj(found) or abs(found.imag).max() == 0 else found
        return np.squeeze(found.reshape(x.shape))

    # fields

    def _field(self, name):
        """A component by Meep's name on the whole domain: [z][y][x] of the case, at its own points; complex where fields
        are."""
        if name in self._samples:
            return self._samples[name]
        frame = self.frame
        own, sign = frame.component(name)
        if self._moment is not None and not self.in_two_runs():
            found = np.asarray(self._moment[own]) * sign
        elif (result := self.result()) is None:
            found = np.zeros(frame.cells[::-1] if frame.dimensions == 3 else
                             [1] * (3 - frame.dimensions) + frame.cells[::-1])
        else:
            found = _component(result, own, self._whole) * sign
            if (imaginary := self.imaginary()) is not None:
                found = found + 1j * sign * _component(imaginary, own, self._imaginary.whole)
        for a in range(frame.dimensions):
            found = self._unfolded(found, name, a)
        self._samples[name] = found
        return found

    def _unfolded(self, found, name, a):
        """With the half that a mirror stands for."""
        frame, axis = self.frame, 2 - a
        mirror = self.mirrors().get(frame.axes[a])
        if mirror is None or a in frame.thin or found.shape[axis] == frame.cells[a]:
            return found
        along = name[1] == "xyz"[frame.axes[a]]
        sign = (1 if mirror.even() else -1) * (-1 if along == (name[0] == "E") else 1)
        image = np.flip(found, axis) * sign
        if frame.offset(name)[a] == 0:  # a plane of points on the mirror; the image of the last one beyond is the wall's
            rest = np.take(image, range(image.shape[axis] - 1), axis)
            wall = np.zeros_like(np.take(image, [0], axis))
            return np.concatenate([wall, rest, found], axis)
        return np.concatenate([image, found], axis)

    def _values(self, name, points):
        """A component interpolated linearly to points [n][3] of the cell."""
        frame = self.frame
        if not frame.has(name):
            return np.zeros(len(points))
        data, offset = self._field(name), frame.offset(name)
        found, parts = 0, []
        for a in range(3):
            if a >= frame.dimensions or a in frame.thin:
                parts.append([(np.zeros(len(points), int), np.ones(len(points)), 0)])
                continue
            at = frame.signs[a] * points[:, frame.axes[a]] * frame.resolution - frame.low[a] - offset[a]
            low = np.floor(at + 1e-9).astype(int)
            share = np.clip(at - low, 0, 1)
            parts.append([(low, 1 - share, 0), (low + 1, share, 1)])
        for x, wx, _ in parts[0]:
            for y, wy, _ in parts[1]:
                for z, wz, _ in parts[2]:
                    weight, index = wx * wy * wz, []
                    factor = np.ones(len(points), complex if frame.complex_fields else float)
                    for a, i in enumerate((x, y, z)):
                        n = data.shape[2 - a]
                        if a < frame.dimensions and self.repeats(a) and a not in frame.thin:
                            turns, i = np.divmod(i, n)
                            if frame.complex_fields:
                                factor = factor * np.exp(2j * math.pi * self.along(a) * turns * n * frame.dx)
                        weight = np.where((i < 0) | (i >= n), 0, weight)
                        index.append(np.clip(i, 0, n - 1))
                    found = found + data[index[2], index[1], index[0]] * weight * factor
        return found

    def _quantity(self, c, points, frequency=0.0):
        """Any component, density or medium at points."""
        if callable(c):
            raise TypeError("a component is a number as mp.Ez")
        if isinstance(c, str):
            raise TypeError(f"a component is a number, not {c!r}; write mp.{c}")
        if c == Dielectric:
            return self._smooth_epsilon(points, frequency)
        if c == Permeability:
            return self.mu_at(points).mean(1)
        if c not in CARTESIAN:
            cylindrical("components along r and phi")
        name = CARTESIAN[c]
        if name[0] == "D" and len(name) == 2:
            return self._values("E" + name[1], points) * self.epsilon_at(points, 0)[:, "xyz".index(name[1])].real
        if name[0] == "B":
            return self._values("H" + name[1], points) * self.mu_at(points)[:, "xyz".index(name[1])]
        if c in (Sx, Sy, Sz):
            t, u = "yzx"["xyz".index(name[1])], "zxy"["xyz".index(name[1])]
            E, H = [{x: self._values(letter + x, points) for x in (t, u)} for letter in "EH"]
            return (np.conj(E[t]) * H[u] - np.conj(E[u]) * H[t]).real
        if c in (EnergyDensity, D_EnergyDensity, H_EnergyDensity):
            total = np.zeros(len(points))
            if c != H_EnergyDensity:
                eps = self.epsilon_at(points, 0).real
                total += sum(abs(self._values("E" + x, points)) ** 2 * eps[:, i] for i, x in enumerate("xyz")) / 2
            if c != D_EnergyDensity:
                mu = self.mu_at(points)
                total += sum(abs(self._values("H" + x, points)) ** 2 * mu[:, i] for i, x in enumerate("xyz")) / 2
            return total
        return self._values(name, points)

    def _smooth_epsilon(self, points, frequency):
        """The harmonic mean over the axes of the permittivity's mean in a pixel, as Meep draws it."""
        frame, parts = self.frame, 4
        if not self.eps_averaging:
            eps = self.epsilon_at(points, frequency)
        else:
            shares = (np.arange(parts) + 0.5) / parts - 0.5
            axes = [m for m in range(3) if frame.axis(m) is not None and frame.axis(m) not in frame.thin]
            eps, count = 0, 0
            for index in np.ndindex(*[parts] * len(axes)):
                moved = points.copy()
                for m, i in zip(axes, index):
                    moved[:, m] += shares[i] * frame.dx
                eps = eps + self.epsilon_at(moved, frequency)
                count += 1
            eps = eps / count
        found = 3 / (1 / eps).sum(1)
        return found.real if abs(found.imag).max() == 0 else found

    def get_field_point(self, c=None, pt=None):
        return complex(self._quantity(c, np.array([list(vector(pt))], float))[0])

    def meep_order(self, values, nodes, dropped):
        """[z][y][x] of the case as [x][y][z] of the cell, without dropped axes and those that are not there."""
        frame = self.frame
        kept = [a for a in range(3) if a < frame.dimensions and a not in frame.thin and not dropped[a]]
        for a in kept:
            if frame.signs[a] < 0:
                values = np.flip(values, 2 - a)
        order = sorted(kept, key=lambda a: frame.axes[a])
        rest = [a for a in range(3) if a not in kept]
        moved = np.transpose(values, [2 - a for a in order] + [2 - a for a in rest])
        return np.ascontiguousarray(moved.reshape(moved.shape[:len(order)]))

    def get_array(self, first=None, vol=None, center=None, size=None, cmplx=None, arr=None, frequency=0, snap=False, *,
                  component=None):
        """A component (the first argument, or by its name) on the pixels of a volume: [x][y][z], without the axes along which
        it has no size."""
        from ._dft import DftObj

        if isinstance(first, Volume):
            vol = first
        elif first is not None:
            component = first
        if component is None:
            raise ValueError("get_array needs a component; give it")
        if isinstance(component, DftObj):
            refuse("get_array of a monitor", "write get_dft_array")
        center, size = region(vol, center, size, self.cell_size)
        pixels = self.pixels(center, size)
        points = pixels.points().reshape(-1, 3) + self._middle_shift(pixels)
        found = np.asarray(self._quantity(component, points, frequency)).reshape(pixels.count[::-1])
        for a in range(self.frame.dimensions):
            if not pixels.extended[a] and a not in self.frame.thin:
                found = np.expand_dims(np.tensordot(found, pixels.weights[a], (2 - a, 0)), 2 - a)
        found = self.meep_order(found, pixels, [not e for e in pixels.extended])
        if np.iscomplexobj(found) and not (cmplx or not self.using_real_fields()):
            found = found.real
        if cmplx:
            found = found.astype(complex)
        if arr is not None:
            arr[...] = found
            return arr
        return found

    def _middle_shift(self, pixels):
        """From the corners of pixels to their middles; of thin axes to the node."""
        shift = np.zeros(3)
        for a in range(self.frame.dimensions):
            if a not in self.frame.thin:
                shift[self.frame.axes[a]] = self.frame.signs[a] * self.frame.dx / 2
        return shift

    def get_array_metadata(self, vol=None, center=None, size=None, dft_cell=None, return_pw=False):
        """(x, y, z, weights): places of the pixels of get_array, and weights of which sums are integrals."""
        if dft_cell is not None:
            center, size = dft_cell.regions[0].center, dft_cell.regions[0].size
        center, size = region(vol, center, size, self.cell_size)
        frame, pixels = self.frame, self.pixels(center, size)
        places, weights = [], []
        for m in range(3):
            a = frame.axis(m)
            if a is None or a in frame.thin or not pixels.extended[a]:
                places.append(np.array([center[m] if a is not None and a not in frame.thin else 0.0]))
                weights.append(np.ones(1))
            else:
                at = frame.signs[a] * pixels.places(a, half=True)
                places.append(np.sort(at))
                weights.append(pixels.weights[a][np.argsort(at)])
        w = weights[0][:, None, None] * weights[1][None, :, None] * weights[2][None, None, :]
        w = w.reshape([n for n in w.shape if n > 1] or [1])
        if return_pw:
            grid = np.meshgrid(*places, indexing="ij")
            return [Vector3(*p) for p in np.stack([g.ravel() for g in grid], 1)], w.ravel()
        return (*places, w)

    def get_array_slice_dimensions(self, component, vol=None, center=None, size=None):
        found = self.get_array(component, vol, center, size)
        return [*found.shape], Vector3(), Vector3()

    def get_epsilon(self, frequency=0, snap=False):
        return self.get_array(Dielectric, frequency=frequency)

    def get_mu(self, frequency=0, snap=False):
        return self.get_array(Permeability)

    # integrals

    def _pixels(self, box, center, size):
        center, size = region(box, center, size, self.cell_size)
        pixels = self.pixels(center, size)
        return pixels.points().reshape(-1, 3) + self._middle_shift(pixels), pixels.weight().ravel()

    def integrate_field_function(self, cs, func, where=None, center=None, size=None):
        """Of func(place, fields of cs ...) over a volume."""
        points, weight = self._pixels(where, center, size)
        values = [np.asarray(self._quantity(c, points)) for c in cs]
        return sum(w * func(Vector3(*p), *(complex(v[i]) for v in values))
                   for i, (p, w) in enumerate(zip(points, weight)))

    def integrate2_field_function(self, fields2, cs1, cs2, func, where=None, center=None, size=None):
        """Of func(place, fields of cs1 ..., those of cs2 in fields2 ...): another simulation of the same cell, or sim.fields
        taken before reset_meep()."""
        points, weight = self._pixels(where, center, size)
        values = [np.asarray(self._quantity(c, points)) for c in cs1]
        other = getattr(fields2, "quantity", None) or fields2._quantity
        values += [np.asarray(other(c, points)) for c in cs2]
        return sum(w * func(Vector3(*p), *(complex(v[i]) for v in values))
                   for i, (p, w) in enumerate(zip(points, weight)))

    def max_abs_field_function(self, cs, func, where=None, center=None, size=None):
        points, _ = self._pixels(where, center, size)
        values = [np.asarray(self._quantity(c, points)) for c in cs]
        return max(abs(func(Vector3(*p), *(complex(v[i]) for v in values))) for i, p in enumerate(points))

    def _integral(self, c, box, center, size):
        points, weight = self._pixels(box, center, size)
        return float((np.asarray(self._quantity(c, points)).real * weight).sum())

    def field_energy_in_box(self, box=None, center=None, size=None):
        return self._integral(EnergyDensity, box, center, size)

    def electric_energy_in_box(self, box=None, center=None, size=None):
        return self._integral(D_EnergyDensity, box, center, size)

    def magnetic_energy_in_box(self, box=None, center=None, size=None):
        return self._integral(H_EnergyDensity, box, center, size)

    def flux_in_box(self, d, box=None, center=None, size=None):
        return self._integral((Sx, Sy, Sz)[d], box, center, size)

    def modal_volume_in_box(self, box=None, center=None, size=None):
        points, weight = self._pixels(box, center, size)
        density = np.asarray(self._quantity(D_EnergyDensity, points))
        return float((density * weight).sum() / density.max())


def _getter(component):
    def get(self, snap=False):
        return self.get_array(component)
    return get


for _c, _name in CARTESIAN.items():
    if len(_name) == 2 and _name[0] in "EHDB":
        setattr(Arrays, f"get_{_name[0].lower()}field_{_name[1]}", _getter(_c))
for _c, _name in ((Sx, "x"), (Sy, "y"), (Sz, "z")):
    setattr(Arrays, f"get_sfield_{_name}", _getter(_c))
Arrays.get_tot_pwr, Arrays.get_dpwr, Arrays.get_hpwr = map(_getter, (EnergyDensity, D_EnergyDensity, H_EnergyDensity))
for _letter in "ehdbs":
    def _all(self, snap=False, letter=_letter):
        return np.stack([getattr(self, f"get_{letter}field_{x}")() for x in "xyz"], -1)
    setattr(Arrays, f"get_{_letter}field", _all)
