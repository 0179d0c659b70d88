#!/usr/bin/env bash
# Installs what umov needs from the distribution's packages (Debian 12, Ubuntu 24.04). Quick when all is there.
# usage: tools/setup.sh [build|test|fuzz|page|site]
set -euo pipefail
packages=(g++ cmake make ninja-build pkg-config ccache git ca-certificates
  libfftw3-dev libhdf5-dev libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
  libboost-dev libcairo2-dev libpng-dev libgif-dev libeigen3-dev libgmsh-dev libmetis-dev fonts-dejavu-core)
optional=(libjpeg-dev libtiff-dev)  # pictures in JPEG and TIFF; without them umov refuses these two
kind=${1:-build}
if [ "$kind" = page ]; then optional=() packages=(chromium fonts-dejavu-core ca-certificates)  # npm comes with node 20.19 or later, which these distributions do not have
elif [ "$kind" = site ]; then optional=()
  packages=(python3-sphinx furo python3-myst-parser python3-nbsphinx python3-sphinxcontrib.bibtex python3-ipykernel jupyter-nbconvert pandoc
    python3-numpy python3-matplotlib python3-jsonschema)
elif [ "$kind" != build ]; then optional+=(python3-jsonschema python3-scipy python3-xarray python3-matplotlib python3-mpi4py python3-pip python3-venv)  # parts of the Python module's tests
  packages+=(libgtest-dev gmsh python3-dev python3-numpy pybind11-dev xz-utils libopenmpi-dev openmpi-bin libmpich-dev mpich openssh-client); fi
if [ "$kind" = fuzz ]; then packages+=(libclang-rt-dev); fi  # libFuzzer; g++ compiles

lacking() {
  for p in "$@"; do dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || echo "$p"; done
}
mapfile -t missing < <(lacking "${packages[@]}")
mapfile -t wished < <(lacking "${optional[@]}")
if [ ${#missing[@]} -eq 0 ] && [ ${#wished[@]} -eq 0 ]; then
  echo "setup: all packages are there"
  exit 0
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null; then sudo=sudo
  elif [ ${#missing[@]} -gt 0 ]; then echo "setup: run as root, or install: ${missing[*]}" >&2; exit 4
  else echo "setup: all packages are there but ${wished[*]}, which are optional"; exit 0; fi
fi
export DEBIAN_FRONTEND=noninteractive
update() { $sudo apt-get update -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20; }
install() { $sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
if [ ${#missing[@]} -gt 0 ]; then
  echo "setup: installing ${missing[*]}"
  update
  install "${missing[@]}"
fi
if [ ${#wished[@]} -gt 0 ]; then
  echo "setup: installing ${wished[*]}"
  { [ ${#missing[@]} -gt 0 ] || update; } && install "${wished[@]}" || echo "setup: they cannot be had, and are optional"
fi
echo "setup: done"
