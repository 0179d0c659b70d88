// `umov opendda`: OpenDDA's control file against OpenDDA's own numbers, lists, tables, refusals, TOML.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "dda/opendda/index_table.hpp"
#include "dda/opendda/results.hpp"
#include "support/foreign_inputs.hpp"
#include "support/places.hpp"
#include "support/program.hpp"
#include "support/shell.hpp"

using namespace umov;
using test::control_file;
using test::TemporaryFolder;
namespace fs = std::filesystem;
using Changes = std::map<std::string, std::string>;

namespace {

/// The numbers that are printed as OpenDDA prints them: Qext, Qabs, Qsca, ...
std::vector<double> printed(const std::string& out) {
  std::vector<double> q;
  std::istringstream in(out);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("Qext=") || line.starts_with("Qabs=") || line.starts_with("Qsca="))
      q.push_back(std::stod(line.substr(5)));
  return q;
}

constexpr const char* flags = " --no-pictures --output-dir out --backend ";

std::vector<double> run_control(const TemporaryFolder& folder, const Changes& changes,
                                const std::string& backend = "serial") {
  folder.write("control.input", control_file(changes));
  const auto ended = test::run(folder, std::string("opendda control.input") + flags + backend);
  EXPECT_EQ(ended.code, 0) << ended.err;
  return printed(ended.out);
}

/// OpenDDA 1.0, opendda_S_double, solves to a residual of 1e-10: so do we, from another start.
void expect_opendda(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 2e-10) << i;
}

std::string refusal_of_control(const Changes& changes, const TemporaryFolder& folder) {
  folder.write("control.input", control_file(changes));
  try {
    dda::opendda::make_job((folder / "control.input").string());
  } catch (const BadInput& e) {
    const std::string text = e.what();
    return text.substr(text.find("control.input"));
  }
  return "accepted";
}

/// Sites of a lattice of 3 x 3 x 2 whose axes have different materials.
constexpr const char* mixed_target =
    "# x,y,z and material along "
    "x,y,z\n0,0,0,0,1,0\n1,0,0,1,1,1\n2,1,0,0,0,1\n0,1,1,1,0,0\n1,1,1,0,0,0\n2,2,1,1,1,0\n";

}  // namespace

// Figures of OpenDDA 1.0 (repository drjmcdonald/OpenDDA, opendda_S_double), whose control.input.template
// this is.
TEST(OpenDda, TheSampleGivesItsNumbers) {
  TemporaryFolder folder;
  expect_opendda(run_control(folder, {}), {1.25253433323913, 0.888894375560313, 0.363639957678817});
  for (const char* name :
       {"incident_wave", "target_effective_radius", "refractive_index_vs_incident_wavelength_0",
        "target_description", "target_orientations", "scattering_angles", "iterative", "efficiencies",
        "scattering_matrix"})
    EXPECT_TRUE(fs::exists(folder / fmt::format("out/OUTPUT_{}.info", name))) << name;
  const std::string target = test::text_of(folder / "out/OUTPUT_target_description.info");
  EXPECT_NE(target.find("Number of dipoles in actual target, Nd: 552"), std::string::npos);
  EXPECT_NE(target.find(" 3.175\t\t0.5\t\t0.989478001130644\t\t0.0982546655134136\t\t32.3139871619282"),
            std::string::npos);
}

