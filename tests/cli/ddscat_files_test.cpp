// `umov ddscat`: one polarization, its case in TOML, dispersive materials, lines that are named, refusals,
// runs that go on.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/ddscat_runs.hpp"
#include "core/error.hpp"
#include "dda/ddscat/results.hpp"

using namespace umov;
using test::expect_digits;
using test::Numbers;
using test::ParFile;
using test::row;
using test::run_par;
using test::TemporaryFolder;

namespace {

/// Of each case in a table.
Numbers cext(const std::filesystem::path& table) {
  std::istringstream in(test::text_of(table));
  std::string line;
  std::getline(in, line);
  std::size_t at = 0;
  std::istringstream head(line);
  for (std::string name; std::getline(head, name, ',') && name != "Cext [um^2]";) ++at;
  Numbers out;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    for (std::size_t i = 0; i <= at; ++i) std::getline(cells, line, ',');
    out.push_back(std::stod(line));
  }
  return out;
}

std::string refusal_of_par(const ParFile& par, const TemporaryFolder& folder) {
  folder.write("m.tab", test::constant_index("1.5", "0.01"));
  folder.write("ddscat.par", par.text());
  try {
    dda::ddscat::make_job((folder / "ddscat.par").string());
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(DdScat, OnePolarizationHasNoMatrix) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.05"));
  ParFile par;
  par.orthogonal = "1";
  run_par(folder, par);
  const std::string text = test::text_of(folder / "out/w000r000k000.sca");
  EXPECT_EQ(text.find("JO=2:"), std::string::npos);
  EXPECT_NE(text.find("<|f11|^2>"), std::string::npos);
  const double f11 = row(folder, "w000r000k000.sca", "  1   0.0   0.0")[0];
  par.orthogonal = "2";
  run_par(folder, par);
  // Forward the prism does not turn polarizations: |f11|^2 = S11 + S12.
  const Numbers s = row(folder, "w000r000k000.sca", "  0.00   0.00");
  EXPECT_NEAR(f11, s[1] + s[2], 2e-3 * s[1]);
}

TEST(DdScat, TheTomlGivesTheSameNumbers) {
  TemporaryFolder folder;
  folder.write("m.tab",
               "a slope\n1 4 5 2 3 = columns of n, k and of eps\nwave eps1 eps2 n k\n0.3 2.25 0.1 0 0\n0.6 "
               "2.56 0.2 0 0\n"
               "0.9 3.0 0.3 0 0\n");
  ParFile par;
  par.shape = "'ELLIPSO_2'";
  par.parameters = "6 5 4";
  par.materials = "2\n'm.tab'\n'm.tab'";
  par.wavelengths = "0.4 0.6 2 'LIN'";
  par.theta = "0 90 2";
  run_par(folder, par);
  const auto written = test::run(folder, "ddscat ddscat.par --to-toml case.toml");
  ASSERT_EQ(written.code, 0) << written.err;
  const auto ran = test::run(folder, "dda case.toml --backend cpu --no-pictures --output-dir again");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Numbers a = cext(folder / "out/cases.csv"), b = cext(folder / "again/cases.csv");
  ASSERT_EQ(a.size(), 4u);
  expect_digits(a, b, 1e-8);
}

// Materials that depend on the wavelength along the axes of one site: each wavelength has the numbers of its
// run alone, in which they are plain tensors. n is linear in every file, so that any interpolation is exact.
TEST(DdScat, DispersiveTensorsGoThroughSeveralWavelengths) {
  TemporaryFolder folder;
  const char* head = "a slope\n1 2 3 0 0 = columns of n and k\nwave n k\n";
  folder.write("a.tab", std::string(head) + "0.3 1.3 0.01\n0.6 1.6 0.02\n0.9 1.9 0.03\n");
  folder.write("b.tab", std::string(head) + "0.3 1.6 0.02\n0.6 1.6 0.02\n0.9 1.6 0.02\n");
  folder.write("c.tab", std::string(head) + "0.3 1.5 0.04\n0.6 1.4 0.03\n0.9 1.3 0.02\n");
  std::string sites = "a block\n24\n1 0 0\n0 1 0\n1 1 1\n0 0 0\nJA IX IY IZ ICOMP(x,y,z)\n";
  int site = 0;
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 4; ++z) sites += fmt::format("{} {} {} {} 1 2 3\n", ++site, x, y, z);
  folder.write("shape.dat", sites);
  ParFile par;
  par.shape = "'FROM_FILE'";
  par.materials = "3\n'a.tab'\n'b.tab'\n'c.tab'";
  Numbers alone;
  for (const char* wavelength : {"0.45", "0.6", "0.75"}) {
    par.wavelengths = fmt::format("{0} {0} 1 'LIN'", wavelength);
    run_par(folder, par);
    const Numbers one = cext(folder / "out/cases.csv");
    alone.insert(alone.end(), one.begin(), one.end());
    std::filesystem::remove_all(folder / "out");
  }
  par.wavelengths = "0.45 0.75 3 'LIN'";
  run_par(folder, par);
  const Numbers all = cext(folder / "out/cases.csv");
  ASSERT_EQ(all.size(), 3u);
  ASSERT_EQ(alone.size(), 3u);
  expect_digits(all, alone, 1e-7);

  // and so does the case in TOML, whose material names the lines of its three files
  ASSERT_EQ(test::run(folder, "ddscat ddscat.par --to-toml case.toml").code, 0);
  std::istringstream lines(par.text());
  int number = 0;
  for (std::string line; std::getline(lines, line) && line != "'a.tab'";) ++number;
  const std::string toml = test::text_of(folder / "case.toml");
  const std::string line =
      toml.substr(toml.find("nk_file ="), toml.find('\n', toml.find("nk_file =")) - toml.find("nk_file ="));
  for (int k = 1; k <= 3; ++k)
    EXPECT_NE((line + ",").find(fmt::format("ddscat.par:{},", number + k)), std::string::npos) << line;
  const auto ran = test::run(folder, "dda case.toml --backend cpu --no-pictures --output-dir again");
  ASSERT_EQ(ran.code, 0) << ran.err;
  expect_digits(cext(folder / "again/cases.csv"), all, 1e-8);
}

