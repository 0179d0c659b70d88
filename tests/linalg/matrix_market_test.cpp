// Matrix Market files: what is read, what is refused and how.
#include "linalg/sparse/matrix_market.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/program.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

const std::string general = "%%MatrixMarket matrix coordinate real general\n";
const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

class MatrixMarket : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    folder.write("a.mtx", text);
    return folder / "a.mtx";
  }
  template <class Read>
  std::string refusal(const std::string& text, const Read& read) {
    try {
      read(file(text));
    } catch (const BadInput& e) {
      return std::string(e.what()).substr(folder.path().string().size() + 1);
    }
    return "accepted";
  }
  std::string matrix_refusal(const std::string& text) { return refusal(text, sparse::read_matrix); }
  std::string vector_refusal(const std::string& text) { return refusal(text, sparse::read_vector); }

  test::TemporaryFolder folder;
};

TEST_F(MatrixMarket, SymmetricFilesGiveBothHalvesWithAscendingColumns) {
  const auto a = sparse::read_matrix(
      file(symmetric + "% a comment\n\n3 3 5\n3 1 -1.5e0\n1 1 2\n2 2 +4\n3 3 5\r\n3 2\t.5\n"));
  EXPECT_TRUE(test::columns_ascend(a.view()));
  Eigen::Matrix3d exact;
  exact << 2, 0, -1.5, 0, 4, 0.5, -1.5, 0.5, 5;
  EXPECT_EQ(test::dense(a.view()), exact);
}

TEST_F(MatrixMarket, GeneralFilesGiveWhatTheySayAndRepeatedEntriesAddUp) {
  const auto a = sparse::read_matrix(file(general + "2 3 4\n2 3 1\n1 2 7\n2 3 2.5\n2 1 -1\n"));
  EXPECT_EQ(a.rows, 2);
  EXPECT_EQ(a.columns, 3);
  EXPECT_EQ(a.column.size(), 3u);
  EXPECT_EQ(test::dense(a.view())(1, 2), 3.5);
}

TEST_F(MatrixMarket, WhatIsWrittenIsReadBackBitForBit) {
  const auto v = test::random_vector(100, 3);
  sparse::write_vector(folder / "v.mtx", v);
  EXPECT_EQ(sparse::read_vector(folder / "v.mtx"), v);
  const auto a = test::random_matrix(20, 30, 0.3, 4);
  sparse::write_matrix(folder / "m.mtx", a);
  const auto b = sparse::read_matrix(folder / "m.mtx");
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.value, b.value);
}

TEST_F(MatrixMarket, LowerHalvesAreReadBackAsTheWhole) {
  const auto a = test::poisson(3);
  sparse::write_symmetric(folder / "s.mtx", a);
  // seven-point: 27 on the diagonal, 54 pairs beside it
  EXPECT_TRUE(test::text_of(folder / "s.mtx")
                  .starts_with("%%MatrixMarket matrix coordinate real symmetric\n27 27 81\n"));
  const auto b = sparse::read_matrix(folder / "s.mtx");
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.value, b.value);
}

TEST_F(MatrixMarket, VectorsMayBeSparse) {
  EXPECT_EQ(sparse::read_vector(file(general + "4 1 2\n4 1 2\n1 1 -1\n")),
            (std::vector<double>{-1, 0, 0, 2}));
  // one number is called symmetric by writers
  EXPECT_EQ(sparse::read_vector(file("%%MatrixMarket matrix array real symmetric\n1 1\n6\n")),
            std::vector<double>{6});
  EXPECT_NE(vector_refusal("%%MatrixMarket matrix array real symmetric\n2 1\n6\n7\n").find("is no vector"),
            std::string::npos);
}

