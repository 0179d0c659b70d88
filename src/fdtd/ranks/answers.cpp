#include "fdtd/ranks/answers.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/complex.hpp"
#include "fdtd/kernels/transforms.hpp"
#include "fdtd/planes.hpp"
#include "fdtd/ranks/gathered.hpp"
#include "fdtd/recorder_list.hpp"

namespace umov::fdtd::ranks {

RecorderParts::RecorderParts(const Problem& p, const Cut& cut, int ranks) {
  const Planes planes(p.grid);
  const Rows rows(p.grid);
  for (const Recorder& r : p.recorders) {
    List list;
    list.interval = r.interval;
    list.parts.resize(std::size_t(ranks));
    const auto add = [&](index_t point) {
      const auto [row, plane] = rows.of(r.cells[std::size_t(point)]);
      list.rank.push_back(cut.rank_of(row, plane));
      ++list.parts[std::size_t(list.rank.back())];
    };
    for (index_t ch = 0; ch < r.channels(); ++ch) {
      for (index_t q = r.first[ch], end; q < r.first[ch + 1]; q = end) {
        end = piece_end(r, planes, q, r.first[ch + 1]);
        if (!cut.blocks()) add(q);
        for (index_t row = q; cut.blocks() && row < end; row = row_end(r, rows, row, end)) add(row);
        list.first_part.push_back(index_t(list.rank.size()));
      }
      list.first_piece.push_back(index_t(list.first_part.size()) - 1);
    }
    lists_.push_back(std::move(list));
  }
}

std::vector<std::size_t> RecorderParts::counts(int recorder, long values) const {
  std::vector<std::size_t> counts;
  for (const index_t n : lists_[std::size_t(recorder)].parts) counts.push_back(std::size_t(n * values));
  return counts;
}

std::vector<double> RecorderParts::put_together(int recorder, long samples, int width,
                                                const std::vector<double>& given) const {
  const List& list = lists_[std::size_t(recorder)];
  const std::size_t channels = list.first_piece.size() - 1;
  std::vector<index_t> first{0};  ///< of a rank's values
  for (const index_t n : list.parts) first.push_back(first.back() + n * samples * width);
  std::vector<double> sums(std::size_t(samples) * channels * std::size_t(width));
  for (long s = 0; s < samples; ++s) {
    std::vector<index_t> next(list.parts.size());
    for (std::size_t r = 0; r < next.size(); ++r) next[r] = first[r] + s * list.parts[r] * width;
    for (std::size_t ch = 0; ch < channels; ++ch) {
      double* const to = sums.data() + (std::size_t(s) * channels + ch) * std::size_t(width);
      for (index_t piece = list.first_piece[ch]; piece < list.first_piece[ch + 1]; ++piece) {
        std::array<double, 2> sum{};
        for (index_t part = list.first_part[std::size_t(piece)];
             part < list.first_part[std::size_t(piece) + 1]; ++part) {
          index_t& at = next[std::size_t(list.rank[std::size_t(part)])];
          for (int w = 0; w < width; ++w) sum[std::size_t(w)] += given[std::size_t(at++)];
        }
        for (int w = 0; w < width; ++w) to[w] += sum[std::size_t(w)];
      }
    }
  }
  return sums;
}

std::vector<double> product_of(const TransformProduct& q, const std::vector<cplx>& a,
                               const std::vector<cplx>& b, std::size_t frequencies) {
  if (frequencies == 0) return {};
  const auto plain = [](const std::vector<cplx>& v) {
    return std::vector<Complex<double>>(v.begin(), v.end());
  };
  const auto first = plain(a), second = plain(b);
  SumProducts<double> sums{first.data(),
                           second.data(),
                           index_t(a.size() / frequencies),
                           index_t(b.size() / frequencies),
                           q.terms.data(),
                           index_t(q.terms.size()),
                           nullptr};
  const auto tiles = std::size_t(sums.tiles_of(sums.terms));
  std::vector<double> column(std::size_t(sums.columns()) * frequencies), tile(tiles * frequencies),
      all(frequencies);
  sums.sum = column.data();
  const auto each = [](std::size_t n, const auto& f) {
    for (index_t i = 0; i < index_t(n); ++i) f(i);
  };
  each(column.size(), sums);
  each(tile.size(), SumGroups{column.data(), tile.data(), sums.width});
  each(frequencies, SumGroups{tile.data(), all.data(), index_t(tiles)});
  return all;
}

std::vector<cplx> lateral_sum_of(const LateralSum& s, const std::vector<cplx>& a) {
  const std::vector<Complex<double>> plain(a.begin(), a.end());
  const auto waves = std::size_t(s.frequencies) * std::size_t(s.waves[1]);
  std::vector<Complex<double>> column(waves * std::size_t(s.count[0])), sum(waves * std::size_t(s.waves[0]));
  const SumColumns<double> columns{plain.data(),
                                   index_t(a.size()) / std::max(1, s.frequencies),
                                   s.points.data(),
                                   s.second.data(),
                                   s.places(),
                                   index_t(s.points.size()) / std::max<index_t>(1, s.places()),
                                   {s.count[0], s.count[1]},
                                   s.waves[1],
                                   column.data()};
  const SumWaves along{s.first.data(), column.data(), s.count[0], {s.waves[0], s.waves[1]}, sum.data()};
  for (index_t i = 0; i < index_t(column.size()); ++i) columns(i);
  for (index_t i = 0; i < index_t(sum.size()); ++i) along(i);
  std::vector<cplx> wide;
  for (const auto& z : sum) wide.emplace_back(z.re, z.im);
  return wide;
}

TransformParts::TransformParts(const Problem& p, const Cut& cut, int ranks)
    : wide_(p.precision == Precision::double_) {
  const Rows rows(p.grid);
  for (const FourierAccumulator& a : p.fouriers) {
    List list{a.frequencies.size(), a.cells.size(), std::vector<std::vector<index_t>>(std::size_t(ranks))};
    for (std::size_t i = 0; i < a.cells.size(); ++i) {
      const auto [row, plane] = rows.of(a.cells[i]);
      list.of[std::size_t(cut.rank_of(row, plane))].push_back(index_t(i));
    }
    lists_.push_back(std::move(list));
  }
}

std::vector<std::size_t> TransformParts::counts(int accumulator) const {
  const List& list = lists_[std::size_t(accumulator)];
  std::vector<std::size_t> counts;
  for (const auto& points : list.of) counts.push_back(points.size() * list.frequencies);
  return counts;
}

std::vector<cplx> TransformParts::put_together(int accumulator, const std::vector<cplx>& given) const {
  const List& list = lists_[std::size_t(accumulator)];
  std::vector<cplx> sums(list.frequencies * list.points);
  std::size_t at = 0;
  for (const auto& points : list.of)
    for (std::size_t f = 0; f < list.frequencies; ++f)
      for (const index_t point : points) sums[f * list.points + std::size_t(point)] = given[at++];
  return sums;
}

std::vector<cplx> TransformParts::dealt_out(comm::Communicator& comm, int accumulator,
                                            const std::vector<cplx>& mine,
                                            std::span<const Stretch> wanted) const {
  const List& list = lists_[std::size_t(accumulator)];
  // which of a rank's points lie in a stretch; they are in order
  const auto part = [&](int rank, const Stretch& s) {
    const auto& points = list.of[std::size_t(rank)];
    const auto at = [&](index_t i) {
      return index_t(std::lower_bound(points.begin(), points.end(), i) - points.begin());
    };
    return Stretch{at(s.begin), at(s.end)};
  };
  const auto own = std::size_t(comm.rank());
  const std::size_t points = list.of[own].size();
  std::vector<std::vector<cplx>> sent, got;
  std::vector<comm::Out> outs;
  std::vector<comm::In> ins;
  for (int r = 0; r < comm.size(); ++r) {
    const Stretch give = part(comm.rank(), wanted[std::size_t(r)]), take = part(r, wanted[own]);
    auto& to = sent.emplace_back();
    for (std::size_t f = 0; f < list.frequencies; ++f) {
      const auto first = mine.begin() + std::ptrdiff_t(f * points);
      to.insert(to.end(), first + give.begin, first + give.end);
    }
    outs.push_back(comm::out(r, to.data(), to.size()));
    auto& from = got.emplace_back(list.frequencies * std::size_t(take.length()));
    ins.push_back(comm::in(r, from.data(), from.size()));
  }
  comm.exchange(outs, ins);
  const auto count = std::size_t(wanted[own].length());
  std::vector<cplx> values(list.frequencies * count);
  for (int r = 0; r < comm.size(); ++r) {
    const Stretch take = part(r, wanted[own]);
    auto at = got[std::size_t(r)].begin();
    for (std::size_t f = 0; f < list.frequencies; ++f)
      for (index_t i = take.begin; i < take.end; ++i)
        values[f * count + std::size_t(list.of[std::size_t(r)][std::size_t(i)] - wanted[own].begin)] = *at++;
  }
  return values;
}

void TransformParts::write(const std::vector<cplx>& sums, std::vector<std::byte>& to) const {
  const auto put = [&]<class T>(T) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Complex<T> z(T(sums[i].real()), T(sums[i].imag()));
      std::memcpy(to.data() + i * sizeof z, &z, sizeof z);
    }
  };
  wide_ ? put(double()) : put(float());
}

