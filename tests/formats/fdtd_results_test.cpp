// HDF5 and CSV of a time-domain run, read back: values, units, places, and what is left out.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/output/results.hpp"
#include "fdtd_sample.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

namespace fs = std::filesystem;

/// One open HDF5 file.
struct File {
  hid_t id;
  explicit File(const std::string& path) : id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    EXPECT_GE(id, 0) << path;
  }
  ~File() { H5Fclose(id); }
  bool has(const std::string& name) const {
    std::string part;
    for (const auto& piece : split(name, '/')) {
      part += part.empty() ? piece : "/" + piece;
      if (H5Lexists(id, part.c_str(), H5P_DEFAULT) <= 0) return false;
    }
    return true;
  }
  std::vector<hsize_t> shape(const std::string& name) const {
    const hid_t data = H5Dopen2(id, name.c_str(), H5P_DEFAULT), space = H5Dget_space(data);
    std::vector<hsize_t> dims(H5Sget_simple_extent_ndims(space));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    H5Sclose(space);
    H5Dclose(data);
    return dims;
  }
  std::vector<double> read(const std::string& name) const {
    std::size_t count = 1;
    for (const auto n : shape(name)) count *= n;
    std::vector<double> values(count);
    const hid_t data = H5Dopen2(id, name.c_str(), H5P_DEFAULT);
    EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    H5Dclose(data);
    return values;
  }
  std::size_t bytes_per_value(const std::string& name) const {
    const hid_t data = H5Dopen2(id, name.c_str(), H5P_DEFAULT), type = H5Dget_type(data);
    const std::size_t size = H5Tget_size(type);
    H5Tclose(type);
    H5Dclose(data);
    return size;
  }
  std::string text(const std::string& object, const char* name) const {
    const hid_t a = H5Aopen_by_name(id, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT),
                type = H5Aget_type(a);
    std::string value(H5Tget_size(type), '\0');
    H5Aread(a, type, value.data());
    H5Tclose(type);
    H5Aclose(a);
    return value;
  }
  std::vector<double> numbers(const char* name) const {
    const hid_t a = H5Aopen_by_name(id, "VTKHDF", name, H5P_DEFAULT, H5P_DEFAULT), space = H5Aget_space(a);
    std::vector<double> values(H5Sget_simple_extent_npoints(space));
    H5Aread(a, H5T_NATIVE_DOUBLE, values.data());
    H5Sclose(space);
    H5Aclose(a);
    return values;
  }
};

/// Header and rows of a CSV file without quotes or comments.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  explicit Table(const std::string& path) {
    std::ifstream in(path);
    EXPECT_TRUE(in.good()) << path;
    for (std::string line; std::getline(in, line);) {
      if (line[0] == '#') continue;
      (header.empty() ? header : rows.emplace_back()) = split(line, ',');
    }
  }
  double number(std::size_t row, const std::string& column) const {
    const auto at = std::find(header.begin(), header.end(), column);
    EXPECT_NE(at, header.end()) << column;
    return parse_number(rows.at(row).at(std::size_t(at - header.begin()))).value();
  }
};

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

/// Without pictures: what is under test here is quick.
Outcome data_only(Mode mode, Int3 cells) {
  auto o = sample_fdtd(mode, cells);
  o.simulation.outputs.pictures = false;
  return o;
}

TEST(FdtdHdf5, SeriesSpectraAndProvenanceComeBackExactlyWithTheirUnits) {
  const test::TempFolder folder;
  const auto o = data_only(Mode::tm, {20, 16, 1});
  fdtd::write_results(o, folder.path);
  const File file(folder / "results.vtkhdf");
  EXPECT_EQ(file.read("series/probe/value"), o.of<SeriesResult>()[0].value);
  EXPECT_EQ(file.read("series/probe/time"), o.of<SeriesResult>()[0].time);
  EXPECT_EQ(file.text("series/probe/time", "unit"), "unit/c");
  EXPECT_EQ(file.read("flux/behind/flux"), o.of<FluxResult>()[1].flux);
  EXPECT_EQ(file.text("flux/behind/flux", "unit"), "unit (unit/c)^2");
  EXPECT_EQ(file.text("flux/behind/frequency", "unit"), "c/unit");
  EXPECT_EQ(file.shape("far_field/outside/intensity"), (std::vector<hsize_t>{2, 360}));
  EXPECT_EQ(file.read("resonances/probe/quality"), (std::vector<double>{81.5, 42.3}));
  EXPECT_EQ(file.text("/", "device"), "test device");
  EXPECT_EQ(file.text("/", "command_line"), "umov fdtd ring.png");
  EXPECT_NE(file.text("/", "notes").find("25 cells per wavelength"), std::string::npos);
}

