// An HDF5 file of results whose image is there before the rest of it, to be filled by whoever has its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "results/result.hpp"

namespace umov::results {

/// Where in a file the values of an array of an image lie, plane after plane of its last axis, as they are
/// stored: little-endian floats of 8 or 4 bytes in order x, y, z of the points.
struct StoredPlanes {
  std::uint64_t offset = 0;       ///< of the first plane, in bytes
  std::uint64_t plane_bytes = 0;  ///< from one to the next
};

/// Room for a plane on its way to a file: pages of new memory cost as much as what is put there.
struct PlaneBuffer {
  std::vector<double> slice, plane;
  std::vector<float> single;
};

/// Plane z of an array of an image as it is stored there, in the buffer. Host memory is little-endian.
std::span<const std::byte> stored_plane(const VoxelGrid&, const VoxelArray&, int z, PlaneBuffer&);
/// The planes that the values of plane z fill: 2 where the image repeats its only one.
int stored_copies(const VoxelGrid&);

/// What write_hdf5 writes, in two parts. It lies aside until it is complete; destroyed before, it leaves
/// nothing. Errors are those of write_hdf5.
class ImageFile {
 public:
  /// `path`: where it will be.
  explicit ImageFile(const std::string& path);

  const std::string& path() const { return file_.path(); }
  const std::string& aside() const { return file_.aside(); }

  /// Makes room for the arrays of an image, which may get more of them later, and says where. Their `fill` is
  /// not called: what is not put there is zero. No labels: these are compressed.
  std::vector<StoredPlanes> add(const VoxelGrid&);

  /// All of the result but the arrays that are there. The file is in its place then.
  void complete(const Result&);

 private:
  AsideFile file_;
  std::vector<std::string> there_;
};

}  // namespace umov::results
