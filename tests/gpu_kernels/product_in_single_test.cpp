// The product's kernels in single precision; a file of its own, for the compiler's sake.
#include "gpu_kernels/product_cases.hpp"

namespace umov::dda {
namespace {

class GpuKernelsInSingle : public testing::TestWithParam<int> {};

TEST_P(GpuKernelsInSingle, OfALengthGiveTheSerialProduct) {
  expect_boxes<float>(boxes_of(GetParam()), tuned::Plans::all);
}

TEST_P(GpuKernelsInSingle, OfAnyLengthGiveTheSerialProduct) {
  expect_boxes<float>({boxes_of(GetParam()).back()}, tuned::Plans::none);
}

TEST_P(GpuKernelsInSingle, NeedNoOrderOfThreads) {
  test::backwards = true;
  expect_boxes<float>({boxes_of(GetParam()).back()}, tuned::Plans::all);
  test::backwards = false;
}

INSTANTIATE_TEST_SUITE_P(Lengths, GpuKernelsInSingle, testing::ValuesIn(planned_lengths()),
                         [](const auto& info) { return std::to_string(info.param); });

TEST(GpuKernelsInSingle, HalvesOfTheLinesGiveTheSerialProduct) {
  for (const int length : {256, 512}) expect_boxes<float>(boxes_of(length), tuned::Plans::halves);
}

TEST(GpuKernelsInSingle, OtherLengthsGiveTheSerialProduct) { expect_any_lengths<float>(); }

TEST(GpuKernelsInSingle, ChunksTensorsOnTheHostAndBlocksGiveTheSerialProduct) {
  expect_ways_of_running<float>();
}

/// Tables were those of another kernel: four lines lie side by side, which the one of 240 points takes in
/// double and not in single precision.
TEST(GpuKernelsInSingle, FourLinesOf240PointsGiveTheSerialProduct) {
  expect_product<float>({.box = {3, 4, 120}, .grid = {6, 8, 240}, .plans = tuned::Plans::measured});
}

}  // namespace
}  // namespace umov::dda
