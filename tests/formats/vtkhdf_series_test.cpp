// The fields over time as ParaView reads them: the layout of VTKHDF 2.0, read back with HDF5.
#include "eqs/output/vtkhdf_series.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <numeric>

#include "core/error.hpp"
#include "support/temp_folder.hpp"

namespace {

using namespace umov;

/// Two tetrahedra on one face, of two materials.
eqs::Problem two_tets(int order) {
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

class Vtkhdf : public testing::TestWithParam<int> {
 protected:
  Vtkhdf() : problem_(two_tets(GetParam())) {}

  std::vector<double> potential(int step) const {
    std::vector<double> u(std::size_t(problem_.nodes));
    std::iota(u.begin(), u.end(), 100.0 * step);
    return u;
  }
  static std::vector<float> field(int step) { return {1.f * step, 0, 0, 0, 2.f * step, 0}; }
  void write(int from, int to, bool finish) const {
    eqs::VtkhdfSeries series(path_);
    series.begin(problem_, times_, std::size_t(from));
    for (int k = from; k < to; ++k) series.frame(std::size_t(k), potential(k).data(), field(k));
    if (finish)
      series.finish();
    else
      series.keep();
  }

  template <class T>
  std::vector<T> read(const std::string& name, hid_t type, std::vector<hsize_t> shape) const {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, ("VTKHDF/" + name).c_str(), H5P_DEFAULT);
    EXPECT_GE(data, 0) << name;
    const hid_t space = H5Dget_space(data);
    std::vector<hsize_t> found(std::size_t(std::max(0, H5Sget_simple_extent_ndims(space))));
    H5Sget_simple_extent_dims(space, found.data(), nullptr);
    EXPECT_EQ(found, shape) << name;
    std::vector<T> values(std::accumulate(found.begin(), found.end(), std::size_t(1), std::multiplies<>()));
    EXPECT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
    return values;
  }
  std::vector<long> integers(const std::string& name, std::vector<hsize_t> shape) const {
    return read<long>(name, H5T_NATIVE_LONG, shape);
  }
  std::vector<long> attribute(const std::string& where, const char* name) const {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, where.c_str(), H5P_DEFAULT);
    const hid_t a = H5Aopen(group, name, H5P_DEFAULT);
    const hid_t space = H5Aget_space(a);
    std::vector<long> values(std::size_t(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Aread(a, H5T_NATIVE_LONG, values.data()), 0) << name;
    H5Sclose(space);
    H5Aclose(a);
    H5Gclose(group);
    H5Fclose(file);
    return values;
  }

  test::TempFolder folder_;
  std::string path_ = folder_ / "fields.vtkhdf";
  eqs::Problem problem_;
  std::vector<double> times_{0, 0.25, 1};
};

TEST_P(Vtkhdf, HasTheMeshOnceAndEveryStepsValues) {
  write(0, 3, true);
  const std::size_t points = std::size_t(problem_.nodes), corners = GetParam() == 2 ? 10 : 4;
  EXPECT_EQ(attribute("VTKHDF", "Version"), (std::vector<long>{2, 0}));
  EXPECT_EQ(integers("NumberOfPoints", {1}), std::vector<long>{long(points)});
  EXPECT_EQ(integers("NumberOfCells", {1}), std::vector<long>{2});
  EXPECT_EQ(integers("NumberOfConnectivityIds", {1}), std::vector<long>{long(2 * corners)});
  EXPECT_EQ(integers("Offsets", {3}), (std::vector<long>{0, long(corners), long(2 * corners)}));
  EXPECT_EQ(integers("Types", {2}), std::vector<long>(2, GetParam() == 2 ? 24 : 10));
  EXPECT_EQ(integers("CellData/material", {2}), (std::vector<long>{1, 0}));
  const auto connectivity = integers("Connectivity", {2 * corners});
  const auto x = read<double>("Points", H5T_NATIVE_DOUBLE, {points, 3});
  // VTK's quadratic tetrahedron has the middles of its edges in the order 01, 12, 02, 03, 13, 23.
  for (std::size_t cell = 0; cell < 2 && corners == 10; ++cell)
    for (int e = 0; e < 6; ++e)
      for (int a = 0; a < 3; ++a) {
        const auto at = [&](std::size_t k) {
          return x[std::size_t(3 * connectivity[10 * cell + k]) + std::size_t(a)];
        };
        EXPECT_EQ(at(std::size_t(4 + e)),
                  0.5 * (at(std::size_t(mesh::tet_edges[e][0])) + at(std::size_t(mesh::tet_edges[e][1]))));
      }
  EXPECT_EQ(attribute("VTKHDF/Steps", "NSteps"), std::vector<long>{3});
  EXPECT_EQ(read<double>("Steps/Values", H5T_NATIVE_DOUBLE, {3}), times_);
  const std::vector<long> zeros(3, 0);
  EXPECT_EQ(integers("Steps/PartOffsets", {3}), zeros);
  EXPECT_EQ(integers("Steps/NumberOfParts", {3}), std::vector<long>(3, 1));
  EXPECT_EQ(integers("Steps/PointOffsets", {3}), zeros);
  EXPECT_EQ(integers("Steps/CellOffsets", {3, 1}), zeros);
  EXPECT_EQ(integers("Steps/ConnectivityIdOffsets", {3, 1}), zeros);
  EXPECT_EQ(integers("Steps/CellDataOffsets/material", {3}), zeros);
  EXPECT_EQ(integers("Steps/PointDataOffsets/electrode", {3}), zeros);
  const auto electrode = integers("PointData/electrode", {points});
  for (std::size_t i = 0; i < points; ++i) EXPECT_EQ(electrode[i], i == 4 ? 0 : -1);
  const auto point_offsets = integers("Steps/PointDataOffsets/potential", {3});
  const auto cell_offsets = integers("Steps/CellDataOffsets/E", {3});
  const auto u = read<float>("PointData/potential", H5T_NATIVE_FLOAT, {3 * points});
  const auto e = read<float>("CellData/E", H5T_NATIVE_FLOAT, {6, 3});
  EXPECT_EQ(integers("Steps/CellDataOffsets/loss", {3}), cell_offsets);
  // kappa |E|^2 with E = k and 2 k.
  const auto loss = read<float>("CellData/loss", H5T_NATIVE_FLOAT, {6});
  for (int k = 0; k < 3; ++k) {
    EXPECT_FLOAT_EQ(loss[std::size_t(2 * k)], float(3 * k * k));
    EXPECT_FLOAT_EQ(loss[std::size_t(2 * k + 1)], float(0.5 * 4 * k * k));
  }
  for (int k = 0; k < 3; ++k) {
    const auto wanted = potential(k);
    for (std::size_t i = 0; i < points; ++i)
      EXPECT_EQ(u[std::size_t(point_offsets[k]) + i], float(wanted[i]));
    const auto f = field(k);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(e[3 * std::size_t(cell_offsets[k]) + i], f[i]);
  }
}

TEST_P(Vtkhdf, AContinuedFileIsTheSameAsOneWrittenAtOnce) {
  write(0, 3, true);
  const auto whole = read<float>("PointData/potential", H5T_NATIVE_FLOAT, {3 * hsize_t(problem_.nodes)});
  std::filesystem::remove(path_);
  write(0, 2, false);
  EXPECT_FALSE(std::filesystem::exists(path_));
  write(1, 3, true);  // the state that is resumed may be older than the last frame
  EXPECT_EQ(read<float>("PointData/potential", H5T_NATIVE_FLOAT, {3 * hsize_t(problem_.nodes)}), whole);
  EXPECT_EQ(attribute("VTKHDF/Steps", "NSteps"), std::vector<long>{3});
}

TEST_P(Vtkhdf, NothingRemainsOfAFileThatWasGivenUp) {
  {
    eqs::VtkhdfSeries series(path_);
    series.begin(problem_, times_, 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path));
}

TEST_P(Vtkhdf, RefusesToContinueWhatIsNotThere) {
  eqs::VtkhdfSeries series(path_);
  EXPECT_THROW(series.begin(problem_, times_, 1), BadInput);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

INSTANTIATE_TEST_SUITE_P(Orders, Vtkhdf, testing::Values(1, 2));

}  // namespace
