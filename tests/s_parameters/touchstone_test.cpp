// Touchstone files, read back by a reader of its own: order of entries, lines, sign.
#include "s_parameters/touchstone.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace umov::s_parameters {
namespace {

/// S_ij = (i + 1) + (j + 1) / 16 + f / 256 with an imaginary part of (i - j) / 4: every entry is another.
cplx value(std::size_t f, std::size_t i, std::size_t j) {
  return {double(i + 1) + double(j + 1) / 16 + double(f) / 256, (double(i) - double(j)) / 4 + 0.125};
}

Matrix numbered(std::size_t n) {
  Matrix m;
  for (std::size_t i = 0; i < n; ++i) {
    m.channels.push_back({"p" + std::to_string(i + 1), 1, 0});
    m.excited.push_back(i);
  }
  m.frequency = {0.5, 0.75, 1};
  m.s = m.in = m.out = Block(3, n, n);
  for (std::size_t f = 0; f < 3; ++f)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) m.s.at(f, i, j) = value(f, i, j);
  return m;
}

/// What the format's own specification (Rev 1.1) asks of a reader.
struct Read {
  std::string options;
  std::vector<double> frequency;
  std::vector<std::vector<cplx>> s;  ///< [frequency][row * n + column]
  std::vector<std::size_t> pairs_of_line;
};

Read read(const std::string& text, std::size_t n) {
  Read r;
  std::istringstream in(text);
  std::vector<double> numbers;
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('!'));
    if (line.starts_with("#")) {
      EXPECT_TRUE(r.options.empty()) << "one option line";
      r.options = line;
      continue;
    }
    std::istringstream words(line);
    std::size_t count = 0;
    for (double x; words >> x; ++count) numbers.push_back(x);
    if (count > 0) r.pairs_of_line.push_back(count / 2);
  }
  const std::size_t block = 1 + 2 * n * n;
  EXPECT_EQ(numbers.size() % block, 0u);
  for (std::size_t at = 0; at + block <= numbers.size(); at += block) {
    r.frequency.push_back(numbers[at]);
    std::vector<cplx> s(n * n);
    for (std::size_t k = 0; k < n * n; ++k) {
      const cplx x(numbers[at + 1 + 2 * k], numbers[at + 2 + 2 * k]);
      // two ports: 11 21 12 22; more: row by row
      s[n == 2 ? (k % 2) * 2 + k / 2 : k] = x;
    }
    r.s.push_back(s);
  }
  return r;
}

class Touchstone : public testing::TestWithParam<int> {};

TEST_P(Touchstone, HasEveryEntryInItsPlaceConjugated) {
  const auto n = std::size_t(GetParam());
  const Matrix m = numbered(n);
  EXPECT_EQ(touchstone_name(m), "s_parameters.s" + std::to_string(n) + "p");
  const Read r = read(touchstone(m, "test"), n);
  EXPECT_EQ(r.options, "# GHz S RI R 50");
  ASSERT_EQ(r.frequency.size(), 3u);
  for (std::size_t f = 0; f < 3; ++f) {
    // c is 299792.458 um GHz
    EXPECT_NEAR(r.frequency[f], m.frequency[f] * 299792.458, 1e-6);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        EXPECT_EQ(r.s[f][i * n + j], std::conj(value(f, i, j))) << i << " " << j;
  }
}

TEST_P(Touchstone, HasLinesAsTheFormatWantsThem) {
  const auto n = std::size_t(GetParam());
  const Read r = read(touchstone(numbered(n), "test"), n);
  std::vector<std::size_t> wanted;
  for (int f = 0; f < 3; ++f) {
    if (n <= 2) wanted.push_back(n * n);
    for (std::size_t row = 0; n > 2 && row < n; ++row)
      for (std::size_t left = n; left > 0; left -= std::min<std::size_t>(left, 4))
        wanted.push_back(std::min<std::size_t>(left, 4));
  }
  EXPECT_EQ(r.pairs_of_line, wanted);
}

INSTANTIATE_TEST_SUITE_P(Ports, Touchstone, testing::Values(1, 2, 3, 4, 5, 9));

TEST(TouchstoneOfTwoPorts, IsS11S21S12S22InALine) {
  const std::string text = touchstone(numbered(2), "test");
  const std::string line = text.substr(text.rfind("# GHz S RI R 50\n") + 16);
  EXPECT_TRUE(line.starts_with("149896.229 1.0625 -0.125 2.0625 -0.375 1.125 0.125 2.125 -0.125\n")) << line;
}

TEST(TouchstoneOfTwoPorts, NamesPortsAndSaysItsSign) {
  Matrix m = numbered(2);
  m.unit_um = 2;
  m.channels[1] = {"east", 3, -0.5};
  const std::string text = touchstone(m, "test");
  EXPECT_NE(text.find("! port 2 = east, mode 3; reference plane -1 um outward"), std::string::npos) << text;
  EXPECT_NE(text.find("exp(+j w t)"), std::string::npos);
  EXPECT_NE(text.find("! Port[1] = p1:1\n! Port[2] = east:3\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace umov::s_parameters
