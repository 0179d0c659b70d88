#include "fdtd/ranks/answers.hpp"

#include <algorithm>
#include <cstring>

#include "comm/parts.hpp"
#include "core/complex.hpp"
#include "fdtd/planes.hpp"
#include "fdtd/ranks/gathered.hpp"
#include "fdtd/recorder_list.hpp"

namespace umov::fdtd::ranks {

namespace {

/// Ghosts count with the plane beside them.
int rank_of_plane(std::span<const index_t> borders, int plane) {
  return comm::rank_of(borders, std::clamp<index_t>(plane, 0, borders.back() - 1));
}

}  // namespace

RecorderParts::RecorderParts(const Problem& p, std::span<const index_t> borders) {
  const Planes planes(p.grid);
  for (const Recorder& r : p.recorders) {
    List list;
    list.interval = r.interval;
    list.pieces.resize(borders.size() - 1);
    for (index_t ch = 0; ch < r.channels(); ++ch) {
      for (index_t q = r.first[ch]; q < r.first[ch + 1]; q = piece_end(r, planes, q, r.first[ch + 1])) {
        list.rank.push_back(rank_of_plane(borders, planes.of(r.cells[std::size_t(q)])));
        ++list.pieces[std::size_t(list.rank.back())];
      }
      list.first_piece.push_back(index_t(list.rank.size()));
    }
    lists_.push_back(std::move(list));
  }
}

std::vector<std::size_t> RecorderParts::counts(int recorder, long values) const {
  std::vector<std::size_t> counts;
  for (const index_t n : lists_[std::size_t(recorder)].pieces) counts.push_back(std::size_t(n * values));
  return counts;
}

std::vector<double> RecorderParts::put_together(int recorder, long samples, int width,
                                                const std::vector<double>& given) const {
  const List& list = lists_[std::size_t(recorder)];
  const std::size_t channels = list.first_piece.size() - 1;
  std::vector<index_t> first{0};  ///< of a rank's values
  for (const index_t n : list.pieces) first.push_back(first.back() + n * samples * width);
  std::vector<double> sums(std::size_t(samples) * channels * std::size_t(width));
  for (long s = 0; s < samples; ++s) {
    std::vector<index_t> next(list.pieces.size());
    for (std::size_t r = 0; r < next.size(); ++r) next[r] = first[r] + s * list.pieces[r] * width;
    for (std::size_t ch = 0; ch < channels; ++ch) {
      double* const to = sums.data() + (std::size_t(s) * channels + ch) * std::size_t(width);
      for (index_t piece = list.first_piece[ch]; piece < list.first_piece[ch + 1]; ++piece) {
        index_t& at = next[std::size_t(list.rank[std::size_t(piece)])];
        for (int w = 0; w < width; ++w) to[w] += given[std::size_t(at++)];
      }
    }
  }
  return sums;
}

TransformParts::TransformParts(const Problem& p, std::span<const index_t> borders)
    : wide_(p.precision == Precision::double_) {
  const Planes planes(p.grid);
  for (const FourierAccumulator& a : p.fouriers) {
    List list{a.frequencies.size(), a.cells.size(), std::vector<std::vector<index_t>>(borders.size() - 1)};
    for (std::size_t i = 0; i < a.cells.size(); ++i)
      list.of[std::size_t(rank_of_plane(borders, planes.of(a.cells[i])))].push_back(index_t(i));
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

std::vector<float> sample_by_planes(const FieldSample& s, int axis, comm::Communicator& comm,
                                    std::span<const index_t> borders,
                                    const std::function<std::vector<float>(FieldSample)>& sample) {
  struct Stretch {
    int box, from, to;
  };
  const auto edge = [&](std::int64_t i) {
    return s.lo[axis] + int((s.hi[axis] - s.lo[axis]) * i / s.size[axis]);
  };
  const std::size_t across = std::size_t(s.size[0]) * s.size[1] * s.size[2] / std::size_t(s.size[axis]);
  std::vector<std::vector<Stretch>> of;
  std::vector<std::size_t> counts;
  for (int r = 0; r < comm.size(); ++r) {
    of.emplace_back();
    for (int box = 0; box < s.size[axis]; ++box) {
      const int from = std::max(edge(box), int(borders[std::size_t(r)])),
                to = std::min(edge(box + 1), int(borders[std::size_t(r) + 1]));
      if (from < to) of.back().push_back({box, from, to});
    }
    counts.push_back(of.back().size() * across);
  }
  std::vector<float> mine;
  const auto& own = of[std::size_t(comm.rank())];
  for (std::size_t first = 0, last; first < own.size(); first = last) {
    // boxes of one plane each are asked for together
    last = first + 1;
    if (own[first].to == own[first].from + 1)
      while (last < own.size() && own[last].to == own[last].from + 1) ++last;
    FieldSample part = s;
    part.lo[axis] = own[first].from;
    part.hi[axis] = own[last - 1].to;
    part.size[axis] = int(last - first);
    const auto values = sample(part);
    mine.insert(mine.end(), values.begin(), values.end());
  }
  const auto all = gathered(comm, mine, counts);
  // A box of several ranks gets the mean of theirs, by their planes.
  std::vector<float> out(across * std::size_t(s.size[axis]));
  std::vector<double> sums(out.size());
  std::size_t at = 0;
  for (const auto& list : of)
    for (const Stretch& stretch : list) {
      const int planes = edge(stretch.box + 1) - edge(stretch.box);
      for (std::size_t i = 0; i < across; ++i, ++at) {
        const std::size_t to = std::size_t(stretch.box) * across + i;
        if (stretch.to - stretch.from == planes)
          out[to] = all[at];
        else
          out[to] = float(sums[to] += double(all[at]) * (stretch.to - stretch.from) / planes);
      }
    }
  return out;
}

}  // namespace umov::fdtd::ranks
