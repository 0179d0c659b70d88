// Options that choose the formulation of the discrete dipole approximation, its solver and checkpoints.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "dda/adda/options.hpp"
#include "dda/scheme/interaction_names.hpp"
#include "dda/scheme/polarizability_names.hpp"

namespace umov::dda::adda {

namespace {

/// In the order of their names, as ADDA lists them.
std::vector<std::pair<const char*, Polarizability>> polarizabilities() {
  std::vector<std::pair<const char*, Polarizability>> out;
  for (const auto& name : polarizability_names) out.emplace_back(name.word, name.kind);
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return std::string_view(a.first) < b.first; });
  return out;
}

std::string polarizability_help() {
  std::string out;
  for (const auto& [word, kind] : polarizabilities())
    for (const auto& name : polarizability_names)
      if (name.kind == kind)
        out += (out.empty() ? "" : "|") + std::string(word) + (*name.arguments ? " " : "") + name.arguments;
  return out;
}

void set_polarizability(State& s, const Arguments& a) {
  const auto kind = a.choice<Polarizability>(0, polarizabilities());
  s.polarizability = kind;
  if (kind == Polarizability::nloc || kind == Polarizability::nloc_av) {
    a.expect(2, 2, "the name and the Gaussian width Rp");
    s.sim().pol_nloc_rp = a.nonnegative(1);
  } else if (kind == Polarizability::ldr && a.size() == 2) {
    if (a[1] != "avgpol") a.unknown_word(a[1], {"avgpol"});
    s.sim().ldr_average = true;
  } else {
    a.expect(1, 1, "only the name with '" + a[0] + "'");
  }
}

void set_interaction(State& s, const Arguments& a) {
  const auto kind = a.choice<Interaction>(0, choices(interaction_names, &MethodName<Interaction>::adda));
  s.sim().interaction = kind;
  auto& numbers = s.sim().interaction_arguments;
  if (kind == Interaction::nloc || kind == Interaction::nloc_av) {
    a.expect(2, 2, "the name and the Gaussian width Rp");
    numbers.push_back(a.nonnegative(1));
  } else if (kind == Interaction::igt) {
    if (a.size() >= 2) numbers.push_back(a.nonnegative(1));
    if (a.size() == 3) numbers.push_back(a.positive(2));
  } else {
    a.expect(1, 1, "only the name with '" + a[0] + "'");
  }
}

void set_initial_field(State& s, const Arguments& a) {
  auto& solver = s.sim().solver;
  solver.initial = a.choice<InitialField>(0, {{"auto", InitialField::automatic},
                                              {"inc", InitialField::incident},
                                              {"read", InitialField::read},
                                              {"wkb", InitialField::wkb},
                                              {"zero", InitialField::zero}});
  if (solver.initial != InitialField::read) {
    a.expect(1, 1, "only the name with '" + a[0] + "'");
    return;
  }
  a.expect(2, 3, "read and one or two file names");
  solver.initial_file_y = a.file(1);
  if (a.size() == 3) solver.initial_file_x = a.file(2);
}

/// Seconds of a time like 12h30M, 1D10s or 3600.
double seconds(const Arguments& a) {
  const std::string& text = a[0];
  const char* p = text.data();
  const char* const end = p + text.size();
  double total = 0;
  if (p == end) a.fail("empty time");
  while (p != end) {
    long value = 0;
    const auto [stop, error] = std::from_chars(p, end, value);
    if (error != std::errc()) a.fail(fmt::format("'{}' is not a time like 12h30m or 3600", text));
    double unit = 1;
    p = stop;
    if (p != end) {
      switch (std::tolower(static_cast<unsigned char>(*p++))) {
        case 'd':
          unit = 86400;
          break;
        case 'h':
          unit = 3600;
          break;
        case 'm':
          unit = 60;
          break;
        case 's':
          unit = 1;
          break;
        default:
          a.fail(fmt::format("'{}' has an unknown unit of time (known: d, h, m, s)", text));
      }
    }
    total += unit * double(value);
  }
  return total;
}

}  // namespace

