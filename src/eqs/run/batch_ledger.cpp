#include "eqs/run/batch_ledger.hpp"

#include <fmt/format.h>

#include <limits>

#include "eqs/run/shared_models.hpp"
#include "eqs/variants/responses.hpp"
#include "run/observer.hpp"

namespace umov::eqs {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BatchLedger::BatchLedger(const Batch& batch, const BatchObserver& watch, BatchOutcome& out)
    : watch_(watch), out_(out), rows_(batch.cases.size()) {
  for (const Simulation& sim : batch.cases) keys_.push_back(mesh_key(sim));
  out_.columns = watch.columns;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (watch.finished) rows_[k] = watch.finished(k);
    if (rows_[k])
      ++out_.taken_over;
    else
      waiting_.insert(k);
  }
}

bool BatchLedger::asked_to_stop() {
  if (!ends_ && watch_.stop && watch_.stop()) {
    ends_ = true;
    stopped_ = true;
    changed_.notify_all();
  }
  if (!ends_ && watch_.enough && watch_.enough()) {
    ends_ = true;
    enough_ = true;
    changed_.notify_all();
  }
  return stopped_;
}

/// Without the lock: rank 0 hears of signals to other ranks meanwhile.
void BatchLedger::hold() const {
  if (watch_.hold) watch_.hold([this] { return ends_ || (watch_.stop && watch_.stop()); });
}

std::optional<std::size_t> BatchLedger::next(std::optional<std::uint64_t>& mesh) {
  std::unique_lock lock(lock_, std::defer_lock);
  for (;;) {
    hold();
    lock.lock();
    // a worker that fails gives its variant back
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty() || running_.empty(); });
    if (!held() || asked_to_stop() || ends_ || waiting_.empty()) break;
    lock.unlock();  // a pause that has just come
  }
  const auto k = choose(mesh);
  if (!k) changed_.notify_all();
  return k;
}

std::optional<std::size_t> BatchLedger::next_now(std::optional<std::uint64_t>& mesh) {
  const std::lock_guard hold(lock_);
  if (!asked_to_stop() && held()) return {};  // asked first: the steps that were asked for may be over
  return choose(mesh);
}

std::optional<std::size_t> BatchLedger::choose(std::optional<std::uint64_t>& mesh) {
  asked_to_stop();
  if (ends_ || waiting_.empty()) return {};
  auto best = waiting_.begin();
  int rank = 0;
  for (auto at = waiting_.begin(); at != waiting_.end() && rank < 2; ++at) {
    const int here = mesh && keys_[*at] == *mesh ? 2 : running_.count(keys_[*at]) == 0 ? 1 : 0;
    if (here > rank) rank = here, best = at;
  }
  const std::size_t k = *best;
  waiting_.erase(best);
  mesh = keys_[k];
  running_.insert(keys_[k]);
  tell();
  return k;
}

bool BatchLedger::go_on() {
  hold();
  return goes_on();
}

bool BatchLedger::goes_on() {
  const std::lock_guard hold(lock_);
  return !asked_to_stop();
}

void BatchLedger::stop() {
  const std::lock_guard hold(lock_);
  ends_ = true;
  stopped_ = true;
  changed_.notify_all();
}

bool BatchLedger::ends() {
  const std::lock_guard hold(lock_);
  return ends_;
}

bool BatchLedger::over() {
  const std::lock_guard hold(lock_);
  return (ends_ || waiting_.empty()) && running_.empty();
}

void BatchLedger::warn(const std::string& text) {
  const std::lock_guard hold(lock_);
  say(text);
}

void BatchLedger::finish(std::size_t k, const Outcome& outcome, BatchRow row) {
  const auto found = scalar_results(outcome);
  const std::lock_guard hold(lock_);
  out_.device = outcome.device;
  enter(k, found, std::move(row), &outcome);
}

