// MemAvailable of the system and what control groups leave: the lowest counts.
#include "core/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov {

namespace {

namespace fs = std::filesystem;

/// The first number in a file of the kernel's; nothing when the file is absent or says "max".
std::optional<std::size_t> first_number(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  if (!(in >> word)) return std::nullopt;
  const auto number = parse_integer(word);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

std::optional<std::size_t> mem_available(const std::string& root) {
  std::ifstream in(root + "/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    std::size_t kilobytes = 0;
    if (words >> name >> kilobytes && name == "MemAvailable:") return kilobytes * 1024;
  }
  return std::nullopt;
}

void lower_to(std::optional<std::size_t>& least, std::optional<std::size_t> value) {
  if (value && (!least || *value < *least)) least = value;
}

/// Page cache that the group can give back counts as free.
std::size_t reclaimable(const fs::path& folder) {
  std::ifstream in(folder / "memory.stat");
  std::string name;
  for (std::size_t bytes = 0; in >> name >> bytes;)
    if (name == "inactive_file" || name == "total_inactive_file") return bytes;
  return 0;
}

/// What one group's limit leaves.
std::optional<std::size_t> group_leaves(const fs::path& folder, const char* limit_name,
                                        const char* usage_name) {
  const auto limit = first_number(folder / limit_name);
  const auto usage = first_number(folder / usage_name);
  if (!limit || !usage) return std::nullopt;
  const std::size_t used = *usage - std::min(*usage, reclaimable(folder));
  return *limit - std::min(*limit, used);
}

/// The least over a group and its ancestors: every one of them limits the process.
std::optional<std::size_t> groups_leave(const std::string& root) {
  std::optional<std::size_t> least;
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto parts = split(line, ':');  // hierarchy:controllers:/path
    if (parts.size() < 3) continue;
    const bool v2 = parts[1].empty();
    const auto controllers = split(parts[1], ',');
    if (!v2 && std::find(controllers.begin(), controllers.end(), "memory") == controllers.end()) continue;
    const fs::path top = root + (v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory");
    for (fs::path path = fs::path(parts[2]).relative_path();; path = path.parent_path()) {
      lower_to(least, v2 ? group_leaves(top / path, "memory.max", "memory.current")
                         : group_leaves(top / path, "memory.limit_in_bytes", "memory.usage_in_bytes"));
      if (path.empty()) break;
    }
  }
  return least;
}

}  // namespace

std::size_t available_memory(const std::string& root) {
  auto least = mem_available(root);
  lower_to(least, groups_leave(root));
  return least.value_or(0);
}

std::size_t peak_memory() {
  rusage use{};
  return getrusage(RUSAGE_SELF, &use) == 0 ? std::size_t(use.ru_maxrss) * 1024 : 0;  // Linux counts in KiB
}

void require_memory(std::size_t needed, const std::string& what, const std::string& suggestion,
                    const std::string& root) {
  // What the kernel would be asked takes longer than a small run, and less than the program's own libraries
  // is there.
  constexpr std::size_t surely_there = 32 << 20;
  if (root.empty() && needed <= surely_there) return;
  const std::size_t available = available_memory(root);
  if (available == 0 || needed <= available) return;
  throw BadInput(fmt::format("{} needs {} of memory ({} are available); {}", what,
                             format_bytes(static_cast<double>(needed)),
                             format_bytes(static_cast<double>(available)), suggestion));
}

}  // namespace umov
