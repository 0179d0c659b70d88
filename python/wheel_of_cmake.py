"""`pip install .`: a wheel of what CMake builds and installs. Needs CMake, Ninja and a compiler, and nothing of Python's.

UMOV_BUILD names a build folder that is there already; UMOV_CMAKE_FLAGS has further words for CMake.
"""

import base64
import hashlib
import os
import pathlib
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
STEM = f"{PROJECT['name']}-{PROJECT['version']}"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def _metadata():
    lines = ["Metadata-Version: 2.1", f"Name: {PROJECT['name']}", f"Version: {PROJECT['version']}",
             f"Summary: {PROJECT['description']}", f"License: {PROJECT['license']['text']}",
             f"Requires-Python: {PROJECT['requires-python']}",
             *(f"Requires-Dist: {name}" for name in PROJECT["dependencies"]),
             "Description-Content-Type: text/markdown", "", (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")]
    return "\n".join(lines)


def _tag():
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{version}-{version}-{platform}"


def _cmake(*words):
    subprocess.run(["cmake", *map(str, words)], check=True)


def _install(prefix):
    """Configures, builds and installs the package below a folder."""
    build = pathlib.Path(os.environ.get("UMOV_BUILD") or ROOT / "build" / "wheel")
    if not (build / "CMakeCache.txt").exists():
        _cmake("-S", ROOT, "-B", build, "-G", "Ninja", "-DUMOV_TESTS=OFF", "-DUMOV_PYTHON=ON",
               f"-DPython3_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("UMOV_CMAKE_FLAGS", "")))
    _cmake("--build", build, "--target", "umov_package")
    _cmake("--install", build, "--prefix", prefix, "--component", "python")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"{STEM}-{_tag()}.whl"
    info = f"{STEM}.dist-info"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(
            pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        _install(folder)
        record = []

        def add(path, content):
            wheel.writestr(path, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}")

        for file in sorted(pathlib.Path(folder).rglob("*")):
            if file.is_file():
                add(file.relative_to(folder).as_posix(), file.read_bytes())
        add(f"{info}/METADATA", _metadata().encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: umov\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode())
        wheel.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,", ""]))
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"{STEM}.tar.gz"
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz") as archive:
        for file in filter(None, files.split("\0")):
            archive.add(ROOT / file, f"{STEM}/{file}")
    return name
