// Parts of a grid on GPUs: the passes of several steps there against one GPU, tuned and simple, bit for bit.
#include "backend/gpus.hpp"
#include "backend/registry.hpp"
#include "comm/in_process.hpp"
#include "fdtd/ranks/rank_engine.hpp"
#include "support/fdtd_sparse.hpp"

namespace umov::fdtd::trial {
namespace {

struct Fields {
  std::vector<std::vector<double>> of;
  double energy = 0;
  std::string device;
};

class FdtdCudaRanks : public testing::TestWithParam<Sparse> {
 protected:
  void SetUp() override {
    for (const auto& b : backend::list_backends())
      if (b.name == "cuda" && !b.available) GTEST_SKIP() << b.why_not;
    gpus_ = backend::usable_gpus();
  }
  /// Ranks share GPUs where there are fewer.
  Fields run(const Problem& p, comm::Communicator& comm, bool tuned, bool tuned_parts,
             Overlap overlap = Overlap::where_it_pays, std::array<int, 2> blocks = {0, 0}) {
    EngineRequest request;
    request.backend = "cuda";
    request.device = gpus_.at(std::size_t(comm.rank()) % gpus_.size());
    request.tuned = tuned;
    ranks::PartOptions options{tuned_parts, 0, overlap};
    options.cut = RankCut::slabs;
    options.parts = blocks;
    const auto e = ranks::make_engine(p, request, comm, options);
    set_noise(*e, p, 3);
    for (const int n : {1, 16, 20}) e->advance(n);
    Fields f;
    for (int c = 0; c < components; ++c)
      if (has_component(p.grid.mode, c)) f.of.push_back(values(*e, p, Component(c)).real);
    for (std::size_t r = 0; r < p.recorders.size(); ++r) f.of.push_back(e->drain(int(r)));
    for (std::size_t n = 0; n < p.fouriers.size(); ++n) {
      f.of.emplace_back();
      for (const cplx z : e->fourier(int(n)))
        f.of.back().push_back(z.real()), f.of.back().push_back(z.imag());
    }
    f.energy = e->watch().electric_energy;
    f.device = e->device();
    return f;
  }
  std::vector<int> gpus_;
};

TEST_P(FdtdCudaRanks, HaveTheBitsOfOneGpuWithEitherKernels) {
  const Problem p = sparse(GetParam());
  const auto alone = comm::one_rank();
  const Fields simple = run(p, *alone, false, false), tuned = run(p, *alone, true, false);
  ASSERT_NE(tuned.device.find("passes of"), std::string::npos) << tuned.device;
  EXPECT_TRUE(tuned.of == simple.of) << "one GPU, tuned and simple";
  struct Way {
    int ranks;
    bool tuned_parts;
    Overlap overlap = Overlap::where_it_pays;
    std::array<int, 2> blocks{0, 0};
  };
  std::vector<Way> ways{{2, false},
                        {2, true},
                        {3, true},
                        {2, true, Overlap::never},
                        {2, true, Overlap::always},
                        {3, true, Overlap::always}};
  if (p.grid.mode == Mode::full)
    for (const bool tuned_parts : {false, true})
      for (const std::array<int, 2>& blocks : {std::array{2, 1}, std::array{2, 2}, std::array{3, 1}})
        ways.push_back({blocks[0] * blocks[1], tuned_parts, Overlap::where_it_pays, blocks});
  for (const Way& way : ways)
    comm::run_in_process(way.ranks, [&](comm::Communicator& comm) {
      const bool tuned_parts = way.tuned_parts;
      const Fields found = run(p, comm, true, tuned_parts, way.overlap, way.blocks);
      const std::string where = std::to_string(comm.size()) + " ranks, " + std::to_string(way.blocks[0]) +
                                " across y, " + found.device;
      // sums over the ranks' cells, in double, of fewer than 1e7 terms
      EXPECT_NEAR(found.energy, simple.energy, 1e-10 * simple.energy) << where;
      ASSERT_EQ(found.of.size(), simple.of.size());
      for (std::size_t i = 0; i < simple.of.size(); ++i)
        EXPECT_TRUE(found.of[i] == simple.of[i]) << where << ", field or list " << i;
      // small parts take many steps in one launch
      const bool large = p.grid.cell_count() / std::size_t(comm.size()) > std::size_t(1) << 20;
      if (tuned_parts && large) {
        EXPECT_NE(found.device.find("passes of"), std::string::npos) << where;
      }
    });
}

const Sparse cases_of_cuda_ranks[] = {
    {Mode::full, {163, 127, 200}},
    {Mode::full, {149, 140, 181}, false, true, {pec, pec, periodic}, {pec, pec, periodic}, 1},
    {Mode::tm, {2111, 1613, 1}},
    {Mode::te, {2111, 1613, 1}, true, true, {pec, periodic, pec}, {pec, periodic, pec}},
    {Mode::full, {160, 131, 190}, true, true, {pec, periodic, pec}, {pec, periodic, pec}},
    {Mode::full, {121, 140, 230}, true, true, {pec, pec, pmc}, {pec, pec, pec}, 1},
    {Mode::full, {97, 101, 140}},
};
INSTANTIATE_TEST_SUITE_P(Cases, FdtdCudaRanks, testing::ValuesIn(cases_of_cuda_ranks));

}  // namespace
}  // namespace umov::fdtd::trial
