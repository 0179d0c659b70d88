// What a grid whose parts have too much or too little of the volume does to absorption.
#include "dda/run/shares.hpp"

#include <gtest/gtest.h>

using namespace umov;
using namespace umov::dda;

namespace {

CVec3 isotropic(cplx m) { return {m, m, m}; }

}  // namespace

TEST(Shares, OfTheOnlyAbsorberAreItsAbsorption) {
  const std::vector<CVec3> core{isotropic(1.33), isotropic({1.95, 0.79})};
  EXPECT_NEAR(share_error({0.99, 0.01}, {0.995, 0.005}, core), 1, 1e-12);
  EXPECT_NEAR(share_error({0.9975, 0.0025}, {0.995, 0.005}, core), -0.5, 1e-12);
  EXPECT_EQ(share_error({0.99, 0.01}, {0.995, 0.005}, {isotropic(1.33), isotropic(1.5)}), 0);
}

/// Two materials of one index absorb as one does.
TEST(Shares, OfEqualMaterialsChangeNothing) {
  EXPECT_NEAR(share_error({0.6, 0.4}, {0.5, 0.5}, {isotropic({1.5, 0.1}), isotropic({1.5, 0.1})}), 0, 1e-12);
}
