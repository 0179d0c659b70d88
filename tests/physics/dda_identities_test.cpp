// Identities that hold exactly for the discrete dipole model, on a particle without symmetry.
//
// Solved to epsilon = 1e-11, so that both sides of an identity agree to about 1e-10 where the two runs are
// two different linear systems.
#include <gtest/gtest.h>

#include "support/dda_runs.hpp"

using namespace umov;

namespace {

// Five times the solver's epsilon: |A^-1| of this particle is of order 2 (see dda_solvers_test.cpp).
constexpr double solved = 5e-11;
// Sums of 300 dipoles in another order, and trigonometric functions of angles that went through degrees.
constexpr double rounded = 1e-12;

constexpr test::LatticeMap itself{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

const test::Scratch& scratch() {
  static const test::Scratch folder;
  return folder;
}

/// Options of the particle `sites`, everything but its orientation and the light.
std::string particle(const test::Sites& sites, const std::string& options = test::cut_box_options) {
  static int count = 0;
  return "-eps 11 -shape read " +
         scratch().write(fmt::format("particle{}.dat", count++), test::shape_text(sites)) + options;
}

const std::string& box_of_identities() {
  static const std::string options = particle(test::cut_box());
  return options;
}

const dda::Outcome& reference() {
  static const dda::Outcome outcome = test::run(box_of_identities() + test::oblique);
  return outcome;
}

std::string words_of(const Vec3& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }

/// Full sphere of directions in 2^theta + 1 cosines and 2^phi azimuths.
std::string all_directions(int theta, int phi) {
  const std::string text = fmt::format(
      "theta:\nmin=0\nmax=180\nJmin=2\nJmax={}\neps=0\nequiv=false\nperiodic=false\n"
      "phi:\nmin=0\nmax=360\nJmin=2\nJmax={}\neps=0\nequiv=true\nperiodic=true\n",
      theta, phi);
  return scratch().write(fmt::format("alldir{}_{}.dat", theta, phi), text);
}

/// The reference with Csca, Csca g and Cpr, the integrals on 2^n intervals of the cosine.
dda::Outcome integrated(int n) {
  return test::run(box_of_identities() + test::oblique + " -asym -Cpr -alldir_inp " +
                   all_directions(n, n - 1));
}

}  // namespace

TEST(DdaIdentity, ExtinctionIsAbsorptionPlusIntegratedScattering) {
  // Energy is conserved exactly by point dipoles (Draine 1988, sec. 3), so the quadrature alone separates the
  // two sides; its last refinement bounds its error.
  const auto coarse = integrated(5), fine = integrated(6);
  for (int i = 0; i < 2; ++i) {
    const auto &c = coarse.polarizations[i].cross, &f = fine.polarizations[i].cross;
    const double refinement = std::abs(*f.csca - *c.csca);
    EXPECT_LT(refinement, 1e-5 * f.cext);
    EXPECT_NEAR(*f.csca, f.cext - f.cabs, refinement + solved * f.cext);
    EXPECT_GT(f.cabs, 0.2 * f.cext) << "the particle is to absorb";
  }
}

TEST(DdaIdentity, RadiationForceIsExtinctionMinusScatteredMomentum) {
  // Cpr = Cext e_z - g Csca, momentum conserved exactly as energy is (Draine and Weingartner 1996, eq. 14).
  const auto coarse = integrated(5), fine = integrated(6);
  for (int i = 0; i < 2; ++i) {
    const auto &c = coarse.polarizations[i].cross, &f = fine.polarizations[i].cross;
    for (int k = 0; k < 3; ++k) {
      const double refinement = std::abs((*f.csca_g)[k] - (*c.csca_g)[k]);
      EXPECT_LT(refinement, 1e-5 * f.cext);
      const double expected = (k == 2 ? f.cext : 0) - (*f.csca_g)[k];
      EXPECT_NEAR((*f.cpr)[k], expected, 2 * refinement + solved * f.cext) << "component " << k;
    }
    EXPECT_GT(std::abs((*f.cpr)[0]), 1e-4 * f.cext) << "an asymmetric particle is pushed aside";
  }
}

TEST(DdaIdentity, TurningParticleAndBeamTogetherAboutZChangesNothing) {
  // The incident polarizations are defined by the beam and the z axis, so they turn too.
  const double angle = 77 * pi / 180, c = std::cos(angle), s = std::sin(angle);
  const auto turned = test::run(
      box_of_identities() + fmt::format(" -prop {} -orient 87 20 30", words_of({c - 2 * s, s + 2 * c, 3})));
  EXPECT_LT(test::distance(turned, reference()), solved);
}

TEST(DdaIdentity, OrientationOfTheParticleIsTheOppositeTurnOfTheBeam) {
  // The same light in the particle's frame. The polarizations differ, so unpolarised sums are compared, and
  // the polarizability must not depend on polarization as LDR does.
  const auto expected = test::run(box_of_identities() + " -pol cldr" + test::oblique);
  const auto turned =
      test::run(box_of_identities() + " -pol cldr -prop " + words_of(expected.propagation_particle));
  const auto sum = [](const dda::Outcome& o, auto member) {
    return o.polarizations[0].cross.*member + o.polarizations[1].cross.*member;
  };
  for (const auto member : {&dda::CrossSections::cext, &dda::CrossSections::cabs}) {
    EXPECT_NEAR(sum(turned, member) / sum(expected, member), 1, solved);
  }
  for (const double theta : {0.0, 180.0}) {  // directions that all planes share
    const auto at = [&](const dda::Outcome& o) {
      return std::find_if(o.plane.begin(), o.plane.end(), [&](const auto& row) { return row.theta == theta; })
          ->mueller[0];
    };
    EXPECT_NEAR(at(turned) / at(expected), 1, 10 * solved) << theta;
  }
  EXPECT_GT(std::abs(turned.polarizations[0].cross.cext / expected.polarizations[0].cross.cext - 1), 1e-6);
}

namespace {

/// Euler angles that map the lattice on itself, and the same turn as rows of a matrix:
/// R = Rz(alpha) Ry(beta) Rz(gamma).
struct LatticeTurn {
  const char* name;
  const char* angles;
  test::LatticeMap rows;
};
constexpr LatticeTurn lattice_turns[] = {
    {"Alpha90", "90 0 0", {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}},
    {"Beta90", "0 90 0", {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}}},
    {"Alpha90Beta90", "90 90 0", {{{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}}}},
    {"Beta90Gamma90", "0 90 90", {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}},
    {"Alpha180Beta90Gamma270", "180 90 270", {{{0, 0, -1}, {1, 0, 0}, {0, -1, 0}}}},
};

class DdaLatticeTurn : public testing::TestWithParam<LatticeTurn> {};

/// The diagonal of a tensor after the turn: component i comes from the axis that is mapped on i.
std::string tensor_options(const std::array<std::array<double, 2>, 3>& m, const test::LatticeMap& rows) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (rows[i][k] != 0) text += fmt::format(" {} {}", m[k][0], m[k][1]);
    }
  }
  return text;
}

}  // namespace

