// The container every writer reads: named arrays with units, what produced them, and data on a voxel grid.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/types.hpp"

namespace umov::results {

/// An array of `shape` (row-major; empty shape = a single number) with its unit ("1" = none, as in "um^2").
/// '/' in the name makes groups: "cross_sections/Y/Cext".
struct Array {
  std::string name, unit, description;
  std::vector<std::size_t> shape;
  std::variant<std::vector<double>, std::vector<cplx>, std::vector<float>> data;

  std::size_t size() const;
};

/// A quantity per voxel, made slice by slice so that no copy of the whole volume is held. The producers
/// refer to the Outcome they came from, which must outlive the Result.
struct VoxelArray {
  std::string name, unit, description;
  int components = 1;
  bool is_label = false;  ///< small integers, stored in one byte
  /// Fills [ny][nx][components] of slice z; the buffer arrives zeroed. Threads fill several slices at once.
  std::function<void(int z, std::span<double> slice)> fill;
  bool single = false;  ///< stored as float, where the source is no better
};

/// Voxels [nz][ny][nx] with the corner of the first at `origin`; lengths in the family's unit (dda: um).
struct VoxelGrid {
  Int3 cells{0, 0, 0};
  Vec3 origin{0, 0, 0}, spacing{1, 1, 1};
  std::vector<VoxelArray> arrays;
  bool repeat_flat = false;  ///< a grid of one layer is written as two equal ones, not as one and a void one
};

/// Where the cells of a column come from: item (row / repeat) % cycle of an array, which is `offset` numbers
/// into each `stride` of them, or numbers and texts that only the table has.
struct Cells {
  static constexpr std::size_t no_array = std::size_t(-1);
  std::size_t array = no_array;  ///< place in Result::arrays
  std::size_t rows = 0, repeat = 1, cycle = 1, stride = 1, offset = 0;
  bool imaginary = false;
  std::vector<double> values = {};
  std::vector<std::string> texts = {};
};

/// A column of a table; of a stacked one with cells for each of its sections.
struct Column {
  std::string name, unit;  ///< "1": none
  std::vector<Cells> cells;
};

/// Arrays of a Result side by side, for writers of tables. Filled by a Section.
struct Table {
  std::string name;  ///< of its file, without an ending
  std::vector<std::string> comments = {};
  bool stacked = false;  ///< sections stand below each other, not side by side
  std::vector<Column> columns = {};
};

struct Result {
  std::vector<Array> arrays;
  std::vector<Table> tables;
  std::vector<std::pair<std::string, std::string>> attributes;  ///< provenance: version, device, ...
  VoxelGrid voxels;
  bool for_paraview = true;  ///< an image, even if there is nothing in it; decides the ending of its file

  /// The array of that name, or nullptr.
  const Array* find(const std::string& name) const;
  void add(std::string name, std::string unit, std::string description, double value);
  void add(std::string name, std::string unit, std::string description, std::vector<double> values,
           std::vector<std::size_t> shape = {});
  void add(std::string name, std::string unit, std::string description, std::vector<cplx> values,
           std::vector<std::size_t> shape = {});
  /// Stored as float.
  void add(std::string name, std::string unit, std::string description, std::vector<float> values,
           std::vector<std::size_t> shape = {});
};

/// Each text on a line of its own: lists among the attributes.
std::string lines_of(const std::vector<std::string>& texts);

}  // namespace umov::results