void TransformParts::cut(int accumulator, int rank, const std::vector<std::byte>& whole,
                         std::vector<std::byte>& own) const {
  const List& list = lists_[std::size_t(accumulator)];
  const auto& points = list.of[std::size_t(rank)];
  const std::size_t bytes = wide_ ? 16 : 8;
  std::byte* to = own.data();
  for (std::size_t f = 0; f < list.frequencies; ++f)
    for (const index_t point : points) {
      std::memcpy(to, whole.data() + (f * list.points + std::size_t(point)) * bytes, bytes);
      to += bytes;
    }
}

namespace {

/// Boxes of a sample along one axis that one question to an engine is about: whole ones, as the sample has
/// them, or what a rank has of one.
struct BoxGroup {
  int first = 0, count = 1;  ///< boxes
  int lo = 0, hi = 0;        ///< planes of these
  int planes = 0;            ///< of the one box, where only some are the rank's; else 0
};

/// Of planes from <= g < to, which are a rank's.
std::vector<BoxGroup> groups_along(const FieldSample& s, int axis, int from, int to) {
  std::vector<BoxGroup> groups;
  for (int box = 0; box < s.size[axis]; ++box) {
    const int begin = s.edge(axis, box), end = s.edge(axis, box + 1);
    const int lo = std::max(begin, from), hi = std::min(end, to);
    if (lo >= hi) continue;
    const bool whole = lo == begin && hi == end;
    if (whole && !groups.empty() && groups.back().planes == 0 && groups.back().hi == lo)
      groups.back().hi = hi, ++groups.back().count;
    else
      groups.push_back({box, 1, lo, hi, whole ? 0 : end - begin});
  }
  return groups;
}

FieldSample of_groups(const FieldSample& s, const std::array<const BoxGroup*, 3>& groups) {
  FieldSample part = s;
  for (int a = 0; a < 3; ++a) {
    const BoxGroup& g = *groups[std::size_t(a)];
    part.size[a] = g.count;
    if (g.planes > 0)
      part.lo[a] = g.lo, part.hi[a] = g.hi;
    else
      part.first[a] = g.first, part.of[a] = s.size[a];
  }
  return part;
}

}  // namespace

