// Arrays that are held in memory, as viewers are shown them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "view/array.hpp"
#include "view/data.hpp"

namespace umov::view {

/// A field of cells[0] x cells[1] x cells[2] values, x fastest. `squares`: reduced as means of squares.
Maker stored_field(std::shared_ptr<const std::vector<float>> values, const Int3& cells, bool squares = false);

/// Columns of equal length, the first the abscissa.
Maker stored_curve(std::vector<std::vector<double>> columns);

Maker stored_text(std::string text);

/// A catalogue that grows, with the makers of what is in it.
class Shelf {
 public:
  /// Adds an array and returns its id; without a maker it is live.
  int add(ArrayInfo, Maker = nullptr);
  /// A curve with names and units of its columns; its shape is filled in.
  int add_curve(ArrayInfo, std::vector<std::vector<double>> columns);

  Catalogue catalogue;
  std::map<int, Maker> makers;
};

}  // namespace umov::view
