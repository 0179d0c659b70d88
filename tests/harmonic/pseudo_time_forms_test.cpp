// The iteration in pseudo-time: one form of it against the other, and its memory.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "backend/registry.hpp"
#include "harmonic/kernels/pseudo_time.hpp"
#include "harmonic/marched.hpp"
#include "harmonic/method.hpp"
#include "harmonic/wavy_cell.hpp"

namespace umov::harmonic {
namespace {

Fields marched_for(const Problem& p, const PseudoTimeRequest& request) {
  Marched m = prepare(p, Polarization::p);
  return make_pseudo_time(p, request)->march(m.layered, {}, 151);
}

TEST(HarmonicPseudoTimeForms, PaddingIsNeverRead) {
  // odd sizes, so that rows end within their padding
  const auto cell = small_cell(0.0875, 0.0625);
  const Problem p = make_problem(cell, dielectrics, 0.55, {2, 1});
  PseudoTimeRequest clean{"serial"}, poisoned{"serial"};
  clean.poison = false;
  poisoned.poison = true;
  EXPECT_EQ(marched_for(p, clean).values, marched_for(p, poisoned).values);
}

TEST(HarmonicPseudoTimeForms, CoefficientsByIndexAndStoredOnesAreTheSame) {
  const Problem p = make_problem(silver_cell(0.0875, 0.0625), with_silver, 0.55, {2, 1});
  PseudoTimeRequest indexed{"serial"}, stored{"serial"};
  stored.coefficients = Coefficients::stored;
  EXPECT_EQ(marched_for(p, indexed).values, marched_for(p, stored).values);
}

TEST(HarmonicPseudoTimeForms, TheCpuGivesTheNumbersOfTheSerialReferee) {
  const Problem p = make_problem(small_cell(0.4125, 0.3375), dielectrics, 0.55, {2, 1});
  EXPECT_LT(apart(marched_for(p, {"cpu", 2}), marched_for(p, {"serial"})), 1e-13);
  PseudoTimeRequest one{"serial"}, two{"cpu", 2};
  one.single = two.single = true;
  EXPECT_LT(apart(marched_for(p, two), marched_for(p, one)), 1e-5);  // 151 steps of rounding
}

/// Cells whose columns, or their halves, end anywhere in tiles of a GPU.
const Int3 odd_sizes[] = {{7, 5, 0}, {33, 27, 0}, {60, 15, 0}, {24, 1, 0}};

bool no_gpu(std::string& why) {
  for (const auto& b : backend::list_backends())
    if (b.name == "cuda" && !b.available) why = b.why_not;
  return !why.empty();
}

TEST(HarmonicPseudoTimeForms, CudaGivesTheNumbersOfTheSerialReferee) {
  std::string why;
  if (no_gpu(why)) GTEST_SKIP() << why;
  constexpr double d = 0.0125;
  for (const Int3& n : odd_sizes)
    for (const bool silver : {false, true}) {
      const double x = n[0] > 1 ? n[0] * d : 0, y = n[1] > 1 ? n[1] * d : 0;
      const Problem p = make_problem(silver ? silver_cell(x, y) : small_cell(x, y),
                                     silver ? with_silver : dielectrics, 0.55, {2, n[1] > 1 ? 1. : 0.});
      for (const bool single : {false, true}) {
        PseudoTimeRequest referee{"serial"}, cuda{"cuda"};
        referee.single = cuda.single = single;
        const Fields right = marched_for(p, referee);
        for (const bool tuned : {false, true}) {
          cuda.tuned = tuned;
          // 151 steps of rounding
          EXPECT_LT(apart(marched_for(p, cuda), right), single ? 1e-5 : 1e-13)
              << n[0] << " x " << n[1] << (silver ? " silver" : "") << (tuned ? " in one pass" : "");
        }
      }
    }
}

TEST(HarmonicPseudoTimeForms, CudaStandsStillAtTheFieldsOfTheLayeredInverse) {
  std::string why;
  if (no_gpu(why)) GTEST_SKIP() << why;
  SolveOptions exact;
  exact.tolerance = 1e-9;
  const Solved fast =
      solve_cell(silver_cell(0.1, 0.075), with_silver, 0.55, 0, Polarization::p, exact);  // 8 x 6 columns
  for (const Precision precision : {Precision::single, Precision::double_}) {
    Marched slow = prepare(fast.problem, Polarization::p);
    SolveOptions options;
    options.tolerance = 3e-7;
    std::string said;
    const MethodOptions how{Method::pseudo_time, 200000, [&](const std::string& text) { said = text; }};
    const auto report = make_engine_by(how, fast.problem, {"cuda", 0, 0, precision})
                            ->solve(slow.layered, options, slow.fields);
    EXPECT_TRUE(report.converged) << said;
    EXPECT_EQ(report.single, precision == Precision::single);
    EXPECT_LT(apart(slow.fields, fast.fields), 1e-6) << said;
  }
}

TEST(HarmonicPseudoTimeForms, FieldsAndCoefficientsTakeFiftyOneBytesPerVoxelInSinglePrecision) {
  // steps of whole cells along x: few averages, one byte for each of three edges of a voxel in rough planes;
  // wavy: an average for nearly every edge, and four bytes
  for (const bool wavy : {false, true}) {
    auto cell = small_cell(0.1, 0.1);
    if (!wavy)
      for (std::size_t n = 0; n < cell.interfaces[1].height.size(); ++n)
        cell.interfaces[1].height[n] = n % 16 < 8 ? 0 : 0.0125;
    const Problem p = make_problem(cell, dielectrics, 0.55, {0, 0});
    const auto key = [](cplx v) { return std::pair(v.real(), v.imag()); };
    std::set<std::pair<double, double>> media;
    for (const cplx eps : p.permittivity) media.insert(key(eps));
    EXPECT_EQ(media.size() > 256, wavy) << media.size();
    Marched m = prepare(p, Polarization::s);
    PseudoTimeRequest request{"serial"};
    request.single = true;
    PseudoTimeOptions none;
    none.max_steps = 1;
    const auto report = make_pseudo_time(p, request)->run(m.layered, none, m.fields);
    const auto& g = p.grid;
    const double voxels = double(g.columns()) * g.nz;
    const double fields = 48.0 * double(PaddedGrid::make(g.nx, g.ny, g.nz, 8).size()) / voxels,
                 memory = 32.0 * (g.absorbing[0] + g.absorbing[1]) / g.nz,
                 index = (wavy ? 4 : 1) * 3.0 * p.rough_planes() / g.nz,
                 table = 16.0 * double(media.size()) / voxels,
                 // per plane t and s of both permittivities; of the stretch at k and k + 1/2 two complex
                 // numbers and a real one
        planes = (4 * 8.0 + 2 * (2 * 8.0 + 4)) * g.nz / voxels;
    EXPECT_NEAR(report.bytes_per_voxel, fields + memory + index + table + planes, 1e-9);
  }
}

}  // namespace
}  // namespace umov::harmonic
