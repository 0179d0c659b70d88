// Structs by their members: written and read whole, with structs in structs and lists of them.
#include "core/fields.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/bytes.hpp"

namespace umov {
namespace {

struct Point {
  double x = 0, y = 0;
};
struct Named {
  std::string name;
  std::vector<std::string> words;
  std::vector<Point> points;
  bool operator()() const { return true; }
  UMOV_FIELDS(name, words, points)
};
struct Whole {
  std::vector<Named> list;
  std::optional<double> number;
  int count = 0;
  UMOV_FIELDS(list, number, count)
};
struct Longer : Whole {
  int more = 0;
};

TEST(Fields, AreReadAsTheyWereWritten) {
  const Whole saved{{{"a", {"b", "", "c"}, {{1, 2}}}, {"", {}, {}}}, 3.5, 7};
  MemoryWriter out;
  visit_fields(out, saved);
  const auto bytes = out.take();
  MemoryReader in(bytes);
  Whole found;
  visit_fields(in, found);
  in.finish();
  ASSERT_EQ(found.list.size(), 2u);
  EXPECT_EQ(found.list[0].words, saved.list[0].words);
  EXPECT_EQ(found.list[0].points.at(0).y, 2);
  EXPECT_EQ(found.number, 3.5);
  EXPECT_EQ(found.count, 7);
}

TEST(Fields, OfABaseAreAWalkOfTheirOwn) {
  Longer whole;
  whole.count = 4, whole.more = 5;
  ByteCount of_base, of_whole;
  const Longer& fixed = whole;
  visit_fields(of_base, part<Whole>(fixed));
  visit_fields(of_whole, static_cast<const Whole&>(whole));
  EXPECT_EQ(of_base.count(), of_whole.count());
  part<Whole>(whole).count = 6;
  EXPECT_EQ(whole.count, 6);
}

}  // namespace
}  // namespace umov
