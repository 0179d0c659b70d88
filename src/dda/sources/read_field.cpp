// Reader of fields given at the dipoles.
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/sources/beams.hpp"

namespace umov::sources {
namespace {

/// Parses ten numbers: position, |E|^2, and the field; text after them is ignored as ADDA does.
bool parse_row(std::string_view line, CVec3& e) {
  double v[10];
  for (double& value : v)
    if (!take(line, value) || !std::isfinite(value)) return false;
  for (int c = 0; c < 3; ++c) e[c] = cplx(v[4 + 2 * c], v[5 + 2 * c]);
  return true;
}

}  // namespace

std::vector<CVec3> read_field(const std::string& file, std::size_t dipoles) {
  std::ifstream in(file);
  if (!in)
    throw BadInput(fmt::format("{}: cannot open field file (missing or unreadable); check the path", file));
  std::vector<CVec3> field;
  field.reserve(dipoles);
  std::string line;
  std::size_t number = 0;
  bool leading = true;  // comments are allowed only between the header and the first row
  while (std::getline(in, line)) {
    if (++number == 1 || trim(line).empty()) continue;
    if (leading && line[0] == '#') continue;
    leading = false;
    if (field.size() == dipoles)
      throw BadInput(fmt::format(
          "{}:{}: more rows than the particle has dipoles ({}); use a file of the same shape and grid", file,
          number, dipoles));
    CVec3 e;
    if (!parse_row(line, e))
      throw BadInput(
          fmt::format("{}:{}: not a row of ten finite numbers (x y z |E|^2 Ex.r Ex.i Ey.r Ey.i Ez.r Ez.i); "
                      "correct the line",
                      file, number));
    field.push_back(e);
  }
  if (in.bad())
    throw MachineFailure(
        fmt::format("{}: reading failed after line {} (input error); check the disk", file, number));
  if (field.size() < dipoles)
    throw BadInput(fmt::format(
        "{}:{}: file ends after {} rows (the particle has {} dipoles); use a file of the same shape and grid",
        file, number, field.size(), dipoles));
  return field;
}

}  // namespace umov::sources
