// Folders of results: which there are, and following them.
#include "view/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <thread>

#include "core/error.hpp"

namespace umov::view {

namespace fs = std::filesystem;

namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 1s;
constexpr int deepest_folder = 4, most_folders = 2000;  // that are looked into

long long seconds_of(fs::file_time_type t) {
  const auto wall = std::chrono::file_clock::to_sys(t);
  return std::chrono::duration_cast<std::chrono::seconds>(wall.time_since_epoch()).count();
}

bool is_case(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "resolved.toml", ignored);
}

CaseFolder case_in(const fs::path& folder, const std::string& name) {
  std::error_code e;
  CaseFolder c{folder.string(), name};
  for (auto at = fs::directory_iterator(folder, e); !e && at != fs::directory_iterator(); at.increment(e)) {
    std::error_code own;
    if (const auto time = at->last_write_time(own); !own) c.changed = std::max(c.changed, seconds_of(time));
  }
  c.unfinished = fs::exists(folder / "unfinished", e);
  return c;
}

/// A folder that is still to be looked into, and its name seen from the one that was asked for.
struct Level {
  fs::path path;
  std::string name;
  int depth = 0;
};

/// The folders inside, but no links (`latest` is a case that is there under its own name) and none that is
/// hidden.
std::vector<Level> folders_in(const Level& level) {
  std::vector<Level> out;
  std::error_code e;
  for (auto at = fs::directory_iterator(level.path, e); !e && at != fs::directory_iterator();
       at.increment(e)) {
    std::error_code own;
    const std::string name = at->path().filename().string();
    if (!at->is_symlink(own) && at->is_directory(own) && !name.starts_with('.'))
      out.push_back({at->path(), level.name.empty() ? name : level.name + "/" + name, level.depth + 1});
  }
  return out;
}

/// Cases below a folder, level by level; what is inside a case is its own.
std::vector<CaseFolder> cases_below(const fs::path& folder) {
  const int depth = is_case(folder) ? 1 : deepest_folder;
  std::vector<CaseFolder> out;
  std::deque<Level> levels{{folder, "", 0}};
  for (int looked = 0; !levels.empty() && looked < most_folders; ++looked, levels.pop_front())
    for (Level& inside : folders_in(levels.front()))
      if (is_case(inside.path))
        out.push_back(case_in(inside.path, inside.name));
      else if (inside.depth < depth)
        levels.push_back(std::move(inside));
  return out;
}

std::string words_for(const std::vector<CaseFolder>& cases, const std::string& folder) {
  if (cases.empty())
    return fmt::format(
        "no results in {} or the folders in it: a run leaves a folder with resolved.toml; start one there, "
        "and it "
        "appears here, or name another folder",
        folder);
  if (cases.size() == most_cases) return fmt::format("the newest {} cases in {}", cases.size(), folder);
  return fmt::format("{} case{} in {}", cases.size(), cases.size() == 1 ? "" : "s", folder);
}

}  // namespace

std::vector<CaseFolder> find_cases(const std::string& folder) {
  std::error_code e;
  if (!fs::is_directory(folder, e))
    throw BadInput(fmt::format(
        "{} is no folder (results lie in folders); name one, as umov view run001_sphere", folder));
  auto cases = cases_below(folder);
  std::sort(cases.begin(), cases.end(), [](const CaseFolder& a, const CaseFolder& b) {
    return a.changed != b.changed ? a.changed > b.changed : a.name > b.name;
  });
  if (is_case(folder))
    cases.insert(cases.begin(), case_in(folder, fs::weakly_canonical(folder, e).filename().string()));
  if (cases.size() > most_cases) cases.resize(most_cases);
  return cases;
}

void follow(const std::string& folder, Hub& hub, const std::function<bool()>& stopped) {
  std::vector<CaseFolder> shown;
  std::vector<std::string> told;
  for (bool first = true; !stopped(); first = false) {
    auto cases = find_cases(folder);
    if (first || cases != shown) {
      std::vector<std::string> complaints;
      Shelf shelf = shelf_of(cases, complaints);
      hub.publish(std::move(shelf.catalogue), std::move(shelf.makers));
      for (const auto& text : complaints)
        if (std::find(told.begin(), told.end(), text) == told.end()) {
          hub.log("warning", text);
          told.push_back(text);
        }
      Progress p;
      p.state = State::following;
      p.text = words_for(cases, folder);
      hub.say(p);
      shown = std::move(cases);
    }
    for (auto waited = 0ms; waited < between_looks && !stopped(); waited += 50ms)
      std::this_thread::sleep_for(50ms);
  }
}

}  // namespace umov::view
