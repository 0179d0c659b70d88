// Charges that nothing carries away: of islands that conduct within themselves, and in insulators.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "comm/collect.hpp"
#include "comm/ranked_device.hpp"
#include "eqs/solve/system.hpp"

namespace umov::eqs {

template <class Device>
class KeptCharges {
 public:
  /// `p`: with Problem::island.
  KeptCharges(System<Device>& system, const Problem& p) : system_(system), size_(p.island_size) {
    if (p.island.empty()) return;
    island_.assign(std::size_t(system.unknowns()), -1);
    for (int n = 0; n < p.nodes; ++n)
      if (const int u = p.unknown[n]; u >= 0 && u < system.unknowns()) island_[std::size_t(u)] = p.island[n];
  }

  /// Takes from changes of charge, C per unknown, what would change that of an island (all of it alike) or of
  /// an insulator: rounding and what a solver left over.
  void keep(double* change) const {
    if (island_.empty()) return;
    std::vector<double> host(island_.size()), more(size_.size(), 0.0);
    system_.device().download(host.data(), change, host.size());
    for (std::size_t n = 0; n < host.size(); ++n)
      if (island_[n] >= 0) more[std::size_t(island_[n])] += host[n];
    if constexpr (comm::is_ranked<Device>) comm::sum(system_.device().comm(), std::span<double>(more));
    for (std::size_t n = 0; n < host.size(); ++n) {
      if (island_[n] == -1) continue;
      const std::size_t k = std::size_t(std::max(island_[n], 0));
      host[n] = island_[n] < 0 ? 0 : host[n] - more[k] / size_[k];
    }
    system_.device().upload(change, host.data(), host.size());
  }

 private:
  System<Device>& system_;
  std::vector<int> island_, size_;  ///< per unknown, and per island, as Problem has them
};

}  // namespace umov::eqs
