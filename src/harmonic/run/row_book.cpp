// The rows of a sweep on rank 0: which are finished, what is kept and told of them and of their workers.
#include "harmonic/run/row_book.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace umov::harmonic {

RowBook::RowBook(const Sweep& sweep, Journal& journal, std::vector<Row> rows, SweepState state)
    : sweep_(sweep),
      journal_(journal),
      rows_(std::move(rows)),
      state_(std::move(state)),
      places_(rows_.size()) {
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    const FinishedRow* known = state_.find(rows_[n]);
    if (!known || !known->converged()) continue;
    places_[n] = {std::size_t(known - state_.rows.data()), true, ""};
    ++taken_over_;
    ++finished_;
    if (sweep_.row) sweep_.row(*known);
  }
}

std::vector<std::size_t> RowBook::open_rows() const {
  std::vector<std::size_t> out;
  for (std::size_t n = 0; n < rows_.size(); ++n)
    if (!places_[n].finished) out.push_back(n);
  return out;
}

void RowBook::open(std::vector<std::string> workers) {
  for (auto& name : workers) {
    workers_.emplace_back();
    workers_.back().name = std::move(name);
  }
}

/// The observer hears when the first worker begins and when the last one is done with it.
void RowBook::set_up(int worker, bool on) {
  const auto any = [&] { return std::ranges::any_of(workers_, &Worker::setting_up); };
  const bool before = any();
  workers_[worker].setting_up = on;
  const auto& tell = journal_.observer().set_up;
  if (tell && any() != before) tell(on);
}

void RowBook::taken(int worker, std::size_t) { set_up(worker, true); }

void RowBook::left(int worker) {
  workers_[worker].left = true;
  if (shown_ == worker) shown_ = -1;
  set_up(worker, false);
}

std::string RowBook::stage_text(const Worker& worker, const std::string& what) const {
  std::string out = what;
  if (workers_.size() > 1) {
    out += fmt::format(" on {}, {} of {} rows finished", worker.name, finished_, rows_.size());
  } else if (rows_.size() > 1) {
    out += fmt::format(", {} of {}", finished_ + 1, rows_.size());
  }
  if (computed_ > 0)
    out += ", all in " + format_duration(computing_ / double(computed_) * double(rows_.size() - finished_) /
                                         double(std::max<std::size_t>(running(), 1)));
  return out;
}

void RowBook::show(int worker) {
  shown_ = worker;
  journal_.stage(workers_[worker].stage);
}

void RowBook::begin(int worker, const RowNews& n) {
  Worker& w = workers_[worker];
  set_up(worker, true);
  w.stage = stage_text(w, n.text);
  if (shown_ < 0 || shown_ == worker) show(worker);
  // which Krylov solver it is, where that is not known yet
  if (!n.iteration.empty() && n.iteration != w.iteration) journal_.note("iteration: " + n.iteration);
  w.iteration = n.iteration;
}

bool RowBook::iterate(int worker, const RowNews& n) {
  set_up(worker, false);
  if (shown_ < 0) show(worker);
  const auto& watch = journal_.observer().iteration;
  return shown_ != worker || !watch || watch(n.polarization, n.iterations, n.residual);
}

bool RowBook::told(int worker, std::size_t, const Packed& news) {
  const auto n = unpacked<RowNews>(news, visit_news);
  switch (n.kind) {
    case RowNews::Kind::begun:
      begin(worker, n);
      return true;
    case RowNews::Kind::iterated:
      return iterate(worker, n);
    case RowNews::Kind::note:
      journal_.note(workers_[worker].stage + ": " + n.text);
  }
  return true;
}

void RowBook::note_report(int worker, const FoundRow& found) {
  const auto& [row, report] = found;
  workers_[worker].device = report.device;
  if (report.sent_back > sent_back_) {
    sent_back_ = report.sent_back;
    least_absorbed_ = fmt::format("{:g} um, {:g} degrees", row.row.wavelength, row.row.incidence.angle);
  }
  // at 8e-3 the powers of a dielectric grating missed those of coupled waves by 2e-3
  if (report.sent_back > 3e-3) ++rows_near_grazing_;
  computing_ += report.computing;
}

void RowBook::finished(int worker, std::size_t number, const Packed& bytes) {
  auto found = unpacked<FoundRow>(bytes, visit_found);
  if (shown_ == worker) shown_ = -1;
  workers_[worker].rows.push_back(number);
  note_report(worker, found);
  ++computed_;
  ++finished_;
  set_up(worker, false);
  keep(found.row);
  places_[number] = {state_.put(std::move(found.row)), true, found.report.trouble};
  if (sweep_.row) sweep_.row(state_.rows[places_[number].at]);
}

void RowBook::keep(const FinishedRow& row) {
  if (sweep_.state_file.empty()) return;
  if (!file_) {
    file_.emplace(begin_file(state_, sweep_.state_file));
    if (const auto& kept = journal_.observer().kept) kept();
  }
  add_row(*file_, row);
}

void RowBook::left_out(int worker, std::size_t, const std::string& why) {
  const std::string& name = workers_[worker].name;
  const bool twin = std::ranges::any_of(workers_, [&](const Worker& w) { return !w.left && w.name == name; });
  if (twin)
    journal_.note(fmt::format("{} computes fewer rows at once: {}", name, why));
  else
    journal_.warn(fmt::format("{} is left out, rows go to the others: {}", name, why));
}

void RowBook::failed(int worker, bool others) {
  if (others)
    journal_.warn(
        fmt::format("{} failed; the others finish the rows that they are at", workers_[worker].name));
}

std::vector<std::pair<const FinishedRow*, std::string>> RowBook::in_order() const {
  std::vector<std::pair<const FinishedRow*, std::string>> out;
  for (const Place& p : places_)
    if (p.finished) out.push_back({&state_.rows[p.at], p.trouble});
  return out;
}

std::vector<RowBook::Worker> RowBook::by_device() const {
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

std::string RowBook::devices() const {
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

std::vector<std::string> RowBook::shares() const {
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
