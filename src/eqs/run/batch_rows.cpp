#include "eqs/run/batch_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "eqs/variants/responses.hpp"
#include "run/observer.hpp"

namespace umov::eqs {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BatchRows::BatchRows(const Batch& batch, const BatchObserver& watch, BatchOutcome& out)
    : watch_(watch), out_(out), rows_(batch.cases.size()) {
  out_.columns = watch.columns;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (watch.finished) rows_[k] = watch.finished(k);
    out_.taken_over += rows_[k].has_value();
  }
}

std::vector<std::size_t> BatchRows::open_variants() const {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (!rows_[k]) out.push_back(k);
  return out;
}

void BatchRows::taken(int, std::size_t) { tell(); }

bool BatchRows::told(int, std::size_t k, const Packed& warning) {
  say(fmt::format("variant {}: {}", k + 1, unpacked<std::string>(warning, as_it_is)));
  return true;
}

void BatchRows::fill(BatchRow& row, const std::vector<ScalarResult>& found) {
  row.values.assign(out_.columns.size(), nan);
  for (std::size_t c = 0; c < out_.columns.size(); ++c)
    for (const auto& s : found)
      if (s.name == out_.columns[c].name) row.values[c] = s.value;
}

void BatchRows::finished(int, std::size_t k, const Packed& bytes) {
  auto [found, row, device] = unpacked<FoundVariant>(bytes, visit_variant);
  const bool first = out_.columns.empty() && !found.empty();
  if (found.empty()) {
    if (refusal_.empty()) refusal_ = row.why_not;
    say(fmt::format("variant {} is refused: {}", k + 1, row.why_not));
  } else {
    solved_ = true;
    out_.device = device;
    for (const auto& s : found)
      if (first) out_.columns.push_back({s.name, s.unit, s.text});
    fill(row, found);
  }
  rows_[k] = std::move(row);
  if (watch_.solved) watch_.solved(k, *rows_[k], out_.columns);
  tell();
  if (first) response_columns(out_);
}

void BatchRows::left_out(int, std::size_t k, const std::string& why) {
  say(fmt::format("a worker is left out, its variant {} goes to the others: {}", k + 1, why));
}

void BatchRows::close(const run::Ledger& ledger) {
  ledger.rethrow();
  if (ledger.stopped()) throw run::Interrupted("interrupted");
  const bool none = !solved_ && out_.taken_over == 0;
  if (none && ledger.had_enough())
    throw run::Interrupted("stopped in the view before a variant was finished; there are no results");
  if (none && !refusal_.empty()) throw BadInput(refusal_);
  for (auto& row : rows_) {
    out_.rows.push_back(row.value_or(BatchRow{{}, false, "not computed", 0}));
    out_.rows.back().values.resize(out_.columns.size(), nan);
  }
}

void BatchRows::tell() const {
  const auto done = std::ranges::count_if(rows_, [](const auto& row) { return row.has_value(); });
  if (watch_.progress) watch_.progress({std::size_t(done), rows_.size(), running()});
}

void BatchRows::say(const std::string& text) {
  if (!is_new_(text)) return;
  out_.warnings.push_back(text);
  if (watch_.warning) watch_.warning(text);
}

}  // namespace umov::eqs
