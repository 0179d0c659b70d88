// The source groups of a beam: one face between total and scattered field, with the fields of the beam at the
// frequencies of the pulse.
#include "fdtd/sources/beam_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "fdtd/sources/band.hpp"
#include "fdtd/sources/beam_field.hpp"
#include "fdtd/sources/faces.hpp"
#include "fdtd/sources/kind.hpp"
#include "fdtd/sources/lagrange.hpp"
#include "fdtd/sources/local.hpp"
#include "fdtd/sources/node_plane.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/sources/plane_wave_faces.hpp"
#include "fdtd/sources/response.hpp"
#include "fdtd/sources/tables.hpp"

namespace umov::fdtd {
namespace {

/// Largest error between the frequencies, of the carrier's largest field.
constexpr double interpolated = 1e-4;
constexpr int most_frequencies = 65;
/// Share of the spectrum that is evanescent, or of the field at the plane's rim, that is warned of.
constexpr double thinnest = 0.01;

/// The nodes of the beam's plane, between the absorbing layers.
Face face_of(const SourceSpec& spec, const Problem& p, const Vec3& travel, const std::string& owner) {
  PlaneLimits limits{"beam", {0, 0, 0}, {0, 0, 0}, "into the absorbing layers or out of the domain"};
  for (int a = 0; a < 3; ++a) {
    limits.first[a] = p.pml[a][0].layers;
    limits.last[a] = p.grid.cells[a] - p.pml[a][1].layers;
  }
  const NodePlane plane = node_plane(p.grid, spec.center, spec.size, owner, limits);
  const int axis = plane.axis;
  if (std::abs(travel[axis]) < std::cos(85 * pi / 180))
    throw BadInput(fmt::format(
        "{}: the beam travels along its plane, across {} (it hardly passes it: 85 degrees from the normal "
        "at most); turn theta or phi, or give the plane another orientation",
        owner, "xyz"[axis]));
  return {axis, travel[axis] > 0 ? 0 : 1, plane.lo[axis], plane.lo, plane.hi};
}

/// Fields at the points of all crossings, one after the other, at one frequency.
using Fields = std::vector<cplx>;

struct Frequencies {
  std::vector<double> points;  ///< c / unit, ascending
  std::vector<Fields> fields;
};

std::array<Int3, 2> corners(const std::vector<Int3>& cells) {
  std::array<Int3, 2> box{cells.front(), cells.front()};
  for (const Int3& cell : cells)
    for (int a = 0; a < 3; ++a)
      box[0][a] = std::min(box[0][a], cell[a]), box[1][a] = std::max(box[1][a], cell[a]);
  return box;
}

Fields fields_at(const BeamField& beam, const std::vector<Crossing>& all, int axis) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  Fields out;
  for (const Crossing& x : all) {
    if (x.cells.empty()) continue;
    const auto [lo, hi] = corners(x.incident_cells);
    const auto values = beam.values(x.incident, lo, hi);
    for (const Int3& cell : x.incident_cells)
      out.push_back(values[std::size_t(cell[c] - lo[c]) * (hi[b] - lo[b] + 1) + (cell[b] - lo[b])]);
  }
  return out;
}

/// How far what the frequencies make of f is from the beam itself, relative to the largest field.
double miss(const Frequencies& known, const Fields& exact, double f) {
  const auto weights = lagrange_weights(known.points, f);
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    cplx sum = 0;
    for (std::size_t q = 0; q < weights.size(); ++q) sum += weights[q] * known.fields[q][i];
    most = std::max(most, std::abs(sum - exact[i])), largest = std::max(largest, std::abs(exact[i]));
  }
  return largest > 0 ? most / largest : 0;
}