// OpenDDA 1.0 with the same control file.
TEST(OpenDda, TablesOfAnIndexAreInterpolatedByAkimasMethod) {
  TemporaryFolder folder;
  // Warren's ice, rows of OpenDDA's own template around a wavelength between two of them.
  folder.write(
      "INPUT_refractive_index_vs_wavelength_material_0.input",
      "# ice\n2.865000,1.003570+0.092300i\n2.882000,0.981970+0.127000i\n2.899000,0.965030+0.169000i\n"
      "2.915000,0.959620+0.221000i\n2.933000,0.972690+0.276000i\n2.950000,0.991720+0.312000i\n"
      "2.967000,1.006680,0.347000i\n2.985000,1.021860+0.388000\n3.003000,1.042700+0.438000i\n"
      "3.021000,1.075970+0.493000i\n3.040000,1.129540+0.554000i\n3.058000,1.212670+0.612000i\n");
  const auto table = dda::opendda::read_index_table(
      (folder / "INPUT_refractive_index_vs_wavelength_material_0.input").string());
  const cplx m = dda::opendda::index_at(table, 2.93);
  EXPECT_NEAR(m.real(), 0.969477031934071, 1e-14);
  EXPECT_NEAR(m.imag(), 0.268547963191905, 1e-14);
  EXPECT_EQ(dda::opendda::index_at(table, 3.04), cplx(1.12954, 0.554));
  EXPECT_THROW(dda::opendda::index_at(table, 3.06), BadInput);
  expect_opendda(
      run_control(folder, {{"Wavelengths", "2.93,0.11,3.045"}, {"Shape", "cuboid,3,4,2,NULL,NULL,NULL"}}),
      {0.70324145180614, 0.648185111381638, 0.0550563404245028, 1.34393148089918, 1.15191060579559,
       0.192020875103587});
}

// OpenDDA 1.0 with rows 1.4749 to 1.5718 of its template: steps of 1e-4 that are nearly on a line, some
// exactly. What counts as a line decides the eighth digit.
TEST(OpenDda, NearlyStraightRowsOfAnIndexAreNoLine) {
  TemporaryFolder folder;
  folder.write("n.input",
               "1.474900,1.292000+0.000433i\n1.479300,1.291900+0.000471i\n1.483700,1.291800+0.000503i\n"
               "1.488100,1.291800+0.000527i\n1.492500,1.291700+0.000534i\n1.497000,1.291600+0.000538i\n"
               "1.501500,1.291600+0.000533i\n1.506000,1.291500+0.000527i\n1.510600,1.291400+0.000517i\n"
               "1.515200,1.291300+0.000509i\n1.519800,1.291200+0.000498i\n1.524400,1.291100+0.000487i\n"
               "1.529100,1.291000+0.000475i\n1.533700,1.290900+0.000462i\n1.538500,1.290800+0.000451i\n"
               "1.543200,1.290700+0.000437i\n1.548000,1.290600+0.000425i\n1.552800,1.290500+0.000408i\n"
               "1.557600,1.290400+0.000392i\n1.562500,1.290300+0.000375i\n1.567400,1.290200+0.000358i\n");
  const auto table = dda::opendda::read_index_table((folder / "n.input").string());
  const cplx a = dda::opendda::index_at(table, 1.5), b = dda::opendda::index_at(table, 1.55);
  EXPECT_NEAR(a.real(), 1.29161321776762, 2e-14);
  EXPECT_NEAR(a.imag(), 0.000534697072934855, 1e-16);
  EXPECT_NEAR(b.real(), 1.29055833333333, 2e-14);
  EXPECT_NEAR(b.imag(), 0.000417838203275773, 1e-16);
}

// An akima slope of points on a cubic is the cubic's (Akima 1991, the property in the title).
TEST(OpenDda, AkimasSlopesAreThoseOfACubic) {
  std::vector<double> x, y;
  for (const double t : {0.0, 0.4, 1.1, 1.5, 2.3, 3.0, 3.2}) x.push_back(t), y.push_back(t * t * t - 2 * t);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(dda::opendda::akima_slope(x, y, i), 3 * x[i] * x[i] - 2, 1e-11) << i;
}

TEST(OpenDda, EveryCombinationOfListsIsOneRun) {
  TemporaryFolder folder;
  const Changes lists{
      {"Wavelengths", "1.0,0.5,1.5"},           {"Effective radii", "0.1,0.1,0.3"},
      {"Shape", "cuboid,3,2,4,NULL,NULL,NULL"}, {"Euler phi", "0.0,30.0,30.0"},
      {"Euler theta", "0.2,0.5,0.7"},           {"Incident polarisation e0", "[1,0,0,0,0,0],yes"}};
  const auto all = run_control(folder, lists);
  ASSERT_EQ(all.size(),
            2u * 3 * 2 * 2 * 2 * 3);  // the range of radii ends at 0.3, which OpenDDA's sum misses
  // The last case alone.
  TemporaryFolder alone;
  Changes one = lists;
  one["Wavelengths"] = "1.5,0,1.5";
  one["Effective radii"] = "0.3,0,0.3";
  one["Euler phi"] = "30,0,30";
  one["Euler theta"] = "0.7,0,0.7";
  const auto last = run_control(alone, one);
  ASSERT_EQ(last.size(), 6u);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(all[all.size() - 6 + i], last[i], 1e-9);
  EXPECT_EQ(test::text_of(folder / "out/cases.csv").find("Qext_e1") == std::string::npos, false);
}

