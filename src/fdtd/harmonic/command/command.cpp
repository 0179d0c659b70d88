// Time-harmonic cells in the command `umov fdtd`.
#include "fdtd/harmonic/command/command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.hpp"
#include "core/progress.hpp"
#include "core/signals.hpp"
#include "core/text.hpp"
#include "core/toml.hpp"
#include "fdtd/harmonic/output/results.hpp"
#include "fdtd/harmonic/run/run.hpp"
#include "front/command.hpp"
#include "front/line_watch.hpp"
#include "front/parse_case.hpp"
#include "front/perform.hpp"
#include "results/finite.hpp"

namespace umov::fdtd::harmonic {

namespace {

constexpr const char* usage =
    "umov fdtd case.toml [options]: light in a layered periodic cell at single wavelengths\n\n"
    "A case with the table [harmonic] is solved in the frequency domain on the Yee grid: reflection,\n"
    "transmission, absorption of every layer, photons over depth and currents under sunlight. Options "
    "override\n"
    "the file; the file overrides the defaults. The manual is docs/guide/harmonic.md.\n";

std::string memory_text(const MemoryNeed& need) {
  if (need.host == 0) return format_bytes(need.device);
  return fmt::format("{} on the GPU, {} beside it", format_bytes(need.device), format_bytes(need.host));
}

void print_plan(const Simulation& sim) {
  const Plan planned = plan(sim);
  const auto& g = planned.cell.grid;
  fmt::print("{}\n", resolved_toml(sim));
  fmt::print("# grid: {} x {} x {} cells of {:.6g} x {:.6g} x {:.6g} um\n", g.nx, g.ny, g.nz, g.spacing[0],
             g.spacing[1], g.spacing[2]);
  fmt::print("# {} wavelengths in {} polarization{}\n", sim.wavelengths.size(),
             sim.polarization == Polarizations::both ? 2 : 1,
             sim.polarization == Polarizations::both ? "s" : "");
  fmt::print("# memory estimate: {}", memory_text(planned.memory));
  if (const auto there = available_memory())
    fmt::print(" (this machine has {} left)", format_bytes(double(there)));
  fmt::print("\n");
  for (const auto& note : planned.notes) fmt::print("# {}\n", note);
  for (const auto& warning : planned.warnings) fmt::print("# warning: {}\n", warning);
}

using Watch = front::LineWatch<Progress>;

RunObserver observer(Watch& watch, const Simulation& sim) {
  RunObserver o;
  watch.listen(o);
  o.iteration = [&watch, &sim](char, long iteration, double residual) {
    const auto options = [&](const std::string& stage) {
      Progress::Options p;
      p.label = stage;
      p.goal = sim.tolerance;
      p.quiet = sim.quiet;
      return p;
    };
    watch.line(options).update(iteration, residual);
    return !interrupted();
  };
  return o;
}

Exit execute(const Simulation& sim) {
  Watch watch;
  front::FamilyRun<Simulation, Outcome> family;
  family.stem = [] { return std::string("harmonic"); };
  family.checkpoint = "checkpoint";
  family.resolved = resolved_toml;
  family.run = [&](const Simulation& s) { return run(s, observer(watch, sim)); };
  family.finish = [&] { watch.finish(); };
  family.write = write_results;
  family.log = log_text;
  family.summary = summary_text;
  family.why_not = [](const Outcome& o) { return o.why_not; };
  family.unfit = [](const Outcome& o) {
    return results::describe_not_finite(results::not_finite(to_result(o)));
  };
  return front::perform(sim, family);
}

}  // namespace

bool is_meant(std::span<const std::string> args) {
  if (std::find(args.begin(), args.end(), "--harmonic") != args.end()) return true;
  for (const auto& word : args) {
    if (!word.ends_with(".toml")) continue;
    try {
      return read_toml_file(word).contains("harmonic");
    } catch (const Error&) {
      return false;
    }
  }
  return false;
}

Request parse(std::span<const std::string> args) {
  const auto case_file = [](const std::vector<std::string>& words, const Case&) {
    return front::only_case("fdtd", words);
  };
  const auto replace = [](const Case& flags, Case& c, Origins& origins) {
    if (flags.simulation.wavelengths.empty()) return;
    c.from = c.to = {};
    c.count = 0;
    for (const char* key : {"wavelength_from", "wavelength_to", "wavelength_count"})
      origins.erase(std::string("harmonic.") + key);
  };
  const auto finish = [](Case& c, Origins& origins, const Case& from_file) {
    parameters().refuse_idle(&c, origins, &from_file);
    return finish_case(c, origins);
  };
  return front::parse_case<Request>(args, parameters(), case_file, replace, finish);
}

int command(std::span<const std::string> args) {
  return front::answer("fdtd", args, usage, parameters(), parse(args), print_plan,
                       [](const Request& r) { return execute(r.simulation); });
}

std::string summary_text(const Outcome& o) {
  std::string out =
      fmt::format("{} wavelengths, grid {} x {} x {}, {:.3g} s on {}\n", o.simulation.wavelengths.size(),
                  o.grid.nx, o.grid.ny, o.grid.nz, o.seconds, o.device);
  double off = 0, grid = 0;
  for (const auto& s : o.spectra)
    for (const auto& p : s.points) {
      off = std::max(off, std::abs(p.budget.sum() - 1));
      grid = std::max(grid, p.grid_error);
    }
  const std::size_t shown = std::min<std::size_t>(o.simulation.wavelengths.size(), 3);
  for (std::size_t w = 0; w < shown; ++w) {
    out += fmt::format("{:g} um: R = {:.5f}, T = {:.5f}", o.simulation.wavelengths[w],
                       o.mean(w, [](const SpectrumPoint& p) { return p.budget.reflection; }),
                       o.mean(w, [](const SpectrumPoint& p) { return p.budget.transmission; }));
    for (std::size_t m = 1; m < o.media.size(); ++m)
      if (const double a = o.mean(w, [m](const SpectrumPoint& p) { return p.budget.absorption[m]; });
          a > 1e-6)
        out += fmt::format(", {} {:.5f}", o.media[m], a);
    out += "\n";
  }
  if (shown < o.simulation.wavelengths.size())
    out += fmt::format("... and {} more wavelengths\n", o.simulation.wavelengths.size() - shown);
  out += fmt::format(
      "the sums of powers miss 1 by at most {:.1e}; error of the grid, from the cell without textures: at "
      "most {:.1e} of the incident power\n",
      off, grid);
  for (std::size_t m = 1; m < o.currents.size(); ++m)
    if (o.currents[m] > 1e-4)
      out += fmt::format("current of {}: {:.4g} mA/cm^2\n", o.media[m], o.currents[m]);
  if (!o.currents.empty())
    out +=
        fmt::format("of {:.4g} mA/cm^2 in all photons of {} between {:g} and {:g} um\n", o.available_current,
                    o.light, o.simulation.wavelengths.front(), o.simulation.wavelengths.back());
  return out;
}

std::string log_text(const Outcome& o) {
  std::string out = fmt::format("umov {}\n{}\n\n", o.version, o.simulation.command_line);
  out += fmt::format("grid: {} x {} x {} cells of {:.6g} x {:.6g} x {:.6g} um\n", o.grid.nx, o.grid.ny,
                     o.grid.nz, o.grid.spacing[0], o.grid.spacing[1], o.grid.spacing[2]);
  out += fmt::format("device: {} ({}), about {} of memory\n", o.device, o.backend, memory_text(o.memory));
  for (const auto& note : o.notes) out += "note: " + note + "\n";
  for (const auto& warning : o.warnings) out += "warning: " + warning + "\n";
  out += fmt::format("converged: {}\n\n", o.converged ? "yes" : "no");
  return out + summary_text(o);
}

}  // namespace umov::fdtd::harmonic