TEST(DdScat, EachMaterialOfATranslatedCaseNamesItsLine) {
  TemporaryFolder folder;
  folder.write("a.tab", test::constant_index("1.3", "0.01"));
  folder.write("b.tab", test::constant_index("1.5", "0.01"));
  ParFile par;
  par.shape = "'ELLIPSO_2'";
  par.parameters = "6 5 4";
  par.materials = "2\n'a.tab'\n'b.tab'";
  folder.write("ddscat.par", par.text());
  ASSERT_EQ(test::run(folder, "ddscat ddscat.par --to-toml case.toml").code, 0);
  std::istringstream toml(test::text_of(folder / "case.toml")), lines(par.text());
  int number = 1;
  for (std::string line; std::getline(lines, line) && line != "'a.tab'";) ++number;
  std::vector<std::string> m;
  for (std::string line; std::getline(toml, line);)
    if (line.starts_with("m = ")) m.push_back(line);
  ASSERT_EQ(m.size(), 2u);
  EXPECT_TRUE(m[0].ends_with(fmt::format("ddscat.par:{}", number))) << m[0];
  EXPECT_TRUE(m[1].ends_with(fmt::format("ddscat.par:{}", number + 1))) << m[1];
}

/// Fortran's own list-directed output of some compilers: r*c is c, r times (ISO/IEC 1539-1).
TEST(DdScat, AValueMayBeWrittenOnceWithHowOftenItComes) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.01"));
  ParFile par;
  par.shape = "'ELLIPSOID'";
  par.parameters = "3*6.";
  par.beta = "2*0. 1";
  par.wavelengths = "2*0.5, 1 'LIN'";
  folder.write("ddscat.par", par.text());
  const auto job = dda::ddscat::make_job((folder / "ddscat.par").string());
  EXPECT_EQ(job.parameters.shape_parameters, (Numbers{6, 6, 6}));
  EXPECT_EQ(job.parameters.wavelengths, Numbers{0.5});
  par.parameters = "2*6.";
  EXPECT_NE(refusal_of_par(par, folder).find("shape parameter 3 of ELLIPSOID"), std::string::npos);
  par.parameters = "3* 6. 6. 6.";
  EXPECT_NE(refusal_of_par(par, folder).find("no value after '*'"), std::string::npos);
  par.parameters = "0*6. 6. 6. 6.";
  EXPECT_NE(refusal_of_par(par, folder).find("repeats no number of times"), std::string::npos);
}

