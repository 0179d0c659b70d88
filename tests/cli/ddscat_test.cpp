// `umov ddscat`: ddscat.par against the numbers of DDSCAT's own examples and of Mie theory, orientations,
// frames.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/ddscat_runs.hpp"
#include "dda/ddscat/dielectric.hpp"
#include "dda/ddscat/results.hpp"
#include "mie/mie.hpp"

using namespace umov;
using test::expect_digits;
using test::Numbers;
using test::numbers_of;
using test::ParFile;
using test::row;
using test::run_par;
using test::TemporaryFolder;

namespace {

Numbers last_row(const TemporaryFolder& folder, const std::string& file) {
  std::istringstream in(test::text_of(folder / ("out/" + file)));
  std::string last;
  for (std::string line; std::getline(in, line);) last = line;
  return numbers_of(last);
}

}  // namespace

// DDSCAT 7.3.3, examples_exp/RCTGLPRSM (User Guide 7.3, "Sample calculation"): a gold prism, 16 x 32 x 32.
// Its w000r000k000.sca and tables.
TEST(DdScat, ThePrismOfTheManualGivesItsNumbers) {
  TemporaryFolder folder;
  // Johnson and Christy's gold around 0.5 um, columns as in DDSCAT's diel/Au_evap.
  folder.write(
      "m.tab",
      "gold\n1 2 3 0 0 = columns\nwave n k\n0.5486 0.43 2.455\n0.5209 0.62 2.081\n0.4959 1.04 1.833\n"
      "0.4714 1.31 1.849\n0.4509 1.38 1.914\n");
  ParFile par;
  par.parameters = "16 32 32";
  par.tolerance = "1.00e-5";
  par.radii = "0.246186 0.246186 1 'LIN'";
  par.planes = "2\n0. 0. 180. 30\n90. 0. 180. 30";
  run_par(folder, par);
  const cplx m = dda::ddscat::index_at(dda::ddscat::read_dielectric((folder / "m.tab").string()), 0.5);
  EXPECT_NEAR(m.real(), 0.9656, 5e-5);
  EXPECT_NEAR(m.imag(), 1.8628, 5e-5);
  expect_digits(last_row(folder, "mtable"), {0.5, 2.0e4, 0.9656, 1.863}, 3e-4);
  const Numbers q = last_row(folder, "qtable");
  expect_digits(q, {0.24619, 0.5, 3.6135, 1.4308, 2.1827});
  // DDSCAT sums <cos> and <cos^2> over 962 directions by the trapezoidal rule, we by Gauss's rule.
  expect_digits({q[5], q[6]}, {0.41463, 0.75169}, 3e-3);
  EXPECT_NEAR(q[7], 0.61831, 5e-5);
  EXPECT_NEAR(last_row(folder, "qtable2")[2], -0.12614, 2e-5);
  const std::string sca = "w000r000k000.sca";
  expect_digits(row(folder, sca, " 30.00   0.00"), {0.31112, 17.234, -5.3618, -5.362, 17.23});
  expect_digits(row(folder, sca, " 90.00   0.00"), {0.84389, 1.1878, -1.0024, -1.002, 1.188}, 2e-4);
  expect_digits(row(folder, sca, "180.00   0.00"), {0.0, 18.591});
  expect_digits(row(folder, sca, " 60.00  90.00"), {0.12808, 2.2937, -0.29378}, 2e-4);
  expect_digits(row(folder, sca, "  0.06346821"), {});
  expect_digits(row(folder, "w000r000.avg", "mean:"), {3.6135, 1.4308, 2.1827});
}

