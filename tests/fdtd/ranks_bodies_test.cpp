// Bodies that reach across borders, with few exchanges: what a step carries how far is what halo_planes says.
#include "comm/in_process.hpp"
#include "fdtd/ranks/rank_engine.hpp"
#include "fdtd/scene.hpp"
#include "support/fdtd_everything.hpp"
#include "support/fdtd_rank_runs.hpp"

namespace umov::fdtd::trial {
namespace {

/// A sphere of gold in glass (shared cells, tensor terms), a conductor that cuts edges, a wave onto both.
const std::string bodies = R"(
[domain]
size = [0.8, 0.7, 1.1]
resolution = 16
[pml]
layers = 4
[[material]]
name = "glass"
eps = 2.3
[[body]]
shape = "sphere"
material = "glass"
radius = 0.27
center = [0.02, 0.03, -0.06]
[[body]]
shape = "sphere"
material = "gold"
radius = 0.15
center = [0.013, 0.021, -0.08]
[[body]]
shape = "sphere"
material = "pec"
radius = 0.11
center = [0.011, -0.02, 0.27]
[[source]]
kind = "point"
component = "Ex"
center = [0.12, 0.13, 0.1]
waveform = "gaussian"
frequency = 1.4
width = 0.4
[stop]
steps = 10
)";

/// A metal without tensor terms of its own whose surface is 1.35 cells from a slab's: tensor terms of the
/// slab read edges of nodes two planes away.
const std::string beside_a_slab = R"(
[domain]
size = [2, 2]
resolution = 15
polarization = "te"
[pml]
layers = 4
[[material]]
name = "metal"
eps = 1.5
[[material.pole]]
kind = "drude"
strength = 60
gamma = 1.0
[[body]]
shape = "cylinder"
material = "metal"
center = [0.1, 0.1]
radius = 0.31
[[body]]
shape = "box"
material = "silica"
center = [0, -0.5]
size = [1.2, 0.4]
[[source]]
kind = "point"
component = "Ex"
center = [0.12, 0.5]
waveform = "gaussian"
frequency = 1.4
width = 0.4
[stop]
steps = 10
)";

/// The first, for walls that none of them absorbs; the gold reaches across all of them.
const std::string lattice = [] {
  std::string text = bodies;
  const auto replace = [&](const std::string& old, const std::string& by) {
    text.replace(text.find(old), old.size(), by);
  };
  replace("[pml]\nlayers = 4\n", "");
  replace("center = [0.013, 0.021, -0.08]", "center = [0.39, 0.33, -0.53]");
  return text;
}();

struct Case {
  const std::string& bodies;
  std::string boundary;
};

Problem problem_of(const Case& c) {
  const Simulation s = simulation(c.bodies + c.boundary);
  const auto scene = make_scene(s);
  Problem p;
  p.grid = make_grid(s, *scene);
  p.precision = s.precision;
  set_walls(s, p);
  paint(s, *scene, p);
  add_sources(s, *scene, p);
  return p;
}

std::vector<std::vector<double>> fields_after(const Problem& p, const std::string& backend,
                                              comm::Communicator& comm, int between_exchanges,
                                              std::array<int, 2> blocks = {0, 0}) {
  EngineRequest request;
  request.backend = backend;
  request.threads = 1;
  ranks::PartOptions options{false, between_exchanges};
  options.cut = RankCut::slabs;
  options.parts = blocks;
  const auto e = ranks::make_engine(p, request, comm, options);
  set_noise(*e, p, 5);
  for (const int n : {1, 20, 6}) e->advance(n);
  std::vector<std::vector<double>> all;
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    const FieldBlock block = values(*e, p, Component(c));
    all.push_back(block.real);
    all.push_back(block.imag);
  }
  return all;
}

class FdtdRanksOfBodies : public testing::TestWithParam<Case> {};

TEST_P(FdtdRanksOfBodies, HaveTheBitsOfOneRankWithFewExchanges) {
  const Problem p = problem_of(GetParam());
  ASSERT_FALSE(p.cut_media.empty());
  ASSERT_EQ(p.cut_edges[0].cells.empty(), &GetParam().bodies == &beside_a_slab);
  ASSERT_FALSE(p.tensor[0].empty());
  const auto alone = comm::one_rank();
  for (const std::string backend : {"serial", "cpu"}) {
    const auto right = fields_after(p, backend, *alone, 0);
    for (const int ranks : {2, 3, 4})
      for (const int between : {1, 2, 3, 8})
        comm::run_in_process(ranks, [&](comm::Communicator& comm) {
          EXPECT_TRUE(fields_after(p, backend, comm, between) == right)
              << backend << ", rank " << comm.rank() << " of " << ranks << ", " << between << " steps";
        });
    if (p.grid.mode != Mode::full) continue;
    for (const auto& [blocks, between] :
         {std::pair(std::array{2, 1}, 1), std::pair(std::array{2, 2}, 1), std::pair(std::array{2, 2}, 2),
          std::pair(std::array{3, 2}, 3), std::pair(std::array{2, 2}, 8)})
      comm::run_in_process(blocks[0] * blocks[1], [&, blocks = blocks, between = between](auto& comm) {
        EXPECT_TRUE(fields_after(p, backend, comm, between, blocks) == right)
            << backend << ", rank " << comm.rank() << " of " << blocks[0] << " x " << blocks[1] << " blocks, "
            << between << " steps";
      });
  }
}

INSTANTIATE_TEST_SUITE_P(
    Between, FdtdRanksOfBodies,
    testing::Values(Case{bodies, ""}, Case{bodies, "[boundary]\nz = \"periodic\"\nx = \"periodic\"\n"},
                    Case{bodies, "[boundary]\nz = \"bloch\"\nbloch = [0, 0, 0.3]\n"},
                    Case{bodies, "[boundary]\ny = \"periodic\"\nz = \"periodic\"\n"},
                    Case{lattice,
                         "[boundary]\nx = \"bloch\"\ny = \"bloch\"\nz = \"bloch\"\n"
                         "bloch = [0.2, 0.4, 0.3]\n"},
                    Case{beside_a_slab, ""}, Case{beside_a_slab, "[boundary]\ny = \"periodic\"\n"},
                    Case{beside_a_slab, "[boundary]\ny = \"bloch\"\nbloch = [0, 0.3]\n"}),
    [](const auto& info) {
      const std::string& b = info.param.boundary;
      std::string name = &info.param.bodies == &beside_a_slab ? "BesideASlab" : "InGlass";
      for (const char axis : {'x', 'y', 'z'})
        for (const auto& [word, called] : {std::pair("bloch", "Bloch"), std::pair("periodic", "Periodic")})
          if (b.find(std::string{axis} + " = \"" + word) != b.npos) name += std::string(called) + axis;
      return name;
    });

}  // namespace
}  // namespace umov::fdtd::trial
