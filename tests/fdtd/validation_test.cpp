// The validation names what is wrong with a case before it runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>

#include "core/error.hpp"
#include "fdtd/monitors/snapshot.hpp"
#include "fdtd/scene.hpp"
#include "support/fdtd_findings.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

using test::expect_finding, test::found, test::findings, test::sound_case, test::Severity;

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

TEST(FdtdValidation, PlacesAlongAnAxisThatTheDomainLacksAreSaid) {
  Simulation s = sound_case();
  ASSERT_EQ(s.size[2], 0);
  EXPECT_FALSE(found(findings(s), "means nothing"));
  s.sources[0].center[2] = 1;
  expect_finding(s, Severity::warning, "its z = 1 means nothing (the domain has no extent there");
  s.sources[0].center[2] = 0;
  s.monitors[0].center[2] = 7, s.monitors[0].size[2] = 3;
  expect_finding(s, Severity::warning, "its z = 7 and its size 3 along z means nothing");
  s.monitors[0].center[2] = 0, s.monitors[0].size[2] = INFINITY;
  EXPECT_FALSE(found(findings(s), "means nothing"));
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
  s.monitors[0].own<SnapshotSpec>().every = 1;
  s.monitors[0].own<SnapshotSpec>().plane_at = 0.32;
  s.monitors[0].fields = {Ex, Hx};  // on nodes of z, and half a cell between them
  expect_finding(s, Severity::note, "monitor 'cut': at z = 0.32 Ex is taken at 0.3, Hx is taken at 0.35");
  s.monitors[0].own<SnapshotSpec>().plane_at = 0.3;
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
  // of a mode only the centre counts; before, the size 0 0 0 that was looked at was printed
  s.sources[0].center = {-2.8, 0, 0};
  s.sources[0].kind = SourceSpec::Kind::mode;
  s.sources[0].size = {0, 3, 0};
  expect_finding(s, Severity::stop,
                 "source 'lamp': lies in an absorbing layer (centre (-2.8, 0, 0), size (0, 3, 0)");
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

TEST(FdtdValidation, LayersOfAFewCellsAreWarnedOfOnce) {
  for (const int layers : {1, 4, 5}) {
    Simulation s = sound_case();
    s.pml.layers = layers;
    const auto all = findings(s);
    const auto about = std::ranges::count_if(all, [](const Finding& f) {
      return f.message.find("of the amplitude of waves that come straight") != f.message.npos;
    });
    EXPECT_EQ(about, layers < 5) << layers;
  }
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
  write(1000);
  s.walls[0] = s.walls[1] = {WallKind::periodic, WallKind::periodic};
  try {
    make_scene(s);
    FAIL() << "images in any number";
  } catch (const BadInput& e) {
    const std::string words = e.what();
    EXPECT_NE(words.find("each is computed); with scale = 0.001 it would be 1 long"), words.npos) << words;
  }
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
