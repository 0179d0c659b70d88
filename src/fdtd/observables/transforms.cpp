// Accumulators of a monitor and their values.
#include "fdtd/observables/transforms.hpp"

#include <algorithm>

#include "fdtd/ranks/rank_engine.hpp"

namespace umov::fdtd {

std::size_t Transforms::add(Component c, const Whole& whole, const Int3& cell) {
  const Stored s = whole.stored(c, cell);
  Use use{cells_[c].size(), s.factor};
  bool fresh = false;  // a cell that no other point has
  if (s.factor != 0.0) {
    const index_t at = Layout(whole.grid()).at(s.cell);
    if (whole.any()) use.stored = known_[c].try_emplace(at, use.stored).first->second;
    fresh = use.stored == cells_[c].size();
    if (fresh) cells_[c].push_back(at);
  }
  note(c, use, fresh);
  return points(c) - 1;
}

void Transforms::note(Component c, const Use& use, bool fresh) {
  auto& uses = uses_[c];
  if (uses.empty() && fresh && use.factor == 1.0) return;
  if (uses.empty())
    for (std::size_t i = 0; i + (fresh ? 1 : 0) < cells_[c].size(); ++i) uses.push_back({i, 1});
  uses.push_back(use);
}

void Transforms::commit(Problem& p, std::vector<double> frequencies, int interval) {
  frequencies_ = std::move(frequencies);
  for (int c = 0; c < components; ++c) {
    known_[c].clear();
    accumulator_[c] = int(p.fouriers.size());
    if (cells_[c].empty()) continue;
    p.fouriers.push_back({Component(c), interval, cells_[c], frequencies_});
  }
}

std::vector<cplx> Transforms::spread(int c, std::vector<cplx> stored) const {
  if (uses_[c].empty()) return stored;
  std::vector<cplx> all;
  all.reserve(frequencies_.size() * uses_[c].size());
  for (std::size_t f = 0; f < frequencies_.size(); ++f)
    for (const Use& u : uses_[c])
      all.push_back(u.factor == 0.0 ? 0 : u.factor * stored[f * cells_[c].size() + u.stored]);
  return all;
}

TransformValues Transforms::values(const Engine& engine, const ReferenceFields* minus) const {
  TransformValues v;
  for (int c = 0; c < components; ++c) {
    v.points[c] = points(c);
    std::vector<cplx> stored;
    if (!cells_[c].empty()) stored = engine.fourier(accumulator_[c]);
    if (minus && !cells_[c].empty()) {
      const auto& reference = minus->fourier[accumulator_[c]];
      for (std::size_t i = 0; i < reference.size(); ++i) stored[i] -= reference[i];
    }
    v.value[c] = spread(c, std::move(stored));
  }
  return v;
}

std::vector<cplx> Transforms::values(const Engine& engine, Component c, std::span<const Stretch> stretches,
                                     int rank) const {
  const auto& uses = uses_[c];
  const Stretch own = stretches[std::size_t(rank)];
  if (cells_[c].empty()) return std::vector<cplx>(frequencies_.size() * std::size_t(own.length()));
  std::vector<Stretch> stored;
  for (const Stretch& s : stretches) {
    if (uses.empty()) {
      stored.push_back(s);
      continue;
    }
    Stretch all{index_t(cells_[c].size()), 0};
    for (index_t i = s.begin; i < s.end; ++i)
      if (uses[std::size_t(i)].factor != 0.0) {
        all.begin = std::min(all.begin, index_t(uses[std::size_t(i)].stored));
        all.end = std::max(all.end, index_t(uses[std::size_t(i)].stored) + 1);
      }
    stored.push_back(all.end == 0 ? Stretch{} : all);
  }
  auto values = ranks::fourier_stretches(engine, accumulator_[c], stored);
  if (uses.empty()) return values;
  const Stretch from = stored[std::size_t(rank)];
  std::vector<cplx> all;
  for (std::size_t f = 0; f < frequencies_.size(); ++f)
    for (index_t i = own.begin; i < own.end; ++i) {
      const Use& u = uses[std::size_t(i)];
      const auto at = f * std::size_t(from.length()) + u.stored - std::size_t(from.begin);
      all.push_back(u.factor == 0.0 ? 0 : u.factor * values[at]);
    }
  return all;
}

TransformValues Transforms::values(const ReferenceFields& reference) const {
  TransformValues v;
  for (int c = 0; c < components; ++c) {
    v.points[c] = points(c);
    v.value[c] = spread(c, cells_[c].empty() ? std::vector<cplx>{} : reference.fourier[accumulator_[c]]);
  }
  return v;
}

void save(const TransformValues& v, ByteWriter& out) {
  out(v.points);
  for (const auto& list : v.value) out(list);
}

void restore(TransformValues& v, ByteReader& in) {
  in(v.points);
  for (auto& list : v.value) in(list);
}

std::vector<double> squared_norms(const TransformValues& a, const TransformValues* minus,
                                  std::size_t frequencies) {
  std::vector<double> sums(frequencies, 0);
#pragma omp parallel for schedule(static)
  for (std::size_t f = 0; f < frequencies; ++f)
    for (int c = 0; c < components; ++c)
      for (std::size_t p = 0; p < a.points[c]; ++p)
        sums[f] += std::norm(a.at(c, f, p) - (minus ? minus->at(c, f, p) : cplx(0)));
  return sums;
}

}  // namespace umov::fdtd
