// Parameter tables on a small struct: what one declaration gives, and what it refuses.
#include "parameters/parameters.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "core/error.hpp"
#include "support/temp_folder.hpp"

namespace {

using namespace umov;

enum class Colour { red, green };

struct Toy {
  double length = 2;
  std::optional<double> width;
  int count = 3;
  bool bright = true;
  Colour colour = Colour::red;
  std::string name = "a \"quoted\" \\ name";
  Vec3 direction{0, 0, 1};
  std::vector<double> list{0.1, 1e-30};
  std::vector<double> items{5};
  Int3 grid{0, 0, 0};
};

#define FIELD(f) \
  [](auto& t) -> auto& { return t.f; }

ParameterInfo info(std::string section, std::string key, std::vector<std::string> flags) {
  ParameterInfo i;
  i.section = std::move(section);
  i.key = std::move(key);
  i.flags = std::move(flags);
  i.help = "Help of it.";
  i.when_unset = "by itself";
  return i;
}

ParameterTable<Toy> toy_table() {
  ParameterTable<Toy> t;
  t.add(info("", "length", {"--length", "-l"}), number(Range::above(0)), FIELD(length));
  t.add(info("box", "width", {"--width"}), optional_number(Range::between(0, 9)), FIELD(width));
  t.add(info("box", "count", {"--count"}), integer<int>(Range::between(1, 10)), FIELD(count));
  t.add(info("box", "bright", {"--bright", "--no-bright"}), boolean(), FIELD(bright));
  t.add(info("box", "colour", {"--colour"}), choice<Colour>({{"red", Colour::red}, {"green", Colour::green}}),
        FIELD(colour));
  t.add(info("box", "name", {"--name"}), text(), FIELD(name));
  t.add(info("box", "direction", {"--direction"}), vector3(), FIELD(direction));
  t.add(info("box", "list", {"--list"}), numbers(), FIELD(list));
  t.add(info("box", "grid", {"--grid"}), grid3(false), FIELD(grid));
  t.add_repeated(info("item", "x", {"--item"}), number(Range::at_least(0)), FIELD(items));
  return t;
}

class Parameters : public testing::Test {
 protected:
  void SetUp() override {
    file_ =
        (std::filesystem::temp_directory_path() / ("umov_parameters_" + std::to_string(getpid()) + ".toml"))
            .string();
  }
  void TearDown() override { std::filesystem::remove(file_); }

  Toy from_file(const std::string& content) {
    std::ofstream(file_) << content;
    Toy toy;
    table_.read_toml(file_, toy, origins_);
    return toy;
  }
  Toy from_flags(const std::vector<std::string>& args) {
    Toy toy;
    table_.read_flags(args, toy, origins_);
    return toy;
  }
  template <class F>
  std::string refusal(const F& f) {
    try {
      f();
    } catch (const BadInput& e) {
      std::string message = e.what();
      if (const auto at = message.find(file_); at != std::string::npos)
        message.replace(at, file_.size(), "F");
      return message;
    }
    return "accepted";
  }
  std::string file_refusal(const std::string& content) {
    return refusal([&] { from_file(content); });
  }
  std::string flag_refusal(const std::vector<std::string>& args) {
    return refusal([&] { from_flags(args); });
  }

