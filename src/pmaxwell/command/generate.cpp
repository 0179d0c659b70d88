// `umov pmaxwell --from`: a directory made from a time-harmonic case.
#include "pmaxwell/generate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "command/perform.hpp"
#include "command/spelling.hpp"
#include "core/atomic_file.hpp"
#include "core/console.hpp"
#include "core/error.hpp"
#include "core/interruption.hpp"
#include "core/text.hpp"
#include "harmonic/case/case.hpp"
#include "harmonic/command/command.hpp"
#include "harmonic/media.hpp"
#include "harmonic/run/run.hpp"
#include "pmaxwell/command/command.hpp"
#include "pmaxwell/directory.hpp"

namespace umov::pmaxwell {

namespace {

namespace fs = std::filesystem;
using layers::Polarization;

constexpr const char* usage =
    "umov pmaxwell --from CASE DIRECTORY [options]: makes the forty files of a case with [harmonic]\n\n"
    "  --courant X   time step over the largest that is stable, 0.9 without it\n"
    "  --ascii       write text, not binary files\n"
    "  --layout NAME thesis (without it) or derivative: see umov pmaxwell --help\n"
    "  --force       write over files that are in DIRECTORY\n"
    "  --dry-run     say what would be written, and stop\n"
    "  and the options of `umov harmonic --help`, of which --wavelengths, --polarization, --cell are "
    "the\n"
    "  likeliest: the case must come to one wavelength, s or p, and normal incidence.\n";

struct Words {
  std::string directory;
  std::vector<std::string> harmonic;  ///< the case and its options
  double courant = 0.9;
  bool text = false, force = false;
  Layout layout;
};

Words sort(std::span<const std::string> words) {
  Words out;
  if (words.size() < 2 || words[0].starts_with("-") || words[1].starts_with("-"))
    throw BadInput(
        "--from takes a case and a directory, in this order and before other options; "
        "see `umov pmaxwell --from --help`");
  out.harmonic.push_back(words[0]);
  out.directory = words[1];
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "--ascii") {
      out.text = true;
    } else if (words[i] == "--force") {
      out.force = true;
    } else if (words[i] == "--layout") {
      if (++i == words.size()) throw BadInput("--layout takes thesis or derivative");
      out.layout = layout_named(words[i]);
    } else if (words[i] == "--courant") {
      const auto x = i + 1 < words.size() ? parse_number(words[++i]) : std::nullopt;
      if (!x || !(*x > 0 && *x <= 1)) throw BadInput("--courant takes a number above 0 and up to 1");
      out.courant = *x;
    } else {
      out.harmonic.push_back(words[i]);
    }
  }
  while (out.directory.size() > 1 && out.directory.back() == '/') out.directory.pop_back();
  return out;
}

Polarization the_polarization(const harmonic::Simulation& sim) {
  if (sim.wavelengths.size() != 1)
    throw BadInput(
        fmt::format("the case has {} wavelengths (a directory of pmaxwell is for one); choose it with "
                    "--wavelengths, as in "
                    "--wavelengths {:g}",
                    sim.wavelengths.size(), sim.wavelengths.front()));
  if (sim.angle.size() > 1)
    throw BadInput("the case has several angles (a directory of pmaxwell is for one); give --angle 0");
  if (sim.angle.front() != 0)
    throw BadInput(
        fmt::format("the light falls in at {:g} degrees (the periodic kernels of pmaxwell copy without a "
                    "phase: normal incidence only); "
                    "give --angle 0, or solve the case with `umov fdtd`",
                    sim.angle.front()));
  if (sim.polarization == harmonic::Polarizations::both)
    throw BadInput(
        "the case has both polarizations (a directory of pmaxwell is for one); give --polarization s or p");
  return sim.polarization == harmonic::Polarizations::s ? Polarization::s : Polarization::p;
}

/// A folder whose new files appear once all of them are written; until then they lie in one within it, of
/// which neither an interruption nor a failure leaves anything, and what a killed process left goes, too.
class FilledAtOnce {
 public:
  explicit FilledAtOnce(std::string folder)
      : folder_(std::move(folder)), aside_(folder_ + "/unfinished.part") {
    std::error_code code;
    made_ = !fs::exists(folder_, code);
    make_folder(folder_);
    fs::remove_all(aside_, code);
    make_folder(aside_);
  }
  ~FilledAtOnce() {
    std::error_code code;
    fs::remove_all(aside_, code);
    if (made_) fs::remove(folder_, code);  // only where it is empty
  }
  FilledAtOnce(const FilledAtOnce&) = delete;
  FilledAtOnce& operator=(const FilledAtOnce&) = delete;

  const std::string& aside() const { return aside_; }
  void commit() const {
    for (const auto& file : fs::directory_iterator(aside_))
      AsideFile(folder_ + "/" + file.path().filename().string(), file.path().string()).commit();
  }

 private:
  std::string folder_, aside_;
  bool made_ = false;
};

/// All files or, where a signal arrives, none.
void write_all(const Words& given, const Generator& generator, const std::string& what,
               const std::string& resolved) {
  const SignalGuard guard;
  const FilledAtOnce folder(given.directory);
  const auto nodes = generator.nodes();
  constexpr const char* doing = "while the files were written";
  for (int a = 0; a < array_count; ++a) {
    stop_if_interrupted(doing);
    write_array(folder.aside(), a, given.layout, nodes, fmt::format("{}: {}", name_of(a, given.layout), what),
                generator.array(a), given.text);
  }
  write_file(folder.aside() + "/resolved.toml", resolved);
  stop_if_interrupted(doing);
  folder.commit();
}

}  // namespace

int generate(std::span<const std::string> words) {
  for (const auto& word : words)
    if (word == "--help" || word == "-h") {
      fmt::print("{}", usage);
      return int(Exit::done);
    }
  const Words given = sort(words);
  const auto request = harmonic::parse(given.harmonic);
  speak(command::by_names({"--force", "--layout"}));
  if (request.given.view.on)
    throw BadInput(
        "--view (a directory of pmaxwell is written, nothing runs that one could look at); leave it out");
  const run::Machine& machine = request.given.machine;
  harmonic::Simulation sim = request.simulation;
  if (sim.ends == harmonic::Ends::open)
    throw BadInput("the case has open ends (the kernels of pmaxwell need ends that absorb); leave ends out");
  sim.ends = harmonic::Ends::absorbing;
  const Polarization polarization = the_polarization(sim);
  if (!given.force) require_vacant(given.directory, array_count, given.layout);
  const harmonic::Plan planned = harmonic::plan(sim, machine);
  for (const auto& warning : planned.warnings) warn(warning);
  const double wavelength = sim.wavelengths[0];
  const harmonic::Problem problem =
      harmonic::make_problem(planned.cell, harmonic::Media(sim).of_cell(sim, wavelength), wavelength, {0, 0});
  const Generator generator(planned.cell, problem, polarization, given.courant);
  const Int3 cells = generator.cells();
  const std::string what = fmt::format(
      "wavelength {:g} um, polarization {}, {} x {} x {} cells, time step {:.6g} um, {:.4f} steps a period",
      wavelength, polarization == Polarization::s ? "s" : "p", cells[0], cells[1], cells[2], generator.tau(),
      generator.steps_per_period());
  if (!machine.dry_run) write_all(given, generator, what, resolved_toml(sim, machine));
  if (!machine.quiet)
    fmt::print("{}: {}, {} in {} files{}\n", given.directory, what, format_bytes(array_bytes(cells)),
               array_count, machine.dry_run ? " (nothing was written)" : "");
  return int(Exit::done);
}

}  // namespace umov::pmaxwell
