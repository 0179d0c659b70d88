"""What the tests of the Python module share: small cases of every family, the program, comparisons to the last bit."""

import os
import pathlib
import subprocess
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("NumPy is not here (python3-numpy)")

import umov

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("UMOV_BINARY", REPOSITORY / "build" / "bin" / "umov")
CORE = {"backend": "cpu", "threads": 1}

SPHERE = {"shape": {"name": "sphere", "grid": 8}, "m": 1.5 + 0.1j, "machine": CORE}


def small(name, **keywords):
    """A case of tests/memcheck on one core."""
    return umov.load(REPOSITORY / "tests" / "memcheck" / f"{name}.toml").updated(machine=CORE, **keywords)


def small_cases():
    """A case of every family with a command."""
    return [umov.dda.case(SPHERE), small("plane_tm"), small("harmonic"), small("layers")]


def takes_time(name):
    """What a run took: no result."""
    return "seconds" in name or "per_second" in name or name.startswith("timings/")


def physics(resolved):
    """Lines of a resolved case but for what a library has otherwise than files by default."""
    section, lines = "", []
    for line in resolved.splitlines():
        section = line if line.startswith("[") else section
        if section not in ("[output]", "[checkpoint]"):
            lines.append(line)
    return lines


def command(*words, expect=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    if done.returncode != expect:
        raise AssertionError(f"umov {' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


class Test(unittest.TestCase):
    def folder(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return pathlib.Path(made.name)

    def refusal(self, function, *arguments, **keywords):
        with self.assertRaises(umov.BadInput) as caught:
            function(*arguments, **keywords)
        return str(caught.exception)

    def assertSameBits(self, one, other, names=None):
        names = [name for name in names or one.keys() if not takes_time(name)]
        self.assertTrue(names)
        for name in names:
            self.assertIn(name, other)
            a, b = one[name], other[name]
            self.assertEqual((a.dtype, a.shape, a.unit), (b.dtype, b.shape, b.unit), name)
            self.assertEqual(np.asarray(a).tobytes(), np.asarray(b).tobytes(), name)
