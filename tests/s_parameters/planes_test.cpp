// Where ports stand and phases refer to: planes between nodes, graded grids, lossy guides.
#include <algorithm>

#include "s_parameters/guides.hpp"
#include "support/record.hpp"

namespace umov {
namespace {

using test::Plates;
using test::Scattering;

// Runs end where the transforms change by less than 3e-5 from one passage of the domain to the next: three of
// these are the bound, as for ports on nodes.
constexpr const char* end = "[stop]\nfourier = 3e-5\n";
constexpr double left = 1e-4;

class SParameterPlanes : public testing::Test {
 protected:
  /// On both backends that are everywhere; the answers have to be the same to the bound.
  std::vector<Scattering> on_all(std::string text) {
    std::vector<Scattering> all{test::scattering_of(folder, text)};
    const std::string cpu = "backend = \"cpu\"";
    text.replace(text.find(cpu), cpu.size(), "backend = \"serial\"");
    all.push_back(test::scattering_of(folder, text));
    return all;
  }
  std::string log() const { return test::text_of(folder / "out/log"); }
  test::TemporaryFolder folder;
};

TEST_F(SParameterPlanes, BetweenNodesAreWhatPhasesReferTo) {
  const Plates p;
  // 0.48 and 0.3 of a cell from the nodes; with the nodes' phase S21 would be off by 0.18.
  const double a = 1.524, b = 1.485;
  for (const Scattering& s :
       on_all(p.domain() + Plates::port("a", "-x", -a, 0, 1) + Plates::port("b", "+x", b, 0, 1) +
              "[s_parameters]\nfrequencies = [0.62, 0.65, 0.7]\n" + end)) {
    ASSERT_EQ(s.s.size(), 3u * 4);
    for (std::size_t f = 0; f < 3; ++f) {
      const cplx through = std::polar(1.0, p.beta(s.frequency[f]) * (a + b));
      test::record("S21 off by %.1e", std::abs(s.at(f, 1, 0) - through));
      EXPECT_LT(std::abs(s.at(f, 1, 0) - through), left);
      EXPECT_LT(std::abs(s.at(f, 0, 1) - through), left);
    }
  }
  for (const char* part : {"port 'a': measured at the nearest node, x = -1.5; amplitudes are moved by -0.024",
                           "port 'b': measured at the nearest node, x = 1.5; amplitudes are moved by -0.015"})
    EXPECT_NE(log().find(part), std::string::npos) << log();
}

TEST_F(SParameterPlanes, OnNodesAreNotSpokenOf) {
  const Plates p;
  test::scattering_of(folder, p.domain() + p.ports(1.5) + "[s_parameters]\nfrequencies = [0.65]\n");
  EXPECT_EQ(log().find("nearest node"), std::string::npos) << log();
}

/// Plates whose cells along x differ: the same difference equation over edges of any length.
struct GradedPlates : Plates {
  std::vector<double> lines;  ///< places of all nodes

  double dt() const {
    double finest = dx();
    for (std::size_t i = 1; i < lines.size(); ++i) finest = std::min(finest, lines[i] - lines[i - 1]);
    return courant / std::sqrt(1 / (finest * finest) + 1 / (dx() * dx()));
  }
  double time_term(double f) const { return std::pow(2 / dt() * std::sin(pi * f * dt()), 2); }
  /// Along cells of dx.
  double beta(double f) const { return 2 / dx() * std::asin(std::sqrt(time_term(f) - across(1)) * dx() / 2); }
  std::string grid() const {
    std::string text = "[grid]\nx = [";
    for (const double x : lines) text += fmt::format("{:.9g}, ", x);
    return text + "]\n";
  }
  std::size_t node_at(double x) const {
    return std::size_t(std::ranges::min_element(lines, {}, [x](double y) { return std::abs(y - x); }) -
                       lines.begin());
  }
  /// What comes back and through between the nodes at two places in cells of dx.
  std::pair<cplx, cplx> scattered(double f, double from, double to) const {
    const cplx turn = std::polar(1.0, beta(f) * dx());
    cplx here = 1, beyond = turn;
    const auto edge = [&](std::size_t i) { return lines[i + 1] - lines[i]; };
    for (std::size_t i = node_at(to); i > node_at(from); --i) {
      const double dual = (edge(i) + edge(i - 1)) / 2;
      const cplx before =
          here - edge(i - 1) * ((beyond - here) / edge(i) - dual * (across(1) - time_term(f)) * here);
      beyond = here, here = before;
    }
    const cplx u = (beyond - here / turn) / (turn - 1.0 / turn), v = here - u;
    return {v / u, 1.0 / u};
  }
};

TEST_F(SParameterPlanes, OfAGuideOnAGradedGridAreThoseOfTheDifferenceEquation) {
  GradedPlates p;
  // cells of 1/20 up to half a unit from the middle, there of 1/50
  std::vector<double> edges(50, 0.05);
  const std::vector<double> between{0.04, 0.03, 0.025, 0.025, 0.02};
  edges.insert(edges.end(), between.begin(), between.end());
  edges.insert(edges.end(), 36, 0.02);
  edges.insert(edges.end(), between.rbegin(), between.rend());
  edges.insert(edges.end(), 50, 0.05);
  p.lines = {-3};
  for (const double edge : edges) p.lines.push_back(p.lines.back() + edge);
  const double a = 1.524, b = 1.485;
  for (const Scattering& s :
       on_all(p.domain() + p.grid() + Plates::port("a", "-x", -a, 0, 1) + Plates::port("b", "+x", b, 0, 1) +
              "[s_parameters]\nfrequencies = [0.62, 0.65, 0.7]\n" + end)) {
    ASSERT_EQ(s.s.size(), 3u * 4);
    for (std::size_t f = 0; f < 3; ++f) {
      const double beta = p.beta(s.frequency[f]);
      const auto [back, through] = p.scattered(s.frequency[f], -1.5, 1.5);
      const cplx s11 = back * std::polar(1.0, 2 * beta * (a - 1.5)),
                 s21 = through * std::polar(1.0, beta * (a + b - 3));
      test::record("graded: S11 %.1e, off by %.1e, S21 by %.1e", std::abs(s11), std::abs(s.at(f, 0, 0) - s11),
                   std::abs(s.at(f, 1, 0) - s21));
      EXPECT_LT(std::abs(s.at(f, 0, 0) - s11), left);
      EXPECT_LT(std::abs(s.at(f, 1, 0) - s21), left);
    }
  }
}

/// H along z between plates, filled with a conducting medium: waves do not change across.
struct Lossy : Plates {
  double eps = 2.25, sigma = 0.2;

