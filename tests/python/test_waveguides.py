"""S-parameters and modes from Python: what the commands write, in sweeps, stopped and gone on with."""

import umov
from support import CORE, Test, command, np

PLATES = {"domain": {"size": [6, 1], "resolution": 10}, "boundary": {"x": "pml", "y": "pec"}, "machine": CORE,
          "port": [{"name": "a", "center": [-1.5, 0], "size": [0, 1], "direction": "-x"},
                   {"name": "b", "center": [1.5, 0], "size": [0, 1], "direction": "+x"}]}
SLAB = {"domain": {"size": [0, 3], "resolution": 10, "polarization": "tm"}, "boundary": {"all": "pec"}, "machine": CORE,
        "material": [{"name": "core", "index": 2}], "body": [{"material": "core", "size": [0, 0.6]}],
        "modes": {"wavelengths": [1.5], "count": 1}}


class SParameters(Test):
    def case(self, **more):
        return umov.fdtd.case(PLATES, s_parameters={"wavelengths": [1.4, 1.5]}, **more)

    def test_a_matrix_is_that_of_the_command(self):
        case, folder = self.case(), self.folder()
        case.to_toml(folder / "case.toml")
        command("fdtd", folder / "case.toml", "--output-dir", folder / "out", "--quiet", "--no-pictures")
        result, by_command = case.run(), umov.open(folder / "out")
        self.assertSameBits(by_command, result)
        self.assertEqual(by_command.case.plan().resolved.split("[output]")[0], case.plan().resolved.split("[output]")[0])
        self.assertEqual(result.s.dims, ("frequency", "row", "column"))
        self.assertEqual(list(result.s.coords[1]), ["a", "b"])
        through = np.asarray(result.s)[:, 1, 0]
        # What leaves at b entered at a: between plates nothing else can become of it. 3e-3: runs end where monitors change
        # by 3e-4 per passage, and cells of 1/15 wavelength are absorbed a little less well than finer ones.
        self.assertLess(np.abs(np.abs(through) - 1).max(), 3e-3)
        # Phases of exp(-i w t) between planes 3 apart, by the grid's own index.
        beta = 2 * np.pi * np.asarray(result.frequency) * np.asarray(result.effective_index)[0]
        self.assertLess(np.abs(through * np.exp(-3j * beta) - np.abs(through)).max(), 3e-3)
        self.assertIn("|S21|^2", result.tables["s_parameters"])

    def test_a_plan_tells_the_runs(self):
        plan = self.case().plan()
        self.assertGreater(plan.bytes, 0)
        self.assertIn("run 2: port = b, mode = 1", "\n".join(plan.notes))
        self.assertIn("names the port 'c', which is not there",
                      self.refusal(self.case(**{"s_parameters.ports": ["a", "c"]}).plan))
        self.assertIn("several ranks", self.refusal(self.case, ranks=2))

    def test_a_stopped_matrix_goes_on_to_the_same_bits(self):
        case, state = self.case(), self.folder() / "state"
        with self.assertRaises(umov.Interrupted) as stopped:
            case.run(checkpoint=state, callback=lambda *_: False)  # at once: two runs may end between two calls
        self.assertIn("of 2 runs are finished", str(stopped.exception))
        self.assertTrue((state / "sweep.state").exists())
        self.assertSameBits(case.run(), case.run(resume=state))
        with self.assertRaises(LookupError):
            case.run(callback=lambda *_: {}["nothing"])

    def test_a_sweep_varies_a_matrix(self):
        case, folder = self.case(), self.folder()
        table = umov.sweep(case, {"domain.courant": [0.8, 0.9]})
        self.assertEqual(table["arrays/s"].shape, (2, 2, 2, 2))
        one = case.updated({"domain.courant": 0.9}).run()
        self.assertTrue((table["arrays/s"][1] == one.s).all())
        case.to_toml(folder / "case.toml")
        command("sweep", folder / "case.toml", "--set", "domain.courant=0.8,0.9", "--output", folder / "out", "--quiet",
                "--no-pictures")
        self.assertSameBits(umov.open(folder / "out"), table)


class Modes(Test):
    def test_modes_are_those_of_the_command(self):
        case, folder = umov.modes.case(SLAB), self.folder()
        case.to_toml(folder / "case.toml")
        self.assertEqual(umov.load(folder / "case.toml"), case)
        command("modes", folder / "case.toml", "--output-dir", folder / "out", "--quiet", "--no-pictures")
        by_command, result = umov.open(folder / "out"), case.run()
        self.assertEqual(by_command.case.family, "modes")
        self.assertSameBits(by_command, result)
        # n tan(k d / 2) = g of the even mode across a slab of index 2 and width 0.6, by bisection.
        k, low, high = 2 * np.pi / 1.5, 1.6, 2.0  # below 1.6 the tangent is on its next branch
        for _ in range(60):
            n = (low + high) / 2
            inside, outside = k * np.sqrt(4 - n * n), k * np.sqrt(n * n - 1)
            low, high = (n, high) if inside * np.tan(inside * 0.3) > outside else (low, n)
        # Walls at 1.5 change it by exp(-2 g 1.2) < 1e-5; n_error is what the page of modes promises.
        self.assertLess(abs(result.n_extrapolated[0] - n), result.n_error[0])
        self.assertLess(result.n_error[0], 0.03)
        self.assertEqual(result["fields/wavelength1/mode1/Ez"].dtype, complex)

    def test_short_names_are_those_of_modes_and_a_case_of_fdtd_will_do(self):
        model = {key: value for key, value in SLAB.items() if key != "modes"}
        case = umov.modes.case(umov.modes.case(model, modes=SLAB["modes"]), count=2, wavelengths=[1.4])
        self.assertEqual(case["modes.count"], 2)
        self.assertEqual(case["modes.wavelengths"], [1.4])
        self.assertIn("cross-section: 30 x 1 cells of 0.1, travel along x", str(case.plan()))
        self.assertIn("there is no wavelength", self.refusal(umov.modes.run, model))
        with self.assertRaises(umov.Interrupted):
            case.run(callback=lambda *_: False)
        table = umov.sweep(umov.modes.case(SLAB), {"body.1.size[2]": [0.5, 0.6]})
        self.assertEqual(table["scalars/n_eff_re"][1], umov.modes.run(SLAB).n_eff[0].real)
        self.assertGreater(table["scalars/n_eff_re"][1], table["scalars/n_eff_re"][0])


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
