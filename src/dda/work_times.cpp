// Where the time of a run went.
#include "dda/work_times.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string times_table(const WorkTimes& t) {
  std::string text;
  const auto row = [&](const char* name, double seconds) {
    text += fmt::format("{:<24} {:.4f}\n", name, seconds);
  };
  double counted = 0;
  const auto part = [&](const char* name, double seconds) {
    row(name, seconds);
    counted += seconds;
  };
  const double total = t.spent("start") + t.spent("total") + t.spent("files") + t.spent("pictures");
  row("Total wall time:", total);
  part("  Program and case:", t.spent("start"));
  const auto if_any = [](const auto& show, const char* name, double seconds) {
    if (seconds > 0) show(name, seconds);
  };
  part("  Initialization time:",
       t.spent("device") + t.spent("particle") + t.spent("preparation") + t.spent("interaction tensor"));
  row("    init device:", t.spent("device"));
  if (const double beside = t.spent("device, in the background"); beside > 0)
    row("      beside the particle:", beside);
  row("    init Dmatrix:", t.spent("interaction tensor"));
  row("    make particle:", t.spent("particle"));
  if_any(row, "    prepare case:", t.spent("preparation"));
  part("  Internal fields:", t.spent("solve") + t.spent("incident field"));
  row("    incident beam:", t.spent("incident field"));
  row("    matvec products:", t.products);
  if (t.preconditioning > 0) {
    row("    init preconditioner:", t.set_up);
    row("    preconditioner:", t.preconditioning - t.set_up);
  }
  part("  Scattered fields:", t.spent("scattered field"));
  part("  Other sc.quantities:", t.spent("cross sections"));
  part("  Files:", t.spent("files") + t.spent("fields per dipole"));
  if_any(row, "    fields per dipole:", t.spent("fields per dipole"));
  if_any(part, "  Pictures:", t.spent("pictures"));
  if_any(part, "  Coarser grids:", t.spent("coarser grids"));
  if_any(part, "  Other ranks:", t.spent("other ranks"));
  if_any(part, "  Release of memory:", t.spent("release of memory"));
  row("  Rest:", std::max(0.0, total - counted));
  return text;
}

}  // namespace umov::dda
