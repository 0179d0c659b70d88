// Junctions of metal guides at right angles, with two modes in each, against mode matching.
#include <Eigen/Dense>

#include "s_parameters/guides.hpp"
#include "support/record.hpp"

namespace umov {
namespace {

using Square = Eigen::MatrixXcd;

/// A square of side 1 with E along z, whose sides named in `open` (of "WESN") are the ends of guides and the
/// others metal. Its field is a sum over open sides and m of V_m sin(m pi t) sin(k_m s) / sin(k_m), t along
/// that side, s from the side opposite to it, k_m^2 = k^2 - (m pi)^2.
class Junction {
 public:
  Junction(std::string open, double frequency, int modes)
      : open_(std::move(open)), wavenumber_(2 * pi * frequency), modes_(modes) {}

  /// Between the open sides, `kept` modes each; amplitudes whose squares are powers, E > 0 at the low end.
  Square scattering(int kept) const {
    const int n = int(open_.size()) * modes_;
    Square slope(n, n), guide = Square::Zero(n, n);
    for (int i = 0; i < n; ++i) {
      guide(i, i) = cplx(0, 1) * along(i % modes_);
      for (int j = 0; j < n; ++j) slope(i, j) = outward_slope(i, j);
    }
    // V = in + out has the slope i k_m (out - in) in the guides
    const Square s = (guide - slope).partialPivLu().solve(guide + slope);
    const int ports = int(open_.size());
    Square out(ports * kept, ports * kept);
    for (int i = 0; i < ports * kept; ++i)
      for (int j = 0; j < ports * kept; ++j)
        out(i, j) = s(i / kept * modes_ + i % kept, j / kept * modes_ + j % kept) *
                    std::sqrt(along(i % kept) / along(j % kept));
    return out;
  }

 private:
  cplx along(int m) const { return std::sqrt(cplx(wavenumber_ * wavenumber_ - std::pow(pi * (m + 1), 2))); }
  static bool low(char side) { return side == 'W' || side == 'S'; }
  static bool across_x(char side) { return side == 'W' || side == 'E'; }

  /// Projection on mode i of its side of the outward derivative that V_j = 1 makes there.
  cplx outward_slope(int i, int j) const {
    const char at = open_[std::size_t(i / modes_)], of = open_[std::size_t(j / modes_)];
    const int to = i % modes_, from = j % modes_;
    const cplx k = along(from);
    if (across_x(at) == across_x(of)) {
      if (to != from) return 0;
      return at == of ? k / std::tan(k) : -k / std::sin(k);
    }
    // d/dn of sqrt(2) sin(q t), and the integral of sqrt(2) sin(p u) sin(k s) / sin(k) with s = u or 1 - u
    const double p = pi * (to + 1), q = pi * (from + 1);
    const double end = low(at) ? -1 : (from % 2 ? 1 : -1);
    const double sign = low(of) ? -1 : (to % 2 ? 1 : -1);
    return 2 * q * end * sign * p / (k * k - p * p);
  }

  std::string open_;
  double wavenumber_;
  int modes_;
};

/// Guides of width 1 that meet at the origin, the planes of their ports as wide as they are.
std::string tee(int resolution) {
  using test::Plates;
  return fmt::format(
             "[domain]\nsize = [{0}, {1}]\nresolution = {2}\nbackground = \"pec\"\n[machine]\nbackend = "
             "\"cpu\"\n"
             "[[body]]\nmaterial = \"vacuum\"\nsize = [10, 1]\n[[body]]\nmaterial = \"vacuum\"\ncenter = [0, "
             "2]\n"
             "size = [1, 4]\n",
             9, 5.5, resolution) +
         Plates::port("west", "-x", -2, 0, 1) + Plates::port("east", "+x", 2, 0, 1) +
         "[[port]]\nname = \"north\"\ncenter = [0, 1.7]\nsize = [1, 0]\ndirection = \"+y\"\n"
         "[s_parameters]\nfrequencies = [1.2]\nmodes = 2\nports = [\"west\", \"north\", \"east\"]\n"
         "reference = [-1.5, -1.2, -1.5]\n";
}

// At 20 cells in the width entries are off by 2.4e-2, at 40 by 6e-3: the second order of the grid.
TEST(SParametersOfAJunction, AreThoseOfModeMatching) {
  test::TemporaryFolder folder;
  const Square exact = Junction("WNE", 1.2, 60).scattering(2);
  ASSERT_LT((exact - exact.transpose()).norm(), 1e-10);
  ASSERT_LT((exact.adjoint() * exact - Square::Identity(6, 6)).norm(), 1e-10);
  const auto coarse = test::scattering_of(folder, tee(20)), fine = test::scattering_of(folder, tee(30));
  ASSERT_EQ(fine.s.size(), 36u);
  double off = 0, left = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      const cplx there = exact(Eigen::Index(i), Eigen::Index(j)), at30 = fine.at(0, i, j);
      off = std::max(off, std::abs(at30 - there));
      left = std::max(left, std::abs(at30 + (at30 - coarse.at(0, i, j)) * 0.8 - there));
    }
  test::record("30 cells off by %.1e, cells of size 0 by %.1e", off, left);
  EXPECT_LT(off, 0.0125);  // 2.4e-2 (20 / 30)^2, and a sixth
  EXPECT_LT(left, 2e-3);   // of the fourth order and of the runs' end, each some 1e-3
}

}  // namespace
}  // namespace umov
