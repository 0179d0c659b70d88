// Bad input of the model: each refusal names the file, the entity and what to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "eqs/model/contrast_warning.hpp"
#include "eqs/model/model_parts.hpp"
#include "mesh/gmsh_file.hpp"
#include "support/eqs_cases.hpp"
#include "support/geometries.hpp"

namespace umov::eqs::test {
namespace {

Simulation good() {
  return column({layer("glass", 1e-3, 1), layer("metal", 1e-3, 1), layer("air", 2e-3, 2)},
                {material("glass", constant(5), constant(1e-12)), material("air", constant(1), constant(0)),
                 material("metal", constant(1), constant(1))},
                sine(1));
}
std::string refusal(const Simulation& s) {
  try {
    make_problem(s);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}
void expect_refused(const Simulation& s, const std::vector<std::string>& words) {
  const std::string text = refusal(s);
  for (const auto& w : words)
    EXPECT_NE(text.find(w), std::string::npos) << "'" << text << "' should say '" << w << "'";
}

TEST(EqsProblem, GoodOneIsAcceptedWithVerticesFirst) {
  for (const int order : {1, 2}) {
    Simulation s = good();
    s.mesh.order = order;
    s.mesh.refine = 1;
    const Problem p = make_problem(s);
    EXPECT_GT(p.unknowns, 0);
    EXPECT_EQ(int(p.unknown.size()), p.nodes);
    const int vertices = int(p.mesh.nodes.size());
    for (int n = 0; n < p.nodes; ++n) {
      if (p.unknown[n] < 0) continue;
      EXPECT_EQ(n < vertices, p.unknown[n] < p.vertex_unknowns);
    }
  }
}

TEST(EqsProblem, WarnsOfNewtonsMethodLooserThanTheSteps) {
  const auto warned = [](const Simulation& s) {
    const auto& list = make_problem(s).warnings;
    return std::any_of(list.begin(), list.end(), [](const std::string& w) {
      return w.find("newton.tolerance 0.01 is looser than time.tolerance 0.001") != std::string::npos &&
             w.find("set newton.tolerance to 1e-06") != std::string::npos;
    });
  };
  Simulation s = good();
  EXPECT_FALSE(warned(s));
  s.newton.tolerance = 1e-2, s.time.tolerance = 1e-3;
  EXPECT_TRUE(warned(s));
  s.time.step = 1e-4;  // nothing watches the error of fixed steps
  EXPECT_FALSE(warned(s));
}

TEST(EqsProblem, MaterialsAndRegionsMustMatch) {
  Simulation s = good();
  s.materials.pop_back();
  expect_refused(s, {"'metal'", "has no material", "'glass', 'air'"});
  s = good();
  s.materials[0].name = "glas";
  expect_refused(s, {"material 'glas'", "no volume 'glas'", "did you mean 'glass'"});
  s = good();
  s.materials[0].regions = {"glass", "air"};
  s.materials[1].place = "case.toml:14: material 'air'";
  expect_refused(s, {"case.toml:14: material 'air'", "volume 'air' has two materials", "'glass'"});
  s = good();
  s.materials[1].name = "glass";
  expect_refused(s, {"'glass' is given twice"});
  s = good();
  s.materials[0].permittivity.value = 0;
  expect_refused(s, {"permittivity of material 'glass'", "must be positive"});
  s = good();
  s.materials[0].conductivity.value = NAN;
  expect_refused(s, {"conductivity of material 'glass'", "not a number"});
  s = good();
  s.materials.clear();
  expect_refused(s, {"no materials"});
}

TEST(EqsProblem, ElectrodesMustBeThereAndApart) {
  Simulation s = good();
  s.electrodes[1].name = "tpo";
  expect_refused(s, {"electrode 'tpo'", "no group 'tpo'", "did you mean 'top'", "surfaces:"});
  s = good();
  s.electrodes[1].groups = {"bottom"};
  expect_refused(s, {"'bottom' and 'top' meet at node", "two potentials", ") m"});
  // surfaces of neighbours share an edge of the column
  s = good();
  s.electrodes.clear();
  s.electrodes = {driven("x_min", steady(1)), electrode("metal")};
  s.materials.pop_back();
  expect_refused(s, {"'x_min' and 'metal' meet at node"});
  // a conductor that nothing is outside of
  s.electrodes = {driven("glass", steady(1)), electrode("metal")};
  s.materials = {s.materials[1]};
  expect_refused(s, {"electrode 'glass' has no triangle"});
  s = good();
  s.electrodes[0].kind = s.electrodes[1].kind = ElectrodeSpec::Kind::floating;
  expect_refused(s, {"no electrode has a fixed potential"});
  s = good();
  s.electrodes[1].name = "bottom";
  expect_refused(s, {"electrode 'bottom' is given twice"});
  s = good();
  s.electrodes[0].waveform.amplitude = INFINITY;
  expect_refused(s, {"electrode 'bottom'"});
  s = good();
  s.electrodes.push_back(electrode("metal"));
  expect_refused(s, {"'metal'", "is the conductor", "take one away"});
}

TEST(EqsProblem, PartsWithoutAPathToAFixedPotentialAreNamed) {
  // the metal cuts the column in two; both plates on one side
  Simulation s = good();
  s.materials.pop_back();
  s.electrodes = {driven("bottom", steady(1))};
  s.electrodes.push_back(electrode("metal", ElectrodeSpec::Kind::floating));
  s.electrodes[1].charge = 1e-12;
  EXPECT_EQ(refusal(s), "accepted");  // air hangs on the floating metal, which hangs on the glass
  s.analysis = Analysis::conduction;
  expect_refused(s, {"volume 'air'", "material 'air'", "conducts nothing", "conductivity above 0"});
  s.materials[1].conductivity.value = 1e-12;
  // joined, but to one potential only: currents know no given charge
  expect_refused(s, {"the only potential there is"});
  s.materials[0].conductivity.value = 0;
  expect_refused(s, {"conductor 'metal' is cut off", "carries current"});

  // two boxes that do not share nodes
  mesh::TetMesh m;
  m.source = "two boxes";
  m.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}};
  m.tets = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  m.tet_group = {0, 1};
  m.triangles = {{0, 1, 2}};
  m.triangle_group = {0};
  m.volumes = {{"here", 1}, {"there", 2}};
  m.surfaces = {{"plate", 3}};
  const std::string file = testing::TempDir() + "two_boxes.msh";
  mesh::write_gmsh(m, file);
  Simulation t;
  t.mesh.file = file;
  t.materials = {material("air", constant(1), constant(0))};
  t.materials[0].regions = {"here", "there"};
  t.electrodes = {driven("plate", steady(1))};
  expect_refused(t, {"two_boxes.msh", "volume 'there'", "cut off from every fixed potential", " m"});
  // each with an electrode of its own: a model, but hardly the one that is meant
  m.triangles.push_back({4, 5, 6});
  m.triangle_group.push_back(1);
  m.surfaces.push_back({"other", 4});
  mesh::write_gmsh(m, file);
  t.electrodes.push_back(electrode("other"));
  const Problem apart = make_problem(t);
  int said = 0;
  for (const auto& w : apart.warnings)
    for (const char* name : {"'here' from (", "'there' from ("})
      said += w.find(name) != std::string::npos && w.find("node on node") != std::string::npos;
  EXPECT_EQ(said, 2);
  for (const auto& w : make_problem(good()).warnings)
    EXPECT_EQ(w.find("piece of the mesh"), std::string::npos) << w;
  std::filesystem::remove(file);
}

TEST(EqsProblem, WhatMakesNoSenseIsRefused) {
  Simulation s = good();
  s.mesh.order = 3;
  expect_refused(s, {"element order 3"});
  s = good();
  s.mesh.refine = -1;
  expect_refused(s, {"refine = -1"});
  s = good();
  s.mesh.geometry.reset();
  expect_refused(s, {"no mesh"});
  s = good();
  s.mesh.file = "a.msh";
  expect_refused(s, {"both a mesh file and a geometry"});
  s = good();
  s.symmetry = {"w"};
  expect_refused(s, {"symmetry plane 'w'"});
  s = good();
  s.symmetry = {"x", "x"};
  expect_refused(s, {"given twice"});
  s = good();
  s.linear.preconditioner = "amgg";
  expect_refused(s, {"preconditioner 'amgg'", "did you mean 'amg'"});
  s = good();
  s.newton.tolerance = 0;
  expect_refused(s, {"Newton's tolerance"});
  s = good();
  s.analysis = Analysis::conduction;
  s.materials.pop_back();
  s.electrodes.push_back(electrode("metal"));
  expect_refused(s, {"'air'", "conducts nothing"});
  // every node on an electrode
  s = column({layer("air", 1e-3, 1)}, {material("air", constant(1), constant(0))}, steady(1));
  expect_refused(s, {"every node is on an electrode"});
}

TEST(EqsProblem, SymmetryPlaneMustBoundTheModel) {
  mesh::TetMesh m;
  m.source = "tetrahedron";
  m.nodes = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0.3, 1}};
  m.tets = {{0, 1, 2, 3}};
  m.tet_group = {0};
  m.triangles = {{0, 1, 2}};
  m.triangle_group = {0};
  m.volumes = {{"air", 1}};
  m.surfaces = {{"plate", 3}};
  const std::string file = testing::TempDir() + "both_sides.msh";
  mesh::write_gmsh(m, file);
  Simulation s;
  s.mesh.file = file;
  s.materials = {material("air", constant(1), constant(0))};
  s.electrodes = {driven("plate", steady(1))};
  s.symmetry = {"x"};
  expect_refused(s, {"both_sides.msh", "both sides of the symmetry plane x"});
  s.symmetry = {"y"};
  expect_refused(s, {"the only potential there is"});  // and nothing about the plane
  std::filesystem::remove(file);
}

