// From far-field sums to amplitude and Mueller matrices.
#include "dda/observables/scattering.hpp"

namespace umov::dda {
namespace {

constexpr cplx imaginary{0, 1};

Vec3 combine(double a, const Vec3& u, double b, const Vec3& v) { return a * u + b * v; }

/// Angle from 0 to 180 and azimuth of what lies `turn` degrees from the propagation direction towards
/// `azimuth`.
void set_scattering_angle(Observation& o, double turn, double azimuth) {
  turn = std::remainder(turn, 360);
  if (std::abs(turn - std::round(turn)) < 1e-10) turn = std::round(turn);
  o.scattering_angle = std::abs(turn);
  o.phi = turn < 0 && turn > -180 ? azimuth + 180 : azimuth;
}

}  // namespace

double voxel_form_factor(const FarFieldScale& scale, const Vec3& n) {
  if (scale.formula != ScatteringFormula::igt_so) return 1;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double x = scale.wavenumber * scale.spacing[i] * n[i];
    sum += x * x;
  }
  return 1 - sum / 24;
}

CVec3 scattering_amplitude(const FarFieldScale& scale, const Vec3& n, const CVec3& sum) {
  const double k = scale.wavenumber;
  const cplx factor(0, -k * k * k * voxel_form_factor(scale, n));
  const cplx along = dot(sum, n);
  CVec3 f;
  for (int i = 0; i < 3; ++i) f[i] = factor * (sum[i] - along * n[i]);
  return f;
}

int default_theta_intervals(std::size_t sites) {
  if (sites < 1000) return 90;
  if (sites < 10000) return 180;
  return sites < 100000 ? 360 : 720;
}

std::vector<Observation> observe_plane(const BeamFrame& f, Plane plane, int intervals, bool full_circle,
                                       double alpha) {
  const double c = std::cos(alpha * degree), s = std::sin(alpha * degree);
  Vec3 axis, side, per;
  double incidence = 0, azimuth = 90;
  if (plane == Plane::yz) {
    axis = f.propagation;
    side = combine(s, f.pol_x, c, f.pol_y);
    per = combine(c, f.pol_x, -s, f.pol_y);
  } else {
    axis = f.ez_lab;
    // the plane itself is fixed in the laboratory unless the basis turns, which only averaging does (then
    // propagation is along ez_lab)
    side = alpha == 0 ? f.plane_x : combine(c, f.pol_x, -s, f.pol_y);
    per = combine(-s, f.pol_x, -c, f.pol_y);
    incidence = std::atan2(dot(f.propagation, f.plane_x), dot(f.propagation, f.ez_lab)) / degree;
    azimuth = 0;
  }
  std::vector<Observation> rows(full_circle ? 2 * intervals : intervals + 1);
  const double step = 180.0 / intervals;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double theta = i * step;
    rows[i] = {theta, 0, combine(std::cos(theta * degree), axis, std::sin(theta * degree), side), per};
    set_scattering_angle(rows[i], theta - incidence, azimuth);
  }
  return rows;
}

std::vector<Observation> observe_grid(const BeamFrame& f, const ScatteringGrid& grid) {
  std::vector<Observation> rows;
  rows.reserve(grid.size());
  auto add = [&](double theta, double phi) {
    const double ct = std::cos(theta * degree), st = std::sin(theta * degree);
    const double cp = std::cos(phi * degree), sp = std::sin(phi * degree);
    const Vec3 n = combine(ct, f.propagation, st, combine(cp, f.pol_x, sp, f.pol_y));
    rows.push_back({theta, phi, n, combine(sp, f.pol_x, -cp, f.pol_y)});
    rows.back().scattering_angle = std::abs(std::remainder(theta, 360));
  };
  if (grid.pairs) {
    for (std::size_t i = 0; i < grid.theta.size(); ++i) add(grid.theta[i], grid.phi[i]);
  } else {
    for (double theta : grid.theta) {
      for (double phi : grid.phi) add(theta, phi);
    }
  }
  return rows;
}

std::vector<CVec3> observed_amplitudes(const FarFieldSums& sums, const FarFieldScale& scale,
                                       const BeamFrame& frame, std::span<const Observation> observations,
                                       bool turned) {
  std::vector<Vec3> n(observations.size());
  for (std::size_t i = 0; i < n.size(); ++i) {
    n[i] = turned ? quarter_turn(frame, observations[i].n) : observations[i].n;
  }
  std::vector<CVec3> f(n.size());
  sums(n, f);
  for (std::size_t i = 0; i < n.size(); ++i) {
    f[i] = scattering_amplitude(scale, n[i], f[i]);
    if (turned) f[i] = quarter_turn_back(frame, f[i]);
  }
  return f;
}

Amplitude amplitude_matrix(const BeamFrame& frame, const Observation& o, const CVec3& f_y, const CVec3& f_x) {
  const Vec3 par = cross(o.n, o.per), par_incident = cross(frame.propagation, o.per);
  // by linearity, the incident wave polarized along u scatters (u.pol_x) f_x + (u.pol_y) f_y
  auto element = [&](const Vec3& scattered, const Vec3& u) {
    return dot(u, frame.pol_x) * dot(f_x, scattered) + dot(u, frame.pol_y) * dot(f_y, scattered);
  };
  return {element(o.per, o.per), element(par, par_incident), element(par, o.per),
          element(o.per, par_incident)};
}

Mueller mueller_matrix(const Amplitude& s) {
  const auto [s1, s2, s3, s4] = s;
  const double a1 = std::norm(s1), a2 = std::norm(s2), a3 = std::norm(s3), a4 = std::norm(s4);
  const cplx p23 = s2 * std::conj(s3), p14 = s1 * std::conj(s4), p24 = s2 * std::conj(s4),
             p13 = s1 * std::conj(s3), p12 = s1 * std::conj(s2), p34 = s3 * std::conj(s4);
  return {0.5 * (a1 + a2 + a3 + a4), 0.5 * (a2 - a1 + a4 - a3), (p23 + p14).real(), (p23 - p14).imag(),
          0.5 * (a2 - a1 + a3 - a4), 0.5 * (a1 + a2 - a3 - a4), (p23 - p14).real(), (p23 + p14).imag(),
          (p24 + p13).real(),        (p24 - p13).real(),        (p12 + p34).real(), -(p12 + p34).imag(),
          (p13 - p24).imag(),        -(p24 + p13).imag(),       (p12 - p34).imag(), (p12 - p34).real()};
}

std::vector<ScatteringRow> scattering_rows(const BeamFrame& frame, std::span<const Observation> observations,
                                           std::span<const CVec3> f_y, std::span<const CVec3> f_x) {
  std::vector<ScatteringRow> rows(observations.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Observation& o = observations[i];
    rows[i].theta = o.theta;
    rows[i].phi = o.phi;
    rows[i].scattering_angle = o.scattering_angle;
    rows[i].amplitude = amplitude_matrix(frame, o, f_y[i], f_x[i]);
    rows[i].mueller = mueller_matrix(rows[i].amplitude);
    rows[i].e_y = frame.to_lab(f_y[i]);
    rows[i].e_x = frame.to_lab(f_x[i]);
    for (int c = 0; c < 3; ++c) {
      rows[i].e_y[c] *= imaginary;
      rows[i].e_x[c] *= imaginary;
    }
  }
  return rows;
}

}  // namespace umov::dda
