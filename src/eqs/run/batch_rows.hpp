// The rows of a batch on rank 0: which there are, and what is told of them.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "eqs/observables/scalar_results.hpp"
#include "eqs/run/batch.hpp"
#include "run/said_once.hpp"

namespace umov::eqs {

/// What a variant has come to, on its way to rank 0.
struct FoundVariant {
  std::vector<ScalarResult> found;  ///< empty: it is refused
  BatchRow row;                     ///< without values
  std::string device;
};

constexpr auto visit_variant = [](auto& f, auto& v) {
  f.each(v.found, [&](auto& s) {
    f(s.name);
    f(s.unit);
    f(s.text);
    f(s.value);
  });
  f(v.row.converged);
  f(v.row.why_not);
  f(v.row.wall);
  f(v.device);
};

/// Workers tell it warnings, as text.
class BatchRows final : public run::Listener {
 public:
  BatchRows(const Batch&, const BatchObserver&, BatchOutcome&);

  /// Numbers of the variants that have no row yet.
  std::vector<std::size_t> open_variants() const;

  void taken(int worker, std::size_t variant) override;
  bool told(int worker, std::size_t variant, const Packed& warning) override;
  /// Throws BadInput for a response that is no column, once it is known which there are.
  void finished(int worker, std::size_t variant, const Packed&) override;
  void left_out(int worker, std::size_t variant, const std::string& why) override;

  /// Rows go to the outcome. Throws what ended the batch.
  void close(const run::Ledger&);

 private:
  void fill(BatchRow&, const std::vector<ScalarResult>&);
  void tell() const;
  void say(const std::string& text);

  const BatchObserver& watch_;
  BatchOutcome& out_;
  std::vector<std::optional<BatchRow>> rows_;
  run::SaidOnce is_new_;
  bool solved_ = false;
  std::string refusal_;
};

}  // namespace umov::eqs
