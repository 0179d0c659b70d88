// Which folder of src/ may include which: the rooms of ARCHITECTURE.md as a table, held against every
// include.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/places.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

/// Every arrow there is between two rooms. A family's own folders that are not named here (dda/kernels,
/// fdtd/observables, ...) are its engine side. TO ALLOW AN INCLUDE: its room here, when the order below
/// permits it.
const std::map<std::string, Names> allowed{
    {"core", {}},
    {"parameters", {"core"}},
    {"processor", {}},
    {"backend", {"core"}},
    {"comm", {"backend", "core"}},
    {"linalg", {"backend", "comm", "core"}},
    {"materials", {"core", "parameters"}},
    {"mesh", {"core"}},
    {"mie", {"core"}},
    {"layers", {"core"}},
    {"layout", {"core"}},
    {"shapes", {"core"}},

    {"results", {"core"}},
    {"pictures", {"core"}},
    {"view", {"core", "results", "shapes"}},
    {"cases", {"comm", "core", "parameters", "results", "run"}},
    {"run", {"backend", "comm", "core"}},
    {"command", {"backend", "cases", "comm", "core", "parameters", "run", "view"}},

    {"dda", {"backend", "comm", "core", "linalg", "mie", "results", "run", "shapes"}},
    {"dda/sources", {"core", "dda", "shapes"}},
    {"dda/case", {"cases", "core", "dda", "materials", "parameters"}},
    {"dda/run", {"backend", "comm", "core", "dda", "dda/case", "dda/sources", "run", "shapes"}},
    {"dda/adda", {"cases", "core", "dda", "dda/case", "run"}},
    {"dda/opendda", {"core", "dda", "dda/case", "parameters"}},
    {"dda/ddscat", {"core", "dda", "dda/case", "parameters"}},
    {"dda/output", {"comm", "core", "dda", "dda/adda", "pictures", "results", "shapes"}},
    {"dda/command",
     {"cases", "comm", "command", "core", "dda", "dda/adda", "dda/case", "dda/output", "dda/run", "results",
      "run", "shapes", "view"}},

    {"dda/translated", {"comm", "command", "core", "dda/case", "dda/command", "dda/ddscat", "dda/opendda"}},

    {"fdtd",
     {"backend", "cases", "comm", "core", "layers", "layout", "materials", "parameters", "results", "run",
      "shapes"}},
    {"fdtd/case", {"cases", "core", "fdtd", "parameters"}},
    {"fdtd/run", {"backend", "comm", "core", "fdtd", "fdtd/case", "run"}},
    {"fdtd/output", {"comm", "core", "fdtd", "parameters", "pictures", "results"}},
    {"fdtd/command",
     {"comm", "command", "core", "fdtd", "fdtd/case", "fdtd/output", "fdtd/run", "results", "shapes",
      "view"}},

    {"modes", {"core", "fdtd", "results"}},
    {"modes/case", {"cases", "core", "fdtd/case", "modes", "parameters", "run"}},
    {"modes/output", {"modes", "pictures", "results"}},
    {"modes/command", {"command", "modes", "modes/case", "modes/output", "run"}},

    {"harmonic",
     {"backend", "core", "layers", "linalg", "materials", "parameters", "results", "run", "shapes"}},
    {"harmonic/case", {"cases", "core", "harmonic", "materials", "parameters", "run"}},
    {"harmonic/run", {"comm", "core", "harmonic", "layers", "run"}},
    {"harmonic/output", {"harmonic", "pictures", "results"}},
    {"harmonic/command",
     {"comm", "command", "core", "harmonic", "harmonic/case", "harmonic/output", "harmonic/run", "results",
      "run", "view"}},
    {"pmaxwell", {"backend", "core", "harmonic", "layers"}},
    {"pmaxwell/command",
     {"cases", "command", "core", "harmonic", "harmonic/case", "harmonic/command", "harmonic/run", "pmaxwell",
      "run"}},

    {"eqs", {"core", "linalg", "mesh", "parameters", "results", "run"}},
    {"eqs/integrators", {"core", "eqs"}},
    {"eqs/kernels", {"core", "eqs", "eqs/integrators", "linalg"}},
    {"eqs/materials", {"core", "eqs/kernels", "parameters"}},
    {"eqs/model",
     {"core", "eqs", "eqs/integrators", "eqs/kernels", "eqs/materials", "linalg", "mesh", "parameters"}},
    {"eqs/solve", {"comm", "core", "eqs", "eqs/kernels", "eqs/model", "linalg"}},
    {"eqs/time", {"comm", "core", "eqs", "eqs/integrators", "eqs/materials", "eqs/model", "eqs/solve"}},
    {"eqs/observables",
     {"comm", "core", "eqs", "eqs/kernels", "eqs/materials", "eqs/model", "eqs/solve", "eqs/time", "mesh"}},
    {"eqs/tuned", {"comm", "eqs/solve", "linalg"}},
    {"eqs/tuned/cpu", {"backend", "core", "eqs/kernels", "eqs/solve", "linalg"}},
    {"eqs/engines",
     {"backend", "comm", "core", "eqs", "eqs/model", "eqs/observables", "eqs/solve", "eqs/time",
      "eqs/tuned/cpu", "linalg"}},
    {"eqs/ranks",
     {"backend", "comm", "core", "eqs", "eqs/engines", "eqs/kernels", "eqs/model", "eqs/solve", "eqs/tuned",
      "eqs/tuned/cpu", "linalg", "mesh"}},
    {"eqs/tuned/cuda", {"backend", "comm", "eqs/engines", "eqs/kernels", "eqs/solve", "eqs/tuned", "linalg"}},
    {"eqs/case",
     {"cases", "core", "eqs", "eqs/integrators", "eqs/materials", "eqs/model", "eqs/solve", "parameters"}},
    {"eqs/run",
     {"comm", "core", "eqs", "eqs/case", "eqs/integrators", "eqs/kernels", "eqs/materials", "eqs/model",
      "eqs/observables", "eqs/ranks", "eqs/solve", "eqs/time", "mesh", "run"}},
    {"eqs/output",
     {"core", "eqs", "eqs/integrators", "eqs/observables", "eqs/solve", "linalg", "pictures", "results"}},
    {"eqs/command",
     {"cases", "comm", "command", "core", "eqs", "eqs/case", "eqs/integrators", "eqs/model",
      "eqs/observables", "eqs/output", "eqs/run", "mesh", "results", "run", "sweep", "view"}},

    {"sweep",
     {"api", "backend", "cases", "comm", "core", "linalg", "parameters", "pictures", "results", "run"}},
    {"solve", {"comm", "core", "linalg", "results", "run"}},
    {"api", {"cases",        "core",     "dda/case",        "dda/output",
             "dda/run",      "eqs/case", "eqs/observables", "eqs/output",
             "eqs/run",      "fdtd",     "fdtd/case",       "fdtd/output",
             "fdtd/run",     "harmonic", "harmonic/case",   "harmonic/output",
             "harmonic/run", "mie",      "modes",           "modes/case",
             "modes/output", "linalg",   "parameters",      "results",
             "run",          "solve"}},
    {"s_parameters",
     {"api", "backend", "cases", "comm", "command", "core", "fdtd", "fdtd/case", "fdtd/command",
      "fdtd/output", "fdtd/run", "parameters", "pictures", "results", "run", "sweep"}},
    {"program", {"cases", "comm", "core", "run"}},
    {"commands/particles", {"core", "dda/command", "mie", "program", "results"}},
    {"commands",
     {"api",
      "cases",
      "comm",
      "command",
      "commands/particles",
      "core",
      "dda/translated",
      "eqs/command",
      "fdtd/command",
      "harmonic/command",
      "linalg",
      "materials",
      "modes/command",
      "parameters",
      "pmaxwell/command",
      "program",
      "results",
      "run",
      "s_parameters",
      "solve",
      "sweep",
      "view"}},
};

