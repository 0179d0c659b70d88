// Sums of running transforms over planes, on the device, where points and waves stay.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "fdtd/kernels/transforms.hpp"

namespace umov::fdtd {

/// Of N points and f frequencies with n waves along the second axis: 24 f n N bytes of points and 16 f N / N0
/// of waves from a GPU's L2, up to 16 f N of transforms; two launches a sum, and its numbers to the host.
template <class Dev, class T>
class LateralPass {
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  explicit LateralPass(Dev& dev) : dev_(dev) {}

  /// Of each sum [frequency][n][m]; `of` gives the values of an accumulator, and how many points it has.
  template <class Of>
  std::vector<std::vector<cplx>> sums(const LateralSums& sums, const Of& of) {
    std::vector<std::vector<cplx>> all;
    for (Kept& k : kept(sums)) {
      const LateralSum& s = *k.of;
      const auto [a, points] = of(s.a);
      const SumColumns<T> columns{a,
                                  points,
                                  k.point.data(),
                                  k.second.data(),
                                  s.places(),
                                  index_t(s.points.size()) / std::max<index_t>(1, s.places()),
                                  {s.count[0], s.count[1]},
                                  s.waves[1],
                                  k.column.data()};
      const SumWaves waves{
          k.first.data(), k.column.data(), s.count[0], {s.waves[0], s.waves[1]}, k.sum.data()};
      dev_.for_each(index_t(k.column.size()), columns);
      dev_.for_each(index_t(k.sum.size()), waves);
      std::vector<Complex<double>> host(k.sum.size());
      dev_.download(host.data(), k.sum.data(), host.size());
      auto& wide = all.emplace_back();
      for (const auto& z : host) wide.emplace_back(z.re, z.im);
    }
    return all;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& [of, list] : kept_)
      for (const Kept& k : list)
        sum += k.point.bytes() + k.first.bytes() + k.second.bytes() + k.column.bytes() + k.sum.bytes();
    return sum;
  }

 private:
  struct Kept {
    const LateralSum* of;
    Array<LateralSum::Point> point;
    Array<Complex<double>> first, second, column, sum;
  };

  template <class V>
  Array<V> copy_of(const std::vector<V>& host) {
    auto array = dev_.template allocate<V>(host.size());
    dev_.upload(array.data(), host.data(), host.size());
    return array;
  }
  std::vector<Kept>& kept(const LateralSums& sums) {
    for (auto& [of, list] : kept_)
      if (of == sums) return list;
    std::vector<Kept> list;
    for (const LateralSum& s : *sums) {
      const std::size_t columns = std::size_t(s.frequencies) * s.waves[1];
      list.push_back({&s, copy_of(s.points), copy_of(s.first), copy_of(s.second),
                      dev_.template allocate<Complex<double>>(columns * s.count[0]),
                      dev_.template allocate<Complex<double>>(columns * s.waves[0])});
    }
    return kept_.emplace_back(sums, std::move(list)).second;
  }

  Dev& dev_;
  std::vector<std::pair<LateralSums, std::vector<Kept>>> kept_;  ///< held, as Kept::of points into them
};

}  // namespace umov::fdtd
