// The validation names what is wrong with a case before it runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>

#include "fdtd/model/validate.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "support/fdtd_cases.hpp"
#include "support/png_file.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

using Severity = Finding::Severity;

std::vector<Finding> findings(Simulation s) {
  apply_picture(s);
  const auto scene = make_scene(s);
  const Grid grid = make_grid(s, *scene);
  Simulation ready = s;
  ready.bloch_shift = bloch_shift(s, *scene, grid);
  return validate(ready, *scene, grid);
}

/// The severity of the finding that holds the text, or nothing.
std::optional<Severity> found(const std::vector<Finding>& all, const std::string& text) {
  for (const auto& f : all)
    if (f.message.find(text) != std::string::npos) return f.severity;
  return {};
}

void expect_finding(const Simulation& s, Severity severity, const std::string& text) {
  const auto all = findings(s);
  std::string list;
  for (const auto& f : all) list += f.message + "\n";
  const auto got = found(all, text);
  ASSERT_TRUE(got) << "no finding with '" << text << "' among:\n" << list;
  EXPECT_EQ(*got, severity) << list;
}

/// 6 x 5 units, absorbing layers of one unit, a source and a monitor in the middle, nothing wrong.
Simulation sound_case() {
  Simulation s = test::glass_case({6, 5, 0}, 20);
  s.walls = test::all_walls(WallKind::pml);
  s.bodies[0].shape = "cylinder";
  s.bodies[0].radius = 0.5;
  s.sources.emplace_back();
  s.sources[0].name = "lamp";
  s.sources[0].waveform.frequency = 0.8;
  s.sources[0].center = {-1, 0, 0};
  s.monitors.emplace_back();
  s.monitors[0].name = "eye";
  s.monitors[0].center = {1, 0, 0};
  return s;
}

TEST(FdtdValidation, SoundCaseHasOnlyNotes) {
  for (const auto& f : findings(sound_case())) EXPECT_EQ(f.severity, Severity::note) << f.message;
}

TEST(FdtdValidation, ASizeThatIsNoWholeNumberOfCellsIsSaidBetweenWalls) {
  Simulation s = sound_case();
  s.size[1] = 4.93;
  s.resolution = 10;
  EXPECT_FALSE(found(findings(s), "whole cells")) << "absorbing layers";
  s.walls[1] = {WallKind::periodic, WallKind::periodic};
  expect_finding(s, Severity::warning, "the size 4.93 along y becomes 4.9, 49 whole cells");
}

TEST(FdtdValidation, AnEndWithinAPulseIsSaid) {
  Simulation s = sound_case();
  s.sources[0].waveform.kind = Waveform::Kind::gaussian;
  s.sources[0].waveform.end = 30;
  EXPECT_FALSE(found(findings(s), "cuts its pulse"));
  s.sources[0].waveform.end = 3;
  expect_finding(s, Severity::warning, "cuts its pulse");
}

TEST(FdtdValidation, PlanesThatTheGridMovesAreNoted) {
  Simulation s = sound_case();
  s.resolution = 10;
  s.monitors[0].kind = MonitorSpec::Kind::flux;
  s.monitors[0].center = {1, 0, 0};
  s.monitors[0].size = {0, 1, 0};
  EXPECT_FALSE(found(findings(s), "is taken"));
  s.monitors[0].center[0] = 1.03;
  s.monitors[0].size[1] = 1.1;
  expect_finding(s, Severity::note, "x = 1.03 is taken at 1");
  expect_finding(s, Severity::note, "y from -0.55 to 0.55 is taken from");
}

TEST(FdtdValidation, PointsAndCutsThatTheGridMovesAreNoted) {
  Simulation s = sound_case();
  s.resolution = 10;
  s.monitors[0].kind = MonitorSpec::Kind::fourier;
  s.monitors[0].frequencies = {0.8};
  s.monitors[0].center = {1, 0.2, 0};
  EXPECT_FALSE(found(findings(s), "is taken"));
  s.monitors[0].center = {1.04, 0.26, 0};
  expect_finding(s, Severity::note, "x = 1.04 is taken at 1, y = 0.26 is taken at 0.3");
  s.size = {4, 4, 4};
  s.monitors[0] = MonitorSpec{};
  s.monitors[0].name = "cut";
  s.monitors[0].kind = MonitorSpec::Kind::snapshot;
  s.monitors[0].every = 1;
  s.monitors[0].plane_at = 0.32;
  s.monitors[0].fields = {Ex, Hx};  // on nodes of z, and half a cell between them
  expect_finding(s, Severity::note, "monitor 'cut': at z = 0.32 Ex is taken at 0.3, Hx is taken at 0.35");
  s.monitors[0].plane_at = 0.3;
  s.monitors[0].fields = {Ex};
  EXPECT_FALSE(found(findings(s), "is taken"));
}

