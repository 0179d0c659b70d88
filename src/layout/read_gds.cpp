// Records of a GDSII file, in the order that its grammar has, made into structures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/error.hpp"
#include "core/interruption.hpp"
#include "core/text.hpp"
#include "layout/library.hpp"
#include "layout/records.hpp"

namespace umov::layout {
namespace {

/// What the records of an element say before its end.
struct Element {
  Tag kind = Tag::boundary;
  std::size_t offset = 0;
  std::optional<std::uint16_t> layer, type;
  std::optional<int> path_type;
  std::optional<std::int32_t> width, begin, end;
  std::vector<Point> points;
  std::optional<std::string> name, words;
  std::optional<std::pair<int, int>> columns_rows;
  bool mirrored = false, absolute_magnification = false, absolute_angle = false, turned = false;
  std::optional<double> magnification, angle;
  bool property = false;  ///< a PROPATTR waits for its PROPVALUE
};

class Reader {
 public:
  explicit Reader(const std::string& path) : in_(path) { out_.file = path; }

  Library read() {
    read_head();
    for (;;) {
      const Record r = in_.next();
      if (r.tag == Tag::endlib) break;
      if (r.tag == Tag::bgnstr)
        read_structure(r.offset);
      else if (!passes(r))
        in_.refuse(r.offset,
                   fmt::format("{} stands outside a structure (BGNSTR or ENDLIB is due; the file is "
                               "damaged); export it again",
                               name_of(r.tag)));
    }
    look_at_rest();
    tell_passed();
    return std::move(out_);
  }

 private:
  void read_head() {
    in_.next();  // HEADER, which the records look for
    bool begun = false, named = false;
    for (;;) {
      const Record r = in_.next();
      if (!begun && r.tag != Tag::bgnlib && !passes(r)) refuse_order(r, "BGNLIB");
      if (r.tag == Tag::bgnlib) {
        if (begun) refuse_order(r, "LIBNAME or UNITS");
        begun = true;
      } else if (r.tag == Tag::libname) {
        out_.name = r.text();
        named = true;
      } else if (r.tag == Tag::units) {
        if (!named) out_.warnings.push_back("the library has no name (LIBNAME)");
        return take_units(r);
      } else if (begun && !passes(r)) {
        refuse_order(r, "LIBNAME or UNITS");
      }
    }
  }

  [[noreturn]] void refuse_order(const Record& r, const char* due) const {
    in_.refuse(r.offset,
               fmt::format("{} stands where {} is due (the records are out of order); export the file "
                           "again",
                           name_of(r.tag), due));
  }

  void take_units(const Record& r) {
    out_.user_per_unit = r.real(0), out_.meters_per_unit = r.real(1);
    for (const double unit : {out_.user_per_unit, out_.meters_per_unit})
      if (!(unit > 1e-30 && unit < 1e30))
        in_.refuse(
            r.offset,
            fmt::format("UNITS says {:g} user units and {:g} m for a database unit (both are positive, "
                        "1e-9 m in most files); export the file with its unit",
                        out_.user_per_unit, out_.meters_per_unit));
  }

  /// Records that say nothing about the geometry: counted, and told at the end.
  bool passes(const Record& r) {
    using enum Tag;
    static constexpr Tag harmless[] = {
        spacing,  textnode, uinteger, ustring,  reflibs,    fonts,   generations, attrtable,   styptable,
        strtype,  elflags,  elkey,    linktype, linkkeys,   plex,    tapenum,     tapecode,    strclass,
        reserved, format,   mask,     endmasks, libdirsize, srfname, libsecur,    presentation};
    if (is_known(r.tag) && !std::ranges::count(harmless, r.tag)) return false;
    auto [at, fresh] = passed_.try_emplace(r.tag, std::pair{r.offset, std::size_t{0}});
    ++at->second.second;
    return true;
  }

  void tell_passed() {
    for (const auto& [tag, places] : passed_) {
      if (tag == Tag::presentation) continue;  // how a text is drawn
      out_.warnings.push_back(fmt::format(
          "{} is not read ({} of them, the first at byte {}; {})", name_of(tag), places.second, places.first,
          !is_known(tag)        ? "the format has no such record"
          : tag == Tag::reflibs ? "structures of other libraries are not looked up"
                                : "it says nothing about shapes"));
    }
    for (const auto& [what, places] : flat_)
      out_.warnings.push_back(
          fmt::format("{} ({} of them, the first at byte {})", what, places.second, places.first));
  }

