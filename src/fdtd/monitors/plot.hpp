// Curves and maps of results as data: which there are is said by the kinds of monitors, how they look by
// output/plots.cpp and output/field_pictures.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::fdtd {

/// The most that have colours of their own in a plot.
inline constexpr std::size_t most_curves = 8;

struct Curve {
  std::string name;
  std::vector<double> x, y;
  std::size_t color = 0;
  enum class Line { solid, dashed, faint } line = Line::solid;
};

/// How much a plot says of a run: the first that there is stands in its overview, none of the last.
enum class Says { most, orders, resonances, powers, spectra, beside };

/// Curves over frequency, c / unit.
struct Plot {
  std::string file;                    ///< name of its picture
  std::string title, quantity;         ///< of the plot, of its y axis
  std::vector<double> frequency = {};  ///< the x axis spans these
  std::vector<Curve> curves = {};
  std::optional<double> from = {}, to = {};  ///< of the y axis; the data's where unset
  Says says = Says::spectra;

  void add(std::string name, const std::vector<double>& x, const std::vector<double>& y,
           Curve::Line line = Curve::Line::solid) {
    curves.push_back({std::move(name), x, y, curves.size(), line});
  }
};

/// Values over the nodes of a region, for pictures of the planes through its middle.
struct NodeMap {
  std::string file;             ///< name of its pictures, which a frequency follows
  std::string title, quantity;  ///< of the pictures, of their colours
  std::vector<double> frequency;
  Vec3 origin{0, 0, 0};  ///< of the first node
  Int3 size{1, 1, 1};
  std::span<const float> values;  ///< [frequency][z][y][x], of the outcome

  std::size_t nodes() const { return std::size_t(size[0]) * size[1] * size[2]; }
};

}  // namespace umov::fdtd