const Names families{"dda", "fdtd", "harmonic", "modes", "pmaxwell", "s_parameters", "eqs"};
/// Families that rest on another: directories are made from its cases, its cross-sections solved, its runs
/// put together.
const std::map<std::string, std::string> rests_on{
    {"modes", "fdtd"}, {"pmaxwell", "harmonic"}, {"s_parameters", "fdtd"}};
/// Inside a family an include goes from right to left, never back.
const std::vector<std::string> order{"",       "sources",    "integrators", "kernels", "materials", "model",
                                     "solve",  "time",       "observables", "tuned",   "tuned/cpu", "engines",
                                     "ranks",  "tuned/cuda", "case",        "run",     "adda",      "opendda",
                                     "ddscat", "output",     "command"};

std::string family_of(const std::string& room) {
  const std::string first = room.substr(0, room.find('/'));
  return families.count(first) ? first : "";
}

/// The room of a file: the longest folder of the table that it lies in.
std::string room_of(const std::string& path) {
  for (fs::path folder = fs::path(path).parent_path(); !folder.empty(); folder = folder.parent_path())
    if (allowed.count(folder.string())) return folder.string();
  return "";
}

struct Include {
  std::string from, to;
  int line = 0;
  std::string text() const { return fmt::format("src/{}:{} includes \"{}\"", from, line, to); }
};