// Circular light against the two linear ones: both circular states together extinguish what both linear ones
// do, each within the mean polarizability of LDR.
TEST(OpenDda, CircularAndTurnedPolarizationsAreCombinationsOfTwo) {
  TemporaryFolder folder;
  folder.write("mixed.target", mixed_target);
  const Changes base{{"Shape", "mixed.target,3,3,2,NULL,NULL,NULL"},
                     {"Number of dielectric materials for the target", "2"},
                     {"Material 0", "1.5+0.1i"},
                     {"Material 1", "1.7+0.3i"},
                     {"Wavelengths", "200,0,200"}};
  const auto with = [&](const std::string& e0) {
    Changes c = base;
    c["Incident polarisation e0"] = e0;
    return run_control(folder, c);
  };
  const auto linear = with("[1,0,0,0,0,0],yes"), turned = with("[1,0,1,0,0,0],yes"),
             circular = with("[1,0,0,1,0,0],yes");
  ASSERT_EQ(circular.size(), 6u);
  for (int i = 0; i < 2; ++i) {
    const double sum = linear[i] + linear[i + 3];
    // S of LDR differs between the pairs: a term of b3 m^2 (k d)^2 / 4 = 2e-4 in the inverse polarizability.
    EXPECT_NEAR(turned[i] + turned[i + 3], sum, 2e-4 * std::abs(sum)) << i;
    EXPECT_NEAR(circular[i] + circular[i + 3], sum, 2e-4 * std::abs(sum)) << i;
  }
  EXPECT_GT(std::abs(turned[0] - linear[0]), 1e-3 * linear[0]);
}

TEST(OpenDda, TheTomlGivesTheSameNumbers) {
  TemporaryFolder folder;
  folder.write("mixed.target", mixed_target);
  const Changes changes{{"Shape", "mixed.target,3,3,2,NULL,NULL,NULL"},
                        {"Number of dielectric materials for the target", "2"},
                        {"Material 0", "1.5+0.1i"},
                        {"Material 1", "1.7+0.3i"},
                        {"Wavelengths", "3,1,4"}};
  run_control(folder, changes);
  const auto written = test::run(folder, "opendda control.input --to-toml case.toml");
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_TRUE(fs::exists(folder / "case_target.dat"));
  const std::string toml = test::text_of(folder / "case.toml");
  EXPECT_NE(toml.find("control.input:"), std::string::npos) << "lines are named";
  EXPECT_NE(toml.find("file = \"case_target.dat\""), std::string::npos) << toml;
  std::istringstream control(test::text_of(folder / "control.input"));
  int number = 1, found = 0;
  for (std::string line; std::getline(control, line); ++number)
    for (const auto& [text, index] : {std::pair("Material 0=", "1.5"), std::pair("Material 1=", "1.7")})
      if (line.starts_with(text)) {
        const auto at = toml.find(fmt::format("# control.input:{}\n", number));
        ASSERT_NE(at, toml.npos) << toml;
        const auto begin = toml.rfind('\n', at) + 1;
        EXPECT_NE(toml.substr(begin, at - begin).find(index), std::string::npos) << toml;
        ++found;
      }
  EXPECT_EQ(found, 2);
  const auto ran = test::run(folder, "dda case.toml --backend serial --no-pictures --output-dir again");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto column = [&](const std::string& file, const std::string& name) {
    std::istringstream in(test::text_of(folder / file));
    std::string head, row;
    std::getline(in, head);
    std::vector<double> out;
    std::size_t at = 0;
    for (std::istringstream h(head); std::getline(h, row, ',') && row != name;) ++at;
    while (std::getline(in, row)) {
      std::istringstream cells(row);
      std::string cell;
      for (std::size_t i = 0; i <= at; ++i) std::getline(cells, cell, ',');
      out.push_back(std::stod(cell));
    }
    return out;
  };
  for (const char* name : {"Cext_X [um^2]", "Cabs_Y [um^2]"}) {
    const auto a = column("out/cases.csv", name), b = column("again/cases.csv", name);
    ASSERT_EQ(a.size(), 2u) << name;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(a[i], b[i], 1e-9 * a[i]) << name;
  }
}

