// Directories of `umov pmaxwell`: their bytes, other writers' files, and what is wrong with bad ones.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "pmaxwell/directory.hpp"
#include "pmaxwell/vtk_file.hpp"
#include "support/temp_folder.hpp"

namespace umov::pmaxwell {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// 2 x 1 x 1 points with (1, -2) and (0.5, 3e-7).
const std::string head =
    "# vtk DataFile Version 2.0\nby hand\nASCII\nDATASET RECTILINEAR_GRID\nDIMENSIONS 2 1 1\n";
const std::string axes =
    "X_COORDINATES 2 float\n0 0.5\nY_COORDINATES 1 float\n1\nZ_COORDINATES 1 float\n-3\n";
const std::string data = "POINT_DATA 2\nSCALARS a float 2\nLOOKUP_TABLE default\n1 -2\n0.5 3e-7\n";

class PmaxwellFile : public testing::Test {
 protected:
  std::string write(const std::string& text, const std::string& name = "a.vtk") {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  /// What the refusal says, without the path, which it must name.
  std::string refusal(const std::string& text) {
    const std::string path = write(text);
    try {
      (void)read_complex_grid(path);
    } catch (const BadInput& e) {
      const std::string what = e.what();
      EXPECT_EQ(what.find(path), 0u) << what;
      return what.substr(path.size());
    }
    return "accepted";
  }
  void expect_refusal(const std::string& text, const std::string& part) {
    const std::string what = refusal(text);
    EXPECT_NE(what.find(part), std::string::npos) << what;
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
  static std::string big_endian(std::initializer_list<float> values, bool turned = false) {
    std::string out;
    for (const float v : values) {
      std::uint32_t bits;
      std::memcpy(&bits, &v, 4);
      for (int b = 0; b < 4; ++b) out += char(bits >> (turned ? 8 * b : 24 - 8 * b));
    }
    return out;
  }
  static std::string binary(bool turned = false, const std::string& tail = "\n") {
    return "# vtk DataFile Version 3.0\n\nBINARY\nDATASET RECTILINEAR_GRID\nDIMENSIONS 2 1 1\nX_COORDINATES "
           "2 float\n" +
           big_endian({0, 0.5f}, turned) + "\nY_COORDINATES 1 float\n" + big_endian({1}, turned) +
           "\nZ_COORDINATES 1 float\n" + big_endian({-3}, turned) +
           "\nPOINT_DATA 2\nSCALARS a float 2\nLOOKUP_TABLE default\n" +
           big_endian({1, -2, 0.5f, 3e-7f}, turned) + tail;
  }
  static void expect_values(const ComplexGrid& g) {
    EXPECT_EQ(g.points(), (Int3{2, 1, 1}));
    ASSERT_EQ(g.values.size(), 2u);
    EXPECT_EQ(g.values[0].re, 1);
    EXPECT_EQ(g.values[0].im, -2);
    EXPECT_EQ(g.values[1].re, 0.5f);
    EXPECT_EQ(g.values[1].im, 3e-7f);
    EXPECT_EQ(g.axes[2][0], -3);
  }

  test::TempFolder folder;
};

TEST_F(PmaxwellFile, TextAndBinaryOfOtherWritersAreRead) {
  expect_values(read_complex_grid(write(head + axes + data)));
  expect_values(read_complex_grid(write(binary())));
  expect_values(read_complex_grid(write(binary(false, ""))));
  // as ParaView writes it: a field of the whole data set, arrays in a FIELD, metadata, windows' ends of lines
  expect_values(read_complex_grid(write(
      replaced(head, "DIMENSIONS",
               "FIELD FieldData 1\nCYCLE 1 1 int\n7\nMETADATA\nINFORMATION 0\n\nDIMENSIONS") +
      axes + "POINT_DATA 2\nFIELD FieldData 1\na 2 2 float\n1 -2 0.5 3e-7\nMETADATA\nINFORMATION 0\n\n")));
  expect_values(read_complex_grid(write(head + axes +
                                        "POINT_DATA 2\nSCALARS re float\nLOOKUP_TABLE default\n1 0.5\n"
                                        "SCALARS im float 1\nLOOKUP_TABLE default\n-2 +3e-7\n")));
  std::string dos = head + axes + data;
  for (std::size_t i = 0; (i = dos.find('\n', i)) != std::string::npos; i += 2) dos.insert(i, "\r");
  expect_values(read_complex_grid(write(dos)));
}

TEST_F(PmaxwellFile, BadFilesAreRefusedForWhatIsWrong) {
  expect_refusal("", "is empty");
  expect_refusal("<?xml version=\"1.0\"?>\n", "is no VTK legacy file");
  expect_refusal(replaced(head, "RECTILINEAR_GRID", "STRUCTURED_POINTS") + axes + data,
                 "in place of DATASET RECTILINEAR");
  expect_refusal(head + axes + data.substr(0, data.size() - 5), "ends within the numbers of 'a'");
  expect_refusal(head + axes + data + "7\n", "more bytes than the grid has points");
  expect_refusal(head + axes, "has no point data");
  expect_refusal(head + data, "has no X_COORDINATES");
  expect_refusal(head + axes + replaced(data, "POINT_DATA 2", "POINT_DATA 3"), "POINT_DATA of 3 points");
  expect_refusal(head + replaced(axes, "0 0.5", "0.5 0"), "the x coordinates do not ascend");
  expect_refusal(head + axes + replaced(data, "3e-7", "nan"), "the value at point (1, 0, 0) is 0.5 + nan i");
  expect_refusal(head + axes + replaced(data, "3e-7", "1e39"), "larger than single precision holds");
  expect_refusal(head + axes + replaced(data, "3e-7", "3e-7x"), ":16: '3e-7x' among");
  expect_refusal(head + axes + replaced(data, "float", "double"), "type double (complex single precision");
  expect_refusal(head + axes + replaced(data, "float", "int"), "of type 'int'");
  expect_refusal(head + axes + "POINT_DATA 2\nSCALARS a float\nLOOKUP_TABLE default\n1 -2\n",
                 "has 1 array(s), the first of 1 number(s) a point");
  expect_refusal(replaced(head, "2 1 1", "2000000 100000 100"), "more points than any machine");
  expect_refusal(replaced(head, "2 1 1", "3 1 1") + axes + data, "2 coordinates along x (DIMENSIONS says 3)");
}

TEST_F(PmaxwellFile, BinaryFilesAreRefusedForTheirLengthAndTheOrderOfTheirBytes) {
  expect_refusal(binary(true), "big-endian");
  expect_refusal(binary(false, "").substr(0, binary(false, "").size() - 1), "ends within the numbers of 'a'");
  expect_refusal(binary(false, "1234"), "more bytes than the grid has points");
  std::string nan = binary(false, "");
  nan.replace(nan.size() - 4, 4, big_endian({NAN}));
  expect_refusal(nan, "the value at point (1, 0, 0)");
}

class PmaxwellDirectory : public PmaxwellFile {
 protected:
  /// A directory of a 3 x 2 x 4 grid; value n of array a is a + i n.
  void make(bool text) {
    nodes = {{{0, 1, 2, 3}, {0, 0.5, 1}, {-1, 0, 1, 2, 3}}};
    for (int a = 0; a < array_count; ++a) {
      const Int3 n = points_of(is_electric(a), component_of(a), {3, 2, 4});
      std::vector<Value> values;
      for (int i = 0; i < n[0] * n[1] * n[2]; ++i) values.emplace_back(float(a), float(i));
      write_array(folder.path.string(), a, {}, nodes, "made for a test", values, text);
    }
  }
  std::string whole_refusal() {
    try {
      (void)read_directory(folder.path.string());
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  }
  std::array<std::vector<double>, 3> nodes;
};

TEST_F(PmaxwellDirectory, IsReadAsWrittenInTextAndBinary) {
  for (const bool text : {true, false}) {
    make(text);
    const System s = read_directory(folder.path.string());
    EXPECT_EQ(s.cells, (Int3{3, 2, 4}));
    EXPECT_EQ(s.nodes, nodes);
    for (int a = 0; a < array_count; ++a) {
      const Int3 n = s.points(a);
      ASSERT_EQ(s.arrays[a].size(), std::size_t(n[0] * n[1] * n[2]));
      EXPECT_EQ(s.arrays[a].back().re, float(a));
      EXPECT_EQ(s.arrays[a].back().im, float(s.arrays[a].size() - 1));
    }
  }
}

TEST_F(PmaxwellDirectory, HasTheBytesOfTheManual) {
  write_grid(folder / "t.vtk", "title", {{{0, 0.5}, {1}, {-3}}}, "E_xy", 2,
             std::vector<float>{1, -2, 0.5, 3e-7f}, true);
  EXPECT_EQ(text_of(folder / "t.vtk"),
            "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET RECTILINEAR_GRID\nDIMENSIONS 2 1 1\n"
            "X_COORDINATES 2 double\n0 0.5\nY_COORDINATES 1 double\n1\nZ_COORDINATES 1 double\n-3\n"
            "POINT_DATA 2\nSCALARS E_xy float 2\nLOOKUP_TABLE default\n1 -2\n0.5 3e-07\n");
  write_grid(folder / "b.vtk", "title", {{{0.5}, {1}, {-3}}}, "E_xy", 2, std::vector<float>{1, -2}, false);
  const std::string half("\x3f\xe0\0\0\0\0\0\0", 8), one("\x3f\xf0\0\0\0\0\0\0", 8),
      three("\xc0\x08\0\0\0\0\0\0", 8);
  EXPECT_EQ(text_of(folder / "b.vtk"),
            "# vtk DataFile Version 3.0\ntitle\nBINARY\nDATASET RECTILINEAR_GRID\nDIMENSIONS 1 1 1\n"
            "X_COORDINATES 1 double\n" +
                half + "\nY_COORDINATES 1 double\n" + one + "\nZ_COORDINATES 1 double\n" + three +
                "\nPOINT_DATA 1\nSCALARS E_xy float 2\nLOOKUP_TABLE default\n" +
                std::string("\x3f\x80\0\0\xc0\0\0\0\n", 9));
}

TEST_F(PmaxwellDirectory, SizesAreThoseOfTheThesis) {
  const Int3 cells{3, 2, 4};
  EXPECT_EQ(points_of(true, 0, cells), (Int3{3, 3, 5}));
  EXPECT_EQ(points_of(true, 1, cells), (Int3{4, 2, 5}));
  EXPECT_EQ(points_of(true, 2, cells), (Int3{4, 3, 4}));
  EXPECT_EQ(points_of(false, 0, cells), (Int3{4, 2, 4}));
  EXPECT_EQ(points_of(false, 1, cells), (Int3{3, 3, 4}));
  EXPECT_EQ(points_of(false, 2, cells), (Int3{3, 2, 5}));
  EXPECT_EQ(name_of(array_of(t_h, 2, 0)), "t_H_zy");  // along x, by Ey
  EXPECT_EQ(name_of(array_of(t_h, 2, 0), {false, false}), "t_H_zx");
  EXPECT_EQ(name_of(array_of(field_e, 1, 2)), "E_yx");
  for (int a = 0; a < array_count; ++a) EXPECT_EQ(array_named(name_of(a)), a);
}

TEST_F(PmaxwellDirectory, MissingWronglySizedAndExchangedFilesAreNamed) {
  namespace fs = std::filesystem;
  EXPECT_NE(whole_refusal().find("E_bnd_x.vtk, E_bnd_y.vtk"), std::string::npos) << whole_refusal();
  make(false);
  fs::rename(folder / "t_H_zy.vtk", folder / "kept");
  EXPECT_NE(whole_refusal().find("t_H_zy.vtk (of the forty files 1 is not there)"), std::string::npos)
      << whole_refusal();
  fs::copy_file(folder / "t_H_zx.vtk", folder / "t_H_zy.vtk");
  EXPECT_NE(whole_refusal().find("t_H_zy.vtk: holds 't_H_zx' by the name of its data"), std::string::npos)
      << whole_refusal();
  // axes in another order: 5 x 2 x 3 where 3 x 2 x 5 should be, the name all right
  const std::array<std::vector<double>, 3> turned{{{-1, 0, 1, 2, 3}, {0.25, 0.75}, {0.5, 1.5, 2.5}}};
  write_grid(folder / "t_H_zy.vtk", "", turned, "t_H_zy", 2, std::vector<float>(60, 1.f), false);
  EXPECT_NE(whole_refusal().find(
                "t_H_zy.vtk: has 5 x 2 x 3 points (the grid of most files has 3 x 2 x 4 cells, on which "
                "t_H_zy has 3 x 2 x 5"),
            std::string::npos)
      << whole_refusal();
  fs::remove(folder / "t_H_zy.vtk");
  fs::rename(folder / "kept", folder / "t_H_zy.vtk");
  EXPECT_EQ(whole_refusal(), "accepted");
  fs::resize_file(folder / "s_E_xy.vtk", 400);
  EXPECT_NE(whole_refusal().find("s_E_xy.vtk: ends within"), std::string::npos) << whole_refusal();
}

TEST_F(PmaxwellDirectory, AFolderThatIsNoneIsRefused) {
  try {
    (void)read_directory(folder / "nowhere");
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("is no directory"), std::string::npos);
  }
}

}  // namespace
}  // namespace umov::pmaxwell
