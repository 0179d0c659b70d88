// Contracts: what is kept passes, what is broken is a defect of the program and no input of a user's.
#include "core/contract.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "core/error.hpp"

namespace umov {
namespace {

double half_of(double whole) {
  UMOV_EXPECT(whole >= 0, "a length below 0");
  const double half = whole > 1e300 ? whole : whole / 2;
  UMOV_ENSURE(half <= whole / 2, "more than a half");
  return half;
}

std::string complaint(double whole) {
  try {
    half_of(whole);
  } catch (const BrokenContract& e) {
    return e.what();
  }
  return "kept";
}

TEST(Contract, IsCheckedOnEntryAndOnLeaving) {
  EXPECT_EQ(half_of(3), 1.5);
  EXPECT_EQ(complaint(3), "kept");
  EXPECT_EQ(complaint(-1), "misuse: a length below 0 [whole >= 0]");
  EXPECT_EQ(complaint(1e301), "broken promise: more than a half [half <= whole / 2]");
}

TEST(Contract, IsNoErrorOfAUser) { EXPECT_FALSE((std::is_convertible_v<BrokenContract*, Error*>)); }

}  // namespace
}  // namespace umov
