// The list of the kinds of sources.
#include <cmath>

#include "fdtd/kind_list.hpp"
#include "fdtd/sources/kind.hpp"

namespace umov::fdtd {

std::span<const SourceKind* const> source_kinds() {
#define UMOV_ADDRESS(name) &name##_source(),
  static const SourceKind* const kinds[] = {UMOV_SOURCE_KINDS(UMOV_ADDRESS)};
#undef UMOV_ADDRESS
  return kinds;
}

const char* SourceKind::name() const {
#define UMOV_WORD(name) #name,
  static constexpr const char* words[] = {UMOV_SOURCE_KINDS(UMOV_WORD)};
#undef UMOV_WORD
  return name_in<SourceKind>(source_kinds(), words, this);
}

const SourceKind& kind_of(SourceSpec::Kind kind) { return kind_in(source_kinds(), kind); }

std::vector<std::string> sources_that_read(std::string_view key) { return that_read(source_kinds(), key); }

Vec3 normal_of(const Grid& g, const Vec3& size, int direction) {
  Vec3 n{0, 0, 0};
  for (int a = 0; a < dimensions(g.mode); ++a)
    if (size[a] == 0) {
      n[a] = direction < 0 ? -1 : 1;
      break;
    }
  return n;
}

Vec3 travel_of(const SourceSpec& s, const Grid& g) {
  const double phi = s.phi * pi / 180, theta = dimensions(g.mode) == 3 ? s.theta * pi / 180 : pi / 2;
  return {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
}

std::vector<std::string> turned_in_space(const SourceSpec& s) {
  const SourceSpec usual;
  std::vector<std::string> changed;
  if (s.theta != usual.theta) changed.push_back("theta");
  if (s.polarization_angle != usual.polarization_angle) changed.push_back("polarization_angle");
  return changed;
}

bool SourceKind::reads(std::string_view key) const { return std::ranges::count(traits_.reads, key) > 0; }

}  // namespace umov::fdtd
