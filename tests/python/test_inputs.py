"""Arrays, functions and meshes where a case names a file."""

import pickle
import subprocess
import sys
import types

import umov
from support import CORE, Test, command, np

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
        self.assertEqual(of_function, of_array)
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
        self.assertIn("uint8", self.refusal(umov.fdtd.case, picture={"files": np.ones((3, 3))}))

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