TEST(OpenDda, WhatCannotBeMeantIsRefusedByLine) {
  TemporaryFolder folder;
  const auto expect = [&](const Changes& c, const std::string& words) {
    const std::string text = refusal_of_control(c, folder);
    EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_EQ(text.find("control.input:"), 0u) << text;
  };
  expect({{"Wavelengths", "(absent)"}}, "no line begins with \"Wavelengths=\"");
  expect({{"Wavelengths", "(absent)"}, {"Wavelenghts", "1,0,1"}}, "did you mean 'Wavelengths'?");
  expect({{"Wavelengths", "1,0"}}, "needs minimum,increment,maximum");
  expect({{"Wavelengths", "-1,1,1"}}, "must be positive");
  expect({{"Wavelengths", "2,0.1,1"}}, "runs backwards");
  expect({{"Wavelengths", "1,1e-9,2"}}, "more than");
  expect({{"Euler theta", "0,30,90"}}, "is no cosine");
  expect({{"Incident polarisation e0", "[1,0,0,0,1,0],no"}}, "z component");
  expect({{"Incident polarisation e0", "[0,0,0,0,0,0],no"}}, "zero vector");
  expect({{"Incident polarisation e0", "[1,0,0,0,0,0],maybe"}}, "neither yes nor no");
  expect({{"Incident polarisation e0", "[1,0,0,0.5,0,0],no"}}, "elliptical");
  expect({{"Shape", "sphere,10,10,10,NULL,NULL,NULL"}}, "neither ellipsoid nor cuboid nor a file");
  expect({{"Shape", "ellipsoid,0,10,10,NULL,NULL,NULL"}}, "no number of sites along x");
  expect({{"Material 0", "NULL"}}, "neither an index");
  expect({{"Material 0", "glass"}}, "no refractive index");
  expect({{"Iterative scheme", "gmres,NULL"}}, "unknown scheme 'gmres'");
  expect({{"Iterative scheme", "mlbicgstab,51"}}, "no number of starting vectors (1 to 50);");
  expect({{"Iterative scheme", "rbicgstab,60"}}, "'60' is no L of BiCGSTAB(L) (1 to 50);");
  expect({{"Iterative scheme", "qmr,0"}}, "(1 to 50, or NULL)");
  expect({{"Iterative scheme", "rbicgstab,NULL"}}, "needs the L of BiCGSTAB(L), not NULL");
  expect({{"Output precision [DOUBLE]", "(absent)"}, {"Output precision", "[10]"}},
         "did you mean 'Output precision [DOUBLE]'?");
  expect({{"Iterative scheme", "mlbicgstab_ss,NULL"}}, "needs a number of starting vectors");
  expect({{"Convergence tolerance", "0"}}, "above 0");
  expect({{"Initial guess", "7"}}, "from 0 to 3");
  expect({{"Effective radii", "0.3,0,0.5"}}, "has the increment 0 between 0.3 and 0.5");
  expect({{"Effective radii", "0.3,1,0.5"}}, "an increment of 1 in a range of 0.2");
  expect({{"Material 0", "0+0i"}}, "material 0 has the index 0+0i (no material has it)");
  expect({{"Material 0", "1+0i"}}, "such a material does not scatter");
  expect({{"Maximum number of iterations", "0"}}, "at least 1");
  expect({{"Iterative scheme", "tfqrm,NULL"}}, "(known: bicg, bicg_sym, bicgstab, cg, cgs,");
  expect({{"Iterative scheme", "tfqrm,NULL"}}, "did you mean 'tfqmr'?");
}