using Sources = std::map<std::string, std::string>;  ///< path below src/ -> text

std::vector<Include> includes_of(const Sources& sources) {
  std::vector<Include> out;
  for (const auto& [path, text] : sources) {
    std::istringstream in(text);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      const std::string start = "#include \"";
      if (line.compare(0, start.size(), start) == 0)
        out.push_back({path, line.substr(start.size(), line.rfind('"') - start.size()), number});
    }
  }
  return out;
}

/// Includes that the table does not allow, in words.
std::vector<std::string> forbidden(const Sources& sources) {
  std::vector<std::string> out;
  for (const auto& include : includes_of(sources)) {
    const std::string from = room_of(include.from), to = room_of(include.to);
    if (from.empty() || to.empty())
      out.push_back(include.text() + ": no room of the table");
    else if (from != to && !allowed.at(from).count(to))
      out.push_back(fmt::format(
          "{}: {} may include {}", include.text(), from,
          allowed.at(from).empty() ? "no other room" : fmt::format("{}", fmt::join(allowed.at(from), ", "))));
  }
  return out;
}

using Graph = std::map<std::string, Names>;

/// A way from a node back to itself, "a -> b -> a"; nothing where there is none.
class Circle {
 public:
  explicit Circle(const Graph& graph) : graph_(graph) {}

  std::optional<std::string> find() {
    for (const auto& [node, unused] : graph_)
      if (auto circle = from(node)) return circle;
    return {};
  }

 private:
  std::optional<std::string> from(const std::string& node) {
    const auto on_path = std::find(path_.begin(), path_.end(), node);
    if (on_path != path_.end())
      return fmt::format("{} -> {}", fmt::join(std::vector<std::string>(on_path, path_.end()), " -> "), node);
    if (!graph_.count(node) || !done_.insert(node).second) return {};
    path_.push_back(node);
    for (const auto& next : graph_.at(node))
      if (auto circle = from(next)) return circle;
    path_.pop_back();
    return {};
  }

  const Graph& graph_;
  std::vector<std::string> path_;
  Names done_;
};

Graph headers(const Sources& sources) {
  const auto is_header = [](const std::string& path) {
    return path.ends_with(".hpp") || path.ends_with(".cuh");
  };
  Graph out;
  for (const auto& include : includes_of(sources))
    if (is_header(include.from) && is_header(include.to)) out[include.from].insert(include.to);
  return out;
}

const Sources& tree() {
  static const Sources all = [] {
    Sources sources;
    const fs::path root = test::repository() / "src";
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".hpp" && ending != ".cpp" && ending != ".cu" && ending != ".cuh") continue;
      std::ifstream in(entry.path());
      std::ostringstream text;
      text << in.rdbuf();
      sources[fs::relative(entry.path(), root).generic_string()] = text.str();
    }
    return sources;
  }();
  return all;
}

/// The first line of a merge that was left open in a text; empty where there is none.
std::string open_merge(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")) return line;
  return "";
}

TEST(Merges, AreComplete) {
  EXPECT_EQ(open_merge("a\n<<<<<<< HEAD\nb\n"), "<<<<<<< HEAD");
  const fs::path root = test::repository();
  int texts = 0;
  const auto look = [&](const fs::path& path) {
    static const Names endings{".hpp", ".cpp", ".cu", ".cuh", ".md", ".txt", ".toml", ".py", ".sh", ".ts"};
    if (!endings.contains(path.extension().string())) return;
    ++texts;
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_EQ(open_merge(text.str()), "") << path;
  };
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.is_regular_file()) look(entry.path());
  for (const char* folder : {"apps", "benchmarks", "docs", "examples", "src", "tests", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file()) look(entry.path());
  EXPECT_GT(texts, 1000) << "the texts were not found";
}

TEST(Rooms, EveryIncludeIsAnArrowOfTheTable) {
  ASSERT_GT(tree().size(), 500u) << "the sources were not found";
  EXPECT_EQ(fmt::format("{}", fmt::join(forbidden(tree()), "\n")), "");
}

TEST(Rooms, EveryArrowOfTheTableIsUsed) {
  std::map<std::string, Names> used;
  for (const auto& include : includes_of(tree())) used[room_of(include.from)].insert(room_of(include.to));
  for (const auto& [room, others] : allowed)
    for (const auto& other : others)
      EXPECT_TRUE(used[room].count(other)) << room << " includes nothing of " << other << " any more";
}

