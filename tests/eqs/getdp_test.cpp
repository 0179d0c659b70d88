// Against another code on the same mesh: GetDP's potentials of a lossy ball, both orders.
#include <gtest/gtest.h>

#include <filesystem>

#include "mesh/gmsh_file.hpp"
#include "parameters/columns.hpp"
#include "support/ball_in_cube.hpp"
#include "support/eqs_cases.hpp"
#include "support/places.hpp"

namespace umov::eqs::test {
namespace {

class EqsGetdp : public testing::TestWithParam<int> {};

TEST_P(EqsGetdp, PotentialsOnTheSameMeshAgree) {
  const int order = GetParam();
  const std::string file = testing::TempDir() + "getdp_ball" + std::to_string(order) + ".msh";
  mesh::write_gmsh(ball_in_cube(0.4, 1, 6), file);
  Simulation s;
  s.mesh.file = file;
  s.mesh.order = order;
  s.analysis = Analysis::harmonic;
  s.materials = {material("air", constant(1), constant(1e-10)),
                 material("ball", constant(4), constant(2e-9))};
  s.electrodes = {driven("top", sine(1000)), electrode("bottom")};
  const Problem p = make_problem(s);
  std::filesystem::remove(file);
  const auto e = make_engine(p, on("cpu"));
  ASSERT_TRUE(e->solve_harmonic(100 * pi).converged);
  const auto v = e->potential();
  ColumnFormat seven;
  for (const char* name : {"x", "y", "z", "first", "imaginary", "second", "imaginary"})
    seven.columns.push_back({name, ""});
  const auto rows = read_columns(umov::test::data("eqs_getdp_ball.csv"), seven, "GetDP").value;
  ASSERT_GT(rows[0].size(), 70u);
  for (std::size_t k = 0; k < rows[0].size(); ++k) {
    int node = -1;
    for (std::size_t n = 0; n < p.mesh.nodes.size(); ++n)
      if (norm(p.mesh.nodes[n] - Vec3{rows[0][k], rows[1][k], rows[2][k]}) < 1e-9) node = int(n);
    ASSERT_GE(node, 0);
    // the same discrete equations: solvers' residuals (1e-12 here) times a condition number of some hundred
    EXPECT_NEAR(v[node], rows[1 + 2 * order][k], 1e-8 * 1000);
    EXPECT_NEAR(v[p.nodes + node], rows[2 + 2 * order][k], 1e-8 * 1000);
  }
  const double loss = order == 1 ? 6.070818374768573e-05 : 5.921851264297235e-05;
  EXPECT_NEAR(e->observe().power, loss, 1e-9 * loss);
}
INSTANTIATE_TEST_SUITE_P(Orders, EqsGetdp, testing::Values(1, 2));

}  // namespace
}  // namespace umov::eqs::test
