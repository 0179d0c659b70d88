// Arrays where files are named: NumPy's files, and what a program gives.
#include "core/given_arrays.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "parameters/columns.hpp"
#include "shapes/recipe.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;

class GivenArraysTest : public testing::Test {
 protected:
  GivenArraysTest() : file_(fs::path(testing::TempDir()) / ("given" + std::to_string(getpid()) + ".npy")) {}
  ~GivenArraysTest() override { fs::remove(file_); }

  /// An NPY file of version 1.0 with these bytes as its numbers.
  template <class T>
  std::string write(const std::string& type, const std::string& shape, const std::vector<T>& values,
                    const std::string& fortran = "False") {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
    header.resize((10 + header.size() + 64) / 64 * 64 - 10, ' ');
    header.back() = '\n';
    std::ofstream out(file_, std::ios::binary);
    out << "\x93NUMPY" << char(1) << char(0) << char(header.size() % 256) << char(header.size() / 256)
        << header;
    out.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(T)));
    return file_.string();
  }

  std::string refusal(const std::string& path) {
    try {
      read_arrays(path);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "";
  }

  fs::path file_;
};

TEST_F(GivenArraysTest, AnNpyFileIsReadInItsOwnType) {
  const auto ints = read_arrays(write<std::int16_t>("<i2", "(2, 3)", {1, -2, 3, 4, 5, 6}));
  ASSERT_TRUE(ints);
  EXPECT_EQ(ints->arrays[0].shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(ints->arrays[0].whole(1), -2);
  const auto complex = read_arrays(write<float>("<c8", "(2,)", {1, 2, 3, -4}));
  EXPECT_EQ(complex->arrays[0].value(1), cplx(3, -4));
  EXPECT_EQ(complex->arrays[0].real(0), 1);
}

TEST_F(GivenArraysTest, WhatIsNoPlainArrayOfThisMachineIsRefused) {
  EXPECT_NE(refusal(write<double>(">f8", "(1,)", {1})).find("numbers of type >f8"), std::string::npos);
  EXPECT_NE(refusal(write<double>("<f8", "(1, 1)", {1}, "True")).find("first axis"), std::string::npos);
  EXPECT_NE(refusal(write<double>("<f8", "(3,)", {1, 2})).find("16 bytes of numbers (24 are announced)"),
            std::string::npos);
  EXPECT_NE(refusal(write<double>("<f8", "(99999999999, 99999999999)", {1})).find("announced"),
            std::string::npos);
  std::ofstream(file_, std::ios::binary) << "\x93NUMPY\x01";
  EXPECT_NE(refusal(file_.string()).find("damaged"), std::string::npos);
  std::ofstream(file_) << "1 2 3\n";
  EXPECT_FALSE(read_arrays(file_.string()));
}

TEST_F(GivenArraysTest, GivenArraysAreFoundAsLongAsTheyAreHeldWhereTheyLie) {
  const std::vector<double> time{0, 1, 2}, value{5, 6, 7};
  const auto bytes = [](const std::vector<double>& v) {
    return reinterpret_cast<const std::byte*>(v.data());
  };
  const ColumnFormat format{{{"time", ""}, {"value", ""}}, 0, true, 2};
  {
    const auto held =
        give_arrays("/nowhere/wave.csv",
                    {"argument 'file'",
                     {{"0", NumberKind::f64, {3}, bytes(time)}, {"1", NumberKind::f64, {3}, bytes(value)}}});
    EXPECT_EQ(given_arrays("/nowhere/wave.csv")->arrays[1].data, bytes(value));
    EXPECT_EQ(give_arrays("/nowhere/wave.csv", {}), held);
    EXPECT_EQ(read_columns("/nowhere/wave.csv", format, "").value[1], value);
  }
  EXPECT_FALSE(given_arrays("/nowhere/wave.csv"));
  EXPECT_THROW(read_columns("/nowhere/wave.csv", format, ""), BadInput);
}

TEST_F(GivenArraysTest, ColumnsOfArraysMeetTheDemandsOfColumnsOfText) {
  const std::vector<double> falling{0, 5, 1, 6, 0.5, 7}, nan{0, 5, 1, std::nan("")};
  const ColumnFormat format{{{"time", ""}, {"value", ""}}, 0, true, 2};
  EXPECT_THROW(read_columns(write<double>("<f8", "(3, 2)", falling), format, ""), BadInput);
  EXPECT_THROW(read_columns(write<double>("<f8", "(2, 2)", nan), format, ""), BadInput);
  EXPECT_THROW(read_columns(write<double>("<f8", "(2, 3)", falling), format, ""), BadInput);
  EXPECT_THROW(read_columns(write<double>("<f8", "(1, 2)", {0, 5}), format, ""), BadInput);
  EXPECT_EQ(read_columns(write<double>("<f8", "(2, 2)", {0, 5, 1, 6}), format, "").value[0][1], 1);
}

TEST_F(GivenArraysTest, AParticleIsWhatIsNotZero) {
  std::vector<std::uint8_t> material(4 * 5 * 6);
  material[(1 * 5 + 2) * 6 + 3] = 1, material[(3 * 5 + 2) * 6 + 4] = 7;
  const auto recipe = shapes::read_array(*read_arrays(write("|u1", "(4, 5, 6)", material)));
  EXPECT_EQ(recipe.box, (Int3{2, 1, 3}));
  ASSERT_EQ(recipe.voxels.size(), 2u);
  EXPECT_EQ(recipe.voxels[1].material, 7);
  EXPECT_EQ(recipe.voxels[1].z, 2);
  EXPECT_THROW(shapes::read_array(*read_arrays(write<double>("<f8", "(1, 1, 1)", {1}))), BadInput);
  EXPECT_THROW(shapes::read_array(*read_arrays(write<std::uint8_t>("|u1", "(1, 1, 1)", {0}))), BadInput);
}

}  // namespace
}  // namespace umov
