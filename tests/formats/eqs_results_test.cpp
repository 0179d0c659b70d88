// Files of an electroquasistatic run: columns, arrays with their shapes, and what pictures show.
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "eqs/output/results.hpp"
#include "results/formats.hpp"
#include "support/temp_folder.hpp"

namespace umov::eqs {
namespace {

namespace fs = std::filesystem;
using namespace eqs;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Two materials, two electrodes, three records; a line of two samples, a surface of one triangle, and a cut
/// of 60 x 60 pixels whose right half is a conductor.
Outcome sample(bool transient = true) {
  Outcome o;
  o.simulation.analysis = transient ? Analysis::transient : Analysis::electrostatic;
  o.simulation.outputs.points = {{"tip", {1, 2, 3}}};
  o.version = "test";
  o.material_names = {"oil", "board"};
  o.electrode_names = {"phase", "tank"};
  o.model.source = "model.msh";
  o.end = 0.02;
  o.period = 0.01;
  for (int k = 0; k < (transient ? 3 : 1); ++k) {
    Record r;
    r.time = 0.01 * k;
    r.seen.potential = {100.0 * k, 0};
    r.seen.charge = {1e-9 * k, -1e-9 * k};
    r.seen.conduction = r.seen.current = {1e-6 * k, -1e-6 * k};
    r.seen.energy = 2.0 * k;
    r.seen.dissipated = k * k;
    r.seen.material_energy = {1.0 * k, 1.0 * k};
    r.seen.material_power = {0, 0.5 * k};
    r.seen.peaks = {{1000.0 * k, {1, 0, 0}}, {500.0 * (2 - k), {0, 1, 0}}};
    r.point_potential = {10.0 * k};
    r.point_field = {{3.0 * k, 4.0 * k, 0}};
    o.history.push_back(r);
    o.saved_times.push_back(r.time);
  }
  LineResult l;
  l.name = "path";
  l.length = {0, 0.1};
  l.at = {{0, 0, 0}, {0.1, 0, 0}};
  l.direction = {{1, 0, 0}, {1, 0, 0}};
  l.material = {0, -1};
  SurfaceResult s;
  s.name = "face";
  s.center = {{1, 1, 1}};
  s.unit_normal = {{0, 0, 1}};
  s.area = {2};
  s.material = {std::vector<int>{0}, std::vector<int>{-1}};
  for (std::size_t k = 0; k < o.saved_times.size(); ++k) {
    const float v = float(k) - 3;
    for (auto* list : {&l.potential, &l.tangential, &l.normal, &l.magnitude})
      list->insert(list->end(), {v, nan});
    s.normal[0].push_back(v);
    s.normal[1].push_back(nan);
    s.tangential.push_back(v * v);
  }
  o.lines = {l};
  o.surfaces = {s};
  CutResult cut;
  cut.name = "side";
  cut.columns = cut.rows = 60;
  for (int i = 0; i < 3600; ++i) {
    const bool conductor = i % 60 >= 30;
    cut.material.push_back(conductor ? -1 : 0);
    cut.potential.push_back(conductor ? nan : float(i / 60));
    cut.field.push_back(conductor ? nan : float(i % 60));
  }
  cut.time = 0.01;
  o.cuts_at_peak = {cut};
  if (transient) cut.time = 0.02;
  o.cuts_at_end = {cut};
  o.capacitance = {{2e-12, -1e-12}, {-1e-12, 2e-12}};
  return o;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with('#')) lines.push_back(line);
  return lines;
}

std::set<std::string> names_in_results(const test::TempFolder& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path)) names.insert(entry.path().filename());
  return names;
}

TEST(EqsTables, HaveNamesUnitsAndARowPerStep) {
  const test::TempFolder folder;
  results::write_csv_files(to_result(sample()), folder.path);
  const auto electrodes = lines_of(folder / "electrodes.csv");
  ASSERT_EQ(electrodes.size(), 4u);
  EXPECT_TRUE(
      electrodes[0].starts_with("time [s],phase potential [V],phase charge [C],phase conduction [A]"));
  EXPECT_EQ(electrodes[3].substr(0, electrodes[3].find(',', 6)), "0.02,200");
  EXPECT_EQ(lines_of(folder / "points.csv")[0],
            "time [s],tip potential [V],tip E [V/m],tip Ex [V/m],tip Ey [V/m],"
            "tip Ez [V/m]");
  EXPECT_EQ(lines_of(folder / "points.csv")[2], "0.01,10,5,3,4,0");
  EXPECT_EQ(lines_of(folder / "line_path.csv").size(), 1u + 3 * 2);
  EXPECT_NE(lines_of(folder / "line_path.csv")[2].find("nan"), std::string::npos);
  EXPECT_NE(lines_of(folder / "line_path.csv")[2].find(",none"), std::string::npos);
  // Values -3, -2, -1: the largest size and the last.
  const auto surface = lines_of(folder / "surface_face.csv");
  EXPECT_NE(surface[1].find("oil,3,-1,none,nan,nan,9,1"), std::string::npos) << surface[1];
  EXPECT_EQ(lines_of(folder / "capacitance.csv")[2].substr(0, 5), "tank,");
}

