// Suggestions, strict numbers and printed quantities.
#include "core/text.hpp"

#include <gtest/gtest.h>

namespace {

using namespace umov;

TEST(Text, EditDistanceCountsAnExchangeAsOneEdit) {
  EXPECT_EQ(edit_distance("epsilon", "epsilon"), 0u);
  EXPECT_EQ(edit_distance("epislon", "epsilon"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Text, SuggestsTheNearestWordAndNothingForAForeignOne) {
  const std::vector<std::string> words{"wavelength", "epsilon", "grid"};
  EXPECT_EQ(did_you_mean("wavelenght", words), "did you mean 'wavelength'?");
  EXPECT_EQ(did_you_mean("EPSILON", words), "did you mean 'epsilon'?");
  EXPECT_EQ(did_you_mean("zzz", words), "");
  EXPECT_EQ(did_you_mean("x", std::vector<std::string>{}), "");
}

TEST(Text, NumbersMustBeFiniteAndWhole) {
  EXPECT_EQ(parse_number(" +1.5e-3 "), 1.5e-3);
  for (const char* bad : {"", "nan", "NaN", "inf", "-inf", "1.5x", "1,5", "1e999", "+-1", "0x10"})
    EXPECT_FALSE(parse_number(bad)) << bad;
  EXPECT_EQ(parse_integer("-7"), -7);
  for (const char* bad : {"1.0", "1e3", "99999999999999999999", "7 8"})
    EXPECT_FALSE(parse_integer(bad)) << bad;
}

TEST(Text, ShortestTextReadsBackToTheSameDouble) {
  for (const double x : {0.1, 1.0 / 3, 6.283185307179586, 1e-300, -2.5e17})
    EXPECT_EQ(parse_number(shortest(x)), x);
}

TEST(Text, QuantitiesAreReadable) {
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1.5e9), "1.5 GB");
  EXPECT_EQ(format_duration(59.6), "1:00");
  EXPECT_EQ(format_duration(3723), "1:02:03");
}

}  // namespace