TEST(FdtdValidation, SpectraOfEndlessWavesAreSaidAndRefusedBesideAReferenceRun) {
  Simulation s = sound_case();
  s.sources[0].waveform.kind = Waveform::Kind::continuous;
  EXPECT_FALSE(found(findings(s), "never ends"));
  s.monitors[0].kind = MonitorSpec::Kind::flux;
  s.monitors[0].size = {0, 1, 0};
  s.monitors[0].frequencies = {s.sources[0].waveform.frequency};
  expect_finding(s, Severity::warning, "transforms grow with the run");
  s.monitors[0].frequencies = {1.02 * s.sources[0].waveform.frequency};
  expect_finding(s, Severity::warning, "which never ends, does not have");
  s.normalize = true;
  expect_finding(s, Severity::stop, "the two runs are not equally long");
  s.stop.time = 30;
  EXPECT_FALSE(found(findings(s), "not equally long"));
  s.sources[0].waveform.end = 20;
  EXPECT_FALSE(found(findings(s), "never ends"));
}

TEST(FdtdValidation, AnEndBeforeTheSourcesAreSilentIsSaidOfSpectra) {
  Simulation s = sound_case();
  s.sources[0].waveform.kind = Waveform::Kind::gaussian;
  s.sources[0].waveform.width = 0.2;
  s.stop.time = 3;
  EXPECT_FALSE(found(findings(s), "before the sources are silent")) << "a series is right at every time";
  s.monitors[0].kind = MonitorSpec::Kind::flux;
  s.monitors[0].size = {0, 1, 0};
  s.monitors[0].frequencies = {0.8};
  expect_finding(s, Severity::warning, "stop: the run ends at 3, before the sources are silent");
}

TEST(FdtdValidation, MissingSourceStops) {
  Simulation s = sound_case();
  s.sources.clear();
  expect_finding(s, Severity::stop, "no source");
}

TEST(FdtdValidation, SourcesInLayersOutsideOrInMetalStop) {
  Simulation s = sound_case();
  s.sources[0].center = {-2.8, 0, 0};
  expect_finding(s, Severity::stop, "source 'lamp': lies in an absorbing layer");
  s.sources[0].center = {-3.2, 0, 0};
  expect_finding(s, Severity::refusal, "source 'lamp': reaches outside the domain");
  s.sources[0].center = {-1, 0, 0};
  s.sources[0].kind = SourceSpec::Kind::line;
  s.sources[0].size = {0, 5, 0};
  expect_finding(s, Severity::warning, "source 'lamp': reaches into an absorbing layer");
  s = sound_case();
  s.materials[0].constants.perfect_conductor = true;
  s.sources[0].center = {0.1, 0, 0};
  expect_finding(s, Severity::refusal, "source 'lamp': its centre is in a perfect conductor");
}

TEST(FdtdValidation, MonitorsInLayersWarnAndOutsideStop) {
  Simulation s = sound_case();
  s.monitors[0].center = {2.9, 0, 0};
  expect_finding(s, Severity::warning, "monitor 'eye': lies in an absorbing layer");
  s.monitors[0].center = {0, 2.6, 0};
  expect_finding(s, Severity::refusal, "monitor 'eye': reaches outside the domain");
  s.monitors[0].center = {2, 0, 0};
  s.monitors[0].size = {1.4, 1, 0};
  expect_finding(s, Severity::warning, "monitor 'eye': reaches into an absorbing layer");
}

TEST(FdtdValidation, CoarseGridsWarnAndHopelessOnesStop) {
  Simulation s = sound_case();
  // n = 2, f = 0.8: 12.5 cells at 20 per unit.
  expect_finding(s, Severity::note, "12.5 cells per wavelength in 'glass' (index 2");
  s.resolution = 10;
  s.pml.layers = 5;
  expect_finding(s, Severity::warning, "6.25 cells per wavelength in 'glass'");
  expect_finding(s, Severity::warning, "raise resolution to 16");
  s.resolution = 4.5;
  expect_finding(s, Severity::stop, "2.81 cells per wavelength");
}

