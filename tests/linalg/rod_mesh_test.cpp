// The rod with sheds: iterations beside those of other codes on the same system. Skipped where the mesh is
// not.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "../benchmarks/eqs_system.hpp"
#include "backend/cpu/cpu.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "linalg/pcg.hpp"
#include "support/program.hpp"

namespace umov {
namespace {

TEST(ValidateRodMesh, FirstOrderTakesNoMoreIterationsThanTrilinosAndAmgcl) {
  const std::string packed = test::reference("eqs/rod.eqm.xz");
  const test::TemporaryFolder folder;
  const std::string plain = folder / "rod.eqm";
  if (!test::has_reference("eqs/rod.eqm.xz")) GTEST_SKIP() << "the mesh (7.6 MB) is not kept with the tests";
  if (std::system(("xz -dkc " + packed + " > " + plain).c_str()) != 0) GTEST_SKIP() << "no xz";
  auto mesh = mesh::read_eqm(plain);
  mesh::sort_by_place(mesh);
  const auto rod = bench::number_rod(std::move(mesh), 1);
  ASSERT_EQ(rod.unknowns, 191923);  // as the reference counts
  const auto a = bench::assemble_first(rod);
  // right-hand side: what the nodes at potential 1 ask for
  std::vector<double> b(rod.unknowns, 0.0), x(rod.unknowns);
  for (std::size_t t = 0; t < rod.mesh.tets.size(); ++t) {
    const auto g = bench::gram(rod, t);
    const auto& n = rod.mesh.tets[t];
    double u[4];
    for (int k = 0; k < 4; ++k) u[k] = rod.unknown[n[k]] < 0 ? rod.fixed[n[k]] : 0;
    const double d[3] = {u[1] - u[0], u[2] - u[0], u[3] - u[0]};
    const double y[3] = {g[0] * d[0] + g[3] * d[1] + g[4] * d[2], g[3] * d[0] + g[1] * d[1] + g[5] * d[2],
                         g[4] * d[0] + g[5] * d[1] + g[2] * d[2]};
    const double all[4] = {-(y[0] + y[1] + y[2]), y[0], y[1], y[2]};
    for (int k = 0; k < 4; ++k)
      if (rod.unknown[n[k]] >= 0) b[rod.unknown[n[k]]] -= all[k];
  }
  backend::Cpu dev;
  amg::Hierarchy<backend::Cpu, float> hierarchy(dev, {});
  hierarchy.setup(a.view());
  sparse::RowsOperator<backend::Cpu, double> op(dev, a.view());
  linalg::Pcg<backend::Cpu, float> pcg(dev, rod.unknowns);
  linalg::PcgSettings settings;
  settings.from_zero = true;
  const auto info = pcg.solve(op, hierarchy, b.data(), x.data(), settings);
  ASSERT_TRUE(info.converged) << info.why_not;
  EXPECT_LE(info.residual, 1e-12);
  // Trilinos ML with Chebyshev 26, AMGCL 24 (README of the reference); 20 % more would be 28
  EXPECT_LE(info.iterations, 24);
  // potentials lie between those of the electrodes, up to the mesh's obtuse angles
  for (const double v : x) ASSERT_TRUE(v > -0.05 && v < 1.05);
}

}  // namespace
}  // namespace umov
