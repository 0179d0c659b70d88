// Accumulators of a monitor and their values.
#include "fdtd/observables/transforms.hpp"

#include "fdtd/observables/saved_bytes.hpp"

namespace umov::fdtd {

void Transforms::commit(Problem& p, std::vector<double> frequencies, int interval) {
  frequencies_ = std::move(frequencies);
  for (int c = 0; c < components; ++c) {
    accumulator_[c] = int(p.fouriers.size());
    if (cells_[c].empty()) continue;
    p.fouriers.push_back({Component(c), interval, cells_[c], frequencies_});
  }
}

TransformValues Transforms::sized() const {
  TransformValues v;
  for (int c = 0; c < components; ++c) v.points[c] = cells_[c].size();
  return v;
}

TransformValues Transforms::values(const Engine& engine, const ReferenceFields* minus) const {
  TransformValues v = sized();
  for (int c = 0; c < components; ++c) {
    if (cells_[c].empty()) continue;
    v.value[c] = engine.fourier(accumulator_[c]);
    if (!minus) continue;
    const auto& reference = minus->fourier[accumulator_[c]];
    for (std::size_t i = 0; i < reference.size(); ++i) v.value[c][i] -= reference[i];
  }
  return v;
}

TransformValues Transforms::values(const ReferenceFields& reference) const {
  TransformValues v = sized();
  for (int c = 0; c < components; ++c)
    if (!cells_[c].empty()) v.value[c] = reference.fourier[accumulator_[c]];
  return v;
}

void save(const TransformValues& v, std::vector<std::byte>& out) {
  put(out, v.points.data(), v.points.size());
  for (const auto& list : v.value) {
    const std::size_t n = list.size();
    put(out, &n, 1);
    put(out, list.data(), n);
  }
}

void restore(TransformValues& v, std::span<const std::byte>& in) {
  take(in, v.points.data(), v.points.size());
  for (auto& list : v.value) {
    std::size_t n = 0;
    take(in, &n, 1);
    if (n > in.size() / sizeof(cplx))
      throw BadInput("the checkpoint's transforms end early (damaged, or of another case) start anew");
    list.resize(n);
    take(in, list.data(), n);
  }
}

std::vector<double> squared_norms(const TransformValues& a, const TransformValues* minus,
                                  std::size_t frequencies) {
  std::vector<double> sums(frequencies, 0);
  for (int c = 0; c < components; ++c)
    for (std::size_t f = 0; f < frequencies; ++f)
      for (std::size_t p = 0; p < a.points[c]; ++p)
        sums[f] += std::norm(a.at(c, f, p) - (minus ? minus->at(c, f, p) : cplx(0)));
  return sums;
}

}  // namespace umov::fdtd
