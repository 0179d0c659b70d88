// Available memory from /proc and the control group's limits.
#include "core/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace umov {

namespace {

/// The number in a one-line file; `none` when it cannot be read or says "max".
std::size_t number_in(const char* path, std::size_t none) {
  std::ifstream in(path);
  std::size_t value = 0;
  return in >> value ? value : none;
}

std::size_t system_available() {
  std::ifstream in("/proc/meminfo");
  std::string key;
  std::size_t kilobytes = 0;
  for (std::string rest; in >> key >> kilobytes && std::getline(in, rest);)
    if (key == "MemAvailable:") return kilobytes * 1024;
  return 0;
}

}  // namespace

std::size_t available_memory() {
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  const std::size_t system = system_available();
  const std::size_t limit = number_in("/sys/fs/cgroup/memory.max", unlimited);
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current", 0);
  if (limit == unlimited) return system;
  const std::size_t group = limit > used ? limit - used : 0;
  return system ? std::min(system, group) : group;
}

}  // namespace umov
