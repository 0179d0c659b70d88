// Which pictures a time-domain run leaves, and under which names.
#include "fdtd/output/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"
#include "pictures/sheet.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

void draw_wavelengths(Canvas& c, const Rect& a, double from, double to) {
  for (const Tick& t : wavelength_ticks(from, to, a.width)) {
    const double x = a.x + (1 / t.value - from) / (to - from) * a.width;
    c.line({x, a.y - 4}, {x, a.y}, 0.8, ink::frame);
    c.text({x, a.y - 8}, t.label, 10.5, ink::muted, Align::center);
  }
  c.text({a.x + 0.5 * a.width, a.y - 25}, "wavelength (units)", 11, ink::muted, Align::center);
}

/// Paths for pictures that are named after monitors.
class Places {
 public:
  Places(std::string folder) : folder_(std::move(folder)) {}
  std::string operator()(const std::string& name) {
    written.push_back((std::filesystem::path(folder_) / (unique_(name) + ".png")).string());
    return written.back();
  }
  std::vector<std::string> written;

 private:
  std::string folder_;
  UniqueNames unique_;
};

/// At most so many frequencies or times of one monitor become pictures.
constexpr std::size_t most_pictures = 4;

std::vector<std::size_t> evenly(std::size_t count) {
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < std::min(count, most_pictures); ++i)
    index.push_back(count <= most_pictures ? i : i * (count - 1) / (most_pictures - 1));
  return index;
}

void field_pictures(const Outcome& o, Places& place) {
  std::vector<Component> done;
  for (const auto& [component, block] : o.final_fields)
    if (has_field(o, component) && std::find(done.begin(), done.end(), component) == done.end()) {
      field_picture(o, component, place(fmt::format("field-{}", word(component))));
      done.push_back(component);
    }
  for (const auto& f : o.of<FourierResult>()) {
    if (std::size_t(f.size[0]) * f.size[1] * f.size[2] < 2 || f.components.empty()) continue;
    for (const auto k : evenly(f.frequency.size()))
      fourier_picture(o, f, k, place(fmt::format("fourier-{}-{:.4g}", f.name, f.frequency[k])));
  }
}

void map_pictures(const Outcome& o, Places& place) {
  for (const MonitorKind* kind : monitor_kinds())
    for (const NodeMap& m : kind->maps(o))
      for (const auto k : evenly(m.nodes() < 2 ? 0 : m.frequency.size()))
        map_picture(o, m, k, place(fmt::format("{}-{:.4g}", m.file, m.frequency[k])));
}

/// All snapshots of a monitor in one colour scale, so that growth and decay show.
ColorScale snapshot_scale(const Outcome& o, const Snapshot& like) {
  std::vector<double> values;
  for (const auto& s : o.snapshots)
    if (s.name == like.name && s.component == like.component)
      values.insert(values.end(), s.values.begin(), s.values.end());
  return symmetric_scale(values);
}

void snapshot_pictures(const Outcome& o, Places& place) {
  std::map<std::pair<std::string, Component>, ColorScale> scales;
  for (const auto& s : o.snapshots) {
    if (snapshot_raster(o, s).empty()) continue;
    const auto key = std::pair(s.name, s.component);
    if (!scales.count(key)) scales[key] = snapshot_scale(o, s);
    snapshot_picture(o, s, scales[key],
                     place(fmt::format("snapshot-{}-{}-{:06d}", s.name, word(s.component), s.step)));
  }
}

void series_pictures(const Outcome& o, Places& place) {
  const auto names = series_names(o);
  for (std::size_t i = 0; i < o.of<SeriesResult>().size(); ++i) {
    const auto& s = o.of<SeriesResult>()[i];
    if (s.time.size() < 2) continue;
    Canvas c(980, 764);
    const auto over_time = series_plot(s, names[i]);
    const auto spectrum = spectrum_plot(s, names[i]);
    title(c, over_time.title, run_caption(o));
    draw(c, {92, 92, 850, spectrum ? 244.0 : 570.0}, over_time);
    if (spectrum) draw(c, {92, 466, 850, 230}, *spectrum);
    c.write_png(place("series-" + names[i]));
  }
}

void spectrum_pictures(const Outcome& o, Places& place) {
  for (const Plot& plot : plots_of(o)) plot_picture(o, titled(plot), place(plot.file));
  for (const auto& r : o.of<ResonanceResult>())
    if (!r.modes.empty()) resonance_picture(o, r, place("resonances-" + r.name));
  for (const auto& f : o.of<FarFieldResult>()) {
    const std::string path = place("far_field-" + f.name);
    if (!far_field_picture(f, path)) place.written.pop_back();
  }
}

/// Ticks on a frequency axis that keep room for their labels.
struct PlacedTicks {
  double from, to, width;
  std::vector<Tick> ticks;

  double place(double lambda) const { return (1 / lambda - from) / (to - from) * width; }
  void add(double lambda, const std::string& label) {
    constexpr double room = 46;
    if (1 / lambda < from || 1 / lambda > to) return;
    for (const Tick& t : ticks)
      if (std::abs(place(t.value) - place(lambda)) < room) return;
    ticks.push_back({lambda, label});
  }
};

}  // namespace

std::vector<Tick> wavelength_ticks(double from, double to, double width) {
  static const std::vector<double> leads[] = {
      {1}, {2, 5}, {1.5, 3, 4, 7}, {1.2, 1.4, 1.6, 1.8, 2.5, 3.5, 6, 8, 9}};
  PlacedTicks placed{from, to, width, {}};
  const int low = int(std::floor(-std::log10(to))),
            high = from > 0 ? int(std::ceil(-std::log10(from))) : low + 3;
  for (const auto& group : leads)
    for (int e = low; e <= high; ++e)
      for (const double lead : group) {
        const double lambda = lead * std::pow(10.0, e);
        placed.add(lambda, pretty_number(lambda));
      }
  // A narrow band holds few of those.
  for (int wanted = 3; placed.ticks.size() < 3 && from > 0 && wanted <= 12; ++wanted) {
    placed.ticks.clear();
    for (const Tick& t : linear_ticks(1 / to, 1 / from, wanted)) placed.add(t.value, t.label);
  }
  return placed.ticks;
}

void draw(Canvas& c, const Rect& area, const TitledPlot& t) {
  draw(c, area, t.plot);
  if (t.over_frequency && t.plot.x.from && t.plot.x.to)
    draw_wavelengths(c, area, *t.plot.x.from, *t.plot.x.to);
}

double legend_room(const TitledPlot& t, double width) {
  Canvas measure(1, 1);
  return t.plot.legend == LinePlot::Legend::below ? 19.0 * legend_rows(measure, width, t.plot) : 0;
}

void plot_picture(const Outcome& o, const TitledPlot& t, const std::string& path) {
  const double top = t.over_frequency ? 116 : 88, width = 796, height = 364;
  Canvas c(920, int(top + height + 62 + legend_room(t, width)));
  title(c, t.title, run_caption(o));
  draw(c, {92, top, width, height}, t);
  c.write_png(path);
}

std::vector<std::string> draw_pictures(const Outcome& o, const std::string& folder) {
  Places place(folder);
  model_picture(o, place("model"));
  field_pictures(o, place);
  map_pictures(o, place);
  snapshot_pictures(o, place);
  series_pictures(o, place);
  spectrum_pictures(o, place);
  overview_picture(o, place("overview"));
  return place.written;
}

}  // namespace umov::fdtd
