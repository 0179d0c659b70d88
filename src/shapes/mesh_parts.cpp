#include "shapes/mesh_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/error.hpp"
#include "shapes/mesh_nearest.hpp"
#include "shapes/mesh_touching.hpp"

namespace umov::shapes {
namespace {

bool same_edge(const Use& a, const Use& b) { return a.low == b.low && a.high == b.high; }

/// Sorted by edge, each edge's in the order of the file.
std::vector<Use> uses_of(const Mesh& mesh) {
  std::vector<Use> uses;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int e = 0; e < 3; ++e) {
      const int from = mesh.triangles[i][e], to = mesh.triangles[i][(e + 1) % 3];
      uses.push_back({std::min(from, to), std::max(from, to), int(i), from < to});
    }
  std::ranges::stable_sort(uses, {}, [](const Use& u) { return std::array{u.low, u.high}; });
  return uses;
}

template <class Visit>
void for_each_edge(const std::vector<Use>& uses, const Visit& visit) {
  for (auto from = uses.begin(); from != uses.end();) {
    const auto to = std::find_if(from, uses.end(), [&](const Use& u) { return !same_edge(u, *from); });
    visit(from, to);
    from = to;
  }
}

/// Whether all triangles of a row lie on others of it: two sides of faces, and no closed surface.
bool all_doubled(const Mesh& mesh, std::size_t first, std::size_t last) {
  std::vector<std::array<int, 3>> corners(mesh.triangles.begin() + std::ptrdiff_t(first),
                                          mesh.triangles.begin() + std::ptrdiff_t(last));
  for (auto& c : corners) std::ranges::sort(c);
  if (std::ranges::count(corners, corners[0]) % 2 == 1) return false;
  std::ranges::sort(corners);
  for (std::size_t i = 0; i < corners.size(); i += 2)
    if (i + 1 == corners.size() || corners[i] != corners[i + 1]) return false;
  return true;
}

/// By triangle: the number of the shortest row of triangles, one after the other, that closes.
std::vector<int> runs_of(const Mesh& mesh, const std::vector<Use>& uses) {
  std::vector<std::array<int, 3>> edges(mesh.triangles.size());
  std::vector<int> filled(mesh.triangles.size(), 0);
  int count = 0;
  for_each_edge(uses, [&](auto from, auto to) {
    for (auto u = from; u != to; ++u) edges[u->triangle][filled[u->triangle]++] = count;
    ++count;
  });
  std::vector<bool> odd(count, false);
  std::vector<int> runs;
  int open = 0, run = 0;
  std::size_t first = 0;
  for (const auto& three : edges) {
    runs.push_back(run);
    for (const int e : three) {
      open += odd[e] ? -1 : 1;
      odd[e] = !odd[e];
    }
    if (open > 0 || all_doubled(mesh, first, runs.size())) continue;
    first = runs.size();
    ++run;
  }
  return runs;
}

/// By triangle: the first triangle of its part.
std::vector<int> roots_of(const Mesh& mesh, const std::vector<Use>& uses) {
  const std::vector<int> runs = runs_of(mesh, uses);
  Sets sets(mesh.triangles.size());
  const auto by_run = [&](const auto& visit) {
    for_each_edge(uses, [&](auto from, auto to) {
      for (auto u = from; u != to;) {
        const auto end =
            std::find_if(u, to, [&](const Use& v) { return runs[v.triangle] != runs[u->triangle]; });
        visit(u, end);
        u = end;
      }
    });
  };
  by_run([&](auto from, auto to) {
    if (to - from == 2) sets.join(from->triangle, from[1].triangle);
  });
  TouchingFaces faces(mesh, sets);
  for (bool more = true; more;) {
    more = false;
    by_run([&](auto from, auto to) { more = faces.give_away(from, to) || more; });
  }
  // Where more meet, those belong together that do not close by themselves.
  by_run([&](auto from, auto to) {
    if (to - from <= 2) return;
    std::map<int, int> met;
    for (auto u = from; u != to; ++u) ++met[sets.find(u->triangle)];
    int first = -1;
    for (const auto& [set, times] : met)
      if (times % 2 == 1) first < 0 ? void(first = set) : sets.join(first, set);
  });
  std::vector<int> roots;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) roots.push_back(sets.find(int(i)));
  return roots;
}