// The sample calculation of the User Guide (Draine and Flatau, version 5a10, arXiv:astro-ph/0008151,
// appendices A to C): a prism of 8 x 6 x 4 dipoles, three orientations. Its files as printed there, four
// digits each.
TEST(DdScat, TheSampleOfTheOlderManualGivesItsNumbers) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.33", "0.01"));
  ParFile par;
  par.method = "'LATTDR'";
  par.parameters = "8 6 4";
  par.tolerance = "1.00e-5";
  par.wavelengths = "6.283185 6.283185 1 'INV'";
  par.radii = "1. 1. 1 'LIN'";
  par.theta = "0. 90. 3";
  run_par(folder, par);
  // Half a unit of the fourth digit is up to 5e-4 of a number, and the solve adds 1e-5.
  const double digits = 5.1e-4;
  const auto expect_row = [&](const std::string& file, const std::string& begins, const Numbers& wanted) {
    SCOPED_TRACE(file + ", " + begins);
    Numbers found = row(folder, file, begins);
    ASSERT_GE(found.size(), 7u);
    found.erase(found.begin() + 4);  // <cos^2>, which that version did not print
    expect_digits(found, wanted, digits);
  };
  const std::string sca = "w000r000k000.sca", avg = "w000r000.avg";
  expect_row(sca, "JO=1:", {1.110e-1, 3.028e-2, 8.077e-2});
  expect_row(sca, "JO=2:", {8.651e-2, 2.441e-2, 6.209e-2});
  expect_row(sca, "mean:", {9.878e-2, 2.735e-2, 7.143e-2});
  expect_row(avg, "JO=1:", {1.330e-1, 3.269e-2, 1.003e-1});
  expect_row(avg, "JO=2:", {9.063e-2, 2.397e-2, 6.666e-2});
  expect_row(avg, "mean:", {1.118e-1, 2.833e-2, 8.347e-2});
  expect_digits(row(folder, sca, "Qpol="), {2.454e-2}, digits);
  expect_digits(row(folder, avg, "Qpol="), {4.234e-2}, digits);
}

// DDSCAT 7.3.3, examples_exp/ANIRCTNGL: a tensor along x, y, z of the target; GKDLDR of each axis.
TEST(DdScat, TheAnisotropicBlockOfTheExamplesGivesItsNumbers) {
  TemporaryFolder folder;
  folder.write("a.tab", test::constant_index("1.33", "0.01"));
  folder.write("b.tab", test::constant_index("1.50", "0.01"));
  ParFile par;
  par.shape = "'ANIRCTNGL'";
  par.parameters = "10 20 20";
  par.materials = "3\n'a.tab'\n'a.tab'\n'b.tab'";
  par.tolerance = "1.00e-5";
  par.radii = "0.098475 0.098475 1 'LIN'";
  par.planes = "2\n0. 0. 180. 30\n90. 0. 180. 30";
  run_par(folder, par);
  const std::string sca = "w000r000k000.sca";
  const Numbers first = row(folder, sca, "JO=1:"), second = row(folder, sca, "JO=2:");
  expect_digits({first[0], first[1], first[2]}, {0.26405, 0.039530, 0.22452});
  expect_digits({first[5], first[6]}, {0.024058, 0.58140}, 1e-4);
  expect_digits({second[0], second[1], second[2]}, {0.57108, 0.041336, 0.52975});
  expect_digits({second[5], second[6]}, {0.055865, 0.87457}, 1e-4);
  expect_digits(row(folder, sca, "Qpol="), {-0.30703});
  expect_digits(row(folder, sca, " 60.00   0.00"), {0.78882, 0.17769, -0.14016}, 1e-4);
  expect_digits(row(folder, sca, " 60.00  90.00"), {0.19412, 0.11204, -0.021748}, 2e-4);
}

