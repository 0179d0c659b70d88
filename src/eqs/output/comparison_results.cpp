#include "eqs/output/comparison_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pictures/plot.hpp"
#include "pictures/sheet.hpp"
#include "results/formats.hpp"
#include "results/section.hpp"

namespace umov::eqs {

using namespace pictures;
using results::Section;
using std::string;

namespace {

constexpr int methods_width = 760, methods_row = 46;

std::size_t add_table(results::Result& r, const Comparison& o, const string& name) {
  return results::add_table(
      r, {name,
          {fmt::format("umov eqs {}, {}, {} unknowns, order {}", o.version, o.mesh, o.unknowns, o.order)}});
}

/// The row that others are measured against: that letter's, else the first.
const MethodRow& against(const Comparison& o, char letter) {
  for (const MethodRow& m : o.methods)
    if (m.method.letter == letter) return m;
  return o.methods.front();
}

void add_methods(results::Result& r, const Comparison& o) {
  Section s(r, "methods/", add_table(r, o, "methods"));
  std::vector<string> letters, texts;
  for (const MethodRow& m : o.methods)
    letters.emplace_back(1, m.method.letter), texts.emplace_back(m.method.text);
  s.texts("method", letters);
  s.texts("what", texts);
  const auto put = [&](const char* name, const char* unit, const char* text, const auto& f) {
    std::vector<double> list;
    for (const MethodRow& m : o.methods) list.push_back(double(f(m)));
    s.add(name, unit, text, list);
  };
  const double seconds = against(o, 'B').seconds, iterations = double(against(o, 'D').linear);
  put("seconds", "s", "time of the steps", [](const auto& m) { return m.seconds; });
  put("speed_up", "1", "time of B (of the first method without it) over this one",
      [&](const auto& m) { return m.seconds > 0 ? seconds / m.seconds : 0; });
  put("steps", "1", "accepted steps", [](const auto& m) { return m.steps; });
  put("rejected", "1", "repeated steps", [](const auto& m) { return m.rejected; });
  put("stages", "1", "stages of explicit steps", [](const auto& m) { return m.stages; });
  put("newton", "1", "iterations of Newton's method", [](const auto& m) { return m.newton; });
  put("iterations", "1", "iterations of the conjugate gradients", [](const auto& m) { return m.linear; });
  put("iterations_over_D", "1", "over those of D (of the first method without it)",
      [&](const auto& m) { return iterations > 0 ? double(m.linear) / iterations : 0; });
  put("setups", "1", "set-ups of the preconditioner", [](const auto& m) { return m.setups; });
  put("refreshes", "1", "renewals of its products", [](const auto& m) { return m.refreshes; });
  put("difference", "1",
      "potentials at the end less the reference (without one those of the first method), over its largest "
      "norm (in V where that is 0); nan where not converged",
      [](const auto& m) { return m.difference; });
  put("converged", "1", "1 where the method came to the end", [](const auto& m) { return m.converged; });
}

/// Slope between this step's error and that of the longer one before it.
double order_of(const Comparison& o, std::size_t k, double StepErrorRow::*error) {
  if (k == 0 || o.errors[k - 1].method.letter != o.errors[k].method.letter) return std::nan("");
  const auto &a = o.errors[k - 1], &b = o.errors[k];
  if (!(a.*error > 0 && b.*error > 0)) return std::nan("");
  return std::log(a.*error / b.*error) / std::log(a.step / b.step);
}

void add_errors(results::Result& r, const Comparison& o) {
  if (o.errors.empty()) return;
  Section s(r, "errors/", add_table(r, o, "errors"));
  std::vector<string> letters, schemes;
  for (const StepErrorRow& e : o.errors) {
    letters.emplace_back(1, e.method.letter);
    schemes.emplace_back(e.method.scheme == Scheme::sdirk3 ? "sdirk3" : "rkc");
  }
  s.texts("method", letters);
  s.texts("scheme", schemes);
  const auto put = [&](const char* name, const char* unit, const char* text, double StepErrorRow::*value,
                       bool order = false) {
    std::vector<double> list;
    for (std::size_t k = 0; k < o.errors.size(); ++k)
      list.push_back(order ? order_of(o, k, value) : o.errors[k].*value);
    s.add(name, unit, text, list);
  };
  constexpr const char* slope = "slope to the row before; nan for the first, and without errors";
  put("step", "s", "length of the fixed steps", &StepErrorRow::step);
  put("local", "1",
      "error of one step at half the time, relative (in V where the reference is 0); nan where it cannot be "
      "taken",
      &StepErrorRow::local);
  put("local_order", "1", slope, &StepErrorRow::local, true);
  put("global", "1", "error at the end, relative (in V where the reference is 0); nan where steps fail",
      &StepErrorRow::global);
  put("global_order", "1", slope, &StepErrorRow::global, true);
  put("own", "1",
      "difference at the end to the same scheme in the shortest of the steps, as `global`; 0 of that one",
      &StepErrorRow::own);
  put("estimate_largest", "1",
      "largest error that the scheme estimates of its steps in the second half of the run, in the measure of "
      "time.tolerance",
      &StepErrorRow::estimate_largest);
  put("estimate_mean", "1", "their mean", &StepErrorRow::estimate_mean);
}

void draw_methods(const Comparison& o, const string& path) {
  Canvas c(methods_width, 130 + methods_row * int(o.methods.size()));
  title(
      c, "Methods",
      fmt::format("{}, {} unknowns; time of steps (above), iterations (below)", o.mesh, grouped(o.unknowns)));
  double seconds = 0, linear = 1;
  for (const MethodRow& m : o.methods) {
    seconds = std::max(seconds, m.seconds);
    linear = std::max(linear, double(m.linear));
  }
  double y = 92;
  for (const MethodRow& m : o.methods) {
    c.text({30, y + 12}, string(1, m.method.letter), 13, ink::text, Align::left, true);
    c.text({52, y + 12}, m.method.text, 11, ink::text);
    const double x = 330, room = 300;
    const double first = room * (seconds > 0 ? m.seconds / seconds : 0),
                 second = room * double(m.linear) / linear;
    c.rectangle({x, y, std::max(first, 1.0), 13}, ink::blue);
    c.rectangle({x, y + 16, std::max(second, 1.0), 13}, ink::gold);
    c.text({x + first + 6, y + 11}, m.converged ? fmt::format("{:.3g} s", m.seconds) : "failed", 11,
           ink::text);
    c.text({x + second + 6, y + 27}, grouped(std::size_t(m.linear)), 11, ink::muted);
    y += methods_row;
  }
  c.write_png(path);
}

void draw_errors(const Comparison& o, const string& path) {
  LinePlot plot;
  plot.x = {"length of the step (s)", true, {}, {}, 0, true};
  plot.y = {"error over the largest norm of the potentials", true, {}, {}, 0, true};
  for (const auto& [error, what] :
       {std::pair{&StepErrorRow::local, "local"}, {&StepErrorRow::global, "global"}})
    for (const auto& e : o.errors) {
      const string name = fmt::format("{}, {}", e.method.scheme == Scheme::sdirk3 ? "sdirk3" : "rkc", what);
      auto at = std::find_if(plot.series.begin(), plot.series.end(),
                             [&](const Series& s) { return s.name == name; });
      if (at == plot.series.end()) {
        const std::vector<double> dashes =
            error == &StepErrorRow::local ? std::vector<double>{5, 4} : std::vector<double>{};
        plot.series.push_back(
            {name, {}, {}, e.method.scheme == Scheme::sdirk3 ? ink::blue : ink::orange, 2.2, dashes});
        at = plot.series.end() - 1;
      }
      at->x.push_back(e.step);
      at->y.push_back(e.*error);
    }
  plot.legend = LinePlot::Legend::below;
  Canvas c(760, 560);
  title(c, "Errors of fixed steps",
        fmt::format("{}, {} unknowns; local: one step; global: at the end", o.mesh, grouped(o.unknowns)));
  draw(c, {92, 90, 630, 370}, plot);
  c.write_png(path);
}

}  // namespace

results::Result to_result(const Comparison& o) {
  results::Result r;
  r.for_paraview = false;
  r.attributes = {{"program", "umov eqs --compare"},
                  {"version", o.version},
                  {"backend", o.machine.backend},
                  {"device", o.device},
                  {"mesh", o.mesh},
                  {"command_line", o.machine.command_line},
                  {"converged", o.converged() ? "yes" : "no"},
                  {"warnings", results::lines_of(o.warnings)}};
  add_methods(r, o);
  add_errors(r, o);
  return r;
}

void write_results(const Comparison& o, const string& folder, const std::vector<StageTime>& times) {
  results::write(results::with_timings(to_result(o), times), folder, o.simulation.outputs);
  if (!o.simulation.outputs.pictures) return;
  draw_methods(o, folder + "/methods.png");
  if (!o.errors.empty()) draw_errors(o, folder + "/errors.png");
}

}  // namespace umov::eqs
