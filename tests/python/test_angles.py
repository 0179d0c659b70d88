"""One angle over a band, out of runs of fixed wave vectors: a slab against Airy's formulas over an octave."""

import umov
from support import Test, np

INDEX, THICKNESS = 1.5, 0.5
EVERYWHERE = float("inf")


def slab(polarization, resolution=30, **more):
    return umov.fdtd.case(
        domain={"size": [3.4, 2 / resolution], "resolution": resolution, "polarization": polarization},
        boundary={"x": "pml", "y": "bloch"}, machine={"backend": "cpu"}, run={"normalize": True},
        material=[{"name": "glass", "index": INDEX}], body=[{"material": "glass", "size": [THICKNESS, 0]}],
        source=[{"kind": "plane_wave", "waveform": "gaussian", "frequency": 1}],
        monitor=[{"kind": "flux", "name": name, "center": [x, 0], "size": [0, EVERYWHERE], "frequencies": [1]}
                 for name, x in (("before", -0.6), ("behind", 0.8))], **more)


def airy(frequency, degrees, te, index=INDEX):
    """R of the slab in vacuum; te: H along the layers' other axis, so E in the plane of incidence."""
    cosine = np.cos(np.radians(degrees))
    inside = np.sqrt(1 - (np.sin(np.radians(degrees)) / index) ** 2)
    r = (index * cosine - inside) / (index * cosine + inside) if te else (cosine - index * inside) / (cosine + index * inside)
    turn = np.exp(4j * np.pi * frequency * index * THICKNESS * inside)
    return np.abs(r * (1 - turn) / (1 - r**2 * turn)) ** 2


class FixedAngle(Test):
    def test_a_slab_at_an_angle_over_an_octave(self):
        frequency = np.linspace(0.7, 1.4, 8)
        for degrees in (30, 60):
            for polarization in ("tm", "te"):
                found = umov.fixed_angle(slab(polarization), degrees, frequency, jobs=2)
                reflected, through = found["before"], found["behind"]
                exact = airy(frequency, degrees, polarization == "te")
                # Waves of the grid are shorter by (pi / N)^2 / 6, N cells in the wavelength: in glass as if its index were larger.
                # Twice what that makes of R over the band is for the waves outside, and for the faces.
                shift = (np.pi * INDEX * frequency / 30) ** 2 / 6
                shifted = airy(frequency, degrees, polarization == "te", INDEX * (1 + shift))
                off = np.abs(reflected["R"] - exact).max()
                self.assertLess(off, 2 * np.abs(shifted - exact).max() + reflected["R_error"].max(), (degrees, polarization))
                # Nothing absorbs: what is missing in R + T is what the interpolations and the ends of the runs leave.
                self.assertLess(np.abs(reflected["R"] + through["T"] - 1).max(), 1e-4)
                self.assertLess(reflected["R_error"].max(), 5e-4)

    def test_the_grids_error_is_of_second_order(self):
        frequency = np.array([0.9, 1.1])
        exact = airy(frequency, 45, False)
        off = [np.abs(umov.fixed_angle(slab("tm", cells), 45, frequency, jobs=2)["before"]["R"] - exact).max() for cells in (20, 40)]
        self.assertGreater(np.log2(off[0] / off[1]), 1.7)

    def test_what_has_no_angle_is_refused(self):
        case = slab("tm")
        for changed, angle, word in ((case, 0, "periodic walls"), (case, 89, "below 85"),
                                     (case.updated(boundary={"y": "periodic"}), 30, "Bloch walls"),
                                     (case.updated(run={"normalize": False}), 30, "normalize"),
                                     (case.updated({"source.1.kind": "point", "source.1.component": "Ez"}), 30, "plane wave")):
            self.assertIn(word, self.refusal(umov.fixed_angle, changed, angle, [1]))
        self.assertIn("above 0", self.refusal(umov.fixed_angle, case, 30, [0]))
        self.assertIn("7 or more", self.refusal(umov.fixed_angle, case, 30, [1, 2], runs=3))
        with self.assertRaises(umov.Interrupted):
            umov.fixed_angle(case, 30, [1], callback=lambda fraction, text: False)
