// Where the lines of several GPUs lie and what travels between them, on the host: what the kernel along x
// leaves is what those along y and z find, on any number of ranks, and the other way round.
#include <gtest/gtest.h>

#include <map>

#include "dda/tuned/cuda/rank_layout.hpp"

namespace umov::dda::tuned {
namespace {

struct Case {
  int gx, width, ny, nz, ranks, most;
};
const std::vector<Case> cases{{16, 8, 3, 5, 2, 8}, {16, 8, 3, 5, 3, 1}, {40, 4, 2, 7, 3, 2},
                              {2, 2, 1, 1, 4, 8},  {27, 2, 2, 3, 5, 3}, {128, 8, 1, 16, 4, 2},
                              {10, 8, 4, 2, 1, 4}, {60, 16, 3, 9, 2, 8}};

/// What stands for the number of a component at a site of the lines; -1 in padding.
double name_of(const SlotLayout& s, int slot, int z, int y, int c) {
  const int k = s.frequency(slot);
  return k < 0 ? -1 : ((double(k) * 100 + z) * 100 + y) * 3 + c;
}

/// The lines of all ranks.
class Ranks {
 public:
  explicit Ranks(const Case& c) : c_(c), slots_(slot_layout(c.gx, c.width)) {
    for (int r = 0; r < c.ranks; ++r) {
      layouts_.emplace_back(slots_, comm::even_parts(c.nz, c.ranks), c.ny, r, c.most);
      lines_.emplace_back(std::size_t(layouts_.back().size), -2.0);
    }
  }
  const RankLayout& layout(int r) const { return layouts_[std::size_t(r)]; }

  /// As the kernels along x see them: f(value, name).
  template <class F>
  void rows(const F& f) {
    for (int r = 0; r < c_.ranks; ++r) {
      std::vector<index_t> place;
      std::vector<int> pitch;
      layout(r).slot_tables(place, pitch);
      ASSERT_EQ(int(place.size()), slots_.slots());
      for (int s = 0; s < slots_.slots(); ++s)
        for (int row = 0; row < layout(r).own_planes() * c_.ny; ++row)
          for (int d = 0; d < 3; ++d) {
            const int z = int(layout(r).planes[std::size_t(r)]) + row / c_.ny;
            const index_t at = place[std::size_t(s)] + (index_t(3) * row + d) * pitch[std::size_t(s)];
            f(lines_[std::size_t(r)].at(std::size_t(at)), name_of(slots_, s, z, row % c_.ny, d));
          }
    }
  }
  /// As those along y and z do: LineRows{1, 3 ny, 3, pitch} of a chunk.
  template <class F>
  void chunks(const F& f) {
    for (int r = 0; r < c_.ranks; ++r)
      for (int e = 0; e < layout(r).exchanges; ++e)
        if (const RankChunk* chunk = layout(r).chunk(r, e))
          for (int z = 0; z < c_.nz; ++z)
            for (int y = 0; y < c_.ny; ++y)
              for (int d = 0; d < 3; ++d)
                for (int s = 0; s < layout(r).pitch(*chunk); ++s) {
                  const index_t row = d + index_t(z) * 3 * c_.ny + 3 * y;
                  const index_t at = chunk->place + row * layout(r).pitch(*chunk) + s;
                  f(lines_[std::size_t(r)].at(std::size_t(at)),
                    name_of(slots_, chunk->first * c_.width + s, z, y, d));
                }
  }
  void exchange(bool there) {
    for (int r = 0; r < c_.ranks; ++r)
      for (int e = 0; e < layout(r).exchanges; ++e)
        for (const RankMessage& own : layout(r).of_own(e)) {
          int met = 0;
          for (const RankMessage& m : layout(own.rank).of_others(e)) {
            if (m.rank != r) continue;
            ++met;
            ASSERT_EQ(m.count, own.count);
            auto& here = lines_[std::size_t(r)];
            auto& other = lines_[std::size_t(own.rank)];
            for (index_t i = 0; i < m.count; ++i) {
              double& a = here.at(std::size_t(own.place + i));
              double& b = other.at(std::size_t(m.place + i));
              (there ? a = b : b = a);
            }
          }
          EXPECT_EQ(met, 1) << "each message has two sides";
        }
  }