/// Nodes of a conductor's inside are gone, its surface carries its potential, also mid-edge nodes.
TEST(EqsProblem, ConductorsAreCutOutOfTheMesh) {
  for (const int order : {1, 2}) {
    Simulation s = good();
    s.materials.pop_back();
    s.mesh.order = order;
    s.mesh.refine = 1;
    s.electrodes.push_back(electrode("metal", ElectrodeSpec::Kind::floating));
    const Problem p = make_problem(s);
    ASSERT_GE(p.electrodes[2].unknown, 0);
    EXPECT_LT(p.electrodes[2].unknown, p.vertex_unknowns);
    for (int n = 0; n < p.nodes; ++n) {
      const double z = node_place(p, n)[2];
      EXPECT_TRUE(z < 1e-3 + 1e-9 || z > 2e-3 - 1e-9);
      const bool on_metal = std::abs(z - 1e-3) < 1e-9 || std::abs(z - 2e-3) < 1e-9;
      EXPECT_EQ(p.node_electrode[n] == 2, on_metal);
    }
    for (const int m : p.material) EXPECT_LT(m, 2);
  }
}

/// A column of `size` (in the file's unit) from a file, at a voltage.
Simulation drawn(double size, double voltage) {
  Simulation s = column({layer("air", size, 2)}, {material("air", constant(1), constant(1e-12))},
                        steady(voltage), size / 3);
  const std::string file = testing::TempDir() + "drawn.msh";
  mesh::write_gmsh(mesh::build_mesh(*s.mesh.geometry), file);
  s.mesh.geometry.reset();
  s.mesh.file = file;
  return s;
}
bool warned(const Simulation& s, const std::string& part) {
  for (const auto& w : make_problem(s).warnings)
    if (w.find(part) != std::string::npos) return true;
  return false;
}

