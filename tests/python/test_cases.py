"""Cases: keywords, short names, places of errors, and what the command line reads."""

import copy
import os
import pathlib
import pickle
import subprocess
import sys

import umov
from support import SPHERE, Test, command, np, physics, small_cases


class Cases(Test):
    def test_keywords_are_the_names_of_a_file(self):
        file = self.folder() / "case.toml"
        file.write_text('wavelength = 0.55\nshape = {name = "sphere", size = 1, grid = 8}\n'
                        "[[material]]\nm = [1.5, 0.02]\n")
        whole = umov.dda.case(wavelength=0.55, shape={"name": "sphere", "size": 1.0, "grid": 8},
                              material=[{"m": 1.5 + 0.02j}])
        short = umov.dda.case(wavelength=np.float64(0.55), size=np.int64(1), m=np.complex128(1.5 + 0.02j),
                              shape={"name": "sphere", "grid": np.array(8)})
        self.assertEqual(umov.load(file), whole)
        self.assertEqual(whole, short)
        self.assertEqual(hash(whole), hash(short))
        self.assertNotEqual(whole, whole.updated(size=2))
        self.assertEqual(umov.dda.case(file, size=2), whole.updated(size=2), "flags over a file")

    def test_files_are_those_beside_the_case_wherever_it_goes(self):
        folder = self.folder()
        (folder / "sub").mkdir()
        for place, k in ((folder, 0.5), (folder / "sub", 0.1)):
            (place / "nk.csv").write_text(f"wavelength (nm),n,k\n400,1.5,{k}\n900,1.6,{k}\n")
        (folder / "sub/case.toml").write_text('wavelength = 0.5\n[shape]\nsize = 0.3\ngrid = 6\n'
                                              '[[material]]\nnk_file = "nk.csv"\n')
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder)
        case = umov.load("sub/case.toml")
        again = umov.dda.case(case.to_dict())
        self.assertEqual(again["material.1.nk_file"], str(folder / "sub/nk.csv"))
        right = float(case.run()["cross_sections/Y/Cabs"])
        self.assertEqual(float(again.run()["cross_sections/Y/Cabs"]), right)
        os.chdir(before)
        self.assertEqual(float(case.run()["cross_sections/Y/Cabs"]), right)

    def test_the_command_line_resolves_a_case_alike(self):
        for case in small_cases():
            file = self.folder() / "case.toml"
            case.to_toml(file)
            told, _ = command(case.family, file, "--dry-run")
            for line in physics(case.plan().resolved):
                self.assertIn(line, told, case.family)

    def test_a_plan_says_what_a_run_takes(self):
        for case in small_cases():
            plan = case.plan()
            self.assertGreater(plan.bytes, 0)
            self.assertEqual(plan.case.plan().resolved, plan.resolved)
            self.assertIn("memory", repr(plan))

    def test_arrays_stand_where_a_case_has_lists(self):
        places = np.linspace(0.9, 1.1, 3)
        fields = {"domain": {"size": np.array([3, 2]), "resolution": 10}, "stop": {"time": 1}}
        source = {"kind": "point", "component": "Ez", "frequency": 1}
        one = umov.fdtd.case(**fields, source=[source], monitor=({"kind": "flux", "size": [0, 1], "frequencies": places},))
        other = umov.fdtd.case(**fields, source=[source],
                               monitor=[{"kind": "flux", "size": (0, 1), "frequencies": [0.9, 1, 1.1]}])
        self.assertEqual(one, other)
        diagonal = umov.dda.case(m=np.array([1.5 + 0.1j, 1.6, 1.7]))
        self.assertEqual(diagonal, umov.dda.case(material=[{"m": [[1.5, 0.1], [1.6, 0], [1.7, 0]]}]))

    def test_short_names_mean_one_parameter(self):
        self.assertEqual(umov.dda.case(threads=1)["machine.threads"], 1)
        self.assertEqual(self.refusal(umov.dda.case, grid=8),
                         "argument 'grid': may be 'shape.grid' or 'method.fft_grid' (several parameters are called so); "
                         "write shape={'grid': ...}")
        self.assertIn("given twice (also as shape={'size': ...})", self.refusal(umov.dda.case, size=1, shape={"size": 1}))
        self.assertIn("the case has several of 'material'",
                      self.refusal_of_value(umov.dda.case(material=[{"m": 1.5}, {"m": 2}]).updated, m=1.3))

    def refusal_of_value(self, function, **keywords):
        with self.assertRaises(ValueError) as caught:
            function(**keywords)
        return str(caught.exception)

    def test_errors_are_those_of_a_file_but_for_their_place(self):
        folder = self.folder()
        cases = [("dda", "wavelength = -1\n", {"wavelength": -1}),
                 ("dda", "wavelenght = 1\n", {"wavelenght": 1}),
                 ("dda", "[shape]\ngrid = 'x'\n", {"shape.grid": "x"}),
                 ("fdtd", "[domain]\nsize = [1, 1]\n[[body]]\nradius = -1\n",
                  {"domain": {"size": [1, 1]}, "body": [{"radius": -1}]}),
                 ("eqs", "[time]\nperiods = 'all'\n", {"time": {"periods": "all"}}),
                 ("harmonic", "[harmonic]\nperiod = -1\n", {"harmonic": {"period": -1}})]
        for family, text, keywords in cases:
            file = folder / "case.toml"
            file.write_text(text)
            of_file = self.refusal(getattr(umov, family).case, file)
            of_argument = self.refusal(getattr(umov, family).case, **keywords)
            told = command(family, file, expect=2)[1]
            self.assertIn(of_file.partition(": ")[2], told.replace("\n", " "))
            self.assertEqual(of_file.partition(": ")[2], of_argument.partition(": ")[2])
            self.assertTrue(of_file.startswith(f"{file}:"), of_file)
            self.assertTrue(of_argument.startswith("argument '"), of_argument)
        said = self.refusal(umov.dda.case(SPHERE).updated, {"body.1.radius": 1})
        self.assertTrue(said.startswith("argument 'body.1.radius': unknown key 'body'"), said)
        self.assertTrue(self.refusal(umov.dda.case, wavelength=-1).startswith("argument 'wavelength': "))
        self.assertTrue(self.refusal(umov.dda.case, size=-1).startswith("argument 'size': 'shape.size' "))

    def test_what_no_case_holds_is_a_type_error(self):
        for value in (object(), {1, 2}, lambda: 1, [None], {1: 2}, 2**70):
            with self.assertRaises(TypeError) as caught:
                umov.dda.case(wavelength=value)
            self.assertTrue(str(caught.exception).startswith("argument 'wavelength"), caught.exception)

    def test_a_case_is_immutable(self):
        case = umov.dda.case(SPHERE)
        with self.assertRaises(AttributeError):
            case.family = "fdtd"
        before = case.to_toml()
        other = case.updated({"shape.grid": 10}, m=1.6)
        self.assertEqual(case.to_toml(), before)
        self.assertEqual(other["shape.grid"], 10)
        self.assertEqual(other["shape.name"], "sphere", "tables are changed key by key")
        self.assertEqual(other["m"], 1.6)
        self.assertNotIn("shape.grid", case.updated(shape={"grid": None}))
        self.assertEqual(case.updated(shape={"grid": None}, machine=None), umov.dda.case(shape={"name": "sphere"},
                                                                                        m=1.5 + 0.1j))

    def test_a_case_goes_through_files_and_pickles(self):
        for case in small_cases():
            file = self.folder() / "case.toml"
            case.to_toml(file)
            self.assertEqual(umov.load(file), case)
            self.assertEqual(pickle.loads(pickle.dumps(case)), case)
            self.assertEqual(copy.deepcopy(case), case)

    def test_files_are_looked_for_beside_the_case(self):
        folder = self.folder()
        (folder / "glass.txt").write_text("# wavelength n k\n0.4 1.52 0\n0.6 1.5 0\n0.8 1.49 0\n")
        (folder / "case.toml").write_text('wavelength = 0.5\n[[material]]\nnk_file = "glass.txt"\n')
        case = umov.load(folder / "case.toml", "dda")
        self.assertIn(str(folder / "glass.txt"), case.to_toml(), "whole paths in a text of no folder")

    def test_docstrings_and_signatures_come_from_the_tables(self):
        import inspect
        for family in (umov.dda, umov.fdtd, umov.harmonic, umov.eqs):
            self.assertIn("default", family.run.__doc__)
            self.assertIn("machine", inspect.signature(family.run).parameters)
        self.assertIn("Wavelength of the incident light", umov.dda.run.__doc__)
        self.assertIn("um", umov.dda.run.__doc__)
        stub = pathlib.Path(umov.__file__).with_name("dda.pyi").read_text()
        compile(stub, "dda.pyi", "exec")
        self.assertIn("wavelength: Numbers", stub)
        self.assertIn("size: Any = ...,  # shape.size", stub)

    def test_import_takes_little_time(self):
        # Of the processor, without what Python itself takes; the least of several. NumPy comes later.
        program = ("import time; begun = time.process_time(); import umov; "
                   "import sys; assert 'numpy' not in sys.modules; print(time.process_time() - begun)")
        taken = min(float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
                    for _ in range(5))
        self.assertLess(taken, 0.2, "s")


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