TEST(FdtdValidation, DispersionErrorIsThatOfThePublishedRelation) {
  Grid g;
  g.mode = Mode::tm;
  g.dx = 0.1;
  // At the Courant number 1/2 and 10 cells per wavelength along an axis the wave lags: phase velocity 0.9873
  // c (Taflove and Hagness 2005, section 4.5, prints 0.9873).
  g.dt = 0.05;
  EXPECT_NEAR(1 / (1 + dispersion_error(g, 1, 1)), 0.9873, 5e-5);
  EXPECT_TRUE(std::isinf(dispersion_error(g, 4, 1)));
  EXPECT_NEAR(dispersion_error(g, 1, 0.1), dispersion_error(g, 1, 0.2) / 4, 1e-6);
}

/// A cube of this edge around the origin, as OBJ.
std::string cube(double edge) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += fmt::format("v {} {} {}\n", edge * ((i & 1) - 0.5), edge * ((i >> 1 & 1) - 0.5),
                        edge * ((i >> 2) - 0.5));
  return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

// Before: nothing was said of a file in thousandths of the case's unit, or in thousands.
TEST(FdtdValidation, MeshInAnotherUnitWarnsWithTheLikelyScale) {
  test::TempFolder folder;
  Simulation s = sound_case();
  s.bodies[0].shape = "mesh";
  s.bodies[0].file = folder / "cube.obj";
  const auto write = [&](double edge) { std::ofstream(s.bodies[0].file) << cube(edge); };
  write(1000);
  expect_finding(s, Severity::warning,
                 "body 1 (mesh): its mesh fills the whole domain (it spans (-500, -500, -500)");
  expect_finding(s, Severity::warning, "with scale = 0.001 it would be 1 long");
  write(0.001);
  expect_finding(s, Severity::warning, "its mesh is smaller than a cell");
  expect_finding(s, Severity::warning, "with scale = 1000 it would be 1 long");
  write(1);
  EXPECT_FALSE(found(findings(s), "its mesh"));
}

TEST(FdtdValidation, BodyOutsideIsNamedWithItsPlace) {
  Simulation s = sound_case();
  s.bodies[0].center = {4, 0, 0};
  expect_finding(s, Severity::warning,
                 "body 1 (cylinder): wholly outside the domain (it spans 3.5 to 4.5 along x");
  s = sound_case();
  s.bodies[0].shape = "sphere";
  s.bodies[0].center = {0, 0, 2};
  expect_finding(s, Severity::warning, "does not reach z = 0");
}

TEST(FdtdValidation, MaterialOutOfItsRangeIsNamed) {
  Simulation s = sound_case();
  s.unit_um = 2;  // wavelength 2.5 um
  s.materials[0].constants.range_um = {0.4, 1.2};
  s.materials[0].constants.source = "A. Author, 2001";
  expect_finding(s, Severity::warning, "material 'glass'");
}

// An index that jumps to and fro from row to row is no material: no sum of poles follows it.
TEST(FdtdValidation, PolesThatMissTheTableTheyWereFittedToAreNamed) {
  const test::TempFolder folder;
  const std::string table = folder / "jumps.csv";
  std::ofstream file(table);
  for (int i = 0; i < 20; ++i) file << 0.5 + 0.1 * i << ',' << (i % 2 ? 1.5 : 2.0) << ",0\n";
  file.close();
  Simulation s = sound_case();
  s.materials[0] = {};
  s.materials[0].name = "glass";
  s.materials[0].nk_file = table;
  expect_finding(s, Severity::warning, "material 'glass': its poles miss n and k of " + table);
}

/// The sound case of a table with k at 1.25 um (frequency 0.8) of its rows, small beside n.
Simulation case_of_k(const test::TempFolder& folder, const std::function<double(int)>& k) {
  std::ofstream file(folder / "k.csv");
  for (int i = 0; i < 21; ++i) file << 0.75 + 0.05 * i << ",1.5," << k(i) << "\n";
  file.close();
  Simulation s = sound_case();
  s.materials[0] = {};
  s.materials[0].name = "glass";
  s.materials[0].nk_file = folder / "k.csv";
  return s;
}

