// Sites and materials of another program's target as shape and materials of a case.
#include "dda/case/sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <optional>
#include <set>

#include "core/error.hpp"

namespace umov::dda {

namespace {

struct Box {
  Axes3 low{INT_MAX, INT_MAX, INT_MAX}, high{INT_MIN, INT_MIN, INT_MIN};
  int edge(int i) const { return high[i] - low[i] + 1; }
};

Box box_of(const Sites& sites) {
  Box box;
  for (const Axes3& s : sites.site)
    for (int i = 0; i < 3; ++i) {
      box.low[i] = std::min(box.low[i], s[i]);
      box.high[i] = std::max(box.high[i], s[i]);
    }
  return box;
}

/// Whether the shape of the catalogue on this grid has just these sites.
bool same_sites(const shapes::Request& request, const Sites& sites, const Box& box) {
  std::optional<shapes::Particle> particle;
  try {
    particle = shapes::make_particle(request);
  } catch (const BadInput&) {
    return false;  // no such particle, then
  }
  for (int i = 0; i < 3; ++i)
    if (particle->box[i] != box.edge(i)) return false;
  if (particle->dipoles() != sites.size()) return false;
  for (const Axes3& s : sites.site) {
    const std::size_t at =
        (std::size_t(s[2] - box.low[2]) * box.edge(1) + (s[1] - box.low[1])) * box.edge(0) +
        (s[0] - box.low[0]);
    if (particle->material[at] == 0) return false;
  }
  return true;
}

/// A shape of the catalogue that may be meant, with the grid of the box.
std::optional<shapes::Request> in_catalogue(const Sites& sites, const Box& box) {
  const double nx = box.edge(0), y = box.edge(1) / nx, z = box.edge(2) / nx;
  std::vector<std::pair<const char*, std::vector<double>>> candidates{{"box", {y, z}}, {"ellipsoid", {y, z}}};
  if (y == 1 && z == 1) candidates = {{"box", {}}, {"sphere", {}}};
  if (y == 1) candidates.push_back({"cylinder", {z}});
  for (auto& [name, arguments] : candidates) {
    shapes::Request request;
    request.shape = name;
    request.arguments = arguments;
    request.grid = {box.edge(0), 0, 0};
    if (same_sites(request, sites, box)) return request;
  }
  return std::nullopt;
}

std::string site_text(const Sites& sites, const std::vector<Axes3>& domains, const Box& box,
                      const std::string& source) {
  std::string out = fmt::format("# {} sites, from {}\n", sites.size(), source);
  const bool several = domains.size() > 1;
  if (several) out += fmt::format("Nmat={}\n", domains.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Axes3& s = sites.site[i];
    out += fmt::format("{} {} {}", s[0] - box.low[0], s[1] - box.low[1], s[2] - box.low[2]);
    if (several) {
      const auto at = std::lower_bound(domains.begin(), domains.end(), sites.composition[i]);
      out += fmt::format(" {}", at - domains.begin() + 1);
    }
    out += '\n';
  }
  return out;
}

/// Of materials that no site has: they are no domains, and a run knows nothing of them.
void warn_of_absent(Translation& t, const std::vector<Axes3>& domains,
                    const std::vector<std::string>& places) {
  std::set<int> present;
  for (const Axes3& d : domains) present.insert(d.begin(), d.end());
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!present.contains(int(i)))
      t.given.simulation.warnings.push_back(
          places[i] +
          ": this material has no dipole on this grid (it is thinner than a dipole and falls between them, "
          "or no site is of it), and the results have nothing of it; use a finer grid, or leave it out");
}

}  // namespace

std::vector<Axes3> domains_of(const Sites& sites) {
  const std::set<Axes3> distinct(sites.composition.begin(), sites.composition.end());
  return {distinct.begin(), distinct.end()};
}

void set_sites(Translation& t, const Sites& sites, const std::string& origin) {
  if (sites.size() == 0)
    throw BadInput(origin + ": no site of the lattice lies in the target; make it larger");
  const Box box = box_of(sites);
  const auto domains = domains_of(sites);
  auto& shape = t.given.simulation.shape;
  t.origins["shape.name"] = t.origins["shape.grid"] = t.origins["shape.arguments"] = origin;
  if (domains.size() == 1)
    if (const auto found = in_catalogue(sites, box)) {
      shape.shape = found->shape;
      shape.arguments = found->arguments;
      shape.grid = found->grid;
      return;
    }
  shape.shape = "read";
  shape.file = "target.dat";
  t.origins["shape.file"] = origin;
  t.files.push_back({shape.file, site_text(sites, domains, box, origin)});
}

void set_materials(Translation& t, const std::vector<Axes3>& domains, const std::vector<double>& wavelengths,
                   const IndexOf& m, const std::string& origin, const std::vector<std::string>& places) {
  constexpr std::size_t most = 255;  // a site's domain is one byte
  if (domains.size() > most)
    throw BadInput(
        fmt::format("{}: the target has {} compositions along x, y, z (at most {}); use fewer materials",
                    origin, domains.size(), most));
  warn_of_absent(t, domains, places);
  for (std::size_t d = 0; d < domains.size(); ++d) {
    const auto& [x, y, z] = domains[d];
    const auto constant = [&](int i) {
      return std::all_of(m[i].begin(), m[i].end(), [&](const cplx& one) { return one == m[i].front(); });
    };
    const auto one = [&](int i) { return m[i].front(); };
    std::string lines = places[x];
    if (y != x) lines += ", " + places[y];
    if (z != x && z != y) lines += ", " + places[z];
    MaterialRequest request;
    if (constant(x) && constant(y) && constant(z)) {
      request.index.m = CVec3{one(x), one(y), one(z)};
    } else {
      request.nk_file = fmt::format("material_{}.csv", d + 1);
      const bool one_axis = x == y && y == z;
      t.files.push_back({request.nk_file, one_axis ? nk_text(lines, wavelengths, {m[x]})
                                                   : nk_text(lines, wavelengths, {m[x], m[y], m[z]})});
    }
    const char* key = request.nk_file.empty() ? "m" : "nk_file";
    t.origins[fmt::format("material[{}].{}", d, key)] = lines;
    t.given.materials.push_back(request);
  }
  t.origins["material.m"] = t.origins["material.nk_file"] = origin;
}

}  // namespace umov::dda
