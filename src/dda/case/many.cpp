// Products of the lists in their order, and the settings that all cases of a run share.
#include "dda/case/many.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "run/file_contents.hpp"

namespace umov::dda {

namespace {

/// More than anybody computes; a slip of the pen in two ranges is found before a night is spent.
constexpr std::size_t most_cases = 100000;

using Cases = std::vector<Case>;

template <class Set, class List>
void multiply(Cases& cases, const List& list, const Set& set) {
  Cases out;
  if (cases.size() * list.size() > most_cases)
    throw BadInput(
        fmt::format("the lists have more than {} combinations (every value of one is computed with every "
                    "value of the others); shorten them",
                    most_cases));
  for (const Case& c : cases)
    for (const auto& value : list) set(out.emplace_back(c), value);
  cases = std::move(out);
}

/// One value of each list per case, the last list fastest.
Cases combinations(const Case& c) {
  Cases cases{c};
  cases.front().many = has_lists(c);
  if (c.size) multiply(cases, c.size->values, [](Case& one, double x) { one.size = x; });
  if (c.eq_radius) multiply(cases, c.eq_radius->values, [](Case& one, double x) { one.eq_radius = x; });
  multiply(cases, c.alpha.values, [](Case& one, double x) { one.alpha = x; });
  multiply(cases, c.beta.values, [](Case& one, double x) { one.beta = x; });
  multiply(cases, c.gamma.values, [](Case& one, double x) { one.gamma = x; });
  multiply(cases, c.propagation, [](Case& one, const Vec3& x) { one.propagation = {x}; });
  multiply(cases, c.vacuum_wavelength.values, [](Case& one, double x) { one.vacuum_wavelength = x; });
  return cases;
}

/// The files that a case reads.
template <class Case>
auto files_of(Case& s) {
  std::vector<decltype(&s.shape.file)> files{&s.shape.file,
                                             &s.beam.file_y,
                                             &s.beam.file_x,
                                             &s.orientation.average_file,
                                             &s.solver.initial_file_y,
                                             &s.solver.initial_file_x,
                                             &s.outputs.alldir_file};
  if (s.given)
    for (auto& material : s.given->materials) files.push_back(&material.nk_file);
  return files;
}

/// What decides the numbers of a row. Files by their names alone: a resolved case has whole paths.
Simulation bare(Simulation s) {
  for (std::string* file : files_of(s)) run::forget_folder(*file);
  const Outputs asked = s.outputs;
  s.outputs = {};
  s.outputs.csca = asked.csca;
  s.outputs.vec = asked.vec;
  s.outputs.asym = asked.asym;
  s.outputs.cpr = asked.cpr;
  s.outputs.alldir_file = asked.alldir_file;
  s.solver.neighbours = true;
  s.accuracy = s.accuracy_time = 0;
  s.checkpoint = {};
  s.backend = "auto";
  s.device = -1;
  s.threads = 0;
  s.tensor_on_host = s.blocking_sync = false;
  s.output_dir.clear();
  return s;
}

/// A line per file that the case reads, with a digest of what is in it.
std::string contents(const Simulation& s) {
  std::vector<std::string> files;
  for (const std::string* file : files_of(s)) files.push_back(*file);
  return run::contents_of(files);
}

}  // namespace

std::vector<std::string> names_of_lists(const Case& c) {
  const std::pair<bool, const char*> all[] = {
      {c.vacuum_wavelength.is_list, "wavelength"}, {c.propagation.size() > 1, "source.propagation"},
      {c.size && c.size->is_list, "shape.size"},   {c.eq_radius && c.eq_radius->is_list, "shape.eq_radius"},
      {c.alpha.is_list, "orientation.alpha"},      {c.beta.is_list, "orientation.beta"},
      {c.gamma.is_list, "orientation.gamma"}};
  std::vector<std::string> names;
  for (const auto& [given, name] : all)
    if (given) names.push_back(name);
  return names;
}

bool has_lists(const Case& c) { return !names_of_lists(c).empty(); }

std::vector<Simulation> finish_cases(const Case& c, const Origins& origins) {
  std::vector<Simulation> out;
  for (const Case& one : combinations(c)) out.push_back(finish_case(one, origins));
  const auto& shape = out.front().shape;
  const bool fixed = shape.size || shape.eq_radius || c.spacing;
  if (c.vacuum_wavelength.size() > 1 && !fixed)
    for (auto& sim : out)
      sim.warnings.push_back(
          "no size is given: dipoles per wavelength and grid set it, so that every wavelength has a particle "
          "of "
          "another size (and of one size parameter where m is the same); give size or eq_radius for a "
          "spectrum");
  return out;
}

std::string resolved_toml(const Case& c, const Simulation& first) {
  Case full = case_of(first);
  full.vacuum_wavelength = c.vacuum_wavelength;
  full.size = c.size;
  full.eq_radius = c.eq_radius;
  full.alpha = c.alpha;
  full.beta = c.beta;
  full.gamma = c.gamma;
  full.propagation = c.propagation;
  if (c.spacing) {  // dipoles per wavelength are of one wavelength
    full.spacing = c.spacing;
    full.simulation.shape.dpl.reset();
  }
  return "# The case as it was run: every default filled in. `umov dda resolved.toml` repeats it.\n" +
         parameters().write_toml(full);
}

std::string shared_settings(const Case& c, const Simulation& first) {
  Case one = c;
  one.vacuum_wavelength = one.alpha = one.beta = one.gamma = NumberList();
  if (one.size) one.size = NumberList();
  if (one.eq_radius) one.eq_radius = NumberList();
  one.propagation = {{0, 0, 1}};
  return resolved_toml(one, bare(first)) + contents(first);
}

std::uint64_t key_of(const Simulation& sim) {
  Digest digest;
  digest.add(resolved_toml(bare(sim)) + contents(sim));
  return digest.value();
}

}  // namespace umov::dda