TEST(Rooms, NoWayLeadsBackFromRoomToRoom) { EXPECT_EQ(Circle(allowed).find().value_or(""), ""); }

TEST(Rooms, NoHeaderIncludesItself) { EXPECT_EQ(Circle(headers(tree())).find().value_or(""), ""); }

TEST(Rooms, WhatFamiliesShareKnowsNoFamily) {
  for (const auto& [room, others] : allowed) {
    if (!family_of(room).empty() || room.starts_with("commands") || room == "api") continue;
    for (const auto& other : others) EXPECT_EQ(family_of(other), "") << room << " -> " << other;
  }
}

TEST(Rooms, AFamilyIncludesItselfInOneDirectionAndNoOther) {
  const auto rank = [](const std::string& room) {
    const std::size_t slash = room.find('/');
    const std::string part = slash == std::string::npos ? "" : room.substr(slash + 1);
    return std::find(order.begin(), order.end(), part) - order.begin();
  };
  for (const auto& [room, others] : allowed) {
    const std::string family = family_of(room);
    if (family.empty()) continue;
    for (const auto& other : others) {
      if (family_of(other).empty()) continue;
      if (const auto below = rests_on.find(family);
          below != rests_on.end() && family_of(other) == below->second)
        continue;
      EXPECT_EQ(family_of(other), family) << room << " -> " << other;
      EXPECT_LT(rank(other), rank(room)) << room << " -> " << other;
    }
  }
}

/// All rooms that a way leads to.
Names reached_from(const std::string& room) {
  Names found;
  std::vector<std::string> open{room};
  while (!open.empty()) {
    const std::string at = open.back();
    open.pop_back();
    for (const auto& next : allowed.at(at))
      if (found.insert(next).second) open.push_back(next);
  }
  return found;
}

TEST(Rooms, CasesAndRunsNeedNoCommandAndNoView) {
  int rooms = 0;
  for (const auto& [room, others] : allowed) {
    if (room != "cases" && room != "run" && !room.ends_with("/case") && !room.ends_with("/run")) continue;
    ++rooms;
    const Names reached = reached_from(room);
    for (const char* other : {"command", "view", "pictures"}) EXPECT_FALSE(reached.contains(other)) << room;
  }
  EXPECT_EQ(rooms, 11);
}

TEST(Rooms, TheLibraryNeedsNoCommandAndNoView) {
  const Names reached = reached_from("api");
  for (const char* other : {"command", "commands", "program", "view"}) EXPECT_FALSE(reached.contains(other));
}

TEST(Rooms, AForbiddenIncludeIsNamedWithItsLine) {
  const Sources bad{
      {"results/result.hpp", "#pragma once\n#include \"dda/outcome.hpp\"\n"},
      {"fdtd/kernels/curl.hpp", "#include \"fdtd/case/case.hpp\"\n"},
      {"fdtd/output/pictures.cpp", "#include \"dda/output/picture_parts.hpp\"\n"},
      {"eqs/run/run.cpp", "#include \"eqs/kernels/curve.hpp\"\n#include \"elsewhere/x.hpp\"\n"}};
  const auto found = forbidden(bad);
  ASSERT_EQ(found.size(), 4u) << fmt::format("{}", fmt::join(found, "\n"));
  EXPECT_EQ(found[0], "src/eqs/run/run.cpp:2 includes \"elsewhere/x.hpp\": no room of the table");
  EXPECT_EQ(found[1],
            "src/fdtd/kernels/curl.hpp:1 includes \"fdtd/case/case.hpp\": fdtd may include backend, cases, "
            "comm, core, "
            "layers, layout, materials, parameters, results, run, shapes");
  EXPECT_NE(found[2].find("src/fdtd/output/pictures.cpp:1 includes \"dda/output/picture_parts.hpp\""),
            std::string::npos);
  EXPECT_EQ(found[3], "src/results/result.hpp:2 includes \"dda/outcome.hpp\": results may include core");
}

TEST(Rooms, ACircleOfHeadersIsNamedWithItsWay) {
  const Sources bad{{"core/a.hpp", "#include \"core/b.hpp\"\n"},
                    {"core/b.hpp", "#include \"core/c.hpp\"\n"},
                    {"core/c.hpp", "#include \"core/b.hpp\"\n"},
                    {"core/b.cpp", "#include \"core/a.hpp\"\n"}};
  EXPECT_EQ(Circle(headers(bad)).find().value_or(""), "core/b.hpp -> core/c.hpp -> core/b.hpp");
}

}  // namespace
}  // namespace umov
