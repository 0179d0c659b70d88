// The product's kernels in double precision; a file of its own, for the compiler's sake.
#include "gpu_kernels/product_cases.hpp"

namespace umov::dda {
namespace {

class GpuKernelsInDouble : public testing::TestWithParam<int> {};

TEST_P(GpuKernelsInDouble, OfALengthGiveTheSerialProduct) {
  expect_boxes<double>(boxes_of(GetParam()), tuned::Plans::all);
}

TEST_P(GpuKernelsInDouble, OfAnyLengthGiveTheSerialProduct) {
  expect_boxes<double>({boxes_of(GetParam()).back()}, tuned::Plans::none);
}

TEST_P(GpuKernelsInDouble, NeedNoOrderOfThreads) {
  test::backwards = true;
  expect_boxes<double>({boxes_of(GetParam()).back()}, tuned::Plans::all);
  test::backwards = false;
}

INSTANTIATE_TEST_SUITE_P(Lengths, GpuKernelsInDouble, testing::ValuesIn(planned_lengths()),
                         [](const auto& info) { return std::to_string(info.param); });

TEST(GpuKernelsInDouble, HalvesOfTheLinesGiveTheSerialProduct) {
  for (const int length : {256, 512}) expect_boxes<double>(boxes_of(length), tuned::Plans::halves);
}

TEST(GpuKernelsInDouble, OtherLengthsGiveTheSerialProduct) { expect_any_lengths<double>(); }

TEST(GpuKernelsInDouble, ChunksTensorsOnTheHostAndBlocksGiveTheSerialProduct) {
  expect_ways_of_running<double>();
}

/// Tables were those of another kernel: four lines lie side by side, which the one of 240 points takes in
/// double and not in single precision.
TEST(GpuKernelsInDouble, FourLinesOf240PointsGiveTheSerialProduct) {
  expect_product<double>({.box = {3, 4, 120}, .grid = {6, 8, 240}, .plans = tuned::Plans::measured});
}

}  // namespace
}  // namespace umov::dda
