// What viewers say, from JSON: anything may come.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "view/protocol.hpp"
#include "view/reduce.hpp"

namespace umov::view {

namespace {

using HeardJson = nlohmann::json;

constexpr int deepest_message = 16;
constexpr std::size_t most_rects = 1 << 18;
constexpr double longest_reference = 256;

/// Refuses what is nested too deep while it is read, before it can fill the stack.
HeardJson parsed(const std::string& text) {
  bool deep = false;
  const auto watch = [&](int depth, HeardJson::parse_event_t, HeardJson&) {
    deep |= depth > deepest_message;
    return !deep;
  };
  HeardJson j = HeardJson::parse(text, watch, false);
  if (deep)
    throw BadInput(
        fmt::format("a message is nested more than {} levels deep; send plain objects", deepest_message));
  if (j.is_discarded() || !j.is_object())
    throw BadInput("a message is no JSON object; see docs/view_protocol.md");
  return j;
}

long integer(const HeardJson& j, const char* key, long fallback, long low, long high) {
  const auto found = j.find(key);
  if (found == j.end()) return fallback;
  // A page's numbers may come as 3.0.
  const double v = found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (!(v >= double(low) && v <= double(high)) || v != double(long(v)))
    throw BadInput(fmt::format("{} is no integer from {} to {}; mend it", key, low, high));
  return long(v);
}

std::string string_of(const HeardJson& j, const char* key) {
  const auto found = j.find(key);
  if (found == j.end()) return "";
  if (!found->is_string()) throw BadInput(fmt::format("{} is no text; mend it", key));
  return found->get<std::string>();
}

std::vector<int> integers(const HeardJson& list, const char* key, std::size_t most) {
  if (!list.is_array() || list.size() > most)
    throw BadInput(fmt::format("{} is no list of at most {} numbers; mend it", key, most));
  std::vector<int> out;
  for (const HeardJson& v : list) {
    const double number = v.is_number() ? v.get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(number >= -1e9 && number <= 1e9)) throw BadInput(fmt::format("{} holds no number; mend it", key));
    out.push_back(int(number));
  }
  return out;
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// RFC 4648, with or without padding.
std::string from_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = base64_digit(c);
    if (digit < 0) throw BadInput("png is no base64; send the bytes of a picture's file in it");
    bits = bits << 6 | std::uint32_t(digit);
    if ((count += 6) >= 8) out += char(bits >> (count -= 8) & 255);
  }
  return out;
}

void read_subscribe(const HeardJson& j, Command& c) {
  if (!j.contains("array")) throw BadInput("subscribe without an array; give an id of the catalogue");
  constexpr long any = std::numeric_limits<int>::max();
  c.array = int(integer(j, "array", 0, 0, any));
  if (j.contains("axis")) c.axis = int(integer(j, "axis", 2, 0, 3));
  if (j.contains("index")) c.index = int(integer(j, "index", 0, 0, any));
  if (const auto r = j.find("region"); r != j.end() && !r->is_null()) c.region = integers(*r, "region", 6);
  if (const auto p = j.find("pixels"); p != j.end() && !p->is_null()) c.pixels = integers(*p, "pixels", 3);
  if (const auto t = j.find("time"); t != j.end() && !t->is_null()) {
    if (!t->is_number()) throw BadInput("time is no number; give one of the array's instants");
    c.time = t->get<double>();
  }
  const std::string parts = string_of(j, "parts");
  if (parts == "shape")
    c.parts = TriangleParts::shape;
  else if (parts == "values")
    c.parts = TriangleParts::values;
  else if (!parts.empty() && parts != "all")
    throw BadInput("parts is none of all, shape, values; take one of them");
  c.every = integer(j, "every", 0, 0, 1000000000);
  const std::string how = string_of(j, "encoding");
  if (how == "f32")
    c.encoding = Encoding::f32;
  else if (how == "u8")
    c.encoding = Encoding::u8;
  else if (how == "f64")
    c.encoding = Encoding::f64;
  else if (!how.empty() && how != "f16")
    throw BadInput("encoding is none of f16, f32, f64, u8; take one of them");
}

