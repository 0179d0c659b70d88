// The source groups of a mode: one face between total and scattered field, with the fields of a solved
// profile.
#include "fdtd/sources/mode_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "core/error.hpp"
#include "fdtd/sources/faces.hpp"
#include "fdtd/sources/lagrange.hpp"
#include "fdtd/sources/local.hpp"
#include "fdtd/sources/mode_band.hpp"
#include "fdtd/sources/mode_rim.hpp"
#include "fdtd/sources/mode_solver.hpp"
#include "fdtd/sources/response.hpp"
#include "fdtd/sources/tables.hpp"

namespace umov::fdtd {
namespace {

/// Steps of a pulse that are responded to at once. The factors are polynomials over its band, which are large
/// far from it: a piece that fades within a few periods would leave charges of the magnetic field behind, and
/// they a static field.
constexpr long longest_piece = 1 << 17;

/// One mode followed over frequency.
using Family = std::vector<ModeProfile>;

double scalar_product(const ModeProfile& a, const ModeProfile& b) {
  double sum = 0;
  for (std::size_t e = 0; e < a.electric.size(); ++e)
    for (std::size_t i = 0; i < a.electric[e].values.size(); ++i)
      sum += a.electric[e].values[i] * b.electric[e].values[i];
  return sum;
}

/// The guided mode at another frequency that looks most like a known one, with the same sign; none if the
/// likeness is poor. Further ones are solved for only where the nearest might be another mode.
std::optional<ModeProfile> follow(const Problem& p, const ModePlane& plane, double f,
                                  const ModeProfile& known) {
  constexpr double least = 0.5, sure = 0.9;
  std::optional<ModeProfile> best;
  double likeness = least;
  for (const int count : {1, 4}) {
    for (auto& m : guided_modes(p, plane, f, count, known.n_eff)) {
      const double c =
          scalar_product(m, known) / std::sqrt(scalar_product(m, m) * scalar_product(known, known));
      if (std::abs(c) <= likeness) continue;
      likeness = std::abs(c);
      if (c < 0)
        for (auto* side : {&m.electric, &m.magnetic})
          for (auto& part : *side)
            for (double& v : part.values) v = -v;
      best = std::move(m);
    }
    if (likeness > sure) break;
  }
  return best;
}

/// The mode at the carrier and, for a pulse, at Chebyshev's points of the band where it has a spectrum.
Family solve_family_anew(const SourceSpec& spec, const Problem& p, const ModePlane& plane,
                         const std::string& owner) {
  const Waveform& w = spec.waveform;
  const double f = peak_frequency(w);
  Family family{solve_mode(p, plane, f, spec.mode, spec.index_guess, owner)};
  if (w.kind != Waveform::Kind::gaussian || w.width < 1e-3) return family;
  const double reach = std::min(2.5 * w.width, 0.8);
  const int side = dimensions(p.grid.mode) == 3 ? 1 : 2;
  const int points = 2 * side + 1;
  for (int q = 0; q < points; ++q) {
    if (q == side) continue;
    const double at = f * (1 + reach * std::cos(pi * (q + 0.5) / points));
    if (auto m = follow(p, plane, at, family.front())) family.push_back(std::move(*m));
  }
  std::sort(family.begin(), family.end(),
            [](const ModeProfile& a, const ModeProfile& b) { return a.frequency < b.frequency; });
  return family;
}

Family solve_family(const SourceSpec& spec, const Problem& p, const ModePlane& plane,
                    const std::string& owner) {
  const Waveform& w = spec.waveform;
  const double f = peak_frequency(w), reach = std::min(2.5 * w.width, 0.8);
  const std::vector<double> numbers{-1,  // of no monitor
                                    double(spec.mode),
                                    spec.index_guess.value_or(-1),
                                    f,
                                    w.width,
                                    double(w.kind == Waveform::Kind::gaussian)};
  return remembered_modes(p, plane, numbers, f * (1 - reach), f * (1 + reach),
                          [&] { return solve_family_anew(spec, p, plane, owner); });
}

/// Weights of the family's modes at f.
std::vector<double> shares(const Family& family, double f) {
  std::vector<double> points;
  for (const ModeProfile& m : family) points.push_back(m.frequency);
  return lagrange_weights(points, f);
}

/// Columns 0 .. n-1 hold E on the plane at the start of a step, columns n .. 2n-1 the transverse H half a
/// cell before the plane, in the middle of the step. `beyond`: of the nodes' plane, from the one asked for,
/// the way the mode travels.
Propagation propagation(const Family& family, double dt, double beyond, double w) {
  Propagation out;
  out.gain = 1;
  const auto weights = shares(family, std::abs(w) / (2 * pi));
  double beta = 0;
  for (std::size_t q = 0; q < family.size(); ++q) beta += weights[q] * family[q].beta;
  const double earlier = std::copysign(beta, w) * family.front().dx / 2 + w * dt / 2;
  const cplx here = beyond == 0 ? 1 : std::polar(1.0, std::copysign(beta, w) * beyond);
  for (const double x : weights) out.factor.push_back(x * here);
  for (const double x : weights) out.factor.push_back(x * here * std::polar(1.0, -earlier));
  return out;
}

/// Values of one component of a profile by cell.
std::unordered_map<index_t, double> values_of(const ModeProfile& m, Component c) {
  std::unordered_map<index_t, double> map;
  for (const auto* side : {&m.electric, &m.magnetic})
    for (const auto& part : *side)
      if (part.component == c)
        for (std::size_t i = 0; i < part.cells.size(); ++i) map[part.cells[i]] = part.values[i];
  return map;
}

/// The group of one crossing; `facing` turns H for travel towards -axis.
SourceGroup make_group(const Problem& p, const Face& face, const Crossing& x, const Family& family,
                       const TablePair& tables) {
  SourceGroup group;
  group.component = x.target;
  group.table = tables.real;
  group.table_imag = tables.imag;
  group.taps = int(family.size());
  const bool of_h = !is_electric(x.incident);
  const double facing = of_h && face.side == 1 ? -1 : 1;
  std::vector<std::unordered_map<index_t, double>> values;
  for (const ModeProfile& m : family) values.push_back(values_of(m, x.incident));
  const Layout layout(p.grid);
  for (std::size_t i = 0; i < x.cells.size(); ++i) {
    Int3 on_plane = x.incident_cells[i];
    on_plane[face.axis] = face.node;
    const index_t key = layout.at(on_plane), cell = layout.at(x.cells[i]);
    const double drive =
        coefficients_at(p, x.target, cell).drive * p.grid.rate(x.target, face.axis, x.cells[i][face.axis]);
    if (drive == 0 || !values.front().count(key)) continue;
    group.cells.push_back(cell);
    group.columns.push_back(of_h ? int(family.size()) : 0);
    for (const auto& v : values) {
      group.weights.push_back(facing * x.sign * drive * v.at(key));
      if (p.complex_fields) group.weights_imag.push_back(0);
    }
  }
  return group;
}

/// What the curls that `from` completes give to another component through off-diagonal permittivities.
SourceGroup off_diagonal(const Problem& p, const SourceGroup& from, Component to) {
  SourceGroup group = from;
  group.component = to;
  group.cells.clear();
  group.columns.clear();
  group.weights.clear();
  group.weights_imag.clear();
  const Layout layout(p.grid);
  std::unordered_map<index_t, std::size_t> points;
  for (std::size_t i = 0; i < from.cells.size(); ++i) points.emplace(from.cells[i], i);
  const int other = (from.component - to + 3) % 3 - 1;
  for (const TensorTerm& term : p.tensor[to])
    for (int end = 0; end < 2; ++end)
      for (const int back : {0, 1}) {
        const auto point =
            points.find(term.cell + end * layout.stride(to) - back * layout.stride(from.component));
        if (point == points.end()) continue;
        const double drive = coefficients_at(p, from.component, point->first).drive;
        const double share = share_in_node(p.grid, axis_of(from.component), point->first, back);
        group.cells.push_back(term.cell);
        group.columns.push_back(from.columns[point->second]);
        for (int q = 0; q < from.taps; ++q)
          group.weights.push_back(from.weights[point->second * from.taps + q] * term.w[other][end] * share /
                                  drive);
      }
  if (p.complex_fields) group.weights_imag.assign(group.weights.size(), 0);
  return group;
}

}  // namespace

void add_mode(const SourceSpec& spec, const Signal& signal, const std::string& owner, Problem& p) {
  const ModePlane plane = mode_plane(p, spec.center, spec.size, owner);
  if (spec.direction != 1 && spec.direction != -1)
    throw BadInput(fmt::format("{}: direction is {} (a mode travels up or down its axis); give 1 or -1",
                               owner, spec.direction));
  const Family family = solve_family(spec, p, plane, owner);
  // Of the carrier's mode: at the band's low end there is hardly any power.
  const auto carrier = std::ranges::min_element(
      family, {}, [f = peak_frequency(spec.waveform)](const auto& m) { return std::abs(m.frequency - f); });
  if (std::string doubt = rim_warning(p, plane, *carrier, owner); !doubt.empty())
    p.doubts.push_back(std::move(doubt));
  ResponseTable::Setup setup;
  setup.dt = p.grid.dt;
  setup.slowness = setup.slowest = 0;
  setup.real = !p.complex_fields;
  setup.block = longest_piece, setup.overlap = longest_piece / 16;
  for (int kind = 0; kind < 2 * int(family.size()); ++kind) setup.columns.push_back({0, kind});
  const double off = p.grid.place(plane.axis, plane.lo[plane.axis]) - spec.center[plane.axis];
  const double beyond = std::abs(off) > 1e-9 * p.grid.edge(plane.axis, plane.lo[plane.axis])
                            ? off * spec.direction
                            : 0;  // rounding
  setup.propagation = [family, dt = p.grid.dt, beyond](double w) {
    return propagation(family, dt, beyond, w);
  };
  const auto table = std::make_shared<ResponseTable>(signal, std::move(setup));
  const auto tables = add_tables(p, 2 * int(family.size()), [table](long first, long steps, cplx* out) {
    table->fill(first, steps, out);
  });
  const Face face{plane.axis, spec.direction > 0 ? 0 : 1, plane.lo[plane.axis], plane.lo, plane.hi};
  for (const Crossing& x : crossings(p, face)) {
    const auto group = make_group(p, face, x, family, tables);
    if (group.cells.empty()) continue;
    p.sources.push_back(group);
    for (int c = 0; is_electric(x.target) && c < 3; ++c)
      if (c != x.target && c != face.axis && has_component(p.grid.mode, c))
        if (auto more = off_diagonal(p, group, Component(c)); !more.cells.empty())
          p.sources.push_back(std::move(more));
  }
}

}  // namespace umov::fdtd
