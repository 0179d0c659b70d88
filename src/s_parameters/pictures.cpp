// |S|^2 over wavelength.
#include "fdtd/output/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/names.hpp"
#include "fdtd/run/prepare.hpp"
#include "fdtd/scene.hpp"
#include "pictures/plot.hpp"
#include "pictures/sheet.hpp"
#include "s_parameters/output.hpp"

namespace umov::s_parameters {

using namespace pictures;

namespace {

constexpr double lowest_db = -80;  ///< below it is what a run leaves

void draw_column(const Matrix& m, std::size_t column, const std::string& path) {
  const auto names = names_of(m.channels);
  LinePlot plot;
  plot.legend = LinePlot::Legend::below;
  plot.x.label = "wavelength (unit)";
  plot.y.label = "|S|² (dB)";
  double least = 0, most = 0;
  for (std::size_t i = 0; i < m.rows(); ++i) {
    pictures::Series s;
    s.name = "to " + names[i];
    s.color = color_of(i);
    if (i >= std::size(curve_colors)) s.dashes = {6, 3};
    for (std::size_t f = m.frequency.size(); f-- > 0;) {
      const double db = std::max(10 * std::log10(std::norm(m.s.at(f, i, column))), lowest_db);
      s.x.push_back(1 / m.frequency[f]), s.y.push_back(db);
      least = std::min(least, db), most = std::max(most, db);
    }
    plot.series.push_back(std::move(s));
  }
  plot.y.from = std::min(5 * std::floor(least / 5), -5.0), plot.y.to = 5 * std::ceil(most / 5);
  Canvas c(920, 1);
  const double rows = legend_rows(c, 920 - 122, plot);
  Canvas sheet(920, 460 + 19 * rows);
  title(sheet, "S-parameters: from " + names[m.excited[column]],
        fmt::format("{} ports and modes; values below {} dB are drawn there", m.rows(), lowest_db));
  draw(sheet, {92, 88, sheet.width() - 122, sheet.height() - 158 - 19 * rows}, plot);
  sheet.write_png(path);
}

}  // namespace

void draw_pictures(const Matrix& m, const Setup& setup, const std::string& folder) {
  fdtd::Outcome model = *setup.model;
  const auto scene = fdtd::make_scene(model.simulation);
  model.permittivity = fdtd::sample_permittivity(*scene, model.grid, fdtd::main_frequency(model.simulation));
  fdtd::model_picture(model, folder + "/model.png");
  if (m.frequency.size() < 2) return;
  const auto names = names_of(m.channels);
  fdtd::UniqueNames unique;
  for (std::size_t j = 0; j < m.columns(); ++j)
    draw_column(m, j, fmt::format("{}/s_parameters-{}.png", folder, unique(names[m.excited[j]])));
}

}  // namespace umov::s_parameters
