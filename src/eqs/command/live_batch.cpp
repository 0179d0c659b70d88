// Variants as curves over their numbers.
#include "eqs/command/live_batch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "eqs/observables/scalar_results.hpp"
#include "view/stored.hpp"

namespace umov::eqs {

namespace {

view::ArrayInfo curve_info(const std::string& name, const std::string& label, const std::string& unit,
                           const std::string& role) {
  view::ArrayInfo info;
  info.name = name;
  info.label = label;
  info.text = label + " of each variant";
  info.unit = unit;
  info.kind = view::Kind::curve;
  info.role = role;
  info.live = true;
  info.columns = {{"variant", "1"}};
  return info;
}

}  // namespace

void LiveBatch::begin(const std::string& folder) {
  view::Shelf shelf;
  for (std::size_t p = 0; p < batch_.sweep.axes.size(); ++p) {
    const auto& parameter = batch_.sweep.axes[p];
    const std::string unit = parameter.unit.empty() ? "1" : parameter.unit;
    view::ArrayInfo info = curve_info("parameters/" + parameter.name, parameter.name, unit, "parameter");
    info.columns.push_back({parameter.name, unit});
    info.live = false;
    std::vector<std::vector<double>> table(2);
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      table[0].push_back(double(k + 1));
      table[1].push_back(batch_.sweep.number(p, k));
    }
    shelf.add_curve(std::move(info), std::move(table));
  }
  view::CaseInfo info;
  info.name = fmt::format("{} variants", batch_.size());
  info.family = "eqs";
  info.state = "running";
  info.folder = folder;
  info.text = batch_.machine.command_line;
  shelf.catalogue.cases.push_back(std::move(info));
  view_.hub().publish(std::move(shelf.catalogue), std::move(shelf.makers));
  view_.tell([&](view::Progress& p) {
    p.state = view::State::running;
    p.limit = long(batch_.size());
    p.fixed = true;
  });
}

void LiveBatch::show_columns(const sweep::Row& row) {
  view::ArrayInfo info = curve_info("variants", "variants", "1", "batch");
  for (const auto& axis : batch_.sweep.axes)
    info.columns.push_back({axis.name, axis.unit.empty() ? "1" : axis.unit, "parameter"});
  const auto& counts = effort_names();
  for (const sweep::Scalar& c : row.scalars) {
    const bool count = std::find(counts.begin(), counts.end(), c.name) != counts.end();
    info.columns.push_back({c.name, c.unit,
                            is_response(batch_.spec, c.name) ? "response"
                            : count                          ? "count"
                                                             : ""});
    columns_.push_back(c.name);
  }
  info.shape = {0, (long long)info.columns.size()};
  const std::size_t width = info.columns.size();
  table_ = view_.hub().extend(std::move(info), view::stored_curve(std::vector<std::vector<double>>(width)));
}

void LiveBatch::solved(std::size_t variant, const sweep::Row& row) {
  if (table_ < 0 && !row.scalars.empty()) show_columns(row);
  rows_[variant] = row;
  if (table_ >= 0) renew();
}

void LiveBatch::renew() {
  const std::size_t axes = batch_.sweep.axes.size();
  std::vector<std::vector<double>> table(1 + axes + columns_.size());
  for (const auto& [variant, row] : rows_) {
    table[0].push_back(double(variant + 1));
    for (std::size_t p = 0; p < axes; ++p) table[1 + p].push_back(batch_.sweep.number(p, variant));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const auto found = std::ranges::find(row.scalars, columns_[c], &sweep::Scalar::name);
      table[1 + axes + c].push_back(found == row.scalars.end() ? nan : found->value);
    }
  }
  view_.hub().update(table_, view::stored_curve(std::move(table)), (long long)rows_.size());
}

void LiveBatch::progress(const run::CaseProgress& b) {
  finished_ = b.finished;
  view_.tell([&](view::Progress& p) {
    p.state = view::State::running;
    p.step = long(b.finished);
    p.limit = long(b.cases);
    p.fixed = true;
    p.measure = fmt::format("{} of {} variants, {} under way", b.finished, b.cases, b.running);
    p.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    p.fraction = double(b.finished) / double(std::max<std::size_t>(1, b.cases));
  });
}

void LiveBatch::pass(const std::function<bool()>& over) {
  const auto none = [](const view::Request&) -> view::Data {
    throw BadInput("the batch has nothing of it yet; it comes by itself");
  };
  if (enough_) return;
  if (view_.hub().pass(long(finished_), 0, none, over) == view::Hub::Verdict::stop) enough_ = true;
}

void LiveBatch::hold(const std::function<bool()>& over) { pass(over); }

bool LiveBatch::enough() {
  pass([] { return true; });
  const view::Hub& hub = view_.hub();
  if (hub.progress().state == view::State::paused && !hub.held())
    view_.tell([](view::Progress& p) { p.state = view::State::running; });
  return enough_;
}

}  // namespace umov::eqs
