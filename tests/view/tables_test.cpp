// From results to named arrays: tables, lists, labels; marks and progress of a hub.
#include <gtest/gtest.h>

#include <cmath>

#include "results/section.hpp"
#include "view/client.hpp"
#include "view/from_result.hpp"
#include "view/hub.hpp"
#include "view/protocol.hpp"

namespace umov::view {
namespace {

using test::Json;

const ArrayInfo* find(const Shelf& shelf, const std::string& name) {
  for (const auto& a : shelf.catalogue.arrays)
    if (a.name == name) return &a;
  return nullptr;
}

std::vector<double> values_of(const Shelf& shelf, const std::string& name) {
  const auto* info = find(shelf, name);
  if (!info) return {};
  return std::get<std::vector<double>>(shelf.makers.at(info->id)({}).parts.at(0).values);
}

TEST(ViewTables, ATableIsOneCurveAndOtherListsAreCurvesOfTheirOwn) {
  results::Result r;
  results::Section s(r, "plane/", results::add_table(r, {"plane"}));
  s.add("theta", "degree", "angle", std::vector<double>{0, 90, 180});
  s.add("S11", "1", "element", std::vector<double>{1e6, 1, 10});
  s.add("S12", "1", "element", std::vector<double>{-1, 0, 1});
  r.add("solver/Y/residual", "1", "relative residual", std::vector<double>{1, 0.1, 1e-3, 1e-6});
  r.add("particle/spacing", "um", "edges of a dipole", std::vector<double>{1, 1, 1});
  r.add("Cext", "um^2", "extinction", 2.5);
  Shelf shelf;
  add_tables(shelf, r);
  const auto* plane = find(shelf, "results/plane");
  ASSERT_NE(plane, nullptr);
  EXPECT_EQ(plane->role, "pattern");
  EXPECT_TRUE(plane->logarithmic) << "S11 spans six decades";
  ASSERT_EQ(plane->columns.size(), 3u);
  EXPECT_EQ(plane->columns[2].name, "S12");
  EXPECT_EQ(values_of(shelf, "results/plane"), (std::vector<double>{0, 90, 180, 1e6, 1, 10, -1, 0, 1}));
  const auto* residual = find(shelf, "solver/Y/residual");
  ASSERT_NE(residual, nullptr);
  EXPECT_EQ(residual->role, "residual");
  EXPECT_TRUE(residual->logarithmic);
  EXPECT_EQ(values_of(shelf, "solver/Y/residual"), (std::vector<double>{0, 1, 2, 3, 1, 0.1, 1e-3, 1e-6}));
  EXPECT_EQ(find(shelf, "particle/spacing"), nullptr) << "three numbers are no curve";
  EXPECT_EQ(find(shelf, "plane/S11"), nullptr) << "it stands in its table";
  EXPECT_NE(find(shelf, "numbers/Cext"), nullptr);
}

TEST(ViewTables, OfManyCasesTheFileSaysWhatIsAParameterAResponseACount) {
  results::Result r;
  results::Section s(r, "", results::add_table(r, {"cases"}));
  s.add("wavelength", "um", "", std::vector<double>{1, 2, 1, 2});
  s.add("size", "um", "", std::vector<double>{3, 3, 4, 4});
  s.add("medium", "1", "", std::vector<double>{1, 1, 1, 1});
  s.add("Cext", "um^2", "", std::vector<double>{5, 6, 7, 8});
  s.add("iterations", "1", "", std::vector<double>{9, 9, 9, 9});
  Shelf plain;
  add_tables(plain, r);
  EXPECT_EQ(find(plain, "results/cases"), nullptr) << "its first column goes back";
  r.attributes = {{"parameters", results::lines_of({"wavelength", "size"})},
                  {"given", results::lines_of({"medium"})},
                  {"counts", results::lines_of({"iterations"})}};
  Shelf shelf;
  add_tables(shelf, r);
  const auto* cases = find(shelf, "results/cases");
  ASSERT_NE(cases, nullptr);
  EXPECT_EQ(cases->role, "batch");
  std::vector<std::string> roles;
  for (const auto& c : cases->columns) roles.push_back(c.role);
  EXPECT_EQ(roles, (std::vector<std::string>{"parameter", "parameter", "given", "", "count"}));
  const Json said = Json::parse(catalogue_text(shelf.catalogue, {}));
  EXPECT_EQ(said.at("arrays").at(0).at("columns").at(0).at("role"), "parameter");
  EXPECT_FALSE(said.at("arrays").at(0).at("columns").at(3).contains("role"));
}

TEST(ViewTables, RowsOfTextAndAbscissasThatGoBackAreNoCurves) {
  results::Result r;
  results::Section words(r, "a/", results::add_table(r, {"sections"}));
  words.texts("incidence", {"Y", "X"});
  words.add("Cext", "um^2", "extinction", std::vector<double>{1, 2});
  results::Section back(r, "b/", results::add_table(r, {"orders"}));
  back.add("wavelength", "um", "", std::vector<double>{1, 2, 1});
  back.add("power", "1", "", std::vector<double>{1, 2, 3});
  Shelf shelf;
  add_tables(shelf, r);
  EXPECT_EQ(find(shelf, "results/sections"), nullptr);
  EXPECT_EQ(find(shelf, "results/orders"), nullptr);
}

TEST(ViewTables, LabelledSitesAreBoxesAtTheirCentres) {
  const auto sites = labelled_sites([](int i, int j, int k) { return i == 1 && j == 0 && k == 2 ? 7 : 0; },
                                    {3, 3, 3}, {-1, -1, -1}, {0.5, 1, 2});
  EXPECT_EQ(sites.thinned, 1);
  EXPECT_EQ(sites.columns, (std::vector<std::vector<double>>{{-0.25}, {-0.5}, {4}, {7}}));
}

TEST(ViewTables, TooManySitesAreThinnedEvenly) {
  const Int3 cells{100, 100, 100};
  const auto sites = labelled_sites([](int, int, int) { return 1; }, cells, {0, 0, 0}, {1, 1, 1});
  EXPECT_LE(sites.columns[0].size(), most_points);
  EXPECT_EQ(sites.thinned, 3) << "50^3 = 125000 are too many still";
  EXPECT_EQ(sites.columns[0].size(), 34u * 34u * 34u);
  EXPECT_EQ(sites.columns[0][0], 1.5) << "the middle of the sites that it stands for";
  const auto info = points_info(sites, "um", "material");
  EXPECT_NE(info.text.find("3 x 3 x 3"), std::string::npos);
}

TEST(ViewHub, MarksChangeWithinAGeneration) {
  Hub hub;
  Shelf shelf;
  shelf.add_curve({}, {{0, 1}, {2, 3}});
  hub.publish(shelf.catalogue, shelf.makers);
  const auto version = hub.catalogue_version();
  Mark mark;
  mark.name = "beam";
  hub.remark({mark});
  EXPECT_GT(hub.catalogue_version(), version);
  EXPECT_EQ(hub.catalogue().generation, 1);
  EXPECT_EQ(hub.catalogue().marks.at(0).name, "beam");
}

TEST(ViewHub, KnowsWhatIsAskedForAndWhetherItIsHeld) {
  Hub hub;
  Shelf shelf;
  shelf.add_curve({}, {{0, 1}, {2, 3}});
  shelf.add_curve({}, {{0, 1}, {2, 3}});
  hub.publish(shelf.catalogue, shelf.makers);
  EXPECT_FALSE(hub.asked(1));
  Subscription wanted;
  wanted.request.array = 1;
  const auto s = hub.subscribe(wanted);
  EXPECT_TRUE(hub.asked(1));
  EXPECT_FALSE(hub.asked(0));
  hub.publish(shelf.catalogue, shelf.makers);
  EXPECT_FALSE(hub.asked(1)) << "a new generation knows no subscription";
  hub.unsubscribe(s);
  EXPECT_FALSE(hub.paused());
  hub.allow({"pause"});
  hub.order(Order::pause);
  EXPECT_TRUE(hub.paused());
}

TEST(ViewProtocol, TimeLeftIsTheRunsOwnOrByItsLimit) {
  Progress p;
  p.state = State::running;
  p.step = 100;
  p.limit = 300;
  p.rate = 10;
  Json state = Json::parse(state_text(p, 1));
  EXPECT_EQ(state.at("left"), 20);
  EXPECT_TRUE(state.at("fraction").is_null());
  EXPECT_EQ(state.at("counts"), "step");
  p.left = 7;
  p.fraction = 0.25;
  p.counts = "iteration";
  state = Json::parse(state_text(p, 1));
  EXPECT_EQ(state.at("left"), 7);
  EXPECT_EQ(state.at("fraction"), 0.25);
  EXPECT_EQ(state.at("counts"), "iteration");
  p.left = std::nan("");
  p.seconds = 5;
  EXPECT_EQ(Json::parse(state_text(p, 1)).at("left"), 15) << "three times what a quarter took";
  p.fraction = -1;
  p.limit = 0;
  EXPECT_TRUE(Json::parse(state_text(p, 1)).at("left").is_null()) << "there is no limit";
}

}  // namespace
}  // namespace umov::view
