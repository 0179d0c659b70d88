// Saved states of several ranks in the form of one: whole vectors in the order of the whole problem.
#pragma once

#include <cstring>
#include <optional>
#include <vector>

#include "comm/collect.hpp"
#include "core/bytes.hpp"
#include "eqs/model/rank_share.hpp"

namespace umov::eqs {

/// As MemoryWriter, of every rank; arrays are of unknowns, numbers the same on all ranks. Rank 0 has the
/// bytes that an engine of one rank would write.
class RankedWriter final : public ByteWriter {
 public:
  RankedWriter(comm::Communicator& comm, const RankShare& share) : comm_(comm), share_(share) {}
  void bytes(const void* from, std::size_t n) override {
    if (comm_.first()) out_.bytes(from, n);
  }
  template <class Dev, class Array>
  void array(Dev& dev, const Array& a) {
    std::vector<double> own(a.size() ? std::size_t(share_.unknowns) : 0);
    if (!own.empty()) dev.download(own.data(), a.data(), own.size());
    const bool any = comm::any(comm_, a.size() > 0);
    const auto all = comm::gather(comm_, std::span<const double>(own));
    if (!comm_.first()) return;
    out_(any ? share_.whole->unknowns : std::size_t(0));
    if (!any) return;
    std::vector<double> whole(all.size());
    for (std::size_t k = 0; k < all.size(); ++k) whole[std::size_t(share_.whole->unknown[k])] = all[k];
    out_.bytes(whole.data(), whole.size() * sizeof(double));
  }
  /// Empty but on rank 0.
  std::vector<std::byte> take() { return out_.take(); }

 private:
  comm::Communicator& comm_;
  const RankShare& share_;
  MemoryWriter out_;
};

/// Reads what RankedWriter or an engine of one rank wrote; rank 0 has the bytes. Of every rank.
class RankedReader final : public ByteReader {
 public:
  RankedReader(comm::Communicator& comm, const RankShare& share, std::span<const std::byte> bytes)
      : ByteReader(comm::all_gather(comm, bytes.size()).front()), comm_(comm), share_(share), rest_(bytes) {}
  [[noreturn]] void damaged() const override {
    throw BadInput("the saved state is cut short (damaged, or of another case); start anew");
  }
  void finish() const {
    if (left_ != 0)
      throw BadInput("the saved state is longer than it should be (damaged, or of another case); start anew");
  }
  template <class Dev, class Array>
  void array(Dev& dev, Array& a) {
    std::size_t n = 0;
    (*this)(n);
    if (n == 0 && !comm::any(comm_, a.size() > 0)) return;
    const std::size_t own = std::size_t(share_.unknowns);
    const std::size_t wanted = comm::sum(comm_, own);
    if (n != wanted)
      throw BadInput("the saved state belongs to another problem (" + std::to_string(n) + " values where " +
                     std::to_string(wanted) + " are needed); start anew");
    if (n > left_ / sizeof(double)) damaged();
    left_ -= n * sizeof(double);
    std::vector<double> sorted, mine(own);
    std::vector<comm::Out> outs;
    if (comm_.first()) {
      std::vector<double> whole(n);
      std::memcpy(whole.data(), rest_.data(), n * sizeof(double));
      rest_ = rest_.subspan(n * sizeof(double));
      for (const int u : share_.whole->unknown) sorted.push_back(whole[std::size_t(u)]);
      const double* from = sorted.data();
      for (int r = 0; r < comm_.size(); from += share_.whole->unknown_count[std::size_t(r)], ++r)
        outs.push_back(comm::out(r, from, share_.whole->unknown_count[std::size_t(r)]));
    }
    const comm::In in = comm::in(0, mine.data(), mine.size());
    comm_.exchange(outs, {&in, 1});
    if (own) dev.upload(a.data(), mine.data(), own);
  }

 private:
  bool take(void* to, std::size_t n) override {
    std::vector<std::byte> part;
    if (comm_.first()) {
      part.assign(rest_.begin(), rest_.begin() + std::ptrdiff_t(n));
      rest_ = rest_.subspan(n);
    }
    comm::broadcast(comm_, part);
    std::memcpy(to, part.data(), n);
    return true;
  }
  comm::Communicator& comm_;
  const RankShare& share_;
  std::span<const std::byte> rest_;
};

}  // namespace umov::eqs
