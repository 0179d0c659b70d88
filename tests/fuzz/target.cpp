// One attack: the input becomes a file, its reader answers or fails.
#include "fuzz/target.hpp"

#include <fstream>

#include "core/error.hpp"
#include "support/temp_folder.hpp"

namespace umov::fuzz {

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

void attack(const Target& target, std::span<const std::uint8_t> bytes) {
  static const test::TempFolder folder;
  const std::string path = folder / (std::string("input") + target.ending);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  try {
    target.read(path);
  } catch (const BadInput&) {
  } catch (const MachineFailure&) {
  }
}

}  // namespace umov::fuzz
