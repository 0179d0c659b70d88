// What a user is told about a .msh file that cannot be used.
#include <gtest/gtest.h>

#include "mesh/gmsh_file.hpp"
#include "support/mesh_facts.hpp"
#include "support/msh_files.hpp"
#include "support/temp_folder.hpp"

namespace umov {
namespace {

using test::says;
using test::with;

struct GmshDamage : testing::Test {
  test::TempFolder folder;
  std::string refused(const std::string& bytes) {
    return test::refusal([&] { mesh::read_gmsh(test::saved(folder / "m.msh", bytes)); });
  }
};

TEST_F(GmshDamage, FilesThatAreNoMesh) {
  EXPECT_TRUE(says(test::refusal([&] { mesh::read_gmsh(folder / "none.msh"); }), "none.msh: cannot be read"));
  EXPECT_TRUE(says(test::refusal([&] { mesh::read_gmsh(folder.path.string()); }), "it is a folder"));
  for (const char* text : {"", "solid cube\nfacet", "Box(1) = {0,0,0,1,1,1};",
                           "\x7f"
                           "ELF",
                           "$Nodes\n5\n"})
    EXPECT_TRUE(says(refused(text), "m.msh: not a Gmsh mesh (it does not begin with $MeshFormat)")) << text;
}

TEST_F(GmshDamage, VersionsThatAreNotRead) {
  EXPECT_TRUE(says(refused("$NOD\n4\n"), "m.msh:1: MSH version 1 (2.0 to 2.2 and 4.1 are read); save it as"));
  EXPECT_TRUE(
      says(refused(with(test::pair_4_text(), "4.1 0", "4 0")), "m.msh:2: MSH version 4.0 (2.0 to 2.2"));
  EXPECT_TRUE(says(refused(with(test::pair_4_text(), "4.1 0", "3 0")), "MSH version 3.0"));
  EXPECT_TRUE(
      says(refused(with(test::pair_4_text(), "4.1 0 8", "4.1 0")), "m.msh:2: the line ends where the size"));
  EXPECT_TRUE(says(refused(with(test::pair_4_text(), "4.1 0 8", "4.1 7 8")), "file type 7"));
  std::string bytes = test::pair_4_binary();
  bytes[bytes.find("8\n") + 2] = 5;
  EXPECT_TRUE(says(refused(bytes), "neither byte order fits"));
}

/// The sign of a tag says how an entity is turned; -2^31 has no opposite (undefined behaviour once).
TEST_F(GmshDamage, ATagWithoutOpposite) {
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "4 2 4 1", "4 2 -2147483648 1")),
                   "m.msh:22: -2147483648 where an element's group is expected (it has no opposite"));
  EXPECT_TRUE(says(refused(with(test::pair_4_text(), "1 1 1 1 4 1 3", "1 1 1 1 -2147483648 1 3")),
                   "-2147483648 where a tag is expected"));
  EXPECT_EQ(refused(with(test::pair_4_text(), "1 1 1 1 4 1 3", "1 1 1 1 -4 1 -3")), "(no error)");
}

/// Cut anywhere, a file is refused; never read in part, never a crash.
TEST_F(GmshDamage, CutOffFiles) {
  for (const std::string& whole :
       {test::pair_2_text(), test::pair_2_binary(), test::pair_4_text(), test::pair_4_binary()}) {
    const std::size_t last = whole.rfind("$EndElements");
    for (std::size_t size = 0; size < last + 12; ++size)
      EXPECT_NE(refused(whole.substr(0, size)), "(no error)") << size << " of " << whole.size();
  }
  EXPECT_TRUE(says(refused(test::pair_2_text().substr(0, 150)),
                   "the file ends within $Nodes after 150 bytes (it is "
                   "cut off); copy or save the mesh again"));
}

/// Any damaged byte of a binary file gives a mesh or a refusal, never a crash or an endless allocation.
TEST_F(GmshDamage, AnyByteOfABinaryFile) {
  for (const std::string& whole : {test::pair_2_binary(), test::pair_4_binary()})
    for (std::size_t i = 0; i < whole.size(); ++i)
      for (const char fresh : {'\0', '\x7f', '\xff'}) {
        std::string bytes = whole;
        bytes[i] = fresh;
        EXPECT_NO_THROW(refused(bytes));
      }
}

TEST_F(GmshDamage, CoordinatesThatAreNotFinite) {
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "3 0 1 0", "3 0 nan 0")),
                   "m.msh:14: node 3 is at (0, nan, 0) (a coordinate is not a finite number)"));
  EXPECT_TRUE(
      says(refused(with(test::pair_4_text(), "0 0 1\n1 1 1", "0 0 inf\n1 1 1")), "node 4 is at (0, 0, inf)"));
  EXPECT_TRUE(says(refused(with(test::pair_4_text(), "0 0 1\n1 1 1", "0 0 1e999\n1 1 1")), "(0, 0, inf)"));
  const double nan = NAN;
  std::string bytes = test::pair_2_binary();
  bytes.replace(bytes.find("$Nodes\n5\n") + 9 + 4, 8, reinterpret_cast<const char*>(&nan), 8);
  EXPECT_TRUE(says(refused(bytes), "byte "));
  EXPECT_TRUE(says(refused(bytes), "node 1 is at (nan, 0, 0)"));
}

TEST_F(GmshDamage, LinesThatAreNoNumbers) {
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "3 0 1 0", "3 0 1,5 0")),
                   "m.msh:14: '1,5' where a node's y is expected (in $Nodes)"));
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "3 0 1 0", "3 0 1")),
                   "m.msh:14: the line ends where a node's z is expected (a number is missing)"));
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "1 2 3 4\n4 4", "1 2 3\n4 4")),
                   "m.msh:22: the line ends where an element's node is expected"));
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "3 4 \"air\"", "3 4 air")),
                   "m.msh:7: '3 4 air' is no name of a group"));
}

