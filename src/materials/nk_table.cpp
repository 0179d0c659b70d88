// Reading n-k tables: the file's lines, the format with columns, and joining n with k.
#include "materials/nk_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "core/given_arrays.hpp"
#include "core/text.hpp"
#include "materials/nk_blocks.hpp"
#include "parameters/columns.hpp"

namespace umov::materials {

Lines::Lines(const std::string& path) : path_(path) {
  if (const auto given = given_arrays(path)) {
    take(*given);
    return;
  }
  for (const auto& line : read_lines(path, "")) {
    lines_.emplace_back(trim(line));
    indents_.push_back(std::min(line.find_first_not_of(" \t"), line.size()));
  }
}

/// Rows of an array as lines, to the last digit.
void Lines::take(const GivenArrays& given) {
  const GivenArray& a = given.arrays.front();
  path_ = given.said;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i % a.shape.back() == 0) lines_.emplace_back(), indents_.push_back(0);
    lines_.back() += (lines_.back().empty() ? "" : ",") + shortest(a.real(i));
  }
}

void Lines::refuse(std::size_t i, const std::string& message) const {
  throw BadInput(fmt::format("{}:{}: {}", path_, i + 1, message));
}

std::optional<std::vector<double>> numbers_of(std::string_view line) {
  std::string text(line);
  std::ranges::replace_if(
      text, [](char c) { return c == ',' || c == ';' || c == '\t'; }, ' ');
  std::vector<double> numbers;
  for (const auto& word : split(text, ' ')) {
    if (word.empty()) continue;
    const auto number = parse_number(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

void add_row(const Lines& lines, std::size_t i, Curve& curve, double wavelength_um, double value, bool is_n) {
  if (!(wavelength_um > 0) || !std::isfinite(wavelength_um))
    lines.refuse(i, fmt::format("wavelength {} (it must be positive and finite, in um); correct the row",
                                wavelength_um));
  if (is_n && !(value > 0))
    lines.refuse(i, fmt::format("n = {} (a refractive index is positive); correct the row", value));
  if (!is_n && !(value >= 0))
    lines.refuse(i, fmt::format("k = {} (negative would be gain); give k >= 0: n + ik absorbs", value));
  curve.wavelength_um.push_back(wavelength_um);
  curve.value.push_back(value);
}

namespace {

Curve sorted(const std::string& path, const Curve& curve) {
  std::vector<std::size_t> order(curve.value.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return curve.wavelength_um[i]; });
  Curve out;
  for (const auto i : order) {
    if (!out.value.empty() && out.wavelength_um.back() == curve.wavelength_um[i])
      throw BadInput(fmt::format("{}: wavelength {} um occurs twice (which row holds?); delete one", path,
                                 curve.wavelength_um[i]));
    out.wavelength_um.push_back(curve.wavelength_um[i]);
    out.value.push_back(curve.value[i]);
  }
  return out;
}

/// At a wavelength between the first and the last.
double interpolate(const Curve& curve, double x) {
  const auto& xs = curve.wavelength_um;
  const auto above = std::size_t(std::ranges::lower_bound(xs, x) - xs.begin());
  if (above == 0 || xs[above] == x) return curve.value[above];
  const double t = (x - xs[above - 1]) / (xs[above] - xs[above - 1]);
  return (1 - t) * curve.value[above - 1] + t * curve.value[above];
}

std::string ends_of(const Curve& curve) {
  return fmt::format("from {:.6g} to {:.6g} um", curve.wavelength_um.front(), curve.wavelength_um.back());
}

/// 'n' or 'k' for the headings `wl,n` and `wl,k` of a block of two columns, else 0.
char heading_of_block(const std::string& line) {
  std::string word;
  for (const unsigned char c : line)
    if (!std::isspace(c)) word += char(std::tolower(c));
  return word == "wl,n" ? 'n' : word == "wl,k" ? 'k' : 0;
}

}  // namespace

NkTable join_curves(const std::string& path, Curve n, Curve k, const DispersionFormula& formula) {
  n = sorted(path, n);
  k = sorted(path, k);
  if (n.value.empty() && !k.value.empty())
    throw BadInput(
        fmt::format("{}: k without n (an index has both); add n, as `tabulated n`, a formula, or a "
                    "column",
                    path));
  if (n.value.size() < 2)
    throw BadInput(fmt::format("{}: {} rows with n (a table needs at least two); see docs/guide/materials.md",
                               path, n.value.size()));
  NkTable table;
  table.source = path;
  table.formula = formula;
  double low = n.wavelength_um.front(), high = n.wavelength_um.back();
  if (!k.value.empty()) {
    low = std::max(low, k.wavelength_um.front());
    high = std::min(high, k.wavelength_um.back());
    if (ends_of(n) != ends_of(k)) table.reach = fmt::format("n reaches {}, k {}", ends_of(n), ends_of(k));
    if (!(low < high))
      throw BadInput(fmt::format("{}: n and k have no wavelengths in common ({}); give rows of both", path,
                                 table.reach.empty() ? "one row each" : table.reach));
  }
  for (const Curve* curve : {&n, &k})
    for (const double w : curve->wavelength_um)
      if (w >= low && w <= high) table.wavelength_um.push_back(w);
  std::ranges::sort(table.wavelength_um);
  const auto twice = std::ranges::unique(table.wavelength_um);
  table.wavelength_um.erase(twice.begin(), twice.end());
  for (const double w : table.wavelength_um) {
    table.n.push_back(formula.kind ? formula.n(w) : interpolate(n, w));
    if (!(table.n.back() > 0) || !std::isfinite(table.n.back()))
      throw BadInput(
          fmt::format("{}: its formula has no index at {} um, where k is given; correct it", path, w));
    table.k.push_back(k.value.empty() ? 0 : interpolate(k, w));
  }
  return table;
}

namespace {

const Column wavelength{"wavelength", "um", "", true};

/// Lines [from, to) as columns: what each row gives to n and to k.
void take_block(const Lines& lines, std::size_t from, std::size_t to, const ColumnFormat& format, Curve& n,
                Curve& k) {
  ColumnReader reader(format, lines.path());
  for (std::size_t i = from; i < to; ++i) reader.line(int(i) + 1, lines[i]);
  const Columns block = reader.finish();
  for (std::size_t row = 0; row < block.rows(); ++row)
    for (std::size_t c = 1; c < block.value.size(); ++c) {
      const bool is_n = format.columns[c].name == "n";
      add_row(lines, std::size_t(block.line[row] - 1), is_n ? n : k, block.value[0][row], block.value[c][row],
              is_n);
    }
}

/// Before the first block there are remarks only.
void refuse_words(const Lines& lines, std::size_t end) {
  for (std::size_t i = 0; i < end; ++i)
    if (!lines[i].empty() && lines[i][0] != '#')
      lines.refuse(
          i, fmt::format("'{}' stands before the heading in line {} (which begins the table); begin lines of "
                         "remarks with #",
                         lines[i], end + 1));
}

}  // namespace

NkTable read_nk_columns(const Lines& lines) {
  Curve n, k;
  std::size_t begin = 0;
  ColumnFormat format{{wavelength, {"n", ""}, {"k", ""}}, 1};
  if (k_before_n(lines)) format = {{wavelength, {"k", ""}, {"n", ""}}};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char heading = heading_of_block(lines[i]);
    if (!heading) continue;
    if (format.columns.size() == 2)
      take_block(lines, begin, i, format, n, k);
    else
      refuse_words(lines, i);
    format = {{wavelength, {std::string(1, heading), ""}}};
    begin = i;
  }
  take_block(lines, begin, lines.size(), format, n, k);
  return join_curves(lines.path(), n, k);
}

NkTable NkTable::between(double low_um, double high_um) const {
  NkTable part;
  part.name = name;
  part.source = source;
  part.citation = citation;
  part.licence = licence;
  part.formula = formula;
  part.reach = reach;
  for (std::size_t i = 0; i < size(); ++i) {
    if (wavelength_um[i] < low_um || wavelength_um[i] > high_um) continue;
    part.wavelength_um.push_back(wavelength_um[i]);
    part.n.push_back(n[i]);
    part.k.push_back(k[i]);
  }
  return part;
}

std::string remedy_of_nm(double first, double last, double low, double high) {
  constexpr double per_um = 1e3, near = 4;  // rows in nm may miss the wavelengths by as much
  if (near * low >= first || near * per_um * low < first || per_um * high > near * last) return "";
  return "the rows look like nm, and without a unit in the heading wavelengths are in um: begin the file "
         "with "
         "the heading 'wavelength (nm), n, k'";
}

std::string NkTable::refusal_at(double wavelength) const {
  const std::string remedy = remedy_of_nm(first(), last(), wavelength, wavelength);
  return fmt::format("no n and k at {:.6g} um (the rows of {} are from {:.6g} to {:.6g} um{}{}){}{}",
                     wavelength, name.empty() ? source : name, first(), last(), reach.empty() ? "" : ": ",
                     reach, remedy.empty() ? "" : "; ", remedy);
}

cplx NkTable::at(double wavelength) const {
  // A wavelength that was divided and multiplied on its way here may miss the edge by rounding.
  constexpr double slack = 1e-9;
  if (wavelength < wavelength_um.front() * (1 - slack) || wavelength > wavelength_um.back() * (1 + slack))
    throw BadInput(refusal_at(wavelength));
  const auto above = std::upper_bound(wavelength_um.begin(), wavelength_um.end(), wavelength);
  const std::size_t last = size() - 1,
                    j = std::clamp<std::size_t>(std::size_t(above - wavelength_um.begin()), 1, last);
  const double t =
      std::clamp((wavelength - wavelength_um[j - 1]) / (wavelength_um[j] - wavelength_um[j - 1]), 0.0, 1.0);
  return {formula.kind ? formula.n(wavelength) : (1 - t) * n[j - 1] + t * n[j],
          (1 - t) * k[j - 1] + t * k[j]};
}

NkTable read_nk(const std::string& path) {
  // three numbers in a row may be a table's, too
  return read_as(FileFormat::sites, path, "a table of wavelength, n and k is read here", [&] {
    const Lines lines(path);
    const bool database = path.ends_with(".yml") || path.ends_with(".yaml");
    return database ? read_nk_database(lines) : read_nk_columns(lines);
  });
}

}  // namespace umov::materials
