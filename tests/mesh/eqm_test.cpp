#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "mesh/eqm_file.hpp"
#include "support/mesh_facts.hpp"
#include "support/places.hpp"
#include "support/temp_folder.hpp"

namespace umov {
namespace {

using mesh::TetMesh;
using test::says;

template <class T>
void put(std::string& out, std::initializer_list<T> list) {
  for (const T x : list) out.append(reinterpret_cast<const char*>(&x), sizeof x);
}

std::string two_elements() {
  std::string bytes = "EQM1    ";
  put<std::int64_t>(bytes, {5, 2, 1, 1});
  put<double>(bytes, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1});
  put<std::int32_t>(bytes, {0, 1, 2, 3, 1, 2, 3, 4});
  put<std::uint8_t>(bytes, {3, 1});
  put<std::int32_t>(bytes, {0, 1, 2, 2, 3, 4});
  return bytes;
}

std::string saved(const test::TempFolder& folder, const std::string& bytes) {
  std::ofstream(folder / "m.eqm", std::ios::binary) << bytes;
  return folder / "m.eqm";
}

TEST(Eqm, IsReadWithItsGroups) {
  const test::TempFolder folder;
  TetMesh m = mesh::read_eqm(saved(folder, two_elements()));
  EXPECT_NEAR(test::volume(m, "housing"), 1.0 / 6, 1e-16);
  EXPECT_NEAR(test::volume(m, "rod"), 1.0 / 3, 1e-16);
  EXPECT_NEAR(test::area(m, "low"), 0.5, 1e-16);
  EXPECT_EQ(m.surfaces[m.triangle_group[1]].name, "high");
  EXPECT_NO_THROW(mesh::check(m));
}

TEST(Eqm, DamageIsNamed) {
  const test::TempFolder folder;
  const auto refused = [&](const std::string& bytes) {
    return test::refusal([&] { mesh::read_eqm(saved(folder, bytes)); });
  };
  std::string bytes = two_elements();
  EXPECT_TRUE(says(refused(bytes.substr(0, bytes.size() - 1)), "m.eqm: cut off"));
  EXPECT_TRUE(says(refused("\xFD"
                           "7zXZ"),
                   "not an EQM1 file (it begins otherwise); unpack it with xz -d first"));
  bytes[8 + 32 + 120] = 9;
  EXPECT_TRUE(says(refused(bytes), "tetrahedra name node 9 (there are 5)"));
  bytes = two_elements();
  bytes[8 + 32 + 120 + 32] = 4;
  EXPECT_TRUE(says(refused(bytes), "material 4"));
  bytes = two_elements();
  bytes[8 + 7] = 0x40;
  EXPECT_TRUE(says(refused(bytes), "31 bits are the most"));
  EXPECT_TRUE(says(test::refusal([&] { mesh::read_eqm(folder / "none"); }), "cannot be read"));
}

/// The published rod: its counts, and those of its refinement, which are the rivals' numbers of unknowns plus
/// the electrodes' nodes.
TEST(Eqm, TheRodHasItsPublishedCounts) {
  const std::string packed = test::reference("eqs/rod.eqm.xz");
  if (!test::has_reference("eqs/rod.eqm.xz")) GTEST_SKIP() << "the mesh (7.6 MB) is not kept with the tests";
  const test::TempFolder folder;
  if (std::system(("xz -dc '" + packed + "' > '" + folder / "rod.eqm" + "' 2>&-").c_str()) != 0)
    GTEST_SKIP() << "no xz";
  TetMesh m = mesh::read_eqm(folder / "rod.eqm");
  EXPECT_EQ(m.nodes.size(), 201436u);
  EXPECT_EQ(m.tets.size(), 1220761u);
  const mesh::MeshReport r = mesh::check(m);
  EXPECT_EQ(m.nodes.size(), 201436u) << "all of them are used";
  EXPECT_NEAR(r.high[2] - r.low[2], 1.9, 1e-9);

  const TetMesh fine = mesh::refine(m);
  std::vector<char> fixed(fine.nodes.size(), 0);
  for (const mesh::Tri& t : fine.triangles)
    for (const int n : t) fixed[n] = 1;
  EXPECT_EQ(std::count(fixed.begin(), fixed.end(), 0), 1596514);
}

}  // namespace
}  // namespace umov
