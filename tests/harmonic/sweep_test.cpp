// Sweeps over wavelengths and angles: their tables, orders and fields, and how an interrupted one goes on.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "harmonic/command/command.hpp"
#include "harmonic/output/results.hpp"
#include "harmonic/run/run.hpp"

namespace umov::harmonic {
namespace {

namespace fs = std::filesystem;

const std::string rough_film = R"([harmonic]
wavelengths = [0.5, 0.55, 0.6]
angle = [0, 25]
azimuth = [0, 40]
substrate = "glass"
period = 0.68
cell = 0.02
orders = true
fields_at = [0.55]
[[material]]
name = "glass"
index = 1.5
[[material]]
name = "film"
index = 2.5
extinction = 0.1
[[layer]]
material = "film"
thickness = 0.15
[[texture]]
above = "film"
rms = 0.03
correlation_length = 0.15
)";

class HarmonicSweep : public testing::Test {
 protected:
  HarmonicSweep() : folder_(fs::temp_directory_path() / ("umov_sweep_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~HarmonicSweep() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Simulation parsed(const std::string& text, std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), file("case.toml", text));
    return parse(flags).simulation;
  }
  std::string state() const { return (folder_ / "checkpoint").string(); }
  Sweep sweep(const Simulation& sim) const {
    Sweep s;
    s.state_file = state();
    s.settings = shared_settings(sim, plan(sim).cell.grid);
    s.devices = {0};  // one worker: it is counted how often it asks for a row
    return s;
  }
  /// Stops after so many rows; what was left then.
  Outcome stopped(const Simulation& sim, int rows) const {
    Sweep s = sweep(sim);
    Outcome left;
    int asked = 0;
    s.stop = [&] { return asked++ == rows; };
    s.stopped = [&](const Outcome& o) { left = o; };
    EXPECT_THROW(run(sim, {}, {}, s), run::Interrupted);
    return left;
  }
  std::string refusal(const Simulation& sim) const {
    Sweep s = sweep(sim);
    s.resume = true;
    try {
      run(sim, {}, {}, s);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(HarmonicSweep, EveryCombinationIsARowAndAnglesRunSlowest) {
  const Outcome o = run(parsed(rough_film));
  ASSERT_EQ(o.rows.size(), 12u);
  EXPECT_EQ(o.rows[0], (Row{0.5, {0, 0}}));
  EXPECT_EQ(o.rows[2], (Row{0.6, {0, 0}}));
  EXPECT_EQ(o.rows[3], (Row{0.5, {0, 40}}));
  EXPECT_EQ(o.rows[11], (Row{0.6, {25, 40}}));
  const auto table = to_result(o);
  const auto* angles = table.find("angle");
  ASSERT_NE(angles, nullptr);
  EXPECT_EQ(angles->size(), 12u);
  EXPECT_EQ(table.find("s/reflection")->size(), 12u);
  EXPECT_EQ(o.sunlit.size(), 4u);
  EXPECT_EQ(o.cuts.size(), 8u);
}

TEST_F(HarmonicSweep, TheOrdersSumUpToReflectionAndTransmission) {
  for (const auto& spectrum : run(parsed(rough_film)).spectra)
    for (const auto& p : spectrum.points) {
      // through open ends evanescent waves carry nothing
      EXPECT_NEAR(p.efficiency(false), p.budget.reflection, 1e-9);
      EXPECT_NEAR(p.efficiency(true), p.budget.transmission, 1e-9);
      for (const auto& order : p.orders) {
        EXPECT_GT(order.s, -1e-9);
        EXPECT_GT(order.p, -1e-9);
      }
    }
}

TEST_F(HarmonicSweep, OrdersLeaveWhereTheGratingEquationSays) {
  const Outcome o = run(parsed(rough_film, {"--wavelengths", "0.55", "--fields-at", "0.55"}));
  const Row row = o.rows[3];
  ASSERT_EQ(row, (Row{0.55, {25, 40}}));
  const double degree = pi / 180, sine = std::sin(25 * degree);
  for (const auto& order : o.spectra[0].points[3].orders) {
    const double index = order.transmitted ? 1.5 : 1,
                 kx = sine * std::cos(40 * degree) + order.m * 0.55 / 0.68, ky = sine * std::sin(40 * degree);
    EXPECT_NEAR(index * std::sin(order.angle * degree), std::hypot(kx, ky), 1e-12);
    EXPECT_NEAR(order.azimuth, std::atan2(ky, kx) / degree, 1e-9);
    if (order.m == 0 && !order.transmitted) {
      EXPECT_NEAR(order.angle, 25, 1e-9);
    }
  }
  // -1 and 0 above, -2 to 1 in the glass
  EXPECT_EQ(o.spectra[0].points[3].orders.size(), 2u + 4u);
}

TEST_F(HarmonicSweep, AnInterruptedSweepGoesOnToTheSameNumbers) {
  const Simulation sim = parsed(rough_film);
  const Outcome whole = run(sim), left = stopped(sim, 5);
  EXPECT_EQ(left.rows.size(), 5u);
  EXPECT_FALSE(left.complete());
  EXPECT_EQ(left.sunlit.size(), 1u);  // one direction has all its wavelengths
  EXPECT_EQ(to_result(left).find("p/reflection")->size(), 5u);
  Sweep again = sweep(sim);
  again.resume = true;
  int computed = 0;
  again.stop = [&] { return ++computed, false; };
  const Outcome o = run(sim, {}, {}, again);
  EXPECT_EQ(o.taken_over, 5u);
  EXPECT_EQ(computed, 7);
  ASSERT_EQ(o.rows, whole.rows);
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t r = 0; r < o.rows.size(); ++r) {
      const auto &a = o.spectra[p].points[r], &b = whole.spectra[p].points[r];
      EXPECT_EQ(a.budget.reflection, b.budget.reflection);
      EXPECT_EQ(a.budget.density, b.budget.density);
      ASSERT_EQ(a.orders.size(), b.orders.size());
      EXPECT_EQ(a.orders.back().p, b.orders.back().p);
    }
  ASSERT_EQ(o.cuts.size(), whole.cuts.size());
  EXPECT_EQ(o.cuts[0].intensity, whole.cuts[0].intensity);
}

TEST_F(HarmonicSweep, RowsThatDidNotConvergeAreComputedAgain) {
  Simulation sim =
      parsed(rough_film, {"--wavelengths", "0.55", "--angle", "0", "--azimuth", "0", "--method", "layered"});
  sim.max_iterations = 1;
  EXPECT_FALSE(run(sim, {}, {}, sweep(sim)).converged);
  sim.max_iterations = 2000;
  Sweep again = sweep(sim);
  again.resume = true;
  const Outcome o = run(sim, {}, {}, again);
  EXPECT_TRUE(o.converged);
  EXPECT_EQ(o.taken_over, 0u);
}

TEST_F(HarmonicSweep, AStateOfAnotherCaseIsRefusedWithWhatDiffers) {
  stopped(parsed(rough_film), 2);
  std::string other = rough_film;
  other.replace(other.find("extinction = 0.1"), 16, "extinction = 0.2");
  const std::string said = refusal(parsed(other));
  EXPECT_NE(
      said.find("it has '[[material]] 2: extinction = 0.1', this one '[[material]] 2: extinction = 0.2'"),
      std::string::npos)
      << said;
  EXPECT_NE(refusal(parsed(rough_film, {"--cell", "0.025"})).find("grid: "), std::string::npos);
  EXPECT_EQ(refusal(parsed(rough_film, {"--angle", "0,25,50"})), "");  // other rows of the same table
}

TEST_F(HarmonicSweep, AStateGoesOnUpToItsLastWholeRowAndIsRefusedWithoutItsBegin) {
  const Simulation sim = parsed(rough_film);
  stopped(sim, 2);
  const auto settings = sweep(sim).settings;
  ASSERT_EQ(load_sweep_state(state(), settings).rows.size(), 2u);
  fs::resize_file(state(), fs::file_size(state()) - 1);
  EXPECT_EQ(load_sweep_state(state(), settings).rows.size(), 1u);
  EXPECT_EQ(refusal(sim), "");
  std::fstream bytes(state(), std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(100);  // in the settings
  bytes.put(char(0x55));
  bytes.close();
  EXPECT_NE(refusal(sim).find("damaged"), std::string::npos);
  fs::resize_file(state(), 100);
  EXPECT_NE(refusal(sim).find("damaged"), std::string::npos);
}

TEST_F(HarmonicSweep, TheCommandContinuesAFolderAndWritesEveryFile) {
  const auto out = (folder_ / "out").string();
  fs::create_directories(out);
  const std::vector<std::string> flags{"--fields", "--output-dir", out};
  Simulation sim = parsed(rough_film, flags);
  Sweep s = sweep(sim);
  s.state_file = out + "/checkpoint";
  int asked = 0;
  s.stop = [&] { return asked++ == 4; };
  EXPECT_THROW(run(sim, {}, {}, s), run::Interrupted);
  std::ofstream(out + "/resolved.toml") << resolved_toml(sim);
  ASSERT_EQ(command(std::vector<std::string>{"--resume", out, "--quiet"}), 0);
  for (const char* name :
       {"results.h5", "spectrum.csv", "spectrum_s.csv", "orders.csv", "depth.csv", "currents.csv",
        "absorption-0deg-40deg.png", "depth-25deg-40deg.png", "orders-0deg-0deg.png",
        "fields-0.55um-25deg-40deg-p.png", "fields-0.55um-25deg-40deg-p.vtkhdf", "log"})
    EXPECT_TRUE(fs::exists(fs::path(out) / name)) << name;
  EXPECT_FALSE(fs::exists(out + "/checkpoint"));
  std::ifstream in(out + "/spectrum.csv");
  std::stringstream text;
  text << in.rdbuf();
  int lines = 0;
  for (std::string line; std::getline(text, line);) lines += !line.empty() && line[0] != '#';
  EXPECT_EQ(lines, 1 + 12 * 3);  // s, p and their mean
}

TEST_F(HarmonicSweep, CutsLieWhereTheCaseSays) {
  std::string text = rough_film;
  text.replace(text.find("period = 0.68"), 13, "period = [0.12, 0.1]");
  text.replace(text.find("correlation_length = 0.15"), 25, "correlation_length = 0.05");
  text += "[[cut]]\nplane = \"xy\"\nbelow = \"film\"\nat = 0.06\n[[cut]]\nplane = \"yz\"\nat = 0.06\n";
  const Outcome o = run(parsed(text, {"--wavelengths", "0.55", "--angle", "0", "--azimuth", "0"}));
  ASSERT_EQ(o.cuts.size(), 4u);
  EXPECT_EQ(o.cuts[0].rows, 5);
  EXPECT_EQ(o.cuts[0].columns, 6);
  EXPECT_NEAR(o.cuts[0].at, 0.06, 1e-12);
  EXPECT_EQ(o.cuts[1].rows, o.planes);
  EXPECT_EQ(o.cuts[1].columns, 5);
  // where they cross they have the same numbers
  const int plane = o.first_plane + 3 - o.top;
  for (int j = 0; j < 5; ++j)
    EXPECT_EQ(o.cuts[0].intensity[std::size_t(j) * 6 + 3], o.cuts[1].intensity[std::size_t(plane) * 5 + j]);
  const auto refused = [&](const std::string& more) {
    try {
      run(parsed(rough_film + more));
    } catch (const BadInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refused("[[cut]]\nplane = \"xy\"\n").find("runs along y"), std::string::npos);
  EXPECT_NE(refused("[[cut]]\nat = 0.1\n").find("within one period"), std::string::npos);
}

TEST_F(HarmonicSweep, TheProfileOverDepthIntegratesToTheAbsorption) {
  const Outcome o = run(parsed(rough_film, {"--angle", "25", "--azimuth", "40"}));
  for (const auto& p : o.spectra[1].points) {
    double sum = 0;
    for (const double d : p.budget.density[1]) sum += d * o.grid.spacing[2];
    EXPECT_NEAR(sum, p.budget.absorption[1], 1e-12);
  }
  double photons = 0;
  for (const double g : o.sunlit[0].generation[1]) photons += g * o.grid.spacing[2];
  EXPECT_NEAR(photons * 0.1 * 1.602176634e-19, o.sunlit[0].currents[1], 1e-10);
}

}  // namespace
}  // namespace umov::harmonic
