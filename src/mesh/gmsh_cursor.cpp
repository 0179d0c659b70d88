#include "mesh/gmsh_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace umov::mesh {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool space(char c) { return blank(c) || c == '\n'; }

}  // namespace

GmshCursor::GmshCursor(const std::string& path) : path_(path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw BadInput(path + ": cannot be read (it is a folder); give the .msh file in it");
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? std::streamoff(in.tellg()) : -1;
  if (size >= 0) {
    bytes_.resize(std::size_t(size));
    in.seekg(0);
    in.read(bytes_.data(), size);
  }
  if (!in || size < 0)
    throw BadInput(path + ": cannot be read (no such file, or no permission); check the name of the mesh");
  at_ = last_ = bytes_.data();
  end_ = at_ + bytes_.size();
}

void GmshCursor::set_binary(bool swapped, int size_bytes) {
  binary_ = true;
  swapped_ = swapped;
  size_bytes_ = size_bytes;
}

std::string_view GmshCursor::next_section() {
  while (at_ < end_ && *at_ != '$') {
    at_ = std::find(at_, end_, '\n');
    while (at_ < end_ && space(*at_)) ++at_;
  }
  if (at_ == end_) return {};
  ++at_;
  std::string_view word = line();
  while (!word.empty() && space(word.back())) word.remove_suffix(1);
  section_ = word;
  return word;
}

void GmshCursor::skip_section(std::string_view name) {
  const std::string mark = "\n$End" + std::string(name);
  const std::string_view rest(at_ - 1, std::size_t(end_ - at_) + 1);  // an empty section ends at once
  const std::size_t found = rest.find(mark);
  if (found == std::string_view::npos) refuse_end();
  at_ += found + mark.size() - 1;
  line();
}

void GmshCursor::end_section(std::string_view name) {
  while (at_ < end_ && space(*at_)) ++at_;
  last_ = at_;
  if (at_ == end_) refuse_end();
  const std::string mark = "$End" + std::string(name);
  if (std::size_t(end_ - at_) < mark.size() || std::string_view(at_, mark.size()) != mark)
    refuse("more in $" + std::string(name) + " than its head announces", "'" + mark + "' was expected here",
           "save the mesh again");
  line();
}

void GmshCursor::begin_record() {
  if (binary_) return;
  while (at_ < end_ && space(*at_)) ++at_;
}

std::string_view GmshCursor::line() {
  const char* begin = last_ = at_;
  const char* stop = std::find(at_, end_, '\n');
  at_ = stop < end_ ? stop + 1 : stop;
  if (stop > begin && stop[-1] == '\r') --stop;
  return {begin, std::size_t(stop - begin)};
}

void GmshCursor::skip_bytes(std::size_t count) {
  if (std::size_t(end_ - at_) < count) refuse_end();
  at_ += count;
}

void GmshCursor::skip_blanks(const char* what) {
  while (at_ < end_ && blank(*at_)) ++at_;
  last_ = at_;
  if (at_ == end_) refuse_end();
  if (*at_ == '\n')
    refuse(fmt::format("the line ends where {} is expected", what), "a number is missing",
           "save the mesh again, or complete the line");
  if (*at_ == '+') ++at_;
}

std::int64_t GmshCursor::text_integer(const char* what) {
  skip_blanks(what);
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(at_, end_, value);
  if (error != std::errc() || (stop < end_ && !space(*stop))) refuse_token(what);
  at_ = stop;
  return value;
}

template <class T>
T GmshCursor::raw(const char*) {
  last_ = at_;
  if (std::size_t(end_ - at_) < sizeof(T)) refuse_end();
  char bytes[sizeof(T)];
  std::memcpy(bytes, at_, sizeof(T));
  if (swapped_) std::reverse(bytes, bytes + sizeof(T));
  at_ += sizeof(T);
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

int GmshCursor::integer(const char* what) {
  if (binary_) return raw<std::int32_t>(what);
  const std::int64_t value = text_integer(what);
  if (value != int(value)) refuse_token(what);
  return int(value);
}

int GmshCursor::tag(const char* what) {
  const int value = integer(what);
  if (value == INT_MIN)
    refuse(fmt::format("{} where {} is expected", value, what), "it has no opposite in 32 bits",
           "save the mesh again");
  return std::abs(value);
}

std::int64_t GmshCursor::size(const char* what) {
  if (!binary_) return text_integer(what);
  return size_bytes_ == 8 ? raw<std::int64_t>(what) : std::int64_t(raw<std::uint32_t>(what));
}

double GmshCursor::real(const char* what) {
  if (binary_) return raw<double>(what);
  skip_blanks(what);
  double value = 0;
  auto [stop, error] = std::from_chars(at_, end_, value);
  if (error == std::errc::result_out_of_range)  // 1e-400 is 0, 1e400 is infinite: strtod says which
    value = std::strtod(std::string(at_, stop).c_str(), nullptr);
  else if (error != std::errc())
    refuse_token(what);
  if (stop < end_ && !space(*stop)) refuse_token(what);
  at_ = stop;
  return value;
}

std::size_t GmshCursor::announced(std::int64_t count, std::size_t text_bytes, std::size_t binary_bytes,
                                  const char* what) {
  if (count < 0)
    refuse(fmt::format("{} {}", count, what), "a number of things is not negative", "save the mesh again");
  const std::size_t each = binary_ ? binary_bytes : text_bytes, left = std::size_t(end_ - at_);
  if (std::size_t(count) > left / each + 1)
    refuse(fmt::format("{} {} announced, but the file ends {} bytes later", count, what, left),
           "it is cut off", "copy or save the mesh again");
  return std::size_t(count);
}

void GmshCursor::refuse(const std::string& problem, const std::string& why,
                        const std::string& suggestion) const {
  const char* begin = bytes_.data();
  const std::string where = binary_ ? fmt::format("{}, byte {}", path_, last_ - begin)
                                    : fmt::format("{}:{}", path_, std::count(begin, last_, '\n') + 1);
  throw BadInput(fmt::format("{}: {} ({}); {}", where, problem, why, suggestion));
}

void GmshCursor::refuse_end() const {
  throw BadInput(
      fmt::format("{}: the file ends within ${} after {} bytes (it is cut off); copy or save the mesh "
                  "again",
                  path_, section_, bytes_.size()));
}

void GmshCursor::refuse_token(const char* what) const {
  const char* stop = std::find_if(last_, std::min(end_, last_ + 40), space);
  refuse(fmt::format("'{}' where {} is expected", std::string_view(last_, std::size_t(stop - last_)), what),
         fmt::format("in ${}", section_), "save the mesh again, or correct the line");
}

}  // namespace umov::mesh
