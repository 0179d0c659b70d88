// ADDA's files: what is read from ADDA's own output is written again as the same text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "dda/adda/results.hpp"
#include "dda/observables/angles.hpp"
#include "support/adda_cases.hpp"
#include "support/adda_files.hpp"
#include "support/places.hpp"
#include "support/temp_folder.hpp"

using namespace umov;
namespace fs = std::filesystem;

namespace {

using test::TempFolder;

/// Complete folders when the reference is at hand, else the excerpts kept with the tests.
std::string sample_folder(const std::string& name) {
  const std::string whole = test::reference("adda/outputs/" + name);
  return fs::exists(whole) ? whole : test::data("adda_samples/" + name);
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> list;
  for (std::string line; std::getline(in, line);) list.push_back(line);
  return list;
}

std::vector<std::string> tokens(const std::string& line) {
  std::vector<std::string> list;
  std::string word;
  for (char c : line + " ") {
    if (c == ' ' || c == '\t' || c == '(' || c == ')' || c == ',') {
      if (!word.empty()) list.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  return list;
}

/// Equal text, except numbers that the writer derives from ten printed digits (|P|^2, Q), in the named column
/// only (`derived` < 0: in any). Ten digits carry a relative error of 5e-10 at most, a square twice that, and
/// both texts are rounded once more: 2e-9.
void expect_same(const std::string& expected, const std::string& actual, int derived) {
  const auto a = lines(expected), b = lines(actual);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const auto ta = tokens(a[i]), tb = tokens(b[i]);
    ASSERT_EQ(ta.size(), tb.size()) << a[i] << "\n" << b[i];
    for (std::size_t j = 0; j < ta.size(); ++j) {
      if (ta[j] == tb[j]) continue;
      ASSERT_TRUE(derived < 0 || int(j) == derived) << "column " << j << "\n" << a[i] << "\n" << b[i];
      const double x = std::stod(ta[j]), y = std::stod(tb[j]);
      ASSERT_NEAR(x, y, 2e-9 * std::abs(x)) << a[i] << "\n" << b[i];
    }
  }
}

/// What a sample's command line says and its tables do not.
struct Sample {
  std::string name;
  double dpl;
  Vec3 direction;
  std::vector<CVec3> m;
  bool anisotropic;
  std::vector<std::size_t> counts;
};
void PrintTo(const Sample& s, std::ostream* os) { *os << s.name; }

const Sample samples[] = {
    {"ref_aniso",
     20,
     {1, 2, 3},
     {{cplx(1.5, 0.1), cplx(1.4, 0), cplx(1.6, 0.05)}, {cplx(1.3, 0), cplx(1.2, 0.1), cplx(1.1, 0.2)}},
     true,
     {2036, 140}},
    {"ref_sphere16", 15, {0, 0, 1}, {{cplx(1.5), cplx(1.5), cplx(1.5)}}, false, {2176}},
};

constexpr double wavelength = 6.2832;

void place_dipoles(shapes::Particle& p, const std::vector<Vec3>& positions) {
  p.material.assign(p.sites(), 0);
  for (const Vec3& r : positions) {
    std::array<std::size_t, 3> i;
    for (int c = 0; c < 3; ++c) i[c] = std::size_t(std::lround(r[c] / p.spacing[c] + 0.5 * (p.box[c] - 1)));
    p.material[(i[2] * p.box[1] + i[1]) * p.box[0] + i[0]] = 1;
  }
}

dda::CrossSections cross_sections(const std::string& path) {
  auto c = test::read_cross_sections(path);
  const auto vector = [&](const char* name) { return Vec3{c[name].at(0), c[name].at(1), c[name].at(2)}; };
  dda::CrossSections out;
  out.cext = c["Cext"].at(0);
  out.cabs = c["Cabs"].at(0);
  out.csca = c["Csca"].at(0);
  out.csca_g = vector("Csca.g");
  out.cext_a = vector("force Cext.a");
  out.csca_g_force = vector("force Csca.g");
  out.cpr = vector("force Cpr");
  return out;
}

/// Residuals, start and polarizabilities from the part of a log that belongs to one polarization.
void read_log(const std::string& log, dda::PolarizationResult& result) {
  const auto begin = log.find(std::string("here we go, calc ") + result.label);
  for (const auto& line : lines(log.substr(begin, log.find("Additional", begin) - begin))) {
    if (line.rfind("RE_", 0) == 0)
      result.solve.history.push_back(test::numbers(line.substr(line.find('=')))[0]);
    if (line.rfind("x_0", 0) == 0) result.solve.start = line;
    if (line.rfind("CoupleConstant", 0) == 0) {
      const auto n = test::numbers(line);
      result.alpha.push_back({cplx(n[0], n[1]), cplx(n[n.size() > 2 ? 2 : 0], n[n.size() > 2 ? 3 : 1]),
                              cplx(n[n.size() > 2 ? 4 : 0], n[n.size() > 2 ? 5 : 1])});
    }
  }
}

dda::Outcome outcome_of(const Sample& sample, const std::string& folder) {
  dda::Outcome o;
  auto& sim = o.simulation;
  sim.wavelength = wavelength;
  sim.m = sample.m;
  sim.anisotropic = sample.anisotropic;
  sim.shape.shape = sample.anisotropic ? "read" : "sphere";
  sim.shape.volume_correction = false;
  sim.symmetry = sample.anisotropic ? dda::SymmetryUse::automatic : dda::SymmetryUse::none;
  auto& out = sim.outputs;
  out.amplitude = out.csca = out.vec = out.asym = out.cpr = true;
  out.store_beam = out.store_dip_pol = out.store_int_field = out.store_force = true;

  auto& p = o.particle;
  p.box = {16, 16, 16};
  p.dpl = sample.dpl;
  const double d = wavelength / sample.dpl;
  p.spacing = {d, d, d};
  p.dipoles_per_material = sample.counts;
  p.materials = int(sample.counts.size());
  p.eq_radius = d * std::cbrt(3 * double(p.dipoles()) / (4 * pi));
  o.fft_grid = {32, 32, 32};
  o.simulation.propagation = sample.direction;
  o.propagation = o.propagation_particle = (1 / norm(sample.direction)) * sample.direction;
  o.backend = "cpu";
  o.transforms = "FFTW3";
  o.version = "test";

  const auto field = test::read_field(folder + "/DipPol-Y");
  place_dipoles(p, field.position);
  o.polarizations.resize(2);
  o.polarizations[1].label = 'X';
  o.polarizations[0].polarization = field.value;
  o.polarizations[0].incident = test::read_field(folder + "/IncBeam-Y").value;
  o.polarizations[0].force = test::read_forces(folder + "/RadForce-Y");
  o.polarizations[1].internal_field = test::read_field(folder + "/IntField-X").value;
  const std::string log = test::read_text(folder + "/log");
  for (auto& result : o.polarizations) {
    result.cross = cross_sections(folder + "/CrossSec-" + result.label);
    read_log(log, result);
  }
  const auto mueller = test::read_table(folder + "/mueller").rows,
             ampl = test::read_table(folder + "/ampl").rows;
  for (std::size_t i = 0; i < mueller.size(); ++i) {
    dda::ScatteringRow row;
    row.theta = mueller[i][0];
    std::copy_n(mueller[i].begin() + 1, 16, row.mueller.begin());
    for (int k = 0; k < 4; ++k) row.amplitude[k] = cplx(ampl[i][1 + 2 * k], ampl[i][2 + 2 * k]);
    o.plane.push_back(row);
  }
  return o;
}

/// The lines of a log from "lambda:" to the timings, without those about memory and grids of angles.
std::string log_core(const std::string& log) {
  std::string core;
  bool inside = false, skip = false;
  for (const auto& line : lines(log)) {
    if (line.rfind("lambda:", 0) == 0) inside = true;
    if (line.rfind("~~~", 0) == 0) break;
    if (line.rfind("Scattered field is", 0) == 0) skip = true;
    if (line.find("here we go") != line.npos) skip = false;
    const bool memory = line.find("emory usage") != line.npos;
    if (inside && !skip && !memory && !line.empty()) core += line + "\n";
  }
  return core;
}

class AddaSample : public testing::TestWithParam<Sample> {};

}  // namespace

TEST_P(AddaSample, TablesAndFieldsAreWrittenAsAddaWritesThem) {
  const std::string folder = sample_folder(GetParam().name);
  const auto outcome = outcome_of(GetParam(), folder);
  TempFolder out;
  dda::adda::write_adda_files(outcome, out.path.string());
  for (const char* file : {"mueller", "ampl"}) {
    EXPECT_EQ(test::read_text(folder + "/" + file), test::read_text(out / file)) << file;
  }
  for (const char* file : {"DipPol-Y", "IncBeam-Y", "RadForce-Y", "IntField-X"}) {
    SCOPED_TRACE(file);
    expect_same(test::read_text(folder + "/" + file), test::read_text(out / file), 3);
  }
  for (const char* file : {"CrossSec-Y", "CrossSec-X"}) {
    SCOPED_TRACE(file);
    expect_same(test::read_text(folder + "/" + file), test::read_text(out / file), -1);
  }
  for (const auto& entry : fs::directory_iterator(out.path)) EXPECT_NE(entry.path().extension(), ".tmp");
}

TEST_P(AddaSample, LogIsWrittenAsAddaWritesIt) {
  const std::string folder = sample_folder(GetParam().name);
  auto outcome = outcome_of(GetParam(), folder);
  const std::string log = test::read_text(folder + "/log");
  const auto begin = log.find("shape: ") + 7;
  outcome.particle.description = log.substr(begin, log.find('\n', begin) - begin);
  EXPECT_EQ(log_core(log), log_core(dda::adda::adda_log(outcome)));
}

INSTANTIATE_TEST_SUITE_P(Reference, AddaSample, testing::ValuesIn(samples));

TEST(AddaNotes, GridsOfAnglesAreDescribedAsInAddasLog) {
  const std::string log = test::read_text(sample_folder("ref_sphere16") + "/log");
  EXPECT_NE(log.find(dda::describe(dda::load_all_directions(""))), log.npos);
  EXPECT_NE(log.find(dda::describe(dda::load_scattering_grid("", false))), log.npos);
}

TEST(AddaWriters, GridsIntegralsAndExtrasHaveTheirColumns) {
  dda::Outcome o;
  o.simulation.outputs.amplitude = o.simulation.outputs.efield = o.simulation.outputs.store_scat_grid = true;
  o.particle.eq_radius = 1;
  dda::ScatteringRow row;
  row.theta = 30;
  row.phi = 90;
  row.mueller.fill(0.5);
  row.amplitude.fill(cplx(1, -2));
  row.e_y = {cplx(1, 2), cplx(3, 4), cplx(5, 6)};
  o.grid = {row};
  o.phi_integrals = {{"mueller_integr_c2", {30}, {1.25e-4}, {row.mueller}}};
  o.memory = {{"interaction tensor", 1048576}};
  o.timings = {{"total", 2}, {"solver", 1}, {"start", 5}};
  o.polarizations.resize(1);
  o.polarizations[0].integration_logs = {{"log_int_Csca-Y", "text\n"}};
  o.orientation_log = "average\n";
  TempFolder out;
  dda::adda::write_adda_files(o, out.path.string());
  EXPECT_EQ(lines(test::read_text(out / "mueller_scatgrid"))[1].substr(0, 29),
            "30.00 90.00 5.0000000000E-01 ");
  EXPECT_EQ(lines(test::read_text(out / "ampl_scatgrid"))[0],
            "theta phi s1.r s1.i s2.r s2.i s3.r s3.i s4.r s4.i");
  EXPECT_EQ(test::read_table(out / "efield_scatgrid").rows[0].size(), 14u);
  const auto integral = lines(test::read_text(out / "mueller_integr_c2"));
  EXPECT_EQ(integral[0].substr(integral[0].size() - 16), "s44 RMSE(integr)");
  EXPECT_EQ(integral[1].substr(integral[1].size() - 10), " 1.250E-04");
  EXPECT_NE(test::read_text(out / "meminfo").find("1.000 interaction tensor"), std::string::npos);
  EXPECT_NE(test::read_text(out / "prof").find("50.00 solver"), std::string::npos);
  EXPECT_NE(test::read_text(out / "prof").find("5.000000       - start"), std::string::npos);
  EXPECT_EQ(test::read_text(out / "log_int_Csca-Y"), "text\n");
  EXPECT_EQ(test::read_text(out / "log_orient_avg"), "average\n");
}

TEST(AtomicFile, LeavesNothingUnlessCommitted) {
  TempFolder out;
  {
    AtomicFile file(out / "a");
    file.write("half");
  }
  EXPECT_TRUE(fs::is_empty(out.path));
  write_file(out / "a", "whole");
  EXPECT_EQ(test::read_text(out / "a"), "whole");
}

TEST(AtomicFile, ManyWrittenTogetherAreInPlaceAtTheEnd) {
  TempFolder out;
  const WrittenFiles written;
  {
    WrittenTogether together;
    for (int i = 0; i < 50; ++i)  // more than go to the disk at once
      write_file(out / fmt::format("file{}", i), fmt::format("text {}", i));
    together.finish();
    for (int i = 0; i < 50; ++i)
      EXPECT_EQ(test::read_text(out / fmt::format("file{}", i)), fmt::format("text {}", i));
    EXPECT_EQ(std::distance(fs::directory_iterator(out.path), {}), 50) << "nothing is left aside";
    EXPECT_EQ(written.paths().size(), 50u);
    write_file(out / "late", "text");
  }
  EXPECT_EQ(test::read_text(out / "late"), "text") << "without finish() it waits all the same";
  write_file(out / "alone", "text");
  EXPECT_EQ(test::read_text(out / "alone"), "text") << "the next one is by itself again";
}

TEST(AtomicFile, OneOfManyThatFailsIsNamedAndTheOthersAreThere) {
  TempFolder out;
  WrittenTogether together;
  {
    AtomicFile file(out / "lost");
    file.write("text");
    fs::create_directories(out.path / "lost" / "inner");  // no file can be put in the place of a folder now
    file.commit();
  }
  write_file(out / "other", "text");
  try {
    together.finish();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(out / "lost"), std::string::npos) << error.what();
  }
  EXPECT_EQ(test::read_text(out / "other"), "text");
  EXPECT_EQ(std::distance(fs::directory_iterator(out.path), {}), 2) << "nothing is left aside";
  EXPECT_NO_THROW(together.finish()) << "said once";
}

TEST(AtomicFile, FullDiskIsAMachineFailureThatNamesThePath) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  TempFolder out;
  fs::create_symlink("/dev/full", out / "a");
  try {
    write_file(out / "a", "text");
    FAIL() << "no error";
  } catch (const MachineFailure& error) {
    EXPECT_NE(std::string(error.what()).find(out / "a"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_symlink(out / "a"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(AtomicFile, MissingFolderIsBadInputThatNamesThePath) {
  TempFolder out;
  try {
    write_file(out / "none/a", "text");
    FAIL() << "no error";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find(out / "none/a"), std::string::npos);
  }
}
