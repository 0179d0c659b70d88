// The time domain's engine at one frequency on the same grid with the same permittivities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fdtd/engine.hpp"
#include "fdtd/pml_profile.hpp"
#include "harmonic/grid_cell.hpp"

namespace umov::harmonic {
namespace {

using namespace fdtd;

constexpr double wavelength_of_time_domain = 0.55;

/// Vacuum, a rough film, a rough layer, glass: nothing absorbs but the ends. No wave that the
/// layers guide along the period is in the pulse, which would ring for thousands of periods: the film's are
/// at frequencies of 1 / (period index) between 1 / (0.25 1.73) and 1 / (0.25 1.5), the pulse at 1 / 0.55
/// with a standard deviation of a tenth. (With a period of 0.3 they are at 1.9 to 2.2, and fields differed
/// by 1.0e-3 in s after 60 periods of the light, 0.6e-3 after 600, 0.3e-3 after 2000.)
LayeredCell dielectric_cell() {
  auto cell = grid_cell({0, 0.1, 0.3}, 0.0125, 0.25, 0, 0.5);
  const auto& g = cell.grid;
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 2 * g.nx; ++i)
      cell.interfaces[n].height.push_back(0.02 * std::sin(pi * i / g.nx + 0.4 + n) +
                                          0.01 * std::cos(2 * pi * i / g.nx));
  return cell;
}

cplx permittivity(const Problem& p, int c, int i, int k) { return permittivity_at(p, c, k, i); }

/// The same grid in time: x is x, z is y. Ey is the tm mode's Ez; Ex, Ez are the te mode's Ex, Ey.
class TimeDomain {
 public:
  TimeDomain(const Problem& p, Polarization polarization, double dt) : p_(p) {
    const auto& g = p.grid;
    auto& q = q_;
    q.grid.mode = polarization == Polarization::s ? Mode::tm : Mode::te;
    q.grid.cells = {g.nx, g.nz, 1};
    q.grid.dx = g.spacing[2];
    q.grid.dt = dt;
    q.precision = fdtd::Precision::double_;
    q.walls[0] = {Closure::periodic, Closure::periodic};
    PmlSettings settings;
    settings.layers = 30;
    q.pml[1] = {make_pml(settings, q.grid.dx, dt, 1), make_pml(settings, q.grid.dx, dt, 1.5)};
    q.coefficients = {{1, dt / q.grid.dx}};
    components_ = polarization == Polarization::s ? std::vector<std::pair<int, Component>>{{1, Ez}}
                                                  : std::vector<std::pair<int, Component>>{{0, Ex}, {2, Ey}};
    const Layout layout(q.grid);
    for (const auto& [c, component] : components_) {
      q.material[component].assign(layout.size, 0);
      std::map<double, int> known;
      for (int k = 0; k < g.nz; ++k)
        for (int i = 0; i < g.nx; ++i) {
          const double eps = permittivity(p, c, i, k).real();
          const auto [at, fresh] = known.emplace(eps, int(q.coefficients.size()));
          if (fresh) q.coefficients.push_back({1, dt / q.grid.dx / eps});
          q.material[component][layout.at(i, k, 0)] = std::uint16_t(at->second);
        }
      FourierAccumulator f;
      f.component = component;
      f.frequencies = {1 / wavelength_of_time_domain};
      for (int k = 0; k < g.nz; ++k)
        for (int i = 0; i < g.nx; ++i) f.cells.push_back(layout.at(i, k, 0));
      q.fouriers.push_back(f);
    }
    add_sheet(layout);
  }

  /// E as Fields has it, up to one factor for all of it.
  Fields run() {
    const auto& g = p_.grid;
    fdtd::EngineRequest request;
    request.backend = "serial";
    const auto engine = fdtd::make_engine(q_, request);
    engine->advance(long(std::lround(60 * wavelength_of_time_domain / q_.grid.dt)));
    Fields out;
    out.values.assign(3 * g.nz * g.columns(), 0);
    for (std::size_t n = 0; n < components_.size(); ++n) {
      const auto values = engine->fourier(int(n));
      std::copy(values.begin(), values.end(),
                out.values.begin() + std::ptrdiff_t(components_[n].first) * g.nz * g.columns());
    }
    return out;
  }