TEST(EqsTables, SayThatARunDidNotConverge) {
  const test::TempFolder folder;
  auto o = sample();
  o.converged = false;
  o.why_not = "the step fell";
  results::write_csv_files(to_result(o), folder.path);
  std::ifstream in(folder / "history.csv");
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_NE(text.str().find("# NOT CONVERGED: the step fell"), std::string::npos);
}

TEST(EqsResult, HasEverySeriesWithUnitAndShape) {
  const auto r = to_result(sample());
  for (const char* name :
       {"history/time", "electrodes/tank/current", "materials/board/peak_field", "points/tip/field",
        "lines/path/tangential", "surfaces/face/normal_1", "capacitance", "saved_times", "energy_per_period"})
    ASSERT_TRUE(r.find(name)) << name;
  EXPECT_EQ(r.find("lines/path/tangential")->shape, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(r.find("points/tip/field")->shape, (std::vector<std::size_t>{3, 3}));
  EXPECT_EQ(r.find("electrodes/tank/charge")->unit, "C");
  // 0, 1 and 4 J are lost until the ends of two periods.
  EXPECT_EQ(std::get<std::vector<double>>(r.find("energy_per_period")->data), (std::vector<double>{1, 3}));
}

TEST(EqsResult, HarmonicValuesAreComplex) {
  auto o = sample(false);
  o.simulation.analysis = Analysis::harmonic;
  o.history[0].seen.charge = {1, 2};
  o.history[0].seen.charge_imaginary = {3, 4};
  const auto r = to_result(o);
  EXPECT_EQ(std::get<std::vector<cplx>>(r.find("electrodes/tank/charge")->data)[0], cplx(2, 4));
}

TEST(EqsOutcome, TheLargestFieldIsFoundWithItsTimeAndPlace) {
  const auto most = extremes(sample());
  EXPECT_EQ(most[0].field, 2000);
  EXPECT_EQ(most[0].time, 0.02);
  EXPECT_EQ(most[1].field, 1000);
  EXPECT_EQ(most[1].time, 0);
  EXPECT_EQ(most[1].at, (Vec3{0, 1, 0}));
  EXPECT_EQ(peak_index(sample()), 2u);
}

struct ResultsPicture {
  int width = 0, height = 0;
  std::vector<png_byte> rgb;
  explicit ResultsPicture(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0) << path;
    image.format = PNG_FORMAT_RGB;
    rgb.resize(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr), 0) << path;
    width = int(image.width);
    height = int(image.height);
  }
  /// Share of pixels of exactly this colour.
  double share(int r, int g, int b) const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < rgb.size(); i += 3) n += rgb[i] == r && rgb[i + 1] == g && rgb[i + 2] == b;
    return double(n) / double(rgb.size() / 3);
  }
};

TEST(EqsPictures, AreDrawnForEveryCutLineAndSeries) {
  const test::TempFolder folder;
  eqs::draw_pictures(sample(), folder.path);
  EXPECT_EQ(names_in_results(folder),
            (std::set<std::string>{"cut_side.png", "cut_side_end.png", "line_path.png", "materials.png",
                                   "electrodes.png", "overview.png"}));
  for (const auto& name : names_in_results(folder))
    EXPECT_LT(ResultsPicture(folder / name).share(255, 255, 255), 0.98) << name;
}

TEST(EqsPictures, OfAStaticRunHaveNoCurvesOverTime) {
  const test::TempFolder folder;
  eqs::draw_pictures(sample(false), folder.path);
  EXPECT_EQ(names_in_results(folder),
            (std::set<std::string>{"cut_side.png", "line_path.png", "overview.png"}));
}

TEST(EqsPictures, ConductorsAreGrey) {
  const test::TempFolder folder;
  eqs::draw_pictures(sample(), folder.path);
  const ResultsPicture p(folder / "cut_side.png");
  // Half of the panel, which is 560 x 560 units of a sheet some 880 x 720: a quarter of the picture.
  const double grey = p.share(0xbc, 0xc4, 0xcd);
  EXPECT_GT(grey, 0.15);
  EXPECT_LT(grey, 0.35);
}

TEST(EqsPictures, UnwritableFolderIsAMachineFailureOrBadInput) {
  EXPECT_THROW(eqs::draw_pictures(sample(), "/nonexistent/folder"), Error);
  EXPECT_THROW(results::write_csv_files(to_result(sample()), "/nonexistent/folder"), Error);
}

}  // namespace
}  // namespace umov::eqs
