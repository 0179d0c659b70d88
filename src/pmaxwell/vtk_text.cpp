// A VTK legacy file as lines and numbers: what its keywords stand between.
#include "pmaxwell/vtk_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <type_traits>

#include "core/error.hpp"
#include "core/input_file.hpp"
#include "core/text.hpp"

namespace umov::pmaxwell {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

/// The number whose bytes, most significant first, begin at p.
template <class T>
T big_endian(const char* p, bool turned) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, p, sizeof(T));
  const bool host_is_big = std::endian::native == std::endian::big;
  if (host_is_big == turned) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

/// No length or field that anyone writes: bytes in the wrong order look like this.
template <class T>
bool is_odd(T v) {
  return !std::isfinite(v) || (v != 0 && (std::abs(v) < T(1e-30) || std::abs(v) > T(1e30)));
}

}  // namespace

VtkText::VtkText(const std::string& path) : path_(path) {
  check_input_file(path, "grid");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadInput(path + ": cannot be opened (no such file, or no permission); check the name");
  text_.assign(std::istreambuf_iterator<char>(in), {});
  rest_ = text_;
}

bool VtkText::next(std::string_view& line) {
  if (rest_.empty()) return false;
  ++line_;
  const auto end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

std::vector<std::string> VtkText::words() {
  std::string_view line;
  while (next(line)) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t begin = i;
      while (i < line.size() && !is_blank(line[i])) ++i;
      if (i > begin) out.emplace_back(line.substr(begin, i - begin));
      while (i < line.size() && is_blank(line[i])) ++i;
    }
    if (!out.empty()) return out;
  }
  return {};
}

std::size_t VtkText::left() const {
  std::size_t n = rest_.size();
  while (n > 0 && is_blank(rest_[n - 1])) --n;
  return n;
}

void VtkText::refuse(const std::string& what) const {
  throw BadInput(fmt::format("{}:{}: {}", path_, line_, what));
}

/// Numbers begin on the line after the one read last.
void VtkText::refuse_number(const std::string& what) const {
  throw BadInput(fmt::format("{}:{}: {}", path_, line_ + 1, what));
}

void VtkText::refuse_file(const std::string& what) const { throw BadInput(path_ + ": " + what); }

/// Memory is asked for by what a file says: it is believed only as far as the file can hold it.
void VtkText::require(long long count, std::size_t bytes, const std::string& what) const {
  const auto there = (long long)(binary ? rest_.size() / bytes : (rest_.size() + 1) / 2);
  if (count > there)
    refuse_file(
        fmt::format("ends within {} ({} numbers should be there and at most {} can be); write the file anew, "
                    "whole",
                    what, count, there));
}

double VtkText::text_number(long long at, long long count, const std::string& what) {
  std::size_t i = 0;
  for (; i < rest_.size() && is_blank(rest_[i]); ++i) line_ += rest_[i] == '\n';
  std::size_t end = i;
  while (end < rest_.size() && !is_blank(rest_[end])) ++end;
  if (end == i)
    refuse_file(fmt::format("ends within {} ({} of {} numbers are there); write the file anew, whole", what,
                            at, count));
  std::string_view word = rest_.substr(i, end - i);
  const std::string_view shown = word;
  rest_.remove_prefix(end);
  if (word.front() == '+') word.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || stop != word.data() + word.size())
    refuse_number(
        fmt::format("'{}' among {} is no number ({} of {} were read)", shortened(shown), what, at, count));
  return value;
}

template <class T>
std::vector<T> VtkText::binary_numbers(long long count, const std::string& what) {
  require(count, sizeof(T), what);
  std::vector<T> out(count);
  long long odd = 0, turned_odd = 0, nonzero = 0;
  for (long long i = 0; i < count; ++i) {
    const char* p = rest_.data() + i * sizeof(T);
    out[i] = big_endian<T>(p, false);
    nonzero += out[i] != 0;
    odd += is_odd(out[i]);
    turned_odd += is_odd(big_endian<T>(p, true));
  }
  // a few odd ones may be fields that have decayed
  if (10 * odd > nonzero && turned_odd == 0)
    refuse_file(
        fmt::format("{} make sense with their bytes turned round only (VTK's binary files are big-endian, "
                    "whatever the machine); write the most significant byte first, or text",
                    what));
  rest_.remove_prefix(std::size_t(count) * sizeof(T));
  return out;
}

std::vector<double> VtkText::doubles(long long count, NumberType type, const std::string& what) {
  if (binary && type == NumberType::twofold) return binary_numbers<double>(count, what);
  if (binary) {
    const auto singles = binary_numbers<float>(count, what);
    return {singles.begin(), singles.end()};
  }
  require(count, 2, what);
  std::vector<double> out(count);
  for (long long i = 0; i < count; ++i) out[i] = text_number(i, count, what);
  return out;
}

std::vector<float> VtkText::floats(long long count, const std::string& what) {
  if (binary) return binary_numbers<float>(count, what);
  require(count, 2, what);
  std::vector<float> out(count);
  for (long long i = 0; i < count; ++i) {
    const double v = text_number(i, count, what);
    if (std::isfinite(v) && std::abs(v) > std::numeric_limits<float>::max())
      refuse_number(fmt::format("{:g} is larger than single precision holds", v));
    out[i] = float(v);
  }
  return out;
}

}  // namespace umov::pmaxwell
