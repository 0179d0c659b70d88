// What the validation says of materials and of how the grid resolves them.
#include <gtest/gtest.h>

#include <fstream>

#include "support/fdtd_findings.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

using test::expect_finding, test::found, test::findings, test::sound_case, test::Severity;

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

// E along all surfaces does not jump: as with E along z, where the error is of second order.
TEST(FdtdValidation, AFlatMetalFilmUnderNormalIncidenceHasNoFieldAcrossItsSurfaces) {
  Simulation s = sound_case();
  s.te = true;
  s.size = {6, 1, 0};
  s.resolution = 30;
  s.walls[1] = {WallKind::periodic, WallKind::periodic};
  MaterialSpec metal;
  metal.name = "metal";
  metal.constants.eps = {2, 2, 2};
  metal.constants.poles = {{.kind = materials::Pole::Kind::drude, .strength = 89, .gamma = 0.5}};
  s.materials.push_back(metal);
  BodySpec film;
  film.shape = "box", film.material = "metal", film.size = Vec3{0.117, 0, 0};
  s.bodies = {film};
  SourceSpec wave = s.sources[0];
  wave.kind = SourceSpec::Kind::plane_wave, wave.phi = 0, wave.center = {0, 0, 0}, wave.size = {0, 0, 0};
  wave.waveform.frequency = 0.95;
  s.sources = {wave};
  EXPECT_FALSE(found(findings(s), "scatters or reflects"));
  (*s.bodies[0].size)[1] = 0.5;  // a grating
  expect_finding(s, Severity::warning, "scatters or reflects");
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

}  // namespace
}  // namespace umov::fdtd