// Its template allows n+ki, n+k, n,ki and n,k; it takes the first number as n whatever else is there.
TEST(OpenDda, AnIndexIsReadInItsOwnFormsOnly) {
  TemporaryFolder folder;
  for (const char* own : {"1.5+0.1i", "1.5+0.1I", "1.5+0.1", "1.5,0.1i", "1.5,0.1", " 1.5 +0.1 i",
                          "1.5 + 0.1i", "1.5 +  0.1"}) {
    folder.write("control.input", control_file({{"Material 0", own}}));
    const auto job = dda::opendda::make_job((folder / "control.input").string());
    EXPECT_EQ(job.control.materials[0].m, cplx(1.5, 0.1)) << own;
  }
  for (const auto& [given, words] : std::map<std::string, std::string>{
           {"0.1i+1.5", "first or alone (OpenDDA would take 0.1 as n); write n+ki, as '1.5+0.1i'"},
           {"1.5i", "write n+ki, as '0+1.5i'"},
           {"0.1i,1.5i", "first or alone"},
           {"1.5+i0.1", "no refractive index"},
           {"1.5 + -0.1i", "no refractive index"},
           {"1.5 +", "no refractive index"},
           {"i", "no refractive index"}}) {
    const std::string text = refusal_of_control({{"Material 0", given}}, folder);
    EXPECT_NE(text.find(words), std::string::npos) << given << ": " << text;
  }
  const std::string light =
      refusal_of_control({{"Incident polarisation e0", "[0.0i+1.0,0.0+0.0i,0.0+0.0i],no"}}, folder);
  EXPECT_NE(light.find("three complex numbers re+imi"), std::string::npos) << light;
  folder.write("n.input", "0.3,1.5+0.1i\n0.4,0.1i+1.5\n");
  try {
    dda::opendda::read_index_table((folder / "n.input").string());
    ADD_FAILURE() << "accepted";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("n.input:2: '0.4,0.1i+1.5' has an i that is not"), std::string::npos)
        << e.what();
  }
}

TEST(OpenDda, HowALineIsSetDoesNotMatter) {
  TemporaryFolder folder;
  folder.write("control.input", control_file());
  const std::string run = "opendda control.input --backend serial --no-pictures --output-dir ";
  ASSERT_EQ(test::run(folder, run + "plain").code, 0);
  std::string text = control_file({{"Shape", "(absent)"},
                                   {"Iterative scheme", "(absent)"},
                                   {"Euler psi", "(absent)"},
                                   {"Material 0", "(absent)"}});
  text +=
      "   # an indented remark with an = in it\n  SHAPE = ' Ellipsoid , 10, 10,10,null,NULL,Null '\n"
      "iterative  SCHEME='BiCGSTAB,null'\n\tEuler\tPsi ='80.0,0.0,80.0'\nmaterial  0=' 1.63631+0.372i'\n"
      "Colour of the target='red'\nfrom the archive\n";
  folder.write("control.input", text);
  const auto set = test::run(folder, run + "set");
  ASSERT_EQ(set.code, 0) << set.err;
  EXPECT_EQ(test::text_of(folder / "plain/OUTPUT_efficiencies.info"),
            test::text_of(folder / "set/OUTPUT_efficiencies.info"));
  for (const char* part : {"\"Colour of the target=\" is no description", "'from the archive' has no '='"})
    EXPECT_NE(set.err.find(part), std::string::npos) << set.err;
  EXPECT_EQ(set.err.find("indented"), std::string::npos) << set.err;
}

