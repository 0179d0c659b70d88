// How the lines of the tuned product lie on several GPUs, and what travels between them: pure functions.
#pragma once

#include <algorithm>
#include <vector>

#include "comm/parts.hpp"
#include "dda/ranks/shares.hpp"
#include "dda/tuned/cuda/layout.hpp"

namespace umov::dda::tuned {

/// Groups of slots that travel together and belong to one rank: [z][y][component][groups 2h], all z on that
/// rank, a rank's own z on the others. Planes z of a chunk lie together on both sides of a message.
struct RankChunk {
  int rank = 0, first = 0, groups = 0;
  index_t place = 0;  ///< in the lines
};

/// Part of a chunk: from this rank to another, or the other way.
struct RankMessage {
  int rank = 0;
  index_t place = 0, count = 0;
};

/// Each rank has a stretch of the groups of a SlotLayout, and so one of kx; its lines are the chunks that it
/// has, then its planes of those of the others. Its own part of its own chunks is where the others' arrive,
/// and is never copied.
struct RankLayout {
  /// `borders` of the ranks' planes z; of each rank's groups at most `most` exchanges are made.
  RankLayout(const SlotLayout& s, std::vector<index_t> borders, int rows, int rank, int most)
      : slots(s), planes(std::move(borders)), ny(rows), me(rank) {
    groups = comm::even_parts(slots.groups, ranks());
    const int largest = int(groups[1] - groups[0]), at_once = (largest + most - 1) / most;
    for (int r = 0; r < ranks(); ++r) {
      first_chunk.push_back(int(chunks.size()));
      for (index_t g = groups[std::size_t(r)]; g < groups[std::size_t(r) + 1]; g += at_once)
        chunks.push_back({r, int(g), int(std::min<index_t>(at_once, groups[std::size_t(r) + 1] - g)), 0});
      exchanges = std::max(exchanges, int(chunks.size()) - first_chunk.back());
    }
    first_chunk.push_back(int(chunks.size()));
    for (const bool own : {true, false}) {
      for (RankChunk& c : chunks)
        if ((c.rank == me) == own) {
          c.place = size;
          size += (own ? planes.back() : own_planes()) * plane(c);
        }
      if (own) size_own = size;
    }
  }

  int ranks() const { return int(planes.size()) - 1; }
  index_t own_planes() const { return planes_of(me); }
  index_t planes_of(int r) const { return planes[std::size_t(r) + 1] - planes[std::size_t(r)]; }
  int pitch(const RankChunk& c) const { return c.groups * 2 * slots.h; }
  /// Numbers of one z of a chunk.
  index_t plane(const RankChunk& c) const { return index_t(3) * ny * pitch(c); }
  int own_groups() const { return int(groups[std::size_t(me) + 1] - groups[std::size_t(me)]); }
  int first_group() const { return int(groups[std::size_t(me)]); }
  /// Chunk e of a rank; null where it has fewer.
  const RankChunk* chunk(int r, int e) const {
    const int i = first_chunk[std::size_t(r)] + e;
    return i < first_chunk[std::size_t(r) + 1] ? &chunks[std::size_t(i)] : nullptr;
  }

  /// Where a slot of this rank's first row is, and how many slots its chunk has.
  void slot_tables(std::vector<index_t>& place, std::vector<int>& pitches) const {
    const int width = 2 * slots.h;
    for (const RankChunk& c : chunks)
      for (int s = 0; s < pitch(c); ++s) {
        place.push_back(c.place + (c.rank == me ? planes[std::size_t(me)] * plane(c) : 0) + s);
        pitches.push_back(c.groups * width);
      }
  }

  /// What this rank has of the others' chunks e.
  std::vector<RankMessage> of_others(int e) const {
    std::vector<RankMessage> list;
    for (int r = 0; r < ranks(); ++r)
      if (const RankChunk* c = chunk(r, e); c && r != me)
        list.push_back({r, c->place, own_planes() * plane(*c)});
    return list;
  }
  /// What the others have of this rank's chunk e.
  std::vector<RankMessage> of_own(int e) const {
    std::vector<RankMessage> list;
    const RankChunk* c = chunk(me, e);
    for (int r = 0; c && r < ranks(); ++r)
      if (r != me)
        list.push_back({r, c->place + planes[std::size_t(r)] * plane(*c), planes_of(r) * plane(*c)});
    return list;
  }

  /// Of the tensor's octant: the direct frequencies of the groups, and gx/2 beside group 0.
  KeptFrequencies kept() const {
    KeptFrequencies all(static_cast<std::size_t>(ranks()));
    for (int r = 0; r < ranks(); ++r) {
      const int first = int(groups[std::size_t(r)]) * slots.h,
                end = std::min(int(groups[std::size_t(r) + 1]) * slots.h, slots.direct());
      if (end <= first) continue;
      all[std::size_t(r)].push_back({first, end - first});
      if (first == 0 && slots.gx % 2 == 0) all[std::size_t(r)].push_back({slots.gx / 2, 1});
    }
    return all;
  }
  /// The tiles of this rank's groups alone.
  TileLayout tiles(const GridView& grid) const {
    SlotLayout own = slots;
    own.groups = own_groups();
    return {own, grid, 6};
  }

  SlotLayout slots;
  std::vector<index_t> planes, groups;  ///< borders of the ranks' z and groups
  int ny, me;
  std::vector<RankChunk> chunks;   ///< of all ranks, in their order
  std::vector<int> first_chunk;    ///< borders of the ranks' chunks
  int exchanges = 0;               ///< chunks of the rank with the most
  index_t size = 0, size_own = 0;  ///< numbers of the lines; of own chunks
};

/// One component of what a rank keeps, [own kx][hz][hy], into its tiles: kx from the first group's on, then
/// gx/2. Runs over own kx hz hy.
template <class T>
struct PlaceInTiles {
  TileLayout tiles;
  int direct;  ///< frequencies before gx/2
  int component;
  const Complex<T>* octant;
  Complex<T>* tensor;
  UMOV_HD void operator()(index_t e) const {
    const int hy = tiles.grid.hy, hz = tiles.grid.hz, h = tiles.slots.h;
    const int y = int(e % hy), z = int(e / hy % hz), x = int(e / hy / hz);
    const index_t yz = (index_t(component) * hy + y) * hz + z;
    tensor[x < direct ? x / h * tiles.tile() + yz * h + x % h : tiles.edge() + yz] = octant[e];
  }
};

}  // namespace umov::dda::tuned
