#include "layout/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/console.hpp"
#include "core/error.hpp"
#include "core/input_file.hpp"

namespace umov::layout {
namespace {

constexpr std::size_t chunk = 1 << 20, head = 4;

/// Types of data of the format.
enum DataType : std::uint8_t { none = 0, bits = 1, int2 = 2, int4 = 3, real8 = 5, ascii = 6 };
constexpr std::size_t any = std::size_t(-1);

struct Form {
  const char* name;
  DataType type;
  std::size_t items;  ///< of data; `any`: one or more
};

/// By tag.
constexpr std::array<Form, 60> forms{{
    {"HEADER", int2, 1},       {"BGNLIB", int2, 12},    {"LIBNAME", ascii, any},  {"UNITS", real8, 2},
    {"ENDLIB", none, 0},       {"BGNSTR", int2, 12},    {"STRNAME", ascii, any},  {"ENDSTR", none, 0},
    {"BOUNDARY", none, 0},     {"PATH", none, 0},       {"SREF", none, 0},        {"AREF", none, 0},
    {"TEXT", none, 0},         {"LAYER", int2, 1},      {"DATATYPE", int2, 1},    {"WIDTH", int4, 1},
    {"XY", int4, any},         {"ENDEL", none, 0},      {"SNAME", ascii, any},    {"COLROW", int2, 2},
    {"TEXTNODE", none, 0},     {"NODE", none, 0},       {"TEXTTYPE", int2, 1},    {"PRESENTATION", bits, 1},
    {"SPACING", none, any},    {"STRING", ascii, any},  {"STRANS", bits, 1},      {"MAG", real8, 1},
    {"ANGLE", real8, 1},       {"UINTEGER", none, any}, {"USTRING", none, any},   {"REFLIBS", ascii, any},
    {"FONTS", ascii, any},     {"PATHTYPE", int2, 1},   {"GENERATIONS", int2, 1}, {"ATTRTABLE", ascii, any},
    {"STYPTABLE", ascii, any}, {"STRTYPE", int2, any},  {"ELFLAGS", bits, 1},     {"ELKEY", int4, any},
    {"LINKTYPE", int2, any},   {"LINKKEYS", int4, any}, {"NODETYPE", int2, 1},    {"PROPATTR", int2, 1},
    {"PROPVALUE", ascii, any}, {"BOX", none, 0},        {"BOXTYPE", int2, 1},     {"PLEX", int4, 1},
    {"BGNEXTN", int4, 1},      {"ENDEXTN", int4, 1},    {"TAPENUM", int2, 1},     {"TAPECODE", int2, any},
    {"STRCLASS", bits, 1},     {"RESERVED", int4, any}, {"FORMAT", int2, 1},      {"MASK", ascii, any},
    {"ENDMASKS", none, 0},     {"LIBDIRSIZE", int2, 1}, {"SRFNAME", ascii, any},  {"LIBSECUR", int2, any},
}};

constexpr std::size_t bytes_of(DataType type) {
  return type == real8 ? 8 : type == int4 ? 4 : type == ascii ? 1 : 2;
}

/// Tags that later programs have left, whose data is as it may be.
bool is_free(Tag tag) {
  return tag == Tag::spacing || tag == Tag::uinteger || tag == Tag::ustring || tag == Tag::textnode;
}

}  // namespace

bool is_known(Tag tag) { return std::size_t(tag) < forms.size(); }

std::string name_of(Tag tag) {
  return is_known(tag) ? forms[std::size_t(tag)].name : fmt::format("record 0x{:02X}", int(tag));
}

std::int32_t Record::int32(std::size_t i) const {
  const std::uint8_t* b = data.data() + 4 * i;
  return std::int32_t(std::uint32_t(b[0]) << 24 | std::uint32_t(b[1]) << 16 | std::uint32_t(b[2]) << 8 |
                      b[3]);
}

double Record::real(std::size_t i) const {
  const std::uint8_t* b = data.data() + 8 * i;
  std::uint64_t mantissa = 0;
  for (int k = 1; k < 8; ++k) mantissa = mantissa << 8 | b[k];
  const double size = std::ldexp(double(mantissa), 4 * ((b[0] & 0x7f) - 64) - 56);
  return b[0] & 0x80 ? -size : size;
}

std::string Record::text() const {
  std::string words(reinterpret_cast<const char*>(data.data()), data.size());
  words.resize(std::min(words.find('\0'), words.size()));
  if (is_utf8(words)) return words;
  std::string out;
  for (const char letter : words) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x80)
      out += letter;
    else
      out += {char(0xc0 | code >> 6), char(0x80 | (code & 0x3f))};
  }
  return out;
}

