// Cases as trees: the same from TOML, JSON and C++, with the places where it was said.
#include "parameters/tree.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "parameters/parameters.hpp"
#include "parameters/variations.hpp"
#include "support/temp_folder.hpp"

namespace umov {
namespace {

struct Disk {
  std::string name;
  double radius = 1;
  Vec3 at{0, 0, 0};
};
struct Ring {
  double wavelength = 1;
  int steps = 10;
  bool bright = false;
  std::string picture;
  std::vector<double> losses;
  std::vector<Disk> bodies;
};

#define FIELD(f) \
  [](auto& t) -> auto& { return t.f; }

ParameterInfo info(std::string section, std::string key) {
  ParameterInfo i;
  i.section = std::move(section);
  i.key = std::move(key);
  return i;
}

ParameterTable<Ring> ring_table() {
  ParameterTable<Disk> disk;
  disk.add(info("", "name"), text(), FIELD(name));
  disk.add(info("", "radius"), number(Range::above(0)), FIELD(radius));
  disk.add(info("", "at"), vector3(), FIELD(at));
  ParameterTable<Ring> t;
  t.add(info("", "wavelength"), number(Range::above(0)), FIELD(wavelength));
  t.add(info("time", "steps"), integer<int>(), FIELD(steps));
  t.add(info("time", "bright"), boolean(), FIELD(bright));
  t.add(info("time", "picture"), path(), FIELD(picture));
  t.add(info("time", "losses"), numbers(), FIELD(losses));
  t.add_list("body", "Bodies.", disk, FIELD(bodies));
  return t;
}

struct Read {
  Ring ring;
  Origins origins;
};
Read read(const Tree& tree, const std::string& folder = "") {
  Read out;
  ring_table().read(tree, out.ring, out.origins, folder);
  return out;
}

/// What `f` throws as an E; "accepted" where it throws nothing.
template <class E = BadInput, class F>
std::string refusal_of_tree(const F& f) {
  try {
    f();
    return "accepted";
  } catch (const E& e) {
    return e.what();
  }
}

const std::string toml_case =
    "wavelength = 0.5\n[time]\nsteps = 7\nbright = true\nlosses = [1, 2.5]\n\n"
    "[[body]]\nname = \"disk\"\nradius = 2\nat = [1, 2, 3]\n[[body]]\n";
const std::string json_case =
    "{\"body\": [{\"name\": \"disk\", \"radius\": 2, \"at\": [1, 2, 3]}, {}],\n"
    "\"wavelength\": 0.5, \"time\": {\"steps\": 7, \"bright\": true, \"losses\": [1, 2.5]}}";

Tree built_case() {
  Tree disk;
  disk.set("name", "disk").set("radius", 2).set("at", {1, 2, 3});
  Tree ring;
  ring.set("wavelength", .5).set("time.steps", 7).set("time.bright", true);
  ring.set("time.losses", std::vector<double>{1, 2.5});
  ring.push_back("body", disk).push_back("body", Tree());
  return ring;
}

TEST(Trees, TheSameCaseInTomlInJsonAndInCxxFillsTheSameFields) {
  for (const Tree& tree :
       {tree_of_toml(toml_case, "case.toml"), tree_of_json(json_case, "case.json"), built_case()}) {
    const Ring ring = read(tree).ring;
    EXPECT_EQ(ring.wavelength, .5);
    EXPECT_EQ(ring.steps, 7);
    EXPECT_TRUE(ring.bright);
    EXPECT_EQ(ring.losses, (std::vector<double>{1, 2.5}));
    ASSERT_EQ(ring.bodies.size(), 2u);
    EXPECT_EQ(ring.bodies[0].name, "disk");
    EXPECT_EQ(ring.bodies[0].radius, 2);
    EXPECT_EQ(ring.bodies[0].at, (Vec3{1, 2, 3}));
    EXPECT_EQ(ring.bodies[1].radius, 1);
  }
}

TEST(Trees, PlacesAreLinesPointersAndArguments) {
  const auto toml = read(tree_of_toml(toml_case, "case.toml")).origins;
  EXPECT_EQ(toml.at("wavelength"), "case.toml:1");
  EXPECT_EQ(toml.at("body[0].radius"), "case.toml:9");
  EXPECT_EQ(toml.at("body[1]"), "case.toml:11");
  const auto json = read(tree_of_json(json_case, "case.json")).origins;
  EXPECT_EQ(json.at("time.steps"), "case.json: /time/steps");
  EXPECT_EQ(json.at("body[0].radius"), "case.json: /body/0/radius");
  EXPECT_EQ(json.at("body[1]"), "case.json: /body/1");
  const auto built = read(built_case()).origins;
  EXPECT_EQ(built.at("time.steps"), "argument 'time.steps'");
  EXPECT_EQ(built.at("body[1]"), "argument 'body'");
  EXPECT_EQ(read(Tree().set("wavelength", 2, "--set")).origins.at("wavelength"), "--set");
}

TEST(Trees, RefusalsNameThePlace) {
  const auto refused = [](const Tree& tree) { return refusal_of_tree([&] { read(tree); }); };
  EXPECT_EQ(refused(Tree().set("wavelength", "red")),
            "argument 'wavelength': 'wavelength' wants a number, not the text 'red'");
  EXPECT_EQ(refused(Tree().set("wavelenght", 1)),
            "argument 'wavelenght': unknown key 'wavelenght'; did you mean 'wavelength'?");
  EXPECT_EQ(refused(Tree().set("time", 1)), "argument 'time': 'time' wants a table: [time]");
  EXPECT_EQ(refused(Tree().set("body", Tree())), "argument 'body': 'body' wants tables: [[body]]");
  EXPECT_EQ(refused(Tree().set("body", {1})), "argument 'body': 'body' wants tables: [[body]]");
  EXPECT_EQ(
      refused(Tree().set("time.steps", Tree())),
      "argument 'time.steps': 'time.steps' has a type that no parameter takes (a table, a date or a time)");
  EXPECT_EQ(refused(tree_of_json("{\"body\": [{\"radius\": -1}]}", "case.json")),
            "case.json: /body/0/radius: 'body.radius' -1 is out of range (allowed: > 0)");
  EXPECT_EQ(
      refused(tree_of_json("{\"time\": {\"steps\": null}}", "case.json")),
      "case.json: /time/steps: 'time.steps' has a type that no parameter takes (a table, a date or a time)");
  EXPECT_EQ(refused(Tree(3)), "a case is a table of names and values");
}

TEST(Trees, AListWithoutItemsEmptiesTheListOfTables) {
  EXPECT_EQ(read(tree_of_toml("body = []\n", "c")).ring.bodies.size(), 0u);
  EXPECT_EQ(read(Tree().set("body", Tree(Tree::List{}))).ring.bodies.size(), 0u);
}

TEST(Trees, PathsLeadToItemsByNameAndNumber) {
  Tree tree = tree_of_toml(toml_case, "case.toml");
  for (const char* path : {"body[0].radius", "body.disk.radius", "body.1.radius"}) {
    ASSERT_TRUE(tree.contains(path)) << path;
    EXPECT_EQ(read_integer(*tree.find(path)->value(), {}), 2) << path;
  }
  for (const char* path : {"body[2].radius", "body.ball.radius", "body.3.radius", "body[0].color", "x.y",
                           "wavelength.x", "wavelength[1]"})
    EXPECT_FALSE(tree.contains(path)) << path;
  tree.set("body.disk.radius", 5, "--set").set("body[1].radius", 6).set("body.2.at", {0, 0, 1});
  const auto [ring, origins] = read(tree);
  EXPECT_EQ(ring.bodies[0].radius, 5);
  EXPECT_EQ(ring.bodies[1].radius, 6);
  EXPECT_EQ(ring.bodies[1].at[2], 1);
  EXPECT_EQ(origins.at("body[0].radius"), "--set");
}

TEST(Trees, ElementsOfAListOfNumbersAreCountedFromOne) {
  Tree tree = built_case();
  tree.set("body.disk.at[3]", -4, "--set").set("time.losses[1]", 9);
  const auto [ring, origins] = read(tree);
  EXPECT_EQ(ring.bodies[0].at, (Vec3{1, 2, -4}));
  EXPECT_EQ(ring.losses, (std::vector<double>{9, 2.5}));
  EXPECT_EQ(origins.at("body[0].at"), "--set");
  EXPECT_EQ(refusal_of_tree<ValueError>([&] { tree.set("time.losses[3]", 1); }),
            "names element 3 of 'losses', which has 2; give all of them first");
  EXPECT_EQ(refusal_of_tree<ValueError>([&] { tree.set("time.losses[0]", 1); }),
            "names element 0 of 'losses'; elements count from 1");
}

TEST(Trees, PathsThatLeadNowhereAreRefused) {
  const auto refused = [](const std::string& path) {
    Tree tree = built_case();
    tree.push_back("body", Tree().set("name", "twin")).push_back("body", Tree().set("name", "twin"));
    return refusal_of_tree<ValueError>([&] { tree.set(path, 1); });
  };
  EXPECT_EQ(refused("body.ball.radius"),
            "names body 'ball', which the case does not have; give its name or its number");
  EXPECT_EQ(refused("body[7].radius"),
            "names body '8', which the case does not have; give its name or its number");
  EXPECT_EQ(refused("body.twin.radius"),
            "names body 'twin', of which there are several; give its number (body.1)");
  EXPECT_EQ(refused("wavelength.x"), "'wavelength.x' cannot be set (a value is on its way, no table)");
  EXPECT_EQ(refused("time..steps"), "'time..steps' is no path (a word of it is empty); write section.key");
  EXPECT_EQ(refused("body[0"), "'body[0' is no path (a bracket is not closed); write list[0].key");
  EXPECT_EQ(refused("body[x].radius"),
            "'body[x].radius' is no path (in brackets is 'x', no number); write list[0].key");
  EXPECT_EQ(refused("body[0]radius"),
            "'body[0]radius' is no path (a dot is missing behind a bracket); write list[0].key");
}

TEST(Trees, WrittenTomlReadsBackAsTheSameTree) {
  const std::string odd =
      "\"a key\" = \"with \\\"quotes\\\"\"\nb = 2.0\nc = inf\nd = 1979-05-27\ne = [1, [2.5, \"x\"]]\n"
      "f = [1, {g = true}]\nh = []\n[i.j]\nk = -1e-30\n[[l]]\n[[l]]\nm = 1\n[[l.n]]\no = 2\n";
  for (const Tree& tree : {tree_of_toml(odd, "a"), tree_of_toml(toml_case, "b"), built_case()}) {
    const std::string text = toml_text(tree);
    EXPECT_EQ(toml_text(tree_of_toml(text, "again")), text);
  }
  const std::string text = toml_text(tree_of_toml(odd, "a"));
  for (const char* part :
       {"\"a key\" = \"with \\\"quotes\\\"\"\n", "b = 2.0\n", "c = inf\n", "d = 1979-05-27\n",
        "e = [1, [2.5, \"x\"]]\n", "f = [1, {g = true}]\n", "\n[[l]]\n\n[[l]]\nm = 1\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Trees, JsonThatIsNoCaseIsRefusedWithItsLine) {
  const auto refused = [](const std::string& text) {
    return refusal_of_tree([&] { tree_of_json(text, "case.json"); });
  };
  EXPECT_EQ(refused("{\"a\": 1,\n\"b\" 2}").rfind("case.json:2: not valid JSON (", 0), 0u);
  EXPECT_EQ(refused("[1]"), "case.json: not a case in JSON (it is no object); write {\"name\": value}");
  EXPECT_EQ(refused("{\"a\": 1, \"b\": {\"a\": 1}, \"a\": 2}"),
            "case.json: not a case in JSON ('a' comes twice in one object); leave one out");
  EXPECT_EQ(refused("{\"a\": 1e999}").rfind("case.json", 0), 0u);
  std::string deep = "{\"a\": ";
  for (int i = 0; i < 100000; ++i) deep += "[";
  EXPECT_EQ(refused(deep), "case.json: not a case in JSON (it nests more than 32 levels)");
  EXPECT_EQ(refused("{}").rfind("case.json: the case says nothing (", 0), 0u);
}

TEST(Trees, HugeWholeNumbersOfJsonAreRefusedAsAnyOther) {
  EXPECT_EQ(refusal_of_tree([] {
              read(tree_of_json("{\"time\": {\"steps\": 18446744073709551615}}", "c"));
            }).rfind("c: /time/steps: 'time.steps' wants a whole number", 0),
            0u);
}

TEST(Trees, AFileIsLookedForInTheFolderThatIsGiven) {
  test::TempFolder folder;
  std::ofstream(folder / "disk.png") << "x";
  const Tree tree = Tree().set("time.picture", "disk.png");
  EXPECT_EQ(read(tree, folder.path.string()).ring.picture, folder / "disk.png");
  EXPECT_EQ(read(tree).ring.picture, "disk.png");
}

TEST(Trees, AListWhereANumberIsWantedIsAVariationWithItsPlace) {
  for (const Tree& tree : {tree_of_toml("wavelength = [1, 2]\n", "case.toml"),
                           tree_of_toml("wavelength = \"1:2:2\"\n", "case.toml")}) {
    Ring ring;
    Origins origins;
    std::vector<Variation> found;
    read_varied(ring_table(), tree, &ring, origins, "", found);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].path, "wavelength");
    EXPECT_EQ(found[0].place, "case.toml:1");
    EXPECT_EQ(found[0].values.values, (std::vector<double>{1, 2}));
    EXPECT_EQ(ring.wavelength, 1);
  }
}

TEST(Trees, PathsHaveOneCountedFormAndAShortName) {
  const Tree tree = tree_of_toml(
      "[time]\nend = 1\n[[layer]]\nregion = \"film\"\nat = [1, 2]\n[[layer]]\nregion = "
      "\"air\"\n[[layer]]\nregion = "
      "\"air\"\n",
      "case.toml");
  EXPECT_EQ(counted_path(tree, "time.end"), "time.end");
  for (const char* path : {"layer.film.at[2]", "layer.1.at[2]", "layer[0].at[2]"})
    EXPECT_EQ(counted_path(tree, path), "layer[0].at[2]") << path;
  EXPECT_EQ(numbered_path("layer[0].at[2]"), "layer.1.at[2]");
  EXPECT_EQ(short_name(tree, "time.end"), "time.end");
  EXPECT_EQ(short_name(tree, "layer.film.at[2]"), "film.at[2]");
  EXPECT_EQ(short_name(tree, "layer[0].at[2]"), "film.at[2]");
  EXPECT_EQ(short_name(tree, "layer.1.at[2]"), "layer1.at[2]");
  EXPECT_EQ(short_name(tree, "layer[1].at"), "layer2.at") << "two are called so";
  EXPECT_THROW(counted_path(tree, "layer.air.at"), ValueError);
}

}  // namespace
}  // namespace umov
