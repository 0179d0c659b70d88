// The moment of a static analysis: every spelling of it, 0 among them, and none.
#include <gtest/gtest.h>

#include <cmath>

#include "support/program.hpp"

namespace {

using namespace umov;

/// 1 mm of a dielectric between a sine of 1 kV, 50 Hz (with `phase`) and ground.
std::string plates(const std::string& phase, const std::string& time) {
  return R"([geometry]
kind = "layers"
width = 1e-3
[[layer]]
region = "a"
thickness = 1e-3
elements = 2
[[material]]
name = "a"
permittivity = 2
conductivity = 1e-12
[[electrode]]
name = "bottom"
amplitude = 1000
)" + phase +
         "\n[[electrode]]\nname = \"top\"\nkind = \"ground\"\n[time]\n" + time + "\n";
}

class EqsMoment : public testing::Test {
 protected:
  test::Ended run(const std::string& text, const std::string& flags) {
    folder.write("case.toml", text);
    return test::run(
        folder, "eqs case.toml --cpu --threads 1 --quiet --no-pictures --no-vtk --output-dir out " + flags);
  }
  /// Potential of the first electrode, V.
  double potential(const std::string& phase, const std::string& time, const std::string& flags) {
    const auto end = run(plates(phase, time), flags);
    EXPECT_EQ(end.code, 0) << end.err;
    const std::string table = test::text_of(folder / "out/electrodes.csv");
    std::istringstream in(table);
    std::string line, row;
    while (std::getline(in, line)) row = line;
    EXPECT_NE(table.find("time [s],bottom potential [V]"), table.npos) << table;
    return std::strtod(row.c_str() + row.find(',') + 1, nullptr);
  }
  test::TemporaryFolder folder;
};

TEST_F(EqsMoment, IsThatOfPeriodsOrOfAnEndInFileOrFlag) {
  struct Of {
    const char *phase, *time, *flags;
    double volts;
  };
  const Of cases[] = {
      {"", "end = 0.0016666666666666668", "", 500},
      {"", "periods = 0.08333333333333333", "", 500},
      {"", "", "--periods 0.08333333333333333", 500},
      {"", "end = 7", "--periods 0.08333333333333333", 500},
      {"frequency = 50", "frequency = 25\nperiods = 0.041666666666666664", "", 500},
      {"phase = 90", "periods = 0.25", "", 0},
      {"phase = 30", "end = 0", "", 500},
      {"phase = 30", "periods = 0", "", 500},
      {"phase = 30", "periods = 3", "--end 0", 500},
      {"phase = 30", "", "", 1000},
  };
  for (const char* analysis : {"electrostatic", "conduction"})
    for (const Of& c : cases)
      // sin(30 deg) of 1 kV, rounded
      EXPECT_NEAR(potential(c.phase, c.time, std::string("--analysis ") + analysis + " " + c.flags), c.volts,
                  1e-9)
          << analysis << " " << c.phase << " " << c.time << " " << c.flags;
}

TEST_F(EqsMoment, IsRepeatedByTheResolvedCase) {
  for (const auto& [time, volts] : {std::pair{"end = 0", 500.0}, {"", 1000.0}}) {
    EXPECT_NEAR(potential("phase = 30", time, "--analysis electrostatic"), volts, 1e-9);
    const std::string once = test::text_of(folder / "out/resolved.toml");
    ASSERT_EQ(test::run(folder, "eqs out/resolved.toml --quiet --output-dir again").code, 0);
    EXPECT_EQ(test::text_of(folder / "again/electrodes.csv"), test::text_of(folder / "out/electrodes.csv"));
  }
}

TEST_F(EqsMoment, GivenTwiceIsRefusedAndOneWithoutVoltageIsSaid) {
  const auto twice = run(plates("", "end = 0\nperiods = 0.25"), "--analysis electrostatic");
  EXPECT_EQ(twice.code, 2);
  EXPECT_NE(twice.err.find("each says which moment is meant"), std::string::npos) << twice.err;
  const auto nothing = run(plates("", "periods = 1"), "--analysis electrostatic");
  EXPECT_EQ(nothing.code, 0);
  EXPECT_NE(nothing.err.find("warning: at 20 ms, the moment that is asked for, no waveform drives"),
            std::string::npos)
      << nothing.err;
  const auto never = run(plates("", "end = 0"), "");
  EXPECT_EQ(never.code, 2);
  EXPECT_NE(never.err.find("the run has no end (case.toml:20: 'time.end' is 0)"), std::string::npos)
      << never.err;
}

}  // namespace
