"""umov.meep: scripts for Meep give what Meep 1.25 gives (tests/data/meep), absent names are refused with what to write instead,
and what a run is left with on its way is what a run in one go has."""

import contextlib
import io
import math
import re
import runpy
import sys

from support import REPOSITORY, Test, np

import umov
import umov.meep as mp

SCRIPTS = REPOSITORY / "examples" / "meep"
FOUND_BY_MEEP = REPOSITORY / "tests" / "data" / "meep"


def rows(text, label):
    """Lines `label:, 1, 2` as lists of words and numbers."""
    found = [line.split(",")[1:] for line in text.splitlines() if line.startswith(f"{label}:,")]
    return [[float(w) if re.fullmatch(r" *[-+.\de]+ *", w) else w.strip() for w in row] for row in found]


def said_by(name):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        runpy.run_path(str(SCRIPTS / f"{name}.py"), run_name="__main__")
    return rows(said.getvalue(), name)


class AsMeep(Test):
    """Both programs are of second order in the cell and differ in how they average a cell that a surface cuts, in their layers
    and in where a monitor reads. Tolerances are what Meep's own numbers change by when its cells are halved, or less."""

    def setUp(self):
        self.before = mp.verbosity(0), dict(mp.machine)
        mp.machine["threads"] = 1

    def tearDown(self):
        mp.verbosity(self.before[0])
        mp.machine.clear()
        mp.machine.update(self.before[1])

    def agree(self, name, *tolerances, **of_rows):
        """tolerances: of each column, ("share", x) of Meep's number or ("off", x); of_rows: those of rows that begin with a
        word."""
        ours, theirs = said_by(name), rows((FOUND_BY_MEEP / f"{name}.txt").read_text(), name)
        self.assertEqual(len(ours), len(theirs), f"{ours}\n{theirs}")
        for one, other in zip(ours, theirs):
            for column, (kind, most) in enumerate(of_rows.get(one[0], tolerances)):
                if column < len(one) and isinstance(one[column], float):
                    allowed = most * abs(other[column]) if kind == "share" else most
                    self.assertLessEqual(abs(one[column] - other[column]), allowed, f"{name}, column {column}: {one} {other}")
                elif column < len(one):
                    self.assertEqual(one[column], other[column])

    def test_bend(self):
        # at 10 cells R and T of Meep are 0.01 off those at 20; layers of 1 at wavelengths of 8
        self.agree("bend", ("off", 0), ("off", 0.006), ("off", 0.006), ("share", 0.012))

    def test_ring(self):
        # at 20 cells Meep has 0.118171, 77.7; 0.147364, 341.5; 0.175648, 1659.6
        self.agree("ring", ("share", 5e-4), ("share", 0.11))

    def test_holes(self):
        self.agree("holes", ("off", 0), ("off", 3e-4), ("share", 0.005))

    def test_bands(self):
        self.agree("bands", ("off", 0), ("share", 5e-4))

    def test_slab(self):
        self.agree("slab", ("off", 0), ("off", 0), ("off", 3e-5), ("share", 1e-3))

    def test_dispersion(self):
        # the same differences of the same equations
        self.agree("dispersion", ("off", 0), ("share", 3e-6), ("share", 6e-6))

    def test_cylinder(self):
        self.agree("cylinder", ("off", 0), ("share", 0.004), ("share", 0.002))

    def test_dipole(self):
        # a thin block at 25 cells: 4.8 is the largest
        self.agree("dipole", ("off", 0), ("off", 0.1), ("share", 0.02))

    def test_grating(self):
        # 13 cells in the wavelength in glass
        self.agree("grating", ("off", 0), ("off", 0), ("off", 1e-3), ("off", 0.008))

    def test_cavity(self):
        # metal is cut to cells in Meep, so that its Q goes from 244 at 30 cells to 282 at 60; umov has 382 and 353
        self.agree("cavity", ("share", 3e-3), ("share", 0.01))

    def test_oblique(self):
        # what goes back is what two sheets of currents leave, of the order of (k dx)^2
        self.agree("oblique", ("off", 0), ("share", 0.015), ("share", 1e-5), backward=[("off", 0), ("off", 1e-3)])

    def test_taper(self):
        # Meep's reflections are 4.1e-5 and 5.4e-5 at 15 cells, 7.4e-5 and 8.7e-5 at 30; umov's 7.5e-5 and 8.8e-5 at both
        self.agree("taper", ("off", 0), ("off", 1e-4), ("share", 0.004),
                   reflected=[("off", 0), ("off", 4e-5), ("off", 4e-5)])

    # what a script sees

    def cell(self, **keywords):
        settings = dict(cell_size=mp.Vector3(4, 3), resolution=10, boundary_layers=[mp.PML(0.5)],
                        geometry=[mp.Cylinder(0.6, center=mp.Vector3(0.4), material=mp.Medium(index=2))],
                        sources=[mp.Source(mp.GaussianSource(1, fwidth=0.5), mp.Ez, mp.Vector3(-0.7, 0.3))])
        return mp.Simulation(**settings | keywords)

    def test_runs_in_parts_are_a_run_in_one_go(self):
        def fluxes(run):
            sim = self.cell()
            flux = sim.add_flux(1, 0.2, 3, mp.FluxRegion(center=mp.Vector3(1), size=mp.Vector3(0, 1)))
            run(sim)
            self.assertEqual(sim.timestep(), 800)
            return mp.get_fluxes(flux), sim.get_array(mp.Ez, size=mp.Vector3(4, 3))

        seen = []
        whole = fluxes(lambda sim: sim.run(until=40))
        parts = fluxes(lambda sim: [sim.run(mp.at_every(7, lambda s: seen.append(s.meep_time())), until=t) for t in (25, 15)])
        self.assertEqual(whole[0], parts[0])
        self.assertEqual(whole[1].tobytes(), parts[1].tobytes())
        np.testing.assert_allclose(seen, [7, 14, 21, 32, 39], atol=0.051)

    def test_short_parts_of_a_rising_pulse_are_no_divergence(self):
        # the energy grows more than ten thousandfold while the number of steps doubles
        seen = []
        sim = self.cell(resolution=20, geometry=[], sources=[mp.Source(mp.GaussianSource(0.25, fwidth=0.2), mp.Hz, mp.Vector3())])
        sim.run(mp.at_every(0.4, lambda s: seen.append(abs(s.get_field_point(mp.Hz, mp.Vector3())))), until=4)
        self.assertEqual(len(seen), 9)
        self.assertGreater(max(seen[5:]), 10 * max(seen[:2]))

    def test_a_monitor_added_on_the_way_counts_from_there(self):
        region = mp.FluxRegion(center=mp.Vector3(1), size=mp.Vector3(0, 1))
        sim = self.cell()
        whole = sim.add_flux(1, 0, 1, region)
        sim.run(until=12)
        before = sim.get_flux_data(whole)
        late = sim.add_flux(1, 0, 1, region)
        sim.run(until=30)
        both = {c: before[0][c] + sim.get_flux_data(late)[0][c] for c in before[0]}
        for c, values in sim.get_flux_data(whole)[0].items():
            np.testing.assert_allclose(both[c], values, rtol=0, atol=1e-6 * abs(values).max())

    def test_a_mirror_gives_what_the_whole_cell_gives(self):
        source = mp.Source(mp.GaussianSource(1, fwidth=0.5), mp.Hz, mp.Vector3(-0.7))
        found = []
        for mirrors in ([], [mp.Mirror(mp.Y, phase=-1)]):
            sim = self.cell(sources=[source], symmetries=mirrors)
            flux = sim.add_flux(1, 0, 1, mp.FluxRegion(center=mp.Vector3(1, 0.2), size=mp.Vector3(0, 1)))
            sim.run(until=12)
            found.append((mp.get_fluxes(flux)[0], sim.get_array(mp.Ey, size=mp.Vector3(4, 3)),
                          sim.get_field_point(mp.Hz, mp.Vector3(0.33, -0.41))))
        (a, field, point), (b, mirrored, other) = found
        self.assertAlmostEqual(b / a, 1, delta=2e-5)  # of single precision
        np.testing.assert_allclose(mirrored, field, rtol=0, atol=1e-5 * abs(field).max())
        self.assertAlmostEqual(point, other, delta=1e-5 * abs(field).max())

    def test_both_polarizations_are_a_cell_of_one_pixel_in_space(self):
        sources = [mp.Source(mp.GaussianSource(1, fwidth=0.5), c, mp.Vector3(-0.7, 0.3)) for c in (mp.Ez, mp.Hz)]
        region = mp.FluxRegion(center=mp.Vector3(1), size=mp.Vector3(0, 1))
        found = []
        for case in (sources, sources[:1], sources[1:]):
            sim = self.cell(sources=case)
            flux = sim.add_flux(1, 0, 1, region)
            sim.run(until=40)
            found.append(mp.get_fluxes(flux)[0])
        # the same steps in space and in the plane; the mean over a pixel's edges is of three axes and of two
        self.assertAlmostEqual(found[0], found[1] + found[2], delta=0.01 * found[0])

    def test_the_density_of_states_in_vacuum(self):
        # 1 / (2 pi) Im G is that of a line; Meep's is 4 times the power of a current of amplitude 1 over pi: f of E along it
        sim = mp.Simulation(cell_size=mp.Vector3(4, 4), resolution=20, boundary_layers=[mp.PML(1)],
                            sources=[mp.Source(mp.GaussianSource(1, fwidth=0.5), mp.Ez, mp.Vector3())])
        sim.run(mp.dft_ldos(1, 0, 1), until_after_sources=20)
        self.assertAlmostEqual(sim.ldos_data[0], 1, delta=0.02)  # (k dx)^2 / 8 of the grid

    def test_a_source_of_ones_own_is_the_current_it_says(self):
        pulse, found = mp.GaussianSource(1, fwidth=0.5), []
        own = mp.CustomSource(lambda t: np.exp(-2j * math.pi * (t - 10) - ((t - 10) / 2) ** 2 / 2))
        for source in (pulse, own):
            sim = self.cell(sources=[mp.Source(source, mp.Ez, mp.Vector3(-0.7, 0.3))])
            flux = sim.add_flux(1, 0, 1, mp.FluxRegion(center=mp.Vector3(1), size=mp.Vector3(0, 1)))
            sim.run(until=15)
            sim.run(until=25)  # a source without an end goes on in the second run
            found.append(mp.get_fluxes(flux)[0])
        self.assertAlmostEqual(found[1] / found[0], 1, delta=1e-3)  # the pulse is the derivative of a dipole, by f / f0

    def test_step_functions_are_called_when_meep_calls_them(self):
        calls = {}

        def note(name):
            return lambda sim: calls.setdefault(name, []).append(round(sim.meep_time(), 6))

        sim = self.cell(sources=[mp.Source(mp.GaussianSource(1, fwidth=2), mp.Ez, mp.Vector3())])
        sim.run(mp.at_beginning(note("beginning")), mp.at_end(note("end")), mp.at_time(3, note("time")),
                mp.after_sources(mp.at_every(2, note("after"))), mp.during_sources(mp.at_every(2, note("during"))), until=12)
        self.assertEqual(calls, {"beginning": [0], "end": [12], "time": [3], "after": [7, 9, 11], "during": [2, 4]})

    def test_names_that_are_not_here_are_refused_when_used(self):
        for use, words in [
            (lambda: mp.MaterialGrid(mp.Vector3(2, 2)), "MaterialGrid"),
            (lambda: mp.Simulation(mp.Vector3(1, 0, 1), 10, dimensions=mp.CYLINDRICAL).init_sim(), "cylindrical"),
            (lambda: mp.Medium(chi3=1), "linear"),
            (lambda: mp.Rotate2(mp.X), "Mirror"),
            (lambda: mp.adjoint.OptimizationProblem(), "umov.sweep"),
            (lambda: self.cell().solve_cw(), "solve_cw"),
            (lambda: mp.materials.LiNbO3, "LiNbO3"),
            (lambda: self.cell(epsilon_func=lambda p: 2), "epsilon_func"),
            (lambda: self.cell(sources=[mp.Source(mp.ContinuousSource(1), mp.Er, mp.Vector3())]).init_sim(), "cylindrical"),
        ]:
            with self.assertRaises(mp.NotHere) as caught:
                use()
            self.assertIn(words, str(caught.exception))
            self.assertIsInstance(caught.exception, (umov.BadInput, NotImplementedError))
        with self.assertRaises(AttributeError):
            mp.no_such_name

    def test_the_blocks_of_the_manual_run_in_order(self):
        page = (REPOSITORY / "docs" / "guide" / "meep.md").read_text(encoding="utf-8")
        blocks, names = re.findall(r"^```python\n(.*?)^```", page, flags=re.M | re.S), {}
        self.assertEqual(len(blocks), 2)
        try:
            with contextlib.redirect_stdout(io.StringIO()) as said:
                for block in blocks:
                    exec(compile(block, "docs/guide/meep.md", "exec"), names)
            self.assertEqual(said.getvalue().count(","), 4)
            self.assertIs(sys.modules["meep"], mp)
        finally:
            for name in ("meep", "meep.materials"):
                sys.modules.pop(name, None)

    def test_far_fields_carry_the_near_flux(self):
        sim = self.cell(geometry=[], resolution=20)
        faces = [(mp.Vector3(0.0, s * 0.8), mp.Vector3(2, 0), s) for s in (1, -1)]
        faces += [(mp.Vector3(s * 1.0), mp.Vector3(0, 1.6), s) for s in (1, -1)]
        regions = [mp.FluxRegion(c, size=s, weight=w) for c, s, w in faces]
        flux, far = sim.add_flux(1, 0, 1, *regions), sim.add_near2far(1, 0, 1, *regions)
        sim.run(until_after_sources=20)
        power, count = 0, 24
        for n in range(count):
            a = 2 * math.pi * n / count
            F = sim.get_farfield(far, mp.Vector3(math.cos(a), math.sin(a)).scale(50))
            power += 2 * math.pi * 50 / count * (np.conj(F[2]) * (F[3] * math.sin(a) - F[4] * math.cos(a))).real
        self.assertAlmostEqual(power / mp.get_fluxes(flux)[0], 1, delta=0.02)


