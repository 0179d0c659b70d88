// The part of ADDA's log that describes the formulation, the solver's progress and the time spent.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "dda/adda/writers.hpp"
#include "dda/observables/frame.hpp"
#include "dda/scheme/interaction_names.hpp"
#include "dda/scheme/polarizability_names.hpp"
#include "dda/work_times.hpp"

namespace umov::dda::adda {

namespace {

std::string matrices(const Outputs& out) {
  if (out.mueller && out.amplitude) return "Calculating both amplitude and Mueller scattering matrices\n";
  if (out.mueller) return "Calculating only Mueller scattering matrix\n";
  if (out.amplitude) return "Calculating only amplitude scattering matrix\n";
  return "Calculating no scattering matrices\n";
}

std::string polarizability(const Simulation& sim) {
  std::string out;
  for (const auto& name : polarizability_names)
    if (name.kind == sim.polarizability) out = fmt::format("'{}'", name.title);
  if (sim.polarizability == Polarizability::ldr && (sim.ldr_average || sim.orientation.average))
    out += " (averaged over incident polarization)";
  if (sim.polarizability == Polarizability::nloc)
    out += fmt::format(" (based on lattice sum, Gaussian width Rp={:g})", sim.pol_nloc_rp);
  if (sim.polarizability == Polarizability::nloc_av)
    out += fmt::format(" (averaged, Gaussian width Rp={:g})", sim.pol_nloc_rp);
  return out;
}

std::string formula(ScatteringFormula kind) { return fmt::format("'{}'", title(formula_names, kind)); }

std::string interaction(const Simulation& sim) {
  const auto argument = [&](std::size_t i) {
    return i < sim.interaction_arguments.size() ? sim.interaction_arguments[i] : -1;
  };
  const std::string out = fmt::format("'{}'", title(interaction_names, sim.interaction));
  if (sim.interaction == Interaction::igt)
    return out + fmt::format(" (accuracy {:g}, {}", argument(1) > 0 ? argument(1) : sim.solver.epsilon,
                             argument(0) < 0 ? "no distance limit)"
                                             : fmt::format("for distance < {:g} dipole sizes)", argument(0)));
  if (sim.interaction == Interaction::nloc)
    return out + fmt::format(" (point-value, Gaussian width Rp={:g})", argument(0));
  if (sim.interaction == Interaction::nloc_av)
    return out + fmt::format(" (averaged, Gaussian width Rp={:g})", argument(0));
  return out;
}

std::string solver(const std::string& name) {
  static const std::pair<const char*, const char*> names[] = {{"bcgs2", "Enhanced Bi-CG Stabilized(2)"},
                                                              {"bicg", "Bi-CG (complex symmetric)"},
                                                              {"bicgstab", "Bi-CG Stabilized"},
                                                              {"cgnr", "CGNR"},
                                                              {"csym", "CSYM"},
                                                              {"qmr", "QMR (complex symmetric)"},
                                                              {"qmr2", "2-term QMR (complex symmetric)"}};
  for (const auto& [key, text] : names) {
    if (name == key) return text;
  }
  return name;
}

std::string symmetries(const Outcome& o) {
  const auto& sim = o.simulation;
  if (sim.symmetry == SymmetryUse::none) return "Symmetries: cancelled by user\n";
  if (sim.symmetry == SymmetryUse::enforce) return "Symmetries: enforced by user (warning!)\n";
  shapes::Symmetry s;
  if (!sim.orientation.average && sim.beam.kind != BeamKind::read) {
    const auto frame = make_beam_frame(sim.propagation, sim.orientation, sim.beam.center);
    s = scattering_symmetry(o.particle.symmetry, frame, sim.m, sim.symmetry);
  }
  std::string letters;
  for (const auto& [letter, on] : {std::pair{'X', s.x}, {'Y', s.y}, {'Z', s.z}, {'R', s.rotation_z}}) {
    if (on) letters += letter;
  }
  return "Symmetries: " + (letters.empty() ? "none" : letters) + "\n";
}

std::string duration(double seconds) {
  const long whole = long(seconds);
  std::string text;
  for (const auto& [unit, size, cycle] :
       {std::tuple{'d', 86400L, 0L}, {'h', 3600L, 24L}, {'m', 60L, 60L}, {'s', 1L, 60L}}) {
    const long n = cycle ? whole / size % cycle : whole / size;
    if (n > 0) text += fmt::format("{}{} ", n, unit);
  }
  return text + fmt::format("({} sec)", whole);
}

std::string checkpoint(const Machine& m) {
  std::string text = m.checkpoint.resume ? "Simulation is continued from a checkpoint\n" : "";
  if (m.checkpoint_kind != CheckpointKind::none) {
    const char* kind = m.checkpoint_kind == CheckpointKind::normal    ? "normal"
                       : m.checkpoint_kind == CheckpointKind::regular ? "regular"
                                                                      : "always";
    text += fmt::format("Checkpoint is turned on:\n    type = {}\n    time = {}\n", kind,
                        m.checkpoint.interval > 0 ? duration(m.checkpoint.interval) : "no limit");
  }
  return text.empty() ? text : text + fmt::format("    directory = '{}'\n", m.checkpoint_dir);
}

/// Residual after each iteration, the sign of progress against the best so far, and the relative progress.
std::string iterations(const SolveReport& solve) {
  fmt::memory_buffer out;
  double best = 0;
  bool stagnates = false;
  for (std::size_t i = 0; i < solve.history.size(); ++i) {
    const double now = solve.history[i];
    fmt::format_to(std::back_inserter(out), "RE_{:03} = {:.10E}", i, now);
    if (i > 0) {
      const double progress = 1 - now / solve.history[i - 1];
      stagnates = now > best;
      fmt::format_to(std::back_inserter(out), "  {}  progress ={: .6f}",
                     !stagnates     ? "+ "
                     : progress > 0 ? "-+"
                                    : "- ",
                     progress);
    }
    if (!stagnates) best = now;
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

std::string couple_constants(const PolarizationResult& result, const Simulation& sim) {
  const bool tensor =
      sim.anisotropic || sim.polarizability == Polarizability::cldr || sim.shape.rectangular != Vec3{1, 1, 1};
  std::string text;
  for (const CVec3& a : result.alpha) {
    text += "CoupleConstant: ";
    text += tensor ? fmt::format("({},{},{})\n", complex_text(a[0]), complex_text(a[1]), complex_text(a[2]))
                   : complex_text(a[0]) + "\n";
  }
  return text;
}

/// ADDA's rows (its manual's "Timing") and some more; those that umov does not measure are left out. Rows of
/// one depth are parts of the one above them: `Rest` is what no other row counts.
std::string timing_rows(const WorkTimes& t) {
  std::string text;
  const auto row = [&](const char* name, double seconds) {
    text += fmt::format("{:<24} {:.4f}\n", name, seconds);
  };
  double counted = 0;
  const auto part = [&](const char* name, double seconds) {
    row(name, seconds);
    counted += seconds;
  };
  const double total = t.all();
  row("Total wall time:", total);
  part("  Program and case:", t.spent("start"));
  const auto if_any = [](const auto& show, const char* name, double seconds) {
    if (seconds > 0) show(name, seconds);
  };
  part("  Initialization time:",
       t.spent("device") + t.spent("particle") + t.spent("preparation") + t.spent("interaction tensor"));
  row("    init device:", t.spent("device"));
  if (const double beside = t.spent("device, in the background"); beside > 0)
    row("      beside the particle:", beside);
  row("    init Dmatrix:", t.spent("interaction tensor"));
  row("    make particle:", t.spent("particle"));
  if_any(row, "    prepare case:", t.spent("preparation"));
  part("  Internal fields:", t.spent("solve") + t.spent("incident field"));
  row("    incident beam:", t.spent("incident field"));
  row("    matvec products:", t.products);
  if (t.preconditioning > 0) {
    row("    init preconditioner:", t.set_up);
    row("    preconditioner:", t.preconditioning - t.set_up);
  }
  part("  Scattered fields:", t.spent("scattered field"));
  part("  Other sc.quantities:", t.spent("cross sections"));
  part("  Files:", t.spent("files") + t.spent("fields per dipole"));
  if_any(row, "    fields per dipole:", t.spent("fields per dipole"));
  if_any(part, "  Pictures:", t.spent("pictures"));
  if_any(part, "  Coarser grids:", t.spent("coarser grids"));
  if_any(part, "  Other ranks:", t.spent("other ranks"));
  if_any(part, "  Release of memory:", t.spent("release of memory"));
  row("  Rest:", std::max(0.0, total - counted));
  return text;
}

}  // namespace

std::string log_method(const Outcome& o) {
  const auto& sim = o.simulation;
  std::string text = matrices(sim.outputs);
  text += "Polarizability relation: " + polarizability(sim) + "\n";
  text += "Scattering quantities formulae: " + formula(sim.formula) + "\n";
  text += "Interaction term prescription: " + interaction(sim) + "\n";
  // A plan (-prognosis) has no engine yet, and no transforms.
  if (!o.transforms.empty()) text += "FFT algorithm: " + o.transforms + "\n";
  text += "Iterative Method: " + solver(sim.solver.name) + "\n";
  if (!o.preconditioner.empty()) text += "Preconditioner: " + o.preconditioner + "\n";
  if (!o.sectors.empty()) text += "Mirror sectors: " + o.sectors + "\n";
  if (!o.inner.empty()) text += "Precision of the iterations: " + o.inner + "\n";
  if (!o.blocks.empty()) text += "Blocks of right-hand sides: " + o.blocks + "\n";
  text += symmetries(o);
  text += sim.save_memory ? "Optimization is done for minimum memory usage\n"
                          : "Optimization is done for maximum speed\n";
  text += checkpoint(o.machine);
  text += fmt::format("The FFT grid is: {}x{}x{}\n", o.fft_grid[0], o.fft_grid[1], o.fft_grid[2]);
  for (const auto& item : o.memory) {
    if (item.name.find("tensor") == item.name.npos) continue;
    text += fmt::format("Memory usage for MatVec matrices: {:.1f} MB\n", double(item.bytes) / 1048576);
    break;
  }
  return text;
}

std::string log_solution(const PolarizationResult& result, const Outcome& o) {
  if (o.simulation.orientation.average) return "";
  std::string text = fmt::format("\nhere we go, calc {}\n\n", result.label);
  text += couple_constants(result, o.simulation);
  if (!result.solve.start.empty()) text += result.solve.start + "\n";
  text += iterations(result.solve);
  if (result.solve.true_residual >= 0) {
    text += fmt::format("Final (recalculated) residual norm: {:.10E}\n", result.solve.true_residual);
  }
  for (const auto& note : result.solve.notes) text += "NOTE: " + note + "\n";
  if (!result.solve.preconditioner.empty())
    text += fmt::format("Preconditioner: {}, {} products with it\n", result.solve.preconditioner,
                        result.solve.preconditionings);
  if (result.solve.sectors > 0)
    text +=
        fmt::format("Solved in {} sectors, iterations and products are their sums\n", result.solve.sectors);
  if (result.solve.block > 1)
    text += fmt::format("Solved in a block of {} right-hand sides{}\n", result.solve.block,
                        result.solve.blocks > 0 ? ", products are those of the block" : "");
  if (result.solve.refreshes > 0)
    text += fmt::format("Iterated in float, residual refreshed in double {} times\n", result.solve.refreshes);
  if (!result.solve.advice.empty()) text += "WARNING: " + result.solve.advice + "\n";
  return text;
}

std::string log_timing(const Outcome& o) {
  long iterations = 0, products = 0;
  long preconditionings = 0;
  for (const auto& result : o.polarizations) {
    iterations += result.solve.iterations;
    products += result.solve.products;
    preconditionings += result.solve.preconditionings;
  }
  std::string text =
      "\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "                Timing Results             \n"
      "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n";
  text += fmt::format("Total number of iterations: {}\nTotal number of matrix-vector products: {}\n",
                      iterations, products);
  for (const auto& result : o.polarizations)
    if (result.label == average_label && result.solve.blocks > 0)
      text += fmt::format("Blocks of right-hand sides: {}, their iterations: {}\n", result.solve.blocks,
                          result.solve.block_iterations);
  if (preconditionings > 0)
    text += fmt::format("Total number of products with the preconditioner: {}\n", preconditionings);
  // both polarizations of every orientation, whether solved for or turned from another
  text += fmt::format("Total planes of E field calculation (each {} points): {}\n\n", o.plane.size(),
                      o.plane.empty() ? 0 : 2 * std::max(1L, o.orientations) * o.alphas);
  if (!o.ranks.empty()) text += o.ranks + "\n";
  WorkTimes times;
  times.add(o);
  return text + (o.simulation.front == Front::adda ? timing_rows(times) : times_table(times));
}

}  // namespace umov::dda::adda
