// Pictures of an electroquasistatic run: which there are, and an overview of them.
#include <algorithm>
#include <filesystem>

#include "eqs/output/curve_pictures.hpp"
#include "eqs/output/cut_picture.hpp"
#include "eqs/output/results.hpp"

namespace umov::eqs {

using namespace pictures;

using std::string;

namespace {

/// The cut at its largest field beside the curves over time.
void overview(const Outcome& o, const string& path) {
  if (o.cuts_at_peak.empty()) return;
  const CutPicture p = make_cut_picture(o, o.cuts_at_peak.front());
  const bool curves = o.history.size() > 2;
  if (!curves) return write_cut(o, o.cuts_at_peak.front(), path);
  const double slot_width = 560, slot_height = 620, top = 96, left = 86;
  const double s = std::min(slot_width / p.view.width(), slot_height / p.view.height());
  const double width = std::max(120.0, s * p.view.width()), height = std::max(200.0, s * p.view.height());
  const double shown = std::max(height, 560.0), x = left + width + 190, plot_width = 430;
  Canvas c(int(x + plot_width + 36), int(top + shown + 62));
  const Rect area{left, top + 0.5 * (shown - height), width, height};
  const string lines = draw_cut(c, area, p);
  label_cut(c, o, p, lines, {area.right() + 20, area.y, 14, area.height});
  const LinePlot plots[] = {peaks_plot(o), currents_plot(o)};
  double used[2], total = 0;
  for (int i = 0; i < 2; ++i) total += used[i] = 62 + 19 * legend_rows(c, plot_width, plots[i]);
  const double each = 0.5 * (shown + 46 - total);
  double y = top;
  for (int i = 0; i < 2; ++i) {
    draw(c, {x, y, plot_width, each}, plots[i]);
    y += each + used[i];
  }
  c.write_png(path);
}

}  // namespace

void draw_pictures(const Outcome& o, const string& folder) {
  const auto place = [&](const string& name) { return (std::filesystem::path(folder) / name).string(); };
  for (const auto& cut : o.cuts_at_peak) write_cut(o, cut, place("cut_" + cut.name + ".png"));
  for (std::size_t i = 0; i < o.cuts_at_end.size(); ++i)
    if (o.cuts_at_end[i].time != o.cuts_at_peak[i].time)
      write_cut(o, o.cuts_at_end[i], place("cut_" + o.cuts_at_end[i].name + "_end.png"));
  for (const auto& l : o.lines) write_line(o, l, place("line_" + l.name + ".png"));
  if (o.history.size() > 2) {
    write_plots(o, "Materials over time", {peaks_plot(o), power_plot(o)}, place("materials.png"));
    write_plots(o, "Electrodes over time", {potentials_plot(o), currents_plot(o)}, place("electrodes.png"));
  }
  overview(o, place("overview.png"));
}

}  // namespace umov::eqs
