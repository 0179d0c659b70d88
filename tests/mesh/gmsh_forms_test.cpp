// Every form of a .msh file gives the same mesh.
#include <gtest/gtest.h>

#include <cstdlib>

#include "mesh/geometry.hpp"
#include "mesh/gmsh_file.hpp"
#include "support/mesh_facts.hpp"
#include "support/msh_files.hpp"
#include "support/temp_folder.hpp"

namespace umov {
namespace {

using mesh::read_gmsh;
using mesh::TetMesh;

void expect_pair(const TetMesh& m) {
  EXPECT_EQ(m.nodes, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}));
  EXPECT_EQ(m.tets, (std::vector<mesh::Tet>{{0, 1, 2, 3}, {1, 2, 3, 4}}));
  EXPECT_EQ(m.triangles, (std::vector<mesh::Tri>{{0, 1, 2}}));
  ASSERT_EQ(m.volumes.size(), 2u);
  EXPECT_EQ(m.volumes[0].name, "air");
  EXPECT_EQ(m.volumes[0].tag, 4);
  EXPECT_EQ(m.volumes[1].name, "oil gap");
  EXPECT_EQ(m.volumes[1].tag, 7);
  ASSERT_EQ(m.surfaces.size(), 1u);
  EXPECT_EQ(m.surfaces[0].name, "plate");
  EXPECT_EQ(m.tet_group, (std::vector<int>{0, 1}));
  EXPECT_EQ(m.triangle_group, (std::vector<int>{0}));
  EXPECT_FALSE(m.second_order);
  EXPECT_TRUE(m.warnings.empty());
}

struct Folder : testing::Test {
  test::TempFolder folder;
  TetMesh read(const std::string& bytes, double scale = 1) {
    return read_gmsh(test::saved(folder / "m.msh", bytes), scale);
  }
};
using GmshForms = Folder;

TEST_F(GmshForms, TextAndBinaryOfBothVersionsAndByteOrdersAreOneMesh) {
  for (const std::string& bytes : {test::pair_2_text(), test::pair_2_binary(), test::pair_2_binary(true),
                                   test::pair_4_text(), test::pair_4_binary(), test::pair_4_binary(true)})
    expect_pair(read(bytes));
}

TEST_F(GmshForms, WindowsLineEndsAndCommentsAreRead) {
  for (std::string text : {test::pair_2_text(), test::pair_4_text()}) {
    text.insert(0, "$Comments\nfirst\n$EndComments\n");
    text.insert(text.find("$Nodes"), "$Comments\nmade by $hand\n$EndComments\n");
    std::string windows;
    for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
    expect_pair(read(windows));
  }
}

TEST_F(GmshForms, UnknownSectionsAreSkippedInBinaryToo) {
  const std::string post =
      "$NodeData\n1\n\"x\"\n0\n\x01\x02$End\n\xff\n$EndNodeData\n$Parametrizations\n$EndParametrizations\n";
  expect_pair(read(test::pair_2_text() + post));
  expect_pair(read(test::pair_4_binary() + post));
}

TEST_F(GmshForms, NumbersMayBeFarApartAndUnordered) {
  std::string text = test::pair_2_text();
  text = test::with(text, "5 1 1 1", "4000000000 1 1 1");
  text = test::with(text, "2 3 4 5", "2 3 4 4000000000");
  text = test::with(text, "1 0 0 0\n2 1 0 0\n", "2 1 0 0\n1 0 0 0\n");
  const TetMesh m = read(text);
  EXPECT_EQ(m.nodes[m.tets[1][3]], (Vec3{1, 1, 1}));
  EXPECT_EQ(m.nodes[m.tets[0][0]], (Vec3{0, 0, 0}));
  EXPECT_EQ(m.nodes[m.tets[0][1]], (Vec3{1, 0, 0}));
}

