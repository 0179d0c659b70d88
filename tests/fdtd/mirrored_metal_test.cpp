// Bodies of metal, conductor and glass on mirror planes: half the domain gives the fields of the whole one.
#include <gtest/gtest.h>

#include "support/metal_shapes.hpp"

namespace umov::fdtd {
namespace {

/// Largest difference of any field between the half behind a mirror and the whole domain, over the largest.
double apart(const Simulation& s, int axis, bool even, long steps) {
  const Component c = s.te ? Hz : Ez;
  const bool normal = axis_of(c) == axis;
  const double image = (is_electric(c) != normal ? 1 : -1) * (even ? 1 : -1);
  Simulation half = s, whole = s;
  half.walls[axis][0] = even ? WallKind::mirror_even : WallKind::mirror_odd;
  half.sources = {test::point_source(test::pulse(2, 0.4), c, {0.11, 0.13, s.size[2] > 0 ? 0.12 : 0})};
  whole.sources = {half.sources[0], half.sources[0]};
  whole.sources[1].center[axis] *= -1;
  whole.sources[1].waveform.amplitude = image;
  const auto a = test::stepped(half, steps), b = test::stepped(whole, steps);
  const Int3 low{0, 0, 0}, high = a.problem->grid.cells, end = b.problem->grid.cells;
  Int3 plane = low;
  plane[axis] = end[axis] - high[axis];
  double largest = 0, most = 0;
  for (int k = 0; k < components; ++k) {
    if (!has_component(a.problem->grid.mode, k)) continue;
    const auto x = a.engine->field(Component(k), low, high).real,
               y = b.engine->field(Component(k), plane, end).real;
    for (std::size_t i = 0; i < x.size(); ++i) {
      largest = std::max(largest, std::fabs(y[i]));
      most = std::max(most, std::fabs(x[i] - y[i]));
    }
  }
  EXPECT_GT(largest, 1e-4);
  return most / largest;
}

// The whole domain is symmetric to rounding only, and fields of metals are sums of larger terms: 1e-11 is
// some ten thousand roundings.
void expect_equal(const std::vector<std::string>& media, int dimensions, bool te, long steps) {
  for (const std::string& medium : media)
    for (int shape = 0; shape < test::metal_shapes; ++shape)
      for (int axis = 0; axis < dimensions; ++axis)
        for (const bool even : {false, true}) {
          Simulation s = test::metal_box_case(dimensions, te);
          s.bodies = test::metal_bodies(shape, axis, dimensions, 1 / s.resolution);
          for (auto& b : s.bodies) b.material = medium;
          EXPECT_LT(apart(s, axis, even, steps), 1e-11) << medium << ", shape " << shape << ", mirror across "
                                                        << "xyz"[axis] << ", even " << even;
        }
}

const std::vector<std::string> all(std::begin(test::metal_media), std::end(test::metal_media));

TEST(FdtdMirroredMetal, HalfEqualsTheWholeWithEAlong) { expect_equal(all, 2, false, 200); }
TEST(FdtdMirroredMetal, HalfEqualsTheWholeWithHAlong) { expect_equal(all, 2, true, 200); }
TEST(FdtdMirroredMetal, HalfEqualsTheWholeInSpaceForMetal) { expect_equal({"silver"}, 3, false, 60); }
TEST(FdtdMirroredMetal, HalfEqualsTheWholeInSpaceForSemiconductors) { expect_equal({"c-Si"}, 3, false, 60); }
TEST(FdtdMirroredMetal, HalfEqualsTheWholeInSpaceForGlass) { expect_equal({"glass"}, 3, false, 60); }
TEST(FdtdMirroredMetal, HalfEqualsTheWholeInSpaceForConductors) { expect_equal({"pec"}, 3, false, 60); }

}  // namespace
}  // namespace umov::fdtd