TEST(OpenDda, ARemarkMayStandBehindAValue) {
  TemporaryFolder folder;
  const auto read = [&](const std::string& line) {
    folder.write("control.input", control_file({{"Timing", "(absent)"}}) + line + "\n");
    return dda::opendda::make_job((folder / "control.input").string()).control.timing;
  };
  for (const char* line : {"Timing='1'   # at the end", "Timing='1'# it's '0'", "Timing=1 # no quotes"})
    EXPECT_TRUE(read(line)) << line;
  for (const auto& [line, words] : std::map<std::string, std::string>{
           {"Timing='1", "the value of \"Timing=\" has no closing quote; end it with '"},
           {"Timing='1' yes", "text behind the closing quote of \"Timing=\""},
           {"Timing='1' '0'x", "begin a remark with #"}}) {
    try {
      read(line);
      ADD_FAILURE() << line << " is accepted";
    } catch (const BadInput& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  }
}

TEST(OpenDda, ARemarkMayStandBehindAValueOfAFile) {
  TemporaryFolder folder;
  folder.write("list.input", "# radii\n0.5 # a remark\n\n  0.7# 0.8\n");
  EXPECT_EQ(dda::opendda::read_list((folder / "list.input").string()), (std::vector<double>{0.5, 0.7}));
  folder.write("n.input", "0.3,1.5+0.1i # a remark\n0.4,1.6 - 0.2i\n");
  const auto table = dda::opendda::read_index_table((folder / "n.input").string());
  EXPECT_EQ(table.m, (std::vector<cplx>{{1.5, 0.1}, {1.6, -0.2}}));
  folder.write("one.target", "0,0,0,0,0,0 # a remark\n");
  folder.write("control.input", control_file({{"Shape", "one.target,1,1,1,NULL,NULL,NULL"}}));
  EXPECT_EQ(dda::opendda::make_job((folder / "control.input").string()).sites, 1u);
}

TEST(OpenDda, CasesThatHaveNotConvergedAreSaid) {
  TemporaryFolder folder;
  folder.write("control.input",
               control_file({{"Maximum number of iterations", "1"}, {"Effective radii", "0.5,0.1,0.6"}}));
  const auto ended = test::run(folder, std::string("opendda control.input --quiet") + flags + "serial");
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_NE(ended.err.find("2 of 2 cases have not converged: column converged of out/cases.csv says which\n"),
            std::string::npos)
      << ended.err;
  EXPECT_NE(test::text_of(folder / "out/log").find("WARNING: 2 of 2 cases have"), std::string::npos);
  EXPECT_NE(test::text_of(folder / "out/OUTPUT_efficiencies.info").find("\n# not converged:\n3.175\t0.6"),
            std::string::npos);
}

TEST(OpenDda, TheInitialGuessIsThatOfTheFile) {
  TemporaryFolder folder;
  const auto start_residual = [&](const std::string& guess) {
    folder.write("control.input", control_file({{"Initial guess", guess}}));
    const auto ended =
        test::run(folder, "opendda control.input --backend serial --no-pictures --output-dir out" + guess);
    EXPECT_EQ(ended.code, 0) << ended.err;
    std::istringstream table(test::text_of(folder / ("out" + guess + "/cases.csv")));
    std::string head, row, name, cell;
    std::getline(table, head) && std::getline(table, row);
    std::istringstream names(head), cells(row);
    while (std::getline(names, name, ',') && std::getline(cells, cell, ',') && name != "start_residual") {
    }
    return name == "start_residual" ? std::stod(cell) : -1;
  };
  EXPECT_EQ(start_residual("0"), 1);  // of b itself
  const double incident = start_residual("2");
  EXPECT_GT(incident, 0);
  EXPECT_NE(incident, 1);
  EXPECT_EQ(start_residual("3"), 1);
}

TEST(OpenDda, AFlagOverWhatTheFileSaysIsRefused) {
  TemporaryFolder folder;
  folder.write("control.input", control_file());
  EXPECT_EQ(test::run(folder, "opendda control.input --solver bicgstab --dry-run").code, 0);
  const auto contradicted = test::run(folder, "opendda control.input --lambda 2");
  EXPECT_EQ(contradicted.code, 2);
  EXPECT_NE(contradicted.err.find("the file says that"), std::string::npos) << contradicted.err;
  EXPECT_FALSE(fs::exists(folder / "latest")) << "a refused run leaves nothing";
}

// Solvers that stand for OpenDDA's schemes end at the same efficiencies.
TEST(OpenDda, SchemesEndAtTheSameNumbers) {
  TemporaryFolder folder;
  const Changes small{{"Shape", "ellipsoid,6,6,6,NULL,NULL,NULL"}};
  const auto reference = run_control(folder, small);
  for (const char* scheme : {"cg", "cgs", "mlbicgstab,2", "mlbicgstab_orig,3", "mlbicgstab_ss,5", "qmr",
                             "rbicgstab,1", "rbicgstab,4", "tfqmr"}) {
    Changes c = small;
    c["Iterative scheme"] =
        std::string(scheme).find(',') == std::string::npos ? scheme + std::string(",NULL") : scheme;
    const auto found = run_control(folder, c);
    ASSERT_EQ(found.size(), 3u) << scheme;
    // the tolerance is 1e-10
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], reference[i], 1e-9) << scheme;
  }
}

