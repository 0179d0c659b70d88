// `umov mie` from its arguments to its exit code, its table and its file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "commands/particles/mie.hpp"
#include "core/error.hpp"

namespace umov::commands {
namespace {

struct MieFrontAnswer {
  int code;
  std::string out, err;
};

MieFrontAnswer mie(std::vector<std::string> args) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = mie_command(args);
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

TEST(MieCommand, PrintsTheBohrenHuffmanSample) {
  const auto a = mie({"--radius", "0.525", "--lambda", "0.6328", "--m", "1.55", "--angles", "20"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("3.10542"), std::string::npos) << a.out;  // 3.105426
  EXPECT_NE(a.out.find("2.92534"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("um^2"), std::string::npos);
  EXPECT_NE(a.out.find("171.0000"), std::string::npos);
}

TEST(MieCommand, ComplexNumbersInThreeSpellings) {
  EXPECT_EQ(parse_complex("1.5", "--m"), cplx(1.5, 0));
  EXPECT_EQ(parse_complex("1.5,0.1", "--m"), cplx(1.5, 0.1));
  EXPECT_EQ(parse_complex("( 1.5, +1e-1 )", "--m"), cplx(1.5, 0.1));
  for (const char* bad : {"", "1.5,", ",1", "1.5+0.1i", "(1.5,0.1", "nan", "1,inf", "1,2,3", "x"})
    EXPECT_THROW(parse_complex(bad, "--m"), BadInput) << bad;
  EXPECT_EQ(mie({"--x", "3", "--m", "1.5,0.1"}).out, mie({"--x", "3", "--m", "(1.5,0.1)"}).out);
}

TEST(MieCommand, CoatedSphereFromRadiiEqualsCoatedSphereFromSizeParameters) {
  const auto lengths = mie({"--radius", "6.265", "--lambda", "3", "--m", "1.409,0.1747", "--core-radius",
                            "0.171", "--core-m", "1.59,0.66"});
  EXPECT_EQ(lengths.code, 0) << lengths.err;
  EXPECT_NE(lengths.out.find("2.328028"), std::string::npos) << lengths.out;
  const auto parameters =
      mie({"--x", "13.12138532", "--m", "1.409,0.1747", "--core-x", "0.3581415625", "--core-m", "1.59,0.66"});
  EXPECT_NE(parameters.out.find("2.328028"), std::string::npos) << parameters.out;
}

TEST(MieCommand, CsvHoldsTheAngularFunctions) {
  const auto path = std::filesystem::path(testing::TempDir()) / "umov_mie.csv";
  EXPECT_EQ(mie({"--x", "2", "--m", "1.5", "--csv", path}).code, 0);
  std::ifstream file(path);
  std::string line;
  int rows = 0;
  while (std::getline(file, line)) rows += line[0] != '#';
  EXPECT_EQ(rows, 1 + 181);
  std::filesystem::remove(path);
}

TEST(MieCommand, BadInputNamesTheOptionAndExitsWithTwo) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "--x"},
      {{"--x", "nan"}, "--x"},
      {{"--x", "-1"}, "--x"},
      {{"--x", "three"}, "--x"},
      {{"--radius", "1"}, "--lambda"},
      {{"--radius", "-1", "--lambda", "1"}, "--radius"},
      {{"--radius", "1", "--lambda", "0"}, "--lambda"},
      {{"--x", "1", "--radius", "1"}, "--radius"},
      {{"--x", "1", "--m", "1"}, "m = 1"},
      {{"--x", "1", "--m", "nan"}, "--m"},
      {{"--x", "1", "--m", "1.5,-0.1"}, "negative"},
      {{"--x", "1", "--m", "1.5", "--core-x", "2", "--core-m", "1.3"}, "core"},
      {{"--x", "1", "--m", "1.5", "--core-x", "0.5"}, "--core-m"},
      {{"--x", "1", "--m", "1.5", "--core-m", "1.3"}, "--core-x"},
      {{"--x", "1", "--angles", "-5"}, "--angles"},
      {{"--x", "1e300"}, "too large"},
      {{"--x", "1", "--colour", "red"}, "--colour"},
  };
  for (const auto& [args, word] : cases) {
    const auto a = mie(args);
    EXPECT_EQ(a.code, 2) << testing::PrintToString(args);
    EXPECT_NE(a.err.find(word), std::string::npos) << testing::PrintToString(args) << ": " << a.err;
    EXPECT_EQ(a.out, "") << testing::PrintToString(args);
  }
}

TEST(MieCommand, UnwritableCsvIsRefusedBeforeAnythingIsPrinted) {
  const auto a = mie({"--x", "1", "--csv", "/no/such/folder/a.csv"});
  EXPECT_EQ(a.code, 2);
  EXPECT_NE(a.err.find("/no/such/folder/a.csv"), std::string::npos);
  EXPECT_EQ(a.out, "");
}

TEST(MieCommand, HelpExitsWithZero) {
  const auto a = mie({"--help"});
  EXPECT_EQ(a.code, 0);
  EXPECT_NE(a.out.find("--core-radius"), std::string::npos);
}

}  // namespace
}  // namespace umov::commands