  std::string text(const std::string& wanted) const {
    return fmt::format(
               "{}[[material]]\nname = \"lossy\"\neps = {}\nsigma = {}\n[[body]]\nmaterial = "
               "\"lossy\"\n",
               domain(), eps, sigma)
               .replace(0, 9, "[domain]\npolarization = \"te\"\n") +
           ports(1.5) + wanted + end;
  }
  /// Of the grid in space and time: sigma acts on the mean of two steps.
  cplx index(double f) const {
    const double half = pi * f * dt();
    const cplx medium(eps, sigma * dt() / 2 / std::tan(half));
    return 2 / dx() * std::asin(std::sqrt(medium * time_term(f)) * dx() / 2.0) / (2 * pi * f);
  }
};

TEST_F(SParameterPlanes, OfALossyGuideAreMovedWithItsDecay) {
  const Lossy p;
  // What goes 3 units loses 0.2 of itself; between reference planes 0.2 apart it loses 0.013.
  for (const Scattering& s :
       on_all(p.text("[s_parameters]\nfrequencies = [0.6, 0.65, 0.7]\nreference = -1.4\n"))) {
    ASSERT_EQ(s.s.size(), 3u * 4);
    const auto decay =
        test::stored<double>(results::read_hdf5((folder / "out/results.h5").string()), "effective_index_im");
    ASSERT_EQ(decay.size(), 6u);
    for (std::size_t f = 0; f < 3; ++f) {
      const cplx n = p.index(s.frequency[f]), through = std::exp(cplx(0, 2 * pi * s.frequency[f] * 0.2) * n);
      test::record("lossy: S21 off by %.1e, S11 %.1e", std::abs(s.at(f, 1, 0) - through),
                   std::abs(s.at(f, 0, 0)));
      EXPECT_NEAR(s.index[f], n.real(), 1e-9);
      EXPECT_NEAR(decay[f], n.imag(), 1e-9);
      EXPECT_LT(std::abs(s.at(f, 1, 0) - through), left);
      EXPECT_LT(std::abs(s.at(f, 0, 1) - through), left);
      // With the real impedance of the lossless medium 1e-2 would seem to come back.
      EXPECT_LT(std::abs(s.at(f, 0, 0)), left);
      EXPECT_LT(std::abs(s.at(f, 1, 1)), left);
    }
  }
}

TEST_F(SParameterPlanes, OfALossyGuideOverABandAreInterpolated) {
  const Lossy p;
  const Scattering s = test::scattering_of(
      folder, p.text("[s_parameters]\nfrequency_from = 0.6\nfrequency_to = 0.7\nfrequency_count = 24\nexcite "
                     "= [\"a\"]\n"));
  const auto decay =
      test::stored<double>(results::read_hdf5((folder / "out/results.h5").string()), "effective_index_im");
  ASSERT_EQ(decay.size(), 48u);
  for (std::size_t f = 0; f < 24; ++f) {
    EXPECT_NEAR(s.index[f], p.index(s.frequency[f]).real(), 1e-8);
    EXPECT_NEAR(decay[f], p.index(s.frequency[f]).imag(), 1e-8);
    EXPECT_LT(std::abs(s.s.at(f * 2)), left);  // S11
  }
}

}  // namespace
}  // namespace umov