TEST(OpenDda, TheNumberOfStartingVectorsGoesWithTheSolver) {
  TemporaryFolder folder;
  const auto solved = [&](const std::string& scheme) {
    run_control(folder,
                {{"Shape", "ellipsoid,6,6,6,NULL,NULL,NULL"}, {"Iterative scheme", scheme}, {"Timing", "1"}});
    const std::string resolved = test::text_of(folder / "out/resolved.toml");
    std::filesystem::remove_all(folder / "out");
    return resolved;
  };
  for (const char* name : {"mlbicgstab", "mlbicgstab_orig", "mlbicgstab_ss", "rbicgstab"}) {
    const std::string resolved = solved(name + std::string(",7"));
    EXPECT_NE(resolved.find(std::string("name = \"") + name + ",7\""), std::string::npos) << resolved;
  }
  EXPECT_NE(solved("qmr,7").find("name = \"qmr2\""), std::string::npos) << "of no use to it";
}

TEST(OpenDda, InputFilesThatNothingReadsAreNamed) {
  TemporaryFolder folder;
  folder.write("control.input", control_file());
  folder.write("INPUT_wavelength.input", "0.5\n");  // as OpenDDA's template has it, which opens another name
  folder.write("INPUT_refractive_index_vs_wavelength_material_1.input", "1,1.5,0\n2,1.5,0\n");
  const auto ended = test::run(folder, "opendda control.input --dry-run");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.err.find("INPUT_wavelength.input lies beside"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("material_1.input lies beside"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("materials count from 0"), std::string::npos) << ended.err;
}

TEST(OpenDda, AMaterialBeyondTheirNumberIsWarnedOf) {
  TemporaryFolder folder;
  folder.write("control.input", control_file({{"Material 1", "1.5+0.1i"}}));
  const auto ended = test::run(folder, "opendda control.input --dry-run");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.err.find("\"Material 1=1.5+0.1i\" is not read"), std::string::npos) << ended.err;
  folder.write("control.input", control_file());  // NULL, as in OpenDDA's template
  const auto plain = test::run(folder, "opendda control.input --dry-run");
  EXPECT_EQ(plain.err.find("is not read"), std::string::npos) << plain.err;
}

TEST(OpenDda, AFileThatGoesBeforeALineIsWarnedOf) {
  TemporaryFolder folder;
  folder.write("INPUT_incident_wavelength.input", "3.1\n");
  folder.write("INPUT_refractive_index_vs_wavelength_material_0.input", "3,1.7+0.3i\n4,1.7+0.3i\n");
  folder.write("control.input", control_file());
  const auto both = test::run(folder, "opendda control.input --dry-run");
  EXPECT_EQ(both.code, 0) << both.err;
  for (const char* words :
       {"\"Material 0=1.63631+0.372i\" is not read: INPUT_refractive_index_vs_wavelength_material_0.input is",
        "\"Wavelengths=3.175,0.0,3.175\" is not read: INPUT_incident_wavelength.input is there"})
    EXPECT_NE(both.err.find(words), std::string::npos) << both.err;
  folder.write("control.input", control_file({{"Material 0", "NULL"}, {"Wavelengths", "NULL"}}));
  const auto files = test::run(folder, "opendda control.input --dry-run");
  EXPECT_EQ(files.code, 0) << files.err;
  EXPECT_EQ(files.err.find("is not read"), std::string::npos) << files.err;
  const std::string none = refusal_of_control({{"Wavelengths", "(absent)"}}, folder);
  EXPECT_NE(
      none.find("INPUT_incident_wavelength.input is there, and is read where there is such a line); give "
                "Wavelengths='NULL'"),
      std::string::npos)
      << none;
}

TEST(OpenDda, ATargetCalledAsTemplatesAreIsNoFileThatNothingReads) {
  TemporaryFolder folder;
  folder.write("INPUT_target_custom.input", "0,0,0,0,0,0\n1,0,0,0,0,0\n");
  folder.write("control.input", control_file({{"Shape", "INPUT_target_custom.input,2,1,1,NULL,NULL,NULL"}}));
  const auto ended = test::run(folder, "opendda control.input --dry-run");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err.find("lies beside"), std::string::npos) << ended.err;
}