// k that jumps from row to row is followed by no sum of poles, and n + ik hardly tells.
TEST(FdtdValidation, PolesThatMissTheAbsorptionOfTheirTableAreNamed) {
  const test::TempFolder folder;
  const Simulation jumps = case_of_k(folder, [](int i) { return i % 2 ? 0.001 : 0.009; });
  const std::string words =
      "material 'glass': its poles miss what " + jumps.materials[0].nk_file + " absorbs by";
  expect_finding(jumps, Severity::warning, words);
  const Simulation smooth = case_of_k(folder, [](int i) { return 0.009 - 0.0002 * i; });
  EXPECT_FALSE(found(findings(smooth), words));
}

TEST(FdtdValidation, ASourceInsideAMetalWarnsOfItsSkinDepth) {
  Simulation s = sound_case();
  s.bodies[0].material = "silver";
  s.unit_um = 0.5;
  s.sources[0].center = {0.1, 0.1, 0};
  expect_finding(s, Severity::warning, "source 'lamp': lies inside");
  s.sources[0].kind = SourceSpec::Kind::box;
  s.sources[0].size = {0.2, 0.2, 0};
  expect_finding(s, Severity::warning, "of 'silver', a metal at its frequency 0.8 (Re eps = -");
}

TEST(FdtdValidation, SourcesThatReachOutOfAMetalAreNotSaidToLieInIt) {
  Simulation s = sound_case();
  s.bodies[0].material = "silver";
  s.unit_um = 0.5;
  const std::string words = "lies inside";
  EXPECT_FALSE(found(findings(s), words));  // beside it
  s.sources[0].center = {0, 0, 0};
  s.sources[0].kind = SourceSpec::Kind::line;  // a sheet across it
  s.sources[0].size = {0, 2, 0};
  EXPECT_FALSE(found(findings(s), words));
  s.sources[0].kind = SourceSpec::Kind::plane_wave;
  s.sources[0].size = {2, 2, 0};
  EXPECT_FALSE(found(findings(s), words));
  s.sources[0].kind = SourceSpec::Kind::mode;
  s.sources[0].size = {0, 0.4, 0};
  EXPECT_FALSE(found(findings(s), words));
  s = sound_case();  // in a dielectric
  s.sources[0].center = {0, 0, 0};
  EXPECT_FALSE(found(findings(s), words));
}

TEST(FdtdValidation, SkinDepthBelowACellWarns) {
  Simulation s = sound_case();
  s.materials[0].constants.poles = {{materials::Pole::Kind::drude, 40000, 0, 1, 0}};
  s.materials[0].constants.eps = {1, 1, 1};
  expect_finding(s, Severity::warning, "fields enter 'glass' by");
  expect_finding(s, Severity::warning, "100 % or more error in what it absorbs");
  expect_finding(s, Severity::note, "of the usual one, as poles");
  // wp dt < 2 asks for dt < 0.01, in place of half of dx / sqrt 2 = 0.0354.
  expect_finding(s, Severity::warning, "material 'glass': the time step is 3.37 times shorter");
}

TEST(FdtdValidation, MetalOfTwoCellsPerRadiusWarns) {
  Simulation s = sound_case();
  s.materials[0].constants.poles = {{materials::Pole::Kind::drude, 40000, 0, 1, 0}};
  s.materials[0].constants.eps = {1, 1, 1};
  s.te = true;
  s.sources[0].component = Hz;
  s.bodies[0].radius = 2.3 / s.resolution;
  expect_finding(s, Severity::warning, "body 1 (cylinder) is 4.6 cells wide");
}

TEST(FdtdValidation, ConductorThatAnswersWithinAStepWarns) {
  Simulation s = sound_case();
  s.te = true;
  s.sources[0].component = Hz;
  s.materials[0].constants.sigma = {1e5, 1e5, 1e5};
  expect_finding(s, Severity::warning, "material 'glass' answers within a time step");
}

