// Every text is TOML or is refused with its line; none aborts, hangs or overflows the stack.
#include "parameters/toml.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "parameters/value.hpp"
#include "support/temp_folder.hpp"

namespace umov {
namespace {

/// "" when the text is TOML, else the message of its refusal. Anything but BadInput fails the test by itself.
std::string refused(const std::string& text) {
  try {
    parse_toml(text, "case.toml");
    return "";
  } catch (const BadInput& e) {
    return e.what();
  }
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Toml, EveryShortTextOfItsSignsEndsWellOrIsRefusedWithItsLine) {
  const std::string signs = "[]=.\"'{},#\n a1-";
  long refusals = 0, tables = 0;
  for (int length = 0; length <= 4; ++length) {
    long count = 1;
    for (int i = 0; i < length; ++i) count *= long(signs.size());
    for (long number = 0; number < count; ++number) {
      std::string text;
      for (long rest = number, i = 0; i < length; ++i, rest /= long(signs.size()))
        text += signs[std::size_t(rest % long(signs.size()))];
      const std::string why = refused(text);
      ++(why.empty() ? tables : refusals);
      ASSERT_EQ(why.empty() ? 0u : why.rfind("case.toml:", 0), 0u) << text << " -> " << why;
    }
  }
  EXPECT_GT(tables, 100);
  EXPECT_GT(refusals, 40000);
}

TEST(Toml, MisplacedSignsAreRefusedAtTheirLine) {
  for (const std::string text : {"[[[", "[=]", "[.]", "[[=]]", "[{]", "[,]", "[a.[b]]"})
    EXPECT_EQ(refused("a = 1\n" + text + "\nb = 2\n").rfind("case.toml:2: not valid TOML", 0), 0u)
        << text << " -> " << refused("a = 1\n" + text + "\nb = 2\n");
}

TEST(Toml, LettersBeyondAsciiStandInStringsAndCommentsAlone) {
  EXPECT_EQ(refused("\xEF\xBB\xBFname = \"Größe\"  # ʒ\nmany = \"\"\"\nʒ\"\"\"\n"), "");
  for (const std::string text : {"b = 3Mʒ3", "ʒ = 1", "b = ʒ", "b = 1 ʒ", "b = 1\u00A0"}) {
    const std::string why = refused("a = 1\n" + text + "\n");
    EXPECT_EQ(why.rfind("case.toml:2: not valid TOML (a letter beyond ASCII outside quotes and comments)", 0),
              0u)
        << text << " -> " << why;
  }
}

TEST(Toml, DeepNestingIsRefusedBeforeTheStackEnds) {
  constexpr int deep = 100000;
  for (const std::string open : {"[", "{a=", "[{a="}) {
    EXPECT_NE(refused("x = " + repeated(open, deep)), "") << open;
    EXPECT_NE(refused("x = " + repeated(open, 40) + "1"), "") << open;
  }
  EXPECT_NE(refused("x = " + repeated("[", deep) + repeated("]", deep)), "");
  EXPECT_NE(refused(repeated("a.", deep) + "a = 1"), "");
  EXPECT_NE(refused("[" + repeated("a.", deep) + "a]"), "");
  EXPECT_NE(refused("[[" + repeated("'a' . ", deep) + "a]]"), "");
  EXPECT_NE(refused("x = " + repeated("{" + repeated("a.", 60) + "a = ", 40)), "");
  EXPECT_EQ(refused("x = [[[1, 2.5], [3.5]], [[4.5]]] # " + repeated(".", 200) + "\ny = \"" +
                    repeated(".", 200) + "\"\nz = '''" + repeated(".\n", 200) + "'''\n"),
            "");
}

TEST(Flags, DeepNestingIsRefusedBeforeTheStackEnds) {
  EXPECT_THROW(parse_nested(repeated("(", 100000)), ValueError);
  EXPECT_THROW(parse_nested(repeated("[1,", 40)), ValueError);
  EXPECT_NO_THROW(parse_nested("((1,2),(3,(4)))"));
}

TEST(Toml, BytesThatAreNoTextAreRefused) {
  using std::string_literals::operator""s;
  for (const std::string& text : {"a = \"\xff\xfe\"\n"s, "a\0b = 1\n"s, "a = \"x\0y\"\n"s, "\xff\xfe[\0"s,
                                  "a = \"\xed\xa0\x80\"\n"s, "a = \"\x1b[31m\"\n"s, "\x80 = 1"s})
    EXPECT_NE(refused(text), "") << text;
}

TEST(Toml, KeysGivenTwiceAreRefused) {
  for (const std::string text : {"a = 1\na = 2\n", "[a]\n[a]\n", "[a]\nb = 1\n[[a]]\n", "a = {b = 1}\n[a]\n"})
    EXPECT_NE(refused(text), "") << text;
}

TEST(Toml, DatesAreTomlAndNoParameterTakesThem) {
  EXPECT_EQ(refused("a = 1979-05-27T07:32:00Z\nb = 07:32:00\n"), "");
  EXPECT_NE(refused("a = 1979-13-27\n"), "");
}

TEST(TomlFile, HugeFilesFoldersDevicesAndEmptyNamesAreRefusedAtOnce) {
  const test::TempFolder folder;
  std::ofstream(folder / "huge.toml") << std::string(9 << 20, '\n');
  std::filesystem::create_symlink("loop.toml", folder / "loop.toml");
  for (const std::string& path : {folder / "huge.toml", folder / "none.toml", folder / "loop.toml",
                                  folder.path.string(), std::string("/dev/zero"), std::string(300, 'a')})
    EXPECT_THROW(read_toml_file(path), BadInput) << path;
}

}  // namespace
}  // namespace umov