TEST(EqsProblem, MillimetresReadAsMetresAreFoundAt15AsAt150) {
  for (const double size : {5.0, 15.0, 150.0})
    EXPECT_TRUE(warned(drawn(size, 1000), "drawn in millimetres")) << size;
  // models of metres, and of millimetres with their unit
  EXPECT_TRUE(make_problem(drawn(0.02, 1000)).warnings.empty());
  EXPECT_TRUE(make_problem(drawn(12, 1e6)).warnings.empty());  // an insulator of a 1000 kV line
  EXPECT_TRUE(make_problem(drawn(3, 1)).warnings.empty());     // a capacitance by one volt
  Simulation s = drawn(15, 1000);
  s.mesh.unit_given = true;
  EXPECT_TRUE(make_problem(s).warnings.empty());
  s.mesh.unit = 1e-3;
  EXPECT_TRUE(make_problem(s).warnings.empty());
  s = drawn(0.2, 1e5);  // metres, read as millimetres twice over
  s.mesh.unit = 1e-6;
  EXPECT_TRUE(warned(s, "more than anything stands"));
}

TEST(EqsProblem, OnePotentialAloneIsRefusedOthersAreNot) {
  Simulation s = good();
  s.electrodes = {driven("bottom", steady(1000)), driven("top", steady(1000))};
  expect_refused(s, {"electrode 'bottom'", "the only potential there is", "ground what surrounds it"});
  s.electrodes[1] = electrode("top", ElectrodeSpec::Kind::floating);
  expect_refused(s, {"the only potential there is"});
  s.electrodes[1].charge = 1e-9;
  EXPECT_EQ(refusal(s), "accepted");
  s.analysis = Analysis::electrostatic;
  EXPECT_EQ(refusal(s), "accepted");
  for (const Analysis a : {Analysis::harmonic, Analysis::conduction}) {
    Simulation currents = s;  // which know no given charge
    currents.analysis = a;
    currents.electrodes[0] = driven("bottom", sine(1000));
    for (auto& m : currents.materials) m.conductivity = constant(1e-9);
    expect_refused(currents, {"the only potential there is"});
  }
  s.electrodes[1] = driven("top", steady(-1000));
  EXPECT_EQ(refusal(s), "accepted");
  s.electrodes = {electrode("bottom"), electrode("top")};
  expect_refused(s, {"give an electrode an amplitude"});
  // a voltage that is given is taken, as the first of a list of them
  s.electrodes[0] = driven("bottom", sine(0));
  EXPECT_TRUE(warned(s, "every electrode is at 0 V"));
  s.electrodes[1] = driven("top", steady(0));
  EXPECT_TRUE(warned(s, "every electrode is at 0 V"));
}