TEST(DdScat, SpheresOfAFileAreTurnedToTheirPrincipalAxes) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.33", "0.01"));
  folder.write("two.targ", "2\nno offset here\n1 0 0\n0 1 0\nx y z a\n0 0 0 0.5\n0.6 0.8 0 0.5\n");
  ParFile par;
  par.shape = "'SPHERES_N'";
  par.parameters = "12 1 'two.targ'";
  folder.write("ddscat.par", par.text());
  const auto job = dda::ddscat::make_job((folder / "ddscat.par").string());
  // The axis that joins them has the least moment of inertia: A1 and A2 are perpendicular to (0.6, 0.8, 0),
  // but for the lattice's coarseness.
  EXPECT_NEAR(dot(job.target.a3(), Vec3{0.6, 0.8, 0}), job.target.a3()[0] > 0 ? 1 : -1, 3e-3);
  EXPECT_NEAR(dot(job.target.a1, job.target.a2), 0, 1e-12);
  // 12 spacings for 1.6 diameters of 1: radii of 3.75 spacings, whose sites vary by some per cent about the
  // volume.
  const double volume = 2 * 4 / 3.0 * pi * std::pow(0.5 * 12 / 1.6, 3);
  EXPECT_NEAR(double(job.target.sites.size()), volume, 0.08 * volume);
}

TEST(DdScat, ASphereIsMies) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.05"));
  ParFile par;
  par.shape = "'ELLIPSOID'";
  par.parameters = "24 24 24";
  par.wavelengths = "0.4 0.8 2 'INV'";
  par.medium = "1.25";
  const auto ended = run_par(folder, par);
  std::istringstream in(test::text_of(folder / "out/qtable"));
  std::vector<Numbers> rows;
  for (std::string line; std::getline(in, line);)
    if (const Numbers n = numbers_of(line); n.size() == 9) rows.push_back(n);
  ASSERT_EQ(rows.size(), 2u);
  for (const Numbers& q : rows) {
    const double x = 2 * pi * 0.1 * 1.25 / q[1];
    mie::Sphere sphere;
    sphere.x = x;
    sphere.m = cplx(1.5, 0.05) / 1.25;
    const auto mie = mie::efficiencies(sphere);
    // 24 dipoles across: the error of the discretisation is below a per cent (measured: 0.2 %).
    EXPECT_NEAR(q[2], mie.qext, 0.01 * mie.qext);
    EXPECT_NEAR(q[3], mie.qext - mie.qsca, 0.01 * (mie.qext - mie.qsca));
    EXPECT_NEAR(q[5], mie.g, 0.01 * std::abs(mie.g) + 1e-3);
  }
}

// A block that is turned by the target's angles is the block with its edges exchanged.
TEST(DdScat, AnglesOfTheTargetTurnItAsTheManualSays) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.05"));
  ParFile par;
  par.parameters = "4 6 8";
  const auto q = [&](const std::string& parameters, const std::string& beta, const std::string& theta,
                     const std::string& phi) {
    par.parameters = parameters;
    par.beta = beta, par.theta = theta, par.phi = phi;
    run_par(folder, par);
    const Numbers a = row(folder, "w000r000k000.sca", "JO=1:"), b = row(folder, "w000r000k000.sca", "JO=2:");
    return Numbers{a[0], a[1], a[2], a[3], a[5], a[6], b[0], b[1]};
  };
  const char *none = "0 0 1", *quarter = "90 90 1";
  // Theta = 90: a1 = y, a2 = -x (for Beta = Phi = 0), a3 = z of the lab: edges 6, 4, 8 along x, y, z.
  expect_digits(q("4 6 8", none, quarter, none), q("6 4 8", none, none, none), 1e-4);
  // Beta = 90 about a1 = x: a2 = z, a3 = -y: edges 4, 8, 6.
  expect_digits(q("4 6 8", quarter, none, none), q("4 8 6", none, none, none), 1e-4);
  expect_digits(q("4 6 8", none, none, quarter), q("4 8 6", none, none, none), 1e-4);
  // Both: a1 = z (Theta = Phi = 90), a2 = -x: edges 6, 8, 4.
  expect_digits(q("4 6 8", none, quarter, quarter), q("6 8 4", none, none, none), 1e-4);
}

