"""Runs: the bits of the command line, stops, threads, many runs in one process."""

import gc
import resource
import signal
import subprocess
import sys
import threading
import time
import warnings

import umov
from support import CORE, SPHERE, Test, command, np, physics, small, small_cases


class Runs(Test):
    def test_bits_are_those_of_the_command_line(self):
        for case in small_cases():
            if case.family == "dda":
                case = case.updated({"output.hdf5": True, "output.internal_fields": True})
            folder = self.folder()
            case.to_toml(folder / "case.toml")
            command(case.family, folder / "case.toml", "--output-dir", folder / "out", "--quiet", "--no-pictures")
            by_command = umov.open(folder / "out")
            by_python = case.run()
            self.assertSameBits(by_command, by_python)
            by_file = getattr(umov, case.family).run(folder / "case.toml")
            self.assertSameBits(by_command, by_file)
            self.assertEqual(physics(by_command.case.plan().resolved), physics(case.plan().resolved))

    def test_flags_and_keywords_are_one_case(self):
        folder = self.folder()
        command("dda", "--size", 1, "--wavelength", 0.55, "--m", "1.5,0.02", "--shape-grid", 8, "--cpu", "--threads", 1,
                "--output-dir", folder / "out", "--quiet", "--no-pictures")
        result = umov.dda.run(size=1, wavelength=.55, m=1.5 + .02j, shape={"grid": 8}, machine=CORE)
        self.assertSameBits(umov.open(folder / "out"), result, result.cross_sections.keys() and
                            [f"cross_sections/{key}" for key in result.cross_sections.keys()])

    def test_a_callback_sees_progress_and_stops_a_run(self):
        for case in small_cases():
            seen = []
            with self.assertRaises(umov.Interrupted):
                case.run(callback=lambda fraction, text: seen.append((fraction, text)) or len(seen) < 3)
            self.assertEqual(len(seen), 3)
            self.assertTrue(all(0 <= fraction <= 1 and text for fraction, text in seen))

    def test_a_watch_sees_fields_and_stops_a_run(self):
        case, seen = small("plane_tm"), []

        def watch(moment):
            seen.append((moment.step, moment.time, moment["Ez"].copy()))
            self.assertEqual(moment["Ez"].dims, ("z", "y", "x"))
            kept.append(moment)

        kept = []
        result = case.run(watch=watch, every=50)
        self.assertSameBits(case.run(), result)
        steps = int(result["run/steps"])
        self.assertEqual([step for step, *_ in seen], list(range(50, steps + 1, 50)))
        self.assertAlmostEqual(seen[0][1] / 50, float(result["grid/dt"]), 12)
        self.assertGreater(np.abs(seen[0][2]).max(), 0)
        self.assertFalse(np.array_equal(seen[0][2], seen[-1][2]))
        self.assertEqual(kept[0]["Hx"].shape, seen[0][2].shape) if "Hx" in kept[0].fields else None
        late = []
        case.run(watch=late.append, every=200)
        with self.assertRaisesRegex(RuntimeError, "has gone on"):
            late[0].fields
        with self.assertRaises(umov.Interrupted):
            case.run(watch=lambda moment: moment.step < 100, every=50)
        state = self.folder() / "state"
        with self.assertRaises(umov.Interrupted):
            case.run(watch=lambda moment: False, every=50, checkpoint=state)
        self.assertSameBits(result, case.run(resume=state))
        with self.assertRaisesRegex(LookupError, "of the watch"):
            case.run(watch=lambda moment: moment["nothing"] if False else self.fail_with(LookupError("of the watch")))

        potentials = []
        layers = small("layers")
        found = layers.run(watch=lambda moment: potentials.append(moment["potential"].copy()), every=2)
        self.assertSameBits(layers.run(), found)
        self.assertEqual(len(potentials), int(found["run/steps"]) // 2)
        with self.assertRaises(umov.Interrupted):
            layers.run(watch=lambda moment: False)

    def fail_with(self, error):
        raise error

    def test_a_watch_hears_of_iterations(self):
        for case in (umov.dda.case(SPHERE), small("harmonic")):
            seen = []
            result = case.run(watch=lambda moment: seen.append((moment.step, moment.time, float(moment["residual"]))), every=2)
            self.assertSameBits(case.run(), result)
            self.assertEqual([step for step, *_ in seen], list(range(2, 2 * len(seen) + 1, 2)))
            self.assertTrue(all(time == residual for _, time, residual in seen))
            self.assertLess(min(residual for *_, residual in seen), 0.1)
            with self.assertRaises(umov.Interrupted):
                case.run(watch=lambda moment: False)

    def test_a_watch_where_fields_lie_apart_is_refused(self):
        self.assertIn("several ranks", self.refusal(small("plane_tm", ranks=2).run, watch=print))
        case = small("plane_tm")
        with self.assertRaises(TypeError):
            case.run(every=3)
        with self.assertRaises(TypeError):
            case.run(watch=3)
        with self.assertRaises(ValueError):
            case.run(watch=print, every=0)

    def test_an_exception_in_a_callback_ends_the_run_and_nothing_else(self):
        case = small("plane_tm")

        def fail(fraction, text):
            raise LookupError("of the callback")

        for _ in range(3):
            with self.assertRaisesRegex(LookupError, "of the callback"):
                case.run(callback=fail)
        self.assertTrue(case.run().converged)
        with self.assertRaises(TypeError):
            case.run(callback=3)

    def test_a_process_forked_after_a_run_says_that_it_would_hang(self):
        words = ("import os, umov; case = umov.dda.case(size=.3, wavelength=.55, m=1.5, shape={'grid': 6}); case.run()\n"
                 "child = os.fork()\n"
                 "if not child:\n"
                 "    try: case.run()\n"
                 "    except RuntimeError as e: os._exit(7 if 'forked' in str(e) else 8)\n"
                 "    os._exit(9)\n"
                 "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), float(case.run().converged))")
        done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, timeout=100)
        self.assertEqual(done.stdout.split(), ["7", "1.0"], done.stderr)

    def test_a_stopped_run_goes_on_to_the_same_bits(self):
        case, state = small("plane_tm"), self.folder() / "state"
        with self.assertRaises(umov.Interrupted):
            case.run(checkpoint=state, callback=lambda fraction, text: fraction < 0.5)
        self.assertTrue((state / "checkpoint").exists())
        self.assertSameBits(case.run(), case.run(resume=state))
        self.assertIn("argument 'resume': no folder", self.refusal(case.run, resume=True))

    def test_control_c_saves_a_checkpoint_and_raises(self):
        program = """
import os, signal, sys
import umov
case = umov.load(sys.argv[1]).updated({"stop.time": 1e6})
def tell(fraction, text):
    if fraction > 0: print("runs", flush=True)
try:
    case.run(checkpoint=sys.argv[2], callback=tell if sys.argv[3] == "told" else None)
except KeyboardInterrupt:
    print("interrupted")
    try:
        umov.load(sys.argv[1]).run()  # the module goes on working
        print("again")
    finally:
        sys.exit(0 if signal.getsignal(signal.SIGINT) is signal.default_int_handler else 5)
"""
        folder = self.folder()
        case = small("plane_tm")
        for told in ("told", "quiet"):
            state = folder / told
            if told == "quiet":  # its first state says that it runs
                case = case.updated({"checkpoint.interval": 0.1})
            case.to_toml(folder / "case.toml")
            run = subprocess.Popen([sys.executable, "-W", "ignore", "-c", program, folder / "case.toml", state, told],
                                   stdout=subprocess.PIPE, text=True)
            if told == "told":
                self.assertEqual(run.stdout.readline(), "runs\n")
            else:
                while not (state / "checkpoint").exists():
                    time.sleep(0.05)
            run.send_signal(signal.SIGINT)
            said = run.communicate(timeout=120)[0]
            self.assertEqual(run.returncode, 0, said)
            self.assertTrue(said.endswith("interrupted\nagain\n"), said)
            self.assertTrue((state / "checkpoint").exists())

    def test_runs_in_threads_do_not_disturb_each_other(self):
        cases = small_cases() * 2
        alone = [case.run() for case in cases[:4]] * 2
        found, failed = [None] * len(cases), []

        def run(i):
            try:
                if i == 1:  # one of them is stopped by its callback
                    try:
                        cases[i].run(callback=lambda fraction, text: False)
                    except umov.Interrupted:
                        pass
                found[i] = cases[i].run()
            except BaseException as e:
                failed.append(e)

        threads = [threading.Thread(target=run, args=(i,)) for i in range(len(cases))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])
        for one, other in zip(alone, found):
            self.assertSameBits(one, other)

    def test_the_lock_is_released_while_solving(self):
        case, begun, ended = small("plane_tm").updated({"stop.time": 60}), threading.Event(), threading.Event()
        steps = []

        def run():
            begun.set()
            case.run()
            ended.set()

        thread = threading.Thread(target=run)
        thread.start()
        begun.wait()
        while not ended.is_set():
            steps.append(time.perf_counter())
            time.sleep(0.001)
        thread.join()
        self.assertGreater(len(steps), 10)

    def test_many_runs_in_one_process_leak_nothing(self):
        sphere = umov.dda.case(SPHERE).updated({"shape.grid": 4})

        def once():
            sphere.run()["cross_sections/Y/Cext"]
            umov.mie(x=1, m=1.5, angles=2)

        def kilobytes():
            gc.collect()
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * resource.getpagesize() / 1024

        for _ in range(100):
            once()
        before = kilobytes()
        for _ in range(1000):
            once()
        # A result of this case is 100 kB; the allocator itself settles within 2 MB.
        self.assertLess(kilobytes() - before, 4000)

    def test_a_short_run_costs_little_more_from_python(self):
        case = umov.fdtd.case(
            domain={"size": [6.4, 6.4], "resolution": 10, "polarization": "tm"}, stop={"time": 6.8}, machine=CORE,
            source=[{"kind": "point", "component": "Ez", "frequency": 0.5, "waveform": "continuous"}])
        result = case.run()
        least = 1e9
        for _ in range(30):
            begun = time.perf_counter()
            result = case.run()
            least = min(least, time.perf_counter() - begun - float(result["run/seconds"]))
        self.assertEqual(list(result["grid/cells"]), [64, 64, 1])
        self.assertLess(least, 2e-3, f"s beside {int(result['run/steps'])} steps")

    def test_warnings_are_python_s(self):
        gold = umov.dda.case(shape={"grid": 8, "size": .1}, wavelength=.6, m=.2 + 3.3j, machine=CORE)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = gold.run()
        self.assertIn("accuracy = '1%'", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)
        self.assertEqual(len(result.warnings), len(caught))


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