TEST(FdtdHdf5, ReflectionAndTransmissionAreQuotientsByTheReference) {
  const test::TempFolder folder;
  const auto o = data_only(Mode::tm, {20, 16, 1});
  fdtd::write_results(o, folder.path);
  const File file(folder / "results.vtkhdf");
  const auto r = file.read("flux/front/R"), t = file.read("flux/behind/T");
  for (std::size_t i = 0; i < r.size(); ++i) {
    EXPECT_EQ(r[i], -o.of<FluxResult>()[0].scattered[i] / o.of<FluxResult>()[0].reference[i]);
    EXPECT_EQ(t[i], o.of<FluxResult>()[1].flux[i] / o.of<FluxResult>()[1].reference[i]);
    EXPECT_NEAR(r[i] + t[i], 1, 1e-12);  // the sample loses nothing
  }
}

TEST(FdtdHdf5, FieldsLieOnTheNodesAndFlatOnesInTwoEqualLayers) {
  const test::TempFolder folder;
  const auto o = data_only(Mode::tm, {20, 16, 1});
  fdtd::write_results(o, folder.path);
  const File file(folder / "results.vtkhdf");
  ASSERT_EQ(file.shape("VTKHDF/PointData/Ez"), (std::vector<hsize_t>{2, 16, 20}));
  const auto ez = file.read("VTKHDF/PointData/Ez"), eps = file.read("VTKHDF/PointData/permittivity");
  for (std::size_t i = 0; i < 320; ++i) {
    EXPECT_EQ(ez[i], o.final_fields[0].second.real[i]);
    EXPECT_EQ(ez[320 + i], ez[i]);
    EXPECT_EQ(eps[i], o.permittivity.real[i]);
  }
  EXPECT_EQ(file.numbers("Spacing"), (std::vector<double>{0.05, 0.05, 0.05}));
  const auto origin = file.numbers("Origin");
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(origin[a], o.grid.origin[a], 1e-15);
  EXPECT_EQ(file.text("VTKHDF", "Type"), "ImageData");
}

TEST(FdtdHdf5, FieldsAreFloatsWhereTheRunWasAndDoublesWhereNot) {
  const test::TempFolder folder;
  auto o = data_only(Mode::tm, {20, 16, 1});
  for (const auto& [precision, bytes] : {std::pair(Precision::single_, 4u), {Precision::double_, 8u}}) {
    o.simulation.precision = precision;
    fdtd::write_results(o, folder.path);
    EXPECT_EQ(File(folder / "results.vtkhdf").bytes_per_value("VTKHDF/PointData/Ez"), bytes);
    EXPECT_EQ(File(folder / "fourier-steady.vtkhdf").bytes_per_value("VTKHDF/PointData/Ez_1_im"), bytes);
  }
}

TEST(FdtdHdf5, PermittivityOnACoarserGridIsSpreadOverTheCells) {
  const test::TempFolder folder;
  auto o = data_only(Mode::tm, {20, 16, 1});
  o.permittivity.size = {5, 4, 1};
  o.permittivity.real.resize(20);
  for (int i = 0; i < 20; ++i) o.permittivity.real[i] = 1 + i;
  fdtd::write_results(o, folder.path);
  const auto eps = File(folder / "results.vtkhdf").read("VTKHDF/PointData/permittivity");
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i < 20; ++i) EXPECT_EQ(eps[j * 20 + i], 1 + (j / 4) * 5 + i / 4);
}

TEST(FdtdHdf5, FourierMonitorsAreImagesOfTheirRegion) {
  const test::TempFolder folder;
  auto o = data_only(Mode::tm, {20, 16, 1});
  o.simulation.precision = Precision::double_;
  fdtd::write_results(o, folder.path);
  const File file(folder / "fourier-steady.vtkhdf");
  const auto& f = o.of<FourierResult>()[0];
  ASSERT_EQ(file.shape("VTKHDF/PointData/Ez_1_re"), (std::vector<hsize_t>{2, 8, 12}));
  const auto re = file.read("VTKHDF/PointData/Ez_1_re"), im = file.read("VTKHDF/PointData/Ez_1_im"),
             size = file.read("VTKHDF/PointData/Ez_1_abs"),
             squared = file.read("VTKHDF/PointData/E_1_squared");
  for (std::size_t i = 0; i < 96; ++i) {
    const cplx v = f.values[0][96 + i];
    EXPECT_EQ(re[i], v.real());
    EXPECT_EQ(im[i], v.imag());
    EXPECT_EQ(size[i], std::abs(v));
    EXPECT_EQ(squared[i], std::norm(v));
  }
  EXPECT_NEAR(file.numbers("Origin")[0], f.origin[0], 1e-15);
  EXPECT_NE(file.text("VTKHDF/PointData/Ez_1_re", "description").find("0.1758"), std::string::npos);
}

