"""Processes of mpirun that compute a case together, in a program that has begun MPI by itself (mpi4py)."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import REPOSITORY

BUILD = os.environ.get("UMOV_BUILD", REPOSITORY / "build")

SCRIPT = """
from mpi4py import MPI
import umov
result = umov.dda.run(size=0.4, wavelength=0.55, m=1.5, shape={"grid": 10}, machine={"threads": 1})
if MPI.COMM_WORLD.rank == 0:
    print("Cext", repr(float(result["cross_sections/Y/Cext"])), MPI.COMM_WORLD.allreduce(1))
else:
    MPI.COMM_WORLD.allreduce(1)
"""


def why_not():
    if not shutil.which("mpirun"):
        return "no mpirun"
    if not os.path.exists(os.path.join(BUILD, "bin", "libumov_openmpi.so")):
        return "built without Open MPI"
    asked = subprocess.run([sys.executable, "-c", "from mpi4py import MPI; print(MPI.Get_library_version())"],
                           capture_output=True, text=True)
    return "" if "Open MPI" in asked.stdout else "no mpi4py of Open MPI"


@unittest.skipIf(why_not(), why_not())
class Ranks(unittest.TestCase):
    def cext(self, processes):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "script.py")
            with open(script, "w", encoding="utf-8") as out:
                out.write(SCRIPT)
            words = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processes), sys.executable, "-B", script]
            ended = subprocess.run(words, capture_output=True, text=True, timeout=120)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        (line,) = [line for line in ended.stdout.splitlines() if line.startswith("Cext")]
        _, value, together = line.split()
        self.assertEqual(int(together), processes)
        return float(value)

    def test_a_program_that_has_begun_mpi_computes_with_all_its_processes(self):
        # Sums of the solver in another order: its tolerance is 1e-5.
        self.assertAlmostEqual(self.cext(2) / self.cext(1), 1, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