TEST(FdtdValidation, BodiesThatEndInLayersWarn) {
  Simulation s = sound_case();
  s.bodies[0].radius = 2.2;
  expect_finding(s, Severity::warning,
                 "absorbing layer at low y: 'glass' at its inner face becomes 'vacuum'");
  s.bodies[0].shape = "box";
  s.bodies[0].size = Vec3{0, 1, 0};
  EXPECT_FALSE(found(findings(s), "absorbing layer at"));
  s.materials[0].constants.poles = {{materials::Pole::Kind::drude, 100, 0, 1, 0}};  // eps = -3 at f = 0.8
  expect_finding(s, Severity::warning,
                 "absorbing layer at low x: the dispersive material 'glass' reaches it");
}

TEST(FdtdValidation, DispersionInLayersIsNoMatterWherePermittivityIsPositive) {
  Simulation s = sound_case();
  s.bodies[0].shape = "box";
  s.bodies[0].size = Vec3{0, 1, 0};
  s.materials[0] = {};
  s.materials[0].name = "glass";
  s.materials[0].library = "silica";
  expect_finding(s, Severity::note, "absorbing layer at low x: the dispersive material 'glass' reaches it");
}

TEST(FdtdValidation, AnExtinctionAtOneWavelengthIsSaidOfAPulse) {
  Simulation s = sound_case();
  s.materials[0] = {};
  s.materials[0].name = "glass";
  s.materials[0].index = 1.5;
  s.materials[0].extinction = 0.1;
  s.materials[0].at_wavelength = 1.25;
  s.sources[0].waveform.kind = Waveform::Kind::gaussian;
  s.sources[0].waveform.width = 0.2;
  expect_finding(s, Severity::warning, "material 'glass': its extinction holds at the wavelength 1.25 alone");
  s.sources[0].waveform.width = 0.04;
  EXPECT_FALSE(found(findings(s), "its extinction"));
  s.materials[0].at_wavelength = 1;
  expect_finding(s, Severity::warning, "material 'glass': its extinction holds at the wavelength 1 alone");
}

TEST(FdtdValidation, ACurrentOnAMirrorThatCancelsItIsNamedWithTheMirror) {
  Simulation s = sound_case();
  s.bodies.clear();
  s.te = true;
  s.walls[1][0] = WallKind::mirror_odd;
  s.monitors[0].center = {1, 0.5, 0};
  s.sources[0].component = Ex;
  expect_finding(s, Severity::refusal,
                 "its Ex lies on the symmetry plane y = 0 and along it (the wall y is mirror_odd");
  s.sources[0].component = Ey;
  EXPECT_FALSE(found(findings(s), "mirror_odd"));
  s.sources[0].component = Ex;
  s.walls[1][0] = WallKind::mirror_even;
  EXPECT_FALSE(found(findings(s), "mirror_odd"));
}

TEST(FdtdValidation, FrequenciesBelowTheCutoffOfAnObliqueWaveAreSaidOnceWithTheCutoff) {
  Simulation s = test::glass_case({6, 0.35, 0}, 20);
  s.walls[0] = {WallKind::pml, WallKind::pml};
  s.walls[1] = {WallKind::bloch, WallKind::bloch};
  s.bloch = {0, 0.819152, 0};
  s.bodies[0].size = Vec3{0.2, 1, 0};
  s.sources.emplace_back();
  s.sources[0].kind = SourceSpec::Kind::plane_wave;
  s.sources[0].phi = 55;
  s.sources[0].waveform.kind = Waveform::Kind::gaussian;
  s.sources[0].waveform.frequency = 1;
  s.sources[0].waveform.width = 0.1;
  for (const double x : {-1.5, 1.5}) {
    s.monitors.emplace_back();
    s.monitors.back().kind = MonitorSpec::Kind::flux;
    s.monitors.back().name = x < 0 ? "R" : "T";
    s.monitors.back().center = {x, 0, 0};
    s.monitors.back().size = {0, std::numeric_limits<double>::infinity(), 0};
    s.monitors.back().frequencies = {0.8, 0.9, 1.0};
  }
  expect_finding(s, Severity::warning,
                 "monitor 'R', monitor 'T': frequencies 0.8 lie near or below the cutoff 0.819");
  for (auto& m : s.monitors) m.frequencies = {0.95, 1.0, 1.1};
  EXPECT_FALSE(found(findings(s), "cutoff"));
}