 private:
  /// A current along the layers at the source's plane: a pulse of some periods.
  void add_sheet(const Layout& layout) {
    const double dt = q_.grid.dt, width = 3 * wavelength_of_time_domain;
    q_.tables.push_back({1, [=](long first, long steps, double* values) {
                           for (long n = 0; n < steps; ++n) {
                             const double t = (double(first + n) + 0.5) * dt - 5 * width;
                             values[n] = std::exp(-t * t / (2 * width * width)) *
                                         std::cos(2 * pi * t / wavelength_of_time_domain);
                           }
                         }});
    SourceGroup group;
    group.component = components_[0].second;
    for (int i = 0; i < p_.grid.nx; ++i) {
      group.cells.push_back(layout.at(i, p_.grid.source, 0));
      group.columns.push_back(0);
      group.weights.push_back(1);
    }
    q_.sources.push_back(group);
  }

  const Problem& p_;
  fdtd::Problem q_;
  std::vector<std::pair<int, Component>> components_;
};

Fields solve(const Problem& p, Polarization polarization) {
  IncidentWave wave;
  SolveOptions options;
  options.tolerance = 1e-10;
  Fields out;
  EXPECT_TRUE(
      make_engine(p, {"serial"})->solve(layered_field(p, polarization, wave), options, out).converged);
  return out;
}

/// Relative distance between the source and the lower absorbing layer, after the best common factor.
double distance(const Problem& p, const Fields& a, const Fields& b) {
  const auto& g = p.grid;
  cplx product = 0;
  double aa = 0, bb = 0;
  for (int c = 0; c < 3; ++c)
    for (int k = g.source + 2; k < g.nz - std::max(30, g.absorbing[1]); ++k)
      for (index_t i = 0; i < g.columns(); ++i) {
        const cplx x = a.component(g, c)[k * g.columns() + i], y = b.component(g, c)[k * g.columns() + i];
        product += std::conj(x) * y;
        aa += std::norm(x);
        bb += std::norm(y);
      }
  return std::sqrt(std::max(0.0, 1 - std::norm(product) / (aa * bb)));
}

struct Distances {
  double matched, plain;
};

/// A run in time with this step against the frequency domain with the frequency that the leapfrog has in
/// place of w, (2 / dt) sin(w dt / 2), and against w itself.
Distances compare(Polarization polarization, double dt) {
  const double w = 2 * pi / wavelength_of_time_domain, discrete = 2 / dt * std::sin(w * dt / 2);
  const LayeredCell cell = dielectric_cell();
  const Problem matched = make_problem(cell, {1, 2, 3, 2.25}, 2 * pi / discrete, {0, 0});
  Problem plain = matched;
  plain.k0 = w;
  set_absorbing_layers(plain, 1, 2.25);
  const Fields in_time = TimeDomain(matched, polarization, dt).run();
  return {distance(matched, in_time, solve(matched, polarization)),
          distance(plain, in_time, solve(plain, polarization))};
}

class HarmonicTimeDomain : public testing::TestWithParam<Polarization> {};

TEST_P(HarmonicTimeDomain, FieldsAreThoseOfTheTimeDomainOnTheSameGrid) {
  const double dt = 0.0125 * 0.7;
  const Distances coarse = compare(GetParam(), dt), fine = compare(GetParam(), dt / 2);
  RecordProperty("matched", std::to_string(coarse.matched));
  RecordProperty("plain", std::to_string(coarse.plain));
  // measured: 1e-6 in s and p, for either step, for flat interfaces too: what the absorbing layers send back
  EXPECT_LT(coarse.matched, 5e-6);
  EXPECT_LT(fine.matched, 5e-6);
  // the step's dispersion (w dt)^2 / 24 = 4e-4 of the frequency turns the phase over the cell by w n h / c of
  // it, some 10 rad: a part in 200, falling with the square of the step
  EXPECT_GT(coarse.plain, 5e-4);
  EXPECT_LT(coarse.plain, 2e-2);
  EXPECT_NEAR(coarse.plain / fine.plain, 4, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Waves, HarmonicTimeDomain, testing::Values(Polarization::s, Polarization::p),
                         [](const auto& info) { return info.param == Polarization::s ? "s" : "p"; });

}  // namespace
}  // namespace umov::harmonic
