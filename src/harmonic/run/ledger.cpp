// The state that the workers of a sweep share: which row is next, what is finished, what is told of it.
#include "harmonic/run/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace umov::harmonic {

Ledger::Ledger(const Sweep& sweep, Journal& journal, std::vector<Row> rows, SweepState state)
    : sweep_(sweep),
      journal_(journal),
      rows_(std::move(rows)),
      state_(std::move(state)),
      places_(rows_.size()) {
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    const FinishedRow* known = state_.find(rows_[n]);
    if (known && known->converged()) {
      places_[n] = {std::size_t(known - state_.rows.data()), true, ""};
      ++taken_over_;
      ++finished_;
      if (sweep_.row) sweep_.row(*known);
    } else {
      waiting_.insert(n);
    }
  }
}

void Ledger::open(std::vector<std::string> workers) {
  for (auto& name : workers) {
    workers_.emplace_back();
    workers_.back().name = std::move(name);
  }
}

/// The observer hears when the first worker begins and when the last one is done with it.
void Ledger::set_up(int worker, bool on) {
  const auto any = [&] { return std::ranges::any_of(workers_, &Worker::setting_up); };
  const bool before = any();
  workers_[worker].setting_up = on;
  const auto& tell = journal_.observer().set_up;
  if (tell && any() != before) tell(on);
}

/// A device that cannot begin gives its row back.
bool Ledger::has_row_to_come() const {
  return !ends_ && waiting_.empty() &&
         std::any_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.starting; });
}

/// Without the lock: rank 0 hears of signals to other ranks meanwhile.
void Ledger::hold() const {
  if (sweep_.hold) sweep_.hold([this] { return ends_.load(); });
}

std::optional<std::size_t> Ledger::next(int worker) {
  std::unique_lock lock(lock_, std::defer_lock);
  for (;;) {
    hold();
    lock.lock();
    changed_.wait(lock, [&] { return !has_row_to_come(); });
    if (!held() || ends_ || waiting_.empty()) return take(worker).row;
    lock.unlock();  // a pause that has just come
  }
}

Ledger::Turn Ledger::next_now(int worker) {
  const std::lock_guard hold(lock_);
  const bool waits = has_row_to_come() || (held() && !ends_ && !waiting_.empty());
  return waits ? Turn{} : take(worker);
}

Ledger::Turn Ledger::take(int worker) {
  if (!ends_ && !waiting_.empty() && sweep_.stop && sweep_.stop()) end_now();
  if (ends_ || waiting_.empty()) {
    went(worker);
    return {{}, true};
  }
  const std::size_t number = *waiting_.begin();
  waiting_.erase(waiting_.begin());
  workers_[worker].starting = !workers_[worker].begun;
  set_up(worker, true);
  return {number, false};
}

/// With the lock held.
void Ledger::end_now() {
  stops_ = true;
  ends_ = true;
  changed_.notify_all();
}

void Ledger::stop() {
  const std::lock_guard hold(lock_);
  end_now();
}

bool Ledger::go_on() {
  const std::lock_guard hold(lock_);
  if (!stops_ && sweep_.stop && sweep_.stop()) end_now();
  return !stops_;
}

bool Ledger::over() const {
  const std::lock_guard hold(lock_);
  return std::all_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.left; });
}

void Ledger::leave(int worker) {
  const std::lock_guard hold(lock_);
  went(worker);
}

void Ledger::went(int worker) {
  workers_[worker].left = true;
  workers_[worker].starting = false;
  if (shown_ == worker) shown_ = -1;
  set_up(worker, false);
  changed_.notify_all();
}

std::string Ledger::stage_text(const Worker& worker, const std::string& what) const {
  std::string out = what;
  if (workers_.size() > 1) {
    out += fmt::format(" on {}, {} of {} rows finished", worker.name, finished_, rows_.size());
  } else if (rows_.size() > 1) {
    out += fmt::format(", {} of {}", finished_ + 1, rows_.size());
  }
  const auto at_work =
      std::count_if(workers_.begin(), workers_.end(), [](const Worker& w) { return !w.left; });
  if (computed_ > 0)
    out += ", all in " + format_duration(computing_ / double(computed_) * double(rows_.size() - finished_) /
                                         double(std::max<std::ptrdiff_t>(at_work, 1)));
  return out;
}

void Ledger::show(int worker) {
  shown_ = worker;
  journal_.stage(workers_[worker].stage);
}

void Ledger::begin(int worker, const std::string& what, const std::string& iteration) {
  const std::lock_guard hold(lock_);
  Worker& w = workers_[worker];
  if (!w.begun) {
    w.begun = true;
    w.starting = false;
    changed_.notify_all();
  }
  set_up(worker, true);
  w.stage = stage_text(w, what);
  if (shown_ < 0 || shown_ == worker) show(worker);
  // which Krylov solver it is, where that is not known yet
  if (!iteration.empty() && iteration != w.iteration) {
    const std::string text = "iteration: " + iteration;
    const auto& said = journal_.notes();
    if (workers_.size() == 1 || std::find(said.begin(), said.end(), text) == said.end()) journal_.note(text);
  }
  w.iteration = iteration;
}

bool Ledger::iterated(int worker, char polarization, long iteration, double residual) {
  if (!heard_iteration(worker, polarization, iteration, residual)) return false;
  if (!sweep_.hold) return true;
  hold();
  const std::lock_guard lock(lock_);
  return !stops_;
}

