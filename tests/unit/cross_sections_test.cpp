// Cross sections from ADDA's dipole polarizations must be ADDA's cross sections.
#include "dda/observables/cross_sections.hpp"

#include <gtest/gtest.h>

#include "adda_samples.hpp"

using namespace umov;
using namespace umov::dda;

namespace {

constexpr double printed = 1e-9;  // polarizations come with ten digits

CVec3 isotropic_of_cross_sections(cplx x) { return {x, x, x}; }

double forward_extinction(const samples::Dipoles& d, const FarFieldScale& scale, const BeamFrame& frame,
                          const Vec3& e0) {
  CVec3 sum;
  samples::direct_sums(d, scale.wavenumber)(std::span(&frame.propagation, 1), std::span(&sum, 1));
  return extinction_forward(scale, frame.propagation, e0, sum);
}

Vec3 norms(const samples::Dipoles& d) {
  Vec3 n{0, 0, 0};
  for (const CVec3& p : d.p) {
    for (int c = 0; c < 3; ++c) n[c] += std::norm(p[c]);
  }
  return n;
}

void expect_integrals(const std::string& folder, const samples::Dipoles& d, const BeamFrame& frame,
                      const FarFieldScale& scale, char label, const AllDirections& directions, bool moments,
                      double noise_transverse) {
  const auto result = integrate_scattering(samples::direct_sums(d, scale.wavenumber), scale, frame,
                                           directions, true, moments, label);
  const std::string file = folder + "/CrossSec-" + label;
  const double csca = samples::quantity(file, "Csca")[0];
  EXPECT_NEAR(*result.csca, csca, printed * csca);
  if (moments) {
    const auto g = samples::quantity(file, "Csca.g");
    for (int i = 0; i < 3; ++i) EXPECT_NEAR((*result.csca_g)[i], g[i], printed * csca);
  }
  for (const IntegrationLog& log : result.logs) {
    if (!samples::exists(folder + "/" + log.name)) continue;  // sphere16 keeps two of them
    const bool transverse = log.name.find("asym_x") == 8 || log.name.find("asym_y") == 8;
    samples::expect_same_log(samples::text(folder + "/" + log.name), log.text,
                             transverse ? noise_transverse : 1e-9);
  }
}

}  // namespace

TEST(CrossSections, ObliqueAnisotropicParticleMatchesAdda) {
  const std::string folder = samples::data("oblique");
  const BeamFrame frame = make_beam_frame({1, 2, -1.5}, {});
  const FarFieldScale scale{.wavenumber = 2 * pi / 5};
  const CVec3 m{cplx(1.5, 0.1), cplx(1.4, 0.02), cplx(1.7, 0.2)};
  const CVec3 alpha_y{cplx(0.005336186782, 0.0009896441636), cplx(0.00434604816, 0.0002253646406),
                      cplx(0.007194680039, 0.001774285538)};
  const CVec3 alpha_x{cplx(0.005391103607, 0.001019894215), cplx(0.004380607298, 0.0002299823243),
                      cplx(0.007308698263, 0.001875754765)};
  const double volume = std::pow(5.0 / 12, 3);
  const double radius = 1.602124154 * 5 / (2 * pi);
  for (char label : {'Y', 'X'}) {
    const auto d = samples::dipoles(folder + "/DipPol-" + label);
    const std::string file = folder + "/CrossSec-" + label;
    const double cext = forward_extinction(d, scale, frame, label == 'Y' ? frame.pol_y : frame.pol_x);
    EXPECT_NEAR(cext, samples::quantity(file, "Cext")[0], printed * cext);
    EXPECT_NEAR(efficiency(cext, radius), samples::quantity(file, "Qext")[0], 2 * printed);
    const CVec3& alpha = label == 'Y' ? alpha_y : alpha_x;
    const auto multipliers = absorption_multipliers(ScatteringFormula::draine, scale.wavenumber, volume,
                                                    std::span(&alpha, 1), std::span(&m, 1));
    const Vec3 n = norms(d);
    // the imaginary part of 1/alpha loses up to a digit and a half of the ten that alpha has
    EXPECT_NEAR(absorption(scale.wavenumber, multipliers, std::span(&n, 1)),
                samples::quantity(file, "Cabs")[0], 3e-8);
    expect_integrals(folder, d, frame, scale, label, load_all_directions(samples::data("alldir.dat")), true,
                     1e-9);
  }
}

