// A reader under attack: a function that is given a file, and the contract that it must keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace umov::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// A reader of files with one ending. It may return, or throw BadInput or MachineFailure; nothing else.
struct Target {
  const char* name;    ///< also the folder of its corpus
  const char* ending;  ///< of the file's name, with the dot
  void (*read)(const std::string& path);
};

/// The targets linked into this program.
std::vector<Target>& targets();

/// Writes the bytes to a file in memory and has them read. BadInput and MachineFailure are answers; whatever
/// else is thrown goes through.
void attack(const Target&, std::span<const std::uint8_t> bytes);

struct Registration {
  explicit Registration(const Target& t) { targets().push_back(t); }
};

}  // namespace umov::fuzz

/// FUZZ_TARGET(png, ".png") { shapes::read_picture(path); }
#define FUZZ_TARGET(NAME, ENDING)                                                          \
  static void read_##NAME(const std::string& path);                                        \
  static const umov::fuzz::Registration registration_##NAME({#NAME, ENDING, read_##NAME}); \
  static void read_##NAME([[maybe_unused]] const std::string& path)
