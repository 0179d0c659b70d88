// Folders of results: which there are, and following them.
#include "view/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "core/error.hpp"

namespace umov::view {

namespace fs = std::filesystem;

namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 1s;

long long seconds_of(fs::file_time_type t) {
  const auto wall = std::chrono::file_clock::to_sys(t);
  return std::chrono::duration_cast<std::chrono::seconds>(wall.time_since_epoch()).count();
}

bool is_case(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "resolved.toml", ignored);
}

CaseFolder case_in(const fs::path& folder) {
  std::error_code e;
  CaseFolder c{folder.string(), fs::weakly_canonical(folder, e).filename().string()};
  for (auto at = fs::directory_iterator(folder, e); !e && at != fs::directory_iterator(); at.increment(e)) {
    std::error_code own;
    if (const auto time = at->last_write_time(own); !own) c.changed = std::max(c.changed, seconds_of(time));
  }
  c.unfinished = fs::exists(folder / "unfinished", e);
  return c;
}

}  // namespace

std::vector<CaseFolder> find_cases(const std::string& folder) {
  std::error_code e;
  if (!fs::is_directory(folder, e))
    throw BadInput(fmt::format(
        "{} is no folder (results lie in folders); name one, as umov view run001_sphere", folder));
  std::vector<CaseFolder> cases;
  for (auto at = fs::directory_iterator(folder, e); !e && at != fs::directory_iterator(); at.increment(e)) {
    std::error_code own;
    // The link `latest` is a case that is there under its own name.
    if (!at->is_symlink(own) && at->is_directory(own) && is_case(at->path()))
      cases.push_back(case_in(at->path()));
  }
  std::sort(cases.begin(), cases.end(), [](const CaseFolder& a, const CaseFolder& b) {
    return a.changed != b.changed ? a.changed > b.changed : a.name > b.name;
  });
  if (is_case(folder)) cases.insert(cases.begin(), case_in(folder));
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
      p.text = fmt::format("{} case{} in {}", cases.size(), cases.size() == 1 ? "" : "s", folder);
      hub.say(p);
      shown = std::move(cases);
    }
    for (auto waited = 0ms; waited < between_looks && !stopped(); waited += 50ms)
      std::this_thread::sleep_for(50ms);
  }
}

}  // namespace umov::view
