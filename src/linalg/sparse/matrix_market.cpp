// Reader and writer of Matrix Market files.
#include "linalg/sparse/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/input_file.hpp"
#include "core/text.hpp"

namespace umov::sparse {
namespace {

/// The file line by line, without comments and empty lines behind the header.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path) {
    check_input_file(path, "matrix or vector");
    std::ifstream in(path, std::ios::binary);
    if (!in) throw BadInput(path + ": cannot be opened (no such file, or no permission); check the name");
    text_.assign(std::istreambuf_iterator<char>(in), {});
    rest_ = text_;
  }
  bool next(std::string_view& line, bool comments = false) {
    while (!rest_.empty()) {
      ++number_;
      const auto end = rest_.find('\n');
      line = rest_.substr(0, end);
      rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (comments || (!trim(line).empty() && line[0] != '%')) return true;
    }
    return false;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw BadInput(fmt::format("{}:{}: {}", path_, number_, what));
  }
  /// Bytes behind the line read last: what a size in the file can promise.
  long long bytes_left() const { return (long long)(rest_.size()); }
  [[noreturn]] void refuse_file(const std::string& what) const { throw BadInput(path_ + ": " + what); }

 private:
  std::string path_, text_;
  std::string_view rest_;
  long number_ = 0;
};

struct Header {
  bool coordinate = false, symmetric = false;
};

Header read_header(Lines& lines) {
  std::string_view line;
  if (!lines.next(line, true)) lines.refuse_file("is empty; give a Matrix Market file");
  std::vector<std::string> words;
  std::string lower(line);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (auto& word : split(lower, ' '))
    if (!trim(word).empty()) words.emplace_back(trim(word));
  if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix")
    lines.refuse(
        "not a Matrix Market file (the first line is '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'); "
        "write it with mmwrite or a like tool");
  Header h;
  if (words[2] != "coordinate" && words[2] != "array")
    lines.refuse("format '" + words[2] + "' is not known; use coordinate or array");
  h.coordinate = words[2] == "coordinate";
  if (words[3] != "real" && words[3] != "integer" && words[3] != "double")
    lines.refuse("field '" + words[3] +
                 "' is not read (the solver works with real numbers); write real ones");
  if (words[4] != "general" && words[4] != "symmetric")
    lines.refuse("symmetry '" + words[4] +
                 "' is not read (real general and symmetric are); write one of them");
  h.symmetric = words[4] == "symmetric";
  return h;
}

/// Reads one number after white space; false when there is none.
template <class N>
bool take_number(std::string_view& line, N& value) {
  std::size_t i = 0;
  while (i < line.size() && (line[i] == ' ' || line[i] == '\t')) ++i;
  if (i < line.size() && line[i] == '+') ++i;
  const auto [end, error] = std::from_chars(line.data() + i, line.data() + line.size(), value);
  if (error != std::errc()) return false;
  line.remove_prefix(std::size_t(end - line.data()));
  return line.empty() || line[0] == ' ' || line[0] == '\t';
}

double take_value(Lines& lines, std::string_view line) {
  double value = 0;
  std::string_view rest = line;
  if (!take_number(rest, value) || !trim(rest).empty())
    lines.refuse(fmt::format("'{}' is not one number", trim(line)));
  if (!std::isfinite(value)) lines.refuse(fmt::format("the value is {}; give finite numbers", value));
  return value;
}

struct Entry {
  int row, column;
  double value;
};
struct Coordinates {
  long long rows = 0, columns = 0;
  std::vector<Entry> entries;
};

/// Memory is asked for by the sizes: they are believed only as far as the file can hold what they promise.
constexpr long long shortest_entry = 6;  // "1 1 1" and the end of its line, which the last may lack
constexpr long long most_empty = 1'000'000;

Coordinates read_coordinates(Lines& lines, bool symmetric) {
  Coordinates c;
  long long count = 0;
  std::string_view line;
  if (!lines.next(line)) lines.refuse_file("ends before the line with its size");
  if (!take_number(line, c.rows) || !take_number(line, c.columns) || !take_number(line, count) ||
      !trim(line).empty() || c.rows < 0 || c.columns < 0 || count < 0)
    lines.refuse("the size is three whole numbers: rows, columns, entries");
  constexpr long long most = 2147483647;
  if (c.rows >= most || c.columns >= most || (symmetric ? 2 : 1) * count > most)
    lines.refuse("more than 2^31 - 1 rows or entries; solve a smaller system");
  const long long left = lines.bytes_left();
  if (std::max(c.rows, c.columns) > most_empty + left)
    lines.refuse(
        fmt::format("{} x {} is announced but {} bytes follow (most rows or columns would be empty); check "
                    "the size",
                    c.rows, c.columns, left));
  if (symmetric && c.rows != c.columns) lines.refuse("a symmetric matrix is square; check the size");
  const long long entries = std::min(count, (left + 1) / shortest_entry);
  c.entries.reserve(std::size_t(symmetric ? 2 * entries : entries));
  for (long long k = 0; k < count; ++k) {
    if (!lines.next(line))
      lines.refuse_file(fmt::format("ends after {} of {} entries (cut short?); write it again", k, count));
    long long i = 0, j = 0;
    if (!take_number(line, i) || !take_number(line, j))
      lines.refuse("an entry is 'row column value'; two whole numbers are not there");
    if (i < 1 || i > c.rows || j < 1 || j > c.columns)
      lines.refuse(fmt::format("entry ({}, {}) lies outside the {} x {} matrix (indices count from 1)", i, j,
                               c.rows, c.columns));
    const double value = take_value(lines, line);
    if (symmetric && j > i)
      lines.refuse(
          fmt::format("entry ({}, {}) lies above the diagonal (a symmetric file holds the lower half "
                      "alone); exchange its indices or call the file general",
                      i, j));
    c.entries.push_back({int(i - 1), int(j - 1), value});
    if (symmetric && i != j) c.entries.push_back({int(j - 1), int(i - 1), value});
  }
  if (lines.next(line)) lines.refuse(fmt::format("more than the {} entries announced", count));
  return c;
}