class EveryStep(Test):
    def test_functions_see_the_fields_of_the_run_at_every_step(self):
        before = mp.verbosity(0), dict(mp.machine)
        mp.machine["threads"] = 1
        try:
            def cell():
                return mp.Simulation(cell_size=mp.Vector3(2, 2), resolution=10, sources=[mp.Source(
                    mp.ContinuousSource(1), component=mp.Ez, center=mp.Vector3())])

            at, seen, spectra = mp.Vector3(0.3, 0.2), [], []
            sim = cell()
            flux = sim.add_flux(1, 0, 1, mp.FluxRegion(center=mp.Vector3(0.5), size=mp.Vector3(0, 1)))

            def look(sim):
                seen.append((sim.timestep(), sim.get_field_point(mp.Ez, at)))
                if sim.timestep() == 15:  # only a run that has stopped can tell: it is called once more there
                    spectra.append(mp.get_fluxes(flux)[0])

            sim.run(look, until=1)
            steps = [step for step, _ in seen]
            self.assertEqual(steps, [*range(16), 15, *range(16, 20)])
            other = cell()
            stopped = other.add_flux(1, 0, 1, mp.FluxRegion(center=mp.Vector3(0.5), size=mp.Vector3(0, 1)))
            for until, number in ((0.5, 10), (0.25, 15)):
                other.run(until=until)
                self.assertEqual(dict(seen)[number], other.get_field_point(mp.Ez, at))
            self.assertEqual(spectra, mp.get_fluxes(stopped))
            ended = cell()
            ended.run(until=lambda sim: sim.timestep() >= 7)
            self.assertEqual(ended.timestep(), 7)
            self.assertEqual(ended.get_field_point(mp.Ez, at), dict(seen)[7])
        finally:
            mp.verbosity(before[0])
            mp.machine.clear()
            mp.machine.update(before[1])


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