/// The beam at Chebyshev's points of the band of a pulse, as many as it takes; of a wave at its frequency.
template <class At>
Frequencies frequencies_of(const SourceSpec& spec, const std::string& owner, const At& at) {
  const double f = peak_frequency(spec.waveform);
  const auto [low, high] = band_above(spec.waveform, absent_share);
  if (spec.waveform.kind == Waveform::Kind::continuous || high - low < 1e-6 * f) return {{f}, {at(f)}};
  const double from = std::max(low, 0.02 * f);
  for (int count = 5;; count = 2 * count - 1) {
    Frequencies all;
    for (int q = 0; q < count; ++q)
      all.points.push_back(0.5 * (from + high) - 0.5 * (high - from) * std::cos(pi * q / (count - 1)));
    for (const double point : all.points) all.fields.push_back(at(point));
    double worst = 0;
    for (const int q : {0, count / 4, count / 2}) {
      const double between = 0.5 * (all.points[q] + all.points[q + 1]);
      worst = std::max(worst, miss(all, at(between), between) * relative_strength(spec.waveform, between));
    }
    if (worst < interpolated) return all;
    if (2 * count - 1 > most_frequencies)
      throw BadInput(
          fmt::format("{}: the beam changes too fast over the band of its pulse, {:.4g} to {:.4g} (a wide "
                      "plane at a slant); "
                      "give the pulse a smaller width, the plane a smaller size, or turn it towards the beam",
                      owner, from, high));
  }
}

/// Columns: E of each frequency and E times i, then H, half a step later.
Propagation propagation(const std::vector<double>& points, double dt, double w) {
  Propagation out;
  out.gain = 1;
  const auto weights = lagrange_weights(points, std::abs(w) / (2 * pi));
  for (const cplx time : {cplx(1), std::polar(1.0, -w * dt / 2)})
    for (const cplx turn : {cplx(1), cplx(0, std::copysign(1.0, w))})
      for (const double x : weights) out.factor.push_back(x * turn * time);
  return out;
}

/// The group of one crossing, whose fields begin at `first`.
SourceGroup make_group(const Problem& p, const Crossing& x, const Frequencies& beam, std::size_t first,
                       const TablePair& tables) {
  const int count = int(beam.points.size());
  SourceGroup group;
  group.component = x.target;
  group.table = tables.real;
  group.table_imag = tables.imag;
  group.taps = 2 * count;
  const Layout layout(p.grid);
  for (std::size_t i = 0; i < x.cells.size(); ++i) {
    const index_t cell = layout.at(x.cells[i]);
    const double strength = x.sign * coefficients_at(p, x.target, cell).drive;
    group.cells.push_back(cell);
    group.columns.push_back(is_electric(x.incident) ? 0 : 2 * count);
    for (const bool imaginary : {false, true})
      for (int q = 0; q < count; ++q) {
        const cplx value = beam.fields[q][first + i];
        group.weights.push_back(strength * (imaginary ? value.imag() : value.real()));
      }
  }
  return group;
}

/// Largest field at the rim of the plane over the largest of all, of the components in it.
double at_rim(const std::vector<Crossing>& all, const Fields& fields, const Face& face) {
  double rim = 0, largest = 0;
  std::size_t at = 0;
  for (const Crossing& x : all)
    for (const Int3& cell : x.incident_cells) {
      const double here = std::abs(fields[at++]);
      if (!is_electric(x.incident)) continue;
      largest = std::max(largest, here);
      for (int a = 0; a < 3; ++a)
        if (a != face.axis && face.hi[a] > face.lo[a] && (cell[a] <= face.lo[a] || cell[a] >= face.hi[a] - 1))
          rim = std::max(rim, here);
    }
  return largest > 0 ? rim / largest : 0;
}

}  // namespace

double beam_delay(const SourceSpec& spec, const Grid& g, double index) {
  const Vec3 way = travel_of(spec, g);
  double ahead = 0;
  for (int a = 0; a < dimensions(g.mode); ++a) ahead += std::abs(way[a]) * spec.size[a] / 2;
  return std::ceil(ahead * index / g.dt) * g.dt;
}

