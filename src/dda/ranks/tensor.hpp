// The transformed interaction tensor in stretches of kx, a rank each: never whole anywhere.
#pragma once

#include <utility>

#include "dda/ranks/octant.hpp"
#include "dda/scheme/interaction.hpp"
#include "dda/scheme/tensor_builder.hpp"

namespace umov::dda {

/// What TensorBuilder does, on several ranks. Each fills the lags of a stretch of z and transforms them along
/// x; then it gets all lags z of its own kx in one exchange, and transforms them along y and z alone. One
/// component after the other: beside the tensor there are two parts of a sixth of its size. A problem's table
/// holds the lags of the rank's stretch (lag_stretches) alone.
template <class Dev, class T>
class RankTensor {
  using C = Complex<T>;
  using Buffer = typename Dev::template Array<C>;

 public:
  /// `buffer` is work space for whole lines, of any size not below the longest.
  RankTensor(Dev& dev, const Problem& problem, const GridView& grid, KeptFrequencies kept, Buffer& buffer)
      : dev_(dev), problem_(problem), grid_(grid), parts_(dev, grid, std::move(kept), buffer) {}

  /// What the rank keeps, [own hx][6][hz][hy], with the factor 1/(gx gy gz) of the inverse transform.
  void fill(C* octant) {
    for (int c = 0; c < 6; ++c) component(octant, 6, c, c);
  }
  /// Component c alone, as [own hx][hz][hy].
  void one(C* octant, int c) { component(octant, 1, 0, c); }

 private:
  /// Component c, in place `slot` of `slots`.
  void component(C* octant, int slots, int slot, int c) {
    const int first = parts_.first_lag(), own = parts_.lags();
    auto lags = dev_.template allocate<C>(parts_.size_of_lags());
    const T scale = T(1.0L / ((long double)grid_.gx * grid_.gy * grid_.gz));
    const Int3& box = problem_.particle->box;
    const auto put = [&](auto term) {
      dev_.for_each(index_t(lags.size()),
                    FillLags<T, decltype(term)>{term, box[0], box[1], box[2], first, own, grid_.hy, c, 1, 0,
                                                scale, lags.data()});
    };
    if (const auto& table = problem_.table; table.extent[0] > 0) {
      put(TableOfStretch<T>{table.terms, table.extent[0], table.extent[1], first});
    } else {
      const InteractionOnDevice<Dev, T> interaction(dev_, problem_);
      interaction.visit(put);
      dev_.synchronize();  // what it has on the device goes
    }
    parts_.along_x(lags.data(), c, index_t(own) * grid_.hy);
    parts_.to_frequencies(lags.data(), octant, slots, slot);
    parts_.along_y(octant, slots, slot, c, grid_.hz);
    parts_.along_z(octant, slots, slot, c);
  }

  Dev& dev_;
  const Problem& problem_;
  GridView grid_;
  RankOctant<Dev, T> parts_;
};

}  // namespace umov::dda
