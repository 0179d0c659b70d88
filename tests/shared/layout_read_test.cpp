// Layouts of GDSII as they are read: every record, what is refused and where, hierarchies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "layout/region.hpp"
#include "support/gds_writer.hpp"
#include "support/places.hpp"

namespace umov::layout {
namespace {

using test::GdsWriter;

std::string saved(const std::string& bytes) {
  const std::string path = testing::TempDir() + "layout.gds";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

Library read(const GdsWriter& w) { return read_gds(saved(w.bytes)); }

std::string refusal(const std::string& bytes) {
  try {
    const Library l = read_gds(saved(bytes));
    Hierarchy h(l);
    h.top("");
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}
std::string refusal(GdsWriter& w) { return w.finish(), refusal(w.bytes); }

/// What a layer covers.
Region region_of(const Library& l, const LayerId& on, std::uint32_t top) {
  Region r({{-1e5, -1e5}, {1e5, 1e5}});
  Hierarchy(l).flatten(top, {on}, {}, [&](const LayerId&, std::span<const Place> p) { r.add(p); });
  return r;
}
double area(const Library& l, const LayerId& on) { return region_of(l, on, Hierarchy(l).top("")).area(); }

TEST(LayoutRead, TextsOfLatin1BecomeUtf8) {
  GdsWriter w;
  w.begin("top");
  w.rectangle(1, 0, 0, 0, 100, 100);
  w.label(10, 0, 0, 0,
          "\xe9"
          "tat"),
      w.label(10, 0, 0, 0,
              "\xc3\xa9"
              "tat");
  w.end(), w.finish();
  const Library l = read(w);
  ASSERT_EQ(l.structures[0].texts.size(), 2u);
  for (const auto& text : l.structures[0].texts)
    EXPECT_EQ(text.words,
              "\xc3\xa9"
              "tat");
}

TEST(LayoutRead, RealsAreExcess64OfBase16) {
  EXPECT_EQ(GdsWriter::real(1e-9), std::string("\x39\x44\xb8\x2f\xa0\x9b\x5a\x54", 8))
      << "as every file begins";
  GdsWriter w(5e-9, 0.005);
  w.begin("A"), w.end(), w.finish();
  const Library l = read(w);
  EXPECT_DOUBLE_EQ(l.meters_per_unit, 5e-9);
  EXPECT_DOUBLE_EQ(l.user_per_unit, 0.005);
}

TEST(LayoutRead, ElementsKeepLayersPointsAndTexts) {
  const Library l = read(test::gds_samples());
  ASSERT_EQ(l.structures.size(), 3u);
  const Hierarchy h(l);
  const std::uint32_t top = h.top("");
  EXPECT_EQ(l.structures[top].name, "TOP");
  const auto counts = h.counts(top);
  EXPECT_EQ(counts.at({1, 0}).polygons, 3);
  EXPECT_EQ(counts.at({6, 7}).polygons, 1);
  EXPECT_EQ(counts.at({20, 3}).boxes, 1);
  EXPECT_EQ(counts.at({21, 0}).nodes, 1);
  EXPECT_EQ(counts.at({10, 4}).paths, 1);
  EXPECT_EQ(counts.at({40, 0}).polygons, 2 * 7) << "two placements of one and an array of 3 x 2";
  const auto texts = h.texts(top);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].words, "o1");
  EXPECT_EQ(texts[0].at, (Place{0, 250}));
}

TEST(LayoutRead, WhatIsLeftOutIsSaid) {
  const Library l = read(test::gds_samples());
  std::string all;
  for (const auto& w : l.warnings) all += w + "\n";
  EXPECT_NE(all.find("a NODE has no area"), std::string::npos) << all;
  EXPECT_NE(all.find("a PATH without width"), std::string::npos) << all;
  GdsWriter odd;
  odd.begin("A"), odd.shorts(0x26, {1}, 1), odd.record(0x5a, 2, "ab"), odd.end(), odd.finish();
  odd.bytes += std::string(100, '\0');
  const Library warned = read(odd);
  ASSERT_EQ(warned.warnings.size(), 2u) << "zeros after the end are the padding of tapes";
  EXPECT_NE(warned.warnings[0].find("ELFLAGS is not read"), std::string::npos);
  EXPECT_NE(warned.warnings[1].find("record 0x5A is not read"), std::string::npos);
  odd.bytes += "x";
  EXPECT_EQ(read(odd).warnings.size(), 3u);
}

TEST(LayoutRead, EveryCutShortFileIsRefusedWithItsPlace) {
  const std::string whole = test::gds_samples().bytes;
  for (std::size_t n = 0; n < whole.size(); n += 7) {
    const std::string said = refusal(whole.substr(0, n));
    EXPECT_NE(said.find("byte "), std::string::npos) << n << ": " << said;
  }
}

TEST(LayoutRead, WrongRecordsAreRefusedWithByteAndStructure) {
  const auto with = [](const auto& add) {
    GdsWriter w;
    w.begin("CELL"), add(w);
    w.end(), w.finish();
    return refusal(w.bytes);
  };
  const auto expect = [&](const std::string& said, const char* part) {
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_NE(said.find("byte "), std::string::npos) << said;
    EXPECT_NE(said.find("in structure 'CELL'"), std::string::npos) << said;
  };
  expect(with([](auto& w) {
           w.mark(0x08), w.shorts(0x0d, {1}), w.xy({{0, 0}}), w.mark(0x11);
         }),
         "has no DATATYPE");
  expect(with([](auto& w) { w.mark(0x08), w.shorts(0x0d, {1}), w.shorts(0x0d, {2}); }), "LAYER comes twice");
  expect(with([](auto& w) { w.mark(0x08), w.shorts(0x13, {1, 1}); }), "COLROW stands in a BOUNDARY");
  expect(with([](auto& w) { w.mark(0x08), w.mark(0x08); }), "an ENDEL is missing");
  expect(with([](auto& w) { w.mark(0x11); }), "ENDEL stands where an element or ENDSTR is due");
  expect(with([](auto& w) { w.record(0x08, 0, "ab"); }), "BOUNDARY has 2 bytes of data");
  expect(with([](auto& w) { w.mark(0x08), w.record(0x0d, 3, "abcd"); }),
         "LAYER has 4 bytes of data of type 3");
  expect(with([](auto& w) { w.mark(0x08), w.longs(0x10, {1, 2, 3}); }), "half a point");
  expect(with([](auto& w) { w.bytes += std::string("\0\3\x08\0", 4); }), "is 3 bytes long");
  expect(with([](auto& w) { w.path(1, 0, 3, 100, {{0, 0}, {1, 0}}); }), "has the type 3");
  expect(with([](auto& w) { w.array("X", 0, 1, {{0, 0}, {1, 0}, {0, 1}}); }), "0 columns and 1 rows");
  expect(with([](auto& w) { w.array("X", 1, 1, {{0, 0}, {1, 0}}); }), "has 2 points");
  expect(with([](auto& w) { w.mark(0x0a), w.reals(0x1b, {2}); }), "MAG comes without STRANS");
  expect(with([](auto& w) { w.place("X", 0, 0, false, -2); }), "MAG is -2");
  expect(with([](auto& w) { w.mark(0x08), w.shorts(0x2b, {1}), w.mark(0x11); }), "PROPATTR has no PROPVALUE");
  GdsWriter twice;
  twice.begin("A"), twice.end(), twice.begin("A"), twice.end();
  EXPECT_NE(refusal(twice).find("defined a second time"), std::string::npos);
  EXPECT_NE(refusal("%SEMI-OASIS").find("no layout of GDSII"), std::string::npos);
}

TEST(LayoutRead, HierarchiesNameWhatIsMissingAndCircles) {
  GdsWriter missing;
  missing.begin("A"), missing.place("B", 0, 0), missing.place("C", 0, 0), missing.end();
  EXPECT_NE(
      refusal(missing).find("2 structures are referred to that the file lacks: 'B', 'C' (the first by 'A')"),
      std::string::npos)
      << refusal(missing);
  GdsWriter circle;
  circle.begin("A"), circle.place("B", 0, 0), circle.end(), circle.begin("B"), circle.place("A", 0, 0),
      circle.end();
  EXPECT_NE(refusal(circle).find("'A' -> 'B' -> 'A'"), std::string::npos) << refusal(circle);
  GdsWriter tops;
  tops.begin("A"), tops.end(), tops.begin("B"), tops.end();
  EXPECT_NE(refusal(tops).find("2 structures that no other refers to: A, B"), std::string::npos);
  const Library l = read_gds(saved(tops.bytes));
  EXPECT_EQ(Hierarchy(l).top("B"), 1u);
  EXPECT_THROW(Hierarchy(l).top("C"), BadInput);
}

TEST(LayoutRead, DeepAndManyfoldHierarchiesAreRefusedNotFollowed) {
  GdsWriter deep;
  for (int i = 0; i < 1500; ++i)
    deep.begin(fmt::format("S{}", i)), deep.place(fmt::format("S{}", i + 1), 0, 0), deep.end();
  deep.begin("S1500"), deep.end();
  EXPECT_NE(refusal(deep).find("levels"), std::string::npos);
  // 2^40 placements of a square
  GdsWriter many;
  for (int i = 0; i < 40; ++i)
    many.begin(fmt::format("S{}", i)), many.place(fmt::format("S{}", i + 1), 0, 0),
        many.place(fmt::format("S{}", i + 1), 1, 0), many.end();
  many.begin("S40"), many.rectangle(1, 0, 0, 0, 10, 10), many.end(), many.finish();
  const Library l = read(many);
  const Hierarchy h(l);
  EXPECT_EQ(h.counts(0).at({1, 0}).polygons, std::ldexp(1.0, 40));
  EXPECT_THROW(h.flatten(
                   0, {{1, 0}}, {}, [](auto&&...) {}, 1e5),
               BadInput);
}

// A square of 10 at (2, 0) whose corner is at the origin of its structure.
TEST(LayoutRead, ReferencesMirrorThenMagnifyThenTurnThenMove) {
  GdsWriter w;
  w.begin("A"), w.polygon(1, 0, {{0, 0}, {10, 0}, {10, 20}, {0, 20}}), w.end();
  w.begin("T"), w.place("A", 100, 0, true, 2, 90), w.end(), w.finish();
  const Library l = read(w);
  const Box b = region_of(l, {1, 0}, 1).box();
  EXPECT_EQ(b.low, (Place{100, 0}));
  EXPECT_EQ(b.high, (Place{140, 20}));
}

TEST(LayoutRead, ArraysStepAsTheirPointsSay) {
  GdsWriter w;
  w.begin("A"), w.rectangle(1, 0, 0, 0, 10, 10), w.end();
  w.begin("T"), w.array("A", 3, 2, {{0, 0}, {300, 60}, {-40, 100}}), w.end(), w.finish();
  const Library l = read(w);
  const Region r = region_of(l, {1, 0}, 1);
  EXPECT_EQ(r.polygons(), 6u);
  EXPECT_EQ(r.box().low, (Place{-20, 0}));
  EXPECT_EQ(r.box().high, (Place{210, 40 + 50 + 10}));
}

TEST(LayoutRead, OfAnArrayOnlyWhatMeetsTheWindowIsVisited) {
  GdsWriter w;
  w.begin("A"), w.rectangle(1, 0, 0, 0, 10, 10), w.end();
  w.begin("T"), w.array("A", 30000, 30000, {{0, 0}, {30000 * 20, 0}, {0, 30000 * 20}}), w.end(), w.finish();
  const Library l = read(w);
  const Hierarchy h(l);
  int found = 0;
  const Box window{{200000, 200000}, {200099, 200059}};
  h.flatten(
      1, {{1, 0}}, window, [&](auto&&...) { ++found; }, 1000);
  EXPECT_EQ(found, 5 * 3);
  EXPECT_EQ(h.counts(1).at({1, 0}).polygons, 9e8);
}

TEST(LayoutRead, AbsoluteWidthsStayAndAbsoluteTurnsAreRefusedWhereTheyMatter) {
  GdsWriter w;
  w.begin("A"), w.path(1, 0, 0, 100, {{0, 0}, {1000, 0}}), w.path(2, 0, 0, -100, {{0, 0}, {1000, 0}}),
      w.end();
  w.begin("T"), w.place("A", 0, 0, false, 3), w.end(), w.finish();
  const Library l = read(w);
  EXPECT_DOUBLE_EQ(area(l, {1, 0}), 300 * 3000);
  EXPECT_DOUBLE_EQ(area(l, {2, 0}), 100 * 3000);
  GdsWriter absolute;
  absolute.begin("A"), absolute.rectangle(1, 0, 0, 0, 10, 10), absolute.end();
  absolute.begin("B"), absolute.place("A", 0, 0, false, 2, 0, 0x0004), absolute.end();
  absolute.begin("T"), absolute.place("B", 0, 0, false, 3), absolute.end(), absolute.finish();
  const Library read_absolute = read(absolute);
  EXPECT_DOUBLE_EQ(region_of(read_absolute, {1, 0}, 1).area(), 400) << "at the top nothing is above it";
  EXPECT_THROW(area(read_absolute, {1, 0}), BadInput);
}

// KLayout 0.28.5 rescales the first file's shapes when a second one with another unit is read into its
// layout.
TEST(LayoutRead, AFileKeepsItsUnitBesideAnother) {
  GdsWriter one, other(5e-9, 5e-3);
  for (GdsWriter* w : {&one, &other})
    w->begin("A"), w->rectangle(1, 0, 0, 0, 1000, 1000), w->end(), w->finish();
  const Library first = read(one), second = read(other);
  EXPECT_DOUBLE_EQ(area(first, {1, 0}) * first.meters_per_unit * first.meters_per_unit, 1e-12);
  EXPECT_DOUBLE_EQ(area(second, {1, 0}) * second.meters_per_unit * second.meters_per_unit, 25e-12);
}

}  // namespace
}  // namespace umov::layout
