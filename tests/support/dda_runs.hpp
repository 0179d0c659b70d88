// Dipole runs for tests of physics: a particle without any symmetry, ways to turn it, and distances between
// results.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dda/adda/front.hpp"
#include "support/adda_cases.hpp"
#include "support/dda_case.hpp"

namespace umov::test {

/// A folder of its own for the input files of a test; gone at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "umov_physics_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make a folder like " + name);
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    const auto file = path_ / name;
    std::ofstream(file) << text;
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

/// Occupied sites and their materials, in the order of a shape file.
using Sites = std::map<Int3, int>;

/// Two materials on 7 x 11 x 5 sites: a box that lacks one quarter (an L) and a corner, cut obliquely into
/// materials. No rotation or mirror maps it on itself.
inline Sites cut_box() {
  Sites sites;
  for (int z = 0; z < 5; ++z) {
    for (int y = 0; y < 11; ++y) {
      for (int x = 0; x < 7; ++x) {
        const bool quarter = x > 3 && y > 5, corner = x < 2 && y < 3 && z > 2;
        if (!quarter && !corner) sites[{x, y, z}] = x + 2 * y + 3 * z < 14 ? 2 : 1;
      }
    }
  }
  return sites;
}

/// The sites under a linear map of the lattice on itself, given by its rows.
using LatticeMap = std::array<Int3, 3>;
inline Vec3 mapped(const LatticeMap& rows, const Vec3& v) {
  Vec3 w{};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) w[i] += rows[i][k] * v[k];
  }
  return w;
}
inline Sites mapped(const LatticeMap& rows, const Sites& sites) {
  Sites out;
  for (const auto& [p, material] : sites) {
    Int3 q{};
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) q[i] += rows[i][k] * p[k];
    }
    out[q] = material;
  }
  return out;
}

/// ADDA's text format for several materials.
inline std::string shape_text(const Sites& sites) {
  int materials = 0;
  for (const auto& [p, material] : sites) materials = std::max(materials, material);
  std::string text = fmt::format("Nmat={}\n", materials);
  for (const auto& [p, material] : sites) text += fmt::format("{} {} {} {}\n", p[0], p[1], p[2], material);
  return text;
}

/// Two absorbing materials, 12 dipoles per wavelength (vacuum), lit obliquely: kd = 0.52, box 3.7 x 5.8
/// x 2.6.
inline const std::string cut_box_options =
    " -m 1.5 0.1 1.3 0.4 -lambda 6.283185307179586 -dpl 12 -ntheta 12 -scat_matr both";
inline const std::string oblique = " -prop 1 2 3 -orient 10 20 30";

inline DipoleCase simulation(const std::string& command) {
  auto parsed = dda::adda::parse_adda_command(words(command));
  DipoleCase sim{parsed.simulation, parsed.machine};
  sim.outputs.hdf5 = sim.outputs.pictures = false;
  return sim;
}

inline dda::Outcome run(const std::string& command, const std::function<void(DipoleCase&)>& change = {}) {
  auto sim = simulation(command);
  sim.machine.backend = "cpu";
  if (change) change(sim);
  return run(sim);
}

/// UMOV_TEST_BACKENDS=serial,cpu,cuda chooses; without it `otherwise`.
inline std::vector<std::string> test_backends(const std::string& otherwise = "serial,cpu") {
  const char* asked = std::getenv("UMOV_TEST_BACKENDS");
  std::string list = asked && *asked ? asked : otherwise;
  std::replace(list.begin(), list.end(), ',', ' ');
  return words(list);
}

/// Largest difference of Cext and Cabs over the polarizations both have, relative to each number.
inline double cross_section_distance(const dda::Outcome& a, const dda::Outcome& b) {
  EXPECT_EQ(a.polarizations.size(), b.polarizations.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.polarizations.size(), b.polarizations.size()); ++i) {
    const auto &p = a.polarizations[i].cross, &q = b.polarizations[i].cross;
    largest = std::max({largest, std::abs(p.cext / q.cext - 1), std::abs(p.cabs / q.cabs - 1)});
  }
  return largest;
}

/// Largest difference of any Mueller element at any angle, relative to the largest of b.
inline double mueller_distance(const std::vector<dda::ScatteringRow>& a,
                               const std::vector<dda::ScatteringRow>& b) {
  EXPECT_EQ(a.size(), b.size());
  EXPECT_FALSE(a.empty());
  double scale = 0, largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    for (int k = 0; k < 16; ++k) {
      scale = std::max(scale, std::abs(b[i].mueller[k]));
      largest = std::max(largest, std::abs(a[i].mueller[k] - b[i].mueller[k]));
    }
  }
  return largest / scale;
}

/// The same for the amplitude matrices, which unlike Mueller matrices show a wrong common phase.
inline double amplitude_distance(const std::vector<dda::ScatteringRow>& a,
                                 const std::vector<dda::ScatteringRow>& b) {
  EXPECT_EQ(a.size(), b.size());
  double scale = 0, largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    for (int k = 0; k < 4; ++k) {
      scale = std::max(scale, std::abs(b[i].amplitude[k]));
      largest = std::max(largest, std::abs(a[i].amplitude[k] - b[i].amplitude[k]));
    }
  }
  return largest / scale;
}

/// Everything at once.
inline double distance(const dda::Outcome& a, const dda::Outcome& b) {
  return std::max({cross_section_distance(a, b), mueller_distance(a.plane, b.plane),
                   amplitude_distance(a.plane, b.plane)});
}

}  // namespace umov::test
