// `umov harmonic CASE`, and `umov fdtd CASE` of the same case: one family behind two names.
#include <gtest/gtest.h>

#include <algorithm>

#include "results/hdf5_reader.hpp"
#include "support/program.hpp"

namespace umov {
namespace {

using test::TemporaryFolder;
using test::text_of;

/// A rough film on an absorber, two wavelengths: iterations, absorption, a field.
const char* const rough_film = R"([harmonic]
wavelengths = [0.5, 0.6]
substrate = "glass"
period = 0.4
cell = 0.04
fields_at = [0.5]
[machine]
backend = "serial"
[[material]]
name = "glass"
index = 1.5
[[material]]
name = "film"
index = 2.5
extinction = 0.1
[[layer]]
material = "film"
thickness = 0.12
[[texture]]
above = "substrate"
rms = 0.02
correlation_length = 0.1
)";

/// One of the two commands after its run of the case into `out`.
struct Ran {
  explicit Ran(const std::string& command) {
    folder.write("case.toml", rough_film);
    ended = test::run(folder, command + " case.toml --output-dir out");
  }
  std::string file(const std::string& name) const { return (folder / ("out/" + name)).string(); }
  results::StoredFile hdf5(const std::string& name) const { return results::list_hdf5(file(name)); }

  TemporaryFolder folder;
  test::Ended ended;
};

/// The lines of a log that are the same whenever and however it was called: without the line as typed, the
/// seconds of the run, and the table of stages.
std::string facts(const std::string& log) {
  std::istringstream in(log);
  std::string out;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("umov ") && !line.starts_with("  ") && line.find(" s on ") == std::string::npos)
      out += line + "\n";
  return out;
}

std::vector<double> values(const Ran& ran, const std::string& file, const results::StoredArray& array) {
  if (array.shape.empty()) return {array.value};
  return results::read_list(ran.file(file), array.name);
}

void expect_same_arrays(const Ran& a, const Ran& b, const std::string& name) {
  const auto one = a.hdf5(name), two = b.hdf5(name);
  ASSERT_EQ(one.arrays.size(), two.arrays.size());
  EXPECT_GT(one.arrays.size() + one.images.size(), 0u);
  for (std::size_t i = 0; i < one.arrays.size(); ++i) {
    EXPECT_EQ(one.arrays[i].name, two.arrays[i].name);
    if (one.arrays[i].name.starts_with("timings/")) continue;
    EXPECT_EQ(values(a, name, one.arrays[i]), values(b, name, two.arrays[i])) << one.arrays[i].name;
  }
  const auto without_line = [](auto attributes) {
    std::erase_if(attributes, [](const auto& entry) { return entry.first == "command_line"; });
    return attributes;
  };
  EXPECT_EQ(without_line(one.attributes), without_line(two.attributes)) << name;
}

TEST(HarmonicCommand, GivesTheFilesThatTheCommandOfTheTimeDomainGives) {
  const Ran own("harmonic"), other("fdtd");
  ASSERT_EQ(own.ended.code, 0) << own.ended.err;
  ASSERT_EQ(other.ended.code, 0) << other.ended.err;
  const auto names = own.folder.names("out");
  ASSERT_EQ(names, other.folder.names("out"));
  int arrays = 0, tables = 0;
  for (const auto& name : names) {
    const std::string one = text_of(own.file(name)), two = text_of(other.file(name));
    const bool is_hdf5 = name.ends_with(".h5") || name.ends_with(".vtkhdf");
    arrays += is_hdf5;
    tables += name.ends_with(".csv");
    if (is_hdf5) {
      expect_same_arrays(own, other, name);
    } else if (name != ".written") {  // times at which files were changed
      EXPECT_EQ(name == "log" ? facts(one) : one, name == "log" ? facts(two) : two) << name;
    }
  }
  EXPECT_GT(arrays, 0);
  EXPECT_GT(tables, 0);
}

TEST(HarmonicCommand, LogSaysTheLineAsItWasTyped) {
  for (const std::string command : {"harmonic", "fdtd"}) {
    const Ran ran(command);
    EXPECT_NE(text_of(ran.file("log")).find("\numov " + command + " case.toml"), std::string::npos);
  }
}

TEST(HarmonicCommand, ExplainsItselfAndRefusesACaseOfTheTimeDomain) {
  const TemporaryFolder folder;
  folder.write("time.toml", "[domain]\nsize = [1, 1]\nresolution = 10\n");
  EXPECT_NE(test::run(folder, "help").out.find("\n  harmonic "), std::string::npos);
  const auto help = test::run(folder, "harmonic --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_TRUE(help.out.starts_with("umov harmonic case.toml")) << help.out;
  EXPECT_EQ(help.out, test::run(folder, "fdtd --harmonic --help").out);
  const auto refused = test::run(folder, "harmonic time.toml");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("time.toml"), std::string::npos) << refused.err;
  const auto unknown = test::run(folder, "harmonic a.toml b.toml");
  EXPECT_NE(unknown.err.find("see umov harmonic --help"), std::string::npos) << unknown.err;
}

}  // namespace
}  // namespace umov