TEST(EqsProblem, SymmetryPlanesOnElectrodesAndBesideTheModelAreNamed) {
  Simulation s = good();
  s.symmetry = {"z"};
  expect_refused(s, {"the plane of symmetry z = 0 is electrode 'bottom'", "leave 'z' out"});
  s.symmetry = {"x", "y"};
  EXPECT_EQ(refusal(s), "accepted");
  s = sector("coaxial", 0.1, 60, {layer("air", 0.1, 2)}, {material("air", constant(1), constant(0))},
             steady(1), 4);
  s.symmetry = {"y"};
  EXPECT_EQ(refusal(s), "accepted");
  s.symmetry = {"x"};
  expect_refused(s, {"does not reach the symmetry plane x = 0"});
}

TEST(EqsProblem, PermittivitiesBelowVacuumAreWarnedOf) {
  Simulation s = good();
  EXPECT_FALSE(warned(s, "permittivity"));
  s.materials[0].permittivity = constant(0.9);
  EXPECT_TRUE(warned(s, "its permittivity is 0.9 (relative to vacuum"));
  s.materials[0].permittivity = formula("2 - 1.5 * tanh(E / 1e6)");
  EXPECT_TRUE(warned(s, "its permittivity is 0.5"));
}

TEST(EqsProblem, PermittivitiesOfNoMaterialAreWarnedOf) {
  Simulation s = good();
  s.materials[0].permittivity = constant(1e6);  // a metal of somebody's electrostatics
  EXPECT_FALSE(warned(s, "permittivity"));
  s.materials[0].permittivity = constant(5 / 8.8541878128e-12);
  EXPECT_TRUE(warned(s, "'glass': its permittivity is 5.64705e+11"));
  EXPECT_TRUE(warned(s, "(to 5 if it was divided by"));
}

TEST(EqsProblem, SolversLooserThanStepsAndMeshesAreWarnedOf) {
  // measured: 4 times the tolerance in |E|, in time 20 times in charges
  Simulation s = good();
  const char* loose = "solver.tolerance 0.01 is loose";
  EXPECT_FALSE(warned(s, "loose"));
  s.linear.tolerance = 1e-2;
  EXPECT_TRUE(warned(s, loose));
  EXPECT_TRUE(warned(s, "0.04 in |E| and of 0.2 in charges, beside time.tolerance 0.001"));
  EXPECT_TRUE(warned(s, "set it to 1e-06 or less"));
  s.time.step = 1e-4;
  EXPECT_TRUE(warned(s, loose));
  for (const Analysis a : {Analysis::electrostatic, Analysis::conduction, Analysis::harmonic}) {
    Simulation other = good();
    other.materials[1].conductivity = constant(1e-12);
    other.analysis = a;
    other.linear.tolerance = 1e-2;
    EXPECT_TRUE(warned(other, loose));
    EXPECT_FALSE(warned(other, "in charges"));
    other.linear.tolerance = 2e-4;
    EXPECT_FALSE(warned(other, "loose"));
  }
  s.linear.tolerance = 5e-5;
  EXPECT_FALSE(warned(s, "loose"));
  s.time.step = 0, s.time.tolerance = 1e-4;
  EXPECT_TRUE(warned(s, "solver.tolerance 5e-05 is loose"));
  // implicit stages of curves end by newton.tolerance
  s.materials[0].conductivity = formula("1e-12 * (1 + (E / 1e6)^2)");
  EXPECT_FALSE(warned(s, "solver.tolerance"));
  s.time.step = 1e-4, s.newton.tolerance = 1e-2;
  EXPECT_TRUE(warned(s, "newton.tolerance 0.01 is loose"));
}