void read_paint(const HeardJson& j, Command& c) {
  const auto rgb = integers(j.value("rgb", HeardJson()), "rgb", 3);
  if (rgb.size() != 3) throw BadInput("rgb is no list of three numbers; mend it");
  std::copy(rgb.begin(), rgb.end(), c.rgb.begin());
  const HeardJson list = j.value("rects", HeardJson());
  if (!list.is_array() || list.empty() || list.size() > most_rects)
    throw BadInput(fmt::format("rects is no list of 1 to {} rectangles; mend it", most_rects));
  for (const HeardJson& item : list) {
    const auto r = integers(item, "rects", 4);
    if (r.size() != 4) throw BadInput("a rectangle is not x, y, width, height; mend rects");
    c.rects.push_back({r[0], r[1], r[2], r[3]});
  }
}

}  // namespace

Command read_command(const std::string& text, Echo& echo) {
  const HeardJson j = parsed(text);
  if (const auto r = j.find("ref"); r != j.end()) {
    echo.reference = r->dump(-1, ' ', true, HeardJson::error_handler_t::replace);
    if (double(echo.reference.size()) > longest_reference) echo.reference.clear();
  }
  Command c;
  c.name = echo.name = string_of(j, "do");
  if (c.name.empty()) throw BadInput("a message has no `do`; see docs/view_protocol.md");
  if (c.name == "subscribe" || c.name == "unsubscribe" || c.name == "ack") {
    c.sub = std::uint32_t(integer(j, "sub", 0, 1, std::numeric_limits<int>::max()));
    if (c.sub == 0) throw BadInput(c.name + " without sub; give a number of your choice, from 1");
    echo.sub = c.sub;
    c.sequence = std::uint32_t(integer(j, "sequence", 0, 0, std::numeric_limits<std::uint32_t>::max()));
  }
  if (c.name == "subscribe") read_subscribe(j, c);
  if (c.name == "step") c.steps = integer(j, "n", 1, 1, 1000000000);
  if (c.name == "model") c.model = {from_base64(string_of(j, "png")), string_of(j, "name")};
  if (c.name == "paint") read_paint(j, c);
  return c;
}

namespace {

/// The cells that a cut or a volume shows.
void set_region(const Command& c, const Int3& cells, Request& r) {
  r.lo = {0, 0, 0};
  r.hi = cells;
  if (r.axis < 3) {
    r.index = c.index.value_or(cells[r.axis] / 2);
    if (r.index >= cells[r.axis])
      throw BadInput(fmt::format("index {} lies beyond the {} layers along {}; take less", r.index,
                                 cells[r.axis], "xyz"[r.axis]));
    r.lo[r.axis] = r.index;
    r.hi[r.axis] = r.index + 1;
  }
  if (c.region.empty()) return;
  std::vector<int> axes;
  for (int a = 0; a < 3; ++a)
    if (a != r.axis) axes.push_back(a);
  if (c.region.size() != 2 * axes.size())
    throw BadInput(
        fmt::format("region has {} numbers ({} are a box here); mend it", c.region.size(), 2 * axes.size()));
  for (std::size_t n = 0; n < axes.size(); ++n) {
    const int a = axes[n];
    r.lo[a] = std::clamp(c.region[n], 0, cells[a]);
    r.hi[a] = std::clamp(c.region[n + axes.size()], 0, cells[a]);
    if (r.lo[a] >= r.hi[a])
      throw BadInput(
          fmt::format("region holds no cell along {} (there are 0 to {}); mend it", "xyz"[a], cells[a] - 1));
  }
}

Int3 pixels_along(const Command& c, const Request& r) {
  const int fallback = r.axis == 3 ? 64 : 512;
  Int3 pixels{1, 1, 1};
  std::size_t n = 0;
  for (int a = 0; a < 3; ++a)
    if (a != r.axis) {
      pixels[a] = n < c.pixels.size() ? std::max(1, c.pixels[n]) : fallback;
      ++n;
    }
  return pixels;
}

}  // namespace

Request request_of(const Command& c, const ArrayInfo& a) {
  Request r;
  r.array = a.id;
  if (c.time) r.time = *c.time;
  if (a.kind == Kind::triangles) r.parts = c.parts;
  if (a.kind != Kind::field) {
    if (!c.pixels.empty()) r.size[0] = std::clamp(c.pixels[0], 0, int(most_pixels));
    return r;
  }
  Int3 cells{1, 1, 1};
  for (std::size_t n = 0; n < 3 && n < a.shape.size(); ++n) cells[n] = int(a.shape[n]);
  r.axis = c.axis.value_or(2);
  set_region(c, cells, r);
  r.size = fit_size(r.lo, r.hi, pixels_along(c, r), most_pixels);
  return r;
}

}  // namespace umov::view
