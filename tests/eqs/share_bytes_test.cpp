// What a rank is sent: every setting of the case and every number of the model that ranks have in whole.
#include "eqs/ranks/share_bytes.hpp"

#include <gtest/gtest.h>

#include "core/bytes.hpp"
#include "core/fields.hpp"
#include "eqs/ranks/cut.hpp"
#include "support/eqs_block.hpp"

namespace umov::eqs::test {
namespace {

/// Of all fields of a struct, as bytes; of structs without padding.
template <class T>
std::vector<std::byte> written(const T& value) {
  MemoryWriter out;
  visit_fields(out, value);
  return out.take();
}

TEST(EqsShareBytes, ARankHasTheSettingsOfTheWhole) {
  Simulation sim = column({layer("a", 1e-3, 4)}, {material("a", constant(2), constant(1e-9))}, sine(100));
  sim.time.end = 1e-2;
  sim.time.max_stages = 77;
  sim.time.tolerance = 2e-4;
  sim.newton.max_iterations = 7;
  sim.linear.start_vector = StartVector::pod;
  sim.linear.start_solutions = 13;
  sim.linear.start_directions = 5;
  sim.linear.reuse_growth = 1.75;
  const Problem whole = make_problem(sim);
  const Cut cut(whole, part_elements(whole.mesh, 2), 2);
  for (const int rank : {0, 1}) {
    RankShare share;
    const Problem p = problem_of(bytes_of(cut.share(rank)), share);
    EXPECT_EQ(share.rank, rank);
    EXPECT_EQ(p.analysis, whole.analysis);
    EXPECT_EQ(p.time.end, 1e-2);
    EXPECT_EQ(p.newton.max_iterations, 7);
    EXPECT_EQ(p.linear.start_vector, StartVector::pod);
    EXPECT_EQ(p.linear.reuse_growth, 1.75);
    EXPECT_EQ(p.linear.start_solutions, 13);
    EXPECT_EQ(p.linear.start_directions, 5);
    EXPECT_EQ(p.time.max_stages, 77);
    EXPECT_EQ(p.time.step_tolerance(), 2e-4);
    EXPECT_EQ(p.electrodes.size(), whole.electrodes.size());
    EXPECT_EQ(written<WaveformSpec>(p.electrodes[0].waveform),
              written<WaveformSpec>(whole.electrodes[0].waveform));
    EXPECT_EQ(written<CurveSpec>(p.materials[0].permittivity),
              written<CurveSpec>(whole.materials[0].permittivity));
    EXPECT_EQ(p.rate, whole.rate);
  }
}

}  // namespace
}  // namespace umov::eqs::test