TEST_P(DdaLatticeTurn, EulerAnglesTurnAsTheSitesDo) {
  const auto& turn = GetParam();
  const auto by_angles = test::run(box_of_identities() + " -prop 1 2 3 -orient " + turn.angles);
  const auto by_sites = test::run(particle(test::mapped(turn.rows, test::cut_box())) + " -prop 1 2 3");
  EXPECT_LT(test::distance(by_angles, by_sites), 2 * solved);
}

TEST_P(DdaLatticeTurn, AnisotropicMaterialsTurnWithTheParticle) {
  const auto& turn = GetParam();
  const auto run = [&](const test::Sites& sites, const test::LatticeMap& rows, const std::string& light) {
    const std::string options = " -anisotr -m" +
                                tensor_options({{{1.5, 0.1}, {1.2, 0.3}, {1.7, 0.02}}}, rows) +
                                tensor_options({{{1.1, 0.5}, {1.4, 0.0}, {1.3, 0.2}}}, rows) +
                                " -dpl 12 -ntheta 12 -scat_matr both" + light;
    return test::run(particle(sites, options));
  };
  const auto by_angles = run(test::cut_box(), itself, std::string(" -prop 1 2 3 -orient ") + turn.angles);
  const auto by_sites = run(test::mapped(turn.rows, test::cut_box()), turn.rows, " -prop 1 2 3");
  EXPECT_LT(test::distance(by_angles, by_sites), 2 * solved);
}