Simulation drawn_case(const test::Drawing& d, const test::TempFolder& folder) {
  d.write(folder / "p.png");
  Simulation s;
  s.picture.emplace();
  s.picture->files = {folder / "p.png"};
  s.resolution = 40;
  return s;
}

TEST(FdtdValidation, StrayPixelsAreNamedByPlace) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  for (int y = 20; y < 30; ++y) d.at(25, y).red = 255;
  for (int y = 20; y < 30; ++y) d.at(40, y).blue = 5;
  d.at(33, 12).blue = 6;
  expect_finding(drawn_case(d, folder), Severity::warning, "monitor-6 at pixel (33, 12)");
  EXPECT_FALSE(found(findings(drawn_case(d, folder)), "monitor-5"));
}

TEST(FdtdValidation, DrawnSourceInTheLayerIsNamedByPixel) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(4, 1).red = 255;
  expect_finding(drawn_case(d, folder), Severity::stop,
                 "source 'red-255': 1 of 1 pixels lie in an absorbing layer, the first is pixel (4, 1)");
  d.at(30, 20).red = 255;
  expect_finding(drawn_case(d, folder), Severity::warning, "1 of 2 pixels lie in an absorbing layer");
}

TEST(FdtdValidation, LossyNoiseInGreenIsReported) {
  const test::TempFolder folder;
  test::Drawing d(200, 100);
  d.at(100, 50).red = 255;
  for (int y = 40; y < 60; ++y)
    for (int x = 0; x < 200; ++x) d.at(x, y).green = 255;
  EXPECT_FALSE(found(findings(drawn_case(d, folder)), "different greens"));
  for (int i = 0; i < 30; ++i) d.at(7 * i % 200, 39).green = std::uint8_t(3 + 5 * i);
  expect_finding(drawn_case(d, folder), Severity::warning, "32 different greens, 30 of them");
}

TEST(FdtdValidation, ThesisGreensBelowOneAreNamed) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(30, 20).red = 255;
  d.at(20, 20).green = 28;
  d.at(21, 20).green = 29;
  Simulation s = drawn_case(d, folder);
  s.picture->mapping = PictureSpec::Mapping::thesis;
  expect_finding(s, Severity::warning, "28 (eps 0.988, 1 pixels, first pixel (20, 20)) (waves");
}

TEST(FdtdValidation, StraySourcePixelsAreNamedWithTheirPlace) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  for (int y = 20; y < 33; ++y) d.at(20, y).red = 255;
  EXPECT_FALSE(found(findings(drawn_case(d, folder)), "hang together"));
  d.at(45, 30).red = 255;
  expect_finding(drawn_case(d, folder), Severity::warning,
                 "pixels of a source apart from its others, of which up to 13 hang together: pixel (45, 30) "
                 "(red 255)");
  d.at(45, 30).red = 200;
  d.at(40, 22).red = d.at(41, 23).red = 255;
  expect_finding(drawn_case(d, folder), Severity::warning,
                 "hang together: pixel (40, 22) (red 255, 2 pixels), pixel (45, 30) (red 200)");
  // Points of equal size are an array.
  test::Drawing array(60, 50);
  for (int x = 15; x < 45; x += 5) array.at(x, 25).red = 255;
  EXPECT_FALSE(found(findings(drawn_case(array, folder)), "hang together"));
}

TEST(FdtdValidation, StrayMonitorPixelsAreNamedWithTheirPlace) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(20, 20).red = 255;
  for (int y = 20; y < 33; ++y) d.at(40, y).blue = 3;
  d.at(12, 30).blue = 3;
  expect_finding(drawn_case(d, folder), Severity::warning,
                 "pixels of monitor-3 apart from its others, of which up to 13 hang together: pixel (12, 30) "
                 "(blue 3)");
}

TEST(FdtdValidation, RedsTooFaintForASourceAreNamed) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(20, 20).red = 255;
  d.at(30, 25).red = 128;
  expect_finding(drawn_case(d, folder), Severity::warning,
                 "1 pixels have a red of 1 to 128, the first is pixel (30, 25) with 128 (a source has more");
}

