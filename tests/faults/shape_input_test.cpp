// Bad input to the shapes: every refusal names what is wrong and where.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/error.hpp"
#include "shapes/particle.hpp"
#include "support/temp_folder.hpp"

namespace umov::shapes {
namespace {

/// The message of the BadInput that make_particle throws; empty if it does not.
std::string refusal(const Request& q) {
  try {
    make_particle(q);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

std::string of_shape(const std::string& shape, const std::vector<double>& arguments) {
  Request q;
  q.shape = shape;
  q.arguments = arguments;
  q.grid[0] = 8;
  return refusal(q);
}

std::string of_file(const std::string& text, const std::string& shape = "read") {
  const test::TempFolder folder;  // tests run side by side
  const std::string path = folder / "umov_fault.geom";
  std::ofstream(path) << text;
  Request q;
  q.shape = shape;
  q.file = path;
  return refusal(q);
}

#define EXPECT_SAYS(message, part) EXPECT_NE((message).find(part), std::string::npos) << (message)

TEST(ShapeInput, MissingFileIsNamed) {
  Request q;
  q.shape = "read";
  q.file = "/nowhere/particle.geom";
  EXPECT_SAYS(refusal(q), "/nowhere/particle.geom");
  q.file = "/";
  EXPECT_SAYS(refusal(q), "it is a folder");
  q.file = "";
  EXPECT_SAYS(refusal(q), "file name");
}

TEST(ShapeInput, BrokenLineIsShownWithFileAndNumber) {
  const std::string message = of_file("#c\n0 0 0\n1 0 zero\n");
  EXPECT_SAYS(message, "umov_fault.geom:3:");
  EXPECT_SAYS(message, "1 0 zero");
  EXPECT_SAYS(of_file("0 0 0 1\n"), "Nmat=<n>");
  EXPECT_SAYS(of_file("Nmat=2\n0 0 0\n"), "geom:2:");
  EXPECT_SAYS(of_file("Nmat=two\n0 0 0 1\n"), "geom:1:");
  EXPECT_SAYS(of_file("head\n2 = NAT\n1 0 0\n0 1 0\n1 1 1\nJA\n1 0 0 0 1 1 1\n2 x\n"), "geom:8:");
  EXPECT_SAYS(of_file("1 0\n2 2\n3\n", "axisymmetric"), "geom:3:");
  EXPECT_SAYS(of_file("1 0\n-2 2\n3 0\n", "axisymmetric"), "negative rho");
}

namespace {

/// A DDSCAT 7 file of the rows, which announces `count` dipoles.
std::string ddscat(const std::string& rows, int count) {
  return fmt::format("head\n{} = NAT\n1. 0. 0. = A_1\n0,1,0\n3*1 = d\n0. 0. 0.\nJA IX IY IZ ICOMP\n{}", count,
                     rows);
}

}  // namespace

TEST(ShapeInput, DdscatFilesAreReadAsFortranReadsLists) {
  for (const char* rows :
       {"1 0 0 0 1 1 1\n2 1 0 0 1 1 1\n", "1,0,0,0,1,1,1\n2 , 1 , 0,0 1 1 1\n", "1 3*0 3*1\n2 1 2*0 3*1\n",
        "1 0 0 0 1 1 1 / core\n2 +1 0 0 1 1 1 ! shell\n", "1 0 0 0 1 1 1 0. 0.0 0d0\n2 1 0 0 1 1 1 3*0\n",
        "*** 0 0 0 1 1 1\n*** 1 0 0 1 1 1\n"})
    EXPECT_EQ(of_file(ddscat(rows, 2)), "") << rows;
  // exponents of double precision, and one without its letter, in the header
  EXPECT_EQ(of_file("head\n1\n1.D0 0D0 0.0d+0\n0 1.0 0\n1.0+0 10.0E-1 .1D1\nJA\n1 0 0 0 1 1 1\n"), "");
  EXPECT_SAYS(of_file("head\n1\n1 0 0\n0 1 0\n1 1 1.5D0\nJA\n1 0 0 0 1 1 1\n"), "geom:5: lattice spacings");
  for (const char* row : {"2 1.0 0 0 1 1 1", "2,,1 0 0 1 1 1", "2 1 0 0 1 1", "2 1 0 0 2* 1 1 1",
                          "2 1 0 0 / 1 1 1", "2 '1' 0 0 1 1 1", "2 1 0 0 1e0 1 1"})
    EXPECT_SAYS(of_file(ddscat(std::string("1 0 0 0 1 1 1\n") + row + "\n", 2)), "geom:9: broken line");
}

TEST(ShapeInput, DdscatColumnsThatAreNotReadAreRefused) {
  for (const char* end : {"1", "2*0", "0 0 0 0", "4*0", "0.5 x"})
    EXPECT_SAYS(of_file(ddscat(fmt::format("1 0 0 0 1 1 1\n2 1 0 0 1 1 1 {}\n", end), 2)),
                "geom:9: more columns than are read");
  // ANIFRMFIL: the angles of the dielectric frame
  EXPECT_SAYS(of_file(ddscat("1 0 0 0 1 1 1 0 0 0\n2 1 0 0 1 1 1 0. 0.7853982 0.\n", 2)),
              "geom:9: angles of the material's axes");
}

TEST(ShapeInput, BrokenFirstRowsOfDdscatFilesAreNamedByTheirOwnLines) {
  const std::string header = "head of 1.5 2.3\n2 = NAT\n1 0 0\n0 1 0\n1 1 1\n";
  for (const char* rows : {"1 0. 0 0 1 1 1\n2 1 0 0 1 1 1\n", "1 0 0 0\n 1 1 1\n2 1 0 0\n 1 1 1\n"}) {
    EXPECT_SAYS(of_file(header + "0 0 0\nJA IX IY IZ\n" + rows), "geom:8: broken line");
    EXPECT_SAYS(of_file(header + "JA IX IY IZ\n" + rows), "geom:7: broken line");
    EXPECT_SAYS(of_file(header + "JA IX IY IZ\n" + rows), "DDSCAT 6 format");
  }
  // a heading does not make a list of sites a DDSCAT file
  EXPECT_SAYS(of_file("x y z\n0 0 0\n1 0 0\n2 0 0\n3 0 0\n4 0 0\n5 0 0\n6 0 0\n"), "geom:1: broken line");
}

TEST(ShapeInput, DdscatFilesWithOtherThanTheAnnouncedDipolesAreRefused) {
  const std::string rows = "1 0 0 0 1 1 1\n2 1 0 0 1 1 1\n";
  EXPECT_SAYS(of_file(ddscat(rows, 3)),
              "geom:2: 3 dipoles are announced, but 2 lines with dipoles follow (the file is cut off");
  EXPECT_SAYS(of_file(ddscat(rows, 1)), "geom:2: 1 dipoles are announced, but 2 lines");
}

TEST(ShapeInput, FileWithoutDipolesIsRefused) {
  EXPECT_SAYS(of_file(""), "no dipoles");
  EXPECT_SAYS(of_file("# only a comment\n\n"), "no dipoles");
  EXPECT_SAYS(of_file("1 0\n2 0\n", "axisymmetric"), "at least 3");
  EXPECT_SAYS(of_file("1 0\n1 1\n1 2\n", "axisymmetric"), "no area");
}

TEST(ShapeInput, DuplicateDipoleIsRefused) {
  const std::string message = of_file("0 0 0\n1 0 0\n0 0 0\n");
  EXPECT_SAYS(message, "geom:3:");
  EXPECT_SAYS(message, "line 1 has the same");
}

TEST(ShapeInput, MaterialOutOfRangeIsRefused) {
  EXPECT_SAYS(of_file("Nmat=1\n0 0 0 0\n"), "material number 0");
  EXPECT_SAYS(of_file("Nmat=1\n0 0 0 -1\n"), "geom:2:");
  EXPECT_SAYS(of_file("Nmat=1\n0 0 0 256\n"), "material number 256");
}

TEST(ShapeInput, HugeCoordinateIsRefused) {
  EXPECT_SAYS(of_file("0 0 0\n65535 0 0\n"), "too far");
  EXPECT_SAYS(of_file("0 0 0\n99999999999999999999999 0 0\n"), "geom:2:");
  EXPECT_EQ(of_file("3000000 0 0\n3000001 0 0\n"), "");
}

TEST(ShapeInput, UnknownShapeSuggestsTheNearest) {
  EXPECT_SAYS(of_shape("shpere", {}), "did you mean 'sphere'");
  EXPECT_SAYS(of_shape("qqqqqqqq", {}), "capsule");
}

TEST(ShapeInput, NumberOfArgumentsIsChecked) {
  EXPECT_SAYS(of_shape("sphere", {1}), "wrong number of arguments");
  EXPECT_SAYS(of_shape("ellipsoid", {1}), "2 expected");
  EXPECT_SAYS(of_shape("coated", {0.5, 0}), "1 or 4 expected");
  EXPECT_SAYS(of_shape("onion", {}), "expected");
  EXPECT_SAYS(of_shape("onion_ell", {1, 1}), "3 to");
}

TEST(ShapeInput, ArgumentsOutOfRangeAreNamed) {
  EXPECT_SAYS(of_shape("cylinder", {0}), "height to diameter ratio");
  EXPECT_SAYS(of_shape("cylinder", {-1}), "must be positive");
  EXPECT_SAYS(of_shape("bisphere", {-0.1}), "must not be negative");
  EXPECT_SAYS(of_shape("coated", {1.1}), "[0, 1]");
  EXPECT_SAYS(of_shape("coated", {0.5, 0.4, 0, 0}), "sticks out");
  EXPECT_SAYS(of_shape("coated2", {0.5, 0.6}), "dc/d");
  EXPECT_SAYS(of_shape("onion", {0.5, 0.6}), "internal");
  EXPECT_SAYS(of_shape("plate", {1.5}), "(0, 1]");
  EXPECT_SAYS(of_shape("egg", {0.5, 0.5}), "nu");
  EXPECT_SAYS(of_shape("chebyshev", {1.5, 3}), "amplitude");
  EXPECT_SAYS(of_shape("chebyshev", {0.5, 2.5}), "whole number");
  EXPECT_SAYS(of_shape("prism", {2, 1}), "at least 3");
  EXPECT_SAYS(of_shape("rbc", {0.1, 0.2, 0.5}), "biconcave");
  EXPECT_SAYS(of_shape("superellipsoid", {1, 1, -1, 1}), "exponent e");
  EXPECT_SAYS(of_shape("ellipsoid", {1, NAN}), "not a finite number");
  EXPECT_SAYS(of_shape("ellipsoid", {INFINITY, 1}), "argument 1");
}

TEST(ShapeInput, ScaleMustBePositiveAndFinite) {
  for (double bad : {0.0, -1.0, double(NAN), double(INFINITY)}) {
    Request q;
    q.size = bad;
    EXPECT_SAYS(refusal(q), "particle size");
    q = {};
    q.eq_radius = bad;
    EXPECT_SAYS(refusal(q), "radius");
    q = {};
    q.dpl = bad;
    EXPECT_SAYS(refusal(q), "dpl");
    q = {};
    q.wavelength = bad;
    EXPECT_SAYS(refusal(q), "wavelength");
    q = {};
    q.rectangular[1] = bad;
    EXPECT_SAYS(refusal(q), "rectangular");
  }
}

TEST(ShapeInput, GridMustHoldTheParticle) {
  Request q;
  q.grid = {-8, 0, 0};
  EXPECT_SAYS(refusal(q), "grid size along x");
  q.grid = {8, 8, 0};
  EXPECT_SAYS(refusal(q), "incomplete grid");
  q.grid = {8, 7, 8};
  EXPECT_SAYS(refusal(q), "does not fit");
  q.grid = {70000, 0, 0};
  EXPECT_SAYS(refusal(q), "1 to 65535");
  q = {};
  q.size = 1e9;
  EXPECT_SAYS(refusal(q), "coarser grid");
  q = {};
  q.shape = "box";
  q.arguments = {0.01, 1};
  q.grid[0] = 8;
  EXPECT_SAYS(refusal(q), "thinner than half a dipole");
}

TEST(ShapeInput, TooMuchOrTooLittleIsRefused) {
  Request q;
  q.size = 1;
  q.dpl = 10;
  q.grid[0] = 8;
  EXPECT_SAYS(refusal(q), "too much information");
  q = {};
  q.size = 1;
  q.eq_radius = 1;
  EXPECT_SAYS(refusal(q), "both given");
  q = {};
  q.shape = "line";
  q.eq_radius = 1;
  EXPECT_SAYS(refusal(q), "not known");
}

TEST(ShapeInput, EmptyParticleIsRefused) {
  // No site centre of this grid lies within a shell this thin: e, n large make a star along the axes.
  EXPECT_SAYS(of_shape("superellipsoid", {1, 1, 20, 20}), "all sites are void");
}

TEST(ShapeInput, HugeBoxIsBadInput) {
  Request q;
  q.grid[0] = 65535;
  EXPECT_THROW(make_particle(q), BadInput);
}

TEST(ShapeInput, GranulesAreChecked) {
  Request q;
  q.granules = Request::Granules{0.9, 1, 1};
  EXPECT_SAYS(refusal(q), "volume fraction");
  q.granules = Request::Granules{0.1, -1, 1};
  EXPECT_SAYS(refusal(q), "granule diameter");
  q.granules = Request::Granules{0.1, 1, 2};
  EXPECT_SAYS(refusal(q), "domain 2");
  q.granules = Request::Granules{0.1, 100, 1};
  q.volume_correction = false;  // which would shrink them until one fits
  EXPECT_SAYS(refusal(q), "too large");
  q.granules = Request::Granules{0.1, 1, 1};
  q.rectangular = {1, 2, 1};
  EXPECT_SAYS(refusal(q), "rectangular");
}

TEST(ShapeInput, UnwritableFolderIsNamedWhenSaving) {
  try {
    save_particle(make_particle({}), "/nowhere/sphere.geom", ShapeFormat::text, "sphere");
    FAIL() << "saved";
  } catch (const BadInput& error) {
    EXPECT_SAYS(std::string(error.what()), "/nowhere/sphere.geom");
  }
}

}  // namespace
}  // namespace umov::shapes
