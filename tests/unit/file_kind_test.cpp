// Kinds of files, told by content and ending; no reader takes its own for another.
#include "core/file_kind.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "dda/ddscat/dielectric.hpp"
#include "dda/ddscat/target.hpp"
#include "materials/nk_table.hpp"
#include "support/temp_folder.hpp"

using namespace umov;

namespace {

FileFormat format_of(const std::string& path, std::string_view content) {
  const FileKind* kind = kind_of_file(path, content);
  return kind ? kind->format : FileFormat::none;
}

std::string binary_stl(std::uint32_t triangles) {
  std::string bytes(80, ' ');
  bytes.append(reinterpret_cast<const char*>(&triangles), 4);
  return bytes + std::string(50 * triangles, '\0');
}

}  // namespace

TEST(FileKind, MeshesAreToldByTheirContentWhateverTheirName) {
  for (const std::string name : {"x.stl", "X.STL", "shape.dat"}) {
    EXPECT_EQ(format_of(name, "solid a\nfacet normal 0 0 1\nouter loop\n"), FileFormat::stl) << name;
    EXPECT_EQ(format_of(name, "SOLID A\r\nENDSOLID A\r\n"), FileFormat::stl) << name;
    EXPECT_EQ(format_of(name, binary_stl(2)), FileFormat::stl) << name;
    EXPECT_EQ(format_of(name, "# Blender\no Cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), FileFormat::obj)
        << name;
    EXPECT_EQ(format_of(name, "ply\nformat ascii 1.0\n"), FileFormat::ply) << name;
    EXPECT_EQ(format_of(name, "$MeshFormat\n4.1 0 8\n"), FileFormat::gmsh) << name;
  }
  EXPECT_EQ(format_of("cut.Stl", "damaged"), FileFormat::stl);
  EXPECT_EQ(format_of("cut.OBJ", ""), FileFormat::obj);
}

TEST(FileKind, PicturesAreToldByTheirFirstBytes) {
  using namespace std::string_view_literals;
  for (const auto bytes :
       {"\x89PNG\r\n\x1a\n"sv, "\xff\xd8\xff\xe0"sv, "II*\0"sv, "BM\x36\0\0\0\0\0\0\0\x36"sv})
    EXPECT_EQ(format_of("model", bytes), FileFormat::picture);
  EXPECT_EQ(format_of("model.tga", "\0\0\2"sv), FileFormat::picture);
  EXPECT_EQ(format_of("case", "BMW = 1\n"), FileFormat::none);
}

TEST(FileKind, CasesOfProgramsAreToldApart) {
  EXPECT_EQ(format_of("a", "# a case\nwavelength = 0.5\n[shape] # of the particle\nname = \"box\"\n"),
            FileFormat::toml);
  EXPECT_EQ(format_of("a", "[[material]]\nm = 1.5\n"), FileFormat::toml);
  EXPECT_EQ(format_of("A.TOML", "wavelength = 0.5\n"), FileFormat::toml);
  EXPECT_EQ(format_of("a", "' ========= Parameter file for v7.3 ====='\n'**** Preliminaries ****'\n"),
            FileFormat::ddscat);
  EXPECT_EQ(format_of("a", "'title'\n'**** Preliminaries'\n'NOTORQ' = CMDTRQ*6\n"), FileFormat::ddscat);
  EXPECT_EQ(format_of("a", "# OpenDDA\nWavelengths='0.5,0,0.5'\nBreakdown tolerance='1e-50'\n"),
            FileFormat::opendda);
  EXPECT_EQ(format_of("a", "silicate\n1 2 3 0 0 = columns for wave, Re(n), Im(n)\n"),
            FileFormat::ddscat_index);
}

TEST(FileKind, ListsOfDipolesAndTablesAreNoneOfThem) {
  EXPECT_EQ(format_of("s.geom", "#generated\n0 0 0\n1 0 0\n"), FileFormat::sites);
  EXPECT_EQ(format_of("s.geom", "Nmat=2\n0 0 0 1\n1 0 0 2\n"), FileFormat::sites);
  // DDSCAT's targets begin with a title that may be any
  EXPECT_EQ(format_of("t.dat", "solid sphere\n2 = NAT\n1 0 0\n0 1 0\n1 1 1\n0 0 0\nJA IX\n1 0 0 0 1 1 1\n"),
            FileFormat::none);
  EXPECT_EQ(format_of("nk.csv", "wl,n,k\n0.4,1.5,0.1\n"), FileFormat::none);
  EXPECT_EQ(format_of("nk.csv", "[um] [] []\n0.4 1.5 0.1\n"), FileFormat::none);
  EXPECT_EQ(format_of("", ""), FileFormat::none);
}

TEST(FileKind, WhatIsWantedIsNotRefused) {
  const std::string text = "[shape]\n";
  EXPECT_NO_THROW(refuse_other_kind("a", text, "a case is read here", FileFormat::toml));
  EXPECT_THROW(refuse_other_kind("a", text, "a list is read here"), BadInput);
  EXPECT_NO_THROW(refuse_other_kind("/nowhere/at/all", "options are read here"));
}

// Before: a table under such a heading, and a target under such a title, were refused as files of another
// kind.
TEST(FileKind, RightFilesMayHaveTheWordsOfOthersInTitlesAndHeadings) {
  const test::TempFolder folder;
  const auto written = [&](const std::string& name, const std::string& text) {
    const std::string path = folder / name;
    std::ofstream(path) << text;
    return path;
  };
  EXPECT_EQ(materials::read_nk(written("nk.txt", "off\n1 2 0\n2 2.5 0\n")).size(), 2u);
  const auto table = dda::ddscat::read_dielectric(
      written("table.tab", "4 5 6\n1 2 3 0 0\n7 8 9\n0.5 1.5 0\n0.7 1.4 0.01\n"));
  EXPECT_EQ(table.wavelength.size(), 2u);
  for (const std::string title : {"[shape]", "# vtk DataFile Version 3.0", "target of CMDTRQ"}) {
    const std::string rest = "\n1 = NAT\n1 0 0\n0 1 0\n1 1 1\n0 0 0\nJA IX IY IZ\n1 1 1 1 1 1 1\n";
    EXPECT_EQ(dda::ddscat::target_from_file(written("target.dat", title + rest), false, 1).sites.size(), 1u);
  }
  EXPECT_THROW(materials::read_nk(written("mesh.stl", "solid a\nfacet normal 0 0 1\n")), BadInput);
}