std::vector<Option> method_options() {
  return {
      {"chp_dir", "<directory>", "Directory of the checkpoint, to save and to load (default chpoint)", 1, 1,
       [](State& s, const Arguments& a) { s.machine().checkpoint_dir = a.file(0); }},
      {"chp_load", "", "Continue from the checkpoint", 0, 0,
       [](State& s, const Arguments&) { s.machine().checkpoint.resume = true; }},
      {"chp_type", "normal|regular|always",
       "When to save checkpoints (default normal); needs -chpoint unless always", 1, 1,
       [](State& s, const Arguments& a) {
         s.machine().checkpoint_kind = a.choice<CheckpointKind>(0, {{"normal", CheckpointKind::normal},
                                                                    {"regular", CheckpointKind::regular},
                                                                    {"always", CheckpointKind::always}});
       }},
      {"chpoint", "<time>", "Time of the checkpoint, as in 12h30m, 1d10s, 3600", 1, 1,
       [](State& s, const Arguments& a) { s.checkpoint_seconds = seconds(a); }},
      {"eps", "<digits>", "Solve until the relative residual is below 10^-digits (default 5)", 1, 1,
       [](State& s, const Arguments& a) { s.sim().solver.epsilon = std::pow(10, -a.positive(0)); }},
      {"init_field", "auto|inc|read <fileY> [<fileX>]|wkb|zero", "Start of the solver (default auto)", 1, 3,
       set_initial_field},
      {"int", adda_choices(interaction_names), "Interaction of two dipoles (default poi)", 1, 3,
       set_interaction},
      {"iter", "bcgs2|bicg|bicgstab|cgnr|cgs|cocr|csym|gpbicg|idr4|idr8|qmr|qmr2|tfqmr",
       "Krylov solver (default qmr); cgs, cocr, gpbicg, idr4, idr8 and tfqmr are umov's own", 1, 1,
       [](State& s, const Arguments& a) {
         s.sim().solver.name = a.choice<std::string>(0, {{"bcgs2", "bcgs2"},
                                                         {"bicg", "bicg"},
                                                         {"bicgstab", "bicgstab"},
                                                         {"cgnr", "cgnr"},
                                                         {"cgs", "cgs"},
                                                         {"cocr", "cocr"},
                                                         {"csym", "csym"},
                                                         {"gpbicg", "gpbicg"},
                                                         {"idr4", "idr4"},
                                                         {"idrs", "idr4"},
                                                         {"idr8", "idr8"},
                                                         {"qmr", "qmr"},
                                                         {"qmr2", "qmr2"},
                                                         {"tfqmr", "tfqmr"}});
       }},
      {"maxiter", "<n>", "Limit of iterations", 1, 1,
       [](State& s, const Arguments& a) {
         s.sim().solver.max_iterations = a.integer(0, 1, std::numeric_limits<int>::max());
       }},
      {"no_reduced_fft", "", "Accepted; the interaction tensor's symmetry is umov's own affair", 0, 0,
       [](State&, const Arguments&) {}},
      {"opt", "speed|mem", "Accepted; recorded in the log", 1, 1,
       [](State& s, const Arguments& a) {
         s.sim().save_memory = a.choice<bool>(0, {{"speed", false}, {"mem", true}});
       }},
      {"pol", polarizability_help(), "Polarizability of a dipole (default ldr; cldr with -rect_dip)", 1, 2,
       set_polarizability},
      {"recalc_resid", "", "Recompute the residual when the solver is done", 0, 0,
       [](State& s, const Arguments&) { s.sim().solver.recalculate_residual = true; }},
      {"scat", adda_choices(formula_names), "Formulas of the cross sections (default dr)", 1, 1,
       [](State& s, const Arguments& a) {
         s.sim().formula =
             a.choice<ScatteringFormula>(0, choices(formula_names, &MethodName<ScatteringFormula>::adda));
       }},
  };
}

}  // namespace umov::dda::adda
