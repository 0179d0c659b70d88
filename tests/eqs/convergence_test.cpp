// Orders of convergence: elements against exact solutions, time integrators linear and nonlinear.
#include <gtest/gtest.h>

#include "eqs/model/model_parts.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

using Exact = double (*)(const Vec3&);

/// exp(sqrt(2) z) cos x sin(y + 0.3): harmonic.
double harmonic_solution(const Vec3& x) {
  return std::exp(std::sqrt(2.0) * x[2]) * std::cos(x[0]) * std::sin(x[1] + 0.3);
}

/// A flux 1 / r around the axis x = -1/2 through the curve p(E) = 1 + E^2: E from the cubic E + E^3 = 1 / r,
/// and the potential is minus the integral of E dr = E r - integral of r dE with r = 1 / (E + E^3).
double nonlinear_solution(const Vec3& x) {
  const double r = std::hypot(x[0] + 0.5, x[1]), j = 1 / r;
  double e = j;
  for (int k = 0; k < 30; ++k) {
    const double step = (e + e * e * e - j) / (1 + 3 * e * e);
    e -= step;
    if (std::abs(step) < 1e-16) break;
  }
  return -(e * r - std::log(e) + std::log(1 + e * e) / 2);
}

/// A unit cube whose every boundary node is an electrode at the exact solution's potential.
Problem cube(int cells, int order, Analysis analysis, const MaterialSpec& m, Exact exact) {
  Simulation s = column({layer("cube", 1, cells)}, {m}, steady(1), 1, cells);
  s.mesh.order = order;
  s.analysis = analysis;
  s.newton.tolerance = 1e-11;
  Problem p = make_problem(s);
  p.electrodes.clear();
  p.node_electrode.assign(p.nodes, -1);
  for (int n = 0; n < p.nodes; ++n) {
    const Vec3 x = node_place(p, n);
    bool boundary = false;
    for (const double v : x) boundary = boundary || v < 1e-9 || v > 1 - 1e-9;
    if (!boundary) continue;
    p.node_electrode[n] = int(p.electrodes.size());
    Electrode e;
    e.kind = ElectrodeSpec::Kind::driven;
    e.waveform = steady(exact(x));
    p.electrodes.push_back(e);
  }
  renumber(p);
  return p;
}

/// Root of the mean square error over a lattice of 35 points in every element.
double l2_error(const Problem& p, const std::vector<double>& v, Exact exact) {
  double sum = 0, volume = 0;
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
    const auto& n = p.mesh.tets[t];
    const Vec3 o = p.mesh.nodes[n[0]];
    const double size = dot(p.mesh.nodes[n[1]] - o, cross(p.mesh.nodes[n[2]] - o, p.mesh.nodes[n[3]] - o));
    double part = 0;
    int count = 0;
    for (int a = 0; a <= 4; ++a)
      for (int b = 0; a + b <= 4; ++b)
        for (int c = 0; a + b + c <= 4; ++c, ++count) {
          const double l[4] = {(a + 0.25) / 5, (b + 0.25) / 5, (c + 0.25) / 5, (4 - a - b - c + 0.25) / 5};
          Vec3 x{0, 0, 0};
          for (int k = 0; k < 4; ++k) x = x + l[k] * p.mesh.nodes[n[k]];
          double u = 0;
          for (int k = 0; k < 4; ++k)
            u += (p.order == 1 ? l[k] : l[k] * (2 * l[k] - 1)) * v[p.node(int(t), k)];
          if (p.order == 2)
            for (int k = 0; k < 6; ++k)
              u += 4 * l[mesh::tet_edges[k][0]] * l[mesh::tet_edges[k][1]] * v[p.node(int(t), 4 + k)];
          part += (u - exact(x)) * (u - exact(x));
        }
    sum += size * part / count;
    volume += size;
  }
  return std::sqrt(sum / volume);
}

struct SpaceCase {
  const char* name;
  int order;
  bool nonlinear, conduction;
};
void PrintTo(const SpaceCase& c, std::ostream* os) { *os << c.name; }
class EqsConvergence : public testing::TestWithParam<SpaceCase> {};

