// Passes of several steps on the GPU against the simple kernels there: layers, lists and walls in odd places.
#include "backend/registry.hpp"
#include "support/fdtd_sparse.hpp"

namespace umov::fdtd::trial {
namespace {

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

const Sparse cases_of_cuda_march[] = {
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
INSTANTIATE_TEST_SUITE_P(Cases, FdtdCudaMarch, testing::ValuesIn(cases_of_cuda_march));

}  // namespace
}  // namespace umov::fdtd::trial
