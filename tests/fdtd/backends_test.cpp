// The backends against each other, on grids that fit no tile, with everything on.
#include "backend/registry.hpp"
#include "support/fdtd_everything.hpp"

namespace umov::fdtd::trial {
namespace {

std::vector<Everything> cases_of_backends() {
  std::vector<Everything> list;
  for (const Precision t : {Precision::single_, Precision::double_}) {
    list.push_back({Mode::one, {1009, 1, 1}, t});
    list.push_back({Mode::one, {1, 1, 1}, t, {periodic, pec, pec}, true, true});
    list.push_back({Mode::tm, {597, 43, 1}, t});
    list.push_back({Mode::te, {597, 43, 1}, t});
    list.push_back({Mode::tm, {1, 37, 1}, t, {periodic, pec, pec}});
    list.push_back({Mode::te, {37, 1, 1}, t, {pmc, periodic, pec}});
    list.push_back({Mode::tm, {61, 53, 1}, t, {periodic, pec, pec}, true, true});
    list.push_back({Mode::te, {61, 53, 1}, t, {pec, pmc, pec}, false});
    list.push_back({Mode::te, {131, 29, 1}, t, {periodic, periodic, pec}, true, true, 300});
    list.push_back({Mode::full, {37, 23, 17}, t});
    list.push_back({Mode::full, {17, 31, 13}, t, {periodic, pmc, pec}, true, false, 300});
    // walls of every kind across the rows or planes that the tuned stepper takes one after the other
    list.push_back({Mode::tm, {61, 53, 1}, t, {pec, periodic, pec}});
    list.push_back({Mode::full, {13, 11, 17}, t, {pec, periodic, pmc}});
    list.push_back({Mode::full, {13, 11, 17}, t, {pec, pec, periodic}});
    // large enough for several threads
    list.push_back({Mode::tm, {307, 229, 1}, t, {pec, pmc, pec}});
    list.push_back({Mode::te, {311, 223, 1}, t, {pec, periodic, pec}});
    list.push_back({Mode::tm, {307, 229, 1}, t});
    list.push_back({Mode::te, {311, 223, 1}, t, {periodic, pec, pec}, true});
    list.push_back({Mode::full, {47, 43, 37}, t, {periodic, pec, pec}, true});
    list.push_back({Mode::full, {19, 7, 11}, t, {periodic, periodic, periodic}, true, true});
  }
  return list;
}

class FdtdBackends : public testing::TestWithParam<Everything> {
 protected:
  static constexpr int steps = 30;
  /// Rounding of one step grows by a small factor over the few steps taken.
  double tolerance() const { return GetParam().precision == Precision::single_ ? 5e-6 : 1e-14; }
  std::unique_ptr<Engine> run(const Problem& p, const std::string& backend, int threads = 1,
                              bool tuned = false) {
    auto e = engine_for(p, backend, threads, tuned);
    set_noise(*e, p, 3);
    // in pieces, as a run with checks does
    for (const int n : {1, 7, steps - 8}) e->advance(n);
    return e;
  }
  void expect_alike(const Problem& p, Engine& a, Engine& b) {
    const Difference d = difference(p, a, b);
    EXPECT_LE(d.fields, tolerance());
    EXPECT_LE(d.samples, tolerance());
    EXPECT_LE(d.transforms, tolerance());
    EXPECT_LE(d.products, 2 * tolerance());
  }
};

TEST_P(FdtdBackends, CpuEqualsSerial) {
  const Problem p = everything(GetParam());
  expect_alike(p, *run(p, "serial"), *run(p, "cpu", 2));
}

TEST_P(FdtdBackends, ThreadsDoNotChangeABit) {
  const Problem p = everything(GetParam());
  for (const bool tuned : {false, true}) {
    const auto one = run(p, "cpu", 1, tuned)->save();
    for (const int threads : {2, 3}) EXPECT_TRUE(run(p, "cpu", threads, tuned)->save() == one);
  }
}

TEST_P(FdtdBackends, TunedCpuEqualsSerial) {
  const Problem p = everything(GetParam());
  expect_alike(p, *run(p, "serial"), *run(p, "cpu", 2, true));
}

TEST_P(FdtdBackends, CudaEqualsSerial) {
  for (const auto& b : backend::list_backends())
    if (b.name == "cuda" && !b.available) GTEST_SKIP() << b.why_not;
  const Problem p = everything(GetParam());
  const auto serial = run(p, "serial");
  const auto samples = serial->save();
  for (const bool tuned : {false, true}) {
    serial->restore(samples);
    expect_alike(p, *serial, *run(p, "cuda", 1, tuned));
  }
}

INSTANTIATE_TEST_SUITE_P(AllModes, FdtdBackends, testing::ValuesIn(cases_of_backends()));

}  // namespace
}  // namespace umov::fdtd::trial