TEST(CrossSections, VoxelFormFactorEntersExtinctionAndScattering) {
  const std::string folder = samples::data("plane");
  Orientation orientation;
  orientation.alpha = 20;
  orientation.beta = 50;
  orientation.gamma = 110;
  const BeamFrame frame = make_beam_frame({1, 2, 3}, orientation);
  const FarFieldScale scale{2 * pi / 5, ScatteringFormula::igt_so, {5.0 / 24, 5.0 / 16, 5.0 / 12}};
  const auto directions = load_all_directions(samples::data("alldir.dat"));
  for (char label : {'Y', 'X'}) {
    const auto d = samples::dipoles(folder + "/DipPol-" + label);
    const Vec3& e0 = label == 'Y' ? frame.pol_y : frame.pol_x;
    const double cext = forward_extinction(d, scale, frame, e0);
    EXPECT_NEAR(cext, samples::quantity(folder + "/CrossSec-" + label, "Cext")[0], printed);
    cplx sum = 0;
    for (std::size_t j = 0; j < d.p.size(); ++j) {
      sum += dot(d.p[j], e0) * std::polar(1.0, -scale.wavenumber * dot(frame.propagation, d.r[j]));
    }
    EXPECT_NEAR(extinction_from_sum(scale, frame.propagation, sum), cext, 1e-12);
    expect_integrals(folder, d, frame, scale, label, directions, false, 1e-9);
  }
}

TEST(CrossSections, AbsorptionByDraineAndByFiniteDipolesMatchAdda) {
  const CVec3 alpha = isotropic_of_cross_sections({0.001354415172, 0.0002364563844}),
              m = isotropic_of_cross_sections({1.5, 0.1});
  const double k = 2 * pi / 4;
  // 32 dipoles fill the sphere of this size parameter
  const double volume = 4 * pi / 3 * std::pow(0.8231508642 / k, 3) / 32;
  const auto d = samples::dipoles(samples::data("turned_yz/DipPol-Y"));
  const Vec3 n = norms(d);
  auto cabs = [&](ScatteringFormula formula) {
    return absorption(k, absorption_multipliers(formula, k, volume, std::span(&alpha, 1), std::span(&m, 1)),
                      std::span(&n, 1));
  };
  EXPECT_NEAR(cabs(ScatteringFormula::finite_dipole),
              samples::quantity(samples::data("turned_yz/CrossSec-Y"), "Cabs")[0], 1e-9);
  EXPECT_NEAR(cabs(ScatteringFormula::draine),
              samples::quantity(samples::data("turned_plane/CrossSec-Y"), "Cabs")[0], 1e-9);
}

TEST(CrossSections, OnlyAnUnshiftedPlaneWaveUsesTheForwardAmplitude) {
  Beam beam;
  EXPECT_TRUE(extinction_is_forward(beam));
  beam.center = {0, 0.1, 0};
  EXPECT_FALSE(extinction_is_forward(beam));
  Beam source;
  source.kind = BeamKind::dipole;
  EXPECT_FALSE(extinction_is_forward(source));
}

TEST(CrossSections, DipoleBeamGivesAddasExtinctionAndDecayRates) {
  const double k = 2 * pi / 4;
  const auto d = samples::dipoles(samples::data("source/DipPol-Y"));
  const auto beam = samples::dipoles(samples::data("source/IncBeam-Y")).p;
  const std::string file = samples::data("source/CrossSec-Y");
  cplx sum = 0;
  for (std::size_t j = 0; j < d.p.size(); ++j) {
    for (int c = 0; c < 3; ++c) sum += d.p[j][c] * std::conj(beam[j][c]);
  }
  const BeamFrame frame = make_beam_frame({1, 2, 3}, {});
  EXPECT_NEAR(extinction_from_sum({.wavenumber = k}, frame.propagation, sum),
              samples::quantity(file, "Cext")[0], printed);
  const DecayRates rates = decay_rates(k, d.p, beam, samples::quantity(file, "Cabs")[0]);
  EXPECT_NEAR(rates.total, samples::quantity(file, "Total")[0], printed);
  EXPECT_NEAR(rates.radiative, samples::quantity(file, "Radiat")[0], printed);
  EXPECT_NEAR(rates.nonradiative, samples::quantity(file, "Nonrad")[0], printed);
}

