// The list of shapes, and the checks common to the arguments of all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "shapes/recipe.hpp"

namespace umov::shapes {
namespace {

constexpr int any_more = -60;  // as many domains as ADDA accepts

[[noreturn]] void unknown_shape(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : catalogue()) names.push_back(entry.help.name);
  const std::string hint = did_you_mean(name, names);
  throw BadInput(fmt::format("unknown shape '{}' (not in the list of shapes); {}", name,
                             hint.empty() ? "use one of " + join(names, ", ") : hint));
}

bool accepts(const std::vector<int>& counts, int n) {
  if (counts.size() == 2 && counts[1] < 0) return n >= counts[0] && n <= -counts[1];
  return std::find(counts.begin(), counts.end(), n) != counts.end();
}

std::string in_words(const std::vector<int>& counts) {
  if (counts.size() == 2 && counts[1] < 0) return fmt::format("{} to {}", counts[0], -counts[1]);
  std::vector<std::string> words;
  for (const int n : counts) words.push_back(std::to_string(n));
  return join(words, " or ");
}

std::string usage(const Entry& entry) {
  return entry.help.arguments.empty() ? entry.help.name : entry.help.name + " " + entry.help.arguments;
}

void check_counts(const Entry& entry, const Request& request) {
  const int given = int(request.arguments.size());
  if (entry.file && (request.file.empty() || given > 0))
    throw BadInput(fmt::format("shape '{}' needs exactly one file name ({}); give `{}`", entry.help.name,
                               given > 0 ? "numbers were given" : "none was given", usage(entry)));
  if (!entry.file && !accepts(entry.counts, given))
    throw BadInput(fmt::format("wrong number of arguments for shape '{}': {} ({} expected); give `{}`",
                               entry.help.name, given, in_words(entry.counts), usage(entry)));
}

}  // namespace

void Arguments::refuse(const std::string& problem, const std::string& why) const {
  throw BadInput(fmt::format("{} ({}); give `{}`", problem, why, usage_));
}

double Arguments::within(std::size_t i, const char* name, double low, double high, Ends ends) const {
  const double value = any(i);
  const bool low_open = ends == Ends::open || ends == Ends::open_below;
  const bool high_open = ends == Ends::open || ends == Ends::open_above;
  const bool above = low_open ? value > low : value >= low;
  const bool below = high_open ? value < high : value <= high;
  if (above && below) return value;
  std::string range =
      fmt::format("must be in {}{:g}, {:g}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
  if (high == infinity) range = low_open ? "must be positive" : "must not be negative";
  refuse(fmt::format("illegal {} of shape '{}': {:g}", name, request_.shape, value), range);
}

int Arguments::integer(std::size_t i, const char* name, int low) const {
  const double value = any(i);
  const std::string problem = fmt::format("illegal {} of shape '{}': {:g}", name, request_.shape, value);
  if (value != std::floor(value) || std::abs(value) > 1e9) refuse(problem, "must be a whole number");
  if (value < low) refuse(problem, fmt::format("must be at least {}", low));
  return int(value);
}

const std::vector<Entry>& catalogue() {
  static const std::vector<Entry> all{
      {{"axisymmetric", "<file>",
        "body of revolution about z; the file lists its contour, rho and z per line"},
       {},
       true,
       axisymmetric},
      {{"bicoated", "<R_cc/d> <d_in/d>", "two coated spheres along z, separate or sintered (2 domains)"},
       {2},
       false,
       bicoated},
      {{"biellipsoid", "<y1/x1> <z1/x1> <x2/x1> <y2/x2> <z2/x2>",
        "two ellipsoids that touch on the z axis, lower and upper (2 domains)"},
       {5},
       false,
       biellipsoid},
      {{"bisphere", "<R_cc/d>", "two equal spheres along z, separate or sintered"}, {1}, false, bisphere},
      {{"box", "[<y/x> <z/x>]", "cube or rectangular block"}, {0, 2}, false, box},
      {{"capsule", "<h/d>", "cylinder of height h along z with half-spheres on its ends"},
       {1},
       false,
       capsule},
      {{"chebyshev", "<eps> <n>", "Chebyshev particle r = r0 [1 + eps cos(n theta)]"}, {2}, false, chebyshev},
      {{"coated", "<d_in/d> [<x/d> <y/d> <z/d>]", "sphere with a spherical inclusion (2 domains)"},
       {1, 4},
       false,
       coated},
      {{"coated2", "<ds/d> <dc/d>", "three concentric spheres (3 domains); see onion"}, {2}, false, coated2},
      {{"cylinder", "<h/d>", "circular cylinder of height h along z"}, {1}, false, cylinder},
      {{"egg", "<eps> <nu>", "egg a^2 = r^2 + nu r z - (1 - eps) z^2"}, {2}, false, egg},
      {{"ellipsoid", "<y/x> <z/x>", "ellipsoid with its axes along x, y, z"}, {2}, false, ellipsoid},
      {{"line", "", "line along x, one dipole wide"}, {0}, false, line},
      {{"onion", "<d2/d> [<d3/d> ...]", "concentric spheres, from the outside in"},
       {1, any_more + 1},
       false,
       onion},
      {{"onion_ell", "<y/x> <z/x> <x2/x> [<x3/x> ...]", "concentric similar ellipsoids, from the outside in"},
       {3, any_more - 1},
       false,
       onion_ell},
      {{"plate", "<h/d>", "disk of height h and full diameter d with a rounded side"}, {1}, false, plate},
      {{"prism", "<n> <h/Dx>", "right prism along z on a regular polygon with n sides"}, {2}, false, prism},
      {{"rbc", "<h/d> <b/d> <c/d>", "red blood cell: biconcave body of revolution about z"}, {3}, false, rbc},
      {{"read", "<file>", "sites from a file: ADDA text format, DDSCAT 6 or 7"}, {}, true, read},
      {{"sphere", "", "sphere"}, {0}, false, sphere},
      {{"spherebox", "<d_sph/Dx>", "sphere (second domain) in a cube (first domain)"}, {1}, false, spherebox},
      {{"superellipsoid", "<b/a> <c/a> <e> <n>",
        "superellipsoid [(x/a)^(2/e) + (y/b)^(2/e)]^(e/n) + (z/c)^(2/n) <= 1"},
       {4},
       false,
       superellipsoid},
  };
  return all;
}

const std::vector<ShapeHelp>& shape_list() {
  static const std::vector<ShapeHelp> list = [] {
    std::vector<ShapeHelp> rows;
    for (const auto& entry : catalogue()) rows.push_back(entry.help);
    return rows;
  }();
  return list;
}

Recipe make_recipe(const Request& request) {
  const auto& all = catalogue();
  const auto entry =
      std::find_if(all.begin(), all.end(), [&](const Entry& e) { return e.help.name == request.shape; });
  if (entry == all.end()) unknown_shape(request.shape);
  check_counts(*entry, request);
  for (std::size_t i = 0; i < request.arguments.size(); ++i)
    if (!std::isfinite(request.arguments[i]))
      throw BadInput(fmt::format("argument {} of shape '{}' is {} (not a finite number); give `{}`", i + 1,
                                 request.shape, request.arguments[i], usage(*entry)));
  return entry->make(Arguments(request, usage(*entry)));
}

}  // namespace umov::shapes
