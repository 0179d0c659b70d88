// The state of an electroquasistatic run in one file.
#include "eqs/run/checkpoint.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/fields.hpp"
#include "core/file_contents.hpp"
#include "core/text.hpp"
#include "eqs/case/case.hpp"
#include "eqs/run/run.hpp"
#include "run/case_differences.hpp"
#include "run/state_file.hpp"

namespace umov::eqs {

namespace {

constexpr run::StateFormat format{{'U', 'M', 'O', 'V', 'Q', 'C', '1', '2'}, "umov eqs"};

/// One walk over all fields serves reading and writing.
constexpr auto visit = [](auto& f, auto& c) {
  auto& o = c.found;
  visit_fields(f, o.history);
  f(o.saved_times);
  // Of lines and surfaces only the values: where they lie is found anew.
  f.each(o.lines, [&](auto& l) {
    for (auto* list : {&l.potential, &l.tangential, &l.normal, &l.magnitude}) f(*list);
  });
  f.each(o.surfaces, [&](auto& s) {
    for (auto* list : {&s.normal[0], &s.normal[1], &s.tangential}) f(*list);
  });
  for (auto* cuts : {&o.cuts_at_peak, &o.cuts_at_end})
    f.each(*cuts, [&](auto& cut) {
      f(cut.time);
      f(cut.potential);
      f(cut.field);
    });
  visit_fields(f, part<RunEffort>(o));
  visit_fields(f, c.control);
  visit_fields(f, o.steady);
  visit_fields(f, c.search);
  f(c.peak);
  f(c.engine);
};

}  // namespace

bool fits(const RunState& c, const Outcome& frame, const std::vector<CutField>& cuts,
          std::size_t saved_times) {
  const Outcome& f = c.found;
  const std::size_t times = f.saved_times.size();
  bool good = times <= saved_times && f.lines.size() == frame.lines.size() &&
              f.surfaces.size() == frame.surfaces.size() &&
              (f.cuts_at_end.empty() || f.cuts_at_end.size() == cuts.size()) &&
              (f.cuts_at_peak.empty() || f.cuts_at_peak.size() == cuts.size());
  for (std::size_t i = 0; good && i < f.lines.size(); ++i)
    for (const auto* list :
         {&f.lines[i].potential, &f.lines[i].tangential, &f.lines[i].normal, &f.lines[i].magnitude})
      good = good && list->size() == times * frame.lines[i].length.size();
  for (std::size_t i = 0; good && i < f.surfaces.size(); ++i)
    for (const auto* list : {&f.surfaces[i].normal[0], &f.surfaces[i].normal[1], &f.surfaces[i].tangential})
      good = good && list->size() == times * frame.surfaces[i].center.size();
  for (const auto* pictures : {&f.cuts_at_peak, &f.cuts_at_end})
    for (std::size_t i = 0; good && i < pictures->size(); ++i) {
      const std::size_t pixels = cuts[i].frame().material.size();
      good = (*pictures)[i].potential.size() == pixels && (*pictures)[i].field.size() == pixels;
    }
  return good;
}

/// What a checkpoint depends on.
static std::string identity(const Case& c) {
  return parameters().identity(&c, {Concern::result, Concern::record});
}

std::uint64_t case_fingerprint(const Simulation& s) {
  Digest print;
  print.add(identity(case_of(s)));
  add_contents(print, s.mesh.file);
  for (const auto& m : s.materials) {
    add_contents(print, m.permittivity.file);
    add_contents(print, m.conductivity.file);
  }
  for (const auto& e : s.electrodes) add_contents(print, e.waveform.file);
  return print.value();
}

void save_checkpoint(const RunState& c, std::uint64_t fingerprint, const std::string& path) {
  run::save_state(path, format, fingerprint, c, visit);
}

RunState load_checkpoint(const std::string& path, std::uint64_t fingerprint,
                         const std::string& what_differs) {
  return run::load_state<RunState>(path, format, fingerprint, visit, what_differs);
}

void require_checkpoint(const Simulation& sim, const run::Machine& machine) {
  if (!machine.checkpoint.resume || sim.analysis != Analysis::transient) return;
  const std::string path = checkpoint_file(machine.output_dir);
  CheckedReader in(path, "checkpoint");
  run::begin_state(in, path, format, case_fingerprint(sim), what_differs(machine.output_dir, sim));
}

namespace {

/// What a checkpoint of the case in a folder depends on; of one that cannot be read, as of another version,
/// nothing.
std::string saved_identity(const std::string& folder) try {
  Case c;
  Origins origins;
  parameters().read_toml((std::filesystem::path(folder) / "resolved.toml").string(), c, origins);
  return identity(c);
} catch (const BadInput&) {
  return {};
}

}  // namespace

std::string what_differs(const std::string& folder, const Simulation& simulation) {
  const std::string then = saved_identity(folder);
  auto all = run::case_differences(then, identity(case_of(simulation)));
  std::erase_if(all, [](const auto& d) { return d.there.value_or("") == d.now.value_or(""); });  // files
  if (then.empty() || all.empty())
    return "the mesh or another file that it names, or the version of umov that wrote it,";
  constexpr std::size_t most = 3;
  std::vector<std::string> words;
  for (const auto& d : all)
    if (words.size() < most)
      words.push_back(fmt::format("{}, {} there and {} in this case or version of umov,", d.place(),
                                  d.words(d.there), d.words(d.now)));
  return join(words, " ") + (all.size() > most ? fmt::format(" and {} more", all.size() - most) : "");
}

}  // namespace umov::eqs
