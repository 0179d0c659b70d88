// A damaged checkpoint is known as such, whatever happened to it.
#include "core/checked_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/console.hpp"
#include "core/error.hpp"
#include "parameters/value.hpp"
#include "support/temp_folder.hpp"

namespace umov {
namespace {

class CheckedFileTest : public ::testing::Test {
 protected:
  CheckedFileTest() {
    CheckedFile file(path_);
    for (const std::string piece : {"a", "", "bcdefgh", "ijklmnopqrstuvwxyz01234", "56789"})
      file.write(piece);
    file.commit();
    std::ifstream in(path_, std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(in), {});
  }
  bool intact(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    try {
      checked_size(path_, "checkpoint");
      return true;
    } catch (const BadInput& e) {
      EXPECT_EQ(std::string(e.what()).rfind(path_, 0), 0u);
      return false;
    }
  }
  test::TempFolder folder_;
  std::string path_ = folder_ / "f", whole_;
};

TEST_F(CheckedFileTest, IsReadAsItWasWritten) {
  EXPECT_EQ(checked_size(path_, "checkpoint"), 36u);
  EXPECT_EQ(whole_.substr(0, 36), "abcdefghijklmnopqrstuvwxyz0123456789");
}

TEST_F(CheckedFileTest, AnyFlippedBitIsFound) {
  for (std::size_t i = 0; i < 8 * whole_.size(); ++i) {
    std::string other = whole_;
    other[i / 8] = char(other[i / 8] ^ 1 << i % 8);
    EXPECT_FALSE(intact(other)) << "bit " << i;
  }
}

TEST_F(CheckedFileTest, AnyTruncationIsFound) {
  for (std::size_t n = 0; n < whole_.size(); ++n) EXPECT_FALSE(intact(whole_.substr(0, n))) << n;
}

TEST_F(CheckedFileTest, WhatWasAddedIsFound) {
  for (const std::string& more : {std::string(1, '\0'), std::string(8, '\0'), whole_, std::string("x")})
    EXPECT_FALSE(intact(whole_ + more));
  EXPECT_FALSE(intact(std::string(1, '\0') + whole_));
}

TEST(Digest, DoesNotDependOnHowTheBytesCome) {
  const std::string text = "0123456789abcdefghijklmnopqrstuvwxyz";
  Digest once;
  once.add(text);
  for (std::size_t step = 1; step < 20; ++step) {
    Digest pieces;
    for (std::size_t i = 0; i < text.size(); i += step) pieces.add(text.substr(i, step));
    EXPECT_EQ(pieces.value(), once.value()) << step;
  }
}

TEST(Digest, TellsTextsApartThatEndInZeros) {
  Digest a, b, c;
  a.add(std::string("x"));
  b.add(std::string("x\0", 2));
  EXPECT_NE(a.value(), b.value());
  EXPECT_NE(a.value(), c.value());
}

TEST(Printable, ShowsControlsAndKeepsText) {
  EXPECT_EQ(printable("a\x1b[31mb\rc\x7f"), "a\\x1b[31mb\\x0dc\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");  // the eight-bit form of ESC [
  EXPECT_EQ(printable("Grün 10 µm\n\tε"), "Grün 10 µm\n\tε");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");  // longer than it needs to be
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Quoted, WritesControlsAsTomlDoes) {
  EXPECT_EQ(quoted("a\x1b\"\\\xc2\x9b\n"), "\"a\\u001B\\\"\\\\\\u009B\\u000A\"");
}

}  // namespace
}  // namespace umov