 private:
  Case c_;
  SlotLayout slots_;
  std::vector<RankLayout> layouts_;
  std::vector<std::vector<double>> lines_;
};

std::string words(const Case& c) {
  return std::to_string(c.gx) + " points, " + std::to_string(c.width) + " lanes, " + std::to_string(c.nz) +
         " planes on " + std::to_string(c.ranks);
}

TEST(GpuRankLayout, WhatIsSentIsWhatIsRead) {
  for (const Case& c : cases) {
    SCOPED_TRACE(words(c));
    Ranks ranks(c);
    ranks.rows([](double& v, double name) { v = name; });
    ranks.exchange(true);
    int seen = 0;
    ranks.chunks([&](double& v, double name) {
      EXPECT_EQ(v, name);
      ++seen;
    });
    EXPECT_EQ(seen, 3 * c.ny * c.nz * slot_layout(c.gx, c.width).slots()) << "every number is on one rank";
    ranks.chunks([](double& v, double name) { v = name + 0.5; });
    ranks.exchange(false);
    ranks.rows([](double& v, double name) { EXPECT_EQ(v, name + 0.5); });
  }
}

TEST(GpuRankLayout, KeepsTheTilesOfItsGroups) {
  for (const Case& c : cases) {
    SCOPED_TRACE(words(c));
    const GridView grid{c.gx, 4, 6, c.gx / 2 + 1, 3, 4};
    const SlotLayout slots = slot_layout(c.gx, c.width);
    const TileLayout whole{slots, grid, 6};
    std::map<index_t, double> found;  // by the place in the tiles of the whole
    for (int r = 0; r < c.ranks; ++r) {
      const RankLayout layout(slots, comm::even_parts(c.nz, c.ranks), c.ny, r, c.most);
      const auto kept = layout.kept()[std::size_t(r)];
      const TileLayout tiles = layout.tiles(grid);
      if (kept.empty()) continue;
      std::vector<Complex<double>> one(std::size_t(kept_by(kept) * tiles.plane())),
          tensor(std::size_t(tiles.size()), {-1, 0});
      for (int d = 0; d < 6; ++d) {
        std::size_t i = 0;
        for (const FrequencyStretch& stretch : kept)
          for (int k = stretch.first; k < stretch.first + stretch.count; ++k)
            for (int z = 0; z < grid.hz; ++z)
              for (int y = 0; y < grid.hy; ++y) one.at(i++) = {((k * 10.0 + d) * 10 + z) * 10 + y, 0};
        const PlaceInTiles<double> place{tiles, kept.front().count, d, one.data(), tensor.data()};
        for (index_t e = 0; e < index_t(one.size()); ++e) place(e);
      }
      // the tiles of its groups follow each other in those of the whole, and the plane gx/2 comes last
      for (index_t i = 0; i < tiles.size(); ++i)
        if (const double v = tensor[std::size_t(i)].re; v >= 0)
          found[i < tiles.edge() ? i + layout.first_group() * tiles.tile()
                                 : whole.edge() + i - tiles.edge()] = v;
    }
    EXPECT_EQ(index_t(found.size()), 6 * grid.hx * whole.plane());
    for (int k = 0; k < grid.hx; ++k)
      for (int d = 0; d < 6; ++d)
        for (int z = 0; z < grid.hz; ++z)
          for (int y = 0; y < grid.hy; ++y)
            EXPECT_EQ(found[whole.at(d, k, y, z)], ((k * 10.0 + d) * 10 + z) * 10 + y);
  }
}

}  // namespace
}  // namespace umov::dda::tuned
