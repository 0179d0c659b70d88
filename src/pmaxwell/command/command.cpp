// Command line of `umov pmaxwell`.
#include "pmaxwell/command/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "cases/device_parameter.hpp"
#include "command/command.hpp"
#include "command/spelling.hpp"
#include "core/error.hpp"

namespace umov::pmaxwell {

namespace {

/// Whether it is the first of the two that an option knows.
bool one_of(const char* option, const std::string& name, const char* first, const char* second) {
  if (name == first || name == second) return name == first;
  throw BadInput(fmt::format("{} {}: not known; give {} or {}", option, name, first, second));
}

void require(bool good, const char* option, const std::string& value, const char* what) {
  if (!good) throw BadInput(fmt::format("{} {}: {}", option, value, what));
}

void declare(CLI::App& app, Request& r) {
  app.add_option("DIRECTORY", r.directory, "the forty files E_xy.vtk to H_bnd_y.vtk")->required();
  app.add_option("ITERATIONS", r.iterations, "steps, at most")->required();
  app.add_option_function<long>(
      "SNAPSHOT_INTERVAL",
      [&r](const long& steps) {
        require(steps >= 1, "SNAPSHOT_INTERVAL", std::to_string(steps), "give at least 1, or leave it out");
        r.interval = steps;
      },
      "steps between two files results.N.vtk; without it: one at the end");
  app.add_option("--epsilon", r.epsilon, "end when no component of E changes by this in a step");
  app.add_option("--tolerance", r.tolerance,
                 "end when the phasor changes by less than this part of the largest E in a period");
  app.add_option("--ramp", r.ramp, "periods over which the sources rise; 0 = at once")->capture_default_str();
  app.add_option("-o,--output-dir", r.output, "folder of results.N.vtk and log; without it: DIRECTORY");
  app.add_option_function<std::string>(
      "--layout", [&r](const std::string& name) { r.layout = layout_named(name); }, layout_help);
  app.add_option_function<std::string>(
      "--faraday",
      [&r](const std::string& name) { r.layout.minus_in_s_h = one_of("--faraday", name, "stored", "added"); },
      "stored: s_H multiplies + curl E and holds Faraday's minus (the thesis); added: - curl E, s_H is "
      "positive");
  app.add_option_function<std::string>(
      "--copies",
      [&r](const std::string& name) {
        r.copies = one_of("--copies", name, "text", "formulas") ? Copies::text : Copies::formulas;
      },
      "planes that are copied, as the thesis's text (x, y; periodic) or as its formulas have them");
  app.add_option_function<std::string>(
      "--norm",
      [&r](const std::string& name) { r.norm_of_parts = !one_of("--norm", name, "components", "parts"); },
      "what results.N.vtk adds up: components (each the sum of its parts), or the twelve parts");
  app.add_option("--state", r.state, "write the twelve fields of the end to this folder, as input files");
  app.add_flag("--force", r.force, "write over files that are in the folder of --state");
  app.add_flag("--ascii", r.text, "write text, not binary files");
  app.add_option("--backend", r.backend, "auto, serial, cpu or cuda")->capture_default_str();
  app.add_flag_callback(
      "--cpu", [&r] { r.backend = "cpu"; }, "the same as --backend cpu");
  app.add_flag_callback(
      "--gpu", [&r] { r.backend = "cuda"; }, "the same as --backend cuda");
  app.add_option_function<int>(
      "--device",
      [&r](const int& n) {
        r.backend = "cuda";
        r.device = n;
      },
      "number of the GPU, from 0 (see umov devices); takes the cuda backend");
  app.add_option("--threads", r.threads, "threads of the cpu backend; 0 = all")->capture_default_str();
  app.add_flag("--dry-run", r.dry_run, "read and check the directory, say what a run would take, and stop");
  app.add_flag("--quiet", r.quiet, "no progress line and no summary; errors still appear");
}

void check(Request& r) {
  const auto positive = [](double v) { return v >= 0 && std::isfinite(v); };
  require(r.iterations >= 1, "ITERATIONS", std::to_string(r.iterations), "give at least 1");
  require(positive(r.epsilon), "--epsilon", fmt::format("{}", r.epsilon), "give a positive number");
  require(positive(r.tolerance) && r.tolerance < 1, "--tolerance", fmt::format("{}", r.tolerance),
          "give a part of the largest E, 1e-4 for example, or 0 for no such goal");
  require(positive(r.ramp) && r.ramp < 1e6, "--ramp", fmt::format("{}", r.ramp),
          "give a number of periods, 20 for example");
  require(r.threads >= 0 && r.threads <= cases::most_threads, "--threads", std::to_string(r.threads),
          "give 1 to 1024, or 0 for all");
  require(r.device >= 0 && r.device <= 1023, "--device", std::to_string(r.device),
          "give the number of a GPU, from 0; see `umov devices`");
  require(r.backend == "auto" || r.backend == "serial" || r.backend == "cpu" || r.backend == "cuda",
          "--backend", r.backend, "not known; use auto, serial, cpu or cuda");
  while (r.directory.size() > 1 && r.directory.back() == '/') r.directory.pop_back();
  if (r.output.empty()) r.output = r.directory;
}

}  // namespace

Layout layout_named(const std::string& name) {
  return one_of("--layout", name, "thesis", "derivative") ? Layout{} : Layout{false, false};
}

int command(std::span<const std::string> args) {
  if (!args.empty() && args[0] == "--from") return generate(args.subspan(1));
  CLI::App app(
      "One wavelength on the staggered grid by iteration in pseudo-time: twelve split fields with stored "
      "coefficients\n"
      "from a directory of VTK rectilinear grids, as in the thesis of Nicolas Apelt (Erlangen 2011)",
      "umov pmaxwell");
  app.footer(
      "umov pmaxwell --from case.toml DIRECTORY [options] makes such a directory from a case with\n"
      "[harmonic]: one wavelength, one polarization, normal incidence. The layout is in "
      "docs/guide/pmaxwell.md.\n"
      "Example: umov pmaxwell cell 8000 1000 --ramp 20 --tolerance 1e-4");
  Request request;
  declare(app, request);
  speak(command::by_options(app));
  request.command_line = command::typed("pmaxwell", args);
  try {
    // CLI11 takes a vector as a stack: last argument first.
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return int(Exit::done);
  } catch (const CLI::ParseError& e) {
    throw BadInput(fmt::format("{}; see `umov pmaxwell --help`", e.what()));
  }
  check(request);
  return execute(request);
}

}  // namespace umov::pmaxwell