TEST(DdScat, WhatCannotBeMeantIsRefusedByNameAndLine) {
  TemporaryFolder folder;
  const auto expect = [&](std::string ParFile::*field, const std::string& value, const std::string& words) {
    ParFile par;
    par.*field = value;
    const std::string text = refusal_of_par(par, folder);
    EXPECT_NE(text.find("ddscat.par:"), std::string::npos) << text;
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  expect(&ParFile::torque, "'DOTORQ'", "torques are not computed");
  expect(&ParFile::solver, "'CCGPAK'", "none of PBCGS2");
  expect(&ParFile::binary, "'ALLBIN'", "binary files are not written");
  expect(&ParFile::shape, "'RCTGL_PBC'", "periodic targets are not computed");
  expect(&ParFile::shape, "'GAUSS_SPH'", "give FROM_FILE");
  expect(&ParFile::shape, "'RCTGLPRSN'", "did you mean 'RCTGLPRSM'?");
  expect(&ParFile::parameters, "4 6", "shape parameter 3 of RCTGLPRSM");
  expect(&ParFile::parameters, "0 6 8", "parameter 1 is 0");
  expect(&ParFile::near_field, "1", "near fields are not computed");
  expect(&ParFile::tolerance, "0", "must be positive");
  expect(&ParFile::wavelengths, "0.5 0.6 3 'GEO'", "none of LIN, INV, LOG, TAB");
  expect(&ParFile::wavelengths, "0.5 0.5 3 'LIN'", "between equal ends");
  expect(&ParFile::polarization, "(1,0) (1.,0.) (0.,0.)", "direction of the wave");
  expect(&ParFile::polarization, "0 1 0", "write (re,im)");
  expect(&ParFile::first, "1 0 0", "--resume");
  expect(&ParFile::elements, "1\n15", "no element");
  expect(&ParFile::frame, "'EFRAME'", "none of LFRAME, TFRAME");
  expect(&ParFile::planes, "2\n0. 0. 180. 30", "the file ends before scattering plane 2");
  expect(&ParFile::planes, "1\n0. 0. 180. 0", "the step of theta is 0");
  ParFile par;
  par.wavelengths = "1e6 1e6 1 'LIN'";
  EXPECT_NE(refusal_of_par(par, folder).find("m.tab: the wavelength"), std::string::npos);
  par = {};
  par.method = "'LATTDR'";
  par.polarization = "(0,0) (2.,0.) (0.,1.)";
  EXPECT_NE(refusal_of_par(par, folder).find("elliptical light with LATTDR"), std::string::npos);
}

TEST(DdScat, ListsAndAnglesThatWouldLoseValuesAreRefused) {
  TemporaryFolder folder;
  ParFile par;
  par.wavelengths = "0.5 0.9 1 'LIN'";
  EXPECT_NE(refusal_of_par(par, folder).find("1 of wavelengths between different ends, 0.5 and 0.9"),
            std::string::npos)
      << refusal_of_par(par, folder);
  par = {};
  par.theta = "0. 270. 4";
  EXPECT_NE(refusal_of_par(par, folder).find("THETA runs from 0 to 270"), std::string::npos)
      << refusal_of_par(par, folder);
  par.theta = "200. 200. 1";
  EXPECT_EQ(refusal_of_par(par, folder), "accepted") << "one angle may be any";
}

TEST(DdScat, MaterialsAreRefusedByTheLineThatNamesThem) {
  TemporaryFolder folder;
  ParFile par;
  par.materials = "1\n'gold.tab'";
  folder.write("ddscat.par", par.text());
  std::istringstream lines(par.text());
  int number = 0;
  for (std::string line;
       std::getline(lines, line) && ++number && line.find("gold.tab") == std::string::npos;) {
  }
  const std::string place = fmt::format("ddscat.par:{}: ", number);
  const std::string missing = refusal_of_par(par, folder);
  EXPECT_NE(missing.find(place + "there is no file"), std::string::npos) << missing;
  EXPECT_NE(missing.find("gold.tab"), std::string::npos) << missing;
  par.medium = "1.5";
  folder.write("gold.tab", test::constant_index("1.5", "0"));
  const std::string unseen = refusal_of_par(par, folder);
  EXPECT_NE(unseen.find(place), std::string::npos) << unseen;
  EXPECT_NE(unseen.find("has the index of the medium, 1.5"), std::string::npos) << unseen;
}

// tarsell.f90 of DDSCAT 7.3.3 sets A1 = (1,0,0) and A2 = (0,0,1), where tarell.f90 sets A2 = (0,1,0); the
// heading of the former says otherwise. With both exponents 1 the sites are the ellipsoid's.
TEST(DdScat, TheSuperellipsoidHasItsOwnSecondAxis) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.01"));
  const auto target = [&](const std::string& shape, const std::string& parameters) {
    ParFile par;
    par.shape = shape;
    par.parameters = parameters;
    folder.write("ddscat.par", par.text());
    return dda::ddscat::make_job((folder / "ddscat.par").string()).target;
  };
  const auto super = target("'SUPELLIPS'", "8 6 10 1 1"), plain = target("'ELLIPSOID'", "8 6 10");
  EXPECT_EQ(super.a1, (Vec3{1, 0, 0}));
  EXPECT_EQ(super.a2, (Vec3{0, 0, 1}));
  EXPECT_EQ(plain.a2, (Vec3{0, 1, 0}));
  EXPECT_EQ(super.sites.site, plain.sites.site);
}

