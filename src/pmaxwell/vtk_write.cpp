// Writer of rectilinear grids in VTK's legacy format.
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/atomic_file.hpp"
#include "pmaxwell/vtk_file.hpp"

namespace umov::pmaxwell {

namespace {

template <class T, class Bits>
void put(AtomicFile& file, std::span<const T> values, bool text, int per_line) {
  constexpr std::size_t block = 4096;
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (text) {
      out += fmt::format("{}{}", values[i], (i + 1) % per_line == 0 || i + 1 == values.size() ? "\n" : " ");
    } else {
      Bits bits = std::bit_cast<Bits>(values[i]);
      char bytes[sizeof bits];
      for (int b = int(sizeof bits) - 1; b >= 0; --b, bits >>= 8) bytes[b] = char(bits & 0xff);
      out.append(bytes, sizeof bytes);
    }
    if (i % block == block - 1) {
      file.write(out);
      out.clear();
    }
  }
  if (!text) out += "\n";
  file.write(out);
}

}  // namespace

void write_grid(const std::string& path, const std::string& title, const Axes& axes, const std::string& name,
                int components, std::span<const float> values, bool text) {
  AtomicFile file(path);
  file.write(fmt::format(
      "# vtk DataFile Version 3.0\n{}\n{}\nDATASET RECTILINEAR_GRID\nDIMENSIONS {} {} {}\n",
      title.substr(0, 255), text ? "ASCII" : "BINARY", axes[0].size(), axes[1].size(), axes[2].size()));
  for (int axis = 0; axis < 3; ++axis) {
    file.write(fmt::format("{}_COORDINATES {} double\n", "XYZ"[axis], axes[axis].size()));
    put<double, std::uint64_t>(file, axes[axis], text, 8);
  }
  file.write(fmt::format("POINT_DATA {}\nSCALARS {} float {}\nLOOKUP_TABLE default\n",
                         values.size() / components, name, components));
  put<float, std::uint32_t>(file, values, text, components);
  file.commit();
}

}  // namespace umov::pmaxwell