TEST_F(GmshForms, NumbersAreReadInEveryNotation) {
  std::string text = test::with(test::pair_2_text(), "5 1 1 1", "5 +1.0E+0 10e-1 1e-400");
  EXPECT_EQ(read(text).nodes[4], (Vec3{1, 1, 0}));
}

TEST_F(GmshForms, LengthsAreScaled) {
  EXPECT_EQ(read(test::pair_4_text(), 1e-3).nodes[4], (Vec3{1e-3, 1e-3, 1e-3}));
}

TEST_F(GmshForms, ASurfaceInTwoGroupsIsThereTwice) {
  std::string text = test::with(test::pair_4_text(), "1 9 0\n", "2 9 -8 0\n");
  for (const TetMesh& m :
       {read(text), read(test::with(test::with(test::pair_2_text(), "1 15 2 0 1 1", "1 2 2 8 3 1 2 3"),
                                    "plate", "plate"))}) {
    EXPECT_EQ(m.triangles.size(), 2u);
    ASSERT_EQ(m.surfaces.size(), 2u);
    EXPECT_EQ(m.surfaces[0].name, "8") << "without a name it goes by its number";
    EXPECT_EQ(m.surfaces[1].name, "plate");
    EXPECT_NE(m.triangle_group[0], m.triangle_group[1]);
  }
}

TEST_F(GmshForms, TrianglesInNoGroupAndUnusedNodesAreLeftOut) {
  std::string text = test::with(test::pair_4_text(), "1 9 0\n", "0 0\n");
  text = test::with(text, "2 5 1 5", "3 6 1 6");
  text = test::with(text, "2 3 0 3\n", "0 1 0 1\n6\n9 9 9\n2 3 0 3\n");
  const TetMesh m = read(text);
  EXPECT_TRUE(m.triangles.empty());
  EXPECT_TRUE(m.surfaces.empty());
  EXPECT_EQ(m.nodes.size(), 5u);
}

TEST_F(GmshForms, PartitionedEntitiesKeepTheirGroups) {
  std::string text = test::pair_4_text();
  text.insert(
      text.find("$Nodes"),
      "$PartitionedEntities\n2\n0\n0 0 0 1\n12 3 2 1 1 0 0 0 1 1 1 1 7 1 3\n$EndPartitionedEntities\n");
  expect_pair(read(test::with(text, "3 2 4 1\n4 2 3 4 5", "3 12 4 1\n4 2 3 4 5")));
}

TEST_F(GmshForms, FacesBetweenPartitionsOfAVolumeAreInNoGroup) {
  // entity 12 of dimension 2 lies between parts of volume 1 and bears its number, 4; so does the plate here
  const auto text = [](const char* parent) {
    std::string t = test::with(test::pair_4_text(), "2 9 \"plate\"", "2 4 \"plate\"");
    t = test::with(test::with(t, "1 9 0\n", "1 4 0\n"), "4 4 1 4\n0 1 15 1", "5 5 1 5\n0 1 15 1");
    t = test::with(t, "4 2 3 4 5\n$End", "4 2 3 4 5\n2 12 2 1\n5 2 3 4\n$End");
    return t.insert(t.find("$Nodes"), std::string("$PartitionedEntities\n2\n0\n0 0 1 0\n12 ") + parent +
                                          " 2 1 2 0 0 0 1 1 1 1 4 0\n$EndPartitionedEntities\n");
  };
  const TetMesh m = read(text("3 1"));
  EXPECT_EQ(m.triangles, (std::vector<mesh::Tri>{{0, 1, 2}}));
  EXPECT_EQ(m.volumes[0].tag, 4);
  EXPECT_EQ(read(text("2 3")).triangles.size(), 2u) << "a part of the user's surface stays one";
}

TEST_F(GmshForms, PeriodicSurfacesAreToldToBeOrdinaryOnes) {
  for (const std::string& bytes : {test::pair_2_text(), test::pair_4_binary()}) {
    const TetMesh m = read(bytes + "$Periodic\n1\n2 3 3\n0\n1\n1 2\n$EndPeriodic\n");
    ASSERT_EQ(m.warnings.size(), 1u);
    EXPECT_NE(m.warnings[0].find("$Periodic is not used"), std::string::npos) << m.warnings[0];
  }
}