TEST(DdScat, AveragesAreWeightedMeansOfTheirOrientations) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.05"));
  ParFile par;
  par.beta = "0 360 2";
  par.theta = "0 90 3";
  run_par(folder, par);
  const auto orientations = [] {
    dda::ddscat::Parameters p;
    p.beta = {0, 360, 2, ""};
    p.theta = {0, 90, 3, ""};
    return dda::ddscat::orientations(p);
  }();
  EXPECT_EQ(orientations.beta, (Numbers{90, 270}));
  EXPECT_NEAR(orientations.theta[1], 60, 1e-12);                               // its cosine is 1/2
  EXPECT_EQ(orientations.theta_weight, (Numbers{1 / 6.0, 4 / 6.0, 1 / 6.0}));  // Simpson's rule
  double mean = 0, s11 = 0;
  for (int i = 0; i < 6; ++i) {
    const std::string file = fmt::format("w000r000k{:03}.sca", i);
    const double weight = 0.5 * orientations.theta_weight[i / 2];
    mean += weight * row(folder, file, "mean:")[0];
    s11 += weight * row(folder, file, " 60.00   0.00")[1];
  }
  EXPECT_NEAR(row(folder, "w000r000.avg", "mean:")[0], mean, 2e-4 * mean);
  EXPECT_NEAR(row(folder, "w000r000.avg", " 60.00   0.00")[1], s11, 2e-4 * s11);
  EXPECT_NEAR(last_row(folder, "qtable")[2], mean, 2e-4 * mean);
}

// The Mueller matrix does not depend on the polarization it was found with; circular states share what linear
// ones extinguish (GKDLDR does not depend on the polarization).
TEST(DdScat, AnyIncidentPolarizationGivesTheSameMatrix) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.05"));
  ParFile par;
  par.theta = "35 35 1";
  par.beta = "20 20 1";
  par.planes = "1\n25. 0. 180. 60";
  struct Found {
    double sum, difference;
    Numbers matrix;
  };
  const auto with = [&](const char* e01) {
    par.polarization = e01;
    run_par(folder, par);
    const Numbers a = row(folder, "w000r000k000.sca", "JO=1:"), b = row(folder, "w000r000k000.sca", "JO=2:");
    Numbers m = row(folder, "w000r000k000.sca", " 60.00  25.00");
    for (const double x : {a[1], b[1]}) EXPECT_GT(x, 0);
    m.push_back(a[1] + b[1]);
    return Found{a[0] + b[0], a[0] - b[0], m};
  };
  const Found linear = with("(0,0) (1.,0.) (0.,0.)"), turned = with("(0,0) (1.,0.) (1.,0.)"),
              circular = with("(0,0) (1.,0.) (0.,1.)"), elliptical = with("(0,0) (2.,0.) (1.,1.)");
  for (const Found& f : {turned, circular, elliptical}) {
    EXPECT_NEAR(f.sum, linear.sum, 2e-4 * linear.sum);
    for (std::size_t i = 0; i < f.matrix.size(); ++i)
      EXPECT_NEAR(f.matrix[i], linear.matrix[i], 3e-4 * std::abs(linear.matrix[1])) << i;
  }
  EXPECT_LT(std::abs(circular.difference), 1e-3 * std::abs(linear.difference))
      << "no dichroism without a screw";
}

TEST(DdScat, DirectionsInTheTargetsFrameAreTurnedWithIt) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.05"));
  ParFile par;
  par.theta = "40 40 1";
  par.frame = "'TFRAME'";
  par.planes = "1\n0. 40. 40. 0";  // in the target's x-y plane, 40 degrees from a1: along k or away from it
  run_par(folder, par);
  const Numbers along = row(folder, "w000r000k000.sca", " 40.00   0.00");
  par.frame = "'LFRAME'";
  par.planes = "2\n0. 0. 0. 0\n0. 80. 80. 0";
  run_par(folder, par);
  const double forward = row(folder, "w000r000k000.sca", "  0.00   0.00")[1];
  const double aside = row(folder, "w000r000k000.sca", " 80.00   0.00")[1];
  // a1 lies at Theta = 40 in the lab's x-y plane; 40 degrees on from it, towards a2, is 80 degrees from k.
  EXPECT_NEAR(along[1], aside, 2e-4 * forward);
}