double beam_delay(const SourceSpec& spec, const Problem& p) {
  Int3 cell{0, 0, 0};
  for (int a = 0; a < dimensions(p.grid.mode); ++a)
    cell[a] =
        std::clamp(int(std::lround((spec.center[a] - p.grid.origin[a]) / p.grid.dx)), 0, p.grid.cells[a] - 1);
  const Component c = has_component(p.grid.mode, Ez) ? Ez : Ex;
  const double drive = coefficients_at(p, c, Layout(p.grid).at(cell)).drive;
  return beam_delay(spec, p.grid, drive > 0 ? std::sqrt(p.grid.dt / p.grid.dx / drive) : 1);
}

void add_beam(const SourceSpec& spec, const Signal& signal, const std::string& owner, Problem& p) {
  if (p.complex_fields)
    throw BadInput(owner + ": a beam between Bloch walls (it would be a row of beams); use absorbing layers");
  const BeamSpec& own = spec.own<BeamSpec>();
  const WaveDirection way = wave_direction(spec, p.grid, owner);
  const Face face = face_of(spec, p, way.travel, owner);
  const auto medium = uniform_medium(p, {face}, owner);
  Beam beam{way.travel,         way.polarization, spec.center, own.waist_radius,
            own.waist_distance, medium[0],        medium[1]};
  beam.center[face.axis] = p.grid.origin[face.axis] + face.node * p.grid.dx;
  double reach = 0;
  for (int a = 0; a < 3; ++a)
    if (a != face.axis && p.grid.active(a)) reach = std::max(reach, spec.size[a] / 2 + p.grid.dx);
  const auto all = crossings(p, face);
  const auto field = [&](double f) { return BeamField(p.grid, beam, face.axis, reach, 2 * pi * f); };
  const double f = peak_frequency(spec.waveform), wavelength = 1 / (f * std::sqrt(medium[0] * medium[1]));
  const BeamField carrier = field(f);
  if (carrier.missing() > 0.5)
    throw BadInput(
        fmt::format("{}: waist_radius is {:g}, {:.2g} of the wavelength there (no beam is so narrow); give "
                    "half a wavelength or more",
                    owner, own.waist_radius, own.waist_radius / wavelength));
  const Frequencies frequencies =
      frequencies_of(spec, owner, [&](double f) { return fields_at(field(f), all, face.axis); });
  if (carrier.missing() > thinnest)
    p.doubts.push_back(
        fmt::format("{}: a waist of {:.2g} wavelengths takes waves that do not pass the plane ({:.2g} of its "
                    "spectrum): the beam is wider than asked for, and weaker",
                    owner, own.waist_radius / wavelength, carrier.missing()));
  if (const double rim = at_rim(all, fields_at(carrier, all, face.axis), face); rim > thinnest)
    p.doubts.push_back(
        fmt::format("{}: at the rim of its plane the beam still has {:.2g} of its largest field (what is "
                    "cut off diffracts); make the plane larger, or bring it nearer to the waist",
                    owner, rim));

  const int columns = 4 * int(frequencies.points.size());
  ResponseTable::Setup setup;
  setup.dt = p.grid.dt;
  setup.slowness = setup.slowest = 0;
  setup.lead = std::lround(beam_delay(spec, p) / p.grid.dt);
  for (int kind = 0; kind < columns; ++kind) setup.columns.push_back({0, kind});
  setup.propagation = [points = frequencies.points, dt = p.grid.dt](double w) {
    return propagation(points, dt, w);
  };
  const auto table = std::make_shared<ResponseTable>(signal, std::move(setup));
  const auto tables =
      add_tables(p, columns, [table](long first, long steps, cplx* out) { table->fill(first, steps, out); });
  std::size_t first = 0;
  for (const Crossing& x : all) {
    if (x.cells.empty()) continue;
    p.sources.push_back(make_group(p, x, frequencies, first, tables));
    first += x.cells.size();
  }
}

}  // namespace umov::fdtd
