// A checkpoint of several ranks: the file that one rank would write, of which each reads its part.
#pragma once

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "comm/on_ranks.hpp"
#include "dda/solver/checkpoint.hpp"

namespace umov::dda {

/// Written by rank 0 alone. What fails there is thrown by commit(), on all ranks.
class RankStateWriter final : public ByteWriter {
 public:
  RankStateWriter(comm::Communicator& ranks, const comm::Places& places, const std::string& path)
      : ranks_(ranks), places_(places) {
    attempt([&] { file_.emplace(path); });
  }

  void bytes(const void* from, std::size_t n) override {
    attempt([&] { file_->bytes(from, n); });
  }

  /// Vectors [any][own] as [any][all]: one such stretch after the other passes through rank 0.
  template <class Dev, class Array>
  void elements(Dev& dev, const Array& a) {
    using V = std::remove_cvref_t<decltype(*a.data())>;
    std::vector<V> host(a.size());
    if (a.size()) dev.download(host.data(), a.data(), a.size());
    const index_t stretches = comm::sum(ranks_, index_t(a.size())) / places_.all;
    for (index_t s = 0; s < stretches; ++s) {
      const auto whole =
          comm::gather(ranks_, std::span<const V>(host.data() + s * places_.own, std::size_t(places_.own)));
      attempt([&] { file_->bytes(whole.data(), whole.size() * sizeof(V)); });
    }
  }

  /// Throws what has failed, MachineFailure on ranks that have not written.
  void commit() {
    attempt([&] { file_->commit(); });
    std::string why;
    try {
      if (error_) std::rethrow_exception(error_);
    } catch (const std::exception& e) {
      why = e.what();
    }
    comm::broadcast(ranks_, why);
    if (error_) std::rethrow_exception(error_);
    if (!why.empty()) throw MachineFailure(why);
  }

 private:
  template <class Act>
  void attempt(const Act& act) {
    if (!ranks_.first() || error_) return;
    try {
      act();
    } catch (const Error&) {
      error_ = std::current_exception();
    }
  }

  comm::Communicator& ranks_;
  comm::Places places_;
  std::optional<CheckedFile> file_;
  std::exception_ptr error_;
};

template <class Dev>
struct StateFiles<comm::OnRanks<Dev>> {
  using Writer = RankStateWriter;
  static Writer open(comm::OnRanks<Dev>& dev, const std::string& path) {
    return Writer(dev.ranks(), dev.places(), path);
  }
  template <class V>
  static void read(comm::OnRanks<Dev>& dev, ByteReader& f, std::vector<V>& host) {
    const comm::Places& p = dev.places();
    const index_t stretches = comm::sum(dev.ranks(), index_t(host.size())) / p.all;
    for (index_t s = 0; s < stretches; ++s) {
      skip(f, std::size_t(p.first) * sizeof(V));
      f.bytes(host.data() + s * p.own, std::size_t(p.own) * sizeof(V));
      skip(f, std::size_t(p.all - p.first - p.own) * sizeof(V));
    }
  }

 private:
  static void skip(ByteReader& f, std::size_t bytes) {
    std::vector<char> passed(std::min<std::size_t>(bytes, 1 << 20));
    for (std::size_t n = 0; bytes; bytes -= n) f.bytes(passed.data(), n = std::min(bytes, passed.size()));
  }
};

}  // namespace umov::dda