TEST_F(GmshForms, ParametricNodesAreRead) {
  expect_pair(read(test::with(test::pair_4_text(), "2 3 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n",
                              "2 3 1 3\n1\n2\n3\n0 0 0 .1 .2\n1 0 0 .3 .4\n0 1 0 .5 .6\n")));
}

/// Middles of the edges 01, 12, 02, 03, 23, 13 of a tetrahedron.
std::string ten_nodes(const std::string& sixth) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n5 1 0 0\n6 1 "
         "1 0\n"
         "7 0 1 0\n8 0 0 1\n9 0 1 1\n10 " +
         sixth +
         "\n$EndNodes\n$Elements\n2\n1 9 2 3 1 1 2 3 5 6 7\n2 11 2 5 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
}

TEST_F(GmshForms, SecondOrderElementsKeepTheirCorners) {
  const TetMesh m = read(ten_nodes("1 0 1"));
  EXPECT_TRUE(m.second_order);
  EXPECT_EQ(m.nodes, (std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}}));
  EXPECT_EQ(m.triangles.size(), 1u);
  EXPECT_EQ(m.volumes[0].name, "5");
  EXPECT_TRUE(m.warnings.empty());
}

TEST_F(GmshForms, CurvedEdgesAreReported) {
  TetMesh m = read(ten_nodes("1 0 1.5"));
  ASSERT_EQ(m.warnings.size(), 1u);
  // Off by 0.5 on an edge of sqrt(8).
  EXPECT_TRUE(
      test::says(m.warnings[0], "1 of 1 second-order tetrahedra have curved edges, by up to 0.18 of their"));
  EXPECT_TRUE(test::says(m.warnings[0], "(edges are straightened here); make a finer mesh"));
  EXPECT_EQ(check(m).warnings.size(), 1u);
}

TEST_F(GmshForms, WhatIsWrittenReadsBackTheSame) {
  mesh::Geometry g;
  g.name = "sphere";
  g.kind = "spherical";
  g.inner_radius = 0.1;
  g.angle = 37;
  g.layers = {{"layer one", 0.01, 2, 1}, {"gas", 0.3, 2, 3}};
  g.elements_across = 3;
  const TetMesh m = build_mesh(g);
  for (const char* version : {"2.2", "4.1"}) {
    write_gmsh(m, folder / "w.msh", version);
    const TetMesh back = read_gmsh(folder / "w.msh");
    EXPECT_EQ(back.nodes, m.nodes) << "the shortest text that reads back to the same number";
    EXPECT_EQ(back.triangles, m.triangles);
    EXPECT_EQ(back.triangle_group, m.triangle_group);
    ASSERT_EQ(back.tets.size(), m.tets.size());
    for (const char* region : {"layer one", "gas"})
      EXPECT_DOUBLE_EQ(test::volume(back, region), test::volume(m, region)) << version;
  }
  EXPECT_TRUE(
      test::says(test::refusal([&] { write_gmsh(m, folder / "w.msh", "3"); }), "cannot be written as MSH 3"));
}

