// Products of the lists in their order, and the settings that all cases of a run share.
#include "dda/case/many.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/digest.hpp"
#include "core/error.hpp"

namespace umov::dda {

namespace {

/// More than anybody computes; a slip of the pen in two ranges is found before a night is spent.
constexpr std::size_t most_cases = 100000;

/// Parameters with lists, the slowest first.
std::vector<std::string> in_order(const GivenLists& lists) {
  static const std::vector<std::string> order{"shape.size",       "shape.eq_radius",   "orientation.alpha",
                                              "orientation.beta", "orientation.gamma", "source.propagation",
                                              "wavelength"};
  std::vector<std::string> names;
  for (const auto& [name, list] : lists)
    if (!std::ranges::count(order, name)) names.push_back(name);
  for (const auto& name : order)
    if (lists.count(name)) names.push_back(name);
  return names;
}

/// One value of each list per case, the last list fastest.
std::vector<Case> combinations(const Case& c) {
  std::vector<Case> cases{c};
  cases.front().many = !c.lists.empty();
  for (const std::string& name : in_order(c.lists)) {
    const auto& values = c.lists.at(name).values;
    if (cases.size() * values.size() > most_cases)
      throw BadInput(
          fmt::format("the lists have more than {} combinations (every value of one is computed with every "
                      "value of the others); shorten them",
                      most_cases));
    std::vector<Case> out;
    for (const Case& one : cases)
      for (const Value& value : values) parameters().set(name, &out.emplace_back(one), value);
    cases = std::move(out);
  }
  return cases;
}

/// The simulation with the lists that it is of.
Case whole_case(const Case& c, const Simulation& first) {
  Case full = case_of(first);
  full.machine = c.machine;
  full.lists = c.lists;
  if (c.spacing) {  // dipoles per wavelength are of one wavelength
    full.spacing = c.spacing;
    full.simulation.shape.dpl.reset();
  }
  return full;
}

/// What a row follows from.
const std::vector<Concern> of_row{Concern::result, Concern::course};

}  // namespace

std::vector<Simulation> finish_cases(Case& c, const Origins& origins) {
  std::vector<Simulation> out;
  auto cases = combinations(c);
  for (Case& one : cases) out.push_back(finish_case(one, origins));
  c.machine = cases.front().machine;
  const auto& shape = out.front().shape;
  const bool fixed = shape.size || shape.eq_radius || c.spacing;
  const auto spectrum = c.lists.find("wavelength");
  if (spectrum != c.lists.end() && spectrum->second.values.size() > 1 && !fixed)
    for (auto& sim : out)
      sim.warnings.push_back(
          "no size is given: dipoles per wavelength and grid set it, so that every wavelength has a particle "
          "of "
          "another size (and of one size parameter where m is the same); give size or eq_radius for a "
          "spectrum");
  return out;
}

void set_values(Case& c, const std::string& name, const std::vector<double>& values) {
  parameters().set(name, &c, {values.front()});
  for (const double x : values) {
    const Value value{x};
    if (values.size() > 1) c.lists[name].values.push_back(value);
  }
}

std::string resolved_toml(const Case& c, const Simulation& first) {
  return "# The case as it was run: every default filled in. `umov dda resolved.toml` repeats it.\n" +
         parameters().write_toml(whole_case(c, first));
}

std::string shared_settings(const Case& c, const Simulation& first) {
  const Case whole = whole_case(c, first);
  return parameters().identity(&whole, of_row, parameters().listed());
}

std::uint64_t key_of(const Simulation& sim) {
  const Case c = case_of(sim);
  Digest digest;
  digest.add(parameters().identity(&c, of_row));
  return digest.value();
}

}  // namespace umov::dda