  void look_at_rest() {
    const auto [count, written] = in_.rest();
    if (written)
      out_.warnings.push_back(
          fmt::format("{} bytes after the record ENDLIB are not read (nothing belongs there)", count));
  }

  std::uint32_t number_of(const std::string& name) {
    const auto [at, fresh] = numbers_.try_emplace(name, std::uint32_t(out_.structures.size()));
    if (fresh) out_.structures.emplace_back().name = name;
    return at->second;
  }

  void read_structure(std::size_t offset) {
    const Record name = in_.next();
    if (name.tag != Tag::strname) refuse_order(name, "STRNAME");
    const std::string called = name.text();
    if (called.empty())
      in_.refuse(offset, "the structure has no name (others refer to it by that); export the file again");
    in_.structure = shortened(called);
    current_ = number_of(called);
    if (out_.structures[current_].defined)
      in_.refuse(offset, "it is defined a second time (its shapes would be those of either); rename one");
    out_.structures[current_].defined = true;
    for (;;) {
      const Record r = in_.next();
      if (r.tag == Tag::endstr) break;
      using enum Tag;
      if (r.tag == boundary || r.tag == path || r.tag == sref || r.tag == aref || r.tag == text ||
          r.tag == node || r.tag == box)
        read_element(r);
      else if (!passes(r))
        refuse_order(r, "an element or ENDSTR");
      stop_if_interrupted("while a layout was read");
    }
    auto& s = out_.structures[current_];
    s.points.shrink_to_fit(), s.shapes.shrink_to_fit(), s.references.shrink_to_fit();
    in_.structure.clear();
  }

  void read_element(const Record& begin) {
    Element& e = element_;
    auto points = std::move(e.points);
    points.clear();
    e = {};
    e.points = std::move(points);
    e.kind = begin.tag, e.offset = begin.offset;
    for (;;) {
      const Record r = in_.next();
      if (r.tag == Tag::endel) break;
      if (!take(e, r) && !passes(r))
        in_.refuse(r.offset, fmt::format("{} stands in a {} (it has no such record, or an ENDEL is missing); "
                                         "export the file again",
                                         name_of(r.tag), name_of(e.kind)));
    }
    if (e.property)
      in_.refuse(e.offset, "a PROPATTR has no PROPVALUE (the file is damaged); export it again");
    finish(e);
  }

  template <class V>
  void set(std::optional<V>& value, V said, const Record& r) {
    if (value)
      in_.refuse(r.offset, fmt::format("{} comes twice in an element (which of them holds is not defined); "
                                       "export the file again",
                                       name_of(r.tag)));
    value = said;
  }

  /// False: the element has no such record.
  bool take(Element& e, const Record& r) {
    using enum Tag;
    const bool refers = e.kind == sref || e.kind == aref, drawn = e.kind == path || e.kind == text;
    switch (r.tag) {
      case layer:
        if (refers) return false;
        set(e.layer, std::uint16_t(r.int16(0)), r);
        return true;
      case datatype:
        if (e.kind != boundary && e.kind != path) return false;
        set(e.type, std::uint16_t(r.int16(0)), r);
        return true;
      case texttype:
      case nodetype:
      case boxtype:
        if (e.kind != (r.tag == texttype ? text : r.tag == nodetype ? node : box)) return false;
        set(e.type, std::uint16_t(r.int16(0)), r);
        return true;
      case pathtype:
        if (!drawn) return false;
        set(e.path_type, int(r.int16(0)), r);
        return true;
      case width:
        if (!drawn) return false;
        set(e.width, r.int32(0), r);
        return true;
      case bgnextn:
      case endextn:
        if (e.kind != path) return false;
        set(r.tag == bgnextn ? e.begin : e.end, r.int32(0), r);
        return true;
      case xy:
        take_points(e, r);
        return true;
      case sname:
        if (!refers) return false;
        set(e.name, r.text(), r);
        return true;
      case string:
        if (e.kind != text) return false;
        set(e.words, r.text(), r);
        return true;
      case colrow:
        if (e.kind != aref) return false;
        set(e.columns_rows, std::pair<int, int>(std::uint16_t(r.int16(0)), std::uint16_t(r.int16(1))), r);
        return true;
      default:
        return take_turn(e, r) || take_property(e, r);
    }
  }

