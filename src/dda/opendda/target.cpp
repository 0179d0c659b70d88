// OpenDDA's targets: ellipsoid, cuboid, and sites from a file.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "core/text.hpp"
#include "dda/opendda/entry.hpp"
#include "dda/opendda/translate.hpp"
#include "parameters/columns.hpp"

namespace umov::dda::opendda {

namespace {

/// Calls `f` with the sites of the box, x fastest.
template <class F>
void each_site(const Int3& box, const F& f) {
  for (int z = 0; z < box[2]; ++z)
    for (int y = 0; y < box[1]; ++y)
      for (int x = 0; x < box[0]; ++x) f(Axes3{x, y, z});
}

/// Centres of sites inside, not on, the ellipsoid whose diameters are the edges of the box.
Sites ellipsoid(const Int3& box) {
  Sites out;
  each_site(box, [&](const Axes3& s) {
    double r2 = 0;
    for (int i : {2, 1, 0}) {
      const double u = s[i] - (box[i] - 1.0) / 2;
      r2 = u * u / (double(box[i]) * box[i]) + r2;
    }
    if (r2 < 0.25) out.add(s);
  });
  return out;
}

Sites cuboid(const Int3& box) {
  Sites out;
  each_site(box, [&](const Axes3& s) { out.add(s); });
  return out;
}

/// One site a line: x,y,z from 0 and the composition along x,y,z from 0.
Sites from_file(const Control& c) {
  Sites out;
  std::set<Axes3> met;
  const auto lines = read_lines(c.shape, "target");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto text = without_remark(lines[i]);
    if (text.empty()) continue;
    const auto refuse = [&](const std::string& why) {
      throw BadInput(fmt::format("{}: {}; a site is x,y,z and the material along x,y,z, all counted from 0",
                                 file_line(c.shape, i + 1), why));
    };
    const auto parts = split(text, ',');
    if (parts.size() != 6) refuse(fmt::format("'{}' has not six numbers", shortened(text)));
    std::array<int, 6> n{};
    for (int k = 0; k < 6; ++k) {
      const auto value = parse_integer(trim(parts[k]));
      const long long most = k < 3 ? c.box[k] : (long long)(c.materials.size());
      if (!value) refuse(fmt::format("'{}' is not a whole number", shortened(parts[k])));
      if (*value < 0 || *value >= most)
        refuse(k < 3 ? fmt::format("{} {} is outside of the {} sites of the box", "xyz"[k], *value, most)
                     : fmt::format("material {} is none of the {}", *value, most));
      n[k] = int(*value);
    }
    const Axes3 at{n[0], n[1], n[2]};
    if (!met.insert(at).second) refuse("the site is there already");
    out.add(at, {n[3], n[4], n[5]});
  }
  return out;
}

}  // namespace

Sites target_sites(const Control& c) {
  if (!c.from_file) {
    constexpr double most = 1e9;
    if (double(c.box[0]) * c.box[1] * c.box[2] > most)
      throw BadInput(fmt::format("{}: {} x {} x {} sites are more than {:g}; give a smaller box",
                                 c.places.at("Shape"), c.box[0], c.box[1], c.box[2], most));
  }
  const auto listed = [&] {
    return read_as(FileFormat::none, c.shape, "a target lists sites, \"x,y,z,mx,my,mz\" a line",
                   [&] { return from_file(c); });
  };
  return c.from_file ? listed() : c.shape == "cuboid" ? cuboid(c.box) : ellipsoid(c.box);
}

}  // namespace umov::dda::opendda
