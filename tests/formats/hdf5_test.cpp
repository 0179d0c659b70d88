// The HDF5 file, read back through HDF5's own C interface.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "core/error.hpp"
#include "dda/output/result.hpp"
#include "results/hdf5_parts.hpp"
#include "results/hdf5_writer.hpp"
#include "sample_outcome.hpp"

namespace umov::results {
namespace {

struct Hdf5File : testing::Test {
  std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("umov_hdf5_" + std::to_string(::getpid()));
  std::string path = folder / "result.vtkhdf";
  dda::Outcome outcome = sample_outcome();
  hid_t file = -1;

  void SetUp() override {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  void TearDown() override {
    if (file >= 0) H5Fclose(file);
    std::filesystem::remove_all(folder);
  }
  void write() {
    write_hdf5(to_result(outcome), path);
    file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(file, 0);
  }
  std::vector<hsize_t> shape(const char* name) const {
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
    std::vector<hsize_t> dims(H5Sget_simple_extent_ndims(space));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    H5Sclose(space);
    H5Dclose(data);
    return dims;
  }
  std::vector<double> read(const char* name) const {
    std::size_t count = 1;
    for (const auto n : shape(name)) count *= n;
    std::vector<double> values(count);
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    H5Dclose(data);
    return values;
  }
  template <class T>
  std::vector<T> attribute(const char* object, const char* name, hid_t type) const {
    const hid_t a = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT), space = H5Aget_space(a);
    std::vector<T> values(H5Sget_simple_extent_npoints(space));
    H5Aread(a, type, values.data());
    H5Sclose(space);
    H5Aclose(a);
    return values;
  }
  std::string text(const char* object, const char* name) const {
    const hid_t a = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT), type = H5Aget_type(a);
    std::string value(H5Tget_size(type), '\0');
    H5Aread(a, type, value.data());
    H5Tclose(type);
    H5Aclose(a);
    return value;
  }
};

TEST_F(Hdf5File, TypeIsTheFixedLengthAsciiStringVtkCompares) {
  write();
  const hid_t a = H5Aopen_by_name(file, "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT), type = H5Aget_type(a);
  EXPECT_EQ(H5Tget_class(type), H5T_STRING);
  EXPECT_EQ(H5Tis_variable_str(type), 0);
  EXPECT_EQ(H5Tget_cset(type), H5T_CSET_ASCII);
  EXPECT_EQ(H5Tget_size(type), 9u);
  H5Tclose(type);
  H5Aclose(a);
  EXPECT_EQ(text("VTKHDF", "Type"), "ImageData");
}

TEST_F(Hdf5File, ImageDescribesTheLattice) {
  write();
  EXPECT_EQ(attribute<std::int64_t>("VTKHDF", "Version", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(attribute<std::int64_t>("VTKHDF", "WholeExtent", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{0, 2, 0, 3, 0, 4}));
  EXPECT_EQ(attribute<double>("VTKHDF", "Spacing", H5T_NATIVE_DOUBLE), (std::vector<double>{0.1, 0.2, 0.3}));
  const auto origin = attribute<double>("VTKHDF", "Origin", H5T_NATIVE_DOUBLE);
  const auto first = outcome.particle.position(0, 0, 0);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(origin[c], first[c], 1e-15);
  EXPECT_EQ(attribute<double>("VTKHDF", "Direction", H5T_NATIVE_DOUBLE),
            (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST_F(Hdf5File, FieldsLieOnTheirSitesAndVoidIsZero) {
  write();
  EXPECT_EQ(shape("VTKHDF/PointData/material"), (std::vector<hsize_t>{5, 4, 3}));
  EXPECT_EQ(shape("VTKHDF/PointData/E_X_im"), (std::vector<hsize_t>{5, 4, 3, 3}));
  const auto material = read("VTKHDF/PointData/material");
  const auto p_im = read("VTKHDF/PointData/polarization_Y_im");
  const auto e_re = read("VTKHDF/PointData/E_Y_re");
  const auto squared = read("VTKHDF/PointData/E_Y_squared");
  const auto& pol = outcome.polarizations[0];
  std::size_t dipole = 0;
  for (std::size_t i = 0; i < material.size(); ++i) {
    EXPECT_EQ(material[i], outcome.particle.material[i]);
    const bool occupied = material[i] != 0;
    double expected = 0;
    for (int c = 0; c < 3; ++c) {
      EXPECT_EQ(p_im[3 * i + c], occupied ? pol.polarization[dipole][c].imag() : 0) << "site " << i;
      EXPECT_EQ(e_re[3 * i + c], occupied ? pol.internal_field[dipole][c].real() : 0) << "site " << i;
      if (occupied) expected += std::norm(pol.internal_field[dipole][c]);
    }
    EXPECT_DOUBLE_EQ(squared[i], expected) << "site " << i;
    dipole += occupied;
  }
}

TEST_F(Hdf5File, CurvesComplexNumbersAndProvenanceComeBackExactly) {
  write();
  EXPECT_EQ(read("solver/Y/residual"), outcome.polarizations[0].solve.history);
  EXPECT_EQ(shape("scattering_plane/mueller"), (std::vector<hsize_t>{181, 4, 4}));
  EXPECT_EQ(read("scattering_plane/mueller")[16 * 3 + 15], 315);
  EXPECT_EQ(text("cross_sections/Y/Cext", "unit"), "um^2");
  EXPECT_EQ(text("/", "device"), "test device");
  EXPECT_EQ(text("/", "command_line"), "umov dda --m 1.5");
  EXPECT_EQ(text("/", "settings"), outcome.settings);

  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(cplx));
  H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "i", sizeof(double), H5T_NATIVE_DOUBLE);
  std::vector<cplx> m(6);
  const hid_t data = H5Dopen2(file, "particle/refractive_index", H5P_DEFAULT);
  ASSERT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, m.data()), 0);
  H5Dclose(data);
  H5Tclose(type);
  EXPECT_EQ(m[5], cplx(1.6, 0.2));
}

TEST_F(Hdf5File, FlatParticleGetsAVoidLayerSoThatTheImageStaysSpatial) {
  outcome = sample_outcome({4, 3, 1});
  write();
  EXPECT_EQ(shape("VTKHDF/PointData/E_Y_re"), (std::vector<hsize_t>{2, 3, 4, 3}));
  const auto material = read("VTKHDF/PointData/material");
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(material[i], outcome.particle.material[i]);
    EXPECT_EQ(material[12 + i], 0);
  }
}

TEST_F(Hdf5File, RunWithoutStoredFieldsStillShowsTheShape) {
  for (auto& pol : outcome.polarizations) {
    pol.polarization.clear();
    pol.internal_field.clear();
  }
  write();
  EXPECT_EQ(read("VTKHDF/PointData/material").size(), 60u);
  EXPECT_EQ(H5Lexists(file, "VTKHDF/PointData/E_Y_re", H5P_DEFAULT), 0);
}

TEST_F(Hdf5File, SettingsOfManyMaterialsExceedTheOldAttributeLimit) {
  outcome.simulation.m.resize(255, outcome.simulation.m[0]);
  for (int i = 0; i < 3000; ++i) outcome.machine.command_line += " --m (1.5000000000000,0.1)";
  write();
  EXPECT_EQ(text("/", "command_line"), outcome.machine.command_line);
}

TEST_F(Hdf5File, MissingFolderIsBadInputWithThePath) {
  const std::string absent = folder / "absent" / "result.vtkhdf";
  try {
    write_hdf5(to_result(outcome), absent);
    FAIL() << "written into a folder that is not there";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find(absent), std::string::npos) << e.what();
  }
}

TEST_F(Hdf5File, WhatIsLostWhenADatasetIsClosedIsAFailure) {
  // HDF5 keeps small pieces of a dataset back until it is closed; nothing else is written here.
  using namespace results::hdf5;
  const std::string name = path + ".pieces";
  haddr_t place = 0;
  guarded(name, [&] {
    Id made = create_file(name);
    Id space = space_of({1000});
    Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY));
    Id data(H5Dcreate2(made, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose);
    place = H5Dget_offset(data);
  });
  ASSERT_NE(place, HADDR_UNDEF);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old;
  small.rlim_cur = rlim_t(place);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::vector<double> values(1000, 1.0);
  const auto write_values = [&] {
    guarded(name, [&] {
      Id there(H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
      Id data(H5Dopen2(there, "data", H5P_DEFAULT), H5Dclose);
      check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    });
  };
  EXPECT_THROW(write_values(), MachineFailure);
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_NO_THROW(write_values());
}

TEST_F(Hdf5File, FullDiskLeavesTheOldFileAndNothingElse) {
  write();
  H5Fclose(file);
  file = -1;
  const auto before = std::filesystem::file_size(path);
  // A limit on the size of files stands in for a full disk: writes fail in the same place.
  outcome = sample_outcome({40, 40, 40});
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old;
  small.rlim_cur = 200'000;
  setrlimit(RLIMIT_FSIZE, &small);
  testing::internal::CaptureStderr();
  EXPECT_THROW(write_hdf5(to_result(outcome), path), MachineFailure);
  const auto noise = testing::internal::GetCapturedStderr();
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(noise, "");
  EXPECT_EQ(std::filesystem::file_size(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace umov::results
