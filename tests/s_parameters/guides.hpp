// Guides between metal plates in two dimensions, whose waves on the grid are known exactly, and the program's
// S-parameters of them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "results/hdf5_reader.hpp"
#include "support/program.hpp"

namespace umov::test {

/// E along z between plates at y = -height / 2 and height / 2, cells of dx, in double precision.
struct Plates {
  double height = 1, length = 6, resolution = 20, courant = 0.9;

  double dx() const { return 1 / resolution; }
  double dt() const { return courant * dx() / std::sqrt(2.0); }
  /// (2 / dt)^2 sin^2(w dt / 2)
  double time_term(double f) const { return std::pow(2 / dt() * std::sin(pi * f * dt()), 2); }
  /// The same of mode m across.
  double across(int m) const { return std::pow(2 / dx() * std::sin(m * pi * dx() / (2 * height)), 2); }
  /// Of a medium of permittivity eps: the Yee grid's dispersion along the plates.
  double beta(double f, int m = 1, double eps = 1) const {
    return 2 / dx() * std::asin(std::sqrt(eps * time_term(f) - across(m)) * dx() / 2);
  }
  std::string domain() const {
    return fmt::format(
        "[domain]\nsize = [{}, {}]\nresolution = {}\ncourant = {}\n[boundary]\nx = \"pml\"\ny = \"pec\"\n"
        "[machine]\nprecision = \"double\"\nbackend = \"cpu\"\n",
        length, height, resolution, courant);
  }
  static std::string port(const std::string& name, const std::string& direction, double x, double y,
                          double height) {
    return fmt::format("[[port]]\nname = \"{}\"\ncenter = [{}, {}]\nsize = [0, {}]\ndirection = \"{}\"\n",
                       name, x, y, height, direction);
  }
  /// Two ports, "a" at -at and "b" at at.
  std::string ports(double at) const {
    return port("a", "-x", -at, 0, height) + port("b", "+x", at, 0, height);
  }
};

/// What the program left in a folder.
struct Scattering {
  std::size_t rows = 0, columns = 0;
  std::vector<double> frequency, index;
  std::vector<cplx> s, in;
  cplx at(std::size_t f, std::size_t i, std::size_t j) const { return s.at((f * rows + i) * columns + j); }
};

template <class T>
std::vector<T> stored(const results::Result& r, const std::string& name) {
  const auto* a = r.find(name);
  if (!a) return ADD_FAILURE() << "no " << name, std::vector<T>{};
  return std::get<std::vector<T>>(a->data);
}

inline Scattering scattering_in(const fs::path& folder) {
  const auto r = results::read_hdf5((folder / "results.h5").string());
  Scattering out;
  out.s = stored<cplx>(r, "s"), out.in = stored<cplx>(r, "in");
  out.frequency = stored<double>(r, "frequency");
  out.index = stored<double>(r, "effective_index");
  const auto& shape = r.find("s")->shape;
  out.rows = shape.at(1), out.columns = shape.at(2);
  return out;
}

/// `umov fdtd` of the case, in the folder `out`.
inline Scattering scattering_of(const TemporaryFolder& folder, const std::string& text,
                                const std::string& more = "") {
  folder.write("case.toml", text);
  const auto ended = run(folder, "fdtd case.toml --quiet --no-pictures --output-dir out " + more);
  EXPECT_EQ(ended.code, 0) << ended.err;
  if (ended.code != 0) return {};
  return scattering_in(folder / "out");
}

/// Largest departure of the columns' power from 1, and of S from its transpose.
inline double unitarity(const Scattering& s) {
  double worst = 0;
  for (std::size_t f = 0; f < s.frequency.size(); ++f)
    for (std::size_t j = 0; j < s.columns; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < s.rows; ++i) sum += std::norm(s.at(f, i, j));
      worst = std::max(worst, std::abs(sum - 1));
    }
  return worst;
}
inline double asymmetry(const Scattering& s) {
  double worst = 0;
  for (std::size_t f = 0; f < s.frequency.size(); ++f)
    for (std::size_t j = 0; j < s.columns; ++j)
      for (std::size_t i = 0; i < s.rows; ++i)
        worst = std::max(worst, std::abs(s.at(f, i, j) - s.at(f, j, i)));
  return worst;
}

}  // namespace umov::test
