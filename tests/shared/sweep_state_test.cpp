// What tells cases and sweeps apart, and what is kept of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "support/adding_family.hpp"
#include "support/temp_folder.hpp"
#include "sweep/state.hpp"

namespace umov::sweep {
namespace {

namespace fs = std::filesystem;

TEST(SweepCases, AreKnownByWhatTheySayAndNotByTheMachine) {
  const auto key = [](const std::string& text) {
    Sweep s{"adding", tree_of_toml(text, "case.toml"), {parse_axis("a=1,2", "--set")}, 2};
    return Keys("adding", numbers_table()).of(s.case_of(0));
  };
  EXPECT_EQ(key("a = 5"), key("[machine]\nthreads = 3\n"));
  EXPECT_NE(key("a = 5"), key("b = 5"));
  EXPECT_NE(key("a = 5"), key("[machine]\nprecision = \"double\"\n"));
}

TEST(SweepCases, AreKnownByWhatTheirFilesHold) {
  const test::TempFolder folder;
  const auto key = [&](const std::string& text) {
    std::ofstream(folder / "n.csv") << text;
    Sweep s{"adding", {}, {parse_axis("a=1,2", "--set")}, 2};
    s.base.set("file", folder / "n.csv");
    return Keys("adding", numbers_table()).of(s.case_of(1));
  };
  EXPECT_EQ(key("1"), key("1"));
  EXPECT_NE(key("1"), key("2"));
}

TEST(SweepCases, AFileThatIsChangedAfterItWasMetIsNoticed) {
  const test::TempFolder folder;
  const std::string path = folder / "n.csv";
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  write("1");
  Tree tree;
  tree.set("file", path);
  Keys keys("adding", numbers_table());
  keys.of(tree);
  EXPECT_NO_THROW(keys.require_unchanged(tree));
  write("1");
  EXPECT_NO_THROW(keys.require_unchanged(tree)) << "written, but the same";
  write("2");
  fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_THROW(keys.require_unchanged(tree), BadInput);
  fs::remove(path);
  EXPECT_THROW(keys.require_unchanged(tree), BadInput);
}

TEST(SweepState, IsOfOneSweepInWhicheverFolder) {
  Identity a{"adding", "file = \"/one/n.csv\"\nb = 1\n", {}, 100}, b = a;
  b.text = "file = \"/two/n.csv\"\nb = 1\n";
  EXPECT_TRUE(is_same(a, b));
  b.text = "file = \"/two/m.csv\"\nb = 1\n";
  EXPECT_FALSE(is_same(a, b));
  b.text = "file = \"/two/n.csv\"\nb = 2\n";
  EXPECT_FALSE(is_same(a, b));
}

TEST(SweepState, IsReadUpToTheLastWholeRowWhereverItWasCut) {
  const test::TempFolder folder;
  const Sweep s = adding_sweep();
  const Rows rows = computed(s, 1);
  State state{identity_of(s, 100), {2, 3}, {{"/a/n.csv", 7}}, {}};
  std::vector<std::uintmax_t> ends;
  {
    StateFile file(state_file(folder.path.string()), state);
    ends.push_back(fs::file_size(folder / "sweep.state"));
    for (std::size_t k = 0; k < 3; ++k) {
      file.add({k, 10 + k, *rows[k]});
      ends.push_back(fs::file_size(folder / "sweep.state"));
    }
  }
  for (std::uintmax_t size = ends.back(); size >= ends.front(); --size) {
    fs::resize_file(folder / "sweep.state", size);
    const State back = read_state(folder.path.string());
    const auto whole = std::size_t(std::upper_bound(ends.begin(), ends.end(), size) - ends.begin()) - 1;
    ASSERT_EQ(back.rows.size(), whole) << size;
    EXPECT_EQ(back.shard.number, 2u);
    EXPECT_EQ(back.files, state.files);
    if (whole < 2) continue;
    EXPECT_EQ(back.rows[1].key, 11u);
    EXPECT_EQ(back.rows[1].row.scalars[0].value, 3);
    EXPECT_EQ(std::get<0>(back.rows[1].row.arrays[0].data), (std::vector<double>{1, 2}));
  }
  for (const std::uintmax_t size :
       {ends.front() - 1, std::uintmax_t(20), std::uintmax_t(3), std::uintmax_t(0)}) {
    fs::resize_file(folder / "sweep.state", size);
    EXPECT_THROW(read_state(folder.path.string()), BadInput) << size;
  }
}

TEST(SweepCases, AreKnownWithoutOutputWhereThatIsAsked) {
  const auto key = [](const std::string& text, bool outputs) {
    return Keys("adding", numbers_table(), outputs).of(tree_of_toml(text, "case.toml"));
  };
  EXPECT_EQ(key("a = 1\n[output]\nplot = 1\n", false), key("a = 1\n", false));
  EXPECT_NE(key("a = 1\n[output]\nplot = 1\n", true), key("a = 1\n", true));
  EXPECT_EQ(key("a = 1\n[[cut]]\nplace = 1\n[[cut]]\nplace = 2\n", false), key("a = 1\n", false));
}

}  // namespace
}  // namespace umov::sweep
