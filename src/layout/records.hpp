// The records that a GDSII file is a stream of (Calma, GDSII Stream Format Manual, release 6.0).
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace umov::layout {

enum class Tag : std::uint8_t {
  header = 0x00,
  bgnlib,
  libname,
  units,
  endlib,
  bgnstr,
  strname,
  endstr,
  boundary,
  path,
  sref,
  aref,
  text,
  layer,
  datatype,
  width,
  xy,
  endel,
  sname,
  colrow,
  textnode,
  node,
  texttype,
  presentation,
  spacing,
  string,
  strans,
  mag,
  angle,
  uinteger,
  ustring,
  reflibs,
  fonts,
  pathtype,
  generations,
  attrtable,
  styptable,
  strtype,
  elflags,
  elkey,
  linktype,
  linkkeys,
  nodetype,
  propattr,
  propvalue,
  box,
  boxtype,
  plex,
  bgnextn,
  endextn,
  tapenum,
  tapecode,
  strclass,
  reserved,
  format,
  mask,
  endmasks,
  libdirsize,
  srfname,
  libsecur,
};

/// "BOUNDARY"; "record 0x5A" of what the format has not.
std::string name_of(Tag);
bool is_known(Tag);

struct Record {
  Tag tag = Tag::header;
  std::size_t offset = 0;  ///< in the file, of its length
  std::span<const std::uint8_t> data;

  std::int16_t int16(std::size_t i) const { return std::int16_t(data[2 * i] << 8 | data[2 * i + 1]); }
  std::int32_t int32(std::size_t i) const;
  /// Excess-64, base 16: sign, 7 bits of exponent, 56 of mantissa below 1.
  double real(std::size_t i) const;
  /// Without the zero that pads it. Bytes that are no UTF-8 are taken as Latin-1, and become UTF-8.
  std::string text() const;
};

/// Reads one record after the other. What is no record is refused with its place: cut short, of an odd length
/// or below 4, of another type of data or number of items than its tag has.
class RecordReader {
 public:
  explicit RecordReader(const std::string& path);
  /// Valid until the next call.
  Record next();
  /// What there is after the last record: how many bytes, and whether one is not zero.
  std::pair<std::size_t, bool> rest();
  const std::string& path() const { return path_; }
  /// The same, naming the structure where there is one.
  [[noreturn]] void refuse(std::size_t offset, const std::string& problem) const;
  std::string structure;  ///< in which records are, for messages

 private:
  bool fill(std::size_t bytes);

  std::string path_;
  std::ifstream in_;
  std::vector<std::uint8_t> buffer_;
  std::size_t at_ = 0, end_ = 0;  ///< in the buffer
  std::size_t start_ = 0;         ///< of the buffer in the file
};

}  // namespace umov::layout
