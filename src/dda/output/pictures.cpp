// Which pictures a run leaves, and the two that have no file of their own: convergence and overview.
#include "dda/output/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>

#include "dda/output/picture_parts.hpp"
#include "dda/output/result.hpp"
#include "pictures/plot.hpp"

namespace umov::dda {

using namespace pictures;

void convergence_picture(const Outcome& o, const std::string& path) {
  Canvas c(820, 500);
  LinePlot plot;
  double longest = 1;
  std::string caption = o.simulation.solver.name;
  const Color colors[] = {ink::blue, ink::orange, ink::green};
  for (const auto& p : o.polarizations) {
    const auto& history = p.solve.history;
    if (history.empty()) continue;
    Series s{fmt::format("incidence {}: {} iterations", p.name(), p.solve.iterations),
             {},
             history,
             colors[plot.series.size() % 3],
             2,
             {}};
    for (std::size_t i = 0; i < history.size(); ++i) s.x.push_back(double(i));
    longest = std::max(longest, double(history.size() - 1));
    plot.series.push_back(std::move(s));
  }
  const double epsilon = o.simulation.solver.epsilon;
  plot.series.push_back(
      {"goal " + pretty_number(epsilon, 3), {0, longest}, {epsilon, epsilon}, ink::muted, 1.4, {5, 4}});
  plot.x = {"iteration", false, 0.0, longest, 0, true};
  plot.y = {"relative residual norm", true, {}, {}, 0, true};
  title(c, "Convergence of " + caption + unconverged_note(o), particle_caption(o));
  draw(c, {92, 84, c.width() - 122, 350}, plot);
  c.write_png(path);
}

void overview_picture(const Outcome& o, const MieComparison* mie, const std::string& path) {
  Canvas c(1240, 520);
  title(c, shape_name(o) + " in " + light_name(o) + unconverged_note(o), particle_caption(o));
  c.text({left_margin, 79}, efficiency_caption(o, mie), 12, ink::muted);
  shape_panel(c, {60, 120, 290, 270}, {66, 478}, o);
  field_panel(c, {462, 136, 300, 300}, o);
  polar_panel(c, {1052, 285}, 138, o, mie);
  c.write_png(path);
}

std::vector<std::string> draw_pictures(const Outcome& o, const std::string& dir, const MieComparison* mie) {
  std::vector<std::string> written;
  std::vector<std::future<void>> drawn;
  // Each on a thread of its own, but for a run that is to have one: they share nothing that they write to.
  const auto how = o.machine.threads == 1 ? std::launch::deferred : std::launch::async;
  const auto add = [&](const char* name, auto draw) {
    const std::string path = (std::filesystem::path(dir) / name).string();
    written.push_back(path);
    drawn.push_back(std::async(how, [draw, path] { draw(path); }));
  };
  const bool has_particle = o.particle.dipoles() > 0, has_plane = o.plane.size() > 1;
  if (has_particle) add("shape.png", [&o](const auto& path) { shape_picture(o, path); });
  if (has_plane) {
    add("scattering.png", [&o, mie](const auto& path) { scattering_picture(o, mie, path); });
    add("polar.png", [&o, mie](const auto& path) { polar_picture(o, mie, path); });
  }
  if (!o.polarizations.empty()) {
    if (!o.polarizations[0].cuts[0].empty()) {
      add("internal_field.png", [&o, mie](const auto& path) { internal_field_picture(o, mie, path); });
      if (has_plane) add("overview.png", [&o, mie](const auto& path) { overview_picture(o, mie, path); });
    }
    const bool has_history = std::any_of(o.polarizations.begin(), o.polarizations.end(),
                                         [](const auto& p) { return p.solve.history.size() > 1; });
    if (has_history) add("convergence.png", [&o](const auto& path) { convergence_picture(o, path); });
  }
  for (auto& one : drawn) one.get();
  return written;
}

}  // namespace umov::dda
