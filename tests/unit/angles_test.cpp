// The angle files: what they mean, what stands in for them, and what they refuse.
#include "dda/observables/angles.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "adda_samples.hpp"
#include "core/error.hpp"
#include "support/adda_inputs.hpp"
#include "support/places.hpp"

using namespace umov;
using namespace umov::dda;

namespace {

/// A folder of its own as working directory, left and removed at the end.
class Angles : public testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    folder_ = std::filesystem::temp_directory_path() /
              ("umov_angles_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }
  static void write(const std::string& name, const std::string& content) { std::ofstream(name) << content; }

  template <class F>
  static std::string message(F f) {
    try {
      f();
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  }

 private:
  std::filesystem::path before_, folder_;
};

const char* const good_axis = "min=0\nmax=180\nJmin=2\nJmax=3\neps=0\nequiv=false\nperiodic=false\n";

void expect_equal(const IntegrationAngle& a, const IntegrationAngle& b) {
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.axis.lower, b.axis.lower);
  EXPECT_EQ(a.axis.upper, b.axis.upper);
  EXPECT_EQ(a.axis.jmin, b.axis.jmin);
  EXPECT_EQ(a.axis.jmax, b.axis.jmax);
  EXPECT_EQ(a.axis.eps, b.axis.eps);
  EXPECT_EQ(a.axis.equivalent, b.axis.equivalent);
  EXPECT_EQ(a.axis.periodic, b.axis.periodic);
}

}  // namespace

TEST_F(Angles, BuiltInDefaultsAreTheFilesThatAddaShips) {
  test::write_adda_inputs(".");
  const auto d = load_all_directions(""), d_file = load_all_directions("./alldir_params.dat");
  EXPECT_EQ(d.source, "built-in defaults");
  expect_equal(d.theta, d_file.theta);
  expect_equal(d.phi, d_file.phi);
  const auto a = load_orientation_angles(""), a_file = load_orientation_angles("./avg_params.dat");
  expect_equal(a.alpha, a_file.alpha);
  expect_equal(a.beta, a_file.beta);
  expect_equal(a.gamma, a_file.gamma);
  for (bool integrate : {false, true}) {
    const auto g = load_scattering_grid("", integrate),
               g_file = load_scattering_grid("./scat_params.dat", integrate);
    EXPECT_EQ(g.theta, g_file.theta);
    EXPECT_EQ(g.phi, g_file.phi);
    EXPECT_EQ(g.phi_axis.has_value(), integrate);
    EXPECT_EQ(describe(g), describe(g_file));
  }
}

TEST_F(Angles, ReferenceVariantsAreRead) {
  test::write_adda_inputs(".");
  EXPECT_EQ(load_all_directions("adp.dat").phi.values.size(), 9u);
  EXPECT_EQ(load_orientation_angles("ap.dat").alpha.max, 180);
  const auto g = load_scattering_grid("sp.dat", false);
  EXPECT_TRUE(g.pairs);
  EXPECT_EQ(g.theta, (std::vector<double>{0, 30}));
  EXPECT_EQ(g.phi, (std::vector<double>{0, 90}));
}

TEST_F(Angles, DescriptionsAreAddasLogLines) {
  EXPECT_EQ(describe(load_scattering_grid(samples::data("grid.dat"), true)),
            "\nScattered field is calculated for multiple directions\ntheta: from 0 to 180 in 5 steps\n"
            "phi: from 0 to 360 in 8 steps\n(Mueller matrix is integrated over phi)\n\n");
  const std::string log = samples::text(test::data("adda_samples/ref_sphere16/log"));
  EXPECT_NE(log.find(describe(load_all_directions("")) + describe(load_scattering_grid("", false))),
            std::string::npos);
}

TEST_F(Angles, FileInTheWorkingDirectoryCountsOnlyWhenItIsNamed) {
  write("alldir_params.dat", std::string("theta:\n") + good_axis +
                                 "phi:\nmin=5\nmax=5\nJmin=1\nJmax=1\neps=0\n"
                                 "equiv=true\nperiodic=true\n");
  EXPECT_EQ(load_all_directions("").source, "built-in defaults");
  const auto d = load_all_directions("alldir_params.dat");
  EXPECT_EQ(d.source, "alldir_params.dat");
  EXPECT_EQ(d.theta.values.size(), 9u);
  EXPECT_EQ(d.phi.values, std::vector<double>{5});
}

TEST_F(Angles, ThetaIsEquidistantInItsCosine) {
  const auto theta = load_all_directions("").theta;
  ASSERT_EQ(theta.values.size(), 65u);
  EXPECT_EQ(theta.values.front(), 180);  // exactly: the transverse moments are switched off there
  EXPECT_EQ(theta.values.back(), 0);
  EXPECT_NEAR(std::cos(theta.values[16] * pi / 180), -0.5, 1e-15);
}

