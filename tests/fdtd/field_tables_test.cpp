// Fields as CSV: places, values and bounds.
#include "fdtd/output/field_tables.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

Outcome small_plane() {
  Outcome o;
  o.grid.mode = Mode::tm;
  o.grid.cells = {3, 2, 1};
  o.grid.dx = 0.5;
  o.grid.dt = 0.25;
  o.grid.origin = {-0.75, -0.5, 0};
  o.time = 2;
  return o;
}

// Ez lies on the nodes, Hx half a cell on along y and half a step before.
TEST(FdtdFieldTables, RowsHaveTheComponentsOwnPlaces) {
  const test::TempFolder folder;
  Outcome o = small_plane();
  o.final_fields.push_back({Ez, {{3, 2, 1}, {1, 2, 3, 4, 5, 0.125}, {}}});
  o.final_fields.push_back({Hx, {{3, 2, 1}, {1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, -1}}});
  write_field_tables(o, folder.path);
  EXPECT_EQ(text_of(folder / "field-Ez.csv"),
            "# Ez at time 2 unit/c\nx [unit],y [unit],Ez\n-0.75,-0.5,1\n-0.25,-0.5,2\n0.25,-0.5,3\n"
            "-0.75,0,4\n-0.25,0,5\n0.25,0,0.125\n");
  const std::string hx = text_of(folder / "field-Hx.csv");
  EXPECT_EQ(hx.substr(0, hx.find('\n', 60)),
            "# Hx at time 1.875 unit/c\nx [unit],y [unit],Hx_re,Hx_im\n-0.75,-0.25,1,0");
  EXPECT_NE(hx.find("0.25,0.25,6,-1\n"), std::string::npos) << hx;
}

TEST(FdtdFieldTables, SnapshotsHaveAFileEach) {
  const test::TempFolder folder;
  Outcome o = small_plane();
  o.snapshots.push_back({"eye", Ez, 4, 1, {3, 2, 1}, {1, 2, 3, 4, 5, 6}});
  write_field_tables(o, folder.path);
  const std::string text = text_of(folder / "snapshot-eye-Ez-000004.csv");
  EXPECT_TRUE(text.starts_with("# Ez at time 1 unit/c\nx [unit],y [unit],Ez\n-0.75,-0.5,1\n")) << text;
}

// The plane normal to y through the middle of 4 cells is that of cell 2.
TEST(FdtdFieldTables, InSpaceThePlanesThroughTheMiddleAreWritten) {
  const test::TempFolder folder;
  Outcome o;
  o.grid.mode = Mode::full;
  o.grid.cells = {2, 4, 3};
  o.grid.dx = 1;
  o.final_fields.push_back({Ez, {{2, 1, 3}, {1, 2, 3, 4, 5, 6}, {}}});
  write_field_tables(o, folder.path);
  EXPECT_TRUE(
      text_of(folder / "field-Ez-y.csv")
          .starts_with(
              "# Ez at time 0 unit/c\nx [unit],y [unit],z [unit],Ez\n0,2,0.5,1\n1,2,0.5,2\n0,2,1.5,3\n"));
}

TEST(FdtdFieldTables, TablesOfTooManyRowsAreRefusedBeforeTheRun) {
  Grid g;
  g.mode = Mode::tm;
  g.cells = {8192, 4096, 1};
  EXPECT_NO_THROW(check_field_tables(g)) << "the largest grid of the thesis that drawings come from";
  g.cells = {20000, 10000, 1};
  EXPECT_THROW(check_field_tables(g), BadInput);
  g.mode = Mode::full;
  g.cells = {1000, 1000, 1000};
  EXPECT_NO_THROW(check_field_tables(g)) << "planes of a million";
}

}  // namespace
}  // namespace umov::fdtd
