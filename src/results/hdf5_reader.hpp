// What the program wrote as HDF5, read again: names first, values when they are asked for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "results/result.hpp"

namespace umov::results {

/// A quantity per voxel in a file.
struct StoredImage {
  std::string path;  ///< in the file
  std::string name, unit, description;
  int components = 1;
  bool is_label = false;
};

/// A number or an array of a file.
struct StoredArray {
  std::string name, unit, description;
  std::vector<std::size_t> shape;
  double value = 0;  ///< of a single number
};

struct StoredFile {
  std::vector<std::pair<std::string, std::string>> attributes;  ///< texts of the root
  std::vector<StoredArray> arrays;
  // the image, if there is one
  Int3 cells{0, 0, 0};
  Vec3 origin{0, 0, 0}, spacing{1, 1, 1};
  std::vector<StoredImage> images;
};

/// Throws BadInput naming the file: no HDF5, damaged, or not written by this program.
StoredFile list_hdf5(const std::string& path);

/// Values of one component of an image over lo <= (i, j, k) < hi, x fastest. Throws BadInput.
std::vector<float> read_image(const std::string& path, const StoredImage&, int component, const Int3& lo,
                              const Int3& hi);

/// All values of an array that `list_hdf5` named, in its order. Throws BadInput.
std::vector<double> read_list(const std::string& path, const std::string& name);

/// What write_hdf5 wrote, but for tables: arrays of double, float and complex numbers, texts, and the image,
/// whose values the Result owns. Throws BadInput naming the file.
Result read_hdf5(const std::string& path);

}  // namespace umov::results
