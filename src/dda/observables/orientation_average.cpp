// Orientation averaging: alpha from far fields, beta and gamma from new solutions.
#include "dda/observables/orientation_average.hpp"

#include <algorithm>
#include <cmath>

namespace umov::dda {
namespace {

/// Calls scalar(double&) and vector(Vec3&) for everything that `c` holds, Cext first.
template <class Sections, class Scalar, class Vector>
void visit(Sections& c, const Scalar& scalar, const Vector& vector) {
  scalar(c.cext);
  scalar(c.cabs);
  scalar(c.difference_error);
  if (c.difference) scalar(*c.difference);
  if (c.csca) scalar(*c.csca);
  for (auto* v : {&c.csca_g, &c.cpr, &c.cext_a, &c.csca_g_force})
    if (*v) vector(**v);
  if (!c.decay) return;
  scalar(c.decay->total);
  scalar(c.decay->radiative);
  scalar(c.decay->nonradiative);
}

std::vector<double> to_list(const CrossSections& c) {
  std::vector<double> list;
  visit(
      c, [&](double x) { list.push_back(x); },
      [&](const Vec3& v) { list.insert(list.end(), v.begin(), v.end()); });
  return list;
}

/// The inverse: `like` says what there is.
CrossSections from_list(const CrossSections& like, std::span<const double> list) {
  CrossSections c = like;
  std::size_t i = 0;
  visit(
      c, [&](double& x) { x = list[i++]; },
      [&](Vec3& v) {
        v = {list[i], list[i + 1], list[i + 2]}, i += 3;
      });
  return c;
}

/// Means of cos alpha and sin alpha: how a vector across the beam is averaged over alpha.
std::array<double, 2> mean_turn(const IntegrationAngle& alpha) {
  std::vector<double> data;
  for (const double a : alpha.values) data.insert(data.end(), {std::cos(a * degree), std::sin(a * degree)});
  std::array<double, 2> mean{};
  romberg_average(alpha.axis, 2, data, mean);
  return mean;
}

/// Vectors of both polarizations together turn with the particle; scalars for unpolarized light do not.
CrossSections unpolarized(const OrientedScattering& s, const std::array<double, 2>& turn) {
  const auto y = to_list(s.y.cross), x = to_list(s.x.cross);
  std::vector<double> mean(y.size());
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (y[i] + x[i]) / 2;
  CrossSections c = from_list(s.y.cross, mean);
  const auto [cosine, sine] = turn;
  visit(
      c, [](double&) {},
      [&](Vec3& v) {
        v = {cosine * v[0] - sine * v[1], sine * v[0] + cosine * v[1], v[2]};
      });
  return c;
}

/// Mueller matrices in all directions, averaged over alpha.
void average_alpha(const AverageRequest& request, const OrientedScattering& s, std::span<double> result) {
  const auto& alphas = request.angles.alpha.values;
  std::vector<double> data;
  data.reserve(alphas.size() * result.size());
  for (std::size_t a = 0; a < alphas.size(); ++a) {
    const auto rows = average_directions(request, s.frame, alphas[a]);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      const Mueller m =
          mueller_matrix(amplitude_matrix(s.frame, rows[t], s.y.amplitudes[a][t], s.x.amplitudes[a][t]));
      data.insert(data.end(), m.begin(), m.end());
    }
  }
  romberg_average(request.angles.alpha.axis, result.size(), data, result);
}

/// The beam's frame with its polarization basis turned by -alpha.
BeamFrame turned(BeamFrame f, double alpha) {
  const double c = std::cos(alpha * degree), s = std::sin(alpha * degree);
  const Vec3 x = f.pol_x, y = f.pol_y;
  f.pol_x = c * x - s * y;
  f.pol_y = s * x + c * y;
  return f;
}

std::size_t plane_rows(const AverageRequest& r) { return r.theta_intervals ? r.theta_intervals + 1 : 0; }

std::vector<ScatteringRow> tabulate(std::span<const Observation> directions, std::span<const double> values) {
  std::vector<ScatteringRow> rows(directions.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].theta = directions[i].theta;
    rows[i].phi = directions[i].phi;
    rows[i].scattering_angle = directions[i].scattering_angle;
    std::copy_n(values.begin() + 16 * i, 16, rows[i].mueller.begin());
  }
  return rows;
}

}  // namespace

