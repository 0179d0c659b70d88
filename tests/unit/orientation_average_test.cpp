// Orientation averaging with a dense solver of its own must give ADDA's averages.
#include "dda/observables/orientation_average.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "adda_samples.hpp"

using namespace umov;
using namespace umov::dda;

namespace {

/// Solves a x = b in place by elimination with row exchanges; a is n x n, row by row.
std::vector<cplx> solve_dense(std::vector<cplx> a, std::vector<cplx> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t best = i;
    for (std::size_t r = i; r < n; ++r) {
      if (std::abs(a[r * n + i]) > std::abs(a[best * n + i])) best = r;
    }
    for (std::size_t c = 0; c < n; ++c) std::swap(a[i * n + c], a[best * n + c]);
    std::swap(b[i], b[best]);
    for (std::size_t r = i + 1; r < n; ++r) {
      const cplx f = a[r * n + i] / a[i * n + i];
      for (std::size_t c = i; c < n; ++c) a[r * n + c] -= f * a[i * n + c];
      b[r] -= f * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) b[i] -= a[i * n + c] * b[c];
    b[i] /= a[i * n + i];
  }
  return b;
}

/// The box of 2 x 3 x 2 dipoles, m = 1.5 + 0.1i, Clausius-Mossotti, lambda = 4 um, 6 dipoles per wavelength.
struct SmallBox {
  double k = 2 * pi / 4, d = 4.0 / 6;
  cplx m{1.5, 0.1}, alpha = 3 * d * d * d / (4 * pi) * (m * m - 1.0) / (m * m + 2.0);
  std::vector<Vec3> r;

  SmallBox() {
    for (int z = 0; z < 2; ++z) {
      for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 2; ++x) r.push_back({d * (x - 0.5), d * (y - 1), d * (z - 0.5)});
      }
    }
  }

  /// P/alpha - (field of the other dipoles) = E_inc (Draine and Flatau 1994).
  samples::Dipoles solve(const Vec3& prop, const Vec3& e0) const {
    const std::size_t n = 3 * r.size();
    std::vector<cplx> a(n * n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      b[i] = e0[i % 3] * std::polar(1.0, k * dot(prop, r[i / 3]));
      for (std::size_t j = 0; j < n; ++j) a[i * n + j] = i == j ? 1.0 / alpha : -field(i, j);
    }
    const auto p = solve_dense(a, b);
    samples::Dipoles out{r, {}};
    for (std::size_t j = 0; j < r.size(); ++j) out.p.push_back({p[3 * j], p[3 * j + 1], p[3 * j + 2]});
    return out;
  }

  cplx field(std::size_t i, std::size_t j) const {
    if (i / 3 == j / 3) return 0;
    const Vec3 sep = r[i / 3] - r[j / 3];
    const double s = norm(sep), nn = sep[i % 3] * sep[j % 3] / (s * s), unit = i % 3 == j % 3 ? 1 : 0;
    return std::polar(1.0, k * s) *
           (k * k / s * (unit - nn) + cplx(1 / (s * s * s), -k / (s * s)) * (3 * nn - unit));
  }
};

