// Series of drawn monitors: running means, amplitudes against a reference run, and their tables.
#include "fdtd/observables/drawn_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fdtd/output/pictures.hpp"
#include "fdtd/output/results.hpp"
#include "results/csv.hpp"
#include "support/fdtd_runs.hpp"
#include "support/png_file.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

SeriesResult series(const std::string& name, std::vector<double> rms = {}) {
  SeriesResult s;
  s.name = name;
  s.rms = std::move(rms);
  for (std::size_t i = 0; i < s.rms.size(); ++i)
    s.time.push_back(0.1 * double(i)), s.value.push_back(-s.rms[i]);
  return s;
}

TEST(FdtdDrawnSeries, RunningRmsIsTheRootOfTheMeanSquareSoFar) {
  const auto running = running_rms(series("a", {2, 0, 4, 4}));
  ASSERT_EQ(running.size(), 4u);
  EXPECT_DOUBLE_EQ(running[0], 2);
  EXPECT_DOUBLE_EQ(running[1], std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(running[2], std::sqrt(20.0 / 3));
  EXPECT_DOUBLE_EQ(running[3], 3);
  EXPECT_TRUE(running_rms(series("point")).empty());
}

TEST(FdtdDrawnSeries, TheTableHasTheRunningRmsAndTheEndValue) {
  Outcome o;
  o.series.push_back(series("monitor-7", {2, 0, 4, 4}));
  o.series[0].rms_total = 3.5;
  const results::Result r = to_result(o);
  ASSERT_EQ(r.tables.at(0).name, "series-monitor-7");
  ASSERT_EQ(r.tables[0].comments.size(), 1u);
  EXPECT_EQ(r.tables[0].comments[0], "root mean square over the last tenth of the run: 3.5");
  const auto columns = results::csv_columns(r, r.tables[0]);
  const auto found = std::ranges::find(columns, "running rms", &results::CsvColumn::name);
  ASSERT_NE(found, columns.end());
  EXPECT_EQ(found->values, running_rms(o.series[0]));
  const auto plot = series_plot(o.series[0], "monitor-7").plot;
  EXPECT_EQ(plot.series.back().name, "running rms");
  EXPECT_EQ(plot.series.back().y, running_rms(o.series[0]));
}

}  // namespace
}  // namespace umov::fdtd