void BatchLedger::finish(std::size_t k, const std::vector<ScalarResult>& found, const std::string& device,
                         BatchRow row) {
  const std::lock_guard hold(lock_);
  out_.device = device;
  enter(k, found, std::move(row), nullptr);
}

/// Under the lock. Nothing found: the variant is refused.
void BatchLedger::enter(std::size_t k, const std::vector<ScalarResult>& found, BatchRow row,
                        const Outcome* outcome) {
  leave(k);
  if (!found.empty()) {
    solved_ = true;
    if (out_.columns.empty()) {
      for (const auto& s : found) out_.columns.push_back({s.name, s.unit, s.text});
      check_responses();
    }
    row.values.assign(out_.columns.size(), nan);
    for (std::size_t c = 0; c < out_.columns.size(); ++c)
      for (const auto& s : found)
        if (s.name == out_.columns[c].name) row.values[c] = s.value;
  }
  rows_[k] = std::move(row);
  if (watch_.solved) watch_.solved(k, outcome, *rows_[k], out_.columns);
  tell();
}

/// Now that it is known which columns there are: a name that is none of them ends the batch before it has
/// taken its time.
void BatchLedger::check_responses() {
  try {
    response_columns(out_);
  } catch (const BadInput&) {
    ends_ = true;
    if (!error_) error_ = std::current_exception();
    changed_.notify_all();
  }
}

void BatchLedger::refuse(std::size_t k, const BadInput& error) { refuse(k, std::string(error.what())); }

void BatchLedger::refuse(std::size_t k, const std::string& why) {
  const std::lock_guard hold(lock_);
  if (!refusal_) refusal_ = std::make_exception_ptr(BadInput(why));
  say(fmt::format("variant {} is refused: {}", k + 1, why));
  BatchRow row;
  row.converged = false;
  row.why_not = why;
  enter(k, {}, std::move(row), nullptr);
}

void BatchLedger::leave_out(std::size_t k, const std::string& why, std::exception_ptr error) {
  const std::lock_guard hold(lock_);
  leave(k);
  if (--at_work_ == 0 || !failed_.insert(k).second) {
    ends_ = true;
    if (!error_) error_ = error;
  } else {
    waiting_.insert(k);
    say(fmt::format("a worker is left out, its variant {} goes to the others: {}", k + 1, why));
  }
  changed_.notify_all();
}

void BatchLedger::fail(std::size_t k, std::exception_ptr error) {
  const std::lock_guard hold(lock_);
  leave(k);
  ends_ = true;
  if (!error_ && !stopped_) error_ = error;
  changed_.notify_all();
}

void BatchLedger::close() {
  if (error_) std::rethrow_exception(error_);
  if (stopped_) throw run::Interrupted("interrupted");
  if (enough_ && !solved_ && out_.taken_over == 0)
    throw run::Interrupted("stopped in the view before a variant was finished; there are no results");
  if (!solved_ && out_.taken_over == 0 && refusal_) std::rethrow_exception(refusal_);
  for (auto& row : rows_) {
    out_.rows.push_back(row.value_or(BatchRow{{}, false, "not computed", 0}));
    out_.rows.back().values.resize(out_.columns.size(), nan);
  }
}

void BatchLedger::leave(std::size_t k) {
  const auto at = running_.find(keys_[k]);
  if (at != running_.end()) running_.erase(at);  // a row whose observer failed has left already
  changed_.notify_all();
}

void BatchLedger::tell() const {
  std::size_t done = 0;
  for (const auto& row : rows_) done += row.has_value();
  if (watch_.progress) watch_.progress({done, rows_.size(), running_.size()});
}

void BatchLedger::say(const std::string& text) {
  // variants differ in numbers: what differs in its numbers alone is said once
  std::string words = text;
  std::erase_if(words, [](unsigned char c) { return std::isdigit(c) || c == '.' || c == '-' || c == '+'; });
  if (!said_.insert(words).second) return;
  out_.warnings.push_back(text);
  if (watch_.warning) watch_.warning(text);
}

}  // namespace umov::eqs