TEST(FdtdHdf5, MiddlePlanesOfThreeDimensionsAreImagesAtTheirPlace) {
  const test::TempFolder folder;
  const auto o = data_only(Mode::full, {12, 10, 8});
  fdtd::write_results(o, folder.path);
  EXPECT_EQ(File(folder / "results.vtkhdf").shape("VTKHDF/PointData/permittivity"),
            (std::vector<hsize_t>{8, 10, 12}));
  const std::vector<hsize_t> shapes[] = {{8, 10, 2}, {8, 2, 12}, {2, 10, 12}};
  for (int axis = 0; axis < 3; ++axis) {
    const File file(folder / (std::string("plane-") + "xyz"[axis] + ".vtkhdf"));
    ASSERT_EQ(file.shape("VTKHDF/PointData/Ez"), shapes[axis]);
    EXPECT_NEAR(file.numbers("Origin")[axis], 0, 1e-15);
    const auto values = file.read("VTKHDF/PointData/Ez");
    const auto& block = o.final_fields[axis].second;
    for (int k = 0; k < 8; ++k)
      for (int j = 0; j < 10; ++j)
        for (int i = 0; i < 12; ++i) {
          const Int3 n{axis == 0 ? 0 : i, axis == 1 ? 0 : j, axis == 2 ? 0 : k};
          const auto at = [&](const Int3& s) { return (std::size_t(n[2]) * s[1] + n[1]) * s[0] + n[0]; };
          const Int3 stored{int(shapes[axis][2]), int(shapes[axis][1]), int(shapes[axis][0])};
          EXPECT_EQ(values[at(stored)], block.real[at(block.size)]);
        }
  }
}

TEST(FdtdHdf5, SnapshotsAreStackedInTime) {
  const test::TempFolder folder;
  const auto o = data_only(Mode::tm, {20, 16, 1});
  fdtd::write_results(o, folder.path);
  const File file(folder / "results.vtkhdf");
  ASSERT_EQ(file.shape("snapshots/movie-Ez/value"), (std::vector<hsize_t>{4, 1, 16, 20}));
  EXPECT_EQ(file.bytes_per_value("snapshots/movie-Ez/value"), 4u);
  const auto values = file.read("snapshots/movie-Ez/value");
  for (std::size_t i = 0; i < 320; ++i) EXPECT_EQ(values[960 + i], o.snapshots[3].values[i]);
  EXPECT_EQ(file.read("snapshots/movie-Ez/time")[3], o.snapshots[3].time);
}

TEST(FdtdCsv, ColumnsCarryUnitsAndValuesAreExact) {
  const test::TempFolder folder;
  const auto o = data_only(Mode::tm, {20, 16, 1});
  fdtd::write_results(o, folder.path);
  const Table series(folder / "series-probe.csv"), flux(folder / "flux-front.csv"),
      far(folder / "far_field-outside.csv"), cross(folder / "cross_sections-outside.csv");
  ASSERT_EQ(series.rows.size(), o.of<SeriesResult>()[0].time.size());
  EXPECT_EQ(series.number(77, "time [unit/c]"), o.of<SeriesResult>()[0].time[77]);
  EXPECT_EQ(series.number(77, "Ez"), o.of<SeriesResult>()[0].value[77]);
  EXPECT_EQ(flux.number(10, "wavelength [unit]"), 1 / o.of<FluxResult>()[0].frequency[10]);
  EXPECT_EQ(flux.number(10, "reference [unit (unit/c)^2]"), o.of<FluxResult>()[0].reference[10]);
  EXPECT_EQ(flux.number(10, "R"), -o.of<FluxResult>()[0].scattered[10] / o.of<FluxResult>()[0].reference[10]);
  ASSERT_EQ(far.rows.size(), 720u);
  EXPECT_EQ(far.number(400, "phi [degree]"), 40);
  EXPECT_EQ(far.number(400, "frequency [c/unit]"), 0.2);
  EXPECT_EQ(far.number(400, "E_theta_im"), o.of<FarFieldResult>()[0].e_theta[400].imag());
  EXPECT_EQ(cross.number(1, "extinction [unit]"), 3.25);
}