void measure(const Mesh& mesh, MeshPart& part) {
  const auto& v = mesh.vertices;
  const Vec3 origin = v[mesh.triangles[part.triangles[0]][0]];
  part.bounds = {origin, origin};
  for (const int i : part.triangles) {
    const auto& t = mesh.triangles[i];
    part.volume += dot(v[t[0]] - origin, cross(v[t[1]] - origin, v[t[2]] - origin)) / 6;
    for (const int c : t)
      for (int a = 0; a < 3; ++a) {
        part.bounds.low[a] = std::min(part.bounds.low[a], v[c][a]);
        part.bounds.high[a] = std::max(part.bounds.high[a], v[c][a]);
      }
  }
}

std::string group_of(const Mesh& mesh, int triangle) {
  if (mesh.group.empty() || mesh.group[triangle] < 0) return {};
  return mesh.groups[mesh.group[triangle]];
}

void name_parts(const Mesh& mesh, std::vector<MeshPart>& parts) {
  for (std::size_t p = 0; p < parts.size(); ++p) {
    MeshPart& part = parts[p];
    if (parts.size() == 1) {
      part.name = "its surface";
      continue;
    }
    const std::string group = group_of(mesh, part.triangles[0]);
    const Vec3 at = 0.5 * (part.bounds.low + part.bounds.high);
    part.name =
        fmt::format("its part {} of {} ({}{} triangles around ({:.6g}, {:.6g}, {:.6g}))", p + 1, parts.size(),
                    group.empty() ? "" : "'" + group + "', ", part.triangles.size(), at[0], at[1], at[2]);
  }
}

/// What to do about a part that makes no sense: bodies may be mixed where more than two triangles meet.
std::string remedy(const MeshPart& part, const char* otherwise) {
  return part.pinched
             ? "where bodies that touch are mixed in the file, write the triangles of each one after the "
               "other"
             : otherwise;
}

/// Finds pinched parts. Every edge as often in one direction as in the other; a repeated direction means that
/// two triangles disagree on the outside.
void require_closed(const Mesh& mesh, const std::vector<Use>& uses, const std::vector<int>& part_of,
                    std::vector<MeshPart>& parts) {
  struct Fault {
    std::size_t open = 0, wrong = 0;
    Vec3 at{0, 0, 0};
  };
  std::map<int, Fault> faults;
  for_each_edge(uses, [&](auto from, auto to) {
    std::map<int, std::array<int, 2>> times;
    for (auto u = from; u != to; ++u) ++times[part_of[u->triangle]][u->up];
    for (const auto& [part, both] : times) {
      if (both[0] + both[1] > 2) parts[part].pinched = true;
      if (both[0] == both[1]) continue;
      Fault& fault = faults[part];
      fault.at = mesh.vertices[from->low];
      ++(both[0] + both[1] == 1 ? fault.open : fault.wrong);
    }
  });
  if (faults.empty()) return;
  const auto& [part, fault] = *faults.begin();
  const std::string place = fmt::format("({:.6g}, {:.6g}, {:.6g})", fault.at[0], fault.at[1], fault.at[2]);
  if (fault.wrong > 0)
    throw BadInput(
        fmt::format("{} is inconsistent at {} edges, one at {} (neighbouring triangles must agree on the "
                    "outside); {}",
                    parts[part].name, fault.wrong, place, remedy(parts[part], "repair the mesh")));
  throw BadInput(
      fmt::format("{} has {} open edges, one at {} (only a closed surface has an inside); close the holes",
                  parts[part].name, fault.open, place));
}

}  // namespace