bool Ledger::heard_iteration(int worker, char polarization, long iteration, double residual) {
  const std::lock_guard hold(lock_);
  set_up(worker, false);
  if (stops_) return false;
  if (shown_ < 0) show(worker);
  const auto& watch = journal_.observer().iteration;
  if (shown_ != worker || !watch || watch(polarization, iteration, residual)) return true;
  end_now();
  return false;
}

void Ledger::note(int worker, const std::string& text) {
  const std::lock_guard hold(lock_);
  journal_.note(workers_[worker].stage + ": " + text);
}

void Ledger::finish(int worker, std::size_t number, FinishedRow finished, const RowReport& report) {
  const std::lock_guard hold(lock_);
  Worker& w = workers_[worker];
  if (shown_ == worker) shown_ = -1;
  w.device = report.device;
  w.rows.push_back(number);
  if (report.sent_back > sent_back_) {
    sent_back_ = report.sent_back;
    least_absorbed_ =
        fmt::format("{:g} um, {:g} degrees", finished.row.wavelength, finished.row.incidence.angle);
  }
  // at 8e-3 the powers of a dielectric grating missed those of coupled waves by 2e-3
  if (report.sent_back > 3e-3) ++rows_near_grazing_;
  computing_ += report.computing;
  ++computed_;
  ++finished_;
  set_up(worker, false);
  std::size_t at = state_.rows.size();
  {
    const std::lock_guard writing(state_lock_);
    if (const FinishedRow* known = state_.find(finished.row)) {
      at = std::size_t(known - state_.rows.data());
      state_.rows[at] = std::move(finished);
    } else {
      state_.rows.push_back(std::move(finished));
    }
  }
  places_[number] = {at, true, report.trouble};
  if (const auto& to_save = journal_.observer().to_save;
      to_save && computed_ == 1 && !sweep_.state_file.empty())
    to_save([this] { save_rows(); });
  if (sweep_.row) sweep_.row(state_.rows[at]);
  keep(false);
}

void Ledger::leave_out(int worker, std::size_t number, const std::string& why, std::exception_ptr error) {
  std::unique_lock hold(lock_);
  const bool others = std::any_of(workers_.begin(), workers_.end(),
                                  [&](const Worker& w) { return !w.left && &w != &workers_[worker]; });
  if (!others || ends_) {
    hold.unlock();
    return fail(worker, error);
  }
  waiting_.insert(number);
  went(worker);
  const std::string& name = workers_[worker].name;
  const bool twin = std::any_of(workers_.begin(), workers_.end(),
                                [&](const Worker& w) { return !w.left && w.name == name; });
  if (twin)
    journal_.note(fmt::format("{} computes fewer rows at once: {}", name, why));
  else
    journal_.warn(fmt::format("{} is left out, rows go to the others: {}", name, why));
}

void Ledger::fail(int worker, std::exception_ptr error) {
  const std::lock_guard hold(lock_);
  went(worker);
  ends_ = true;
  if (error_) return;
  error_ = error;
  const bool others = std::any_of(workers_.begin(), workers_.end(), [](const Worker& w) { return !w.left; });
  if (others && !stops_)
    journal_.warn(
        fmt::format("{} failed; the others finish the rows that they are at", workers_[worker].name));
}

void Ledger::rethrow(const std::string& interruption) const {
  if (error_) std::rethrow_exception(error_);
  if (ends_) throw run::Interrupted(interruption);
}

std::vector<std::pair<const FinishedRow*, std::string>> Ledger::in_order() const {
  std::vector<std::pair<const FinishedRow*, std::string>> out;
  for (const Place& p : places_)
    if (p.finished) out.push_back({&state_.rows[p.at], p.trouble});
  return out;
}

void Ledger::keep(bool now) {
  if (sweep_.state_file.empty()) return;
  const auto start = Clock::now();
  const auto since = [](Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  };
  if (!now && since(kept_) < 20 * keeping_) return;
  save_rows();
  kept_ = Clock::now();
  keeping_ = since(start);
}

void Ledger::save_rows() const {
  const std::lock_guard reading(state_lock_);
  save(state_, sweep_.state_file);
}

std::vector<Ledger::Worker> Ledger::by_device() const {
  std::vector<Worker> out;
  for (const Worker& w : workers_) {
    if (w.rows.empty()) continue;
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const Worker& o) { return o.name == w.name; });
    if (known == out.end())
      out.push_back(w);
    else
      known->rows.insert(known->rows.end(), w.rows.begin(), w.rows.end());
  }
  for (Worker& w : out) std::sort(w.rows.begin(), w.rows.end());
  return out;
}

std::string Ledger::devices() const {
  std::vector<std::pair<std::string, int>> names;
  for (const Worker& w : by_device()) {
    if (!names.empty() && names.back().first == w.device)
      ++names.back().second;
    else
      names.push_back({w.device, 1});
  }
  std::vector<std::string> out;
  for (const auto& [name, count] : names)
    out.push_back(count > 1 ? fmt::format("{} x {}", count, name) : name);
  return join(out, ", ");
}

std::vector<std::string> Ledger::shares() const {
  constexpr std::size_t most = 40;
  std::vector<std::string> out;
  if (workers_.size() < 2) return out;
  for (const Worker& w : by_device()) {
    std::vector<std::string> numbers;
    for (const std::size_t n : w.rows)
      if (numbers.size() < most) numbers.push_back(std::to_string(n + 1));
    out.push_back(fmt::format("{} ({}) computed {} of {} rows: {}{}", w.name, w.device, w.rows.size(),
                              rows_.size(), join(numbers, ", "), w.rows.size() > most ? ", ..." : ""));
  }
  return out;
}

}  // namespace umov::harmonic