  ParameterTable<Toy> table_ = toy_table();
  Origins origins_;
  std::string file_;
};

TEST_F(Parameters, FileAndFlagsFillTheSameFields) {
  const Toy a = from_file(
      "length = 7\n[box]\nwidth = 0.5\ncount = 4\nbright = false\ncolour = \"green\"\nname = \"n\"\n"
      "direction = [1, -2, 0.5]\nlist = [3]\ngrid = [2, 3, 4]\n[[item]]\nx = 1\n[[item]]\nx = 2\n");
  const Toy b =
      from_flags({"-l",     "7", "--width=0.5", "--count",  "4",      "--no-bright", "--colour", "green",
                  "--name", "n", "--direction", "1,-2,0.5", "--list", "3",           "--grid",   "2x3x4",
                  "--item", "1", "--item",      "2"});
  for (const Toy& t : {a, b}) {
    EXPECT_EQ(t.length, 7);
    EXPECT_EQ(t.width, 0.5);
    EXPECT_EQ(t.count, 4);
    EXPECT_FALSE(t.bright);
    EXPECT_EQ(t.colour, Colour::green);
    EXPECT_EQ(t.name, "n");
    EXPECT_EQ(t.direction, (Vec3{1, -2, 0.5}));
    EXPECT_EQ(t.list, (std::vector<double>{3}));
    EXPECT_EQ(t.grid, (Int3{2, 3, 4}));
    EXPECT_EQ(t.items, (std::vector<double>{1, 2}));
  }
  EXPECT_EQ(origins_.at("length"), "-l");
}

TEST_F(Parameters, WrittenTomlReadsBackToTheSameFields) {
  for (const Toy& toy :
       {Toy{}, from_flags({"--width", "0.1", "--list", "0.3,7", "--item", "1", "--item", "4"})}) {
    const std::string text = table_.write_toml(toy);
    EXPECT_EQ(table_.write_toml(from_file(text)), text);
    EXPECT_EQ(from_file(text).name, toy.name);
    EXPECT_EQ(from_file(text).list, toy.list);
    EXPECT_EQ(from_file(text).items, toy.items);
  }
}

TEST_F(Parameters, UnknownKeyIsNamedWithLineAndSuggestion) {
  EXPECT_EQ(file_refusal("\n[box]\nwidht = 1\n"), "F:3: unknown key 'widht' in [box]; did you mean 'width'?");
  EXPECT_EQ(file_refusal("lenght = 1\n"), "F:1: unknown key 'lenght'; did you mean 'length'?");
  EXPECT_EQ(file_refusal("[bxo]\n"), "F:1: unknown key 'bxo'; did you mean 'box'?");
  EXPECT_EQ(file_refusal("[box]\nlength = 1\n"),
            "F:2: unknown key 'length' in [box]; it belongs in the top level");
}

TEST_F(Parameters, WrongTypesAreRefusedWithLine) {
  EXPECT_EQ(file_refusal("length = \"2\"\n"), "F:1: 'length' wants a number, not the text '2'");
  EXPECT_EQ(file_refusal("length = nan\n"), "F:1: 'length' wants a finite number, not nan");
  EXPECT_EQ(file_refusal("length = inf\n"), "F:1: 'length' wants a finite number, not inf");
  EXPECT_EQ(file_refusal("[box]\n\ncount = 1.5\n"), "F:3: 'box.count' wants a whole number, not 1.5");
  EXPECT_EQ(file_refusal("[box]\nbright = 1\n"), "F:2: 'box.bright' wants true or false, not 1");
  EXPECT_EQ(file_refusal("[box]\ndirection = [1, 2]\n"),
            "F:2: 'box.direction' wants three numbers x, y, z, not a list of 2");
  EXPECT_EQ(file_refusal("[box]\nlist = [1, nan]\n"), "F:2: 'box.list' wants a finite number, not nan");
  EXPECT_EQ(file_refusal("[box]\nname = {a = 1}\n"),
            "F:2: 'box.name' has a type that no parameter takes (a table, a date or a time)");
  EXPECT_EQ(file_refusal("box = 3\n"), "F:1: 'box' wants a table: [box]");
}

TEST_F(Parameters, ValuesOutOfRangeAreRefusedWithTheRange) {
  EXPECT_EQ(file_refusal("length = 0\n"), "F:1: 'length' 0 is out of range (allowed: > 0)");
  EXPECT_EQ(file_refusal("[box]\nwidth = 10\n"), "F:2: 'box.width' 10 is out of range (allowed: 0 to 9)");
  EXPECT_EQ(flag_refusal({"--item", "1", "--item", "-3"}), "--item -3: -3 is out of range (allowed: >= 0)");
  EXPECT_EQ(file_refusal("[box]\ncolour = \"gren\"\n"),
            "F:2: 'box.colour' 'gren' is unknown (choose from red, green); did you mean 'green'?");
}

TEST_F(Parameters, BrokenTomlIsNamedWithLine) {
  EXPECT_EQ(file_refusal("length = 1\nlength = 2\n").rfind("F:2: not valid TOML", 0), 0u);
  EXPECT_EQ(file_refusal("length = 1\n[box\n").rfind("F:2: not valid TOML", 0), 0u);
}

TEST_F(Parameters, BadFlagsAreNamed) {
  EXPECT_EQ(flag_refusal({"--lenght", "2"}), "unknown option '--lenght'; did you mean '--length'?");
  EXPECT_EQ(flag_refusal({"--length", "nan"}), "--length nan: wants a number, not the text 'nan'");
  EXPECT_EQ(flag_refusal({"--length"}), "--length: wants a value (nothing follows it); see --help");
  EXPECT_EQ(flag_refusal({"--length", "1", "--length", "2"}), "--length: given twice (once as --length)");
  EXPECT_EQ(flag_refusal({"-l", "1", "--length", "2"}), "-l: given twice (once as --length)");
  EXPECT_EQ(flag_refusal({"--direction", "(1,2,3"}), "--direction (1,2,3: '(1,2,3' lacks a closing ')'");
  EXPECT_EQ(flag_refusal({"--direction", "1,,3"}),
            "--direction 1,,3: '1,,3' has an empty place at position 3");
}

TEST_F(Parameters, HelpAndManualNameEveryParameter) {
  const std::string help = table_.help(), manual = table_.markdown();
  for (const auto& p : table_.parameters())
    for (const auto& flag : p.flags) {
      EXPECT_NE(help.find(flag), std::string::npos) << flag;
      EXPECT_NE(manual.find("`" + flag), std::string::npos) << flag;
    }
  EXPECT_NE(help.find("> 0; default 2"), std::string::npos);
}

/// A list of structs that hold lists themselves.
struct Leaf {
  double weight = 1;
};
struct Branch {
  std::string name;
  Vec3 at{0, 0, 0};
  std::optional<Vec3> span;
  std::vector<Leaf> leaves;
};
struct Plant {
  std::string file;
  std::vector<Branch> branches;
};

class NestedParameters : public Parameters {
 protected:
  NestedParameters() {
    ParameterTable<Leaf> leaf;
    leaf.add(info("", "weight", {}), number(Range::at_least(0)), FIELD(weight));
    ParameterTable<Branch> branch;
    branch.add(info("", "name", {}), text(), FIELD(name));
    branch.add(info("", "at", {}), extents(), FIELD(at));
    branch.add(info("", "span", {}), optional_of(extents(Range::at_least(0), true)), FIELD(span));
    branch.add_list("leaf", "Leaves.", leaf, FIELD(leaves));
    plant_.add(info("tree", "file", {}), path(), FIELD(file));
    plant_.add_list("branch", "Branches.", branch, FIELD(branches));
  }
  Plant plant(const std::string& content) {
    std::ofstream(file_) << content;
    Plant t;
    plant_.read_toml(file_, t, origins_);
    return t;
  }

