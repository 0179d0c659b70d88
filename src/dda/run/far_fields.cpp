// Far fields of several columns at once, and what is kept of them.
#include "dda/run/far_fields.hpp"

#include <algorithm>

namespace umov::dda {

void FarFields::sums(int column, std::span<const Vec3> n, std::span<CVec3> sums) {
  const std::size_t place =
      std::size_t(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
  auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) {
    return !k.taken[place] && std::equal(k.n.begin(), k.n.end(), n.begin(), n.end());
  });
  if (found == kept_.end()) {
    kept_.push_back({{n.begin(), n.end()},
                     std::vector<CVec3>(n.size() * columns_.size()),
                     std::vector<bool>(columns_.size())});
    found = kept_.end() - 1;
    engine_.far_fields(n, columns_, found->sums);
  }
  std::copy_n(found->sums.begin() + place * n.size(), n.size(), sums.begin());
  found->taken[place] = true;
  if (std::all_of(found->taken.begin(), found->taken.end(), [](bool taken) { return taken; }))
    kept_.erase(found);
}

}  // namespace umov::dda
