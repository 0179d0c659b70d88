// Flat cells from 400 to 1100 nm, and silver, against the exact solution of stacks.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "harmonic/command/command.hpp"
#include "harmonic/glass_cell.hpp"
#include "harmonic/grid_cell.hpp"
#include "harmonic/run/run.hpp"
#include "support/harmonic_runs.hpp"

namespace umov::harmonic {
namespace {

namespace fs = std::filesystem;

class HarmonicRange : public testing::Test {
 protected:
  HarmonicRange() : file_(fs::temp_directory_path() / ("umov_range_" + std::to_string(getpid()) + ".toml")) {}
  ~HarmonicRange() override { fs::remove(file_); }

  /// Glass, oxide, a-Si:H, oxide, silver; the library's media, but for the oxide, whose data end at 0.9 um.
  Outcome run_cell(const std::string& cell) const {
    std::ofstream(file_) << "[harmonic]\nwavelengths = \"0.4:1.1:15\"\nangle = [0, 30]\n"
                         << "superstrate = \"soda-lime glass\"\nsubstrate = \"silver-jiang\"\n"
                         << cell << "[machine]\nbackend = \"serial\"\n"
                         << "[[material]]\nname = \"oxide\"\nindex = 1.8\nextinction = 0.005\n"
                         << "[[layer]]\nmaterial = \"oxide\"\nthickness = 0.5\n"
                         << "[[layer]]\nmaterial = \"a-Si:H\"\nthickness = 0.3\n"
                         << "[[layer]]\nmaterial = \"oxide\"\nthickness = 0.08\n";
    return test::run_file(file_.string());
  }

  fs::path file_;
};

TEST_F(HarmonicRange, PowersAreWithinHalfAPercentFrom400To1100NanometresAtBothAnglesAndPolarizations) {
  const Outcome o = run_cell("");  // 20 points per wavelength in silicon at 0.4 um
  ASSERT_EQ(o.rows.size(), 30u);
  for (const auto& s : o.spectra)
    for (std::size_t r = 0; r < o.rows.size(); ++r) {
      EXPECT_LT(s.points[r].grid_error, 5e-3) << o.rows[r].wavelength << " " << o.rows[r].incidence.angle;
      EXPECT_NEAR(s.points[r].budget.sum(), 1, 1e-9);
    }
}

TEST_F(HarmonicRange, ErrorsFallWithTheSquareOfTheCell) {
  // interfaces between cells at both. Mean over rows, measured with 8, 4, 2, 1 nm:
  // s 2.55e-3, 1.22e-3, 3.05e-4, 7.62e-5, p 2.53e-3, 1.20e-3, 3.01e-4, 7.53e-5
  const Outcome coarse = run_cell("cell = 0.004\n"), fine = run_cell("cell = 0.002\n");
  for (std::size_t p = 0; p < 2; ++p) {
    double at_coarse = 0, at_fine = 0;
    for (std::size_t r = 0; r < coarse.rows.size(); ++r) {
      at_coarse += coarse.spectra[p].points[r].grid_error;
      at_fine += fine.spectra[p].points[r].grid_error;
    }
    EXPECT_GT(std::log2(at_coarse / at_fine), 1.95);
  }
}

TEST(HarmonicSilver, HalfSpacesAndFilmsReflectAndTransmitAsFresnelSays) {
  constexpr double degree = pi / 180;
  for (const GlassCell& known : glass_cells()) {
    const cplx silver = known.silver_index * known.silver_index;
    // 20 points per 2 pi skin depths
    const double cell = known.wavelength / std::abs(known.silver_index) / 20;
    for (const layers::FlatStack& stack :
         {layers::FlatStack{1, {}, silver}, layers::FlatStack{1, {{0.03, silver}}, 2.25},
          layers::FlatStack{2.25, {{0.02, silver}}, 1}})
      for (const auto polarization : {Polarization::s, Polarization::p})
        for (const double angle : {0.0, 30.0, 60.0, 85.0}) {
          std::vector<double> depths{0};
          std::vector<cplx> media{stack.superstrate};
          for (const auto& layer : stack.layers) {
            depths.push_back(depths.back() + layer.thickness);
            media.push_back(layer.permittivity);
          }
          media.push_back(stack.substrate);
          const auto s = solve_cell(grid_cell(depths, cell, 0, 0, 0), media, known.wavelength, angle * degree,
                                    polarization);
          const auto exact = flat_response(stack, known.wavelength, angle * degree, polarization);
          EXPECT_NEAR(s.budget.reflection, exact.reflection, 5e-3) << known.wavelength << " " << angle;
          EXPECT_NEAR(s.budget.transmission + s.budget.absorption.back(), exact.transmission, 5e-3);
        }
  }
}

}  // namespace
}  // namespace umov::harmonic
