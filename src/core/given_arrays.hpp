// Arrays where a case names a file: those that a program gives, whose numbers stay where they are, and
// NumPy's files of one (NPY).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov {

enum class NumberKind { boolean, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, c64, c128 };

/// Numbers row by row, the last axis fastest, in the byte order of this machine. The place of the first need
/// not be a multiple of its size.
struct GivenArray {
  std::string name;  ///< which one of a mesh's: "vertices"; "" of one alone
  NumberKind kind = NumberKind::f64;
  std::vector<std::size_t> shape;
  const std::byte* data = nullptr;

  std::size_t size() const;
  bool is_whole() const { return kind <= NumberKind::u64; }
  bool is_complex() const { return kind >= NumberKind::c64; }
  long long whole(std::size_t i) const;  ///< of whole numbers; what is beyond 63 bits is the largest
  double real(std::size_t i) const;      ///< the real part of complex ones
  cplx value(std::size_t i) const;
};

/// What stands for one file. Its owner keeps the numbers.
struct GivenArrays {
  std::string said;  ///< where it was given, for messages: "argument 'shape.file'", or the path of the file
  std::vector<GivenArray> arrays;
  std::map<std::string, std::vector<std::string>> names = {};  ///< of what an array numbers: groups of a mesh
  std::shared_ptr<const void> owner = {};

  /// Throws BadInput where there is none of this name.
  const GivenArray& at(const std::string& name) const;
  bool has(const std::string& name) const;
};

/// Lets readers find arrays under the path that the case names, for as long as what comes back is held. Those
/// that are there already stay.
std::shared_ptr<const GivenArrays> give_arrays(const std::string& path, GivenArrays);

/// Those under a path; none where it is a file, or nothing. From any thread.
std::shared_ptr<const GivenArrays> given_arrays(const std::string& path);

/// Those under a path, or of the NPY file there; none where it is another file. Throws BadInput for a damaged
/// NPY file, and for numbers that are not read: texts, records, another byte order.
std::shared_ptr<const GivenArrays> read_arrays(const std::string& path);

}  // namespace umov