INSTANTIATE_TEST_SUITE_P(Angles, DdaLatticeTurn, testing::ValuesIn(lattice_turns),
                         [](const auto& info) { return info.param.name; });

TEST(DdaIdentity, MirrorImageScattersTheMirrorImage) {
  // x -> -x of particle and beam. The polarization normal to the plane of incidence changes sign, so the
  // azimuth of the scattering plane does (theta -> 360 - theta), and with it the sign of the elements of the
  // Mueller matrix that couple {I, Q} and {U, V} (van de Hulst 1957, sec. 5.22).
  const auto direct = test::run(box_of_identities() + " -prop 1 2 3");
  const auto image = test::run(particle(test::mapped({{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, test::cut_box())) +
                               " -prop -1 2 3");
  EXPECT_LT(test::cross_section_distance(image, direct), solved);
  ASSERT_EQ(direct.plane.size(), 24u);
  auto expected = direct.plane;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto& from = direct.plane[(24 - i) % 24].mueller;
    for (int k = 0; k < 16; ++k) expected[i].mueller[k] = ((k / 8) != (k % 4) / 2 ? -1 : 1) * from[k];
  }
  EXPECT_LT(test::mueller_distance(image.plane, expected), solved);
}

TEST(DdaIdentity, ScatteringIsReciprocal) {
  // Light from p into n with polarizations e_i, e_s is as strong, in amplitude and phase, as light from -n
  // into -p with the polarizations exchanged (van de Hulst 1957, sec. 5.21): the matrix is symmetric. It must
  // be one matrix, so the polarizability must not depend on the incident wave.
  const std::string turned = " -pol rrc -orient 10 20 30";
  const auto forth = test::run(box_of_identities() + turned + " -prop 1 2 3");
  const double theta = 60 * pi / 180;
  // pol_y of the beam is normal to the z axis; the scattering plane holds it.
  const Vec3 p = forth.propagation, pol_y = forth.polarizations[0].inc_pol;
  const Vec3 n = std::cos(theta) * p + std::sin(theta) * pol_y;
  const auto plan = dda::plan(test::simulation(box_of_identities() + " -prop " + words_of(-1.0 * n)));
  const Vec3 q = plan.propagation;
  const double s = std::sqrt(1 - q[2] * q[2]);
  const Vec3 back_x{q[0] * q[2] / s, q[1] * q[2] / s, -s}, back_y{-q[1] / s, q[0] / s, 0};
  const Vec3 out = -1.0 * p;
  const std::string grid =
      scratch().write("back.dat", fmt::format("global_type=pairs\nN=1\npairs=\n{:.17g} {:.17g}\n",
                                              std::acos(dot(out, q)) * 180 / pi,
                                              std::atan2(dot(out, back_y), dot(out, back_x)) * 180 / pi));
  const auto back = test::run(box_of_identities() + turned + " -prop " + words_of(q) +
                              " -store_scat_grid -scat_grid_inp " + grid);
  const auto row =
      std::find_if(forth.plane.begin(), forth.plane.end(), [](const auto& r) { return r.theta == 60; });
  ASSERT_NE(row, forth.plane.end());
  ASSERT_EQ(back.grid.size(), 1u);
  const CVec3 forth_fields[] = {row->e_y, row->e_x}, back_fields[] = {back.grid[0].e_y, back.grid[0].e_x};
  double scale = 0;
  for (const auto& field : forth_fields) {
    for (const cplx& c : field) scale = std::max(scale, std::abs(c));
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const cplx there = dot(forth_fields[i], back.polarizations[j].inc_pol);
      const cplx here = dot(back_fields[j], forth.polarizations[i].inc_pol);
      EXPECT_LT(std::abs(there - here), 10 * solved * scale) << i << j;
      EXPECT_GT(std::abs(there), 1e-4 * scale) << i << j;
    }
  }
}

