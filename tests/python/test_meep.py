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

    def test_crossed(self):
        # 7 cells in the wavelength in glass: at 13 Meep has 0.736, 0.010 and 0.726
        self.agree("crossed", ("off", 0), ("off", 0.01))

    def test_strip(self):
        # at 20 cells Meep's reflections are 0.0097, 0.0135 and 0.0170 and umov's 0.0097, 0.0137 and 0.0170, which at 10 are up to
        # 0.0018 less; transmissions stay apart at any number of cells (docs/guide/meep.md)
        self.agree("strip", ("off", 0), ("off", 0.002), ("off", 0.015))

    def test_ground(self):
        # the formula that the script prints: Meep is up to 0.08 off it at 20 cells, umov 0.02
        for _, power, exact in said_by("ground"):
            self.assertLess(abs(power - exact), 0.03)

    def test_sphere(self):
        self.agree("sphere", ("off", 0), ("share", 0.003))
        # Mie's series; six cells in the wavelength in glass at the highest frequency, where Meep is as far off
        for frequency, efficiency in said_by("sphere"):
            exact = float(umov.mie(radius=1, wavelength=1 / frequency, m=2)["Qsca"])
            self.assertLess(abs(efficiency / exact - 1), 0.025)

    def test_modes_of_a_plane_in_space_carry_the_flux_of_a_strip(self):
        sim = mp.Simulation(
            cell_size=mp.Vector3(5, 5, 4.6), geometry=[mp.Block(mp.Vector3(mp.inf, 1, 0.6), material=mp.Medium(index=2.4))],
            sources=[mp.EigenModeSource(mp.GaussianSource(0.4, fwidth=0.1), center=mp.Vector3(-1.4), size=mp.Vector3(0, 3.4, 3))],
            boundary_layers=[mp.PML(0.8)], resolution=10)
        planes = [sim.add_mode_monitor(0.4, 0.05, 3, mp.ModeRegion(center=mp.Vector3(x), size=mp.Vector3(0, 3.4, 3)))
                  for x in (-0.8, 1.4)]
        sim.run(until_after_sources=25)
        one, two = (sim.get_eigenmode_coefficients(m, [1], eig_parity=mp.ODD_Y + mp.EVEN_Z) for m in planes)
        self.assertEqual(one.vgrp.shape, (3,))
        for k in range(3):
            # nothing is in the way; what the source radiates beside its own frequency is in the flux, not in the mode
            self.assertAlmostEqual(abs(two.alpha[0, k, 0] / one.alpha[0, k, 0]) ** 2, 1, delta=5e-4)
            self.assertLess(abs(one.alpha[0, k, 1] / one.alpha[0, k, 0]) ** 2, 1e-4)
        flux = mp.get_fluxes(planes[1])[1]
        self.assertAlmostEqual(abs(two.alpha[0, 1, 0]) ** 2 / flux, 1, delta=2e-3)

    def test_what_modes_of_a_plane_in_space_are_refused(self):
        sim = mp.Simulation(cell_size=mp.Vector3(1, 1, 3), resolution=10, k_point=mp.Vector3(),
                            boundary_layers=[mp.PML(0.5, direction=mp.Z)],
                            sources=[mp.Source(mp.GaussianSource(1, fwidth=0.2), mp.Ex, mp.Vector3(), size=mp.Vector3(1, 1))])
        whole = sim.add_mode_monitor(1, 0, 1, mp.ModeRegion(center=mp.Vector3(0, 0, 0.5), size=mp.Vector3(1, 1)))
        part = sim.add_mode_monitor(1, 0, 1, mp.ModeRegion(center=mp.Vector3(0, 0, 0.5), size=mp.Vector3(0.5, 1)))
        sim.run(until=1)
        straight = mp.DiffractedPlanewave((0, 0, 0), mp.Vector3(0, 1, 0), 1, 0)
        for given, error, words in ((lambda: sim.get_eigenmode_coefficients(whole, [1]), mp.NotHere, "DiffractedPlanewave"),
                                    (lambda: sim.get_eigenmode_coefficients(part, straight), mp.NotHere, "whole cell"),
                                    (lambda: sim.get_eigenmode_coefficients(
                                        whole, mp.DiffractedPlanewave((0, 0, 0), mp.Vector3(0, 0, 1), 1, 0)), ValueError, "axis")):
            with self.assertRaisesRegex(error, words):
                given()

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
        self.assertEqual(len(seen), 10)
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

    def test_complex_fields_without_a_period_are_those_of_meep(self):
        # Meep 1.25, in double precision; differences are those of the two programs' cells and layers
        meep = {"point": 0.1275268 + 0.3764562j, "energy": 1.1467682, "flux": 1.2815905, "dft": -0.0969481 - 1.7634484j}

        def cell(force, amplitude):
            return mp.Simulation(
                cell_size=mp.Vector3(4, 4), resolution=10, boundary_layers=[mp.PML(1)], force_complex_fields=force,
                sources=[mp.Source(mp.GaussianSource(0.6, fwidth=0.3), mp.Ez, mp.Vector3(-0.5, 0.3), amplitude=amplitude)])

        sim, seen = cell(True, 1 + 0.3j), []
        flux = sim.add_flux(0.6, 0, 1, mp.FluxRegion(mp.Vector3(0.8), size=mp.Vector3(0, 1)))
        dft = sim.add_dft_fields([mp.Ez], 0.6, 0, 1, center=mp.Vector3(), size=mp.Vector3(1, 1))
        sim.run(mp.at_every(9, lambda s: seen.append(s.get_field_point(mp.Ez, mp.Vector3(0.5)))), until=18.01)
        self.assertEqual(len(seen), 2)
        self.assertTrue(all(v.imag for v in seen))
        self.assertEqual(sim.get_array(mp.Ez).dtype, complex)
        point = sim.get_field_point(mp.Ez, mp.Vector3(0.5))
        self.assertAlmostEqual(point, meep["point"], delta=0.003)
        box = mp.Volume(mp.Vector3(), size=mp.Vector3(2, 2))
        self.assertAlmostEqual(sim.field_energy_in_box(box), meep["energy"], delta=0.06 * meep["energy"])  # a source in it
        for part, amplitude in ((point.real, 1 + 0.3j), (point.imag, -1j * (1 + 0.3j))):
            one = cell(False, amplitude)
            one.run(until=18.01)
            self.assertEqual(one.get_field_point(mp.Ez, mp.Vector3(0.5)).real, part)
        sim.run(until=22)
        self.assertAlmostEqual(mp.get_fluxes(flux)[0], meep["flux"], delta=0.01 * meep["flux"])
        self.assertAlmostEqual(sim.get_dft_array(dft, mp.Ez, 0)[5, 5], meep["dft"], delta=0.01)

    def test_arrays_in_space_are_the_fields_on_the_way(self):
        sim, seen = mp.Simulation(cell_size=mp.Vector3(2, 1.6, 1.6), resolution=6, boundary_layers=[mp.PML(0.4)],
                                  sources=[mp.Source(mp.GaussianSource(0.6, fwidth=0.6), mp.Ez, mp.Vector3())]), []

        def look(s):
            seen.append(s.get_array(mp.Ez, size=mp.Vector3(1, 1, 1)))

        sim.run(mp.at_time(2, look), until=3)
        other = mp.Simulation(cell_size=sim.cell_size, resolution=6, boundary_layers=sim.boundary_layers, sources=sim.sources)
        other.run(until=1)
        other.run(until=1)
        np.testing.assert_array_equal(other.get_array(mp.Ez, size=mp.Vector3(1, 1, 1)), seen[0])
        self.assertEqual(seen[0].ndim, 3)
        self.assertGreater(abs(seen[0]).max(), 1e-4)

    def test_decay_of_transforms_ends_a_run_in_single_precision(self):
        sim = self.cell(geometry=[])
        sim.add_flux(1, 0, 1, mp.FluxRegion(mp.Vector3(1), size=mp.Vector3(0, 1)))
        sim.run(until_after_sources=mp.stop_when_dft_decayed(maximum_run_time=400))
        self.assertLess(sim.meep_time(), 200)

    def line(self, source):
        return mp.Simulation(cell_size=mp.Vector3(0, 0, 4), dimensions=1, resolution=20, boundary_layers=[mp.PML(1)],
                             sources=[mp.Source(source, mp.Ex, mp.Vector3())])

    def test_a_wave_rises_and_ends_as_that_of_meep(self):
        # Ex at 0.5 from the source at times 2, 4, ..., 20 of Meep 1.25, rounded to 1e-4; a wave of 0.5
        for keywords, meep in [
            ({"width": 2.0}, [-0.0038, -0.0359, 0.0375, 0.4117, 0.1333, -0.4171, -0.3924, 0.1765, 0.5016, 0.1334]),
            ({"width": 2.0, "cutoff": 1.0}, [-0.14, -0.3299, 0.1681, 0.4968, 0.1347, -0.4191, -0.3954, 0.1784, 0.5037, 0.1312]),
            ({"width": 1.0, "start_time": 3.3, "end_time": 14.0},
             [0.0, -0.0021, -0.0055, 0.4611, 0.1154, -0.1396, -0.0015, -0.0003, 0.0003, 0.0003]),
        ]:
            sim, found = self.line(mp.ContinuousSource(0.6, **keywords)), []
            sim.run(mp.at_every(2, lambda s: found.append(s.get_field_point(mp.Ex, mp.Vector3(0, 0, 0.5)).real)), until=20)
            np.testing.assert_allclose(found, meep, rtol=0, atol=0.004)  # layers of 1 at wavelengths of 1.7

    def test_a_short_pulse_is_cut_as_that_of_meep(self):
        def flux(**keywords):
            sim = self.line(mp.GaussianSource(1, fwidth=0.4, **keywords))
            flux = sim.add_flux(1, 0, 1, mp.FluxRegion(mp.Vector3(0, 0, 0.8)))
            sim.run(until_after_sources=10)
            return mp.get_fluxes(flux)[0]

        whole = flux()
        for cutoff in (2, 3):
            # the transform of a cut Gaussian at its middle; Meep's share at 3 is 0.99426
            self.assertAlmostEqual(flux(cutoff=cutoff) / whole, math.erf(cutoff / math.sqrt(2)) ** 2,
                                   delta=0.03 if cutoff == 2 else 0.002)

    def test_a_run_ends_at_the_first_step_not_before_its_end_and_functions_are_called_there(self):
        for until, end in ((1, 1.0), (1.03, 1.1)):
            steps, halves = [], []
            sim = mp.Simulation(cell_size=mp.Vector3(2, 2), resolution=5, sources=[
                mp.Source(mp.GaussianSource(1, fwidth=1), mp.Ez, mp.Vector3())])
            sim.run(lambda s: steps.append(s.meep_time()), mp.at_every(0.5, lambda s: halves.append(s.meep_time())), until=until)
            np.testing.assert_allclose(steps, np.arange(round(end * 10) + 1) / 10, atol=1e-12)
            np.testing.assert_allclose(halves, [0.5, 1.0], atol=1e-12)
            self.assertAlmostEqual(sim.meep_time(), end)

    def test_a_function_that_asks_for_transforms_is_called_each_time_it_is_due(self):
        sim, seen = self.cell(), []
        flux = sim.add_flux(1, 0, 1, mp.FluxRegion(mp.Vector3(1), size=mp.Vector3(0, 1)))

        def look(s):
            seen.append((round(s.meep_time(), 6), mp.get_fluxes(flux)[0]))

        sim.run(mp.at_every(4, look), until=12)
        self.assertEqual([t for t, _ in seen], [4, 8, 12])
        self.assertEqual(seen[-1][1], mp.get_fluxes(flux)[0])

    def test_what_is_given_wrong_is_an_error_with_its_name(self):
        pulse = mp.GaussianSource(1, fwidth=0.2)
        for use, kind, word in [
            (lambda: self.cell(cell_size=mp.Vector3(-2, 2)), ValueError, "cell_size"),
            (lambda: self.cell(cell_size=mp.Vector3(math.nan, 2)), ValueError, "cell_size"),
            (lambda: mp.Cylinder(-1), ValueError, "radius"),
            (lambda: mp.Cylinder(1, height=-1), ValueError, "height"),
            (lambda: mp.Sphere(-1), ValueError, "Sphere"),
            (lambda: mp.GaussianSource(1, fwidth=-0.2), ValueError, "fwidth"),
            (lambda: mp.GaussianSource(1, fwitdh=0.2), TypeError, "fwitdh"),
            (lambda: mp.Source(pulse, "Ez", mp.Vector3()), TypeError, "mp.Ez"),
            (lambda: mp.Medium(epsilon="3"), TypeError, "epsilon"),
            (lambda: self.cell().add_flux(1, 0, 1, mp.FluxRegion(mp.Vector3()), dec=3), TypeError, "dec"),
            (lambda: self.cell().plot2D(filds=mp.Ez), TypeError, "filds"),
            (lambda: umov.sweep(umov.mie, {"m": [1.5]}), TypeError, "mie"),
            (lambda: self.cell().get_array("Ez"), TypeError, "mp.Ez"),
            (lambda: self.cell().set_epsilon(2), mp.NotHere, "set_epsilon"),
            (lambda: mp.merge_subgroup_data([1]), mp.NotHere, "merge_subgroup_data"),
            (lambda: mp.geometric_objects_lattice_duplicates(None, []), mp.NotHere, "geometric_objects_duplicates"),
        ]:
            with self.assertRaises(kind) as caught:
                use()
            self.assertIn(word, str(caught.exception))

    def test_a_picture_ends_with_its_plane(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not here")
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        sim = self.cell()
        ax = sim.plot2D(output_plane=mp.Volume(mp.Vector3(0.5), size=mp.Vector3(3, 2)), eps_parameters={"contour": True})
        x, y, _, _ = sim.get_array_metadata(center=mp.Vector3(0.5), size=mp.Vector3(3, 2))
        np.testing.assert_allclose([*ax.get_xlim(), *ax.get_ylim()], [x[0], x[-1], y[0], y[-1]])
        plt.close("all")

    def test_the_first_process_speaks(self):
        import types
        import unittest.mock

        world = types.SimpleNamespace(Get_rank=lambda: 1, Get_size=lambda: 2)
        self.assertTrue(mp.am_master())
        with unittest.mock.patch.dict(sys.modules, {"mpi4py.MPI": types.SimpleNamespace(COMM_WORLD=world)}):
            self.assertEqual((mp.am_master(), mp.my_rank(), mp.count_processors()), (False, 1, 2))

    def test_files_have_the_names_of_meep(self):
        import os
        import tempfile

        script = os.path.splitext(os.path.basename(sys.modules["__main__"].__file__))[0]
        with tempfile.TemporaryDirectory() as folder:
            sim = self.cell(filename_prefix="q")
            names = []
            step = mp.with_prefix("p-", lambda s: names.append(s.file_name("ez", ".h5")))
            step(sim)
            self.assertEqual((names, sim.filename_prefix), (["p-q-ez.h5"], "q"))
            sim.use_output_directory(folder)
            self.assertEqual(sim.file_name("ez", ".h5"), os.path.join(folder, f"{script}-ez.h5"))

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
            self.assertEqual(steps, [*range(16), 15, *range(16, 21)])
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
