// Passes of several steps on the GPU against the simple kernels there: layers, lists and walls in odd places.
#include "backend/registry.hpp"
#include "support/fdtd_everything.hpp"

namespace umov::fdtd::test {
namespace {

constexpr Closure pec = Closure::pec, pmc = Closure::pmc, periodic = Closure::periodic;

/// Lists on a few cells of a grid large enough that passes pay: they are chosen by what they save.
struct Sparse {
  Mode mode;
  Int3 cells;
  bool pml = true, lists = true;
  std::array<Closure, 3> low{pec, pec, pec}, high{pec, pec, pec};
  int materials = 7;
};
void PrintTo(const Sparse& s, std::ostream* os) {
  *os << words(s.mode, s.cells) << (s.pml ? " pml" : "") << (s.lists ? " lists" : "");
  for (int a = 0; a < 3; ++a) *os << " " << word(s.low[a]) << "-" << word(s.high[a]);
  *os << " " << s.materials << " materials";
}

std::vector<index_t> few_cells(const Problem& p, int component, std::mt19937& random) {
  return some_cells(p, component, random, 3.0 / double(p.grid.cell_count()));
}

void add_few(Problem& p, std::mt19937& random) {
  p.tables = {signal_table([](long n) { return std::cos(0.2 * double(n)); })};
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    p.sources.push_back(point_source(p, Component(c), {p.grid.cells[0] / 3, p.grid.cells[1] / 2, 0}));
    Recorder r;
    r.component = Component(c);
    r.cells = few_cells(p, c, random);
    r.weights.assign(r.cells.size(), 0.5);
    r.first = {0, index_t(r.cells.size())};
    p.recorders.push_back(r);
    p.fouriers.push_back({Component(c), 1, few_cells(p, c, random), {0.05}});
    if (!is_electric(c)) continue;
    p.dispersive.push_back(
        {Component(c), few_cells(p, c, random), {{false, 0.98, 0.05, 0.01, 0.3 * p.grid.dt}}});
    for (const index_t e : few_cells(p, c, random))
      p.tensor[c].push_back({e, {{{0.01, 0.02}, {0.01, -0.01}}}});
  }
}

Problem sparse(const Sparse& s) {
  std::mt19937 random(11);
  Problem p = vacuum(s.mode, s.cells, Precision::single_);
  for (int a = 0; a < dimensions(s.mode); ++a) {
    p.walls[a] = {s.low[a], s.high[a]};
    if (s.pml && s.low[a] == pec && s.high[a] == pec && s.cells[a] > 24) add_pml(p, a, 6);
  }
  for (int m = 1; m < s.materials; ++m)
    p.coefficients.push_back({draw(random, 0.9, 1), p.grid.dt * draw(random, 0.2, 1)});
  for (int c = Ex; c <= Ez; ++c) {
    if (!has_component(s.mode, c) || s.materials == 1) continue;
    p.material[c].resize(Layout(p.grid).size);
    for (auto& id : p.material[c]) id = std::uint16_t(random() % s.materials);
  }
  if (s.lists) add_few(p, random);
  return p;
}

class FdtdCudaMarch : public testing::TestWithParam<Sparse> {
 protected:
  void SetUp() override {
    for (const auto& b : backend::list_backends())
      if (b.name == "cuda" && !b.available) GTEST_SKIP() << b.why_not;
  }
  std::unique_ptr<Engine> run(const Problem& p, bool tuned) {
    auto e = engine_for(p, "cuda", 1, tuned);
    set_noise(*e, p, 3);
    for (const int n : {1, 16, 20}) e->advance(n);
    return e;
  }
};

TEST_P(FdtdCudaMarch, EqualsSimpleKernels) {
  const Problem p = sparse(GetParam());
  const auto simple = run(p, false), tuned = run(p, true);
  EXPECT_GT(tuned->bytes(), simple->bytes() * 3 / 2) << "passes keep twins of the fields; none was chosen";
  const Difference d = difference(p, *simple, *tuned);
  // rounding of a few dozen steps in single precision; sums over them cancel
  EXPECT_LE(d.fields, 5e-6);
  EXPECT_LE(d.samples, 5e-6);
  EXPECT_LE(d.transforms, 2e-5);
}

TEST_P(FdtdCudaMarch, ResumesBitForBit) {
  const Problem p = sparse(GetParam());
  const auto whole = run(p, true), resumed = engine_for(p, "cuda", 1, true);
  resumed->restore(whole->save());
  for (Engine* e : {whole.get(), resumed.get()}) e->advance(24);
  EXPECT_TRUE(whole->save() == resumed->save());
}

const Sparse cases[] = {
    {Mode::tm, {1621, 713, 1}},
    {Mode::te, {1621, 713, 1}},
    {Mode::tm, {997, 1100, 1}, false, false},
    {Mode::te, {1040, 1041, 1}, false, true, {periodic, pec, pec}, {periodic, pec, pec}},
    {Mode::tm, {2048, 520, 1}, true, true, {pmc, pec, pec}, {pec, pec, pec}, 1},
    {Mode::te, {1100, 1001, 1}, true, true, {pec, periodic, pec}, {pec, periodic, pec}, 250},
    {Mode::full, {97, 101, 109}, true, false},
    {Mode::full, {163, 127, 131}},
    {Mode::full, {128, 131, 140}, true, true, {pec, periodic, pec}, {pec, periodic, pec}},
    {Mode::full, {149, 140, 121}, false, true, {pec, pec, pmc}, {pmc, pec, pec}, 1},
};
INSTANTIATE_TEST_SUITE_P(Cases, FdtdCudaMarch, testing::ValuesIn(cases));

}  // namespace
}  // namespace umov::fdtd::test