HostCsr to_rows(const Coordinates& c, bool symmetric, index_t& repeated) {
  HostCsr a;
  a.rows = int(c.rows), a.columns = int(c.columns);
  // sorted by column, then stably by row: two passes of counting
  const auto sort_by = [](const std::vector<Entry>& from, int keys, auto key) {
    std::vector<std::size_t> next(std::size_t(keys) + 1, 0);
    for (const auto& e : from) ++next[std::size_t(key(e)) + 1];
    for (int k = 0; k < keys; ++k) next[k + 1] += next[k];
    std::vector<Entry> to(from.size());
    for (const auto& e : from) to[next[key(e)]++] = e;
    return to;
  };
  const auto sorted = sort_by(sort_by(c.entries, a.columns, [](const Entry& e) { return e.column; }), a.rows,
                              [](const Entry& e) { return e.row; });
  a.start.assign(std::size_t(a.rows) + 1, 0);
  const Entry* before = nullptr;
  for (const auto& e : sorted) {
    if (before && before->row == e.row && before->column == e.column) {
      a.value.back() += e.value;
      repeated += !symmetric || e.row >= e.column;
    } else {
      a.column.push_back(e.column);
      a.value.push_back(e.value);
      ++a.start[e.row + 1];
    }
    before = &e;
  }
  for (int i = 0; i < a.rows; ++i) a.start[i + 1] += a.start[i];
  return a;
}

}  // namespace

HostCsr read_matrix_counting(const std::string& path, index_t& repeated) {
  Lines lines(path);
  const Header h = read_header(lines);
  if (!h.coordinate)
    lines.refuse("a dense matrix (format array); write it in the coordinate format, without its zeros");
  repeated = 0;
  return to_rows(read_coordinates(lines, h.symmetric), h.symmetric, repeated);
}

HostCsr read_matrix(const std::string& path) {
  index_t repeated = 0;
  return read_matrix_counting(path, repeated);
}

std::vector<double> read_vector(const std::string& path) {
  Lines lines(path);
  const Header h = read_header(lines);
  // writers call one number symmetric
  const auto check_symmetry = [&](long long rows) {
    if (h.symmetric && rows != 1) lines.refuse("a symmetric file is no vector; call it general");
  };
  if (h.coordinate) {
    const Coordinates c = read_coordinates(lines, false);
    check_symmetry(c.rows);
    if (c.columns != 1)
      lines.refuse_file(
          fmt::format("holds {} columns (a vector has one); give one right-hand side", c.columns));
    std::vector<double> v(std::size_t(c.rows), 0.0);
    for (const auto& e : c.entries) v[e.row] += e.value;
    return v;
  }
  long long rows = 0, columns = 0;
  std::string_view line;
  if (!lines.next(line)) lines.refuse_file("ends before the line with its size");
  if (!take_number(line, rows) || !take_number(line, columns) || !trim(line).empty() || rows < 0 ||
      columns < 0)
    lines.refuse("the size is two whole numbers: rows, columns");
  check_symmetry(rows);
  if (columns != 1)
    lines.refuse(fmt::format("{} columns (a vector has one); give one right-hand side", columns));
  std::vector<double> v;
  while (lines.next(line)) {
    if (index_t(v.size()) == rows) lines.refuse(fmt::format("more than the {} elements announced", rows));
    v.push_back(take_value(lines, line));
  }
  if (index_t(v.size()) != rows)
    lines.refuse_file(
        fmt::format("ends after {} of {} elements (cut short?); write it again", v.size(), rows));
  return v;
}

void write_vector(const std::string& path, const std::vector<double>& v) {
  AtomicFile file(path);
  file.write(fmt::format("%%MatrixMarket matrix array real general\n{} 1\n", v.size()));
  for (const double x : v) file.write(fmt::format("{}\n", x));
  file.commit();
}

void write_matrix(const std::string& path, const HostCsr& a) {
  AtomicFile file(path);
  file.write(fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", a.rows, a.columns,
                         a.column.size()));
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      file.write(fmt::format("{} {} {}\n", i + 1, a.column[k] + 1, a.value[k]));
  file.commit();
}

void write_complex_vector(const std::string& path, const std::vector<double>& v) {
  const std::size_t n = v.size() / 2;
  AtomicFile file(path);
  file.write(fmt::format("%%MatrixMarket matrix array complex general\n{} 1\n", n));
  for (std::size_t i = 0; i < n; ++i) file.write(fmt::format("{} {}\n", v[i], v[n + i]));
  file.commit();
}

void write_symmetric(const std::string& path, const HostCsr& a, const std::vector<double>& imaginary) {
  index_t count = 0;
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) count += a.column[k] <= i;
  AtomicFile file(path);
  file.write(fmt::format("%%MatrixMarket matrix coordinate {} symmetric\n{} {} {}\n",
                         imaginary.empty() ? "real" : "complex", a.rows, a.columns, count));
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1] && a.column[k] <= i; ++k)
      file.write(imaginary.empty()
                     ? fmt::format("{} {} {}\n", i + 1, a.column[k] + 1, a.value[k])
                     : fmt::format("{} {} {} {}\n", i + 1, a.column[k] + 1, a.value[k], imaginary[k]));
  file.commit();
}

}  // namespace umov::sparse
