// Sparse products against dense ones.
#include <gtest/gtest.h>

#include <utility>

#include "linalg/sparse/galerkin.hpp"
#include "linalg/sparse/multiply.hpp"
#include "linalg/sparse/rows.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

using backend::Cpu;
using backend::Serial;

template <class Device>
class Sparse : public testing::Test {
 protected:
  Device dev;
};
using Devices = testing::Types<Serial, Cpu>;
TYPED_TEST_SUITE(Sparse, Devices);

// Sums of at most 60 products of numbers below 1: rounding stays below 60 * 2^-53.
constexpr double rounding = 1e-14;

TYPED_TEST(Sparse, ProductWithVectorIsTheDenseOne) {
  auto& dev = this->dev;
  for (const int n : {1, 2, 33, 60}) {
    const auto a = test::random_matrix(n, 41, 0.3, n);
    const auto x = test::random_vector(41, 5);
    std::vector<double> y(n, 9), r(n, 9);
    const auto b = test::random_vector(n, 6);
    rows_then(dev, a.view(), x.data(), sparse::Store<double>{y.data()});
    rows_then(dev, a.view(), x.data(), sparse::StoreResidual<double>{b.data(), r.data()});
    const Eigen::VectorXd exact = test::dense(a.view()) * Eigen::Map<const Eigen::VectorXd>(x.data(), 41);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(y[i], exact[i], rounding);
      EXPECT_NEAR(r[i], b[i] - exact[i], rounding);
    }
  }
}

TYPED_TEST(Sparse, ProductWithSumGivesTheQuadraticForm) {
  auto& dev = this->dev;
  const auto a = test::poisson(9);
  const auto x = test::random_vector(a.rows, 3);
  std::vector<double> y(a.rows);
  double sum = 0;
  sparse::RowsOperator<TypeParam, double>(dev, a.view()).apply_dot(x.data(), y.data(), &sum);
  const auto exact = test::times(a, x);
  double form = 0;
  for (int i = 0; i < a.rows; ++i) {
    EXPECT_NEAR(y[i], exact[i], 1e-14);
    form += x[i] * exact[i];
  }
  EXPECT_NEAR(sum, form, 1e-11);
}

TYPED_TEST(Sparse, TransposeIsTheDenseOneWithAscendingColumns) {
  auto& dev = this->dev;
  const auto a = test::random_matrix(50, 37, 0.2, 1);
  auto t = transpose(dev, a.view());
  EXPECT_TRUE(test::columns_ascend(std::as_const(t).view()));
  EXPECT_EQ(test::dense(std::as_const(t).view()), test::dense(a.view()).transpose());
  auto twice = a;
  for (double& v : twice.value) v *= 2;
  transpose_again(dev, twice.view(), t);
  EXPECT_EQ(test::dense(std::as_const(t).view()), 2 * test::dense(a.view()).transpose());
}

TYPED_TEST(Sparse, ProductOfMatricesIsTheDenseOneAlsoWhenRepeated) {
  auto& dev = this->dev;
  auto a = test::random_matrix(60, 45, 0.2, 2);
  const auto b = test::random_matrix(45, 31, 0.1, 3);
  auto c = multiply(dev, a.view(), b.view());
  EXPECT_TRUE(test::columns_ascend(std::as_const(c).view()));
  EXPECT_LT((test::dense(std::as_const(c).view()) - test::dense(a.view()) * test::dense(b.view())).norm(),
            1e-12);
  for (double& v : a.value) v = 1 / (3 + v);
  multiply_again(dev, a.view(), b.view(), c);
  EXPECT_LT((test::dense(std::as_const(c).view()) - test::dense(a.view()) * test::dense(b.view())).norm(),
            1e-12);
}

TYPED_TEST(Sparse, GalerkinProductIsTheDenseOneAlsoWhenRepeated) {
  auto& dev = this->dev;
  auto a = test::poisson(6);
  const auto p = test::random_matrix(a.rows, 20, 0.1, 4);
  const auto r = transpose(dev, p.view());
  sparse::Galerkin<TypeParam, double> product;
  triple_product(dev, r.view(), a.view(), p.view(), product);
  const auto exact = [&] {
    return Eigen::MatrixXd(test::dense(p.view()).transpose() * test::dense(a.view()) * test::dense(p.view()));
  };
  EXPECT_LT((test::dense(std::as_const(product.rap).view()) - exact()).norm(), 1e-11);
  for (double& v : a.value) v *= v;
  triple_product_again(dev, r.view(), a.view(), p.view(), product);
  EXPECT_LT((test::dense(std::as_const(product.rap).view()) - exact()).norm(), 1e-11);
}

TEST(SparseProduct, HasTheSameBitsForAnyNumberOfThreads) {
  const auto a = test::poisson(20);
  Serial serial;
  const auto one = multiply(serial, a.view(), a.view());
  for (const int threads : {2, 3, 7}) {
    Cpu cpu(threads);
    const auto many = multiply(cpu, a.view(), a.view());
    ASSERT_EQ(one.entries(), many.entries());
    for (index_t k = 0; k < one.entries(); ++k) {
      ASSERT_EQ(one.column.data()[k], many.column.data()[k]);
      ASSERT_EQ(one.value.data()[k], many.value.data()[k]);
    }
  }
}

TEST(SparseProduct, TakesAnEmptyMatrix) {
  Serial dev;
  const auto a = test::to_csr(test::Rows(5), 4), b = test::to_csr(test::Rows(4), 3);
  EXPECT_EQ(multiply(dev, a.view(), b.view()).entries(), 0);
  EXPECT_EQ(transpose(dev, a.view()).entries(), 0);
}

}  // namespace
}  // namespace umov
