// Closed boxes without loss keep their energy; sources and points may be exchanged.
#include <Eigen/Dense>
#include <map>

#include "support/fdtd_problems.hpp"

namespace umov::fdtd::trial {
namespace {

/// Share of a component's cell that lies inside the box: half on a magnetic wall.
double share(const Problem& p, int c, const Int3& at) {
  double s = 1;
  for (int a = 0; a < 3; ++a)
    if (p.grid.active(a) && p.grid.offset(c, a) == 0 && p.walls[a][0] == Closure::pmc &&
        (at[a] == 0 || at[a] == p.grid.cells[a]))
      s /= 2;
  return s;
}
double permittivity(const Problem& p, int c, const Int3& at) {
  const auto id = p.material[c].empty() ? p.uniform[c] : p.material[c][Layout(p.grid).at(at)];
  return p.grid.dt / p.grid.dx / p.coefficients[id].drive;
}

/// Sum over E components of eps E^2, or over H components of H H_later.
double energy_product(const Problem& p, bool electric, const std::vector<FieldBlock>& a,
                      const std::vector<FieldBlock>& b) {
  double sum = 0;
  for (int c = electric ? Ex : Hx; c <= (electric ? Ez : Hz); ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    std::size_t n = 0;
    for_each_cell(update_box(p, c), [&](const Int3& at) {
      double ab = a[c].real[n] * b[c].real[n];
      if (p.complex_fields) ab += a[c].imag[n] * b[c].imag[n];
      sum += share(p, c, at) * permittivity(p, c, at) * ab;
      ++n;
    });
  }
  return sum;
}
std::vector<FieldBlock> all_fields(const Engine& e, const Problem& p) {
  std::vector<FieldBlock> f(components);
  for (int c = 0; c < components; ++c)
    if (has_component(p.grid.mode, c)) f[c] = values(e, p, Component(c));
  return f;
}
/// E^n eps E^n + H^(n-1/2) H^(n+1/2), which leapfrog conserves exactly; takes one step.
double energy(Engine& e, const Problem& p) {
  const auto before = all_fields(e, p);
  e.advance(1);
  return energy_product(p, true, before, before) + energy_product(p, false, before, all_fields(e, p));
}

Problem closed_box(Mode mode, Int3 cells, Closure closure, Precision precision) {
  Problem p = vacuum(mode, cells, precision);
  p.walls = all_walls(closure);
  std::mt19937 random(5);
  for (int m = 0; m < 9; ++m)
    p.coefficients.push_back({1, p.grid.dt / std::uniform_real_distribution<>(1, 9)(random)});
  for (int c = 0; c < components; ++c) {
    if (!has_component(mode, c)) continue;
    p.material[c].resize(Layout(p.grid).size);
    for (auto& id : p.material[c]) id = std::uint16_t(random() % 10);
  }
  // the two nodes of a periodic axis that are one place share a material by construction: n is a copy
  return p;
}

// Rounding adds at most eps per step and cell, at random: eps sqrt(steps) in the mean, here bounded with a
// margin of 100 for sums and for the products of two steps.
double expected_drift(Precision t, double steps) {
  return 100 * (t == Precision::single_ ? 6e-8 : 1.1e-16) * std::sqrt(steps);
}

TEST(FdtdEnergy, StaysConstantOverAHundredThousandStepsInAClosedBox) {
  const double steps = 1e5;
  for (const Precision t : {Precision::double_, Precision::single_})
    for (const Closure w : {Closure::pec, Closure::pmc, Closure::periodic})
      for (const auto& [mode, cells] : {std::pair<Mode, Int3>{Mode::one, {31, 1, 1}},
                                        {Mode::tm, {13, 7, 1}},
                                        {Mode::te, {7, 11, 1}},
                                        {Mode::full, {5, 4, 3}}}) {
        const Problem p = closed_box(mode, cells, w, t);
        auto e = engine_for(p, "cpu", 1);
        set_noise(*e, p, 2);
        const double before = energy(*e, p);
        e->advance(long(steps));
        EXPECT_NEAR(energy(*e, p) / before, 1, expected_drift(t, steps)) << int(mode) << ' ' << int(w);
      }
}

TEST(FdtdEnergy, StaysConstantInABlochPeriodicBox) {
  Problem p = closed_box(Mode::full, {5, 4, 3}, Closure::periodic, Precision::double_);
  p.complex_fields = true;
  p.bloch_phase = {0.3, -1.1, 2.5};
  auto e = engine_for(p, "cpu", 1);
  set_noise(*e, p, 2);
  const double before = energy(*e, p), steps = 1e4;
  e->advance(long(steps));
  EXPECT_NEAR(energy(*e, p) / before, 1, expected_drift(p.precision, steps));
}

/// Adds symmetric off-diagonal terms with a random value at every node that lies on no wall, and returns the
/// matrix dt/dx eps^-1 from D to E over all electric cells.
struct Tensor {
  Problem& p;
  std::map<std::pair<int, index_t>, int> number;  // of an electric cell
  Eigen::MatrixXd matrix;

