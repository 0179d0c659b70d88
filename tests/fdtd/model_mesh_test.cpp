// Triangle meshes as bodies: against analytic ones, in every format, and what is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>

#include "core/error.hpp"
#include "shapes/mesh.hpp"
#include "support/temp_folder.hpp"

namespace umov::shapes {
namespace {

/// The unit cube around 0, outward.
Mesh cube() {
  Mesh m;
  for (int c = 0; c < 8; ++c) m.vertices.push_back({(c & 1) - 0.5, (c >> 1 & 1) - 0.5, (c >> 2 & 1) - 0.5});
  for (const auto& q : std::vector<std::array<int, 4>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    m.triangles.push_back({q[0], q[1], q[2]});
    m.triangles.push_back({q[0], q[2], q[3]});
  }
  return m;
}

/// A sphere of radius 1 by latitude and longitude.
Mesh globe(int rings) {
  Mesh m;
  const int around = 2 * rings;
  m.vertices.push_back({0, 0, 1});
  for (int r = 1; r < rings; ++r)
    for (int i = 0; i < around; ++i) {
      const double t = pi * r / rings, p = 2 * pi * i / around;
      m.vertices.push_back({std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)});
    }
  m.vertices.push_back({0, 0, -1});
  const int last = int(m.vertices.size()) - 1;
  const auto at = [&](int r, int i) { return 1 + (r - 1) * around + i % around; };
  for (int i = 0; i < around; ++i) {
    m.triangles.push_back({0, at(1, i), at(1, i + 1)});
    m.triangles.push_back({last, at(rings - 1, i + 1), at(rings - 1, i)});
    for (int r = 1; r < rings - 1; ++r) {
      m.triangles.push_back({at(r, i), at(r + 1, i), at(r + 1, i + 1)});
      m.triangles.push_back({at(r, i), at(r + 1, i + 1), at(r, i + 1)});
    }
  }
  return m;
}

/// Signed distance to the unit cube.
double cube_distance(const Vec3& p) {
  Vec3 out;
  double in = -1;
  for (int a = 0; a < 3; ++a) {
    in = std::max(in, std::fabs(p[a]) - 0.5);
    out[a] = std::max(0.0, std::fabs(p[a]) - 0.5);
  }
  return in > 0 ? norm(out) : in;
}

void expect_cube(const Body& body) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-1, 1);
  for (int i = 0; i < 3000; ++i) {
    const Vec3 p{place(random), place(random), place(random)};
    ASSERT_NEAR(body.probe(p).distance, cube_distance(p), 1e-7);
  }
}

