"""`pip install .` and `cmake --install`, from what is built already: the package works where it was put."""

import importlib.util
import os
import subprocess
import sys

from support import REPOSITORY, Test

PROGRAM = "import umov; print(umov.mie(x=1, m=1.5)['Qext'], umov.__file__)"


class Install(Test):
    def run_in(self, python, path=None):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        if path:
            environment["PYTHONPATH"] = str(path)
        return subprocess.run([python, "-c", PROGRAM], env=environment, check=True, capture_output=True, text=True,
                              cwd=self.folder()).stdout.split()

    def test_pip_makes_a_wheel_that_works(self):
        if not importlib.util.find_spec("pip") or not importlib.util.find_spec("ensurepip"):
            self.skipTest("pip and venv are not here (python3-pip, python3-venv)")
        folder = self.folder()
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder], check=True)
        python = folder / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--quiet",
                        "--disable-pip-version-check", REPOSITORY], check=True, stdout=subprocess.DEVNULL)
        qext, place = self.run_in(python)
        self.assertGreater(float(qext), 0)
        self.assertTrue(place.startswith(str(folder)))

    def test_cmake_installs_the_module_with_the_library(self):
        folder = self.folder()
        subprocess.run(["cmake", "--install", os.environ["UMOV_BUILD"], "--prefix", folder], check=True,
                       stdout=subprocess.DEVNULL)
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        qext, place = self.run_in(sys.executable, folder / "lib" / version / "site-packages")
        self.assertGreater(float(qext), 0)
        self.assertTrue(place.startswith(str(folder)))


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