TEST(EqsProblem, AToleranceBesideFixedStepsIsWithoutEffect) {
  Simulation s = good();
  s.time.step = 1e-4;
  EXPECT_FALSE(warned(s, "time.tolerance"));
  s.time.tolerance = 1e-4;
  EXPECT_TRUE(warned(s, "without effect: time.tolerance 0.0001"));
}

TEST(EqsProblem, ACutThatIsAGroundElectrodeIsAPlaneOfAntisymmetry) {
  NEEDS_GMSH
  Simulation s = good();
  s.mesh.geometry = umov::test::air(1, 0.5);
  s.mesh.geometry->cut = {"z"};
  s.materials.resize(2);
  s.materials[1].name = "air";
  s.materials.erase(s.materials.begin());
  s.electrodes[0].name = "x_max", s.electrodes[0].groups.clear();
  s.electrodes[1].name = "x_min", s.electrodes[1].groups.clear();
  EXPECT_TRUE(warned(s, "mesh.symmetry does not list 'z'"));
  s.electrodes[0].name = "z_max", s.electrodes[1].name = "symmetry_z";
  EXPECT_FALSE(warned(s, "mesh.symmetry does not list 'z'"));
  s.electrodes[1].name = "plane", s.electrodes[1].groups = {"symmetry_z"};
  EXPECT_FALSE(warned(s, "mesh.symmetry does not list 'z'"));
}

TEST(EqsProblem, CurvesThatOverflowAreRefusedWithAWayOut) {
  Simulation s = good();
  s.materials[0].conductivity = formula("1e-12 * exp(E / 1e5)");
  expect_refused(s, {"conductivity of material 'glass'", "overflows at E = ", "exp(min(E / 1e5, 50))"});
  s.materials[0].conductivity = formula("1e-12 * exp(min(E / 1e5, 50))");
  EXPECT_EQ(refusal(s), "accepted");
}

TEST(EqsProblem, ContrastsBeyondADoubleSayThatNoDigitIsLeft) {
  Simulation s = good();
  s.materials[1].conductivity = constant(1e-12);
  const auto said = [&](const char* kappa, double field) {
    s.materials[0].conductivity = formula(kappa);  // no body: it depends on the field
    EXPECT_FALSE(warned(s, "times differently")) << "fields are not known yet";
    return contrast_warning(make_problem(s), {field, field, field});
  };
  EXPECT_NE(said("1e120 * (1 + (E / 1e6)^2)", 0)
                .find("conduct more than 1e15 times differently: the better ones know it not at all"),
            std::string::npos);
  EXPECT_NE(said("1e4 * (1 + (E / 1e6)^2)", 1e6)
                .find("times differently: the better ones know it to 2e-06 at best"),
            std::string::npos);
  // steep: at 1e6 V/m it would be 1e29 S/m, at the fields that were found 1e-6
  EXPECT_EQ(said("1e-9 + 1e-6 * (E / 1e5)^35", 1e5), "");
  EXPECT_NE(said("1e-9 + 1e-6 * (E / 1e5)^35", 1e6).find("more than 1e15"), std::string::npos);
}

TEST(EqsProblem, PMultigridOfFirstOrderSaysWhatIsTaken) {
  Simulation s = good();
  for (const int order : {1, 2})
    for (const char* kind : {"auto", "amg", "p-multigrid"}) {
      s.mesh.order = order;
      s.linear.preconditioner = kind;
      EXPECT_EQ(warned(s, "without effect: solver.preconditioner"),
                order == 1 && std::string(kind) == "p-multigrid");
    }
}

}  // namespace
}  // namespace umov::eqs::test