  void take_points(Element& e, const Record& r) {
    if (r.data.size() % 8)
      in_.refuse(r.offset, "XY has half a point (an x without y; the file is damaged); export it again");
    // Polygons of more corners than a record holds have several.
    const bool goes_on = e.kind == Tag::boundary || e.kind == Tag::path;
    if (!e.points.empty() && !goes_on)
      in_.refuse(r.offset,
                 "XY comes twice in an element (which of them holds is not defined); export the file "
                 "again");
    for (std::size_t i = 0; i < r.data.size() / 8; ++i)
      e.points.push_back({r.int32(2 * i), r.int32(2 * i + 1)});
  }

  bool take_turn(Element& e, const Record& r) {
    if (e.kind != Tag::sref && e.kind != Tag::aref && e.kind != Tag::text) return false;
    if (r.tag == Tag::strans) {
      const auto bits = std::uint16_t(r.int16(0));
      e.turned = true;
      e.mirrored = bits & 0x8000;
      e.absolute_magnification = bits & 0x0004, e.absolute_angle = bits & 0x0002;
      return true;
    }
    if (r.tag != Tag::mag && r.tag != Tag::angle) return false;
    if (!e.turned)
      in_.refuse(r.offset,
                 fmt::format("{} comes without STRANS before it (the records are out of order); export "
                             "the file again",
                             name_of(r.tag)));
    const double value = r.real(0);
    if (r.tag == Tag::mag && !(value > 1e-12 && value < 1e12))
      in_.refuse(r.offset,
                 fmt::format("MAG is {:g} (a magnification is positive); correct the reference", value));
    set(r.tag == Tag::mag ? e.magnification : e.angle, value, r);
    return true;
  }

  bool take_property(Element& e, const Record& r) {
    if (r.tag != Tag::propattr && r.tag != Tag::propvalue) return false;
    if ((r.tag == Tag::propvalue) != e.property)
      in_.refuse(r.offset,
                 "PROPATTR and PROPVALUE do not come in pairs (the file is damaged); export it again");
    e.property = r.tag == Tag::propattr;
    if (!e.property) ++out_.properties;
    return true;
  }

  [[noreturn]] void refuse_element(const Element& e, const std::string& problem) const {
    in_.refuse(e.offset, fmt::format("{} {}", name_of(e.kind), problem));
  }

  void require(const Element& e, bool there, const char* record) const {
    if (!there) refuse_element(e, fmt::format("has no {} (the file is damaged); export it again", record));
  }

  /// Counts what is left out since it has no area, and what is read otherwise than it is written.
  void note(const Element& e, const std::string& what) {
    auto [at, fresh] = flat_.try_emplace(what, std::pair{e.offset, std::size_t{0}});
    ++at->second.second;
  }

  void finish(const Element& e) {
    using enum Tag;
    require(e, !e.points.empty(), "XY");
    if (e.kind == sref || e.kind == aref) return add_reference(e);
    require(e, e.layer.has_value(), "LAYER");
    require(e, e.type.has_value(),
            e.kind == text   ? "TEXTTYPE"
            : e.kind == node ? "NODETYPE"
            : e.kind == box  ? "BOXTYPE"
                             : "DATATYPE");
    if (e.kind == text) return add_text(e);
    add_shape(e);
  }