std::vector<Observation> average_directions(const AverageRequest& request, const BeamFrame& frame,
                                            double alpha) {
  std::vector<Observation> rows;
  if (request.theta_intervals)
    rows = observe_plane(frame, request.plane, request.theta_intervals, false, alpha);
  if (!request.grid) return rows;
  const auto grid = observe_grid(turned(frame, alpha), *request.grid);
  rows.insert(rows.end(), grid.begin(), grid.end());
  return rows;
}

std::vector<std::vector<CVec3>> amplitudes_for_alphas(const FarFieldSums& sums, const FarFieldScale& scale,
                                                      const BeamFrame& frame, const AverageRequest& request) {
  std::vector<std::vector<CVec3>> out;
  if (!request.matrices()) return out;
  for (double alpha : request.angles.alpha.values)
    out.push_back(observed_amplitudes(sums, scale, frame, average_directions(request, frame, alpha)));
  return out;
}

OrientationAverage average_over_orientations(const AverageRequest& request, const OrientationSolver& solve,
                                             const OrientationsAhead& ahead) {
  const OrientationAngles& angles = request.angles;
  const auto turn = mean_turn(angles.alpha);
  // The first solution says how many numbers there are to average; it is used where it belongs.
  const double beta = angles.beta.values[0], gamma = angles.gamma.values[0];
  std::optional<OrientedScattering> first = solve(beta, gamma);
  const CrossSections like = first->y.cross;
  const auto directions = average_directions(request, first->frame, 0);
  const std::size_t scalars = to_list(like).size();
  Romberg2dRequest romberg;
  romberg.outer = angles.beta.axis;
  romberg.inner = angles.gamma.axis;
  romberg.outer_name = "BETA";
  romberg.inner_name = "GAMMA";
  romberg.block = scalars + 16 * directions.size();
  // gamma and alpha turn about the same axis at beta = 0 and 180, so the full range of alpha covers gamma
  romberg.single_at_poles = std::abs(angles.alpha.max - angles.alpha.min - 360) < 360e-15;
  if (ahead)
    romberg.announce = [&](std::span<const std::array<std::size_t, 2>> points) {
      std::vector<std::array<double, 2>> list;
      for (const auto& [b, g] : points)
        if (!(b == 0 && g == 0)) list.push_back({angles.beta.values[b], angles.gamma.values[g]});
      ahead(list);
    };
  auto result = romberg_average_2d(romberg, [&](std::size_t b, std::size_t g, std::span<double> value) {
    const bool known = b == 0 && g == 0 && first;
    const OrientedScattering s =
        known ? std::move(*first) : solve(angles.beta.values[b], angles.gamma.values[g]);
    if (known) first.reset();
    const auto list = to_list(unpolarized(s, turn));
    std::copy(list.begin(), list.end(), value.begin());
    if (request.matrices()) average_alpha(request, s, value.subspan(scalars));
  });
  OrientationAverage out;
  out.cross = from_list(like, result.value);
  out.cross_error = from_list(like, result.absolute_errors);
  const std::span<const double> matrices(result.value.data() + scalars, 16 * directions.size());
  const std::size_t in_plane = plane_rows(request);
  const std::span<const Observation> all(directions);
  out.plane = tabulate(all.first(in_plane), matrices.first(16 * in_plane));
  out.grid = tabulate(all.subspan(in_plane), matrices.subspan(16 * in_plane));
  out.log = {"log_orient_avg", std::move(result.log)};
  out.error = result.error;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const std::size_t c = scalars + 16 * i;
    const double error = result.absolute_errors[c] / std::abs(result.value[c]);
    if (error > out.s11_error) out.s11_error = error, out.s11_theta = directions[i].theta;
  }
  out.converged = result.converged;
  return out;
}

}  // namespace umov::dda
