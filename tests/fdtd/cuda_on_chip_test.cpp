// Small grids that stay on the chip, against the simple kernels: every kind of list that may be on there.
#include "backend/registry.hpp"
#include "support/fdtd_everything.hpp"

namespace umov::fdtd::trial {
namespace {

struct Small {
  Mode mode;
  Int3 cells;
  Precision precision = Precision::single_;
};
void PrintTo(const Small& s, std::ostream* os) { *os << words(s.mode, s.cells) << " " << word(s.precision); }

class FdtdCudaOnChip : public testing::TestWithParam<Small> {
 protected:
  void SetUp() override {
    for (const auto& b : backend::list_backends())
      if (b.name == "cuda" && !b.available) GTEST_SKIP() << b.why_not;
  }
  /// Electric walls and no tensor terms: with those, small grids take another way.
  Problem problem() const {
    Problem p = everything({GetParam().mode, GetParam().cells, GetParam().precision});
    for (auto& terms : p.tensor) terms.clear();
    return p;
  }
  std::unique_ptr<Engine> run(const Problem& p, bool tuned) {
    auto e = engine_for(p, "cuda", 1, tuned);
    set_noise(*e, p, 3);
    for (const int n : {1, 16, 20}) e->advance(n);
    return e;
  }
};

TEST_P(FdtdCudaOnChip, EqualsSimpleKernels) {
  const Problem p = problem();
  const auto simple = run(p, false), tuned = run(p, true);
  const Difference d = difference(p, *simple, *tuned);
  // rounding of a few dozen steps
  const double tolerance = GetParam().precision == Precision::single_ ? 1e-5 : 1e-14;
  EXPECT_LE(d.fields, tolerance);
  EXPECT_LE(d.samples, tolerance);
  EXPECT_LE(d.transforms, tolerance);
}

TEST_P(FdtdCudaOnChip, ResumesBitForBit) {
  const Problem p = problem();
  const auto whole = run(p, true), resumed = engine_for(p, "cuda", 1, true);
  resumed->restore(whole->save());
  for (Engine* e : {whole.get(), resumed.get()}) e->advance(24);
  EXPECT_TRUE(whole->save() == resumed->save());
}

constexpr Precision twice = Precision::double_;
const Small cases_of_cuda_on_chip[] = {{Mode::tm, {128, 64, 1}},        {Mode::te, {128, 64, 1}},
                                       {Mode::tm, {61, 37, 1}},         {Mode::te, {211, 127, 1}},
                                       {Mode::tm, {40, 3, 1}},          {Mode::te, {2, 29, 1}},
                                       {Mode::tm, {128, 64, 1}, twice}, {Mode::te, {90, 71, 1}, twice}};
INSTANTIATE_TEST_SUITE_P(Cases, FdtdCudaOnChip, testing::ValuesIn(cases_of_cuda_on_chip));

}  // namespace
}  // namespace umov::fdtd::trial
