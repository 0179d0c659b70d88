"""Results: arrays without copies, units, axes, tables, files; systems, materials, sweeps."""

import gc
import pickle
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

    def test_parts_keep_their_axes(self):
        result = small("plane_tm").run()
        field = result["fourier/plane/Ez"]
        frequency = result["flux/many/frequency"]
        flux = result["flux/many/flux"]
        self.assertEqual(field[0].dims, ("z", "y", "x"))
        self.assertEqual(field[0, 0].dims, ("y", "x"))
        self.assertEqual(field[..., 3].dims, ("frequency", "z", "y"))
        self.assertEqual(field[0, 0].T.dims, ("x", "y"))
        self.assertEqual(field.swapaxes(0, 3).dims, ("x", "z", "y", "frequency"))
        self.assertEqual(field[:, None].dims, ("frequency", "axis 1", "z", "y", "x"))
        self.assertEqual(field[0, 0].real.dims, ("y", "x"))
        self.assertEqual((field[0].name, field[0].unit), (field.name, field.unit))
        self.assertTrue(np.shares_memory(field[0], field))
        for part in (slice(3, 9), slice(None, None, -2), [4, 1, 2], np.asarray(frequency) > 1):
            cut = flux[part]
            self.assertEqual(cut.dims, ("frequency",))
            self.assertEqual(list(cut.coords[0]), list(frequency[part]))
            self.assertEqual(list(cut[1:].coords[0]), list(np.asarray(frequency)[part][1:]))
        self.assertEqual(field[[0], :, [1]].dims, ("axis 0", "axis 1", "axis 2"), "of several lists it is not told")
        self.assertIs(type(flux + 1), np.ndarray)
        self.assertIs(type(flux[2]), np.float64)

    def test_results_go_through_pickles(self):
        for case in small_cases():
            result = case.run()
            again = pickle.loads(pickle.dumps(result, protocol=5))
            self.assertEqual(list(again.keys()), list(result.keys()))
            self.assertSameBits(result, again)
            self.assertEqual((again.case, again.attributes, again.warnings), (case, result.attributes, result.warnings))
            self.assertEqual(again.tables.keys(), result.tables.keys())
            for name, table in result.tables.items():
                for heading in table:
                    self.assertEqual(list(map(str, table[heading])), list(map(str, again.tables[name][heading])))
            one, other = self.folder(), self.folder()
            result.save(one)
            again.save(other)
            self.assertSameBits(umov.open(one), umov.open(other))
        flux = small("plane_tm").run().flux.many.flux[2:]
        again = pickle.loads(pickle.dumps(flux))
        self.assertEqual((again.name, again.unit, again.dims), (flux.name, flux.unit, flux.dims))
        self.assertEqual(list(again.coords[0]), list(flux.coords[0]))
        buffers = []
        pickle.dumps(result, protocol=5, buffer_callback=buffers.append)
        self.assertTrue(any(np.shares_memory(np.frombuffer(b, np.uint8), np.asarray(a))
                            for b in buffers for a in (v for _, v in result.items()) if a.size > 1), "no copies")

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
        part = result["fourier/plane/Ez"][0, 0].to_xarray()
        self.assertEqual((part.dims, part.attrs["units"]), (("y", "x"), result["fourier/plane/Ez"].unit))
        self.assertTrue(np.shares_memory(group["flux"].values, np.asarray(result["flux/many/flux"])))
        for case in small_cases():
            whole = case.run()
            more = set(whole.to_xarray().variables) - set(whole.keys())  # places, which are an origin and a spacing there
            self.assertEqual({name.rpartition("/")[2] for name in more} - {"x", "y", "z"}, set())
            self.assertLessEqual(set(whole.keys()), set(whole.to_xarray().variables))

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
        plt.figure()
        field = result["fourier/plane/Ez"][0, 0]
        ax = field.plot()
        self.assertEqual(len(ax.images), 1)
        # lengths are as long along both axes, places are those of the nodes, magnitudes are called so
        self.assertEqual((ax.get_aspect(), ax.get_xlabel()), (1, f"x [{result['axes/x'].unit}]"))
        origin, dx = np.asarray(result["fourier/plane/origin"]), float(result["grid/dx"])
        np.testing.assert_allclose(np.asarray(field.coords[1]), origin[0] + dx * np.arange(field.shape[1]), atol=1e-12)
        self.assertTrue(ax.figure.axes[-1].get_ylabel().startswith("|Ez|"))

    def test_a_whole_result_is_drawn_of_every_family(self):
        if not matplotlib:
            self.skipTest("matplotlib is not here (python3-matplotlib)")
        import matplotlib.pyplot as plt
        for case in small_cases():
            plt.figure()
            ax = case.run().plot()
            self.assertTrue(ax.lines or ax.images or ax.collections, case.family)
            self.assertTrue(ax.get_xlabel(), case.family)
            plt.close()

    def test_fields_of_both_signs_are_white_at_zero(self):
        if not matplotlib:
            self.skipTest("matplotlib is not here (python3-matplotlib)")
        import matplotlib.pyplot as plt
        plt.figure()
        field = small("plane_tm").run()["voxels/Ez"][0]
        self.assertTrue(np.asarray(field).min() < 0 < np.asarray(field).max())
        low, high = field.plot().images[0].get_clim()
        self.assertEqual(low, -high)
        plt.close()

    def test_models_are_drawn(self):
        if not matplotlib:
            self.skipTest("matplotlib is not here (python3-matplotlib)")
        import matplotlib.pyplot as plt
        plt.figure()
        case = small("plane_tm")
        model = case.model()
        self.assertEqual(model["permittivity"].dims, ("z", "y", "x"))
        y, x = (np.asarray(model[name]) for name in "yx")
        glass = model["permittivity"][0, np.argmin(abs(y - 0.1)), np.argmin(abs(x + 0.4))]
        self.assertAlmostEqual(glass, 2.25, 6)
        self.assertEqual(model["monitors"].shape, (3, 2, 3))
        ax = case.plot()
        self.assertEqual((len(ax.images), len(ax.lines)), (1, 4))
        plt.figure()
        ball = umov.dda.case(SPHERE)
        self.assertEqual(ball.plot(across="y").get_ylabel(), "z [um]")
        self.assertAlmostEqual(ball.model()["x"][-1], -ball.model()["x"][0], 12)
        with self.assertRaises(ValueError):
            ball.plot(across="w")
        self.assertIn("no model as arrays", self.refusal(small("layers").plot))


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
        self.assertIn("argument 'A': not symmetric", self.refusal(umov.solve, np.array([[2., 1], [0, 2]]), [1, 2]))
        self.assertIn("argument 'b': element 2 is nan", self.refusal(umov.solve, np.eye(2), [1, np.nan]))
        self.assertIn("leave them out", self.refusal(umov.solve, np.eye(2), [1, 2], matrix="A.mtx"))

    def test_a_preconditioner_serves_other_iterations(self):
        if not scipy:
            self.skipTest("SciPy is not here (python3-scipy)")
        from scipy.sparse.linalg import cg
        n = 40
        one, line = scipy.sparse.identity(n), self.laplace(n)
        A = scipy.sparse.csr_matrix(scipy.sparse.kron(line, one) + scipy.sparse.kron(one, line))
        b, steps = np.cos(np.arange(n * n)), []
        M = umov.Preconditioner(A, precision="double", threads=1)
        x, info = cg(A, b, M=M, tol=1e-10, callback=lambda x: steps.append(1))
        self.assertEqual(info, 0)
        self.assertLess(np.linalg.norm(b - A @ x), 1e-9 * np.linalg.norm(b))
        plain = []
        cg(A, b, tol=1e-10, callback=lambda x: plain.append(1))
        self.assertLess(len(steps), 20, "a V-cycle contracts by some 0.2 at every size")
        self.assertGreater(len(plain), 3 * len(steps))
        dense = np.column_stack([M @ e for e in np.eye(n * n)[:30]])[:30]
        self.assertLess(np.abs(dense - dense.T).max(), 1e-13 * np.abs(dense).max(), "symmetric to rounding")
        single = umov.Preconditioner(A)
        self.assertLess(np.linalg.norm(single @ (1e-42 * b) / 1e-42 - M @ b), 1e-5 * np.linalg.norm(M @ b))
        self.assertLess(np.linalg.norm(umov.Preconditioner(-A, precision="double") @ b + M @ b), 1e-12 * np.linalg.norm(M @ b))
        self.assertTrue(np.array_equal(M @ (b + 2j * b), M @ b + 1j * (M @ (2 * b))))
        self.assertIn("has 1600 rows", self.refusal(M.matvec, [1, 2]))
        self.assertIn("not symmetric", self.refusal(umov.Preconditioner, np.array([[2., 1], [0, 2]])))
        self.assertIn("on the processor", self.refusal(umov.Preconditioner, A, backend="cuda"))

    def test_a_preconditioner_serves_petsc(self):
        class Vector:
            """What PETSc gives of petsc4py's Vec."""
            def __init__(self, values):
                self.values = values

            def getArray(self, readonly=False):
                return self.values

            def setArray(self, values):
                self.values = values

        A, b, y = np.diag([2.0, 4.0]), Vector(np.array([2.0, 4.0])), Vector(None)
        M = umov.Preconditioner(A, precision="double")
        M.setUp(None)
        M.apply(None, b, y)
        self.assertTrue(np.allclose(y.values, 1, rtol=1e-14), "a matrix as small is solved at once")

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
        opened = by_command.tables["sweep"]
        self.assertEqual(list(opened), list(table.tables["sweep"]))
        self.assertEqual(list(opened["status"]), ["done"] * 4)
        self.assertTrue((opened["cross_sections/Y/Cext"] == table.tables["sweep"]["cross_sections/Y/Cext"]).all())

    def test_a_sweep_of_a_client_is_that_of_one_process(self):
        import concurrent.futures
        import multiprocessing
        case, seen = small("plane_tm"), []
        axes = {"domain.courant": [0.8, 0.9], "source.1.center[1]": [-0.7, 1.4]}  # 1.4 is in an absorbing layer
        here = umov.sweep(case, axes)
        with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            there = umov.sweep(case, axes, client=pool, callback=lambda fraction, text: seen.append((fraction, text)))
            with self.assertRaises(umov.Interrupted):
                umov.sweep(case, axes, client=pool, callback=lambda *_: False)
        self.assertSameBits(here, there)
        self.assertEqual(seen[-1], (1, "4 of 4 cases"))
        self.assertEqual(list(there.tables["sweep"]["status"]), ["done", "failed", "done", "failed"])
        self.assertEqual(list(there.tables["sweep"]["message"]), list(here.tables["sweep"]["message"]))
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            ended = umov.sweep(case, {"source.1.center[1]": [1.4, -0.7]}, client=pool, keep_going=False)
            self.assertIn("unknown key 'nothing'", self.refusal(umov.sweep, case, {"nothing": [1, 2]}, client=pool))
        self.assertEqual(list(ended.tables["sweep"]["status"]), ["failed", "missing"])
        with self.assertRaises(TypeError):
            umov.sweep(case, axes, client=pool, jobs=2)

    def test_sweeps_that_are_none_are_refused(self):
        case = umov.dda.case(SPHERE)
        for arguments, keywords, said in (
                (({},), {}, "argument 'vary': nothing varies"),
                (({"wavelength": []},), {}, "argument 'vary': no value of 'wavelength'"),
                (({},), {"together": {"wavelength": [6, 7], "size": [1]}}, "argument 'together': 2 of 'wavelength', 1 of 'size'"),
                (({"wavelength": [6]},), {"jobs": -1}, "argument 'jobs': -1"),
                (({"wavelength": [6]},), {"arrays": -1}, "argument 'arrays': -1")):
            self.assertTrue(self.refusal(umov.sweep, case, *arguments, **keywords).startswith(said), said)

    def test_dask_computes_sweeps(self):
        try:
            from dask.distributed import Client
        except ImportError:
            self.skipTest("Dask is not here (python3-distributed)")
        case = umov.dda.case(SPHERE)
        with Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as client:
            self.assertSameBits(umov.sweep(case, {"wavelength": [6, 7]}),
                                umov.sweep(case, {"wavelength": [6, 7]}, client=client))


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