  explicit Tensor(Problem& problem, double strength) : p(problem) {
    for (int c = Ex; c <= Ez; ++c)
      if (has_component(p.grid.mode, c))
        for_each_cell(update_box(p, c), [&](const Int3& at) {
          number.emplace(std::pair(c, Layout(p.grid).at(at)), int(number.size()));
        });
    matrix = Eigen::MatrixXd::Zero(Eigen::Index(number.size()), Eigen::Index(number.size()));
    for (const auto& [place, n] : number)
      matrix(n, n) = p.grid.dt / permittivity(p, place.first, cell(place.second));
    for (const auto& [place, n] : number) add(place.first, place.second, n, strength);
  }
  Int3 cell(index_t e) const {
    const Layout l(p.grid);
    const int k = dimensions(p.grid.mode) == 3 ? int((e - l.base + l.plane) / l.plane) - 1 : 0;
    const index_t in_plane = e - l.base - k * l.plane;
    const int j = int((in_plane + l.pitch) / l.pitch) - 1;
    return {int(in_plane - j * l.pitch), j, k};
  }
  /// A place beyond a periodic wall is its copy inside; -1 beyond other walls.
  int find(int c, Int3 at) const {
    for (int a = 0; a < 3; ++a)
      if (p.walls[a][0] == Closure::periodic) at[a] = (at[a] + p.grid.cells[a]) % p.grid.cells[a];
    const auto found = number.find({c, Layout(p.grid).at(at)});
    return found == number.end() ? -1 : found->second;
  }
  /// Value at a node for a pair of axes: the same whichever edge asks.
  double value(Int3 node, int a, int b, double strength) const {
    for (int x = 0; x < 3; ++x) {
      if (!p.grid.active(x)) continue;
      if (p.walls[x][0] == Closure::periodic)
        node[x] = (node[x] + p.grid.cells[x]) % p.grid.cells[x];
      else if (node[x] == 0 || node[x] == p.grid.cells[x])
        return 0;
    }
    return strength * std::sin(1.0 + 3 * node[0] + 7 * node[1] + 13 * node[2] + 5 * (a + b));
  }
  void add(int c, index_t e, int n, double strength) {
    TensorTerm t;
    t.cell = e;
    for (int other = 0; other < 2; ++other) {
      const int q = (c + 1 + other) % 3;
      if (!has_component(p.grid.mode, q)) continue;
      for (int end = 0; end < 2; ++end) {
        Int3 node = cell(e);
        node[c] += end;
        t.w[other][end] = p.grid.dt * value(node, c, q, strength) / 4;
        for (int back = 0; back < 2; ++back) {
          Int3 edge = node;
          edge[q] -= back;
          if (const int m = find(q, edge); m >= 0) matrix(n, m) += t.w[other][end];
        }
      }
    }
    p.tensor[c].push_back(t);
  }
  /// E D dt + H H_later; takes one step.
  double energy(Engine& e) const {
    const auto before = all_fields(e, p);
    e.advance(1);
    Eigen::VectorXd field(matrix.rows());
    for (int c = Ex; c <= Ez; ++c) {
      if (!has_component(p.grid.mode, c)) continue;
      std::size_t m = 0;
      for_each_cell(update_box(p, c), [&](const Int3& at) {
        field[number.at({c, Layout(p.grid).at(at)})] = before[c].real[m++];
      });
    }
    return p.grid.dt * field.dot(matrix.ldlt().solve(field)) +
           energy_product(p, false, before, all_fields(e, p));
  }
};

// The off-diagonal part is symmetric, so the step with it conserves E D + H H as the step without does.
TEST(FdtdEnergy, StaysConstantWithAnAnisotropicTensor) {
  const double steps = 1e5;
  for (const Closure w : {Closure::pec, Closure::periodic})
    for (const auto& [mode, cells] : {std::pair<Mode, Int3>{Mode::te, {9, 8, 1}}, {Mode::full, {5, 4, 3}}}) {
      Problem p = closed_box(mode, cells, w, Precision::double_);
      p.grid.dt *= 0.8;
      for (auto& k : p.coefficients) k.drive *= 0.8;
      const Tensor tensor(p, 0.1);
      ASSERT_LT((tensor.matrix - tensor.matrix.transpose()).norm(), 1e-14);
      auto e = engine_for(p, "cpu", 1);
      set_noise(*e, p, 2);
      const double before = tensor.energy(*e);
      e->advance(long(steps));
      EXPECT_NEAR(tensor.energy(*e) / before, 1, 10 * expected_drift(p.precision, steps))
          << int(mode) << ' ' << int(w);
    }
}

/// Ez at `to` for a pulse of current at `from`.
std::vector<double> response(Problem p, const Int3& from, const Int3& to) {
  p.tables = {signal_table([](long n) { return std::exp(-0.01 * (double(n) - 30) * (double(n) - 30)); })};
  p.sources = {point_source(p, Ez, from)};
  p.sources[0].weights = {p.coefficients[p.material[Ez][Layout(p.grid).at(from)]].drive};  // of a current
  p.recorders = {point_recorder(p, Ez, to)};
  auto e = engine_for(p);
  e->advance(400);
  return e->drain(0);
}

TEST(FdtdEnergy, SourceAndObserverMayBeExchanged) {
  Problem p = closed_box(Mode::tm, {50, 44, 1}, Closure::pec, Precision::double_);
  for (std::size_t m = 1; m < p.coefficients.size(); ++m) p.coefficients[m].decay = 0.99;
  for (int a = 0; a < 2; ++a) add_pml(p, a);
  const auto there = response(p, {15, 14, 0}, {33, 29, 0}), back = response(p, {33, 29, 0}, {15, 14, 0});
  double apart = 0, largest = 0;
  for (std::size_t n = 0; n < there.size(); ++n) {
    apart = std::max(apart, std::abs(there[n] - back[n]));
    largest = std::max(largest, std::abs(there[n]));
  }
  ASSERT_GT(largest, 1e-4);
  EXPECT_LT(apart, 1e-13 * largest + 1e-15);
}

}  // namespace
}  // namespace umov::fdtd::trial
