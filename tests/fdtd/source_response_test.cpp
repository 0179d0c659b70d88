// Signals after travel, where the answer is known: without dispersion they only arrive later.
#include <gtest/gtest.h>

#include "fdtd/sources/response.hpp"

namespace umov::fdtd {
namespace {

constexpr double dt = 0.05;

ResponseTable::Setup delays(double slowness) {
  ResponseTable::Setup s;
  s.dt = dt;
  s.slowness = slowness;
  s.real = false;
  s.columns = {{0, 0}, {3.3, 0}, {-1, 0}, {40, 1}};
  s.propagation = [slowness](double w) { return Propagation{slowness * w, slowness, 1, {1.0, cplx(0, 2)}}; };
  return s;
}

/// Largest difference from the delayed signal over a run, taken in uneven portions.
double largest_error(const Signal& signal, long steps, long from = 0) {
  const auto setup = delays(1.5);
  ResponseTable table(signal, setup);
  const std::size_t columns = setup.columns.size();
  double error = 0;
  for (long n = from, size = 1; n < steps; n += size, size = size % 97 + 13) {
    std::vector<cplx> v(size * columns);
    table.fill(n, size, v.data());
    for (long s = 0; s < size; ++s)
      for (std::size_t c = 0; c < columns; ++c) {
        const cplx factor = c == 3 ? cplx(0, 2) : cplx(1);
        const double t = double(n + s) * dt - 1.5 * setup.columns[c].place;
        error = std::max(error, std::abs(v[s * columns + c] - factor * signal(t)));
      }
  }
  return error;
}

// Fourier sums leave what the signal's fading lacks of perfect smoothness at this step: below 1e-7 here.
TEST(FdtdSourceResponse, PulseOnlyArrivesLater) {
  Waveform w;
  w.kind = Waveform::Kind::gaussian;
  w.delay = 7;
  EXPECT_LT(largest_error(Signal(w, "s"), 2500), 1e-7);
}

TEST(FdtdSourceResponse, PiecesOfALongPulseJoin) {
  Waveform w;
  w.kind = Waveform::Kind::gaussian;
  w.width = 0.01;
  w.delay = 6;
  ASSERT_GT(Signal(w, "s").end() / dt, 3000);
  EXPECT_LT(largest_error(Signal(w, "s"), 6000), 1e-7);
}

TEST(FdtdSourceResponse, EndlessWaveBecomesSteadyWithoutAJump) {
  EXPECT_LT(largest_error(Signal(Waveform{}, "s"), 3000), 1e-7);
}

TEST(FdtdSourceResponse, LongWaveWithAnEndFallsSilent) {
  Waveform w;
  w.end = 130.17;
  EXPECT_LT(largest_error(Signal(w, "s"), 5000), 1e-7);
}

TEST(FdtdSourceResponse, ResumedRunSeesTheSameValues) {
  Waveform w;
  w.kind = Waveform::Kind::gaussian;
  w.width = 0.01;
  w.delay = 6;
  EXPECT_LT(largest_error(Signal(w, "s"), 2700, 2222), 1e-7);
  EXPECT_LT(largest_error(Signal(Waveform{}, "s"), 3000, 1951), 1e-7);
}

}  // namespace
}  // namespace umov::fdtd