TEST(DdScat, AStoppedRunGoesOn) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.05"));
  ParFile par;
  par.wavelengths = "0.4 0.6 3 'LIN'";
  run_par(folder, par);
  const auto again = test::run(folder, "ddscat ddscat.par --resume out --backend cpu");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.out.find("is finished"), std::string::npos) << again.out;
  // what is asked for beyond it is not passed over
  for (const char* more : {"--epsilon 1e-3", "--radiation-pressure", "--case-folders", "--no-csv"}) {
    const auto other = test::run(folder, std::string("ddscat ddscat.par --resume out ") + more);
    EXPECT_EQ(other.code, 2) << more << other.out;
    EXPECT_NE(other.err.find("out: the run there is finished, of another case ("), other.err.npos)
        << other.err;
  }
}

TEST(DdScat, AFinishedRunIsOfItsInput) {
  TemporaryFolder folder;
  const std::string index = test::constant_index("1.5", "0.05");
  folder.write("m.tab", index);
  ParFile par;
  run_par(folder, par);
  const std::string text = test::text_of(folder / "ddscat.par");
  const auto again = [&] { return test::run(folder, "ddscat ddscat.par --resume out --backend cpu"); };
  const auto expect_refused = [&](const std::string& what) {
    const auto ended = again();
    EXPECT_EQ(ended.code, 2) << what << ended.out;
    EXPECT_NE(ended.err.find("out: the run there is finished, of another case (ddscat.par, or a file that it "
                             "names, has changed)"),
              ended.err.npos)
        << what << ended.err;
  };
  EXPECT_EQ(again().code, 0);
  par.wavelengths = "0.7 0.7 1 'LIN'";
  folder.write("ddscat.par", par.text());
  expect_refused("another wavelength");
  folder.write("ddscat.par", text);
  folder.write("m.tab", test::constant_index("1.5", "0.06"));
  expect_refused("another index");
  folder.write("m.tab", index);
  EXPECT_EQ(again().code, 0);
}

TEST(DdScat, RowsOfAnotherLightOrOtherAveragesAreNotTakenOver) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.05"));
  ParFile par;
  par.iterations = "1";  // rows that have not converged stay
  folder.write("ddscat.par", par.text());
  ASSERT_EQ(test::run(folder, std::string("ddscat ddscat.par") + test::ddscat_flags).code, 3);
  const auto goes_on = [&](const ParFile& now) {
    folder.write("ddscat.par", now.text());
    return test::run(folder, "ddscat ddscat.par --resume out --backend cpu");
  };
  ParFile elliptic = par, finer = par;
  elliptic.polarization = "(0,0) (1.,0.) (0.,.5)";
  finer.eta = "0.4";
  for (const auto& [now, said] : {std::pair{elliptic, "polarization: "}, std::pair{finer, "ETASCA: 0.4"}}) {
    const auto ended = goes_on(now);
    EXPECT_EQ(ended.code, 2) << said << ended.out;
    EXPECT_NE(ended.err.find("the finished rows are of another case"), ended.err.npos) << ended.err;
    EXPECT_NE(ended.err.find(said), ended.err.npos) << ended.err;
  }
  EXPECT_EQ(goes_on(par).code, 3);
}

/// On 8 sites none is nearer to the middle than sqrt(3)/2 spacings.
TEST(DdScat, AMaterialWithoutDipoleIsWarnedOf) {
  TemporaryFolder folder;
  folder.write("m.tab", test::constant_index("1.5", "0.05"));
  ParFile par;
  par.shape = "'CONELLIPS'";
  par.materials = "2\n'm.tab'\n'm.tab'";
  const std::string warning = "ddscat.par:14: this material has no dipole on this grid";
  for (const auto& [core, told] : {std::pair{"1 1 1", true}, {"4 4 4", false}}) {
    par.parameters = std::string("8 8 8 ") + core;
    const auto ended = run_par(folder, par);
    EXPECT_EQ(ended.err.find(warning) != std::string::npos, told) << core << ended.err;
    EXPECT_EQ(test::text_of(folder / "out/log").find("WARNING: " + warning) != std::string::npos, told);
    std::filesystem::remove_all(folder / "out");
  }
}