  ParameterTable<Plant> plant_;
};

TEST_F(NestedParameters, TablesOfAListFillStructsInTheirOrder) {
  const Plant t = plant(
      "[[branch]]\nname = \"a\"\nat = 3\n[[branch.leaf]]\nweight = 2\n[[branch.leaf]]\n"
      "[[branch]]\nat = [1, 2]\nspan = [\"inf\", 4, inf]\n");
  ASSERT_EQ(t.branches.size(), 2u);
  EXPECT_EQ(t.branches[0].name, "a");
  EXPECT_EQ(t.branches[0].at, (Vec3{3, 0, 0}));
  ASSERT_EQ(t.branches[0].leaves.size(), 2u);
  EXPECT_EQ(t.branches[0].leaves[0].weight, 2);
  EXPECT_EQ(t.branches[0].leaves[1].weight, 1);
  EXPECT_FALSE(t.branches[0].span);
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(t.branches[1].span, (Vec3{inf, 4, inf}));
  EXPECT_EQ(origins_.at("branch[1].at"), file_ + ":8");
  EXPECT_EQ(origins_.at("branch[0].leaf[0]"), file_ + ":4");
}

TEST_F(NestedParameters, WrittenListsReadBack) {
  const Plant t =
      plant("[[branch]]\nname = \"a\"\n[[branch.leaf]]\nweight = 2\n[[branch]]\nspan = [inf, 1]\n");
  const std::string text = plant_.write_toml(t);
  EXPECT_NE(text.find("[[branch.leaf]]\nweight = 2"), std::string::npos) << text;
  EXPECT_EQ(plant_.write_toml(plant(text)), text);
  EXPECT_EQ(plant(text).branches.size(), 2u);
}

TEST_F(NestedParameters, ErrorsInAListNameTheirLine) {
  const auto refused = [&](const std::string& content) { return refusal([&] { plant(content); }); };
  EXPECT_EQ(refused("[[branch]]\n\nnme = 1\n"), "F:3: unknown key 'nme' in [[branch]]; did you mean 'name'?");
  EXPECT_EQ(refused("[[branch]]\n[[branch.leaf]]\nwieght = 1\n"),
            "F:3: unknown key 'wieght' in [[branch.leaf]]; did you mean 'weight'?");
  EXPECT_EQ(refused("[[branch]]\n[[branch.leaf]]\nweight = -1\n"),
            "F:3: 'branch.leaf.weight' -1 is out of range (allowed: >= 0)");
  EXPECT_EQ(refused("[branch]\nname = \"a\"\n"), "F:1: 'branch' wants tables: [[branch]]");
  EXPECT_EQ(refused("branch = [1]\n"), "F:1: 'branch' wants tables: [[branch]]");
  EXPECT_EQ(refused("[[brnch]]\n"), "F:1: unknown key 'brnch'; did you mean 'branch'?");
}

TEST_F(NestedParameters, ManualHasTheTablesOfLists) {
  const std::string manual = plant_.markdown();
  EXPECT_NE(manual.find("### `[[branch]]`\n\nBranches."), std::string::npos) << manual;
  EXPECT_NE(manual.find("### `[[branch.leaf]]`"), std::string::npos);
}

TEST_F(NestedParameters, AFileOfACaseIsLookedForBesideIt) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path();
  EXPECT_EQ(plant("[tree]\nfile = \"model.x\"\n").file, (folder / "model.x").string());
  EXPECT_EQ(plant("[tree]\nfile = \"/a/b.x\"\n").file, "/a/b.x");
  Plant t;
  t.file = "model.x";
  EXPECT_NE(plant_.write_toml(t).find(quoted((fs::current_path() / "model.x").string())), std::string::npos);
}