TEST_F(GmshDamage, CountsThatDoNotFit) {
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "$Nodes\n5", "$Nodes\n4")),
                   "m.msh:16: more in $Nodes than its head announces"));
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "$Nodes\n5", "$Nodes\n6")),
                   "'$EndNodes' where a node's number"));
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "$Nodes\n5", "$Nodes\n-5")), "-5 nodes"));
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "$Nodes\n5", "$Nodes\n5000000000")),
                   "m.msh:11: 5000000000 nodes announced, but the file ends"));
  EXPECT_TRUE(
      says(refused(with(test::pair_4_text(), "2 5 1 5", "2 4 1 5")), "a block of 2 nodes, 1 of 4 are left"));
}

TEST_F(GmshDamage, NodesThatDoNotExistOrExistTwice) {
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "2 3 4 5", "2 3 4 6")),
                   "m.msh:23: element 4 has node 6 (there is none among the 5 of the file)"));
  EXPECT_TRUE(says(refused(with(test::pair_4_text(), "4 2 3 4 5", "4 2 3 4 -5")), "element 4 has node -5"));
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "5 1 1 1", "4 1 1 1")), "node 4 is there twice"));
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "5 1 1 1", "900000 1 1 1")), "element 4 has node 5"));
  const std::string text = test::pair_2_text();
  const std::size_t nodes = text.find("$Nodes"), elements = text.find("$Elements");
  EXPECT_TRUE(
      says(refused(text.substr(0, nodes) + text.substr(elements) + text.substr(nodes, elements - nodes)),
           "$Elements without $Nodes before them"));
}

TEST_F(GmshDamage, MeshesWithoutTetrahedra) {
  EXPECT_TRUE(
      says(refused("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"), "no tetrahedra of order 1 or 2, but nothing"));
  std::string text = with(test::pair_2_text(), "3 4 2 4 1 1 2 3 4\n4 4 2 7 2 2 3 4 5\n",
                          "3 5 2 4 1 1 2 3 4 5 1 2 3\n4 6 2 7 2 2 3 4 5 1 2\n");
  EXPECT_TRUE(says(refused(text),
                   "no tetrahedra of order 1 or 2, but 1 hexahedra, 1 prisms, 1 points, 1 triangles, 5 "
                   "nodes (fields are computed on tetrahedra); mesh the volumes: gmsh -3"));
}

TEST_F(GmshDamage, OtherElementsThatWouldLeaveHoles) {
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "4 4 2 7 2 2 3 4 5", "4 7 2 7 2 1 2 3 4 5")),
                   "m.msh: 1 pyramids, the first in volume 2 (fields are computed on tetrahedra"));
  EXPECT_TRUE(says(refused(with(test::pair_2_text(), "2 2 2 9 3 1 2 3", "2 3 2 9 3 1 2 3 4")),
                   "1 quadrangles, the first in surface 3"));
  EXPECT_EQ(refused(with(test::pair_2_text(), "2 2 2 9 3 1 2 3", "2 3 2 0 3 1 2 3 4")), "(no error)")
      << "a surface without a name is not looked at";
}

TEST_F(GmshDamage, VolumesWithoutAGroup) {
  EXPECT_TRUE(says(
      refused(with(test::pair_2_text(), "4 4 2 7 2", "4 4 2 0 2")),
      "m.msh: volume 2 is in no physical group (materials are found by the group); add Physical "
      "Volume(\"NAME\") = {2}; to the geometry and mesh again; if it is there, save with Mesh.SaveAll = 0"));
  EXPECT_TRUE(
      says(refused(with(test::pair_4_text(), "1 7 1 -3", "0 1 -3")), "volume 2 is in no physical group"));
  std::string text = test::pair_4_text();
  const std::size_t begin = text.find("$Entities"), end = text.find("$Nodes");
  EXPECT_TRUE(
      says(refused(text.erase(begin, end - begin)), "volume 1 and 1 others are in no physical group"));
}

TEST_F(GmshDamage, AVolumeInTwoGroups) {
  EXPECT_TRUE(
      says(refused(with(test::pair_4_text(), "1 7 1 -3", "2 4 7 1 -3")),
           "m.msh: volume 2 is in 2 physical groups: 'air', 'oil gap' (an element has one material)"));
  // Version 2 writes such an element once per group, which the check of the mesh finds.
  const std::string text = with(test::pair_2_text(), "1 15 2 0 1 1", "1 4 2 4 2 2 3 4 5");
  EXPECT_TRUE(
      says(test::refusal([&] {
             mesh::TetMesh m = mesh::read_gmsh(test::saved(folder / "m.msh", text));
             check(m);
           }),
           "tetrahedron 3 of volume 'oil gap' at (0.5, 0.5, 0.5) m has the nodes of tetrahedron 1 of volume "
           "'air'"));
}

TEST_F(GmshDamage, BinaryElementsOfUnknownType) {
  std::string bytes = test::pair_4_binary();
  const std::int32_t unknown = 140;
  const std::size_t at = bytes.find("$Elements\n") + 10 + 32 + 8;
  bytes.replace(at, 4, reinterpret_cast<const char*>(&unknown), 4);
  EXPECT_TRUE(says(refused(bytes),
                   "elements of type 140 (their number of nodes is not known); save the mesh as text"));
}

TEST_F(GmshDamage, UnitsThatAreNotPositive) {
  for (const double unit : {0.0, -1.0, double(NAN)})
    EXPECT_TRUE(
        says(test::refusal([&] { mesh::read_gmsh(folder / "m.msh", unit); }), "(a unit is positive)"));
}

}  // namespace
}  // namespace umov
