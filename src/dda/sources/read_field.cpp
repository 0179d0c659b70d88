// Reader of fields given at the dipoles.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/error.hpp"
#include "core/given_arrays.hpp"
#include "core/text.hpp"
#include "dda/sources/beams.hpp"

namespace umov::dda::sources {
namespace {

struct Row {
  Vec3 position{};
  CVec3 e{};
};

/// Ten numbers: position, |E|^2, and the field. Other text after them is a remark.
bool parse_row(std::string_view line, Row& row) {
  double v[10], extra;
  for (double& value : v)
    if (!take(line, value) || !std::isfinite(value)) return false;
  row.position = {v[0], v[1], v[2]};
  for (int c = 0; c < 3; ++c) row.e[c] = cplx(v[4 + 2 * c], v[5 + 2 * c]);
  return !take(line, extra);
}

/// The most significant digits among the first three words of the line.
int digits_of_position(std::string_view line) {
  int most = 0;
  for (int c = 0; c < 3; ++c) {
    line = trim(line);
    const auto word = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(word.size());
    int digits = 0;
    for (const char letter : word.substr(0, word.find_first_of("eE"))) {
      const bool digit = letter >= '0' && letter <= '9';
      if (digit && (digits > 0 || letter != '0')) ++digits;
    }
    most = std::max(most, digits);
  }
  return most;
}

/// Compares the positions of a file with those of the dipoles. A number of the file is right to half a unit
/// of its last digit; trailing zeros may be left out, so the digits are those of the longest number. Nothing
/// farther than a quarter of the way to the next dipole is taken for the same place.
class Places {
 public:
  explicit Places(std::span<const Vec3> expected) : expected_(expected) {
    for (std::size_t i = 1; i < expected.size(); ++i)
      for (int c = 0; c < 3; ++c) {
        const double step = std::abs(expected[i][c] - expected[i - 1][c]);
        if (step > 0) least_step_[c] = std::min(least_step_[c], step);
      }
  }

  void add(const Vec3& position, std::string_view line, std::size_t number) {
    digits_ = std::max(digits_, digits_of_position(line));
    found_.push_back(position);
    lines_.push_back(number);
  }

  void check(const std::string& file) const {
    const double step = *std::min_element(least_step_.begin(), least_step_.end());
    const double rounding = std::isfinite(step) ? 1e-9 * step : 0;  // of positions that are nearly 0
    const double digit = 5 * std::pow(10.0, -std::clamp(digits_, 1, 15));
    for (std::size_t i = 0; i < expected_.size(); ++i)
      for (int c = 0; c < 3; ++c) {
        const double want = expected_[i][c], have = found_[i][c];
        double near = digit * std::max(std::abs(want), std::abs(have));
        near = std::min(near, 0.25 * least_step_[c]);
        if (!(std::abs(have - want) <= near + rounding + 1e-14 * std::abs(want)))
          throw BadInput(fmt::format(
              "{}:{}: {} = {:.10g} um, but the dipole there has {:.10g} um (the field belongs to another "
              "particle, size, grid or order of dipoles); use a file of the same particle",
              file, lines_[i], "xyz"[c], have, want));
      }
  }

 private:
  std::span<const Vec3> expected_;
  Vec3 least_step_{INFINITY, INFINITY, INFINITY};
  std::vector<Vec3> found_;
  std::vector<std::size_t> lines_;
  int digits_ = 1;
};

/// The name of the field in a header `x y z |NAME|^2 ...`; empty where it has none.
std::string_view symbol_of(std::string_view header) {
  const auto bar = header.find('|'), end = header.find("|^2");
  return bar < end && end != header.npos ? header.substr(bar + 1, end - bar - 1) : std::string_view();
}

std::string described(std::string_view symbol) {
  const std::string_view what = symbol == "Einc" ? "the incident field, as in IncBeam-Y"
                                : symbol == "E"  ? "the field inside, as in IntField-Y"
                                : symbol == "P"  ? "the polarization, as in DipPol-Y"
                                                 : "another quantity";
  return fmt::format("|{}|^2, {}", symbol, what);
}

/// Fields of all kinds have rows of the same form.
void require_symbol(std::string_view header, std::string_view wanted, const std::string& file) {
  const std::string_view found = symbol_of(header);
  if (wanted.empty() || found.empty() || found == wanted) return;
  throw BadInput(fmt::format("{}:1: its heading has {} (wanted is {}); name a file of that field", file,
                             described(found), described(wanted)));
}

/// Ex, Ey and Ez of each dipole, in their order.
std::vector<CVec3> field_of(const GivenArrays& given, std::size_t dipoles) {
  const GivenArray& a = given.arrays.front();
  if (a.shape.size() != 2 || a.shape[0] != dipoles || a.shape[1] != 3)
    throw BadInput(
        fmt::format("{}: an array of {} numbers (wanted are Ex, Ey and Ez of each of {} dipoles, [{}][3]); "
                    "use one of the same particle and grid",
                    given.said, fmt::join(a.shape, " x "), dipoles, dipoles));
  std::vector<CVec3> field(dipoles);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const cplx value = a.value(i);
    if (!std::isfinite(value.real()) || !std::isfinite(value.imag()))
      throw BadInput(
          fmt::format("{}: E{} of dipole {} is not finite; correct it", given.said, "xyz"[i % 3], i / 3));
    field[i / 3][int(i % 3)] = value;
  }
  return field;
}

}  // namespace

std::vector<CVec3> read_field(const std::string& file, std::size_t dipoles, std::span<const Vec3> positions,
                              std::string_view symbol) {
  if (const auto given = read_arrays(file)) return field_of(*given, dipoles);
  std::ifstream in(file);
  if (!in)
    throw BadInput(fmt::format("{}: cannot open field file (missing or unreadable); check the path", file));
  std::vector<CVec3> field;
  field.reserve(dipoles);
  Places places(positions);
  std::string line;
  std::size_t number = 0;
  bool leading = true;  // comments are allowed only between the header and the first row
  while (std::getline(in, line)) {
    if (++number == 1) require_symbol(line, symbol, file);
    if (number == 1 || trim(line).empty()) continue;
    if (leading && line[0] == '#') continue;
    leading = false;
    if (field.size() == dipoles)
      throw BadInput(fmt::format(
          "{}:{}: more rows than the particle has dipoles ({}); use a file of the same shape and grid", file,
          number, dipoles));
    Row row;
    if (!parse_row(line, row))
      throw BadInput(
          fmt::format("{}:{}: not a row of ten finite numbers (x y z |E|^2 Ex.r Ex.i Ey.r Ey.i Ez.r Ez.i); "
                      "correct the line",
                      file, number));
    field.push_back(row.e);
    if (!positions.empty()) places.add(row.position, line, number);
  }
  if (in.bad())
    throw MachineFailure(
        fmt::format("{}: reading failed after line {} (input error); check the disk", file, number));
  if (field.size() < dipoles)
    throw BadInput(fmt::format(
        "{}:{}: file ends after {} rows (the particle has {} dipoles); use a file of the same shape and grid",
        file, number, field.size(), dipoles));
  places.check(file);
  return field;
}

}  // namespace umov::dda::sources