TEST(DdaIdentity, NamesOfMaterialsDoNotMatter) {
  auto sites = test::cut_box();
  for (auto& [position, material] : sites) material = 3 - material;
  const auto renamed = test::run(
      particle(sites, " -m 1.3 0.4 1.5 0.1 -lambda 6.283185307179586 -dpl 12 -ntheta 12 -scat_matr both") +
      test::oblique);
  EXPECT_LT(test::distance(renamed, reference()), rounded);
}

TEST(DdaIdentity, EqualTensorComponentsAreAnIsotropicMaterial) {
  const auto tensor =
      test::run(particle(test::cut_box(),
                         " -anisotr -m 1.5 0.1 1.5 0.1 1.5 0.1 1.3 0.4 1.3 0.4 1.3 0.4 -dpl 12 -ntheta 12 "
                         "-scat_matr both") +
                test::oblique);
  EXPECT_LT(test::distance(tensor, reference()), rounded);
}

TEST(DdaIdentity, LengthsHaveNoScaleOfTheirOwn) {
  const auto scaled = test::run(
      particle(test::cut_box(),
               " -m 1.5 0.1 1.3 0.4 -lambda 43.982297150257104 -dpl 12 -ntheta 12 -scat_matr both") +
      test::oblique);
  EXPECT_LT(test::mueller_distance(scaled.plane, reference().plane), rounded);
  EXPECT_LT(test::amplitude_distance(scaled.plane, reference().plane), rounded);
  for (int i = 0; i < 2; ++i) {
    const auto &s = scaled.polarizations[i].cross, &r = reference().polarizations[i].cross;
    EXPECT_NEAR(s.cext / r.cext, 49, 49 * rounded);
    EXPECT_NEAR(s.cabs / r.cabs, 49, 49 * rounded);
  }
}

TEST(DdaIdentity, LargerTransformsGiveTheSameProduct) {
  for (const Int3 grid : {Int3{14, 24, 12}, Int3{20, 28, 16}, Int3{16, 36, 30}}) {
    const auto larger =
        test::run(box_of_identities() + test::oblique, [&](test::DipoleCase& sim) { sim.fft_grid = grid; });
    EXPECT_EQ(larger.fft_grid, grid);
    EXPECT_LT(test::distance(larger, reference()), rounded);
  }
}

TEST(DdaIdentity, PlaceOfTheTensorDoesNotMatter) {
  for (const auto& backend : test::test_backends("cpu")) {
    const auto run = [&](bool on_host) {
      return test::run(box_of_identities() + test::oblique, [&](test::DipoleCase& sim) {
        sim.machine.backend = backend;
        sim.machine.tensor_on_host = on_host;
      });
    };
    EXPECT_LT(test::distance(run(true), run(false)), rounded) << backend;
  }
}

TEST(DdaIdentity, SymmetrySparesASolveAndChangesNothing) {
  // A body of revolution about the beam: the second polarization is the first, turned.
  const std::string body = "-eps 11 -shape cylinder 1.3 -grid 10 -m 1.5 0.1 -ntheta 12 -scat_matr both";
  const auto one = test::run(body), two = test::run(body + " -sym no");
  EXPECT_TRUE(one.symmetry_used);
  EXPECT_FALSE(two.symmetry_used);
  ASSERT_EQ(one.polarizations.size(), 1u);
  ASSERT_EQ(two.polarizations.size(), 2u);
  for (const auto& p : two.polarizations) {
    EXPECT_NEAR(p.cross.cext / one.polarizations[0].cross.cext, 1, solved) << p.label;
    EXPECT_NEAR(p.cross.cabs / one.polarizations[0].cross.cabs, 1, solved) << p.label;
  }
  // Without symmetry the plane is a full circle; its first half is what symmetry leaves.
  auto half = two.plane;
  half.resize(one.plane.size());
  EXPECT_LT(test::mueller_distance(one.plane, half), solved);
  EXPECT_LT(test::amplitude_distance(one.plane, half), solved);
}
