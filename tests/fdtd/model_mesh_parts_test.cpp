// Files of several parts: unions, cavities, parts turned inside out, and which are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "core/error.hpp"
#include "fdtd/scene.hpp"
#include "shapes/mesh.hpp"
#include "shapes/mesh_parts.hpp"
#include "support/fdtd_runs.hpp"
#include "support/temp_folder.hpp"

namespace umov::shapes {
namespace {

struct Block {
  Vec3 low, high;
  bool turned = false;  ///< inside out
  int first = 0;        ///< corner that a face's two triangles share with the opposite one
};

/// Triangles of blocks, one block after the other; equal corners are one, as readers leave them.
Mesh blocks(const std::vector<Block>& all) {
  Mesh m;
  const auto corner = [&](const Vec3& p) {
    const auto at = std::ranges::find(m.vertices, p);
    if (at == m.vertices.end()) m.vertices.push_back(p);
    return int(std::ranges::find(m.vertices, p) - m.vertices.begin());
  };
  for (const Block& b : all) {
    std::array<int, 8> v;
    for (int c = 0; c < 8; ++c)
      v[c] = corner(
          {(c & 1 ? b.high : b.low)[0], (c >> 1 & 1 ? b.high : b.low)[1], (c >> 2 & 1 ? b.high : b.low)[2]});
    for (const auto& q : std::vector<std::array<int, 4>>{
             {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
      for (int half = 1; half < 3; ++half) {
        std::array<int, 3> t{v[q[b.first]], v[q[(b.first + half) % 4]], v[q[(b.first + half + 1) % 4]]};
        if (b.turned) std::swap(t[1], t[2]);
        m.triangles.push_back(t);
      }
  }
  return m;
}

/// Every way in which two blocks may be turned and their faces divided.
void for_each_way(std::vector<Block> two, const std::function<void(const std::vector<Block>&)>& f) {
  for (int way = 0; way < 8; ++way) {
    two[0].turned = way & 1, two[1].turned = way & 2, two[1].first = way >> 2;
    SCOPED_TRACE(way);
    f(two);
  }
}

double distance(const Block& b, const Vec3& p) {
  Vec3 out;
  double in = -1e9;
  for (int a = 0; a < 3; ++a) {
    const double off = std::max(b.low[a] - p[a], p[a] - b.high[a]);
    in = std::max(in, off);
    out[a] = std::max(0.0, off);
  }
  return in > 0 ? norm(out) : in;
}

/// Calls f at points at random and at points of a grid, on which edges and faces lie.
void at_points_of_model_mesh_parts(const std::function<void(const Vec3&)>& f) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    Vec3 p{place(random), place(random), place(random)};
    if (i % 4 == 0)
      for (double& x : p) x = std::round(x * 20) / 20;
    f(p);
  }
}

using Distance = std::function<double(const Vec3&)>;

/// The distance itself: what lies within other parts is no surface.
void expect_distance(const Mesh& mesh, const Distance& distance) {
  const auto body = mesh_body(mesh, {}, 1);
  at_points_of_model_mesh_parts([&](const Vec3& p) {
    ASSERT_NEAR(body->probe(p).distance, distance(p), 1e-9) << p[0] << ' ' << p[1] << ' ' << p[2];
  });
}

/// Inside and outside, where the distance is not that simple.
void expect_inside(const Mesh& mesh, const Distance& distance) {
  const auto body = mesh_body(mesh, {}, 1);
  at_points_of_model_mesh_parts([&](const Vec3& p) {
    if (std::fabs(distance(p)) > 1e-9) {
      ASSERT_EQ(body->inside(p), distance(p) < 0) << p[0] << ' ' << p[1] << ' ' << p[2];
    }
  });
}

const Block whole{{-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}};
const Distance of_whole = [](const Vec3& p) { return distance(whole, p); };

TEST(FdtdMeshParts, OverlappingBlocksAreTheirUnion) {
  for_each_way({{{-0.5, -0.4, -0.3}, {0.2, 0.4, 0.3}}, {{-0.1, -0.4, -0.3}, {0.5, 0.4, 0.3}}},
               [](const auto& two) { expect_distance(blocks(two), of_whole); });
}

TEST(FdtdMeshParts, TheFaceBetweenTouchingBlocksIsNoSurface) {
  for_each_way({{{-0.5, -0.4, -0.3}, {0.1, 0.4, 0.3}}, {{0.1, -0.4, -0.3}, {0.5, 0.4, 0.3}}},
               [](const auto& two) { expect_distance(blocks(two), of_whole); });
}

TEST(FdtdMeshParts, BetweenFacesThatNearlyTouchIsInside) {
  for (const double gap : {1e-14, 1e-10, 1e-8, 5e-8})
    for_each_way({{{-0.5, -0.4, -0.3}, {0, 0.4, 0.3}}, {{gap, -0.4, -0.3}, {0.5, 0.4, 0.3}}},
                 [&](const auto& two) {
                   const auto body = mesh_body(blocks(two), {}, 1);
                   for (const double y : {-0.41, -0.3, -0.1, 0.0, 0.2, 0.37, 0.45})
                     for (const double z : {-0.31, -0.2, 0.0, 0.1, 0.29})
                       for (const double x : {0.0, gap / 2, gap}) {
                         const Vec3 p{x, y, z};
                         // a rim may be nearest, whose two edges are `gap` apart
                         EXPECT_NEAR(body->probe(p).distance, of_whole(p), 2 * gap + 1e-9)
                             << gap << ' ' << y << ' ' << z;
                       }
                 });
}

TEST(FdtdMeshParts, ASmallerFaceOnALargerOneHidesItsPartOfIt) {
  const Block wall{{-0.5, -0.4, -0.3}, {0.1, 0.4, 0.3}}, knob{{0.1, -0.2, -0.1}, {0.5, 0.3, 0.2}};
  for_each_way({wall, knob}, [&](const auto& two) {
    const auto body = mesh_body(blocks(two), {}, 1);
    // on the hidden face: the nearest surface is the knob's side, 0.1 off, and inside
    EXPECT_NEAR(body->probe({0.1, 0.1, 0.1}).distance, -0.1, 1e-9);
    EXPECT_NEAR(body->probe({0.1, 0.35, 0}).distance, 0, 1e-9);
    expect_inside(blocks(two), [&](const Vec3& p) { return std::min(distance(wall, p), distance(knob, p)); });
  });
}

TEST(FdtdMeshParts, BlocksThatTouchInAnEdgeOrACornerAreBothThere) {
  const Block one{{-0.5, -0.4, -0.3}, {0.1, 0.4, 0.3}};
  for (const Block& other :
       {Block{{0.1, 0.4, -0.3}, {0.5, 0.8, 0.3}}, Block{{0.1, 0.4, 0.3}, {0.5, 0.8, 0.9}}})
    for_each_way({one, other}, [&](const auto& two) {
      expect_distance(blocks(two),
                      [&](const Vec3& p) { return std::min(distance(one, p), distance(other, p)); });
    });
}

TEST(FdtdMeshParts, ABlockTwiceIsTheBlock) {
  for_each_way({whole, whole}, [](const auto& two) { expect_distance(blocks(two), of_whole); });
}

TEST(FdtdMeshParts, APartWithinAnotherIsACavityWhereItsSenseIsTheOther) {
  const Block inner{{-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}};
  for_each_way({whole, inner}, [&](const auto& two) {
    if (two[0].turned == two[1].turned)
      expect_distance(blocks(two), of_whole);
    else
      expect_inside(blocks(two), [&](const Vec3& p) { return std::max(of_whole(p), -distance(inner, p)); });
  });
}

TEST(FdtdMeshParts, ABodyInACavityIsFilledWhicheverWayItIsTurned) {
  const Block outer{{-0.9, -0.8, -0.8}, {0.8, 0.8, 0.8}}, inner{{-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}};
  Block cavity{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
  for_each_way({outer, inner}, [&](const auto& two) {
    cavity.turned = !two[0].turned;
    expect_inside(blocks({two[0], cavity, two[1]}), [&](const Vec3& p) {
      return std::min(std::max(distance(outer, p), -distance(cavity, p)), distance(inner, p));
    });
  });
}

TEST(FdtdMeshParts, TheOrderOfTrianglesMattersOnlyWherePartsShareEdges) {
  Mesh apart = blocks({{{-0.5, -0.4, -0.3}, {0.2, 0.4, 0.3}, true}, {{-0.1, -0.4, -0.3}, {0.5, 0.4, 0.3}}});
  std::shuffle(apart.triangles.begin(), apart.triangles.end(), std::mt19937(3));
  expect_distance(apart, of_whole);
  Mesh touching =
      blocks({{{-0.5, -0.4, -0.3}, {0.1, 0.4, 0.3}}, {{0.1, -0.4, -0.3}, {0.5, 0.4, 0.3}, false, 1}});
  std::shuffle(touching.triangles.begin(), touching.triangles.end(), std::mt19937(3));
  expect_distance(touching, of_whole);
}

std::string refusal_of_model_mesh_parts(const std::function<void()>& f) {
  try {
    f();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

/// The triangles of both alternating, or in any order.
void mix(Mesh& m, bool shuffled) {
  if (shuffled) return std::shuffle(m.triangles.begin(), m.triangles.end(), std::mt19937(3));
  const auto in_turn = m.triangles;
  for (std::size_t i = 0; i < in_turn.size() / 2; ++i) {
    m.triangles[2 * i] = in_turn[i];
    m.triangles[2 * i + 1] = in_turn[in_turn.size() / 2 + i];
  }
}

TEST(FdtdMeshParts, BlocksThatShareAFaceMayBeMixed) {
  for (const bool shuffled : {false, true})
    for_each_way({{{-0.5, -0.4, -0.3}, {0.1, 0.4, 0.3}}, {{0.1, -0.4, -0.3}, {0.5, 0.4, 0.3}}},
                 [&](const auto& two) {
                   Mesh m = blocks(two);
                   mix(m, shuffled);
                   expect_distance(m, of_whole);
                 });
  // the two sides of the face first, as a row of triangles that closes
  for (const bool turned : {false, true}) {
    Mesh m = blocks({{{-0.5, -0.4, -0.3}, {0.1, 0.4, 0.3}}, {{0.1, -0.4, -0.3}, {0.5, 0.4, 0.3}, turned}});
    std::ranges::stable_partition(m.triangles, [&](const auto& t) {
      return std::ranges::all_of(t, [&](int c) { return m.vertices[c][0] == 0.1; });
    });
    std::swap(m.triangles[1], m.triangles[2]);
    expect_distance(m, of_whole);
  }
  // three in a row, that in the middle turned, and four around an edge
  Mesh row = blocks({{{-0.5, -0.4, -0.3}, {-0.1, 0.4, 0.3}},
                     {{-0.1, -0.4, -0.3}, {0.2, 0.4, 0.3}, true, 1},
                     {{0.2, -0.4, -0.3}, {0.5, 0.4, 0.3}}});
  mix(row, true);
  expect_distance(row, of_whole);
  Mesh four = blocks({{{-0.5, -0.4, -0.3}, {0.1, 0, 0.3}},
                      {{0.1, -0.4, -0.3}, {0.5, 0, 0.3}, true},
                      {{-0.5, 0, -0.3}, {0.1, 0.4, 0.3}, true},
                      {{0.1, 0, -0.3}, {0.5, 0.4, 0.3}}});
  mix(four, true);
  expect_distance(four, of_whole);
}

TEST(FdtdMeshParts, AMixedBlockAmongOthersAllAroundThatIsTurnedIsRefused) {
  std::vector<Block> all;
  for (int n = 0; n < 27; ++n) {
    const Vec3 low{double(n % 3), double(n / 3 % 3), double(n / 9)};
    all.push_back({low, low + Vec3{1, 1, 1}, n == 13});
  }
  Mesh m = blocks(all);
  mix(m, true);
  const std::string text = refusal_of_model_mesh_parts([&] { mesh_body(m, {}, 1); });
  EXPECT_NE(text.find("its "), std::string::npos) << text;
  EXPECT_NE(text.find("write the triangles of each one after the other"), std::string::npos) << text;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string text_stl(const Mesh& m, std::size_t first, std::size_t last, const std::string& name) {
  std::ostringstream out;
  out << "solid " << name << '\n';
  for (std::size_t i = first; i < last; ++i) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const int c : m.triangles[i])
      out << "vertex " << m.vertices[c][0] << ' ' << m.vertices[c][1] << ' ' << m.vertices[c][2] << '\n';
    out << "endloop\nendfacet\n";
  }
  out << "endsolid " << name << '\n';
  return out.str();
}

/// Volumes of material 1 in boxes of a lattice.
std::vector<double> fractions(const fdtd::Simulation& s) {
  const auto scene = fdtd::make_scene(s);
  std::vector<double> out;
  for (int n = 0; n < 1000; ++n) {
    const Vec3 low{-0.5 + 0.1 * (n % 10), -0.5 + 0.1 * (n / 10 % 10), -0.5 + 0.1 * (n / 100)};
    fdtd::Mixture mixture;
    scene->shares(low, low + Vec3{0.1, 0.1, 0.1}, mixture);
    double sum = 0;
    for (const auto& share : mixture) sum += share.material == 1 ? share.fraction : 0;
    out.push_back(sum);
  }
  return out;
}

TEST(FdtdMeshParts, ANarrowGapHasTheVolumeThatItHasBetweenTwoBodies) {
  test::TempFolder folder;
  for (const double gap : {1e-6, 1e-4, 1e-3}) {
    const Block one{{-0.37, -0.3, -0.3}, {0.03, 0.3, 0.3}},
        other{{0.03 + gap, -0.25, -0.2}, {0.36, 0.3, 0.3}};
    fdtd::Simulation s = test::checked_case({2, 2, 2}, 10);
    fdtd::MaterialSpec glass;
    glass.name = "glass";
    glass.index = 1.5;
    s.materials = {glass};
    const auto file = [&](const std::string& name, const std::vector<Block>& all) {
      const Mesh m = blocks(all);
      write(folder / name, text_stl(m, 0, m.triangles.size(), "part"));
      fdtd::BodySpec mesh;
      mesh.shape = "mesh";
      mesh.material = "glass";
      mesh.file = folder / name;
      return mesh;
    };
    s.bodies = {file("both.stl", {one, other})};
    const auto got = fractions(s);
    s.bodies = {file("one.stl", {one}), file("other.stl", {other})};
    const auto wanted = fractions(s);
    double volume = 0;
    for (std::size_t n = 0; n < got.size(); ++n) {
      EXPECT_NEAR(got[n], wanted[n], 1e-9) << gap << ' ' << n;
      volume += got[n];
    }
    // of cells at edges 3e-4 are lost or gained; the gap was taken for up to an eighth of each of 33 cells
    EXPECT_NEAR(volume, 1000 * (0.4 * 0.6 * 0.6 + (0.33 - gap) * 0.55 * 0.5), 0.05) << gap;
  }
}

TEST(FdtdMeshParts, WhatMeetsOrLiesWithinIsOnePiece) {
  const Block one{{-0.5, -0.4, -0.3}, {0.1, 0.4, 0.3}}, inner{{-0.2, -0.2, -0.2}, {0, 0.2, 0.2}, true};
  const auto pieces = [&](const Block& other) { return mesh_bodies(blocks({one, other}), {}, 1).size(); };
  EXPECT_EQ(pieces(inner), 1u);                                 // a cavity
  EXPECT_EQ(pieces({{0, -0.4, -0.3}, {0.5, 0.4, 0.3}}), 1u);    // overlaps
  EXPECT_EQ(pieces({{0.1, -0.2, -0.3}, {0.5, 0.4, 0.3}}), 1u);  // touches
  EXPECT_EQ(pieces({{0.1001, -0.2, -0.3}, {0.5, 0.4, 0.3}}), 2u);
  EXPECT_EQ(pieces({{0.1, 0.4, 0.3}, {0.5, 0.8, 0.9}}), 2u);  // in a corner
}

/// A globe of radius 1 around (x, 0, 0).
void add_globe(Mesh& m, double x, int rings) {
  const int around = 2 * rings, first = int(m.vertices.size());
  for (int r = 0; r <= rings; ++r)
    for (int i = 0; i < around; ++i) {
      const double t = pi * r / rings, p = 2 * pi * i / around;
      m.vertices.push_back({x + std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)});
    }
  // one vertex each at the poles
  const auto at = [&](int r, int i) { return first + r * around + (r == 0 || r == rings ? 0 : i % around); };
  for (int r = 0; r < rings; ++r)
    for (int i = 0; i < around; ++i) {
      if (r < rings - 1) m.triangles.push_back({at(r, i), at(r + 1, i), at(r + 1, i + 1)});
      if (r > 0) m.triangles.push_back({at(r, i), at(r + 1, i + 1), at(r, i + 1)});
    }
}

TEST(FdtdMeshParts, SpheresThatOverlapHaveTheDistanceToTheirOuterSurface) {
  Mesh m;
  add_globe(m, -0.5, 24);
  add_globe(m, 0.5, 24);
  const auto body = mesh_body(m, {}, 1);
  // Chords of 1/24 of half a turn lie within the sphere by at most r (1 - cos(pi / 48)) (1 + 1) = 4.3e-3.
  const double rim = std::sqrt(0.75);  // of the circle in which they meet
  EXPECT_NEAR(body->probe({0, 0, 0}).distance, -rim, 5e-3);
  EXPECT_NEAR(body->probe({0.3, 0, 0}).distance, -std::hypot(0.3, rim), 5e-3);
  EXPECT_NEAR(body->probe({0, 0, 1}).distance, std::hypot(1, 0.5) - 1, 5e-3);
  EXPECT_NEAR(body->probe({-1, 0, 0}).distance, -0.5, 5e-3);
  // within one part, on the surface of the other, which is hidden: 0 before
  EXPECT_LT(body->probe({0.45, 0.2, 0}).distance, -0.5);
}

TEST(FdtdMeshParts, AnOpenPartIsRefusedByName) {
  Mesh m = blocks({whole, {{1, 1, 1}, {2, 2, 2}}});
  m.groups = {"housing", "lid"};
  for (std::size_t i = 0; i < m.triangles.size(); ++i) m.group.push_back(i < 12 ? 0 : 1);
  m.triangles.erase(m.triangles.begin() + 15);
  m.group.erase(m.group.begin() + 15);
  const std::string text = refusal_of_model_mesh_parts([&] { mesh_body(m, {}, 2); });
  EXPECT_NE(text.find("its part 2 of 2 ('lid', 11 triangles around (1.5, 1.5, 1.5)) has 3 open edges"),
            std::string::npos)
      << text;
}

TEST(FdtdMeshParts, SolidsAndGroupsOfAFileAreParts) {
  const test::TempFolder folder;
  const std::vector<Block> two{{{-0.5, -0.4, -0.3}, {0.1, 0.4, 0.3}},
                               {{0.1, -0.4, -0.3}, {0.5, 0.4, 0.3}, true, 1}};
  const Mesh m = blocks(two);
  write(folder / "two.stl", text_stl(m, 0, 12, "left half") + text_stl(m, 12, 24, "right"));
  const Mesh stl = read_mesh(folder / "two.stl");
  EXPECT_EQ(stl.groups, (std::vector<std::string>{"left half", "right"}));
  EXPECT_EQ(stl.group[11], 0);
  EXPECT_EQ(stl.group[12], 1);
  expect_distance(stl, of_whole);
  std::ostringstream obj;
  for (const auto& v : m.vertices) obj << "v " << v[0] << ' ' << v[1] << ' ' << v[2] << '\n';
  for (std::size_t i = 0; i < 24; ++i) {
    if (i % 12 == 0) obj << (i == 0 ? "o left\n" : "g right lower\n");
    obj << "f " << m.triangles[i][0] + 1 << ' ' << m.triangles[i][1] + 1 << ' ' << m.triangles[i][2] + 1
        << '\n';
  }
  write(folder / "two.obj", obj.str());
  expect_distance(read_mesh(folder / "two.obj"), of_whole);
  EXPECT_EQ(read_mesh(folder / "two.obj").groups.back(), "right lower");
}

TEST(FdtdMeshParts, FilesInCapitalsAndContinuedLinesAreRead) {
  const test::TempFolder folder;
  std::string text = text_stl(blocks({whole}), 0, 12, "a");
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  write(folder / "BLOCK.STL", text);
  expect_distance(read_mesh(folder / "BLOCK.STL"), of_whole);
  const Mesh m = blocks({whole});
  std::ostringstream obj;
  obj << "# a comment does not go on \\\n";
  for (const auto& v : m.vertices) obj << "v " << v[0] << " \\\n" << v[1] << "\\\r\n " << v[2] << "\r\n";
  for (const auto& t : m.triangles)
    obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << " \\\n  " << t[2] + 1 << '\n';
  write(folder / "BLOCK.OBJ", obj.str());
  expect_distance(read_mesh(folder / "BLOCK.OBJ"), of_whole);
  write(folder / "end.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n 9 \\");
  EXPECT_NE(refusal_of_model_mesh_parts([&] {
              read_mesh(folder / "end.obj");
            }).find("end.obj:5: '9' is not a vertex"),
            std::string::npos);
}

}  // namespace
}  // namespace umov::shapes
