// Resolution, ranges of materials and bodies.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "fdtd/kind_names.hpp"
#include "fdtd/model/amplification.hpp"
#include "fdtd/model/asked_frequencies.hpp"
#include "fdtd/model/bodies.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/model/update_coefficients.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/observables/sampling.hpp"
#include "materials/nk_table.hpp"

namespace umov::fdtd {
namespace {

constexpr double too_coarse = 3, coarse = 10;

/// What to do where a material is used far off its range and would be in it were the case's lengths in
/// another unit; "" where they are in none.
std::string remedy_of_unit(const Simulation& s, const materials::Material& m, double shortest_um,
                           double longest_um) {
  constexpr double far = 30;
  if (!m.range_um) return "";
  const auto [low, high] = *m.range_um;
  if (shortest_um < far * high && longest_um > low / far) return "";
  for (const auto& [unit_um, name] : {std::pair(1e-3, "nm"), std::pair(1.0, "um"), std::pair(1e3, "mm")})
    if (const double scale = unit_um / s.unit_um; longest_um * scale >= low && shortest_um * scale <= high)
      return fmt::format("set unit_um = {:g} if the lengths of the case are in {} (now a unit is {:g} um)",
                         unit_um, name, s.unit_um);
  return "";
}

/// The same of all materials of the scene.
std::string remedy_of_unit(const Simulation& s, const Scene& scene, double um) {
  std::string text;
  for (const auto& m : scene.materials())
    if (text.empty()) text = remedy_of_unit(s, m, um, um);
  return text;
}

void report_cells(const Simulation& s, const Scene& scene, const Grid& g, const std::string& name, double n,
                  double f, Findings& found) {
  const double cells = 1 / (f * n * g.dx), error = dispersion_error(g, n, f);
  const std::string what = std::isinf(error) ? fmt::format(
                                                   "{:.3g} cells per wavelength in '{}' (index {:.3g} at "
                                                   "frequency {:.4g}): the grid carries no such "
                                                   "wave",
                                                   cells, name, n, f)
                                             : fmt::format(
                                                   "{:.3g} cells per wavelength in '{}' (index {:.3g} at "
                                                   "frequency {:.4g}): waves are {:.2g} % too "
                                                   "short, {:.2g} degrees per wavelength",
                                                   cells, name, n, f, 100 * error, 360 * error);
  // With pictures it is asked for in cells per wavelength of a full red.
  const double now = (s.picture ? s.picture->wavelength : 1) / g.dx;
  const std::string unit = remedy_of_unit(s, scene, s.unit_um / f);
  const std::string advice =
      "; " + (unit.empty() ? fmt::format("raise resolution to {:.3g} or more", now * coarse / cells) : unit);
  if (cells < too_coarse || std::isinf(error))
    found.push_back({Severity::stop, "resolution: " + what + " (too coarse for any answer)" + advice});
  else if (cells < coarse)
    found.push_back({Severity::warning, "resolution: " + what + advice});
  else
    found.push_back({Severity::note, what});
}

/// Materials whose poles ask for a time step so short that the run takes several times as long.
void check_steps(const Simulation& s, const Scene& scene, const Grid& g, double usual, Findings& found) {
  constexpr double tolerated = 2;
  if (g.dt * tolerated >= usual) return;
  for (const auto& m : scene.materials()) {
    if (m.perfect_conductor) continue;
    const double factor = usual / longest_step(m, g.limiting_edge(), dimensions(g.mode), usual);
    if (factor < tolerated) continue;
    const bool of_table = std::ranges::any_of(
        s.materials, [&](const MaterialSpec& spec) { return spec.name == m.name && !spec.nk_file.empty(); });
    found.push_back(
        {Severity::warning,
         fmt::format("material '{}': the time step is {:.3g} times shorter than the usual one, and the run "
                     "as much longer (its poles or its permittivity are stable with no longer one); {}",
                     m.name, factor,
                     of_table ? "narrow its table to the wavelengths of the case, or for one wavelength give "
                                "index, extinction and at_wavelength"
                              : "raise the resolution, which up to there costs no further steps, or give it "
                                "an nk_file of the wavelengths of the case")});
  }
}

/// Of a body's bounds, whether they miss the domain along an axis, with z = 0 (y = 0) where the grid has
/// none.
int missed_axis(const shapes::Bounds& b, const Extent& e) {
  for (int a = 0; a < 3; ++a)
    if (!e.periodic[a] && (b.low[a] > e.high[a] || b.high[a] < e.low[a])) return a;
  return -1;
}

}  // namespace

cplx index_of(const materials::Material& m, double frequency) {
  cplx largest = 0;
  for (int a = 0; a < 3; ++a) {
    const double w = 2 * pi * frequency;
    const cplx eps = m.dispersive() ? m.permittivity(w, a) : cplx(m.eps[a], m.sigma[a] / w);
    const cplx n = std::sqrt(eps * m.mu[a]);
    if (n.real() > largest.real() || a == 0) largest = n;
  }
  return largest;
}

double dispersion_error(const Grid& g, double index, double frequency) {
  const double w = 2 * pi * frequency, sine = index * g.dx / g.dt * std::sin(w * g.dt / 2);
  if (!(sine < 1) || w * g.dt >= pi) return std::numeric_limits<double>::infinity();
  return 2 / g.dx * std::asin(sine) / (index * w) - 1;
}

void validate_resolution(const Simulation& s, const Scene& scene, const Grid& g, Findings& found) {
  const double f = highest_carrier(s);
  if (!(f > 0)) return;
  double highest = 0;
  std::string name;
  Grid own = g;  // of the material whose wavelength has the fewest cells
  for (std::size_t i = 0; i < scene.materials().size(); ++i) {
    const auto& m = scene.materials()[i];
    if (m.perfect_conductor) continue;
    const cplx n = index_of(m, f);
    const Grid there = grid_in(scene, g, int(i));
    if (n.real() * there.dx > highest * own.dx) highest = n.real(), name = m.name, own = there;
  }
  for (const auto& m : scene.materials())
    if (!m.perfect_conductor && quick(m, g.dt) && dimensions(g.mode) > 1 && g.mode != Mode::tm)
      found.push_back(
          {Severity::warning,
           fmt::format("material '{}' answers within a time step (sigma dt / 2 or its Debye poles exceed 1): "
                       "its surface is a staircase; raise resolution, or take a perfect conductor",
                       m.name)});
  if (highest > 0) report_cells(s, scene, own, name, highest, f, found);
  const double usual = s.courant * g.limiting_edge() / std::sqrt(double(dimensions(g.mode)));
  check_steps(s, scene, g, usual, found);
  if (g.dt < 0.999 * usual)
    found.push_back(
        {Severity::note, fmt::format("the time step is {:.3g} of the usual one, as poles, a permittivity "
                                     "below 1 or perfect conductors ask for",
                                     g.dt / usual)});
  if (s.resolution == 0 && !g.graded())
    found.push_back({Severity::note,
                     fmt::format("resolution {:.4g} cells per unit: 20 per shortest wavelength", 1 / g.dx)});
}

namespace {

/// k that is kept as a conductivity holds at one wavelength: n k grows with it.
void check_extinction(const MaterialSpec& m, double shortest, double longest, Findings& found) {
  constexpr double tolerated = 0.05;
  if (!(m.extinction.value_or(0) > 0) || !m.at_wavelength) return;
  const double least = shortest / *m.at_wavelength, most = longest / *m.at_wavelength;
  if (least >= 1 - tolerated && most <= 1 + tolerated) return;
  found.push_back(
      {Severity::warning,
       fmt::format(
           "material '{}': its extinction holds at the wavelength {:.4g} alone, and the sources reach "
           "from {:.4g} to {:.4g} (it is kept as a conductivity, so that n k is {:.2g} to {:.2g} times "
           "as large there); take a narrower pulse around it, or an nk_file",
           m.name, *m.at_wavelength, shortest, longest, least, most)});
}

/// Poles that were fitted to the user's table are another material where the table has no rows.
void check_table(const Simulation& s, const MaterialSpec& spec, const materials::Material& m,
                 Findings& found) {
  constexpr double slack = 1e-9;
  const auto [low, high] = *m.range_um;
  for (const auto& [f, who] : asked_frequencies(s)) {
    const double um = s.unit_um / f;
    if (um >= low * (1 - slack) && um <= high * (1 + slack)) continue;
    const std::string nm = materials::remedy_of_nm(low, high, um, um);
    found.push_back(
        {Severity::stop,
         fmt::format(
             "material '{}': {} asks at {:.6g} um (n and k of {} are both known from {:.6g} to {:.6g} um "
             "alone, and poles that are fitted to them mean nothing beyond); {}",
             spec.name, who, um, spec.nk_file, low, high,
             nm.empty() ? "take other frequencies, or a file that reaches there" : nm)});
    return;
  }
}

}  // namespace

std::vector<std::pair<double, std::string>> asked_frequencies(const Simulation& s) {
  std::vector<std::pair<double, std::string>> asked;
  for (const auto& source : s.sources)
    if (source.waveform.kind != Waveform::Kind::samples)
      asked.emplace_back(source.waveform.frequency, "source '" + source.name + "'");
  for (const auto& m : s.monitors)
    if (traits_of(m).spectrum && (!m.frequencies.empty() || m.frequency_count > 0))
      for (const double f : listed_frequencies(m)) asked.emplace_back(f, "monitor '" + m.name + "'");
  return asked;
}

void validate_ranges(const Simulation& s, const Scene& scene, Findings& found) {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (const auto& source : s.sources) {
    const auto& w = source.waveform;
    if (!(w.frequency > 0)) continue;
    const double half = w.kind == Waveform::Kind::gaussian ? std::min(w.width, 0.9) : 0;
    shortest = std::min(shortest, s.unit_um / (w.frequency * (1 + half)));
    longest = std::max(longest, s.unit_um / (w.frequency * (1 - half)));
  }
  if (longest == 0) return;
  for (const auto& m : scene.materials())
    if (const std::string text = materials::check_range(m, shortest, longest); !text.empty()) {
      const std::string unit = remedy_of_unit(s, m, shortest, longest);
      found.push_back({Severity::warning, text + (unit.empty() ? "" : "; " + unit)});
    }
  for (const auto& m : s.materials)
    if (std::ranges::find(scene.materials(), m.name, &materials::Material::name) != scene.materials().end())
      check_extinction(m, shortest / s.unit_um, longest / s.unit_um, found);
  for (const auto& spec : s.materials)
    for (const auto& m : scene.materials())
      if (!spec.nk_file.empty() && m.name == spec.name && m.range_um) check_table(s, spec, m, found);
}

namespace {

double longest(const Vec3& low, const Vec3& high, const Extent& e) {
  double most = 0;
  for (int a = 0; a < 3; ++a)
    if (e.active(a)) most = std::max(most, high[a] - low[a]);
  return most;
}

/// Whether all of the domain lies in a body: its corners, middle and the middles of its faces do.
bool fills(const shapes::Body& body, const Extent& e) {
  for (int i = 0; i < 27; ++i) {
    const std::array<int, 3> part{i % 3, i / 3 % 3, i / 9};
    Vec3 at{0, 0, 0};
    for (int a = 0; a < 3; ++a)
      if (e.active(a)) at[a] = e.low[a] + part[a] * (e.high[a] - e.low[a]) / 2;
    if (!body.inside(at)) return false;
  }
  return true;
}

/// Files say nothing of their unit: a mesh in other units than the case covers all of the domain or less than
/// a cell.
void check_mesh_extent(const Simulation& s, std::size_t b, const shapes::Body& body, const Extent& e,
                       Findings& found) {
  if (s.bodies[b].shape != "mesh") return;
  const auto bounds = body.bounds();
  const double extent = longest(bounds.low, bounds.high, e);
  const bool small = extent < e.dx;
  if (!small && !fills(body, e)) return;
  found.push_back(
      {Severity::warning,
       fmt::format(
           "{}: its mesh {} (it spans ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}); files say "
           "nothing of their unit){}; set scale, or move it",
           body_label(s, b), small ? "is smaller than a cell" : "fills the whole domain", bounds.low[0],
           bounds.low[1], bounds.low[2], bounds.high[0], bounds.high[1], bounds.high[2],
           likely_scale(s.bodies[b], extent, longest(e.low, e.high, e)))});
}

}  // namespace

void validate_bodies(const Simulation& s, const Surroundings& around, Findings& found) {
  const Extent& e = around.extent();
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const auto body = make_body(s, b);
    check_mesh_extent(s, b, *body, e, found);
    const auto bounds = body->bounds();
    const int axis = missed_axis(bounds, e);
    if (axis < 0) continue;
    const std::string where =
        e.active(axis)
            ? fmt::format("it spans {:.4g} to {:.4g} along {}, the domain {:.4g} to {:.4g}", bounds.low[axis],
                          bounds.high[axis], "xyz"[axis], e.low[axis], e.high[axis])
            : fmt::format("it does not reach {} = 0, where bodies are cut", "xyz"[axis]);
    found.push_back(
        {Severity::warning,
         fmt::format("{}: wholly outside the domain ({}); move it or remove it", body_label(s, b), where)});
  }
}

}  // namespace umov::fdtd
