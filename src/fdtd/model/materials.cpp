#include "fdtd/model/materials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "fdtd/model/alike_media.hpp"
#include "materials/fit.hpp"
#include "materials/library.hpp"
#include "materials/nk_table.hpp"

namespace umov::fdtd {
namespace {

using materials::Material;

[[noreturn]] void refuse(const std::string& name, const std::string& problem) {
  throw BadInput(fmt::format("material '{}': {}", name, problem));
}

/// Constant n and k: k becomes the conductivity that gives it at one wavelength, sigma = w Im eps.
Material from_index(const MaterialSpec& spec) {
  const double n = spec.index.value_or(1), k = spec.extinction.value_or(0);
  if (!(n >= 0) || !(k >= 0))
    refuse(spec.name,
           fmt::format("index {:g}, extinction {:g} (both are positive for what does not amplify); give "
                       "them as n and k of n + ik",
                       n, k));
  if (k > 0 && !(spec.at_wavelength.value_or(0) > 0))
    refuse(spec.name,
           "extinction without a wavelength (it is kept as a conductivity, which depends on it); set "
           "at_wavelength");
  const double eps = n * n - k * k;
  if (!(eps > 0))
    refuse(spec.name,
           fmt::format("n = {:g}, k = {:g} is a permittivity of {:g} (negative ones need poles in the "
                       "time domain); use a metal of the library, nk_file, or a Drude pole",
                       n, k, eps));
  Material m;
  m.eps = {eps, eps, eps};
  if (k > 0) {
    const double sigma = 2 * n * k * 2 * pi / *spec.at_wavelength;
    m.sigma = {sigma, sigma, sigma};
  }
  return m;
}

/// A table, the error that its fit ends at (0: the usual one), and the poles.
struct Fitted {
  materials::NkTable table;
  double target = 0;
  Material material;
};

/// Poles of a table. A run makes its scene more than once, and a fit may take a minute: those made are kept.
Material fitted(const materials::NkTable& table, double target) {
  static std::mutex one_at_a_time;
  static std::vector<Fitted> made;
  const std::scoped_lock lock(one_at_a_time);
  const auto same = [&](const Fitted& known) {
    const materials::NkTable& t = known.table;
    return known.target == target && t.source == table.source && t.name == table.name &&
           t.wavelength_um == table.wavelength_um && t.n == table.n && t.k == table.k;
  };
  if (const auto known = std::ranges::find_if(made, same); known != made.end()) return known->material;
  const auto options = target > 0 ? materials::ending_at(target) : materials::FitOptions{};
  made.push_back({table, target, materials::fit_poles(table, options).material});
  return made.back().material;
}

Material from_spec(const MaterialSpec& spec, double unit_um) {
  const int ways = !spec.library.empty() + !spec.nk_file.empty() + (spec.index || spec.extinction);
  if (ways > 1)
    refuse(spec.name,
           "more than one of library, nk_file and index is set (each says the whole material); keep one");
  try {
    if (!spec.library.empty()) return scaled_to(materials::find(spec.library).material, unit_um);
    if (!spec.nk_file.empty())
      return scaled_to(fitted(materials::read_nk(spec.nk_file), spec.fit_target), unit_um);
  } catch (const BadInput& e) {
    refuse(spec.name, e.what());
  }
  return spec.index || spec.extinction ? from_index(spec) : spec.constants;
}

void check_poles(const std::string& name, const Material& m) {
  for (std::size_t p = 0; p < m.poles.size(); ++p) {
    const auto& pole = m.poles[p];
    const bool debye = pole.kind == materials::Pole::Kind::debye;
    if (!(pole.gamma >= 0) || (debye && !(pole.tau > 0)) ||
        (pole.kind == materials::Pole::Kind::lorentz && !(pole.omega > 0)))
      refuse(name, fmt::format("pole {} amplifies or has no frequency (damping must not be negative, "
                               "omega of a Lorentz pole and tau of a Debye pole positive); correct it",
                               p + 1));
  }
  // Single strengths may be negative: they shape absorption edges, and only the sum must not amplify.
  if (!materials::passive(m))
    refuse(name,
           "its poles amplify (Im eps < 0 at some frequency: fields would grow without bound); correct the "
           "strengths");
}

void check(const std::string& name, const Material& m) {
  if (m.perfect_conductor) return;
  for (int a = 0; a < 3; ++a) {
    if (!(m.eps[a] > 0) || !(m.mu[a] > 0) || !std::isfinite(m.eps[a]) || !std::isfinite(m.mu[a]))
      refuse(
          name,
          fmt::format("eps {:g}, mu {:g} along {} (constants must be positive; negative ones are unstable in "
                      "the time domain); use poles for metals",
                      m.eps[a], m.mu[a], "xyz"[a]));
    if (!(m.sigma[a] >= 0) || !(m.sigma_magnetic[a] >= 0))
      refuse(name,
             fmt::format("conductivity along {} is negative (fields would grow without bound); give zero or "
                         "more",
                         "xyz"[a]));
  }
  check_poles(name, m);
}

}  // namespace

Material make_material(const MaterialSpec& spec, double unit_um) {
  Material m = from_spec(spec, unit_um);
  check(spec.name, m);
  m.name = spec.name;
  return m;
}

MaterialList::MaterialList(const Simulation& s) : simulation_(s) {
  for (std::size_t i = 0; i < s.materials.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (s.materials[i].name == s.materials[j].name)
        refuse(s.materials[i].name, "declared twice (bodies could mean either); rename one");
  index(s.background, "background");
}

namespace {

const materials::Entry* of_library(const std::string& name) {
  for (const auto& entry : materials::library())
    if (entry.material.name == name || std::count(entry.aliases.begin(), entry.aliases.end(), name))
      return &entry;
  return nullptr;
}

}  // namespace

void require_material(const Simulation& s, const std::string& name, const std::string& user) {
  std::vector<std::string> known;
  for (const auto& spec : s.materials) known.push_back(spec.name);
  if (std::ranges::count(known, name) || of_library(name)) return;
  for (const auto& entry : materials::library()) known.push_back(entry.material.name);
  std::string hint = did_you_mean(name, known);
  if (hint.empty()) hint = "declare it, or take a name of the library";
  throw BadInput(
      fmt::format("{}: unknown material '{}' (neither declared nor in the library); {}", user, name, hint));
}

int MaterialList::first_of_its_kind() const {
  return int(std::ranges::find_if(list_, [&](const auto& m) { return equal_media(m, list_.back()); }) -
             list_.begin());
}

Material MaterialList::make(const std::string& name, const std::string& user) const {
  require_material(simulation_, name, user);
  for (const auto& spec : simulation_.materials)
    if (spec.name == name) return make_material(spec, simulation_.unit_um);
  Material m = scaled_to(of_library(name)->material, simulation_.unit_um);
  m.name = name;
  return m;
}

int MaterialList::index(const std::string& name, const std::string& user) {
  const auto known = std::ranges::find(names_, name, &std::pair<std::string, int>::first);
  if (known != names_.end()) return known->second;
  list_.push_back(make(name, user));
  return names_.emplace_back(name, first_of_its_kind()).second;
}

int MaterialList::add_permittivity(double eps, double sigma) {
  Material m;
  m.name = fmt::format("eps {:.6g}", eps);
  m.eps = {eps, eps, eps};
  m.sigma = {sigma, sigma, sigma};
  list_.push_back(std::move(m));
  return first_of_its_kind();
}

}  // namespace umov::fdtd
