// The tables of response surfaces: how good they are, main effects, coefficients.
#include <fmt/format.h>

#include <cmath>

#include "results/section.hpp"
#include "sweep/responses.hpp"
#include "sweep/table.hpp"

namespace umov::sweep {

using results::Section;
using std::string;

namespace {

/// The words of all tables.
struct Told {
  string noun;
  std::vector<string> comments;
};

void add_surfaces(results::Result& r, const Sweep& sweep, const std::vector<Response>& responses,
                  const Told& t) {
  if (responses.empty()) return;
  Section s(r, "surfaces/", results::add_table(r, {"surfaces", t.comments}));
  const Box box(sweep);
  std::vector<string> names, units, kinds;
  std::vector<double> terms, r2, cv_r2, cv, cv_most, best, best_case, predicted;
  std::vector<std::vector<double>> optimum(sweep.axes.size()), importance(optimum.size());
  for (const Response& x : responses) {
    if (!x.surface) continue;
    names.push_back(x.column.name);
    units.push_back(x.column.unit);
    kinds.push_back(linalg::surface_name(x.surface->kind));
    const auto& q = x.surface->quality;
    terms.push_back(x.surface->terms);
    r2.push_back(q.r_squared);
    cv_r2.push_back(q.cv_r_squared);
    cv.push_back(q.cv_error);
    cv_most.push_back(q.cv_largest);
    best.push_back(x.values[x.best]);
    best_case.push_back(double(x.cases[x.best] + 1));
    predicted.push_back(x.predicted);
    for (std::size_t p = 0; p < optimum.size(); ++p) {
      optimum[p].push_back(x.is_at(box, sweep.axes[p], p) ? x.optimum[p] : NAN);
      importance[p].push_back(x.importance[p]);
    }
  }
  if (names.empty()) return;
  s.texts("response", names);
  s.texts("unit", units);
  s.texts("surface", kinds);
  s.add("terms", "1", "coefficients of the surface", terms);
  s.add("R2", "1", "part of the response's variance that the surface tells", r2);
  s.add("R2_left_out", "1", fmt::format("the same for {}s left out in turn", t.noun), cv_r2);
  s.add("error_left_out", "1", "root mean square error at these, in the response's unit", cv);
  s.add("largest_error_left_out", "1", "the largest of these errors, in the response's unit", cv_most);
  s.add("best_" + t.noun, "1", fmt::format("number of the best {} computed", t.noun), best_case);
  s.add("best", "1", "its response", best);
  s.add("predicted", "1", "the surface at its optimum within the box", predicted);
  for (std::size_t p = 0; p < optimum.size(); ++p) {
    const auto& parameter = sweep.axes[p];
    s.add("optimum_" + array_name(parameter.name), parameter.unit.empty() ? "1" : parameter.unit,
          "where that is; nan: it does not depend on it", optimum[p],
          {.heading = "optimum " + parameter.name});
  }
  for (std::size_t p = 0; p < optimum.size(); ++p)
    s.add("importance_" + array_name(sweep.axes[p].name), "1",
          "mean range of the response along this parameter, in the response's unit", importance[p],
          {.heading = "importance " + sweep.axes[p].name});
}

/// A row per response, parameter and place.
void add_effects(results::Result& r, const Sweep& sweep, const std::vector<Response>& responses,
                 const Told& t) {
  constexpr int samples = 41;
  const Box box(sweep);
  std::vector<string> names, parameters;
  std::vector<double> at, mean;
  for (const Response& x : responses) {
    if (!x.surface) continue;
    for (std::size_t p = 0; p < sweep.axes.size(); ++p) {
      if (!box.varies(p)) continue;
      for (int i = 0; i < samples; ++i) {
        std::vector<double> unit(sweep.axes.size(), 0.0);
        unit[p] = -1 + 2.0 * i / (samples - 1);
        names.push_back(x.column.name);
        parameters.push_back(sweep.axes[p].name);
        at.push_back(box.from_unit(unit)[p]);
        mean.push_back(above_rounding(linalg::main_effect(*x.surface, x.points, p, unit[p]), x.scale));
      }
    }
  }
  if (at.empty()) return;
  Section s(r, "effects/", results::add_table(r, {"effects", t.comments}));
  s.texts("response", names);
  s.texts("parameter", parameters);
  s.add("value", "1", "value of the parameter, in its unit", at);
  s.add("mean", "1",
        fmt::format("the surface there, mean over the {}s' other parameters, in the response's unit", t.noun),
        mean);
}

/// Coefficients of polynomials, in coordinates that run from -1 to 1 over the box.
void add_coefficients(results::Result& r, const Sweep& sweep, const std::vector<Response>& responses,
                      const Told& t) {
  std::vector<string> names, terms;
  std::vector<double> values;
  for (const Response& x : responses) {
    if (!x.surface) continue;
    for (std::size_t t = 0; t < x.surface->coefficients.size(); ++t) {
      string term;
      for (std::size_t p = 0; p < sweep.axes.size(); ++p)
        for (int e = 0; e < x.surface->exponents[t][p]; ++e)
          term += (term.empty() ? "" : " * ") + sweep.axes[p].name;
      names.push_back(x.column.name);
      terms.push_back(term.empty() ? "1" : term);
      values.push_back(above_rounding(x.surface->coefficients[t], x.scale));
    }
  }
  if (values.empty()) return;
  Section s(r, "coefficients/", results::add_table(r, {"coefficients", t.comments}));
  s.texts("response", names);
  s.texts("term", terms);
  s.add("coefficient", "1", "of the term in parameters that run from -1 to 1, in the response's unit",
        values);
}

}  // namespace

void add_responses(results::Result& r, const Sweep& sweep, const std::vector<Response>& responses,
                   const string& noun, const std::vector<string>& comments) {
  const Told t{noun, comments};
  add_surfaces(r, sweep, responses, t);
  add_effects(r, sweep, responses, t);
  add_coefficients(r, sweep, responses, t);
}

}  // namespace umov::sweep
