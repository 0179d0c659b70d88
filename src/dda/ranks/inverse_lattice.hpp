// A preconditioner's table on several ranks.
#pragma once

#include <algorithm>
#include <vector>

#include "dda/ranks/octant.hpp"
#include "dda/scheme/inverse_lattice.hpp"

namespace umov::dda {

/// Borders of the ranks' stretches of the lags z of a table: those of the tensor that is made of it.
inline std::vector<index_t> table_stretches(const Problem& problem, const Preconditioner& p, int lags,
                                            int ranks) {
  const bool periodic = p.kind == PreconditionerKind::circulant;
  auto borders = lag_stretches(grid_view(periodic ? problem.particle->box : problem.fft_grid), ranks);
  for (index_t& z : borders) z = std::min<index_t>(z, lags);
  return borders;
}

/// Every rank has its stretch of the table, of which it makes its stretch of the tensor (RankTensor). The
/// octant is filled in stretches of z and inverted in stretches of kx, which lie in the same memory; beside
/// it there is one more component of a stretch, on the way back what the table keeps of one, twice, and the
/// table.
template <class Dev, class T>
class InverseLattice<comm::OnRanks<Dev>, T> {
  using C = Complex<T>;
  using Ranked = comm::OnRanks<Dev>;

 public:
  InverseLattice(Ranked& dev, const Problem& problem, const Preconditioner& p)
      : dev_(dev),
        problem_(problem),
        p_(p),
        grid_(grid_view(inverse_grid(p, *problem.particle))),
        buffer_(dev.template allocate<C>(inverse_buffer(grid_, in_caches))),
        parts_(dev, grid_, even_shares(), buffer_) {}

  /// Terms of the rank's lags z; the view's extent is theirs.
  struct Table {
    Int3 extent;
    typename Dev::template Array<Complex<double>> terms;
    InteractionTableView view() const { return {extent, terms.data()}; }
    /// The six terms of the zero lag, which the first rank has, on the host of every rank.
    void zero_lag(Ranked& dev, Complex<double>* out) const {
      std::vector<Complex<double>> six(6);
      if (dev.ranks().first()) dev.download(six.data(), terms.data(), 6);
      comm::broadcast(dev.ranks(), six);
      std::copy(six.begin(), six.end(), out);
    }
  };

  /// See InverseLattice::table. Of every rank.
  Table table() {
    // a component of either form
    const index_t apart = std::max(parts_.size_of_lags(), parts_.size());
    auto octant = dev_.template allocate<C>(6 * apart);
    fill(octant.data(), apart);
    for (int c = 0; c < 6; ++c) {
      C* const one = octant.data() + c * apart;
      parts_.along_x(one, c, index_t(parts_.lags()) * grid_.hy);
      parts_.to_frequencies(one, one, 1, 0);
      parts_.along_y(one, 1, 0, c, grid_.hz);
      parts_.along_z(one, 1, 0, c);
    }
    dev_.for_each(parts_.size(), inversion<T>(problem_, p_, grid_, apart, octant.data()));
    return take(octant.data(), apart);
  }

 private:
  static constexpr bool in_caches = std::is_same_v<typename Dev::template Array<C>, backend::HostArray<C>>;

  KeptFrequencies even_shares() const {
    KeptFrequencies kept;
    const auto borders = comm::even_parts(grid_.hx, dev_.ranks().size());
    for (std::size_t r = 0; r + 1 < borders.size(); ++r)
      kept.push_back({{int(borders[r]), int(borders[r + 1] - borders[r])}});
    return kept;
  }

  void fill(C* octant, index_t apart) {
    const InverseInteraction<Ranked, T> interaction(dev_, problem_, p_);
    interaction.visit([&](auto term) {
      dev_.for_each(parts_.size_of_lags(),
                    FillLags<T, decltype(term)>{term, grid_.hx, grid_.hy, grid_.hz, parts_.first_lag(),
                                                parts_.lags(), grid_.hy, 0, 6, apart, T(1), octant});
    });
    dev_.synchronize();
  }

  Table take(C* octant, index_t apart) {
    const Int3 extent = inverse_extent(problem_, grid_);
    const int ranks = dev_.ranks().size(), me = dev_.ranks().rank(), ny = extent[1];
    const auto to = table_stretches(problem_, p_, extent[2], ranks);
    const int first = int(to[std::size_t(me)]), own = int(to[std::size_t(me) + 1]) - first;
    Table out{{extent[0], ny, own}, {}};
    const index_t rows = index_t(own) * ny, taken = extent[0] * rows;
    out.terms = dev_.template allocate<Complex<double>>(6 * taken);
    auto lags = dev_.template allocate<C>(grid_.hx * rows);
    const auto& d = problem_.particle->spacing;
    for (int c = 0; c < 6; ++c) {
      C* const one = octant + c * apart;
      parts_.along_z(one, 1, 0, c);
      parts_.along_y(one, 1, 0, c, extent[2]);
      parts_.to_lags(one, ny, to, lags.data());
      parts_.along_x(lags.data(), c, rows);
      dev_.for_each(taken, TakeTable<T>{extent[0],
                                        ny,
                                        first,
                                        c,
                                        1,
                                        rows,
                                        ny,
                                        0,
                                        p_.growth,
                                        {d[0], d[1], d[2]},
                                        lags.data(),
                                        out.terms.data()});
    }
    require_finite(dev_, out.terms.data(), 6 * taken, p_);
    return out;
  }

  Ranked& dev_;
  Problem problem_;
  const Preconditioner& p_;
  GridView grid_;
  typename Dev::template Array<C> buffer_;
  RankOctant<Ranked, T> parts_;
};

}  // namespace umov::dda