std::vector<float> sample_by_ranks(const FieldSample& s, comm::Communicator& comm, const Cut& cut,
                                   const std::function<std::vector<float>(const FieldSample&)>& sample) {
  using Groups = std::array<const BoxGroup*, 3>;
  const auto each_group = [&](int r, const auto& f) {
    std::array<std::vector<BoxGroup>, 3> along;
    for (int a = 0; a < 3; ++a) {
      const auto [from, to] = cut.stretch(r, a, s.lo[a], s.hi[a]);
      along[std::size_t(a)] = groups_along(s, a, from, to);
    }
    for (const BoxGroup& z : along[2])
      for (const BoxGroup& y : along[1])
        for (const BoxGroup& x : along[0]) f(Groups{&x, &y, &z});
  };
  std::vector<std::size_t> counts(std::size_t(comm.size()));
  std::vector<float> mine;
  for (int r = 0; r < comm.size(); ++r)
    each_group(r, [&](const Groups& g) {
      counts[std::size_t(r)] += std::size_t(g[0]->count) * g[1]->count * g[2]->count;
      if (r != comm.rank()) return;
      const auto values = sample(of_groups(s, g));
      mine.insert(mine.end(), values.begin(), values.end());
    });
  const auto all = gathered(comm, mine, counts);
  // A box of several ranks gets the mean of theirs, by their cells.
  std::vector<float> out(std::size_t(s.size[0]) * s.size[1] * s.size[2]);
  std::vector<double> sums(out.size());
  std::size_t at = 0;
  for (int r = 0; r < comm.size(); ++r)
    each_group(r, [&](const Groups& g) {
      double share = 1;
      for (const BoxGroup* b : g)
        if (b->planes > 0) share *= double(b->hi - b->lo) / b->planes;
      for (int k = 0; k < g[2]->count; ++k)
        for (int j = 0; j < g[1]->count; ++j)
          for (int i = 0; i < g[0]->count; ++i, ++at) {
            const std::size_t to =
                g[0]->first + i +
                std::size_t(s.size[0]) * (g[1]->first + j + std::size_t(s.size[1]) * (g[2]->first + k));
            out[to] = share == 1 ? all[at] : float(sums[to] += double(all[at]) * share);
          }
    });
  return out;
}

}  // namespace umov::fdtd::ranks
