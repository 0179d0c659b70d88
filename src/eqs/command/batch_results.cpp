#include "eqs/command/batch_results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "eqs/observables/scalar_results.hpp"
#include "results/section.hpp"
#include "sweep/table.hpp"

namespace umov::eqs {

using results::Section;
using std::string;

namespace {

std::vector<string> comments_of(const BatchOutcome& o) {
  std::vector<string> comments{fmt::format("umov eqs {}", o.version)};
  if (!o.converged()) comments.push_back("NOT CONVERGED: some variants, see the column converged");
  return comments;
}

/// Numbers; a column of words has no array.
void add_axis(Section& s, const Batch& batch, std::size_t axis) {
  const sweep::Axis& a = batch.sweep.axes[axis];
  std::vector<double> numbers;
  std::vector<string> words;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    numbers.push_back(batch.sweep.number(axis, k));
    words.push_back(sweep::text_of(batch.sweep.value(axis, k)));
  }
  if (a.numbers())
    s.add(sweep::array_name(a.name), a.unit.empty() ? "1" : a.unit, "varied number of the case", numbers,
          {.heading = a.name});
  else
    s.texts(a.name, words);
}

void add_variants(results::Result& r, const Batch& batch, const BatchOutcome& o) {
  Section s(r, "variants/", results::add_table(r, {"variants", comments_of(o)}));
  std::vector<double> number, converged;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    number.push_back(double(k + 1));
    converged.push_back(BatchOutcome::is_done(o.rows[k]));
  }
  s.add("variant", "1", "number of the variant, from 1", number);
  for (std::size_t p = 0; p < batch.sweep.axes.size(); ++p) add_axis(s, batch, p);
  for (const sweep::Scalar& c : columns_of(batch, o.rows))
    s.add(sweep::array_name(c.name), c.unit, c.text + "; nan of a variant that was not computed",
          sweep::column(o.rows, batch.numbers(), c.name), {.heading = c.name});
  s.add("converged", "1", "1 where the variant was computed and converged, else 0", converged);
}

/// Which columns of variants.csv are what, for readers of the file.
void add_roles(results::Result& r, const Batch& batch, const BatchOutcome& o) {
  std::vector<string> parameters, responses, counts = effort_names();
  for (const auto& axis : batch.sweep.axes)
    if (axis.numbers()) parameters.push_back(axis.name);
  for (const sweep::Scalar& c : columns_of(batch, o.rows))
    if (is_response(batch.spec, c.name)) responses.push_back(c.name);
  counts.push_back("converged");
  r.attributes.emplace_back("parameters", results::lines_of(parameters));
  r.attributes.emplace_back("responses", results::lines_of(responses));
  r.attributes.emplace_back("counts", results::lines_of(counts));
}

/// What controlled steps hold a response to, at most.
double left_by_steps(const Simulation& s) {
  return s.analysis == Analysis::transient && s.time.step == 0 ? s.time.tolerance : 0;
}

/// Solves leave up to 20 times their tolerance.
double left_by_solves(const Simulation& s) {
  const bool bent = std::ranges::any_of(s.materials, [](const MaterialSpec& m) {
    return m.permittivity.nonlinear() || m.conductivity.nonlinear();
  });
  return 20 * (bent ? std::max(s.newton.tolerance, s.linear.tolerance) : s.linear.tolerance);
}

}  // namespace

std::vector<sweep::Scalar> columns_of(const Batch& batch, const sweep::Rows& rows) {
  return sweep::columns_of(batch.sweep, rows, batch.numbers());
}

std::vector<sweep::Response> fit_responses(const Batch& batch, const BatchOutcome& o) {
  sweep::Noise noise;
  for (const Simulation& s : batch.cases) {
    noise.solves = std::max(noise.solves, left_by_solves(s));
    noise.steps = std::max(noise.steps, left_by_steps(s));
  }
  auto columns = columns_of(batch, o.rows);
  if (columns.empty()) return {};
  sweep::require_columns(batch.spec.response, columns, "variants.csv");
  std::erase_if(columns, [&](const sweep::Scalar& c) { return !is_response(batch.spec, c.name); });
  return sweep::fit_responses(batch.sweep, o.rows, columns, noise);
}

results::Result to_result(const Batch& batch, const BatchOutcome& o,
                          const std::vector<sweep::Response>& responses) {
  results::Result r;
  r.for_paraview = false;
  r.attributes = {{"program", "umov eqs"},
                  {"version", o.version},
                  {"backend", o.course.backend},
                  {"device", o.device},
                  {"command_line", batch.machine.command_line},
                  {"settings", resolved_toml(batch)},
                  {"converged", o.converged() ? "yes" : "no"},
                  {"warnings", results::lines_of(o.warnings)}};
  add_roles(r, batch, o);
  add_variants(r, batch, o);
  sweep::add_responses(r, batch.sweep, responses, "variant", comments_of(o));
  return r;
}

}  // namespace umov::eqs