/// A case whose width may have several values.
struct Listed {
  GivenLists lists;
  double width = 1;
  Vec3 at{0, 0, 1};
  bool area = false, picture = false;
  int threads = 1, most = 9;
  std::string file;
  std::vector<std::string> pages;
};

ParameterTable<Listed> listed_table() {
  ParameterTable<Listed> t;
  t.add_listed(info("box", "width", {"--width"}), number(Range::above(0)), FIELD(lists), FIELD(width));
  t.add_listed(info("box", "at", {"--at"}), vector3(), FIELD(lists), FIELD(at));
  ParameterInfo area = info("output", "area", {}), threads = info("machine", "threads", {}),
                most = info("solver", "most", {});
  area.concern = Concern::result;
  most.concern = Concern::course;
  threads.concern = Concern::machine;
  t.add(area, boolean(), FIELD(area));
  t.add(info("output", "picture", {}), boolean(), FIELD(picture));
  t.add(threads, integer<int>(), FIELD(threads));
  t.add(most, integer<int>(), FIELD(most));
  t.add(info("box", "file", {}), path(), FIELD(file));
  t.add(info("box", "pages", {}), list_of(path()), FIELD(pages));
  return t;
}

Listed listed_from(const std::vector<std::string>& args) {
  Listed c;
  Origins origins;
  listed_table().read_flags(args, c, origins);
  return c;
}