void write_stl(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string text_stl(const Mesh& m) {
  std::ostringstream out;
  out << "solid cube\n";
  for (const auto& t : m.triangles) {
    out << " facet normal 0 0 0\n  outer loop\n";
    for (int c : t)
      out << "   vertex " << m.vertices[c][0] << ' ' << m.vertices[c][1] << ' ' << m.vertices[c][2] << '\n';
    out << "  endloop\n endfacet\n";
  }
  out << "endsolid cube\n";
  return out.str();
}

std::string binary_stl(const Mesh& m) {
  std::string bytes(80, ' ');
  bytes.replace(0, 5, "solid");  // some programs begin binary files like text ones
  const std::uint32_t count = std::uint32_t(m.triangles.size());
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  for (const auto& t : m.triangles) {
    std::array<float, 12> x{};
    for (int i = 0; i < 9; ++i) x[3 + i] = float(m.vertices[t[i / 3]][i % 3]);
    bytes.append(reinterpret_cast<const char*>(x.data()), 48);
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string refusal_of_model_mesh(const std::function<void()>& f) {
  try {
    f();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FdtdMesh, CubeHasTheCubesDistanceEverywhere) { expect_cube(*mesh_body(cube(), {}, 1)); }

TEST(FdtdMesh, InwardTrianglesGiveTheSameBody) {
  Mesh m = cube();
  for (auto& t : m.triangles) std::swap(t[0], t[1]);
  expect_cube(*mesh_body(std::move(m), {}, 1));
}

TEST(FdtdMesh, GlobeConvergesToTheSphere) {
  const auto body = mesh_body(globe(48), {}, 2);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-3, 3);
  // Chords of 1/48 of half a turn lie at most r (1 - cos(pi / 96)) sqrt(2) within the sphere: 1.5e-3.
  for (int i = 0; i < 3000; ++i) {
    const Vec3 p{place(random), place(random), place(random)};
    ASSERT_NEAR(body->probe(p).distance, norm(p) - 2, 2.2e-3);
  }
  const auto n = body->probe({1.2, 1.2, 1.1}).gradient;
  EXPECT_NEAR(dot(n, Vec3{1.2, 1.2, 1.1}) / norm({1.2, 1.2, 1.1}), 1, 2e-3);
}

TEST(FdtdMesh, IsReadFromEveryFormat) {
  const test::TempFolder folder;
  write_stl(folder / "text.stl", text_stl(cube()));
  write_stl(folder / "binary.stl", binary_stl(cube()));
  // Quadrilaterals, texture indices, negative indices.
  std::ostringstream obj;
  obj << "# cube\no cube\n";
  for (const auto& v : cube().vertices) obj << "v " << v[0] << ' ' << v[1] << ' ' << v[2] << "\n";
  obj << "f 1 3 4 2\nf 5/1 6/1 8/1 7/1\nf 1//1 2//1 6//1 5//1\nf 3 7 8 4\nf -8 -4 -2 -6\nf 2 4 8 6\n";
  write_stl(folder / "cube.obj", obj.str());
  for (const char* name : {"text.stl", "binary.stl", "cube.obj"}) {
    SCOPED_TRACE(name);
    const Mesh m = read_mesh(folder / name);
    EXPECT_EQ(m.vertices.size(), 8u);
    EXPECT_EQ(m.triangles.size(), 12u);
    expect_cube(*mesh_body(m, {}, 1));
  }
}

TEST(FdtdMesh, OpenAndInconsistentSurfacesAreRefused) {
  Mesh open = cube();
  open.triangles.pop_back();
  EXPECT_NE(refusal_of_model_mesh([&] { mesh_body(open, {}, 1); }).find("3 open edges"), std::string::npos);
  Mesh turned = cube();
  std::swap(turned.triangles[4][0], turned.triangles[4][1]);
  EXPECT_NE(refusal_of_model_mesh([&] { mesh_body(turned, {}, 1); }).find("inconsistent"), std::string::npos);
  EXPECT_NE(refusal_of_model_mesh([&] { mesh_body(cube(), {}, 0); }).find("scale is 0"), std::string::npos);
}

TEST(FdtdMesh, BadFilesAreRefusedByNameAndLine) {
  const test::TempFolder folder;
  EXPECT_NE(refusal_of_model_mesh([&] { read_mesh(folder / "none.stl"); }).find("none.stl: cannot be read"),
            std::string::npos);
  write_stl(folder / "noise.stl", "hello");
  EXPECT_NE(refusal_of_model_mesh([&] { read_mesh(folder / "noise.stl"); }).find("not a mesh"),
            std::string::npos);
  write_stl(folder / "cut.stl", binary_stl(cube()).substr(0, 300));
  EXPECT_NE(refusal_of_model_mesh([&] { read_mesh(folder / "cut.stl"); }).find("not a mesh"),
            std::string::npos);
  write_stl(folder / "word.stl", "solid\nfacet\nvertex 1 2 x\n");
  EXPECT_NE(refusal_of_model_mesh([&] { read_mesh(folder / "word.stl"); }).find("word.stl:3"),
            std::string::npos);
  write_stl(folder / "face.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n");
  EXPECT_NE(
      refusal_of_model_mesh([&] { read_mesh(folder / "face.obj"); }).find("face.obj:3: '9' is not a vertex"),
      std::string::npos);
}

}  // namespace
}  // namespace umov::shapes
