#include "eqs/output/batch_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "eqs/observables/scalar_results.hpp"
#include "results/formats.hpp"
#include "results/section.hpp"

namespace umov::eqs {

using results::Section;
using std::string;

namespace {

std::size_t add_table(results::Result& r, const BatchOutcome& o, const string& name) {
  std::vector<string> comments{fmt::format("umov eqs {}", o.version)};
  if (!o.converged()) comments.push_back("NOT CONVERGED: some variants, see the column converged");
  return results::add_table(r, {name, std::move(comments)});
}

/// '/' would make groups.
string array_name(string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

void add_variants(results::Result& r, const BatchOutcome& o) {
  Section s(r, "variants/", add_table(r, o, "variants"));
  std::vector<double> number, converged;
  for (std::size_t k = 0; k < o.rows.size(); ++k) {
    number.push_back(double(k + 1));
    converged.push_back(o.rows[k].converged);
  }
  s.add("variant", "1", "number of the variant, from 1", number);
  for (std::size_t p = 0; p < o.batch.parameters.size(); ++p) {
    std::vector<double> values;
    for (const auto& v : o.batch.variants) values.push_back(v[p]);
    const auto& parameter = o.batch.parameters[p];
    s.add(array_name(parameter.name), parameter.unit.empty() ? "1" : parameter.unit,
          "varied number of the case", values, {.heading = parameter.name});
  }
  for (std::size_t c = 0; c < o.columns.size(); ++c)
    s.add(array_name(o.columns[c].name), o.columns[c].unit,
          o.columns[c].text + "; nan of a variant that was not computed", o.column(c),
          {.heading = o.columns[c].name});
  s.add("converged", "1", "1 where the variant was computed and converged, else 0", converged);
}

void add_surfaces(results::Result& r, const BatchOutcome& o, const std::vector<Response>& responses) {
  if (responses.empty()) return;
  Section s(r, "surfaces/", add_table(r, o, "surfaces"));
  const BatchBox box(o.batch);
  std::vector<string> names, units, kinds;
  std::vector<double> terms, r2, cv_r2, cv, cv_most, best, best_variant, predicted;
  std::vector<std::vector<double>> optimum(o.batch.parameters.size()), importance(optimum.size());
  for (const Response& x : responses) {
    if (!x.surface) continue;
    names.push_back(o.columns[x.column].name);
    units.push_back(o.columns[x.column].unit);
    kinds.push_back(linalg::surface_name(x.surface->kind));
    const auto& q = x.surface->quality;
    terms.push_back(x.surface->terms);
    r2.push_back(q.r_squared);
    cv_r2.push_back(q.cv_r_squared);
    cv.push_back(q.cv_error);
    cv_most.push_back(q.cv_largest);
    best.push_back(x.values[x.best]);
    best_variant.push_back(double(x.variant[x.best] + 1));
    predicted.push_back(x.predicted);
    for (std::size_t p = 0; p < optimum.size(); ++p) {
      optimum[p].push_back(x.importance[p] > 0 || !box.varies(p) ? x.optimum[p] : NAN);
      importance[p].push_back(x.importance[p]);
    }
  }
  if (names.empty()) return;
  s.texts("response", names);
  s.texts("unit", units);
  s.texts("surface", kinds);
  s.add("terms", "1", "coefficients of the surface", terms);
  s.add("R2", "1", "part of the response's variance that the surface tells", r2);
  s.add("R2_left_out", "1", "the same for variants left out in turn", cv_r2);
  s.add("error_left_out", "1", "root mean square error at these, in the response's unit", cv);
  s.add("largest_error_left_out", "1", "the largest of these errors, in the response's unit", cv_most);
  s.add("best_variant", "1", "number of the best variant computed", best_variant);
  s.add("best", "1", "its response", best);
  s.add("predicted", "1", "the surface at its optimum within the box", predicted);
  for (std::size_t p = 0; p < optimum.size(); ++p) {
    const auto& parameter = o.batch.parameters[p];
    s.add("optimum_" + array_name(parameter.name), parameter.unit.empty() ? "1" : parameter.unit,
          "where that is; nan: it does not depend on it", optimum[p],
          {.heading = "optimum " + parameter.name});
  }
  for (std::size_t p = 0; p < optimum.size(); ++p)
    s.add("importance_" + array_name(o.batch.parameters[p].name), "1",
          "mean range of the response along this parameter, in the response's unit", importance[p],
          {.heading = "importance " + o.batch.parameters[p].name});
}

/// Which columns of variants.csv are what, for readers of the file.
void add_roles(results::Result& r, const BatchOutcome& o) {
  std::vector<string> parameters, responses, counts = effort_names();
  for (const auto& p : o.batch.parameters) parameters.push_back(p.name);
  for (const std::size_t c : response_columns(o)) responses.push_back(o.columns[c].name);
  counts.push_back("converged");
  r.attributes.emplace_back("parameters", results::lines_of(parameters));
  r.attributes.emplace_back("responses", results::lines_of(responses));
  r.attributes.emplace_back("counts", results::lines_of(counts));
}

/// A row per response, parameter and place.
void add_effects(results::Result& r, const BatchOutcome& o, const std::vector<Response>& responses) {
  constexpr int samples = 41;
  const BatchBox box(o.batch);
  std::vector<string> names, parameters;
  std::vector<double> at, mean;
  for (const Response& x : responses) {
    if (!x.surface) continue;
    for (std::size_t p = 0; p < o.batch.parameters.size(); ++p) {
      if (!box.varies(p)) continue;
      for (int i = 0; i < samples; ++i) {
        std::vector<double> unit(o.batch.parameters.size(), 0.0);
        unit[p] = -1 + 2.0 * i / (samples - 1);
        names.push_back(o.columns[x.column].name);
        parameters.push_back(o.batch.parameters[p].name);
        at.push_back(box.from_unit(unit)[p]);
        mean.push_back(above_rounding(linalg::main_effect(*x.surface, x.points, p, unit[p]), x.scale));
      }
    }
  }
  if (at.empty()) return;
  Section s(r, "effects/", add_table(r, o, "effects"));
  s.texts("response", names);
  s.texts("parameter", parameters);
  s.add("value", "1", "value of the parameter, in its unit", at);
  s.add("mean", "1", "the surface there, mean over the variants' other parameters, in the response's unit",
        mean);
}

/// Coefficients of polynomials, in coordinates that run from -1 to 1 over the box.
void add_coefficients(results::Result& r, const BatchOutcome& o, const std::vector<Response>& responses) {
  std::vector<string> names, terms;
  std::vector<double> values;
  for (const Response& x : responses) {
    if (!x.surface) continue;
    for (std::size_t t = 0; t < x.surface->coefficients.size(); ++t) {
      string term;
      for (std::size_t p = 0; p < o.batch.parameters.size(); ++p)
        for (int e = 0; e < x.surface->exponents[t][p]; ++e)
          term += (term.empty() ? "" : " * ") + o.batch.parameters[p].name;
      names.push_back(o.columns[x.column].name);
      terms.push_back(term.empty() ? "1" : term);
      values.push_back(above_rounding(x.surface->coefficients[t], x.scale));
    }
  }
  if (values.empty()) return;
  Section s(r, "coefficients/", add_table(r, o, "coefficients"));
  s.texts("response", names);
  s.texts("term", terms);
  s.add("coefficient", "1", "of the term in parameters that run from -1 to 1, in the response's unit",
        values);
}

}  // namespace

string file_name(const string& column) {
  string out = column;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
  return out;
}

results::Result to_result(const BatchOutcome& o, const std::vector<Response>& responses) {
  results::Result r;
  r.for_paraview = false;
  r.attributes = {{"program", "umov eqs"},
                  {"version", o.version},
                  {"backend", o.backend},
                  {"device", o.device},
                  {"command_line", o.command_line},
                  {"settings", o.settings},
                  {"converged", o.converged() ? "yes" : "no"},
                  {"warnings", results::lines_of(o.warnings)}};
  add_roles(r, o);
  add_variants(r, o);
  add_surfaces(r, o, responses);
  add_effects(r, o, responses);
  add_coefficients(r, o, responses);
  return r;
}

void write_results(const BatchOutcome& o, const std::vector<Response>& responses, const string& folder) {
  const auto& wanted = o.batch.cases.front().outputs;
  results::write(to_result(o, responses), folder, wanted);
  if (!wanted.pictures) return;
  for (const Response& x : responses)
    if (x.surface)
      draw_response(
          o, x,
          (std::filesystem::path(folder) / ("surface_" + file_name(o.columns[x.column].name) + ".png"))
              .string());
}

}  // namespace umov::eqs
