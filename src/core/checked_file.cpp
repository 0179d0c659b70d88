// The check of a file that ends with its digest, in pieces: a checkpoint may be as large as the memory.
#include "core/checked_file.hpp"

#include <algorithm>
#include <memory>

#include "core/error.hpp"
#include "core/input_file.hpp"

namespace umov {

std::size_t checked_size(const std::string& path, const std::string& what) {
  check_input_file(path, what);
  const auto damaged = [&] {
    throw BadInput(path + ": the " + what +
                   " is cut short or damaged (its contents do not match its checksum); run the case again");
  };
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const auto length = in ? std::streamoff(in.tellg()) : std::streamoff(-1);
  std::uint64_t stored = 0;
  if (length < std::streamoff(sizeof stored)) damaged();
  const std::size_t size = std::size_t(length) - sizeof stored;
  constexpr std::size_t piece = 1 << 20;
  const auto buffer = std::make_unique<char[]>(piece);
  Digest digest;
  in.seekg(0);
  for (std::size_t left = size; left > 0;) {
    const std::size_t n = std::min(left, piece);
    if (!in.read(buffer.get(), std::streamsize(n))) damaged();
    digest.add(buffer.get(), n);
    left -= n;
  }
  if (!in.read(reinterpret_cast<char*>(&stored), sizeof stored) || stored != digest.value()) damaged();
  return size;
}

}  // namespace umov