RecordReader::RecordReader(const std::string& path) : path_(path) {
  check_input_file(path, "layout");
  in_.open(path, std::ios::binary);
  if (!in_) throw BadInput(path + ": cannot be opened; check the name and the permissions");
}

bool RecordReader::fill(std::size_t bytes) {
  if (end_ - at_ >= bytes) return true;
  if (buffer_.empty()) buffer_.resize(chunk);
  std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
  start_ += at_;
  end_ -= at_, at_ = 0;
  in_.read(reinterpret_cast<char*>(buffer_.data()) + end_, std::streamsize(buffer_.size() - end_));
  end_ += std::size_t(in_.gcount());
  return end_ >= bytes;
}

void RecordReader::refuse(std::size_t offset, const std::string& problem) const {
  throw BadInput(fmt::format("{}: byte {}{}: {}", path_, offset,
                             structure.empty() ? "" : " in structure '" + structure + "'", problem));
}

Record RecordReader::next() {
  const bool whole_head = fill(head);
  const std::size_t offset = start_ + at_;
  if (!whole_head)
    refuse(offset,
           offset == 0 && end_ == at_
               ? "the file is empty (a layout of GDSII begins with a record HEADER); export it again"
               : "the file ends before its record ENDLIB (it was cut short); export or copy it again");
  const std::uint8_t* b = buffer_.data() + at_;
  const std::size_t length = std::size_t(b[0]) << 8 | b[1];
  const Tag tag = Tag(b[2]);
  const std::uint8_t type = b[3];
  if (offset == 0 && (tag != Tag::header || type != int2 || length != 6))
    refuse(0,
           "no record HEADER (this is no layout of GDSII; OASIS and CIF are not read); export it as GDSII");
  if (length < head || length % 2)
    refuse(offset,
           fmt::format("{} is {} bytes long (a record has an even number of them, 4 or more: the file "
                       "is damaged or cut short); export or copy it again",
                       name_of(tag), length));
  if (!fill(length))
    refuse(offset, fmt::format("{} of {} bytes goes beyond the end of the file, {} bytes later (the file was "
                               "cut short); export or copy it again",
                               name_of(tag), length, end_ - at_));
  Record r{tag, offset, {buffer_.data() + at_ + head, length - head}};
  at_ += length;
  if (!is_known(tag) || is_free(tag)) return r;
  const Form& form = forms[std::size_t(tag)];
  const std::size_t item = bytes_of(form.type);
  const bool fits =
      form.items == any ? form.type == none || r.data.size() % item == 0 : r.data.size() == form.items * item;
  if (type != form.type || !fits || (form.items == any && form.type != ascii && r.data.empty()))
    refuse(offset,
           fmt::format("{} has {} bytes of data of type {} ({}; the file is damaged); export it again",
                       form.name, r.data.size(), type,
                       form.items == any
                           ? fmt::format("items of {} bytes of type {}", item, int(form.type))
                           : fmt::format("{} bytes of type {} are due", form.items * item, int(form.type))));
  return r;
}

std::pair<std::size_t, bool> RecordReader::rest() {
  std::size_t count = 0;
  bool written = false;
  while (fill(1)) {
    written = written || std::any_of(buffer_.begin() + long(at_), buffer_.begin() + long(end_),
                                     [](std::uint8_t b) { return b != 0; });
    count += end_ - at_;
    at_ = end_;
  }
  return {count, written};
}

}  // namespace umov::layout
