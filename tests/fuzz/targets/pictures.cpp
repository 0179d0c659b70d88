// Pictures of every format, and what a drawing becomes in a domain.
#include <zlib.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "fdtd/scene.hpp"
#include "fuzz/target.hpp"

namespace umov {
namespace {

std::uint32_t big_endian(const std::uint8_t* p) {
  return std::uint32_t(p[0]) << 24 | std::uint32_t(p[1]) << 16 | std::uint32_t(p[2]) << 8 | p[3];
}

/// The checksums of a PNG's chunks made right: without that, no changed chunk is looked into.
void repair_chunks(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  auto* data = reinterpret_cast<std::uint8_t*>(bytes.data());
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = big_endian(data + at);
    if (length > bytes.size() - at - 12) break;
    const auto sum = std::uint32_t(crc32(0, data + at + 4, uInt(length + 4)));
    for (int k = 0; k < 4; ++k) data[at + 8 + length + k] = std::uint8_t(sum >> (24 - 8 * k));
    at += length + 12;
  }
  std::ofstream(path, std::ios::binary) << bytes;
}

void draw(const std::string& path) {
  fdtd::Simulation sim;
  sim.picture.emplace();
  sim.picture->files = {path};
  fdtd::apply_picture(sim);
}

}  // namespace

FUZZ_TARGET(png, ".png") {
  repair_chunks(path);
  draw(path);
}
FUZZ_TARGET(bmp, ".bmp") { draw(path); }
FUZZ_TARGET(jpeg, ".jpg") { draw(path); }
FUZZ_TARGET(tiff, ".tif") { draw(path); }
FUZZ_TARGET(tga, ".tga") { draw(path); }

}  // namespace umov
