// Where the time of a run went.
#include "dda/work_times.hpp"

#include <algorithm>

#include "core/stage_times.hpp"

namespace umov::dda {

void WorkTimes::add(const std::string& name, double seconds) { set(name, spent(name) + seconds); }

void WorkTimes::set(const std::string& name, double seconds) {
  const auto same = std::find_if(timings.begin(), timings.end(), [&](auto& t) { return t.name == name; });
  if (same == timings.end())
    timings.push_back({name, seconds});
  else
    same->seconds = seconds;
}

void WorkTimes::add(const Outcome& o) {
  for (const auto& timing : o.timings) add(timing.name, timing.seconds);
  for (const auto& result : o.polarizations) {
    products += result.solve.seconds_products;
    set_up += result.solve.seconds_set_up;
    preconditioning += result.solve.seconds_preconditioning;
  }
}

double WorkTimes::spent(const std::string& name) const {
  for (const auto& timing : timings)
    if (timing.name == name) return timing.seconds;
  return 0;
}

double WorkTimes::all() const { return spent("start") + spent("total") + spent("files") + spent("pictures"); }

std::string times_table(const WorkTimes& t) {
  std::vector<StageTime> rows;
  const auto part = [&](const std::string& name, double seconds) {
    if (seconds > 0) rows.push_back({name, seconds, true});
  };
  // Ranks that solve side by side have their own clocks, which then say more than the time that passed.
  const char* whose = t.products + t.preconditioning > t.spent("solve") ? ", of all ranks" : "";
  for (const char* name :
       {"start", "device", "particle", "preparation", "interaction tensor", "incident field", "solve",
        "scattered field", "cross sections", "fields per dipole", "files", "pictures", "coarser grids",
        "other ranks", "release of memory"}) {
    if (t.spent(name) > 0) rows.push_back({name, t.spent(name)});
    if (name == std::string("device")) part("beside the particle", t.spent("device, in the background"));
    if (name != std::string("solve")) continue;
    part(std::string("products") + whose, t.products);
    part(std::string("preconditioner, its making") + whose, t.set_up);
    part(std::string("preconditioner") + whose, t.preconditioning - t.set_up);
  }
  return umov::times_table(std::move(rows), t.all());
}

}  // namespace umov::dda