// Dipoles many wavelengths apart. Of two moments p, q at distance D along a line the integral is known: with
// x = k D it is 8 pi k^4/3 (|p|^2 + |q|^2) + 2 Re(p* q) k^4 4 pi (sin x/x + cos x/x^2 - sin x/x^3) for
// moments across the line (the imaginary part of the Green's tensor times 4 pi k). 65 times 32 directions
// miss it at k D = 200.
TEST(CrossSections, DirectionsFollowFromTheSizeOfTheParticle) {
  const BeamFrame frame = make_beam_frame({1, 2, 3}, {});
  for (const double x : {0.1, 1.0, 7.0, 30.0, 60.0, 200.0}) {
    const double k = 2 * pi, d = x / k, k4 = k * k * k * k;
    samples::Dipoles pair;
    pair.r = {{0, 0, -0.5 * d}, {0, 0, 0.5 * d}};
    pair.p = {{1.0, 0.3, 0.0}, {cplx(0.5, 0.4), 1.0, 0.0}};
    double squares = 0;
    cplx product = 0;
    for (int c = 0; c < 3; ++c) {
      squares += std::norm(pair.p[0][c]) + std::norm(pair.p[1][c]);
      product += std::conj(pair.p[0][c]) * pair.p[1][c];
    }
    const double x2 = x * x;
    const double across = x < 0.3 ? 2.0 / 3 - 2 * x2 / 15 + x2 * x2 / 140 - x2 * x2 * x2 / 5670
                                  : std::sin(x) / x + std::cos(x) / x2 - std::sin(x) / (x * x2);
    const double exact = k4 * (8 * pi / 3 * squares + 8 * pi * product.real() * across);
    const CheckedRule rules = rule_for(k, d);
    const auto found =
        integrate_scattering(samples::direct_sums(pair, k), {.wavenumber = k}, frame, rules, true, true, 'Y');
    EXPECT_NEAR(*found.csca, exact, 1e-9 * exact) << x << ": measured below 3e-10";
    EXPECT_LE(std::abs(*found.csca - exact), found.error * exact + 1e-12 * exact) << x;
    EXPECT_LE(found.error, 1e-3) << x;
    // some (k D)^2/2 directions, and 45 for the smallest particle
    EXPECT_LE(double(rules.rule.size()), 0.5 * (x + 5 * std::cbrt(x) + 12) * (x + 5 * std::cbrt(x) + 12))
        << x;
    const auto before = integrate_scattering(samples::direct_sums(pair, k), {.wavenumber = k}, frame,
                                             load_all_directions(""), true, false, 'Y');
    if (x >= 200) {
      EXPECT_GT(std::abs(*before.csca / exact - 1), 1e-3) << "as ADDA's built-in angles have it";
    }
  }
}

TEST(CrossSections, SampleRunsOfTheReferenceMatch) {
  const FarFieldScale scale{.wavenumber = 2 * pi / 6.2832};
  const AllDirections directions = load_all_directions("");
  const BeamFrame along = make_beam_frame({0, 0, 1}, {}), oblique = make_beam_frame({1, 2, 3}, {});
  // the sphere's transverse moments vanish by symmetry: their logs show noise, of which only the words agree
  const samples::SphereRun sphere = samples::sphere_run();
  expect_integrals(sphere.folder, sphere.y, along, scale, 'Y', directions, true, 2);
  if (!sphere.whole) return;
  expect_integrals(sphere.folder, samples::dipoles(sphere.folder + "/DipPol-X"), along, scale, 'X',
                   directions, true, 2);
  const std::string aniso = samples::reference("outputs/ref_aniso");
  for (char label : {'Y', 'X'})
    expect_integrals(aniso, samples::dipoles(aniso + "/DipPol-" + label), oblique, scale, label, directions,
                     true, label == 'Y' ? 1e-5 : 1e-9);
}