TEST_F(MatrixMarket, RefusesWithFileAndLine) {
  EXPECT_NE(matrix_refusal("1 2 3\n").find("a.mtx:1: not a Matrix Market file"), std::string::npos);
  EXPECT_NE(matrix_refusal("").find("a.mtx: is empty"), std::string::npos);
  EXPECT_NE(
      matrix_refusal("%%MatrixMarket matrix coordinate complex general\n").find("a.mtx:1: field 'complex'"),
      std::string::npos);
  EXPECT_NE(matrix_refusal("%%MatrixMarket matrix coordinate real hermitian\n")
                .find("a.mtx:1: symmetry 'hermitian'"),
            std::string::npos);
  EXPECT_NE(matrix_refusal(array + "2 2\n1\n2\n3\n4\n").find("dense matrix"), std::string::npos);
  EXPECT_NE(matrix_refusal(general + "% x\n2 2\n").find("a.mtx:3: the size is three whole numbers"),
            std::string::npos);
  EXPECT_NE(matrix_refusal(general + "2 2 1\n1 x 3\n").find("a.mtx:3: an entry is"), std::string::npos);
  EXPECT_NE(matrix_refusal(general + "2 2 1\n1 3 3\n").find("a.mtx:3: entry (1, 3) lies outside"),
            std::string::npos);
  EXPECT_NE(matrix_refusal(general + "2 2 1\n1 1 nan\n").find("a.mtx:3: the value is nan"),
            std::string::npos);
  EXPECT_NE(matrix_refusal(general + "2 2 1\n1 1 3 4\n").find("a.mtx:3: '3 4' is not one number"),
            std::string::npos);
  EXPECT_NE(matrix_refusal(general + "2 2 2\n1 1 3\n").find("ends after 1 of 2 entries"), std::string::npos);
  EXPECT_NE(matrix_refusal(general + "2 2 1\n1 1 3\n2 2 1\n").find("a.mtx:4: more than the 1 entries"),
            std::string::npos);
  EXPECT_NE(
      matrix_refusal(symmetric + "2 2 1\n1 2 3\n").find("a.mtx:3: entry (1, 2) lies above the diagonal"),
      std::string::npos);
  EXPECT_NE(vector_refusal(array + "3 1\n1\n2\n").find("ends after 2 of 3 elements"), std::string::npos);
  EXPECT_NE(vector_refusal(array + "1 1\n1\n2\n").find("a.mtx:4: more than the 1 elements"),
            std::string::npos);
  EXPECT_NE(vector_refusal(array + "2 2\n1\n2\n3\n4\n").find("a.mtx:2: 2 columns"), std::string::npos);
  EXPECT_NE(vector_refusal(array + "2 1\n1\ninf\n").find("a.mtx:4: the value is inf"), std::string::npos);
  EXPECT_THROW(sparse::read_matrix(folder / "none.mtx"), BadInput);
}

TEST_F(MatrixMarket, SizesThatTheFileCannotHoldAskForNoMemory) {
  // 2e9 entries would be 32 GB, 2e9 rows 24 GB: a test that allocates them does not come back here. The
  // address sanitizer itself takes terabytes of addresses.
#ifndef __SANITIZE_ADDRESS__
  rlimit before;
  getrlimit(RLIMIT_AS, &before);
  const rlimit lower{rlim_t(4) << 30, before.rlim_max};
  setrlimit(RLIMIT_AS, &lower);
#endif
  EXPECT_NE(matrix_refusal(general + "2 2 2000000000\n1 1 3\n").find("ends after 1 of 2000000000 entries"),
            std::string::npos);
  EXPECT_NE(matrix_refusal(symmetric + "2 2 1000000000\n1 1 3\n").find("ends after 1 of 1000000000 entries"),
            std::string::npos);
  for (const std::string size : {"2000000000 2 1", "2 2000000000 1"})
    EXPECT_NE(matrix_refusal(general + size + "\n1 1 3\n").find("is announced but"), std::string::npos)
        << size;
  EXPECT_NE(matrix_refusal(general + "2000000000 2000000000 1\n1 1 3\n")
                .find("a.mtx:2: 2000000000 x 2000000000 is "
                      "announced but 6 bytes follow"),
            std::string::npos);
  EXPECT_NE(vector_refusal(general + "2000000000 1 1\n1 1 3\n").find("is announced but"), std::string::npos);
  EXPECT_NE(vector_refusal(array + "2000000000 1\n3\n").find("ends after 1 of 2000000000 elements"),
            std::string::npos);
#ifndef __SANITIZE_ADDRESS__
  setrlimit(RLIMIT_AS, &before);
#endif
}

TEST_F(MatrixMarket, EmptyRowsAreStillRead) {
  const auto a = sparse::read_matrix(file(general + "5000 4000 1\n5000 4000 3\n"));
  EXPECT_EQ(a.rows, 5000);
  EXPECT_EQ(a.start.back(), 1);
}

}  // namespace
}  // namespace umov
