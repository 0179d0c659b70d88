// The list of the kinds of monitors.
#include "fdtd/kind_list.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/plot.hpp"

namespace umov::fdtd {

std::span<const MonitorKind* const> monitor_kinds() {
#define UMOV_ADDRESS(name) &name##_monitor(),
  static const MonitorKind* const kinds[] = {UMOV_MONITOR_KINDS(UMOV_ADDRESS)};
#undef UMOV_ADDRESS
  return kinds;
}

const char* MonitorKind::name() const {
#define UMOV_WORD(name) #name,
  static constexpr const char* words[] = {UMOV_MONITOR_KINDS(UMOV_WORD)};
#undef UMOV_WORD
  return name_in<MonitorKind>(monitor_kinds(), words, this);
}

const MonitorKind& kind_of(MonitorSpec::Kind kind) { return kind_in(monitor_kinds(), kind); }

std::vector<std::string> monitors_that_read(std::string_view key) { return that_read(monitor_kinds(), key); }

bool MonitorKind::reads(std::string_view key) const { return std::ranges::count(traits_.reads, key) > 0; }

std::vector<Plot> MonitorKind::plots(const Outcome&) const { return {}; }

std::vector<NodeMap> MonitorKind::maps(const Outcome&) const { return {}; }

}  // namespace umov::fdtd
