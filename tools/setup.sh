#!/usr/bin/env bash
# Installs what umov needs from the distribution's packages (Debian 12, Ubuntu 24.04). Quick when all is there.
# usage: tools/setup.sh [build|test|fuzz|page]
set -euo pipefail
packages=(g++ cmake make ninja-build pkg-config ccache git ca-certificates
  libfftw3-dev libhdf5-dev libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
  libboost-dev libcairo2-dev libpng-dev libgif-dev libeigen3-dev libspectra-dev libgmsh-dev libmetis-dev fonts-dejavu-core)
kind=${1:-build}
if [ "$kind" = page ]; then packages=(chromium fonts-dejavu-core ca-certificates)  # npm comes with node 20.19 or later, which these distributions do not have
elif [ "$kind" != build ]; then packages+=(libgtest-dev gmsh python3-minimal xz-utils libopenmpi-dev openmpi-bin libmpich-dev mpich openssh-client); fi
if [ "$kind" = fuzz ]; then packages+=(libclang-rt-dev); fi  # libFuzzer; g++ compiles

missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all packages are there"
  exit 0
fi
echo "setup: installing ${missing[*]}"
sudo=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: run as root, or install: ${missing[*]}" >&2; exit 4; }
  sudo=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "setup: done"