TEST_P(EqsConvergence, ElementsReachTheirOrderInThePotential) {
  const SpaceCase c = GetParam();
  const CurveSpec curve = c.nonlinear ? formula("1 + E^2") : constant(3);
  const MaterialSpec m =
      c.conduction ? material("cube", constant(1), curve) : material("cube", curve, constant(0));
  const Exact exact = c.nonlinear ? nonlinear_solution : harmonic_solution;
  double before = 0;
  // cells whose edges halve; the order shows from the second pair on
  for (const int cells : {3, 6, 12}) {
    const Problem p =
        cube(cells, c.order, c.conduction ? Analysis::conduction : Analysis::electrostatic, m, exact);
    const auto e = make_engine(p, on("cpu"));
    const Effort effort = e->solve_static(0);
    ASSERT_TRUE(effort.converged) << effort.why_not;
    const double error = l2_error(p, e->potential(), exact);
    if (cells == 12) {
      EXPECT_NEAR(std::log2(before / error), c.order + 1, 0.12);
    }
    before = error;
  }
}
INSTANTIATE_TEST_SUITE_P(Space, EqsConvergence,
                         testing::Values(SpaceCase{"first", 1, false, false},
                                         SpaceCase{"second", 2, false, false},
                                         SpaceCase{"first_nonlinear_eps", 1, true, false},
                                         SpaceCase{"second_nonlinear_eps", 2, true, false},
                                         SpaceCase{"first_nonlinear_kappa", 1, true, true},
                                         SpaceCase{"second_nonlinear_kappa", 2, true, true}));

struct TimeCase {
  const char* name;
  Scheme scheme;
  int kind;  // 0 linear, 1 nonlinear kappa, 2 nonlinear kappa and eps
  double order;
};
void PrintTo(const TimeCase& c, std::ostream* os) { *os << c.name; }
class EqsTimeOrder : public testing::TestWithParam<TimeCase> {};

/// Two layers, 5 ms of a 50 Hz sine: the drop over the first, and the largest error estimate of a step.
std::pair<double, double> drop_after(const TimeCase& c, Scheme scheme, int steps) {
  const CurveSpec kappa = c.kind == 0 ? constant(6e-9) : formula("2e-9 * (1 + (E / 4e5)^3)");
  const CurveSpec eps = c.kind == 2 ? formula("3 + 2 / (1 + (E / 5e5)^2)") : constant(5);
  Simulation s =
      column({layer("a", 1e-3, 1), layer("b", 1e-3, 1)},
             {material("a", eps, kappa), material("b", constant(3), constant(1e-10))}, sine(1200, 50, 20));
  s.time.scheme = scheme;
  s.newton.tolerance = 1e-13;
  s.linear.amg.single_precision = false;
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on("serial"));
  EXPECT_TRUE(e->start(0).converged);
  double largest = 0;
  for (int k = 0; k < steps; ++k) {
    const StepTry t = e->attempt(5e-3 / steps);
    EXPECT_TRUE(t.effort.converged) << t.effort.why_not;
    largest = std::max(largest, t.error);
    e->accept();
  }
  const auto v = e->potential();
  double sum = 0, count = 0;
  for (int n = 0; n < p.nodes; ++n)
    if (std::abs(node_place(p, n)[2] - 1e-3) < 1e-9) sum += v[n], count += 1;
  return {sum / count, largest};
}

TEST_P(EqsTimeOrder, IntegratorsConvergeAtTheirOrder) {
  const TimeCase c = GetParam();
  const double exact = drop_after(c, Scheme::sdirk3, 1280).first;
  double before = 0, before_estimate = 0;
  for (const int steps : {20, 40, 80}) {
    const auto [value, estimate] = drop_after(c, c.scheme, steps);
    const double error = std::abs(value - exact);
    if (steps == 80) {
      EXPECT_NEAR(std::log2(before / error), c.order, 0.2);
      // of one step: dt^(lower order + 1), here 3 for the pairs 3(2), 2 for Euler's with the trapezoidal
      // rule; 3 of the explicit methods
      EXPECT_NEAR(std::log2(before_estimate / estimate), c.scheme == Scheme::implicit_euler ? 2 : 3, 0.3);
    }
    before = error;
    before_estimate = estimate;
  }
}
INSTANTIATE_TEST_SUITE_P(Time, EqsTimeOrder,
                         testing::Values(TimeCase{"sdirk3_linear", Scheme::sdirk3, 0, 3},
                                         TimeCase{"sdirk3_kappa", Scheme::sdirk3, 1, 3},
                                         TimeCase{"sdirk3_kappa_and_eps", Scheme::sdirk3, 2, 3},
                                         TimeCase{"euler_linear", Scheme::implicit_euler, 0, 1},
                                         TimeCase{"euler_kappa_and_eps", Scheme::implicit_euler, 2, 1},
                                         TimeCase{"esdirk3_linear", Scheme::esdirk3, 0, 3},
                                         TimeCase{"esdirk3_kappa", Scheme::esdirk3, 1, 3},
                                         TimeCase{"esdirk3_kappa_and_eps", Scheme::esdirk3, 2, 3},
                                         TimeCase{"rkc_linear", Scheme::rkc, 0, 2},
                                         TimeCase{"rkc_kappa", Scheme::rkc, 1, 2},
                                         TimeCase{"rkc_kappa_and_eps", Scheme::rkc, 2, 2},
                                         TimeCase{"rkl2_linear", Scheme::rkl2, 0, 2},
                                         TimeCase{"rkl2_kappa", Scheme::rkl2, 1, 2}));

}  // namespace
}  // namespace umov::eqs::test
