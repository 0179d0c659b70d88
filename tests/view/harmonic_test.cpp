// A time-harmonic cell with a viewer: its layers, rows and fields as they are finished, orders, and the
// results of a run alone; the same of its files.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>

#include "harmonic/command/command.hpp"
#include "harmonic/command/live_run.hpp"
#include "harmonic/output/results.hpp"
#include "view/client.hpp"
#include "view/folder.hpp"
#include "view/plane.hpp"

namespace umov::harmonic {
namespace {

using test::Json;
namespace fs = std::filesystem;

/// Ridges of glass 0.4 um high, 0.4 um wide, every 0.8 um, on glass: 40 x 1 columns of 0.02 um.
const std::string ridges = R"([harmonic]
wavelengths = [0.5, 0.6, 0.7]
polarization = "s"
substrate = "glass"
period = 0.8
cell = 0.02
fields_at = [0.6]
[[material]]
name = "glass"
index = 1.5
[[layer]]
name = "film"
material = "glass"
thickness = 0.6
[[texture]]
above = "film"
kind = "lamellar"
height = 0.4
[[cut]]
[machine]
backend = "serial"
)";

class ViewedCell : public testing::Test {
 protected:
  ViewedCell() : folder_(fs::temp_directory_path() / ("umov_view_cell_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "case.toml") << ridges;
    const std::vector<std::string> args{(folder_ / "case.toml").string()};
    const Request request = parse(args);
    sim_ = request.simulation;
    machine_ = request.given.machine;
  }
  ~ViewedCell() override {
    if (outcome_.valid()) {
      view_.hub().order(view::Order::stop);  // a test that failed leaves the run behind
      outcome_.wait();
    }
    fs::remove_all(folder_);
  }

  /// In a thread of its own behind a view that begins paused.
  void begin() {
    view_.hub().begin_run();
    outcome_ = std::async(std::launch::async, [this] {
      LiveRun live(view_);
      RunObserver o;
      live.listen(o);
      Sweep sweep;
      sweep.devices = {0};
      live.listen(sweep);
      Outcome out = run(sim_, machine_, o, sweep);
      live.end(out);
      return out;
    });
    while (view_.hub().catalogue().arrays.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::string url = view_.url();
    viewer_ = std::make_unique<test::Viewer>(std::stoi(url.substr(url.rfind(':') + 1)),
                                             url.substr(url.find("token=") + 6));
  }
  test::Frame seen(int sub, const std::string& name, Json more = Json::object()) {
    more["do"] = "subscribe";
    more["sub"] = sub;
    more["array"] = viewer_->array(name);
    more["encoding"] = "f32";
    viewer_->send(more);
    return viewer_->frame(std::uint32_t(sub));
  }
  /// Waits for a catalogue that has this array.
  void wait_for(const std::string& name) {
    const auto has = [&] {
      const auto& all = viewer_->catalogue().at("arrays");
      return std::any_of(all.begin(), all.end(), [&](const Json& a) { return a.at("name") == name; });
    };
    while (!has()) viewer_->text("catalogue");
  }

  fs::path folder_;
  Simulation sim_;
  run::Machine machine_;
  command::LiveView view_{{.on = true, .paused = true}, "test"};
  std::future<Outcome> outcome_;
  std::unique_ptr<test::Viewer> viewer_;
};

/// Values [planes][columns], depth growing, as they stand in a field whose z points up.
std::vector<double> upwards(const std::vector<double>& values, int rows, int columns) {
  std::vector<double> out;
  for (int r = rows - 1; r >= 0; --r)
    for (int c = 0; c < columns; ++c) out.push_back(double(float(values[std::size_t(r * columns + c)])));
  return out;
}

TEST_F(ViewedCell, LayersAndFieldsAreThoseOfTheCaseAndTheResultsTheSameBitForBit) {
  const Outcome alone = run(sim_, machine_);
  begin();
  // The model by hand: the mean top is at 0, so ridges rise to -0.2 um and grooves reach 0.2 um.
  const auto layers = seen(1, "layers", {{"axis", 1}, {"index", 0}});
  ASSERT_EQ(layers.values.size(), std::size_t(alone.planes * 40));
  int ridge = 0;
  for (int k = 0; k < alone.planes; ++k)
    for (int i = 0; i < 40; ++i) {
      const double depth = alone.depth(alone.planes - 1 - k), value = layers.values[std::size_t(k * 40 + i)];
      const double h = alone.grid.spacing[2];
      if (depth < -0.2 - h) {
        EXPECT_EQ(value, 0) << depth;
      }
      if (depth > 0.2 + h && depth < 0.6 - h) {
        EXPECT_EQ(value, 1) << depth;
      }
      if (depth > 0.6 + h) {
        EXPECT_EQ(value, 2) << depth;
      }
      if (std::abs(depth) < h / 2) ridge += value == 1;
    }
  EXPECT_EQ(ridge, 21) << "half of the period is ridge, from node to node";
  viewer_->ask({{"do", "step"}, {"n", 3}});
  test::Frame residual = seen(2, "solver/residual");
  while (residual.shape.at(0) < 3) residual = viewer_->frame(2);
  EXPECT_EQ(residual.shape.at(0), 3u) << "it is held after three iterations";
  viewer_->ask({{"do", "resume"}});
  const Outcome viewed = outcome_.get();
  ASSERT_EQ(viewed.rows.size(), alone.rows.size());
  for (std::size_t r = 0; r < alone.rows.size(); ++r) {
    EXPECT_EQ(viewed.spectra[0].points[r].budget.reflection, alone.spectra[0].points[r].budget.reflection);
    EXPECT_EQ(viewed.spectra[0].points[r].residual, alone.spectra[0].points[r].residual);
  }
  ASSERT_EQ(viewed.cuts.size(), 1u);
  EXPECT_EQ(viewed.cuts[0].intensity, alone.cuts[0].intensity);
  wait_for("results/spectrum_s");
  const auto field = seen(3, "cuts/0.6um-s/intensity", {{"axis", 1}, {"index", 0}});
  EXPECT_EQ(field.values, upwards(alone.cuts[0].intensity, alone.cuts[0].rows, alone.cuts[0].columns));
  const auto info = view_.hub().catalogue().arrays.at(std::size_t(viewer_->array("cuts/0.6um-s/intensity")));
  EXPECT_EQ(info.shape, (std::vector<long long>{40, 1, alone.planes}));
  EXPECT_NEAR(info.origin[2] + 0.5 * info.spacing[2], -alone.depth(alone.planes - 1), 1e-12);
  const auto spectrum = seen(4, "results/spectrum_s");
  const auto columns =
      view_.hub().catalogue().arrays.at(std::size_t(viewer_->array("results/spectrum_s"))).columns;
  const auto at =
      std::find_if(columns.begin(), columns.end(), [](const auto& c) { return c.name == "reflection"; });
  ASSERT_NE(at, columns.end());
  ASSERT_EQ(spectrum.shape.at(0), 3u);
  for (std::size_t r = 0; r < 3; ++r)
    EXPECT_EQ(float(spectrum.values[std::size_t(at - columns.begin()) * 3 + r]),
              float(alone.spectra[0].points[r].budget.reflection));
}

TEST_F(ViewedCell, AStopEndsTheRunAsAnInterruption) {
  begin();
  viewer_->ask({{"do", "step"}, {"n", 2}});
  viewer_->ask({{"do", "stop"}});
  EXPECT_THROW(outcome_.get(), run::Interrupted);
}

TEST_F(ViewedCell, AFolderOfResultsShowsTheSameFields) {
  sim_.outputs.pictures = false;
  const Outcome o = run(sim_, machine_);
  const fs::path folder = folder_ / "run";
  fs::create_directories(folder);
  std::ofstream(folder / "resolved.toml") << resolved_toml(sim_, machine_);
  write_results(o, folder.string());
  std::vector<std::string> complaints;
  const auto shelf = view::shelf_of({{folder.string(), "run", 0, false}}, complaints);
  EXPECT_TRUE(complaints.empty());
  const auto& all = shelf.catalogue.arrays;
  const auto found =
      std::find_if(all.begin(), all.end(), [](const auto& a) { return a.name == "cuts/0.6um-s/intensity"; });
  ASSERT_NE(found, all.end());
  EXPECT_EQ(found->shape, (std::vector<long long>{40, 1, o.planes}));
  EXPECT_EQ(found->length_unit, "um");
  EXPECT_NEAR(found->origin[2] + 0.5 * found->spacing[2], -o.depth(o.planes - 1), 1e-9);
  view::Request whole{found->id, 1, 0, {0, 0, 0}, {40, 1, o.planes}, {40, 1, o.planes}};
  const auto data = shelf.makers.at(found->id)(whole);
  const auto& values = std::get<std::vector<float>>(data.parts.at(0).values);
  EXPECT_EQ(std::vector<double>(values.begin(), values.end()),
            upwards(o.cuts[0].intensity, o.cuts[0].rows, o.cuts[0].columns));
  EXPECT_TRUE(std::none_of(all.begin(), all.end(), [](const auto& a) { return a.role == "residual"; }))
      << "residuals of rows are no course of a solve";
}

TEST(ViewedPlane, AxesAreNamed) {
  EXPECT_THROW(view::plane_info({"depth", "time", {0, 1}, {0, 1}, 0}, "um"), BadInput);
  EXPECT_THROW(view::plane_maker({"y", "x", {0, 1}, {0, 1}, 0}, {1, 2, 3}), BadInput);
}

TEST(ViewedPlane, ValuesLieWhereTheirPlacesAre) {
  // rows x, columns depth: value 10 x + depth
  const view::Plane p{"x", "depth", {0, 1}, {2, 3, 4}, 0.5};
  const auto info = view::plane_info(p, "um");
  EXPECT_EQ(info.shape, (std::vector<long long>{2, 1, 3}));
  EXPECT_EQ(info.cut_axis, 1);
  EXPECT_DOUBLE_EQ(info.origin[2], -4.5);
  EXPECT_DOUBLE_EQ(info.origin[1], 0.0);
  view::Request r{0, 1, 0, {0, 0, 0}, {2, 1, 3}, {2, 1, 3}};
  const auto data = view::plane_maker(p, {2, 3, 4, 12, 13, 14})(r);
  EXPECT_EQ(std::get<std::vector<float>>(data.parts.at(0).values), (std::vector<float>{4, 14, 3, 13, 2, 12}));
}

}  // namespace
}  // namespace umov::harmonic