TEST(ListedParameters, KeepWhatWasGivenAndHaveTheFirstValue) {
  const auto t = listed_table();
  const Listed one = listed_from({"--width", "3"});
  EXPECT_TRUE(one.lists.empty());
  EXPECT_EQ(one.width, 3);
  const Listed range = listed_from({"--width", "2:1:3", "--at", "(1,0,0),(0,1,0)"});
  EXPECT_EQ(range.width, 2);
  EXPECT_EQ(range.at, (Vec3{1, 0, 0}));
  ASSERT_EQ(range.lists.size(), 2u);
  EXPECT_EQ(t.write_toml(range).substr(0, t.write_toml(range).find("file")),
            "\n[box]\nwidth = \"2:1:3\"\nat = [[1, 0, 0], [0, 1, 0]]\n");
  Listed second = range;
  t.set("box.width", &second, range.lists.at("box.width").values.at(1));
  t.set("box.at", &second, range.lists.at("box.at").values.at(1));
  EXPECT_TRUE(second.lists.empty());
  EXPECT_EQ(second.width, 1.5);
  EXPECT_EQ(second.at, (Vec3{0, 1, 0}));
  EXPECT_EQ(t.literals(t.listed(), &second), (std::vector<std::string>{"1.5", "[0, 1, 0]"}));
}

TEST(ListedParameters, RefuseAValueThatOneAloneWouldNotHave) {
  const auto t = listed_table();
  for (const std::string bad : {"1,-1", "1,1", "1:2", "1:-1:3"})
    EXPECT_THROW(listed_from({"--width", bad}), BadInput) << bad;
  EXPECT_THROW(listed_from({"--at", "(1,0,0),(1,0,0)"}), BadInput);
  EXPECT_THROW(listed_from({"--at", "(1,0,0),(1,0)"}), BadInput);
}

TEST(Identity, IsOfWhatChangesResultsWithFilesByTheirNames) {
  const auto t = listed_table();
  const auto of = [&](const Listed& c, const std::vector<std::string>& others = {}) {
    return t.identity(&c, {Concern::result}, others);
  };
  Listed c, other;
  other.picture = true;
  other.threads = 7;
  EXPECT_EQ(of(c), of(other)) << "output and machine";
  other.area = true;
  EXPECT_NE(of(c), of(other)) << "an output that is part of the result";
  other = c;
  other.most = 3;
  EXPECT_EQ(of(c), of(other)) << "a state goes on";
  EXPECT_NE(t.identity(&c, {Concern::result, Concern::course}),
            t.identity(&other, {Concern::result, Concern::course}));
  other = c;
  other.width = 2;
  EXPECT_NE(of(c), of(other));
  EXPECT_EQ(of(c, t.listed()), of(other, t.listed()));
  c.file = "/here/a \"quoted\" name.txt";
  other = c;
  other.file = "/there/a \"quoted\" name.txt";
  EXPECT_EQ(of(c), of(other)) << "the folder does not count";
  EXPECT_NE(of(c).find("file = \"a \\\"quoted\\\" name.txt\""), std::string::npos) << of(c);
  const test::TempFolder folder;
  c.pages = {folder / "one.txt", folder / "two.txt"};
  for (const auto& page : c.pages) std::ofstream(page) << "as it was";
  const std::string before = of(c);
  EXPECT_NE(before.find("pages = [\"one.txt\", \"two.txt\"]"), std::string::npos) << before;
  std::ofstream(c.pages[1]) << "otherwise";
  EXPECT_NE(of(c), before) << "the contents count";
}

/// A file or the points themselves, as a curve is given.
TEST(Identity, HasPointsThatStandInPlaceOfAFileAsTheyAre) {
  ParameterTable<Listed> t;
  t.add(info("box", "pages", {}),
        Codec<std::vector<std::string>>{[](const Value&) { return std::vector<std::string>(); }, parse_scalar,
                                        [](const auto&) { return "[[1, 2], [3, 4]]"; }, "", "", true},
        FIELD(pages));
  const Listed c;
  EXPECT_EQ(t.identity(&c, {Concern::result}), "\n[box]\npages = [[1, 2], [3, 4]]\n");
}

TEST(Identity, OfAStateIsOfResultsAndRecordsAlone) {
  ParameterTable<Listed> t;
  const auto add = [&](const char* key, Concern concern) {
    ParameterInfo i = info("output", key, {});
    i.concern = concern;
    t.add(i, boolean(), FIELD(area));
  };
  add("taken_at", Concern::result);
  add("matrix", Concern::course);
  add("frames", Concern::record);
  add("picture", Concern::by_section);
  add("folder", Concern::machine);
  const Listed c;
  EXPECT_EQ(t.identity(&c, {Concern::result, Concern::record}),
            "\n[output]\ntaken_at = false\nframes = false\n");
}

}  // namespace