std::vector<MeshPart> parts_of(const Mesh& mesh) {
  const std::vector<Use> uses = uses_of(mesh);
  std::vector<int> part_of = roots_of(mesh, uses);
  std::map<int, int> number;
  std::vector<MeshPart> parts;
  for (std::size_t i = 0; i < part_of.size(); ++i) {
    const auto [at, fresh] = number.try_emplace(part_of[i], int(parts.size()));
    if (fresh) parts.emplace_back();
    part_of[i] = at->second;
    parts[part_of[i]].triangles.push_back(int(i));
  }
  for (auto& part : parts) measure(mesh, part);
  name_parts(mesh, parts);
  require_closed(mesh, uses, part_of, parts);
  for (const auto& part : parts) {
    const Vec3 extent = part.bounds.high - part.bounds.low;
    if (std::fabs(part.volume) <= 1e-12 * std::pow(norm(extent), 3))
      throw BadInput(fmt::format("{} encloses no volume (all triangles lie flat); {}", part.name,
                                 remedy(part, "check the mesh")));
  }
  return parts;
}

namespace {

/// Far enough from a surface, near enough not to meet another: of the extent.
constexpr double beside = 1e-6;

class Turning {
 public:
  Turning(const Mesh& mesh, const std::vector<MeshPart>& parts)
      : mesh_(mesh), parts_(parts), tree_(mesh), part_of_(mesh.triangles.size()) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (const int i : parts[p].triangles) part_of_[i] = int(p);
    step_ = beside * norm(tree_.bounds().high - tree_.bounds().low);
  }

  /// By part: -1 for cavities.
  std::vector<int> senses() const {
    std::vector<int> order(parts_.size()), sense(parts_.size(), 1);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater{}, [this](int p) { return std::fabs(parts_[p].volume); });
    for (const int p : order) {
      const std::vector<int> around = enclosing(p);
      if (around.empty()) continue;
      const int outermost =
          *std::ranges::max_element(around, {}, [this](int c) { return std::fabs(parts_[c].volume); });
      int filled = 0;
      for (const int c : around) filled += sense[c];
      const bool opposite = (parts_[p].volume < 0) != (parts_[outermost].volume < 0);
      if (opposite && filled > 0) sense[p] = -1;
    }
    return sense;
  }

 private:
  /// Whether one part may enclose another whole; of two alike none does.
  bool may_enclose(int outer, int inner) const {
    const auto &o = parts_[outer], &i = parts_[inner];
    for (int a = 0; a < 3; ++a)
      if (i.bounds.low[a] < o.bounds.low[a] - step_ || i.bounds.high[a] > o.bounds.high[a] + step_)
        return false;
    return outer != inner && std::fabs(o.volume) > (1 + beside) * std::fabs(i.volume);
  }

  /// The parts in which all of another lies.
  std::vector<int> enclosing(int part) const {
    std::vector<int> left;
    for (std::size_t c = 0; c < parts_.size(); ++c)
      if (may_enclose(int(c), part)) left.push_back(int(c));
    for (const int i : parts_[part].triangles) {
      if (left.empty()) break;
      std::map<int, int> winding;
      tree_.along_ray(mesh_, within(part, i), [&](int t, int sign) { winding[part_of_[t]] += sign; });
      std::erase_if(left, [&](int c) { return winding[c] == 0; });
    }
    return left;
  }

  /// Next to the middle of a triangle, on its part's inner side.
  Vec3 within(int part, int i) const {
    const auto& t = mesh_.triangles[i];
    const auto& v = mesh_.vertices;
    const Vec3 n = cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]);
    const double sense = parts_[part].volume < 0 ? 1 : -1;
    return (1.0 / 3) * (v[t[0]] + v[t[1]] + v[t[2]]) + (sense * step_ / norm(n)) * n;
  }

  const Mesh& mesh_;
  const std::vector<MeshPart>& parts_;
  TriangleTree tree_;
  std::vector<int> part_of_;
  double step_;
};

}  // namespace

void turn_parts(Mesh& mesh, std::vector<MeshPart>& parts) {
  const std::vector<int> senses =
      parts.size() > 1 ? Turning(mesh, parts).senses() : std::vector<int>(parts.size(), 1);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if ((parts[p].volume > 0) == (senses[p] > 0)) continue;
    for (const int i : parts[p].triangles) std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
    parts[p].volume = -parts[p].volume;
  }
}

}  // namespace umov::shapes
