// The source groups of a plane wave: tabulated incident fields and the points that need them.
#include "fdtd/sources/plane_wave_source.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "fdtd/sources/local.hpp"
#include "fdtd/sources/plane_wave_faces.hpp"
#include "fdtd/sources/response.hpp"
#include "fdtd/sources/smooth_step.hpp"
#include "fdtd/sources/tables.hpp"

namespace umov::fdtd {
namespace {

constexpr int points = 8;  ///< of an interpolation

/// Distance travelled along the family's direction by the time the wave is at a component of a cell.
double place_of(const Problem& p, const PlaneWaveSetup& w, const PlaneWaveTiming& t, Component c,
                const Int3& cell) {
  return dot(w.family.along, p.grid.position(c, cell)) - t.first_place;
}

/// The raster of places of each component: columns first[c] .. of spacing dx / 2.
struct Raster {
  double spacing = 0;
  bool exact = true;  ///< all places lie on it
  std::array<long, components> lowest{}, highest{}, first{};
  std::vector<Column> columns;
};

Raster make_raster(const Problem& p, const PlaneWaveSetup& w, const PlaneWaveTiming& t,
                   const std::vector<std::vector<Crossing>>& faces) {
  Raster r;
  r.spacing = p.grid.dx / 2;
  for (int a = 0; a < 3; ++a)
    if (p.grid.graded() && std::abs(w.family.along[a]) == 1) r.spacing = w.family.edge[a] / 2;
  std::array<double, components> lo, hi;
  lo.fill(std::numeric_limits<double>::infinity());
  hi.fill(-lo[0]);
  for (const auto& face : faces)
    for (const Crossing& x : face)
      for (const Int3& cell : x.incident_cells) {
        const double s = place_of(p, w, t, x.incident, cell) / r.spacing;
        lo[x.incident] = std::min(lo[x.incident], s);
        hi[x.incident] = std::max(hi[x.incident], s);
        r.exact = r.exact && std::abs(s - std::round(s)) < 1e-7;
      }
  for (int c = 0; c < components; ++c) {
    if (lo[c] > hi[c]) continue;
    r.lowest[c] = r.exact ? std::lround(lo[c]) : long(std::floor(lo[c])) - (points / 2 - 1);
    r.highest[c] = r.exact ? std::lround(hi[c]) : long(std::floor(hi[c])) + points / 2;
    r.first[c] = long(r.columns.size());
    for (long m = r.lowest[c]; m <= r.highest[c]; ++m) r.columns.push_back({double(m) * r.spacing, c});
  }
  return r;
}

/// Lagrange's weights of the points 0 .. points-1 at u.
std::array<double, points> lagrange(double u) {
  std::array<double, points> weights;
  for (int i = 0; i < points; ++i) {
    weights[i] = 1;
    for (int j = 0; j < points; ++j)
      if (j != i) weights[i] *= (u - j) / double(i - j);
  }
  return weights;
}

/// Fields of one wave with |E| = 1: E along the nominal polarization made perpendicular to K, Omega mu H = K
/// x E. Values of H are wanted half a step later than those of E.
Propagation propagation(const Grid& g, const PlaneWaveSetup& setup, double w, double carrier) {
  Propagation out;
  // A faded piece of a signal may have a part of zero frequency: the limit of slow waves.
  if (w == 0) w = 1e-9 / g.dt;
  const GridWave wave = grid_wave(g, setup.family, w);
  if (!wave.travels) return out;
  out.kappa = wave.kappa;
  out.rate = wave.rate;
  out.gain = plane_wave_gain(g, setup.family, wave, w, carrier);
  if (out.gain == 0) return out;
  const Vec3& e0 = setup.polarization;
  Vec3 e = e0 - (dot(wave.K, e0) / dot(wave.K, wave.K)) * wave.K;
  e = (1 / norm(e)) * e;
  const Vec3 h = (1 / (wave.Omega * setup.family.mu)) * cross(wave.K, e);
  out.factor.resize(components);
  for (int a = 0; a < 3; ++a) {
    out.factor[a] = e[a];
    out.factor[3 + a] = h[a] * std::polar(1.0, -w * g.dt / 2);
  }
  return out;
}

/// The group of one crossing.
SourceGroup make_group(const Problem& p, const PlaneWaveSetup& w, const PlaneWaveTiming& t, const Raster& r,
                       const Crossing& x, int axis, const TablePair& tables) {
  SourceGroup group;
  group.component = x.target;
  group.table = tables.real;
  group.table_imag = tables.imag;
  group.taps = r.exact ? 1 : points;
  const Layout layout(p.grid);
  for (std::size_t i = 0; i < x.cells.size(); ++i) {
    const index_t cell = layout.at(x.cells[i]);
    const double strength =
        x.sign * coefficients_at(p, x.target, cell).drive * p.grid.rate(x.target, axis, x.cells[i][axis]);
    const double s = place_of(p, w, t, x.incident, x.incident_cells[i]) / r.spacing;
    const long base = r.exact ? std::lround(s) : long(std::floor(s)) - (points / 2 - 1);
    const auto weights = lagrange(s - double(base));
    const cplx phase = std::polar(1.0, dot(w.family.fixed, p.grid.position(x.incident, x.incident_cells[i])));
    group.cells.push_back(cell);
    group.columns.push_back(int(r.first[x.incident] + base - r.lowest[x.incident]));
    for (int k = 0; k < group.taps; ++k) {
      const double weight = strength * (r.exact ? 1.0 : weights[k]);
      group.weights.push_back(weight * phase.real());
      if (p.complex_fields) group.weights_imag.push_back(weight * phase.imag());
    }
  }
  return group;
}

}  // namespace

double plane_wave_gain(const Grid& g, const WaveFamily& f, const GridWave& wave, double w, double carrier) {
  const double speed = std::sqrt(f.eps * f.mu) / wave.rate;
  if (norm(f.fixed) == 0) return smooth_step((speed - 0.2) / 0.13)[0];
  const GrazingFade fade(g, f, carrier);
  return fade.gain(std::abs(w)) / fade.gain(carrier) * smooth_step((speed / fade.speed - 0.1) / 0.2)[0];
}

void add_plane_wave(const SourceSpec& spec, const Signal& signal, const std::string& owner, Problem& p) {
  const PlaneWaveSetup wave = plane_wave_setup(spec, p, owner);
  const PlaneWaveTiming timing = plane_wave_timing(p, wave, signal);
  std::vector<std::vector<Crossing>> faces;
  const auto all_faces = plane_wave_faces(wave.box);
  for (const Face& face : all_faces) faces.push_back(crossings(p, face));
  const Raster raster = make_raster(p, wave, timing, faces);

  ResponseTable::Setup setup;
  setup.dt = p.grid.dt;
  setup.slowness = wave.index;
  const bool oblique = norm(wave.family.fixed) > 0;
  setup.slowest =
      wave.index / (oblique ? 0.1 * GrazingFade(p.grid, wave.family, signal.carrier()).speed : 0.2);
  setup.lead = timing.lead;
  setup.real = !p.complex_fields;
  setup.columns = raster.columns;
  setup.propagation = [grid = p.grid, wave, carrier = signal.carrier()](double w) {
    return propagation(grid, wave, w, carrier);
  };
  const auto table = std::make_shared<ResponseTable>(signal, std::move(setup));
  const auto tables = add_tables(p, int(raster.columns.size()), [table](long first, long steps, cplx* out) {
    table->fill(first, steps, out);
  });
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (const Crossing& x : faces[f])
      p.sources.push_back(make_group(p, wave, timing, raster, x, all_faces[f].axis, tables));
}

}  // namespace umov::fdtd
