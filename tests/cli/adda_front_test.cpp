// ADDA's command line: every published test command is understood or refused by name.
#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "dda/adda/front.hpp"
#include "support/adda_cases.hpp"

using namespace umov;
using umov::test::words;

namespace {

dda::adda::AddaCommand parse(const std::string& line) { return dda::adda::parse_adda_command(words(line)); }

/// The message of the error, or "no error".
std::string refusal_of_adda_front(const std::string& line) {
  try {
    parse(line);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "no error";
}

struct AddaFrontBad {
  const char *line, *named;
};

}  // namespace

TEST(AddaFront, DefaultsAreThoseOfAdda) {
  const auto sim = parse("").simulation;
  EXPECT_DOUBLE_EQ(sim.wavelength, 2 * pi);
  EXPECT_EQ(sim.shape.shape, "sphere");
  ASSERT_EQ(sim.m.size(), 1u);
  EXPECT_EQ(sim.m[0][2], cplx(1.5));
  EXPECT_DOUBLE_EQ(sim.solver.epsilon, 1e-5);
  EXPECT_EQ(sim.solver.name, "qmr");
  EXPECT_EQ(sim.polarizability, dda::Polarizability::ldr);
  EXPECT_EQ(sim.interaction, dda::Interaction::point);
  EXPECT_EQ(sim.formula, dda::ScatteringFormula::draine);
  EXPECT_EQ(sim.solver.initial, dda::InitialField::automatic);
  EXPECT_TRUE(sim.outputs.mueller);
  EXPECT_FALSE(sim.outputs.amplitude);
  EXPECT_EQ(sim.outputs.ntheta, 0);
}

TEST(AddaFront, EveryReferenceCommandIsUnderstoodOrRefusedByName) {
  const std::set<std::string> not_built = {"-surf", "-int_surf"};
  int understood = 0;
  for (const auto& one : test::adda_cases()) {
    std::set<std::string> expected;
    for (const auto& word : words(one.command)) {
      if (not_built.count(word)) expected.insert(word);
    }
    const std::string message = refusal_of_adda_front(one.command);
    if (expected.empty()) {
      EXPECT_EQ(message, "no error") << one.command;
      understood += message == "no error";
      continue;
    }
    bool named = false;
    for (const auto& option : expected)
      named |= message.find("option " + option + " is not built") != message.npos;
    EXPECT_TRUE(named) << one.command << "\n" << message;
  }
  EXPECT_GE(understood, 120);
}

TEST(AddaFront, BadInputIsRefusedWithTheOptionNamed) {
  const AddaFrontBad all[] = {
      {"-size abc", "-size"},
      {"-size nan", "-size"},
      {"-size inf", "-size"},
      {"-size 1e999", "-size"},
      {"-size 3um", "-size"},
      {"-size -3", "-size"},
      {"-size 0", "-size"},
      {"-size", "-size"},
      {"-size 1 2", "-size"},
      {"-size 1 -eq_rad 2", "-eq_rad"},
      {"-size 1 -grid 8 -dpl 10", "-dpl"},
      {"-size 1 -size 2", "-size"},
      {"-lambda 0", "-lambda"},
      {"-grid 4 5", "-grid"},
      {"-grid 0", "-grid"},
      {"-grid 8.5", "-grid"},
      {"-grid 70000", "-grid"},
      {"-grid 60000 -jagged 2", "-jagged"},
      {"-m 1.5", "-m"},
      {"-m 1 0", "-m"},
      {"-m nan 0", "-m"},
      {"-m 1.5 0 1.6", "-m"},
      {"-anisotr", "-m"},
      {"-anisotr -m 1.1 0 1.2 0", "-m"},
      {"-anisotr -m 1.1 0 1.2 0 1.3 0 -pol cldr", "-anisotr"},
      {"-shape cone", "-shape"},
      {"-shape shpere", "did you mean 'sphere'"},
      {"-shape sphere 3", "-shape sphere"},
      {"-shape ellipsoid 0.5", "-shape ellipsoid"},
      {"-shape box 1", "-shape box"},
      {"-shape coated 0.5 0.1", "-shape coated"},
      {"-shape read", "-shape read"},
      {"-shape", "-shape"},
      {"-pol nloc", "-pol"},
      {"-pol nloc -1", "-pol"},
      {"-pol ldr avg", "-pol"},
      {"-pol cm 3", "-pol"},
      {"-pol xyz", "-pol"},
      {"-int igt -1", "-int"},
      {"-int poi 2", "-int"},
      {"-int nloc", "-int"},
      {"-rect_dip 1 2 3 -pol ldr", "-pol"},
      {"-rect_dip 1 2 3 -int fcd", "-int"},
      {"-rect_dip 1 2 0", "-rect_dip"},
      {"-rect_dip 1 2 3 -granul 0.1 0.2", "-granul"},
      {"-granul 0.9 0.2", "-granul"},
      {"-iter gmres", "-iter"},
      {"-eps 0", "-eps"},
      {"-maxiter 0", "-maxiter"},
      {"-ntheta 0", "-ntheta"},
      {"-ntheta 5 -scat_matr none", "-ntheta"},
      {"-phi_integr 32", "-phi_integr"},
      {"-phi_integr 1 -scat_matr ampl", "-phi_integr"},
      {"-prop 0 0 0", "-prop"},
      {"-prop 0 0", "-prop"},
      {"-yz -scat_plane", "-yz"},
      {"-orient 1 2", "-orient"},
      {"-orient avg -prop 0 0 1", "-prop"},
      {"-orient avg -Csca", "-Csca"},
      {"-orient avg -chpoint 1s", "-chpoint"},
      {"-init_field read", "-init_field"},
      {"-init_field zero x", "-init_field"},
      {"-init_field wkb -prop 1 0 0", "-prop"},
      {"-init_field wkb -beam davis3 2", "wkb"},
      {"-beam davis3", "-beam davis3"},
      {"-beam davis3 0", "-beam davis3"},
      {"-beam davis3 1 2", "-beam davis3"},
      {"-beam davis3 1 0 0 0 -beam_center 0 0 1", "-beam_center"},
      {"-beam besselCS 0 15", "-beam besselCS"},
      {"-beam davis3 2 -Cpr", "-Cpr"},
      {"-chp_type regular", "-chp_type"},
      {"-chpoint 3x", "-chpoint"},
      {"-surf 4 2 0", "-surf"},
      {"-int_surf img", "-int_surf"},
      {"-gpu -1", "-gpu"},
      {"--backend gpu", "--backend"},
      {"--backend cpu --device 1", "--device"},
      {"--backend serial -gpu 1", "-gpu"},
      {"-gpu 0 --device 1", "-gpu"},
      {"-orient avg -beam davis3 2 -beam_center 1 0 0", "-beam_center"},
      {"-orient avg -vec", "-vec"},
      {"-orient avg -asym", "-asym"},
      {"-orient avg -Cpr", "-Cpr"},
      {"-orient avg -store_force", "-store_force"},
      {"-orient avg -store_int_field", "-store_int_field"},
      {"-orient avg -store_dip_pol", "-store_dip_pol"},
      {"-orient avg -store_beam", "-store_beam"},
      {"-orient avg -store_scat_grid", "-store_scat_grid"},
      {"-orient avg -phi_integr 1", "-phi_integr"},
      {"--ftype half", "--ftype"},
      {"--threads x", "--threads"},
      {"-gird 16", "did you mean -grid"},
      {"--backnd cpu", "did you mean --backend"},
      {"sphere", "sphere"},
      {"-h gird", "did you mean -grid"},
  };
  for (const auto& bad : all) {
    const std::string message = refusal_of_adda_front(bad.line);
    EXPECT_NE(message.find(bad.named), std::string::npos) << bad.line << "\n" << message;
  }
}

TEST(AddaFront, NumbersMayCarryASignAndAreNotOptions) {
  const auto sim = parse("-orient -90 26.5 +90 -prop -1 0 0").simulation;
  EXPECT_EQ(sim.orientation.alpha, -90);
  EXPECT_EQ(sim.orientation.gamma, 90);
  EXPECT_EQ(sim.propagation[0], -1);
}

TEST(AddaFront, AnisotropicMaterialTakesThreeIndicesPerDomain) {
  const auto sim = parse("-anisotr -m 1.1 0.1 1.2 0.2 1.3 0.3").simulation;
  ASSERT_EQ(sim.m.size(), 1u);
  EXPECT_EQ(sim.m[0][1], cplx(1.2, 0.2));
  EXPECT_DOUBLE_EQ(sim.shape.max_abs_m, std::abs(cplx(1.3, 0.3)));
}

TEST(AddaFront, CheckpointTimeAndTypeCombineAsInAdda) {
  EXPECT_EQ(parse("-chpoint 1d2h3M4").machine.checkpoint.interval, 86400 + 7200 + 180 + 4);
  EXPECT_EQ(parse("-chpoint 1s").machine.checkpoint_kind, dda::CheckpointKind::normal);
  EXPECT_EQ(parse("-chpoint 0").machine.checkpoint_kind, dda::CheckpointKind::always);
  EXPECT_EQ(parse("-chpoint 1s -chp_type regular").machine.checkpoint_kind, dda::CheckpointKind::regular);
  EXPECT_EQ(parse("-chp_load").machine.checkpoint_dir, "chpoint");
}

TEST(AddaFront, RectangularDipolesDefaultToCldr) {
  EXPECT_EQ(parse("-rect_dip 1 2 3").simulation.polarizability, dda::Polarizability::cldr);
}

TEST(AddaFront, IntegratedTensorTakesItsPrecisionFromTheSolverUnlessGiven) {
  EXPECT_EQ(parse("-int igt -eps 7").simulation.interaction_arguments,
            (std::vector<double>{-1, std::pow(10, -7.0)}));
  EXPECT_EQ(parse("-int igt 3 2").simulation.interaction_arguments,
            (std::vector<double>{3, std::pow(10, -2.0)}));
}

TEST(AddaFront, OwnOptionsStandInTheSameLine) {
  const auto command = parse("-grid 8 --backend cpu --threads 2 --ftype float --no-hdf5 --no-pictures");
  const auto& sim = command.simulation;
  EXPECT_EQ(command.machine.backend, "cpu");
  EXPECT_EQ(command.machine.threads, 2);
  EXPECT_EQ(sim.precision, dda::Precision::single);
  EXPECT_FALSE(sim.outputs.hdf5 || sim.outputs.pictures);
}

TEST(AddaFront, PrognosisImpliesTestFolderAndHelpAnswers) {
  EXPECT_TRUE(parse("-prognosis").test_folder);
  EXPECT_TRUE(parse("-prognosis").machine.dry_run);
  EXPECT_NE(parse("-h shape coated").answer.find("<din/d>"), std::string::npos);
  const std::string all = dda::adda::adda_help();
  EXPECT_EQ(parse("--help").answer, all);
  EXPECT_EQ(parse("--help shape coated").answer, parse("-h shape coated").answer);
  for (const char* option : {"-grid", "-surf", "-Cpr", "--backend", "-so_buf"}) {
    EXPECT_NE(all.find(option), std::string::npos) << option;
  }
}

TEST(AddaFront, OptionsThatTheCaseDoesNotReadAreSaid) {
  // What ADDA passes over in silence is a warning here, and the resolved case is free of it.
  const struct {
    const char *line, *option;
  } all[] = {{"-scat_grid_inp no.dat", "-scat_grid_inp"},
             {"-alldir_inp no.dat", "-alldir_inp"},
             {"-store_grans", "-store_grans"},
             {"-sg_format ddscat7", "-sg_format"},
             {"-ntheta 9 -store_scat_grid", "-ntheta"},
             {"-beam read f -beam_center 1 2 3", "-beam_center"},
             {"-orient avg -sym enf", "-sym"},
             {"-orient avg -scat_matr both", "amplitude matrices cannot be averaged"},
             {"--backend serial --threads 3", "--threads"},
             {"-test -dir d", "-test"}};
  for (const auto& c : all) {
    const auto warnings = parse(c.line).simulation.warnings;
    ASSERT_EQ(warnings.size(), 1u) << c.line;
    EXPECT_NE(warnings[0].find(c.option), std::string::npos) << warnings[0];
  }
  EXPECT_TRUE(parse("-store_scat_grid -scat_grid_inp f -Csca -alldir_inp f -beam davis3 2 -beam_center 1 0 0")
                  .simulation.warnings.empty());
  EXPECT_EQ(parse("-alldir_inp no.dat").simulation.outputs.alldir_file, "");
}

TEST(AddaFront, TheNumberOfAGpuAsksForAGpu) {
  EXPECT_EQ(parse("-gpu 0").machine.backend, "cuda");
  EXPECT_EQ(parse("--device 2").machine.device, 2);
  EXPECT_EQ(parse("-grid 4").machine.backend, "auto");
}

TEST(AddaFront, IdrOfFourHasBothItsNames) {
  EXPECT_EQ(parse("-iter idr4").simulation.solver.name, "idr4");
  EXPECT_EQ(parse("-iter idrs").simulation.solver.name, "idr4");
}