TEST_F(Angles, ErrorsNameFileAndLine) {
  write("a.dat", std::string("# comment\ntheta:\n") + "min=0\nmax=oops\n");
  EXPECT_NE(message([] { load_all_directions("a.dat"); }).find("a.dat:4: 'max=' needs 1 finite number"),
            std::string::npos);
  write("b.dat", std::string("theta:\n") + good_axis);
  EXPECT_NE(message([] { load_all_directions("b.dat"); }).find("b.dat:8: no line begins with 'phi:'"),
            std::string::npos);
  write("c.dat", "theta:\nmin=0\nmax=nan\n");
  EXPECT_NE(message([] { load_all_directions("c.dat"); }).find("c.dat:3:"), std::string::npos);
  write("d.dat", "theta:\nmin=0\nmax=200\nJmin=2\nJmax=3\neps=0\nequiv=false\nperiodic=perhaps\n");
  EXPECT_NE(message([] { load_all_directions("d.dat"); }).find("d.dat:8: 'periodic=perhaps'"),
            std::string::npos);
  EXPECT_NE(message([] { load_all_directions("absent.dat"); }).find("absent.dat: cannot be opened"),
            std::string::npos);
  write("e.dat", "global_type=pairs\nN=2\npairs=\n0 0\n30\n");
  EXPECT_NE(message([] { load_scattering_grid("e.dat", false); }).find("e.dat:5:"), std::string::npos);
  write("f.dat",
        "global_type=grid\ntheta:\ntype=range\nN=100000\nmin=0\nmax=1\nphi:\ntype=range\nN=100000\n"
        "min=0\nmax=1\n");
  EXPECT_NE(message([] { load_scattering_grid("f.dat", false); }).find("too many"), std::string::npos);
  write("g.dat", "global_type=pairs\nN=1\npairs=\n0 0\n");
  EXPECT_NE(message([] { load_scattering_grid("g.dat", true); }).find("global_type=grid"), std::string::npos);
}

TEST_F(Angles, LinesThatAreNotUnderstoodAreRefusedByLine) {
  const std::string axis = good_axis,
                    phi = "phi:\nmin=0\nmax=360\nJmin=2\nJmax=3\neps=0\nequiv=true\nperiodic=true\n";
  const auto refused = [&](const std::string& text) {
    write("x.dat", text);
    return message([] { load_all_directions("x.dat"); });
  };
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), message.npos) << message;
  };
  expect(refused("# all\n\ntheta:\n# of theta\n" + axis + phi), "accepted");
  expect(refused("theta: # remark\nmin=0 # remark\nmax=180\n" + axis.substr(14) + phi), "accepted");
  expect(refused("theta:\nmin=0 deg\n"), "x.dat:2: 'min=' needs 1 finite number, not '0 deg'");
  expect(refused("theta:\nmin=1d0\n"), "x.dat:2:");
  expect(refused("theta:\n" + axis + "Kmax=3\n" + phi),
         "x.dat:9: unknown key 'Kmax=' of 'theta:'; did you mean");
  expect(refused("theta:\n" + axis + "max=90\n" + phi),
         "x.dat:9: 'max=' is given a second time (the first is in line 3)");
  expect(refused("theta:\n" + axis + phi + "theta:\n"), "x.dat:17: 'theta:' begins a second time");
  expect(refused("beta:\n" + axis + phi), "x.dat:1: unknown section 'beta:'");
  expect(refused("min=0\ntheta:\n" + axis + phi), "x.dat:1: unknown key 'min='");
  expect(refused("theta:\nmin 0\n"), "x.dat:2: 'min 0' is neither a section nor a key");
  expect(refused("theta:\nJmin=2.5\n"), "x.dat:2: 'Jmin=' needs a whole number");
  // a key of one section does not stand in for that of another
  expect(refused("theta:\n" + axis.substr(6) + phi),
         "x.dat:1: no line begins with 'min=' in the section 'theta:'");
  write("g.dat", "global_type=pairs\nN=2\npairs=\n0 0\n10 20\n30 40\n");
  expect(message([] { load_scattering_grid("g.dat", false); }),
         "g.dat:3: 'pairs=' is followed by 3 lines of angles, but N=2");
  write("h.dat", "global_type=pairs\nN=1\npairs=\n0 0 1\n");
  expect(message([] { load_scattering_grid("h.dat", false); }), "h.dat:4:");
}

TEST_F(Angles, WholeSphereIsToldFromAPart) {
  const auto whole = [](double theta, double from, double to) {
    AllDirections d;
    d.theta = make_integration_angle({0, theta, 2, 3, 0, false, false}, true, "");
    d.phi = make_integration_angle({from, to}, false, "");
    return d.whole_sphere();
  };
  EXPECT_TRUE(whole(180, 0, 360));
  EXPECT_TRUE(whole(180, -180, 180));
  EXPECT_FALSE(whole(90, 0, 360));
  EXPECT_FALSE(whole(180, 0, 180));
  EXPECT_FALSE(whole(180, 0, 0));
  EXPECT_TRUE(load_all_directions("").whole_sphere());
  write("x.dat", "theta:\nmin=0\nmax=180\nJmin=2\nJmax=3\neps=0\nequiv=true\nperiodic=false\n");
  EXPECT_NE(message([] { load_all_directions("x.dat"); }).find("x.dat:7: 'equiv=true'"), std::string::npos);
}

TEST_F(Angles, ImpossibleRangesAreRefused) {
  auto refused = [](IntegrationSpec s, bool in_cosine) {
    return message([&] { make_integration_angle(s, in_cosine, "here"); });
  };
  EXPECT_NE(refused({.min = 10, .max = 0}, false).find("reversed"), std::string::npos);
  EXPECT_NE(refused({.min = 0, .max = 200}, true).find("[0, 180]"), std::string::npos);
  EXPECT_NE(refused({.jmin = 5, .jmax = 4}, false).find("below Jmin"), std::string::npos);
  EXPECT_NE(refused({.jmin = 0}, false).find("below 1"), std::string::npos);
  EXPECT_NE(refused({.jmax = 40}, false).find("above 24"), std::string::npos);
  EXPECT_NE(refused({.eps = -1}, false).find("negative"), std::string::npos);
}
