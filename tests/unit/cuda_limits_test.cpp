// What the cuda backend chooses on which card: pure functions of a card's limits, tested where there is none.
#include <gtest/gtest.h>

#include "backend/cuda/limits.hpp"
#include "core/error.hpp"
#include "dda/scheme/gpu_lengths.hpp"
#include "dda/tuned/cuda/choice.hpp"
#include "fdtd/tuned/cuda/choice.hpp"
#include "linalg/tuned/cuda/tables.hpp"

namespace umov {
namespace {

using namespace backend::cuda;

/// From the table "Technical Specifications per Compute Capability" of the CUDA programming guide, and the
/// cards' data sheets. Blocks cost 1 KiB beside their own shared memory from 8.0 on.
Limits card(int code, int shared_block, int shared_processor, int threads, int processors,
            std::size_t cache) {
  Limits l;
  l.code = code;
  l.shared_block = std::size_t(shared_block) << 10, l.shared_processor = std::size_t(shared_processor) << 10;
  l.shared_reserved = code >= 80 ? 1024 : 0;
  l.cache = cache << 20;
  l.threads = threads, l.processors = processors;
  l.clusters = code >= 90;
  return l;
}
const Limits t4 = card(75, 64, 64, 1024, 40, 4), a100 = card(80, 163, 164, 2048, 108, 40),
             rtx3080 = card(86, 99, 100, 1536, 68, 5), rtx4090 = card(89, 99, 100, 1536, 128, 72),
             h200 = card(90, 227, 228, 2048, 132, 50), rtx5090 = card(120, 99, 100, 1536, 170, 96);

std::string refusal(const std::string& text) {
  try {
    forced_down(h200, text);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(CudaLimits, AreForcedDownAndNeverUp) {
  const Limits low = forced_down(h200, "sm=75,shared=48K,registers=32K,processors=20");
  EXPECT_EQ(low.code, 75);
  EXPECT_EQ(low.shared_block, 49152u);
  EXPECT_EQ(low.shared_processor, 50176u);  // one such block, and what it costs beside
  EXPECT_EQ(low.registers, 32768);
  EXPECT_EQ(low.processors, 20);
  EXPECT_FALSE(low.clusters) << "7.5 has none";
  EXPECT_TRUE(low.cooperative);
  EXPECT_FALSE(forced_down(h200, "cooperative=0").cooperative);
  EXPECT_FALSE(forced_down(h200, "clusters=0").clusters);
  const Limits same = forced_down(t4, "sm=120,shared=1024K,registers=256K,processors=500,clusters=1");
  EXPECT_EQ(same.code, 75);
  EXPECT_EQ(same.shared_block, t4.shared_block);
  EXPECT_EQ(same.shared_processor, t4.shared_processor);
  EXPECT_EQ(same.registers, t4.registers);
  EXPECT_EQ(same.processors, 40);
  EXPECT_FALSE(same.clusters);
}

TEST(CudaLimits, TextThatIsNoLimitIsRefusedByName) {
  for (const auto& [text, why] : {std::pair{"shard=48K", "'shard=48K' is no limit"},
                                  {"sm=75,shared", "'shared' has no '='"},
                                  {"sm=7.5", "'sm=7.5' has no whole number"},
                                  {"shared=48KB", "'shared=48KB' has no whole number"},
                                  {"registers=-1", "'registers=-1' has no whole number"},
                                  {"processors=0", "'processors=0' leaves no multiprocessor"},
                                  {"sm=75,,shared=48K", "'' has no '='"}}) {
    EXPECT_NE(refusal(text).find(why), std::string::npos) << refusal(text);
    EXPECT_NE(refusal(text).find("write it like sm=75"), std::string::npos);
  }
}

TEST(CudaLimits, BlocksFitByRegistersSharedMemoryAndThreads) {
  EXPECT_TRUE(block_fits({128, 0}, 512, 227 << 10, h200));
  EXPECT_FALSE(block_fits({128, 16}, 512, 227 << 10, h200)) << "static arrays count";
  EXPECT_FALSE(block_fits({129, 0}, 512, 0, h200)) << "registers come in pieces of 256 to a warp";
  EXPECT_FALSE(block_fits({40, 0}, 1024, 0, forced_down(h200, "registers=32K")));
  // as the runtime counts them on these cards: by registers, by shared memory with 1 KiB a block, by threads
  EXPECT_EQ(resident_blocks({162, 30720}, 128, 0, h200), 3);
  EXPECT_EQ(resident_blocks({162, 30720}, 128, 0, t4), 2);
  EXPECT_EQ(resident_blocks({32, 0}, 256, 113 << 10, h200), 2);
  EXPECT_EQ(resident_blocks({32, 0}, 256, (113 << 10) + 1, h200), 1);
  EXPECT_EQ(resident_blocks({16, 0}, 512, 0, rtx4090), 3);
  EXPECT_EQ(resident_blocks({16, 0}, 512, 0, t4), 2);
  EXPECT_EQ(resident_blocks({16, 0}, 64, 100 << 10, t4), 0);
}

TEST(CudaLimits, CodeRunsOnItsGenerationAndPtxOnAllLaterOnes) {
  const char* all = "75-real,80-real,86-real,89-real,90-real,100-real,120-real,120-virtual";
  for (const auto& [major, minor] :
       {std::pair{7, 5}, {8, 0}, {8, 6}, {8, 9}, {9, 0}, {10, 0}, {10, 3}, {12, 0}, {13, 0}})
    EXPECT_TRUE(runs_on(all, major, minor)) << major << '.' << minor;
  for (const auto& [major, minor] : {std::pair{6, 1}, {7, 0}, {11, 0}})
    EXPECT_FALSE(runs_on(all, major, minor)) << major << '.' << minor;
  EXPECT_TRUE(runs_on("80-real", 8, 9));
  EXPECT_FALSE(runs_on("89-real", 8, 6)) << "machine code of a later card";
  EXPECT_FALSE(runs_on("80-real", 9, 0));
  EXPECT_TRUE(runs_on("80-virtual", 9, 0));
  EXPECT_TRUE(runs_on("80", 9, 0)) << "a bare number is both";
  EXPECT_TRUE(runs_on("all-major", 7, 5)) << "only the driver knows";
}

TEST(CudaChoice, StepsMeetInAClusterWhereThereIsOneElseInMemory) {
  using fdtd::tuned::gather;
  const auto expect = [](const fdtd::tuned::Gathering& g, int blocks, bool cluster) {
    EXPECT_EQ(g.blocks, blocks);
    EXPECT_EQ(g.cluster, cluster);
  };
  expect(gather(1, 8, 1, h200), 1, true);
  expect(gather(12, 8, 1, h200), 8, true);
  expect(gather(17, 8, 1, h200), 17, false);
  expect(gather(5000, 8, 1, h200), 132, false);
  expect(gather(5000, 8, 1, forced_down(h200, "processors=6")), 6, true);
  expect(gather(12, 0, 1, rtx4090), 8, false);
  expect(gather(12, 0, 1, forced_down(t4, "processors=3")), 3, false);
  expect(gather(5000, 0, 1, t4), 40, false);
  const Limits alone = forced_down(t4, "cooperative=0");
  EXPECT_EQ(gather(5000, 0, 1, alone).blocks, 0) << "blocks that may not run at once would wait for ever";
  expect(gather(1, 0, 1, alone), 1, false);
  EXPECT_EQ(gather(12, 0, 0, t4).blocks, 0) << "the kernel does not fit";
}

TEST(CudaChoice, VolumesMarchInTheTallestColumnsThatFit) {
  using namespace fdtd::tuned;
  EXPECT_EQ(column_rows(h200), tall_rows);
  for (const Limits& l : {a100, rtx3080, rtx4090, rtx5090}) EXPECT_EQ(column_rows(l), short_rows) << l.code;
  EXPECT_EQ(column_rows(t4), 0);
  EXPECT_EQ(column_rows(forced_down(h200, "shared=99K")), short_rows);
  EXPECT_EQ(column_rows(forced_down(h200, "shared=64K")), 0);
}

TEST(CudaChoice, DipoleProductTakesAsManyLinesAsFitTwice) {
  using namespace dda::tuned;
  const auto cube = [](int g) { return dda::GridView{g, g, g, g / 2 + 1, g / 2 + 1, g / 2 + 1}; };
  constexpr std::size_t once = 8, twice = 16;
  const LanesAroundTensor lanes, none{Plans::none}, halves{Plans::halves};
  struct Case {
    int grid, full, ada, turing;  ///< lines in double precision; 0: the simple product
  };
  for (const Case& c : {Case{64, 8, 8, 8},
                        {128, 8, 8, 4},
                        {256, 8, 4, 4},
                        {512, 8, 8, 2},
                        {600, 8, 2, 2},
                        {1000, 4, 2, 0},
                        {2000, 2, 0, 0},
                        {4000, 0, 0, 0}}) {
    SCOPED_TRACE(c.grid);
    const auto width = [&](const Limits& l) {
      return lines_fit(cube(c.grid), twice, l, lanes) ? choose_width(cube(c.grid), twice, l, lanes) : 0;
    };
    EXPECT_EQ(width(h200), c.full);
    EXPECT_EQ(width(rtx4090), c.ada);
    EXPECT_EQ(width(t4), c.turing);
  }
  EXPECT_EQ(lanes(600, 8, twice), 4);
  EXPECT_EQ(lanes(600, 16, once), 8);
  EXPECT_EQ(lanes(600, 2, twice), 2) << "no more than lie side by side";
  EXPECT_EQ(lanes(602, 8, twice), 8);
  EXPECT_EQ(none(600, 8, twice), 8) << "without a kernel of its own";
  EXPECT_EQ(lanes(1200, 8, twice), 4);
  EXPECT_EQ(lanes(512, 8, twice), 4);
  EXPECT_EQ(lanes(512, 16, once), 8);
  EXPECT_EQ(lanes(256, 16, once), 8);
  EXPECT_EQ(lanes(256, 8, twice), 8) << "half of them took more time";
  EXPECT_EQ(halves(256, 8, twice), 4);
  EXPECT_EQ(none(512, 8, twice), 8);
  EXPECT_EQ(choose_width(cube(256), once, h200, lanes), 16);
  EXPECT_EQ(choose_width(cube(4), twice, h200, lanes), 2) << "no more than there are frequencies";
  EXPECT_EQ(slice_bytes(h200), 16u << 20);
  EXPECT_EQ(slice_bytes(rtx4090), 16u << 20);
  EXPECT_EQ(slice_bytes(t4), (4u << 20) / 3);
}

TEST(CudaChoice, DipoleGridsAreLongerWhereThatTakesLessTime) {
  using dda::length_on_gpus;
  for (const int length : dda::lengths_of_gpus) EXPECT_EQ(length_on_gpus(length), length);
  EXPECT_EQ(length_on_gpus(250), 256);
  EXPECT_EQ(length_on_gpus(260), 300) << "270 points without kernels of their own take longer";
  EXPECT_EQ(length_on_gpus(420), 420) << "500 is too long";
  EXPECT_EQ(length_on_gpus(38), 40) << "64 is too long";
  EXPECT_EQ(length_on_gpus(980), 1000);
  EXPECT_EQ(length_on_gpus(1202), 1250) << "as on processors: even, of 2, 3, 5 and 7";
  const Int3 grid = dda::transform_grid_on_gpus({125, 1, 96}, {0, 0, 194});
  EXPECT_EQ(grid, (Int3{256, 2, 194}));
}

TEST(CudaChoice, SparseProductsTakeTheTablesAndBlocksThatFit) {
  using namespace sparse::gpu;
  constexpr std::size_t single = 8, twice = 12;  // a column's number and value
  EXPECT_EQ(largest_table(twice, h200), 8192);
  EXPECT_EQ(largest_table(twice, rtx4090), 8192);
  EXPECT_EQ(largest_table(twice, t4), 4096);
  EXPECT_EQ(largest_table(single, t4), 4096) << "64 KiB, and a few words beside";
  EXPECT_EQ(largest_table(twice, forced_down(t4, "shared=48K")), 2048);
  // 16 groups of 8 lanes with 512 columns each take 96 KiB
  EXPECT_EQ(shape(1000, 8, 512, twice, h200).threads, 128u);
  EXPECT_EQ(shape(1000, 8, 512, twice, rtx4090).threads, 128u);
  const Shape small = shape(1000, 8, 512, twice, t4);
  EXPECT_EQ(small.threads, 64u);
  EXPECT_EQ(small.blocks, 125u);
  EXPECT_EQ(small.shared, 8u * 512 * 12);
  EXPECT_EQ(shape(1000, 32, 8192, twice, h200).shared, 8192u * 12);
  EXPECT_TRUE(row_fits(19000, twice, h200));
  EXPECT_FALSE(row_fits(19000, twice, rtx4090));
}

}  // namespace
}  // namespace umov
