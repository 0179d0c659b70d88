"""Arrays, functions and meshes where a case names a file."""

import gc
import os
import pickle
import subprocess
import sys
import tracemalloc
import types

import umov
from support import CORE, Test, command, np, small

WAVES = {"domain": {"size": [3, 2], "resolution": 10}, "boundary": {"all": "pec"}, "stop": {"time": 2}, "machine": CORE,
         "monitor": [{"kind": "flux", "name": "right", "size": [0, 1], "center": [0.7, 0], "frequencies": [1]}]}
POINT = {"kind": "point", "component": "Ez", "frequency": 1, "center": [-0.7, 0]}


def cube():
    """A cube of six tetrahedra, its faces at z = 0 and 1."""
    nodes = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
    tetrahedra = [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]]
    triangles = [[0, 1, 3], [0, 3, 2], [4, 5, 7], [4, 7, 6]]
    return nodes, np.array(tetrahedra), np.array(triangles)


class Inputs(Test):
    def test_a_particle_is_an_array_or_a_function(self):
        sphere = umov.dda.case(shape={"grid": 8, "size": 1}, wavelength=5, m=1.5, machine=CORE)
        material = sphere.model()["material"]
        self.assertEqual(material.dims, ("z", "y", "x"))
        of_array = umov.dda.case(shape={"file": np.asarray(material, int), "size": 1}, wavelength=5, m=1.5, machine=CORE)
        of_function = of_array.updated(shape={"file": lambda x, y, z: x * x + y * y + z * z <= 0.25, "grid": 8})
        self.assertTrue((of_array.model()["material"] == material).all())
        self.assertEqual(of_function, of_array.updated(shape={"file": np.asarray(material, bool)}))
        self.assertTrue((of_function.model()["material"] == material).all())
        self.assertEqual(of_array["shape.name"], "read")
        coated = np.array(material, int)
        coated[2:6, 2:6, 2:6] = 2
        two = umov.dda.case(shape={"file": coated, "size": 1}, material=[{"m": 1.5}, {"m": 1.2}])
        self.assertTrue((two.model()["material"] == coated).all())

    def test_an_incident_field_is_an_array_or_a_function(self):
        case = umov.dda.case(shape={"grid": 6, "size": 1}, wavelength=5, m=1.5, machine=CORE)
        wave = lambda x, y, z: (0 * z, np.exp(2j * np.pi / 5 * z), 0)  # along z, E along y
        read = case.updated(source={"file_y": wave, "file_x": lambda x, y, z: (np.exp(2j * np.pi / 5 * z), 0, 0)})
        plane, found = case.run(), read.run()
        # Files have 17 digits, and the iteration ends at 1e-5 of the residual, which both begin from.
        self.assertAlmostEqual(found["cross_sections/Y/Cext"] / plane["cross_sections/Y/Cext"], 1, 10)
        self.assertIn("Ex, Ey and Ez of each dipole", self.refusal(case.updated, source={"file_y": np.ones((3, 3))}))

    def test_columns_are_those_of_a_file(self):
        folder = self.folder()
        nk = np.array([[0.4, 1.5, 0.02], [0.5, 1.48, 0.01], [0.7, 1.47, 0.01]])
        np.savetxt(folder / "nk.txt", nk, "%.17g")
        shape = {"grid": 4, "size": 0.1}
        of_array = umov.dda.run(shape=shape, wavelength=0.55, nk_file=nk, machine=CORE)
        of_file = umov.dda.run(shape=shape, wavelength=0.55, nk_file=folder / "nk.txt", machine=CORE)
        self.assertSameBits(of_file, of_array)
        time = np.linspace(0, 2, 60)
        course = np.sin(6 * time) * time
        np.savetxt(folder / "wave.csv", np.column_stack([time, course]), "%.17g", ",")
        of_file = umov.fdtd.run(WAVES, source=[POINT | {"waveform": "samples", "file": folder / "wave.csv"}])
        of_array = umov.fdtd.run(WAVES, source=[POINT | {"waveform": "samples", "file": (time, course)}])
        self.assertSameBits(of_file, of_array)

    def test_a_mesh_of_triangles_is_a_body(self):
        corners = 0.45 * np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)])
        faces = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6],
                 [1, 3, 5], [3, 7, 5]]
        space = {"domain": {"size": [2, 2, 2], "resolution": 10}, "boundary": {"all": "pec"}, "source": [POINT], "stop": {"steps": 1}, "machine": CORE}
        box = umov.fdtd.case(space, material=[{"name": "glass", "index": 1.5}],
                             body=[{"shape": "box", "material": "glass", "size": [0.9, 0.9, 0.9]}])
        glass = {"shape": "mesh", "material": "glass"}
        mesh = box.updated(body=[glass | {"file": (corners, faces)}])
        self.assertTrue((mesh.model()["permittivity"] == box.model()["permittivity"]).all())
        self.assertGreater(box.model()["permittivity"].max(), 2.2)
        like_trimesh = types.SimpleNamespace(vertices=corners, faces=faces)
        like_meshio = types.SimpleNamespace(points=corners, cells_dict={"triangle": np.array(faces)})
        for other in (like_trimesh, like_meshio):
            self.assertEqual(box.updated(body=[glass | {"file": other}]), mesh)
        said = self.refusal(box.updated, body=[glass | {"file": (corners, [[0, 1, 9]])}])
        self.assertTrue(said.startswith("argument 'body[0].file': a triangle with the corner 9"), said)

    def test_a_picture_is_an_array(self):
        image = np.zeros((20, 30, 3), np.uint8)
        image[5:15, 10:20, 1] = 100
        image[10, 4, 0] = 255
        model = umov.fdtd.case(picture={"files": image}, boundary={"all": "pec"}, stop={"time": 1}, machine=CORE).model()["permittivity"]
        self.assertEqual(model.shape, (1, 20, 30))
        self.assertAlmostEqual(model[0, 10, 15], 1 + 8 * 100 / 255, 5)
        self.assertIn("uint8", self.refusal(umov.fdtd.case, picture={"files": np.ones((3, 3), int)}))

    def test_permittivities_are_an_array(self):
        # As a picture says them, whose top row is the highest: the same media in the same places.
        image = np.zeros((20, 30, 3), np.uint8)
        image[5:15, 10:20, 1] = 100
        image[2:4, 3:9, 1] = 255
        drawn = umov.fdtd.case(WAVES | {"domain": {"resolution": 10}}, picture={"files": image}, source=[POINT])
        eps = 1 + 8.0 * image[::-1, :, 1] / 255
        given = drawn.updated(picture={"files": eps})
        self.assertTrue((given.model()["permittivity"] == drawn.model()["permittivity"]).all())
        self.assertSameBits(drawn.run(), given.run())
        self.assertIn("positive", self.refusal(drawn.updated(picture={"files": -eps}).run))
        self.assertIn("[y][x] or [z][y][x]", self.refusal(drawn.updated, picture={"files": eps[0]}))

    def test_permittivities_of_any_number_are_exact(self):
        # 300 different ones, and the same to 1 part in 255: rounded each is off by up to 0.5 %, an array by nothing,
        # so that it is as far from bodies of exactly these permittivities as single precision is.
        eps = np.exp(np.linspace(0, np.log(12), 300)).reshape(15, 20)
        words = {"domain": {"resolution": 10}, "boundary": {"all": "pec"}, "stop": {"time": 8}, "machine": CORE,
                 "source": [POINT | {"center": [-0.55, 0.35], "frequency": 0.25}]}
        grid = umov.fdtd.case(words, picture={"files": eps}).run()["voxels/Ez"]
        boxes = [{"shape": "box", "material": f"m{i}_{j}", "center": [(j + 0.5) / 10 - 1, (i + 0.5) / 10 - 0.75], "size": [0.1, 0.1]}
                 for i in range(15) for j in range(20)]
        media = [{"name": f"m{i}_{j}", "eps": float(eps[i, j])} for i in range(15) for j in range(20)]
        bodies = umov.fdtd.case(words | {"domain": {"size": [2, 1.5], "resolution": 10}}, body=boxes, material=media).run()["voxels/Ez"]
        coarse = np.exp(np.round(np.log(eps) / np.log(12) * 255) / 255 * np.log(12))
        rounded = umov.fdtd.case(words, picture={"files": coarse}).run()["voxels/Ez"]
        scale = np.abs(bodies).max()
        off = float(np.abs(grid - bodies).max() / scale)
        self.assertLess(off, 2e-5)
        self.assertGreater(float(np.abs(rounded - bodies).max() / scale), 30 * off)

    def test_complex_permittivities_absorb_as_conductors_do(self):
        # eps'' at a wavelength is a conductivity; in one material and in a thousand that hardly differ.
        words = {"domain": {"resolution": 20}, "boundary": {"all": "pec"}, "stop": {"time": 3}, "machine": CORE, "source": [POINT]}
        one = np.full((40, 60), 2 + 0.3j)
        uniform = umov.fdtd.case(words, picture={"files": one, "wavelength": 0.8}).run()["voxels/Ez"]
        medium = {"name": "lossy", "eps": 2.0, "sigma": 2 * np.pi * 0.3 / 0.8}
        body = umov.fdtd.case(words | {"domain": {"size": [2.4, 1.6], "resolution": 25, "background": "lossy"}}, material=[medium])
        scale = np.abs(uniform).max()
        self.assertLess(float(np.abs(uniform - body.run()["voxels/Ez"]).max() / scale), 1e-6)
        many = one + 1e-7 * np.arange(one.size).reshape(one.shape) * (1 + 0.3j)  # of up to 2.4e-4
        found = umov.fdtd.case(words, picture={"files": many, "wavelength": 0.8}).run()["voxels/Ez"]
        # A change of eps by 2.4e-4 moves phases by half of it in a path of some wavelengths.
        self.assertLess(float(np.abs(found - uniform).max() / scale), 5e-3)

    def test_arrays_go_in_without_a_copy(self):
        particle = np.zeros((100, 100, 100), np.int32)
        particle[:8, :8, :8] = 1
        nodes = np.random.default_rng(1).random((200000, 3))
        tetrahedra = np.zeros((1000000, 4), np.int32) + [0, 1, 2, 3]
        time, value = np.linspace(0, 1, 1000000), np.zeros(1000000)
        eps, regions = np.ones((1000, 1000), complex), np.zeros(1000000, np.uint8)
        words = {"run": {"analysis": "electrostatic"}, "material": [{"name": "oil", "permittivity": 2}],
                 "electrode": [{"name": "high", "amplitude": 1}]}
        for make, arrays in (
                (lambda: umov.dda.case(shape={"file": particle, "size": 1}, wavelength=5, m=1.5, machine=CORE)["shape.file"],
                 [particle]),
                (lambda: umov.eqs.case(words, mesh={"file": {"nodes": nodes, "tetrahedra": tetrahedra, "regions": (
                    regions, ["oil"])}}), [nodes, tetrahedra, regions]),
                (lambda: umov.fdtd.case(WAVES, source=[POINT | {"waveform": "samples", "file": (time, value)}]), [time, value]),
                (lambda: umov.fdtd.case(picture={"files": eps}, stop={"steps": 1}, source=[POINT]), [eps])):
            make()  # modules are loaded, tables of parameters made
            tracemalloc.start()  # hears of NumPy's memory
            case = make()
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertLess(peak, 0.05 * arrays[0].nbytes)
            if isinstance(case, str):
                continue
            kept = umov._inputs.of_case(case._tree.kept())
            seen = {address for one in kept for _, address, _ in umov._core.given(one.path)}
            self.assertTrue({a.ctypes.data for a in arrays} <= seen)
            self.assertFalse(any(os.path.exists(one.path) for one in kept))
        del case, kept, arrays, make
        gc.collect()
        self.assertEqual(sys.getrefcount(eps), sys.getrefcount(words))  # cases that are gone hold nothing

    def test_a_changed_array_is_refused(self):
        particle = np.ones((3, 3, 3), int)
        case = umov.dda.case(shape={"file": particle, "size": 0.3}, wavelength=0.55, m=1.5, machine=CORE)
        before = case.run()
        particle[0, 0, 0] = 0
        self.assertIn("argument 'shape.file': the array was changed", self.refusal(case.run))
        particle[0, 0, 0] = 1
        self.assertSameBits(before, case.run())

    def test_memory_and_files_give_the_same_bits(self):
        nodes, tetrahedra, triangles = cube()
        mesh = {"nodes": nodes, "tetrahedra": tetrahedra, "regions": "oil", "triangles": triangles,
                "surfaces": ["low", "low", "high", "high"]}
        corners = 0.45 * np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)])
        faces = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6],
                 [1, 3, 5], [3, 7, 5]]
        generator = np.random.default_rng(3)
        coated = np.ones((4, 5, 6), np.uint8)
        coated[1:3, 1:3, 1:3] = 2
        field = generator.normal(size=(coated.size, 3)) + 1j * generator.normal(size=(coated.size, 3))
        spectrum = np.column_stack([np.linspace(0.3, 1.2, 20), generator.random(20)])
        for case in (
                umov.dda.case(shape={"file": coated, "size": 0.6}, wavelength=2, material=[{"m": 1.5}, {"m": 1.2}],
                              source={"file_y": field, "file_x": 1j * field}, machine=CORE),
                umov.fdtd.case({"domain": {"size": [2, 2, 2], "resolution": 8}, "boundary": {"all": "pec"}, "stop": {"steps": 9},
                                "source": [POINT], "machine": CORE}, material=[{"name": "glass", "index": 1.5}],
                               body=[{"shape": "mesh", "material": "glass", "file": (corners, faces)}]),
                umov.fdtd.case(WAVES | {"domain": {"resolution": 10}}, source=[POINT],
                               picture={"files": 1 + generator.random((20, 30)) + 0.1j * generator.random((20, 30))}),
                umov.fdtd.case(WAVES | {"domain": {"resolution": 10}}, source=[POINT],
                               picture={"files": generator.integers(0, 99, (20, 30, 3), np.uint8)}),
                umov.eqs.case({"run": {"analysis": "electrostatic"}, "material": [{"name": "oil", "permittivity": 2}],
                               "electrode": [{"name": "high", "amplitude": 1}, {"name": "low", "kind": "ground"}],
                               "output": {"capacitance": True}, "machine": CORE}, mesh={"file": mesh, "order": 2}),
                small("harmonic").updated({"harmonic.spectrum": spectrum})):
            folder = self.folder()
            case.to_toml(folder / "case.toml")
            written = umov.load(folder / "case.toml", case.family)
            self.assertEqual(written._tree.kept(), [])
            self.assertSameBits(written.run(), case.run())
            again = pickle.loads(pickle.dumps(case))
            self.assertEqual(again, case)

    def test_tetrahedra_are_a_model_of_eqs(self):
        nodes, tetrahedra, triangles = cube()
        mesh = {"nodes": nodes, "tetrahedra": tetrahedra, "regions": "oil", "triangles": triangles,
                "surfaces": ["low", "low", "high", "high"]}
        words = {"run": {"analysis": "electrostatic"}, "material": [{"name": "oil", "permittivity": 2}], "machine": CORE,
                 "electrode": [{"name": "high", "amplitude": 1}, {"name": "low", "kind": "ground"}],
                 "output": {"capacitance": True}}
        case = umov.eqs.case(words, mesh={"file": mesh, "order": 2})
        # The field between plates is uniform, which elements of first order have exactly: C = eps A / d.
        capacitance = np.asarray(case.run()["capacitance"]).flat[0]
        self.assertAlmostEqual(capacitance / (2 * 8.8541878128e-12), 1, 9)
        block = types.SimpleNamespace
        like_meshio = block(points=nodes, cells=[block(type="triangle", data=triangles), block(type="tetra", data=tetrahedra)],
                            cell_data={"gmsh:physical": [[7, 7, 8, 8], [9] * 6]},
                            field_data={"low": (7, 2), "high": (8, 2), "oil": (9, 3)})
        self.assertEqual(umov.eqs.case(words, mesh={"file": like_meshio, "order": 2}), case)
        said = self.refusal(umov.eqs.case, words, mesh={"file": mesh | {"surfaces": ["low"]}})
        self.assertIn("1 surfaces for 4 triangles", said)

    def test_a_case_with_arrays_goes_through_files_and_pickles(self):
        case = umov.dda.case(shape={"file": np.ones((3, 3, 3), int), "size": 0.3}, wavelength=0.55, m=1.5, machine=CORE)
        folder, result = self.folder(), case.run()
        case.to_toml(folder / "case.toml")
        self.assertEqual(len(list(folder.iterdir())), 2)
        command("dda", folder / "case.toml", "--output-dir", folder / "out", "--quiet", "--no-pictures")
        names = [name for name in result.keys() if name.startswith("cross_sections/")]
        self.assertSameBits(umov.open(folder / "out"), result, names)
        (folder / "case.pickle").write_bytes(pickle.dumps(case))
        words = ("import pickle, sys, umov\nwith open(sys.argv[1], 'rb') as f: case = pickle.load(f)\n"
                 "print(float(case.run()['cross_sections/Y/Cext']).hex())")
        said = subprocess.run([sys.executable, "-c", words, folder / "case.pickle"], capture_output=True, text=True, check=True)
        self.assertEqual(float.fromhex(said.stdout), float(result["cross_sections/Y/Cext"]))
        self.assertEqual(pickle.loads(pickle.dumps(case)), case)

    def test_what_is_no_input_is_refused_with_its_place(self):
        for family, keywords, place in (
                ("dda", {"shape": {"file": np.ones((3, 3))}}, "argument 'shape.file': 2 dimensions"),
                ("dda", {"shape": {"file": lambda x, y, z: x > 0}}, "argument 'shape.file': a function without a grid"),
                ("dda", {"nk_file": [[1, 2]]}, "argument 'material.nk_file': an array of 1 x 2 (wanted are finite"),
                ("fdtd", {"body": [{"file": 3}]}, "argument 'body[0].file': no mesh"),
                ("eqs", {"mesh": {"file": np.ones(3)}}, "argument 'mesh.file': no mesh")):
            said = self.refusal(getattr(umov, family).case, **keywords)
            self.assertTrue(said.startswith(place), said)


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