// Behind a body the difference to the reference is the shadow it casts: no reflection.
TEST(FdtdCsv, ReflectionStandsWhereTheWaveComesBackOnly) {
  const test::TempFolder folder;
  const auto o = data_only(Mode::tm, {20, 16, 1});
  write_results(o, folder.path);
  const auto columns = [&](const char* name) {
    std::ifstream file(folder / name);
    std::string line;
    while (std::getline(file, line) && line.starts_with('#')) {
    }
    return split(line, ',');
  };
  const auto has = [](const std::vector<std::string>& list, const char* name) {
    return std::ranges::find(list, name) != list.end();
  };
  const auto front = columns("flux-front.csv"), behind = columns("flux-behind.csv");
  EXPECT_TRUE(has(front, "R") && has(front, "T"));
  EXPECT_TRUE(has(behind, "T"));
  EXPECT_FALSE(has(behind, "R"));
  const File file(folder / "results.vtkhdf");
  EXPECT_TRUE(file.has("flux/front/R"));
  EXPECT_FALSE(file.has("flux/behind/R"));
}

TEST(FdtdCsv, ResonancesNameTheirMonitor) {
  const test::TempFolder folder;
  const auto o = data_only(Mode::tm, {20, 16, 1});
  fdtd::write_results(o, folder.path);
  const Table table(folder / "resonances.csv");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1][0], "probe");
  EXPECT_EQ(table.rows[1][1], "Ez");
  EXPECT_EQ(table.number(1, "Q"), 42.3);
  EXPECT_EQ(table.number(1, "frequency [c/unit]"), 0.1758);
}

TEST(FdtdFiles, MonitorsWithAwkwardNamesKeepFilesOfTheirOwn) {
  const test::TempFolder folder;
  auto o = data_only(Mode::tm, {20, 16, 1});
  o.simulation.outputs.hdf5 = false;
  o.of<SeriesResult>() = {o.of<SeriesResult>()[0], o.of<SeriesResult>()[0], o.of<SeriesResult>()[0],
                          o.of<SeriesResult>()[0]};
  o.of<SeriesResult>()[0].name = "../a b";
  o.of<SeriesResult>()[1].name = "../a/b";
  o.of<SeriesResult>()[2].name = o.of<SeriesResult>()[3].name = "both";
  o.of<SeriesResult>()[3].component = Hx;
  o.of<FluxResult>().clear();
  o.of<FarFieldResult>().clear();
  o.of<ResonanceResult>().clear();
  fdtd::write_results(o, folder.path);
  EXPECT_EQ(names_in(folder.path), (std::set<std::string>{"series-_.._a_b.csv", "series-_.._a_b-2.csv",
                                                          "series-both-Ez.csv", "series-both-Hx.csv"}));
}

TEST(FdtdFiles, PartsWithoutDataOrNotAskedForLeaveNoFile) {
  const test::TempFolder folder;
  Outcome o;
  o.grid = sample_grid(Mode::tm, {20, 16, 1});
  fdtd::write_results(o, folder.path);
  EXPECT_EQ(names_in(folder.path), (std::set<std::string>{"model.png", "overview.png", "results.vtkhdf"}));
  EXPECT_FALSE(File(folder / "results.vtkhdf").has("VTKHDF"));
  const test::TempFolder other;
  auto full = sample_fdtd(Mode::tm, {20, 16, 1});
  full.simulation.outputs = {};
  full.simulation.outputs.hdf5 = full.simulation.outputs.pictures = full.simulation.outputs.csv = false;
  fdtd::write_results(full, other.path);
  EXPECT_TRUE(names_in(other.path).empty());
}

TEST(FdtdFiles, FullDiskIsAMachineFailureThatLeavesNoPart) {
  const test::TempFolder folder;
  auto o = sample_fdtd(Mode::tm, {200, 160, 1});
  o.simulation.outputs.animation = true;
  // A limit on the size of files stands in for a full disk: writes fail in the same place.
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old;
  small.rlim_cur = 4'000;
  setrlimit(RLIMIT_FSIZE, &small);
  // Each kind of file on its own, for the first failure ends the writing.
  for (int kind = 0; kind < 4; ++kind) {
    auto& out = o.simulation.outputs;
    out.csv = kind == 0;
    out.hdf5 = kind == 1;
    out.pictures = kind == 2;
    out.animation = kind == 3;
    EXPECT_THROW(fdtd::write_results(o, folder.path), MachineFailure) << kind;
    for (const auto& name : names_in(folder.path)) {
      EXPECT_EQ(name.find(".part"), std::string::npos) << name;
      EXPECT_LE(fs::file_size(folder / name), 4'000u) << name;  // complete: what fitted
    }
  }
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace umov::fdtd