// Enlarged three times with interpolation: a third and two thirds of a step on every edge.
TEST(FdtdValidation, SmoothedEdgesAreNamedForEachColour) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  for (int y = 15; y < 35; ++y)
    for (int x = 15; x < 45; ++x) {
      const int depth = std::min({x - 14, 45 - x, y - 14, 35 - y, 3});
      d.at(x, y).green = std::uint8_t(85 * depth);
    }
  for (int y = 20; y < 30; ++y) d.at(20, y).red = 255, d.at(19, y).red = d.at(21, y).red = 170;
  for (int y = 20; y < 30; ++y) d.at(30, y).blue = 4, d.at(29, y).blue = d.at(31, y).blue = 3;
  const Simulation s = drawn_case(d, folder);
  // The rims are 96 and 88 pixels long; at four corners of each the values rise only diagonally.
  expect_finding(s, Severity::warning, "176 pixels have a green between those of their neighbours (85, 170;");
  expect_finding(s, Severity::warning, "20 pixels have a red between those of their neighbours (170;");
  expect_finding(s, Severity::warning, "20 of them are sources of other wavelengths");
  expect_finding(s, Severity::warning, "20 pixels have a blue between those of their neighbours (3;");
}

TEST(FdtdValidation, SharpEdgesAndGradientsAreNotSmoothing) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(20, 20).red = 255;
  for (int y = 10; y < 40; ++y)
    for (int x = 0; x < 60; ++x) d.at(x, y).green = std::uint8_t(y < 20 ? 0 : y < 30 ? 255 : 4 * x);
  EXPECT_FALSE(found(findings(drawn_case(d, folder)), "smoothed"));
}

TEST(FdtdValidation, CellsThatStretchThePictureAreNamed) {
  const test::TempFolder folder;
  test::Drawing d(60, 50);
  d.at(20, 20).red = 255;
  Simulation s = drawn_case(d, folder);
  s.picture->width = 120;
  expect_finding(
      s, Severity::warning,
      "120 x 50 cells for 60 x 50 pixels (a pixel becomes 2 cells wide and 1 high, so shapes are "
      "stretched); give width and height in the picture's proportion: height 100 goes with width 120");
  s.picture->height = 100;
  EXPECT_FALSE(found(findings(s), "stretched"));
  s.picture->width = 77, s.picture->height = 64;  // 64.17 would be exact
  EXPECT_FALSE(found(findings(s), "stretched"));
}

TEST(FdtdValidation, BodiesThatAMirrorCutsUnsymmetricallyStop) {
  Simulation s = sound_case();
  s.walls[0][0] = WallKind::mirror_even;
  s.sources[0].center = {1, 0, 0};
  EXPECT_FALSE(found(findings(s), "symmetric"));
  const std::string broken = "is not symmetric about x = 0";
  s.bodies[0].center[0] = 0.003;  // a sixteenth of a cell
  expect_finding(s, Severity::stop, "body 1 (cylinder): " + broken);
  s.bodies[0].center[0] = 0.7;  // wholly in front: its image is meant
  EXPECT_FALSE(found(findings(s), "symmetric"));
  s.bodies[0].center[0] = -0.7;
  expect_finding(s, Severity::stop, "body 1 (cylinder): " + broken);
  s.bodies.push_back(s.bodies[0]);
  s.bodies[1].center[0] = 0.7;  // the image in person
  EXPECT_FALSE(found(findings(s), "symmetric"));
  s.bodies[1].radius = 0.49;
  expect_finding(s, Severity::stop, "body 1 (cylinder): " + broken);
  // Two boxes that together are one: what fills space is symmetric.
  s.bodies.resize(2);
  for (auto& b : s.bodies) b.shape = "box";
  s.bodies[0].center = {-0.2, 0, 0}, s.bodies[0].size = Vec3{0.8, 1, 0};
  s.bodies[1].center = {0.4, 0, 0}, s.bodies[1].size = Vec3{0.4, 1, 0};
  EXPECT_FALSE(found(findings(s), "symmetric"));
  s.bodies[1].rotation = 5;
  expect_finding(s, Severity::stop, "(box): " + broken);
  // A mirror above drops what lies above it.
  s.walls[0] = {WallKind::pml, WallKind::mirror_odd};
  s.sources[0].center = {-1, 0, 0};
  s.monitors[0].center = {-1, 0.5, 0};
  s.bodies.resize(1);
  s.bodies[0].center = {0.1, 0, 0};
  expect_finding(s, Severity::stop, "what lies at x > 0 is not computed");
}

}  // namespace
}  // namespace umov::fdtd
