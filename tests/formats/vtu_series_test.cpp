// The fields over time as VTK's XML files: their layout, read back byte by
// byte.
#include "eqs/output/vtu_series.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include "core/error.hpp"
#include "support/temp_folder.hpp"

namespace {

using namespace umov;
namespace fs = std::filesystem;

/// Two tetrahedra on one face, of two materials.
eqs::Problem vtu_tets(int order) {
  eqs::Problem p;
  p.order = order;
  p.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  p.mesh.tets = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  if (order == 2) p.edges = mesh::find_edges(p.mesh);
  p.nodes = int(p.mesh.nodes.size() + p.edges.ends.size());
  p.material = {1, 0};
  p.node_electrode.assign(std::size_t(p.nodes), -1);
  p.node_electrode[4] = 0;
  p.electrodes.resize(1);
  p.electrodes[0].name = "high";
  p.materials = {{"oil", {}, {}}, {"board", {}, {}}};
  p.materials[0].conductivity.value = 0.5;
  p.materials[1].conductivity.value = 3;
  return p;
}

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

class Vtu : public testing::TestWithParam<int> {
 protected:
  Vtu() : problem_(vtu_tets(GetParam())) {}

  std::vector<double> potential(int step) const {
    std::vector<double> u(std::size_t(problem_.nodes));
    std::iota(u.begin(), u.end(), 100.0 * step);
    return u;
  }
  static std::vector<float> field(int step) { return {1.f * step, 0, 0, 0, 2.f * step, 0}; }
  void write(int from, int to, bool finish) const {
    eqs::VtuSeries series(stem_);
    series.begin(problem_, times_, std::size_t(from));
    for (int k = from; k < to; ++k) series.frame(std::size_t(k), potential(k).data(), field(k));
    if (finish)
      series.finish();
    else
      series.keep();
  }
  std::string file(int step) const { return stem_ + "-000" + std::to_string(step) + ".vtu"; }

  /// An array by its name, found as a reader does: offset after the underscore,
  /// length before the bytes.
  template <class T>
  std::vector<T> array(int step, const std::string& type, const std::string& name) const {
    const std::string all = text_of(file(step)),
                      head = "<DataArray type=\"" + type + "\" Name=\"" + name + "\"";
    const auto at = all.find(head), begin = all.find("<AppendedData encoding=\"raw\">\n_");
    EXPECT_NE(at, std::string::npos) << head;
    EXPECT_NE(begin, std::string::npos);
    const auto offset = all.find("offset=\"", at) + 8;
    const char* from = all.data() + begin + std::strlen("<AppendedData encoding=\"raw\">\n_") +
                       std::stoul(all.substr(offset, 12));
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, sizeof bytes);
    std::vector<T> out(bytes / sizeof(T));
    std::memcpy(out.data(), from + sizeof bytes, bytes);
    return out;
  }

  test::TempFolder folder_;
  std::string stem_ = folder_ / "fields";
  eqs::Problem problem_;
  std::vector<double> times_{0, 0.25, 1};
};

TEST_P(Vtu, HasAFileForEveryTimeAndAListOfThem) {
  write(0, 3, true);
  const std::string list = text_of(stem_ + ".pvd");
  EXPECT_NE(list.find("<DataSet timestep=\"0.25\" part=\"0\" file=\"fields-0001.vtu\"/>"), std::string::npos)
      << list;
  const std::size_t corners = GetParam() == 2 ? 10 : 4;
  for (int k = 0; k < 3; ++k) {
    const auto u = potential(k);
    EXPECT_EQ(array<float>(k, "Float32", "potential"), std::vector<float>(u.begin(), u.end()));
    EXPECT_EQ(array<float>(k, "Float32", "E"), field(k));
    // kappa |E|^2 with E = k and 2 k
    EXPECT_EQ(array<float>(k, "Float32", "loss"), (std::vector<float>{3.f * k * k, 2.f * k * k}));
    EXPECT_EQ(array<std::int32_t>(k, "Int32", "electrode"), problem_.node_electrode);
    EXPECT_EQ(array<std::int32_t>(k, "Int32", "material"), problem_.material);
    EXPECT_EQ(array<std::int64_t>(k, "Int64", "offsets"),
              (std::vector<std::int64_t>{std::int64_t(corners), std::int64_t(2 * corners)}));
    EXPECT_EQ(array<std::uint8_t>(k, "UInt8", "types"),
              std::vector<std::uint8_t>(2, corners == 10 ? 24 : 10));
    const auto x = array<double>(k, "Float64", "Points");
    ASSERT_EQ(x.size(), 3 * std::size_t(problem_.nodes));
    for (std::size_t n = 0; n < problem_.mesh.nodes.size(); ++n)
      for (std::size_t a = 0; a < 3; ++a) EXPECT_EQ(x[3 * n + a], problem_.mesh.nodes[n][a]);
    const auto cells = array<std::int32_t>(k, "Int32", "connectivity");
    ASSERT_EQ(cells.size(), 2 * corners);
    for (std::size_t c = 0; c < cells.size(); ++c)
      EXPECT_EQ(cells[c], problem_.node(int(c / corners), int(c % corners)));
  }
}

TEST_P(Vtu, AnInterruptedRunGoesOnWithItsFrames) {
  write(0, 3, true);
  const std::string whole = text_of(file(1)), list = text_of(stem_ + ".pvd");
  fs::remove_all(folder_.path / "fields.pvd");
  for (int k = 0; k < 3; ++k) fs::remove(file(k));
  write(0, 2, false);
  EXPECT_TRUE(fs::exists(file(1) + ".part"));
  EXPECT_FALSE(fs::exists(file(1))) << "a file is complete or absent";
  write(2, 3, true);
  EXPECT_EQ(text_of(file(1)), whole);
  EXPECT_EQ(text_of(stem_ + ".pvd"), list);
  EXPECT_FALSE(fs::exists(file(2) + ".part"));
}

TEST_P(Vtu, FramesThatAreGoneOrCutShortAreRefused) {
  write(0, 2, false);
  fs::resize_file(file(1) + ".part", 100);
  EXPECT_THROW(write(2, 3, true), BadInput);
  EXPECT_FALSE(fs::exists(stem_ + ".pvd"));
}

TEST_P(Vtu, ARunThatFailedLeavesNothing) {
  {
    eqs::VtuSeries series(stem_);
    series.begin(problem_, times_, 0);
    series.frame(0, potential(0).data(), field(0));
  }
  EXPECT_TRUE(fs::is_empty(folder_.path));
}

INSTANTIATE_TEST_SUITE_P(Orders, Vtu, testing::Values(1, 2));

}  // namespace