  void add_reference(const Element& e) {
    require(e, e.name && !e.name->empty(), "SNAME");
    Reference ref;
    ref.origin = e.points[0];
    ref.mirrored = e.mirrored;
    ref.absolute_magnification = e.absolute_magnification, ref.absolute_angle = e.absolute_angle;
    ref.magnification = e.magnification.value_or(1), ref.angle = e.angle.value_or(0);
    if (e.kind == Tag::aref) {
      require(e, e.columns_rows.has_value(), "COLROW");
      const auto [columns, rows] = *e.columns_rows;
      if (columns < 1 || rows < 1)
        refuse_element(
            e, fmt::format("has {} columns and {} rows (an array has one of each or more); correct the "
                           "array",
                           columns, rows));
      if (e.points.size() != 3)
        refuse_element(
            e, fmt::format("has {} points (an array is given by three: its origin, and where one more "
                           "column and one more row would be); export the file again",
                           e.points.size()));
      ref.columns = std::uint16_t(columns), ref.rows = std::uint16_t(rows);
      const auto step = [&](const Point& to, int count, double(&out)[2]) {
        out[0] = (double(to.x) - e.points[0].x) / count, out[1] = (double(to.y) - e.points[0].y) / count;
      };
      step(e.points[1], columns, ref.column);
      step(e.points[2], rows, ref.row);
    } else if (e.points.size() != 1) {
      refuse_element(
          e, fmt::format("has {} points (a reference is at one); export the file again", e.points.size()));
    }
    ref.structure = number_of(*e.name);
    out_.structures[current_].references.push_back(ref);
  }

  void add_text(const Element& e) {
    require(e, e.words.has_value(), "STRING");
    if (e.points.size() != 1)
      refuse_element(e,
                     fmt::format("has {} points (a text is at one); export the file again", e.points.size()));
    out_.structures[current_].texts.push_back({{*e.layer, *e.type}, e.points[0], *e.words});
  }

  void add_shape(const Element& e) {
    Structure& s = out_.structures[current_];
    Shape shape;
    shape.on = {*e.layer, *e.type};
    std::size_t count = e.points.size();
    if (e.kind == Tag::path) {
      shape.kind = Shape::Kind::path;
      shape.path = std::uint32_t(s.paths.size());
      s.paths.push_back(style_of(e));
      if (s.paths.back().width == 0) note(e, "a PATH without width has no area and fills nothing");
    } else if (e.kind == Tag::node) {
      shape.kind = Shape::Kind::node;
      note(e, "a NODE has no area and fills nothing");
    } else {
      shape.kind = e.kind == Tag::box ? Shape::Kind::box : Shape::Kind::boundary;
      if (count > 1 && e.points.front() == e.points.back())
        --count;
      else
        note(e, "a polygon's last corner is not its first again; the two are joined");
      if (count < 3) note(e, "a polygon of fewer than three corners has no area and fills nothing");
    }
    shape.first = std::uint32_t(s.points.size()), shape.count = std::uint32_t(count);
    if (s.points.size() + count > 0xffffffffu)
      refuse_element(e,
                     "is beyond four thousand million points in a structure (more are not numbered); divide "
                     "the structure");
    s.points.insert(s.points.end(), e.points.begin(), e.points.begin() + long(count));
    s.shapes.push_back(shape);
  }

  PathStyle style_of(const Element& e) {
    PathStyle p;
    const int type = e.path_type.value_or(0);
    switch (type) {
      case 0:
        p.ends = PathStyle::Ends::flush;
        break;
      case 1:
        p.ends = PathStyle::Ends::round;
        break;
      case 2:
        p.ends = PathStyle::Ends::half_width;
        break;
      case 4:
        p.ends = PathStyle::Ends::given;
        break;
      default:
        refuse_element(
            e, fmt::format("has the type {} (there are 0, 1, 2 and 4); draw it with one of these", type));
    }
    p.width = std::fabs(double(e.width.value_or(0)));
    p.absolute = e.width.value_or(0) < 0;
    if (p.ends == PathStyle::Ends::given)
      p.begin = e.begin.value_or(0), p.end = e.end.value_or(0);
    else if (e.begin || e.end)
      note(e,
           "a PATH that is not of type 4 has extensions (BGNEXTN, ENDEXTN), which only those have: left out");
    return p;
  }

  RecordReader in_;
  Library out_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::uint32_t current_ = 0;
  Element element_;
  std::map<Tag, std::pair<std::size_t, std::size_t>> passed_;  ///< first place, how many
  std::map<std::string, std::pair<std::size_t, std::size_t>> flat_;
};

}  // namespace

std::string to_string(const LayerId& id) { return fmt::format("{}/{}", id.layer, id.datatype); }

Library read_gds(const std::string& path) { return Reader(path).read(); }

}  // namespace umov::layout
