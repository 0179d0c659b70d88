"""Results: arrays without copies, units, axes, tables, files; systems, materials, sweeps."""

import gc
import warnings

import umov
from support import CORE, SPHERE, Test, command, np, small, small_cases

try:
    import scipy.io
    import scipy.sparse
except ImportError:
    scipy = None
try:
    import xarray
except ImportError:
    xarray = None
try:
    import matplotlib
    matplotlib.use("Agg")
except ImportError:
    matplotlib = None


class Results(Test):
    def test_arrays_are_not_copied_and_keep_their_run_alive(self):
        result = umov.dda.run(SPHERE, output={"hdf5": True, "internal_fields": True})
        field = result["voxels/E_Y_re"]
        again = result["voxels/E_Y_re"]
        self.assertEqual(field.__array_interface__["data"][0], again.__array_interface__["data"][0])
        kept = field.copy()
        part = field[3, :, :, 0]
        del result, field, again
        gc.collect()
        self.assertTrue(np.array_equal(part, kept[3, :, :, 0]))
        with self.assertRaises(ValueError):
            part[0, 0] = 1

    def test_arrays_have_names_units_and_axes(self):
        result = umov.dda.run(SPHERE, output={"hdf5": True, "internal_fields": True})
        cext = result["cross_sections/Y/Cext"]
        self.assertEqual((cext.name, cext.unit, cext.shape), ("cross_sections/Y/Cext", "um^2", ()))
        self.assertIs(type(2 * cext), np.float64)
        self.assertEqual(f"{cext:.3f}", f"{float(cext):.3f}")
        self.assertEqual(result.cross_sections.Y.Cext, cext)
        self.assertEqual(result["cross_sections"]["Y/Cext"], cext)
        self.assertEqual(result["voxels/E_Y_re"].dims, ("z", "y", "x", "component"))
        box = float(result["particle/box"][2] * result["particle/spacing"][2])
        z = result["voxels/E_Y_re"].coords[0]
        self.assertAlmostEqual(z[-1] - z[0], box * 7 / 8, 12)
        self.assertEqual(result["scattering_plane/mueller"].dims[0], "theta")
        flux = small("plane_tm").run()
        self.assertEqual(flux.flux.many.flux.dims, ("frequency",))
        self.assertEqual(flux.flux.many.flux.coords[0].name, "flux/many/frequency")
        self.assertEqual(flux["fourier/plane/Ez"].dims, ("frequency", "z", "y", "x"))
        points = small("layers").run()
        self.assertEqual(points.points.varistor.field.dims, ("time", "component"))
        with self.assertRaisesRegex(KeyError, "Cext"):
            result["cross_sections/Z/Cext"]
        with self.assertRaises(AttributeError):
            result.nothing
        self.assertIn("cross_sections/Y/Cext", repr(result))
        self.assertIn("<table>", result._repr_html_())

    def test_tables_are_those_of_the_csv_files(self):
        for case in small_cases():
            folder = self.folder()
            case.to_toml(folder / "case.toml")
            command(case.family, folder / "case.toml", "--output-dir", folder / "out", "--quiet", "--no-pictures")
            compared = 0
            for name, table in case.run().tables.items():
                file = folder / "out" / f"{name}.csv"
                if not file.exists():
                    continue
                rows = [line for line in file.read_text().splitlines() if not line.startswith("#")]
                headings = [h if u in ("", "1") else f"{h} [{u}]" for h, u in table.units.items()]
                self.assertEqual(rows[0].split(","), headings)
                for cells, *columns in zip(rows[1:], *(table[h] for h in table)):
                    for cell, value in zip(cells.split(","), columns):
                        if isinstance(value, str):
                            self.assertEqual(cell, value)
                        elif "seconds" not in rows[0] and float(cell) == float(cell):
                            self.assertAlmostEqual(float(cell), value, delta=1e-8 * abs(value), msg=name)  # floats: 9 digits
                            compared += 1
            self.assertGreater(compared, 0, case.family)

    def test_what_is_saved_is_opened_to_the_same_bits(self):
        for case in small_cases():
            if case.family == "dda":
                case = case.updated({"output.hdf5": True, "output.internal_fields": True})
            folder, result = self.folder(), case.run()
            result.save(folder / "saved")
            opened = umov.open(folder / "saved")
            self.assertEqual(set(opened.keys()), set(result.keys()))
            self.assertSameBits(result, opened)
            self.assertEqual(opened.case, case)
            self.assertTrue(opened.converged)
            case.to_toml(folder / "case.toml")
            command(case.family, folder / "case.toml", "--output-dir", folder / "out", "--quiet", "--no-pictures")
            names = {file.name for file in (folder / "out").iterdir()}
            for file in (folder / "saved").iterdir():
                if file.name.startswith("results."):
                    self.assertIn(file.name, names)

    def test_open_refuses_what_is_no_finished_run(self):
        self.assertIn("no results there", self.refusal(umov.open, self.folder()))
        folder = self.folder()
        (folder / "unfinished").write_text("")
        self.assertIn("has not ended", self.refusal(umov.open, folder))
        (folder / "unfinished").unlink()
        (folder / "results.h5").write_text("no HDF5")
        self.assertIn("cannot be read as HDF5", self.refusal(umov.open, folder))

    def test_xarray_has_units_and_coordinates(self):
        if not xarray:
            self.skipTest("xarray is not here (python3-xarray)")
        result = small("plane_tm").run()
        group = result["flux/many"].to_xarray()
        self.assertEqual(group["flux"].dims, ("frequency",))
        self.assertEqual(group["flux"].attrs["units"], result["flux/many/flux"].unit)
        self.assertTrue(np.shares_memory(group["flux"].values, np.asarray(result["flux/many/flux"])))
        for case in small_cases():
            whole = case.run()
            self.assertEqual(set(whole.to_xarray().variables) - {"voxels/x", "voxels/y", "voxels/z"}, set(whole.keys()))

    def test_curves_and_images_are_drawn(self):
        if not matplotlib:
            self.skipTest("matplotlib is not here (python3-matplotlib)")
        import matplotlib.pyplot as plt
        result = small("plane_tm").run()
        ax = result["flux/many"].plot()
        self.assertIn("frequency", ax.get_xlabel())
        plt.figure()
        ax = result.plot("flux/many/flux")
        self.assertEqual(len(ax.lines), 1)
        plt.figure()
        with self.assertRaises(ValueError):
            result.plot("fourier/plane/Ez")