/// A run of OpenDDA's own in tests/data/opendda_samples.csv: what was varied, by which range, and its
/// numbers.
struct Sample {
  std::string key, range;
  std::vector<double> q;
};

std::map<std::string, Sample> samples() {
  std::map<std::string, Sample> out;
  std::istringstream in(test::text_of(test::data("opendda_samples.csv")));
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (line[0] == '#' || cells.size() != 7 || cells[0] == "sample") continue;
    Sample& s = out[cells[0]];
    s.key = cells[1];
    s.range = cells[2];
    std::replace(s.range.begin(), s.range.end(), ' ', ',');
    for (int i = 4; i < 7; ++i) s.q.push_back(std::stod(cells[i]));
  }
  return out;
}

// Its templates' wavelengths, radii and Euler angles; some of the spheres are far too coarse for the light,
// and must be so in the same way.
TEST(OpenDda, TheListsOfItsTemplatesGiveItsNumbers) {
  const auto all = samples();
  ASSERT_EQ(all.size(), 6u);
  for (const auto& [name, sample] : all) {
    SCOPED_TRACE(name);
    TemporaryFolder folder;
    Changes changes;
    if (!sample.key.empty()) changes[sample.key] = sample.range;
    expect_opendda(run_control(folder, changes, "cpu"), sample.q);
  }
}

TEST(OpenDda, ALineOfATargetIsCheckedByNumber) {
  TemporaryFolder folder;
  const Changes changes{{"Shape", "mixed.target,3,3,2,NULL,NULL,NULL"}};
  for (const auto& [line, words] :
       std::map<std::string, std::string>{{"0,0,2,0,0,0", "outside of the 2 sites"},
                                          {"0,0,0,0,0", "six numbers"},
                                          {"0,0,0,3,0,0", "material 3 is none of the 1"},
                                          {"0,0,x,0,0,0", "not a whole number"}}) {
    folder.write("mixed.target", line + "\n");
    folder.write("control.input", control_file(changes));
    try {
      dda::opendda::make_job((folder / "control.input").string());
      ADD_FAILURE() << line << " is accepted";
    } catch (const BadInput& e) {
      EXPECT_NE(std::string(e.what()).find("mixed.target:1: "), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  }
}

// ADDA's command line as a case: the same numbers by the way of `umov dda`.
TEST(AddaCommandLine, TheTomlGivesTheSameNumbers) {
  TemporaryFolder folder;
  const std::string line =
      "adda -shape ellipsoid 0.7 1.4 -grid 6 -m 1.5 0.1 -size 1 -lambda 2.5 -orient 10 20 30 "
      "-pol fcd -int fcd -iter bicgstab --backend serial --no-pictures";
  const auto ran = test::run(folder, line + " -dir direct");
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(test::run(folder, line + " --to-toml case.toml").code, 0);
  EXPECT_NE(test::text_of(folder / "case.toml").find("# adda -shape ellipsoid"), std::string::npos);
  const auto again = test::run(folder, "dda case.toml --output-dir again");
  ASSERT_EQ(again.code, 0) << again.err;
  const auto cext = [](const std::string& text) {
    return text.substr(text.find("Cext"), text.find(" um^2") - text.find("Cext"));
  };
  EXPECT_EQ(cext(ran.out), cext(again.out));
}

TEST(OpenDda, AMaterialWithoutDipoleIsWarnedOf) {
  TemporaryFolder folder;
  folder.write("one.target", "0,0,0,1,1,1\n1,0,0,1,1,1\n");
  folder.write("control.input", control_file({{"Shape", "one.target,2,1,1,NULL,NULL,NULL"},
                                              {"Number of dielectric materials for the target", "2"},
                                              {"Material 0", "1.5+0.1i"},
                                              {"Material 1", "1.7+0.3i"},
                                              {"Wavelengths", "3,0,3"}}));
  const auto ended = test::run(folder, std::string("opendda control.input") + flags + "serial");
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto first = ended.err.find("this material has no dipole on this grid");
  ASSERT_NE(first, std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("has no dipole", first + 30), std::string::npos) << "once: " << ended.err;
}