/// Gmsh itself: a ball in a box, both versions, text and binary, both orders, and three partitions.
TEST_F(GmshForms, FilesOfGmshAreRead) {
  if (std::system("gmsh --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "gmsh is not installed";
  test::saved(folder / "ball.geo",
              "SetFactory(\"OpenCASCADE\");\nBox(1) = {0,0,0,1,1,1};\nSphere(2) = {0.5,0.5,0.5,0.3};\n"
              "BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n"
              "Physical Volume(\"ball\") = {2};\nPhysical Volume(\"air\") = {3};\n"
              "low() = Surface In BoundingBox{-0.1,-0.1,-0.01,1.1,1.1,0.01};\n"
              "Physical Surface(\"low\") = low();\nPhysical Surface(\"low too\", 77) = low();\n"
              "Mesh.MeshSizeMax = 0.25;\n");
  double ball = 0;
  std::size_t elements = 0;
  for (const char* form : {"-format msh41", "-format msh41 -bin", "-format msh22", "-format msh22 -bin",
                           "-format msh41 -order 2", "-format msh41 -order 2 -bin", "-format msh22 -order 2",
                           "-format msh22 -order 2 -bin", "-format msh41 -part 3",
                           "-format msh41 -part 3 -bin", "-format msh22 -part 3"}) {
    const std::string command = "cd '" + folder.path.string() + "' && gmsh -3 ball.geo -nt 1 " + form +
                                " -o ball.msh > gmsh.log 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << form;
    TetMesh m = read_gmsh(folder / "ball.msh");
    EXPECT_NEAR(check(m).volume, 1, 1e-12) << form;
    EXPECT_EQ(test::euler(m), 1) << form;
    EXPECT_NEAR(test::area(m, "low"), 1, 1e-12) << form;
    EXPECT_NEAR(test::area(m, "low too"), 1, 1e-12) << form;
    EXPECT_EQ(m.second_order, std::string(form).find("order") != std::string::npos);
    if (elements == 0) {
      elements = m.tets.size();
      ball = test::volume(m, "ball");
      EXPECT_NEAR(ball, 4 * pi / 3 * 0.027, 0.2 * ball) << "chords of 0.25 on a radius of 0.3";
    }
    EXPECT_EQ(m.tets.size(), elements) << form;
    EXPECT_NEAR(test::volume(m, "ball"), ball, 1e-12) << form;
  }
}

/// Groups of volumes and surfaces are numbered apart, and the same number may stand for both.
TEST_F(GmshForms, PartitionsOfGmshAddNoSurface) {
  if (std::system("gmsh --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "gmsh is not installed";
  test::saved(folder / "slab.geo",
              "SetFactory(\"OpenCASCADE\");\nBox(1) = {0,0,0,2,1,1};\nBox(2) = {0,0,1,2,1,1};\nCoherence;\n"
              "Physical Volume(\"below\", 1) = {1};\nPhysical Volume(\"above\", 2) = {2};\n"
              "Physical Surface(\"between\", 1) = Surface In BoundingBox{-.1,-.1,.9,2.1,1.1,1.1};\n"
              "Physical Surface(\"top\", 2) = Surface In BoundingBox{-.1,-.1,1.9,2.1,1.1,2.1};\n"
              "Mesh.MeshSizeMax = 0.5;\n");
  for (const char* form : {"", "-part 2", "-part 5", "-part 2 -bin", "-part 5 -order 2"}) {
    const std::string command = "cd '" + folder.path.string() + "' && gmsh -3 slab.geo -nt 1 -format msh41 " +
                                form + " -o slab.msh > gmsh.log 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << form;
    TetMesh m = read_gmsh(folder / "slab.msh");
    EXPECT_EQ(m.surfaces.size(), 2u) << form;
    EXPECT_NEAR(test::area(m, "between"), 2, 1e-12) << form;
    EXPECT_NEAR(test::area(m, "top"), 2, 1e-12) << form;
    EXPECT_NEAR(test::volume(m, "below"), 2, 1e-12) << form;
  }
}

/// And Gmsh reads what is written here.
TEST_F(GmshForms, GmshReadsWhatIsWritten) {
  if (std::system("gmsh --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "gmsh is not installed";
  const TetMesh m = read(test::pair_2_text());
  for (const char* version : {"2.2", "4.1"}) {
    write_gmsh(m, folder / "w.msh", version);
    const std::string command = "cd '" + folder.path.string() +
                                "' && gmsh w.msh -save -format msh41 -bin -o back.msh > gmsh.log 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0);
    expect_pair(read_gmsh(folder / "back.msh"));
  }
}

}  // namespace
}  // namespace umov