void expect_average(const std::string& folder, Plane plane) {
  const SmallBox box;
  const FarFieldScale scale{.wavenumber = box.k};
  AverageRequest request;
  request.angles = load_orientation_angles(samples::data("average.dat"));
  request.plane = plane;
  request.theta_intervals = 6;
  const CVec3 alpha{box.alpha, box.alpha, box.alpha}, m{box.m, box.m, box.m};
  const auto multipliers = absorption_multipliers(ScatteringFormula::draine, box.k, std::pow(box.d, 3),
                                                  std::span(&alpha, 1), std::span(&m, 1));
  const auto result = average_over_orientations(request, [&](double beta, double gamma) {
    Orientation orientation;
    orientation.beta = beta;
    orientation.gamma = gamma;
    OrientedScattering s;
    s.frame = make_beam_frame({0, 0, 1}, orientation);
    auto one = [&](const Vec3& e0) {
      const auto d = box.solve(s.frame.propagation, e0);
      const auto sums = samples::direct_sums(d, box.k);
      CVec3 forward;
      sums(std::span(&s.frame.propagation, 1), std::span(&forward, 1));
      Vec3 norms{0, 0, 0};
      for (const CVec3& p : d.p) {
        for (int c = 0; c < 3; ++c) norms[c] += std::norm(p[c]);
      }
      CrossSections cross;
      cross.cext = extinction_forward(scale, s.frame.propagation, e0, forward);
      cross.cabs = absorption(box.k, multipliers, std::span(&norms, 1));
      return OrientedPolarization{cross, amplitudes_for_alphas(sums, scale, s.frame, request)};
    };
    s.y = one(s.frame.pol_y);
    s.x = one(s.frame.pol_x);
    return s;
  });
  // ten printed digits, the solver's residual of 1e-12 below them
  EXPECT_NEAR(result.cross.cext, samples::quantity(folder + "/CrossSec", "Cext")[0], 2e-9);
  EXPECT_NEAR(result.cross.cabs, samples::quantity(folder + "/CrossSec", "Cabs")[0], 2e-9);
  std::vector<Mueller> mueller;
  for (const auto& row : result.plane) mueller.push_back(row.mueller);
  samples::expect_rows(samples::table(folder + "/mueller"), mueller, 1, 2e-9);
  samples::expect_same_log(samples::text(folder + "/log_orient_avg"), result.log.text, 1e-9);
  EXPECT_TRUE(result.converged);
}

}  // namespace

TEST(OrientationAverage, MatchesAddaInTheYzPlane) { expect_average(samples::data("average"), Plane::yz); }
TEST(OrientationAverage, MatchesAddaInTheLaboratoryPlane) {
  expect_average(samples::data("average_plane"), Plane::scat);
}

TEST(OrientationAverage, CrossSectionsAloneNeedNoAmplitudes) {
  AverageRequest request;
  request.angles = load_orientation_angles(samples::data("average.dat"));
  const auto result = average_over_orientations(request, [](double beta, double) {
    OrientedScattering s;
    s.y.cross.cext = 1 + std::pow(std::cos(beta * pi / 180), 2);
    s.x.cross.cext = s.y.cross.cext + 2;
    s.y.cross.cabs = s.x.cross.cabs = 0.5;
    return s;
  });
  EXPECT_NEAR(result.cross.cext, 1 + 4.0 / 3, 1e-14);
  EXPECT_NEAR(result.cross.cabs, 0.5, 1e-15);
  EXPECT_TRUE(result.plane.empty() && result.grid.empty());
}

TEST(OrientationAverage, VectorsTurnWithAlphaAndEverythingGivenIsAveraged) {
  // A vector (1, 2, 3) for Y and (3, 2, 1) for X at every beta and gamma: its mean (2, 2, 2) turns by alpha.
  // Over a quarter of a turn the mean of cos alpha and of sin alpha is 2/pi, over a full one 0.
  for (const double turn : {90.0, 360.0}) {
    AverageRequest request;
    request.angles.alpha = make_integration_angle(
        {.min = 0, .max = turn, .jmin = 6, .jmax = 6, .equivalent = turn == 360, .periodic = turn == 360},
        false, "");
    request.angles.beta = make_integration_angle({.min = 30, .max = 30}, true, "");
    request.angles.gamma = make_integration_angle({.min = 10, .max = 10}, false, "");
    const auto result = average_over_orientations(request, [](double, double) {
      OrientedScattering s;
      s.y.cross.csca = 1, s.x.cross.csca = 2;
      s.y.cross.csca_g = s.y.cross.cpr = Vec3{1, 2, 3};
      s.x.cross.csca_g = s.x.cross.cpr = Vec3{3, 2, 1};
      s.y.cross.decay = DecayRates{3, 2, 1}, s.x.cross.decay = DecayRates{5, 4, 1};
      return s;
    });
    const double mean = turn == 90 ? 2 / pi : 0;
    for (const auto& v : {result.cross.csca_g, result.cross.cpr}) {
      ASSERT_TRUE(v);
      EXPECT_NEAR((*v)[0], 0, 1e-12);  // 2 cos - 2 sin
      EXPECT_NEAR((*v)[1], 4 * mean, 1e-12);
      EXPECT_DOUBLE_EQ((*v)[2], 2);
    }
    EXPECT_DOUBLE_EQ(*result.cross.csca, 1.5);
    EXPECT_DOUBLE_EQ(result.cross.decay->total, 4);
    EXPECT_FALSE(result.cross.cext_a);
  }
}
