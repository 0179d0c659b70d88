// `umov dda` passes over no parameter in silence: what a case does not read is refused, or said where a flag
// has overruled the case it was for.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "dda/command/front.hpp"

namespace {

using namespace umov;
using namespace umov::dda;
using Args = std::vector<std::string>;
namespace fs = std::filesystem;

class DdaReads : public testing::Test {
 protected:
  void SetUp() override {
    home_ = fs::current_path();
    folder_ = fs::temp_directory_path() / ("umov_dda_reads_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    fs::current_path(folder_);
    write("f", "0 0 0\n");
  }
  void TearDown() override {
    fs::current_path(home_);
    fs::remove_all(folder_);
  }
  static void write(const std::string& file, const std::string& content) { std::ofstream(file) << content; }
  static std::string refused(const Args& args) {
    try {
      dda::parse(args);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  }
  static void expect_starts(const std::string& message, const std::string& start) {
    EXPECT_EQ(message.substr(0, start.size()), start);
  }
  fs::path home_, folder_;
};

/// Arguments that give a parameter in a case that does not read it.
struct Unread {
  std::string parameter;
  Args args;  ///< the parameter's flag first
};

const Unread unread[] = {
    {"solver.inner", {"--inner", "float", "--ftype", "float"}},
    {"accuracy_time", {"--accuracy-time", "10"}},
    {"method.fft_grid", {"--grid", "64", "--accuracy", "1%"}},
    {"shape.granule_domain", {"--granule-domain", "2"}},
    {"source.width", {"--beam-width", "2"}},
    {"source.center", {"--beam-center", "1,0,0", "--beam", "read", "--beam-file-y", "f"}},
    {"source.file_y", {"--beam-file-y", "f"}},
    {"source.file_x", {"--beam-file-x", "f", "--beam", "davis3", "--beam-width", "2"}},
    {"orientation.alpha", {"--alpha", "10", "--orientation-average"}},
    {"orientation.beta", {"--beta", "10", "--orientation-average"}},
    {"orientation.gamma", {"--gamma", "10", "--orientation-average"}},
    {"orientation.average_file", {"--orientation-average-file", "f"}},
    {"method.ldr_average", {"--ldr-average", "--polarizability", "cldr"}},
    {"method.pol_nloc_rp", {"--pol-nloc-rp", "0.1"}},
    {"method.interaction_arguments", {"--interaction-arguments", "1", "--interaction", "fcd"}},
    {"method.symmetry", {"--symmetry", "enforce", "--orientation-average"}},
    {"solver.initial_file_y", {"--initial-file-y", "f"}},
    {"solver.initial_file_x", {"--initial-file-x", "f", "--initial-field", "zero"}},
    {"output.yz_plane", {"--yz-plane", "--no-mueller-matrix"}},
    {"output.scattering_plane", {"--scattering-plane", "--no-mueller-matrix"}},
    {"output.scattering_grid", {"--scattering-grid", "--no-mueller-matrix"}},
    {"output.phi_integrals", {"--phi-integrals", "1", "--no-mueller-matrix"}},
    {"output.theta_intervals", {"--theta-intervals", "9", "--scattering-grid"}},
    {"output.scattering_grid_file", {"--scattering-grid-file", "f"}},
    {"output.alldir_file", {"--integration-file", "f"}},
    {"output.granule_positions", {"--granule-positions"}},
    {"solver.neighbours", {"--no-neighbours"}},
    {"output.case_folders", {"--case-folders"}},
    {"output.amplitude", {"--amplitude-matrix", "--lambda", "1,2"}},
    {"output.efield", {"--efield", "--lambda", "1,2"}},
    {"output.incident_field", {"--incident-field", "--lambda", "1,2"}},
    {"output.dipole_polarizations", {"--dipole-polarizations", "--lambda", "1,2"}},
    {"output.internal_fields", {"--internal-fields", "--lambda", "1,2"}},
    {"output.forces", {"--forces", "--lambda", "1,2"}},
    {"output.geometry", {"--save-shape", "--lambda", "1,2"}},
    {"output.geometry_format", {"--save-shape-format", "text"}},
    {"checkpoint.interval", {"--checkpoint", "15m", "--orientation-average"}},
    {"checkpoint.kind", {"--checkpoint-kind", "always", "--orientation-average"}},
    {"checkpoint.folder", {"--checkpoint-dir", "d", "--orientation-average"}},
    {"machine.threads", {"--threads", "3", "--backend", "serial"}},
    {"machine.tensor_on_host", {"--dmatrix-host", "--cpu"}},
    {"machine.blocking_sync", {"--blocking-sync", "--cpu"}}};

TEST_F(DdaReads, RefusesEachParameterThatTheCaseDoesNotRead) {
  for (const auto& u : unread) expect_starts(refused(u.args), u.args[0] + " has no effect here (");
  write("c.toml", "[shape]\nfile = \"f\"\n");
  expect_starts(refused({"c.toml"}), "c.toml:2: 'shape.file' has no effect here (only the shapes 'read'");
  expect_starts(refused({"--shape-file", "f", "--shape", "ellipsoid", "--shape-arguments", "1,2"}),
                "--shape-file has no effect here");
  write("c.toml", "[output]\ngeometry_file = \"g\"\n");
  expect_starts(refused({"c.toml"}),
                "c.toml:2: 'output.geometry_file' has no effect here (the shape is not saved)");
  write("c.toml", "[machine]\ndevice = 1\nbackend = \"cpu\"\n");
  expect_starts(refused({"c.toml"}),
                "c.toml:2: 'machine.device' has no effect here (the run is not on a GPU)");
}

TEST_F(DdaReads, EveryConditionIsTriedAbove) {
  for (const auto& rule : dda_reads()) {
    const bool elsewhere = rule.parameter == "shape.file" || rule.parameter == "output.geometry_file" ||
                           rule.parameter == "machine.device";
    const bool tried = std::any_of(std::begin(unread), std::end(unread),
                                   [&](const auto& u) { return u.parameter == rule.parameter; });
    EXPECT_TRUE(tried || elsewhere) << rule.parameter;
  }
}

TEST_F(DdaReads, EveryConditionNamesParametersThatExist) {
  const auto& known = dda::parameters().parameters();
  const auto exists = [&](const std::string& name) {
    return std::any_of(known.begin(), known.end(), [&](const auto& p) { return p.name() == name; });
  };
  for (const auto& rule : dda_reads()) {
    EXPECT_TRUE(exists(rule.parameter)) << rule.parameter;
    for (const auto& name : rule.decides) EXPECT_TRUE(exists(name)) << rule.parameter << " by " << name;
  }
}

TEST_F(DdaReads, FileIsNamedWithItsLine) {
  write("c.toml", "wavelength = 1\n[source]\n\nwidth = 2\n");
  expect_starts(refused({"c.toml"}),
                "c.toml:4: 'source.width' has no effect here (only Gaussian beams have a width)");
}

TEST_F(DdaReads, FlagThatOverrulesTheCaseLeavesAWarningAndTheDefault) {
  write("c.toml", "[source]\nkind = \"davis3\"\nwidth = 2\n");
  const auto sim = dda::parse(Args{"c.toml", "--beam", "plane"}).simulation;
  ASSERT_EQ(sim.warnings.size(), 1u);
  expect_starts(sim.warnings[0], "c.toml:3: 'source.width' has no effect here");
  EXPECT_EQ(sim.beam.width, 0);
  write("r.toml", resolved_toml(sim));
  EXPECT_TRUE(dda::parse(Args{"r.toml"}).simulation.warnings.empty());
}

TEST_F(DdaReads, DefaultsGivenInAFileAreNoMatter) {
  write("r.toml", resolved_toml(dda::parse(Args{}).simulation));
  for (const Args& more : {Args{}, Args{"--cpu"}, Args{"--beam", "davis3", "--beam-width", "3"},
                           Args{"--no-mueller-matrix"}, Args{"--checkpoint", "15m"}, Args{"--gpu"}}) {
    Args args{"r.toml"};
    args.insert(args.end(), more.begin(), more.end());
    EXPECT_TRUE(dda::parse(args).simulation.warnings.empty()) << (more.empty() ? "" : more[0]);
  }
}

TEST_F(DdaReads, WhatAnAverageCannotHoldIsRefusedWithItsName) {
  const std::pair<const char*, Args> all[] = {{"--internal-fields", {"--internal-fields"}},
                                              {"--dipole-polarizations", {"--dipole-polarizations"}},
                                              {"--incident-field", {"--incident-field"}},
                                              {"--forces", {"--forces"}},
                                              {"--amplitude-matrix", {"--amplitude-matrix"}},
                                              {"--efield", {"--efield"}},
                                              {"--propagation", {"--propagation", "1,0,0"}},
                                              {"--beam-center", {"--beam-center", "1,0,0"}},
                                              {"--beam", {"--beam", "read", "--beam-file-y", "f"}}};
  for (const auto& [flag, given] : all) {
    Args args = given;
    args.push_back("--orientation-average");
    expect_starts(refused(args), std::string(flag) + " ");
    EXPECT_NE(refused(args).find("average"), std::string::npos) << flag;
  }
  for (const Args& args :
       {Args{"--csca"}, Args{"--asymmetry"}, Args{"--csca-g"}, Args{"--radiation-pressure"},
        Args{"--scattering-grid"}, Args{"--phi-integrals", "3"}, Args{"--propagation", "0,0,2"},
        Args{"--no-mueller-matrix"}}) {
    Args average = args;
    average.push_back("--orientation-average");
    EXPECT_NO_THROW(dda::parse(average)) << args[0];
  }
}

TEST_F(DdaReads, NumbersThatAMethodNeedsAreAskedFor) {
  expect_starts(refused({"--interaction", "nloc"}),
                "--interaction: the interactions nloc and nloc_av have one");
  expect_starts(refused({"--interaction", "nloc", "--interaction-arguments", "1,2"}),
                "--interaction-arguments: ");
  expect_starts(refused({"--interaction", "igt", "--interaction-arguments", "1,2,3"}),
                "--interaction-arguments: ");
  expect_starts(refused({"--polarizability", "nloc"}), "--polarizability needs a width");
  expect_starts(refused({"--beam", "barton5"}), "--beam: a Gaussian beam needs the radius of its waist");
  EXPECT_NO_THROW(dda::parse(Args{"--polarizability", "nloc", "--pol-nloc-rp", "0"}));
}

TEST_F(DdaReads, FormulationsThatDoNotGoTogetherNameTheirFlags) {
  expect_starts(refused({"--rectangular", "1,1,2"}),
                "--rectangular needs a polarizability that is defined for rectangular dipoles");
  expect_starts(refused({"--rectangular", "1,1,2", "--polarizability", "ldr"}),
                "--polarizability is defined only for cubical dipoles");
  expect_starts(
      refused({"--rectangular", "1,1,2", "--polarizability", "cm", "--interaction", "fcd"}),
      "--interaction is defined only for cubical dipoles (these are rectangular); use point dipoles");
  expect_starts(refused({"--beam", "davis3", "--beam-width", "2", "--radiation-pressure"}),
                "--radiation-pressure needs");
}

TEST_F(DdaReads, TwoOfOneKindAreRefused) {
  write("r.toml", resolved_toml(dda::parse(Args{}).simulation));
  for (const Args& args : {Args{"--shape", "box", "--shape-sphere-size", "8"},
                           Args{"--shape-grid", "9", "--shape-sphere-size", "8"},
                           Args{"--yz-plane", "--scattering-plane"}, Args{"--cpu", "--gpu"}})
    EXPECT_NE(refused(args).find("are both given"), std::string::npos) << args[0];
  EXPECT_NE(refused({"--checkpoint-kind", "none", "--checkpoint", "15m"}).find("is none but"),
            std::string::npos);
}

TEST_F(DdaReads, AsymmetryNeedsItsDenominator) {
  EXPECT_TRUE(dda::parse(Args{"--asymmetry"}).simulation.outputs.csca);
}

}  // namespace
