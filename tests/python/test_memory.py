"""A thousand runs in one process leave its memory as it was, of every family and of scripts for Meep."""

import gc
import resource

import umov
import umov.meep as mp
from support import CORE, Test, np

GLASS = {"name": "glass", "index": 1.5}


def kilobytes():
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1024


def cube():
    """Six tetrahedra between plates, as arrays."""
    nodes = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
    tetrahedra = np.array([[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]])
    return {"nodes": nodes, "tetrahedra": tetrahedra, "regions": "oil",
            "triangles": np.array([[0, 1, 3], [0, 3, 2], [4, 5, 7], [4, 7, 6]]), "surfaces": ["low", "low", "high", "high"]}


class Memory(Test):
    def flat(self, once, runs=1000, settling=100):
        """The memory after so many more runs is within 1 % of what it was. The allocator settles before: it keeps what the
        largest part of a run took, in pieces of its own."""
        for _ in range(settling):
            once()
        before = kilobytes()
        for _ in range(runs):
            once()
        self.assertLess(kilobytes() - before, 0.01 * before)

    def test_dda(self):
        material = np.ones((2, 2, 2), np.int8)
        self.flat(lambda: umov.dda.run(shape={"file": material.copy(), "size": 0.1}, wavelength=0.5, m=1.5, machine=CORE)[
            "cross_sections/Y/Cext"])

    def test_mie(self):
        self.flat(lambda: umov.mie(x=1, m=1.5, angles=2)["Qext"])

    def test_fdtd(self):
        eps = np.full((6, 20), 2.0)
        self.flat(lambda: umov.fdtd.run(
            picture={"files": eps.copy()}, boundary={"all": "pec"}, stop={"steps": 5}, machine=CORE,
            source=[{"kind": "point", "component": "Ez", "frequency": 1}])["voxels/Ez"])

    def test_harmonic(self):
        self.flat(lambda: umov.harmonic.run(
            harmonic={"wavelengths": [0.6], "superstrate": "vacuum", "substrate": "glass"}, material=[GLASS],
            layer=[{"name": "film", "material": "glass", "thickness": 0.1}], machine=CORE))

    def test_eqs(self):
        mesh = cube()
        self.flat(lambda: umov.eqs.run(
            mesh={"file": mesh, "order": 2}, run={"analysis": "electrostatic"}, material=[{"name": "oil", "permittivity": 2}], machine=CORE,
            electrode=[{"name": "high", "amplitude": 1}, {"name": "low", "kind": "ground"}]))

    def test_modes(self):
        self.flat(lambda: umov.modes.run(
            modes={"wavelengths": [1.0], "normal": "x", "position": 0, "count": 1}, boundary={"all": "pec"}, domain={"size": [1, 2], "resolution": 10},
            material=[GLASS], body=[{"shape": "box", "material": "glass", "size": [4, 0.4]}], machine=CORE), 300)

    def test_meep(self):
        before = mp.verbosity(0), dict(mp.machine)
        mp.machine["threads"] = 1
        seen = []

        def once():
            sim = mp.Simulation(cell_size=mp.Vector3(1, 1), resolution=10,
                                sources=[mp.Source(mp.ContinuousSource(1), component=mp.Ez, center=mp.Vector3())])
            flux = sim.add_flux(1, 0, 1, mp.FluxRegion(center=mp.Vector3(0.3), size=mp.Vector3(0, 0.4)))
            sim.run(lambda s: seen.append(s.get_field_point(mp.Ez, mp.Vector3())), until=0.5)
            mp.get_fluxes(flux)
            seen.clear()

        try:
            self.flat(once, 200, 50)
        finally:
            mp.verbosity(before[0])
            mp.machine.clear()
            mp.machine.update(before[1])


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