class Functions(Test):
    def test_mie_is_exact_and_takes_lengths_or_a_size_parameter(self):
        one = umov.mie(radius=.5, wavelength=2, m=1.5 + .1j)
        other = umov.mie(x=np.pi / 2, m=[1.5, .1])
        self.assertAlmostEqual(one["Qext"], other["Qext"], 14)
        self.assertAlmostEqual(one["Cext"], np.pi * .25 * one["Qext"], 14)
        self.assertEqual(one["mueller"].dims[0], "theta")
        self.assertIn("a sphere has one size", self.refusal(umov.mie, m=1.5))

    def laplace(self, n):
        return scipy.sparse.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1])

    def test_systems_of_arrays_are_those_of_files(self):
        if not scipy:
            self.skipTest("SciPy is not here (python3-scipy)")
        folder, A = self.folder(), self.laplace(500)
        b = np.cos(np.arange(500.0))
        scipy.io.mmwrite(folder / "A.mtx", scipy.sparse.coo_matrix(A), symmetry="general", precision=17)
        scipy.io.mmwrite(folder / "b.mtx", b.reshape(-1, 1), precision=17)
        of_files = umov.solve(folder / "A.mtx", folder / "b.mtx", machine=CORE)
        for matrix in (A.tocsr(), A.tocoo(), A.toarray(), scipy.sparse.csr_array(A)):
            x = umov.solve(matrix, b, machine=CORE)
            self.assertTrue(x.converged)
            self.assertSameBits(of_files, x, ["x", "history"])
        residual = np.linalg.norm(b - A @ of_files.x) / np.linalg.norm(b)
        self.assertLess(residual, 1e-11)  # tolerance is 1e-12, A x rounds as much
        self.assertEqual(umov.solve(A, b, tolerance=1e-3, machine=CORE).case["solver.tolerance"], 1e-3)

    def test_systems_that_are_none_are_refused(self):
        self.assertIn("square", self.refusal(umov.solve, np.ones((2, 3)), [1, 2]))
        self.assertIn("complex", self.refusal(umov.solve, 1j * np.eye(2), [1, 2]))
        self.assertIn("has 3 elements, the matrix 2 rows", self.refusal(umov.solve, np.eye(2), [1, 2, 3]))
        self.assertIn("not symmetric", self.refusal(umov.solve, np.array([[2., 1], [0, 2]]), [1, 2]))
        self.assertIn("leave them out", self.refusal(umov.solve, np.eye(2), [1, 2], matrix="A.mtx"))

    def test_materials_are_those_of_the_command(self):
        gold = umov.materials.find("Au")
        self.assertIn(gold.name, umov.materials.names())
        words = command("materials", gold.name, "--wavelength", 0.6)[0].splitlines()[-1].split()
        self.assertAlmostEqual(gold.epsilon(0.6), float(words[2]) + 1j * float(words[3]), 3)  # six digits are printed
        self.assertAlmostEqual(gold.index(0.6) ** 2, gold.epsilon(0.6), 12)
        self.assertEqual(gold.n([0.5, 0.6]).shape, (2,))
        self.assertEqual(gold.k(0.6), gold.index(0.6).imag)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            gold.n(1000)
        self.assertEqual(caught[0].filename, __file__)
        self.assertIn("did you mean", self.refusal(umov.materials.find, "goldd"))
        self.assertIn("must be positive", self.refusal(gold.n, 0))

    def test_a_sweep_is_that_of_the_command_line(self):
        case, folder = umov.dda.case(SPHERE), self.folder()
        case.to_toml(folder / "case.toml")
        command("sweep", folder / "case.toml", "--set", "wavelength=6,7", "--set", "shape.grid=6,8", "--output",
                folder / "out", "--quiet", "--no-pictures")
        seen = []
        table = umov.sweep(case, {"wavelength": np.array([6, 7]), "shape.grid": [6, 8]},
                           callback=lambda fraction, text: seen.append(fraction))
        by_command = umov.open(folder / "out")
        self.assertSameBits(by_command, table)
        self.assertEqual(len(table.tables["sweep"]), 4)
        self.assertTrue(seen)
        one = umov.sweep(case, {"m": [1.4 + 0.1j, 1.5 + 0.1j]}, together={})
        self.assertEqual(one["scalars/cross_sections/Y/Cext"][1], case.run()["cross_sections/Y/Cext"])
        with self.assertRaises(LookupError):
            umov.sweep(case, {"wavelength": [6, 7]}, callback=lambda *_: {}["nothing"])


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
