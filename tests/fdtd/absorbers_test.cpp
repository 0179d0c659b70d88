// Absorbers anywhere in the domain, held against the integral of their loss, against the discrete equations
// of a line and against the group velocity of a guide.
#include "fdtd/model/absorbers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fdtd/model/validate.hpp"
#include "fdtd/monitors/mode.hpp"
#include "support/backends_here.hpp"
#include "support/fdtd_problems.hpp"
#include "support/fdtd_rank_runs.hpp"
#include "support/machines.hpp"
#include "support/monitor_runs.hpp"

namespace umov::fdtd::trial {
namespace {

using umov::test::body;
using umov::test::constant;

AbsorberSpec absorber(const Vec3& center, const Vec3& size, const std::optional<Vec3>& direction) {
  AbsorberSpec a;
  a.center = center;
  a.size = size;
  a.direction = direction;
  return a;
}

/// Along x, in a medium of one index: an absorber of `cells` up to the conducting wall at the high end.
Simulation line(double cells, double index, double order, double transmission) {
  Simulation s;
  s.resolution = 1;
  s.size = {1000, 0, 0};
  s.walls[0] = {WallKind::pml, WallKind::pec};
  s.materials = {constant("medium", index * index)};
  s.background = "medium";
  s.absorbers = {absorber({500 - cells / 2, 0, 0}, {cells, 0, 0}, Vec3{1, 0, 0})};
  s.absorbers[0].order = order;
  s.absorbers[0].transmission = transmission;
  return s;
}

/// Cells per wavelength in the medium.
constexpr double cells_per_wave = 20;

double frequency(double index) { return 2 * pi / (cells_per_wave * index); }

/// E at a node of a line, after every step, of a pulse that starts at node 300.
std::vector<double> series(Problem p, double index, int node, long steps) {
  const double w = frequency(index), dt = p.grid.dt, width = 1.5 * cells_per_wave * index;
  p.tables = {signal_table([=](long n) {
    const double t = double(n) * dt - 6.5 * width;
    return std::exp(-t * t / (2 * width * width)) * std::sin(w * t);
  })};
  p.sources = {point_source(p, Ez, {300, 0, 0})};
  p.recorders = {point_recorder(p, Ez, {node, 0, 0})};
  auto e = engine_for(p);
  e->advance(steps);
  return e->drain(0);
}

cplx transform(const std::vector<double>& v, double w, double dt) {
  cplx sum = 0;
  for (std::size_t n = 0; n < v.size(); ++n) sum += v[n] * std::polar(1.0, w * dt * double(n));
  return sum;
}

Problem problem_of(const Simulation& s) {
  Problem p = umov::test::painted(s);
  p.precision = Precision::double_;
  set_walls(s, p);
  return p;
}

/// |reflected / incident| at node 600 of a line: the difference to the line without absorber, which answers
/// too late.
double measured_reflection(const Simulation& s, double index) {
  const Problem with = problem_of(s);
  Simulation longer = s;
  longer.absorbers.clear();
  longer.size[0] = 3000;
  Problem without = problem_of(longer);
  const long steps = long((1000 + 20 * cells_per_wave) * index / with.grid.dt);
  const auto near = series(with, index, 600, steps), open = series(without, index, 600, steps);
  std::vector<double> echo;
  for (std::size_t n = 0; n < near.size(); ++n) echo.push_back(near[n] - open[n]);
  const double w = frequency(index);
  return std::abs(transform(echo, w, with.grid.dt)) / std::abs(transform(open, w, with.grid.dt));
}

const Coefficients& at(const Problem& p, Component c, int i) {
  const auto& ids = p.material[c];
  return p.coefficients[ids.empty() ? p.uniform[c] : ids[std::size_t(Layout(p.grid).at(i, 0, 0))]];
}

/// The same of the update equations themselves, harmonic in time: from E = 0 at the wall back to node 600.
double discrete_reflection(const Problem& p, double w) {
  const cplx half = std::polar(1.0, -w * p.grid.dt / 2), z = half * half;
  cplx e = 0, h = 1, before = 0;
  for (int i = p.grid.cells[0] - 1; i >= 600; --i) {
    const Coefficients &kh = at(p, Hy, i), &ke = at(p, Ez, i);
    before = e;
    e -= h * (half - kh.decay / half) / kh.drive;
    h -= e * (z - ke.decay) / (ke.drive * half);
  }
  // e = a + b, before = a g + b / g with g the factor of a wave from cell to cell
  const double k = 2 * std::asin(std::sin(w * p.grid.dt / 2) / at(p, Ez, 600).drive *
                                 std::sqrt(at(p, Ez, 600).drive / at(p, Hy, 600).drive));
  const cplx g = std::polar(1.0, k);
  const cplx b = (e * g - before) / (g - 1.0 / g), a = e - b;
  return std::min(std::abs(a), std::abs(b)) / std::max(std::abs(a), std::abs(b));
}

}  // namespace

// Both sides solve the same equations; what is left is rounding and the end of the echo that is cut off.
TEST(FdtdAbsorbers, ReflectAtNormalIncidenceAsTheirUpdateEquationsSay) {
  for (const double index : {1.0, 2.0})
    for (const double order : {0.0, 2.0, 3.0}) {
      const Simulation s = line(40, index, order, 1e-3);
      const double expected = discrete_reflection(problem_of(s), frequency(index));
      EXPECT_NEAR(measured_reflection(s, index), expected, 0.01 * expected + 1e-8) << index << " " << order;
    }
}

// R(0) = exp(-2 integral sigma eta ds) of the amplitude, from the conductor behind. The grid adds a part that
// falls with the cells: by second order for a jump, faster for graded profiles.
TEST(FdtdAbsorbers, ReflectTheirIntegralAndWhatTheGridAddsToIt) {
  for (const double order : {0.0, 3.0}) {
    double before = 1;
    for (const double cells : {20.0, 40.0, 80.0}) {
      const Simulation s = line(cells, 1, order, 1e-6);
      const double all =
          discrete_reflection(problem_of(s), frequency(1) * 20 / cells);  // one wavelength thick
      const double of_grid = all - 1e-6;
      EXPECT_LT(of_grid, before / 3.5) << order << " " << cells;
      before = std::max(of_grid, 1e-7);
    }
  }
}

namespace {

/// A guide of permittivity 12 and width 1 from the left to `end`, its first mode from x = -5, a monitor of it
/// at x = -2; `more` is appended.
std::string guide_of_absorbers(const std::string& polarization, double length, double end,
                               const std::string& more, const std::string& stop = "time = 300") {
  return fmt::format(R"(
[domain]
size = [{0}, 6]
resolution = 10
polarization = "{1}"
[[material]]
name = "core"
eps = 12
[[body]]
material = "core"
center = [{2}, 0]
size = [200, 1]
[[source]]
kind = "mode"
center = [-5, 0]
size = [0, 5]
waveform = "gaussian"
frequency = 0.15
width = 0.08
[[monitor]]
kind = "mode"
name = "before"
center = [-2, 0]
size = [0, 5]
frequencies = [0.149, 0.15, 0.151]
[machine]
precision = "double"
[output]
pictures = false
[stop]
{3}
)",
                     length, polarization, end - 100, stop) +
         more;
}

std::string box(double from, double to, double width, const std::string& more) {
  return fmt::format("[[absorber]]\ncenter = [{}, 0]\nsize = [{}, {}]\ndirection = [1, 0]\n{}\n",
                     (from + to) / 2, to - from, width, more);
}

}  // namespace

// w becomes w + i q in all media at once, so the mode stays and loses exp(-2 integral q ds / v_group) of its
// power against a run without the absorber. The mode's own dispersion on the grid gives v_group: of te, whose
// tails are long, to 0.6 percent (planes of 5 and 11 units differ by 1.3). Terms of third order in q / w
// (0.02) and what the profile reflects stay below a thousandth of the exponent.
TEST(FdtdAbsorbers, AGuidedModeLosesWhatItsGroupVelocitySays) {
  const std::string behind =
      "[[monitor]]\nkind = \"mode\"\nname = \"behind\"\ncenter = [5, 0]\nsize = [0, 5]\nfrequencies = "
      "[0.15]\n";
  for (const char* polarization : {"tm", "te"}) {
    Simulation s = simulation(
        guide_of_absorbers(polarization, 16, 100, box(-1, 4, 0, "order = 2\ntransmission = 0.95")) + behind);
    s.size[1] = 12;  // room for the tails of te
    s.sources[0].size[1] = s.monitors[0].size[1] = s.monitors[1].size[1] = 11;
    const Outcome o = run(s, umov::test::one_thread);
    s.absorbers.clear();
    const Outcome free = run(s, umov::test::one_thread);
    const ModeResult& mode = o.of<ModeResult>()[0];
    const auto k = [&](int i) { return mode.frequency[i] * mode.effective_index[i]; };
    const double group_index = (k(2) - k(0)) / (mode.frequency[2] - mode.frequency[0]);
    const double exponent =
        std::log(std::norm(o.of<ModeResult>()[1].forward[0] / free.of<ModeResult>()[1].forward[0]));
    EXPECT_NEAR(exponent, std::log(0.95) * group_index, 0.01 * std::abs(exponent)) << polarization;
    EXPECT_GT(group_index, 3.5);
  }
}

namespace {

double reflected(const Simulation& s) {
  const Outcome o = run(s, umov::test::one_thread);
  return std::norm(o.of<ModeResult>()[0].backward[1] / o.of<ModeResult>()[0].forward[1]);
}

}  // namespace

// A profile of order p that ends a mode adiabatically reflects L^-(2 p + 2) of the power (Oskooi et al. 2008,
// Opt. Express 16, 11376, section 4), which it reaches from below: measured are 400 (te) to 20000 (tm) from 4
// to 8 units, two and a half to five wavelengths in the guide. Without the absorber the end reflects 0.40 and
// 0.16.
TEST(FdtdAbsorbers, EndAGuideInsideTheDomain) {
  for (const char* polarization : {"tm", "te"}) {
    const auto ended = [&](double length) {
      return reflected(simulation(guide_of_absorbers(polarization, 20, length, box(0, length, 3, ""))));
    };
    const double shorter = ended(4), longer = ended(8);
    EXPECT_LT(shorter, 0.01) << polarization;
    EXPECT_LT(longer, shorter / 256) << polarization;
  }
  EXPECT_GT(reflected(simulation(guide_of_absorbers("tm", 20, 4, ""))), 0.3);
}

namespace {

/// A disk of glass under absorbers of several shapes, one of them at an angle, one over a conductor.
Simulation shapes(Mode mode, double order = 3) {
  Simulation s;
  s.resolution = 10;
  s.te = mode == Mode::te;
  s.size = mode == Mode::one ? Vec3{4, 0, 0} : mode == Mode::full ? Vec3{4, 3, 2.4} : Vec3{4, 3, 0};
  s.materials = {constant("glass", 4)};
  s.bodies = {body("cylinder", "glass", {0.13, 0.07, 0}), body("box", "pec", {-1.3, 0.9, 0})};
  s.bodies[0].radius = 0.77;
  s.bodies[1].size = Vec3{0.4, 0.43, 0};
  s.absorbers = {absorber({1, 0.2, 0}, {1, 1.1, 0}, Vec3{1, 0, 0}),
                 absorber({-1.2, 0.8, 0}, {0.9, 0.8, 0}, {}), absorber({0.5, 0.3, 0}, {0, 0, 0}, {})};
  if (mode != Mode::one) {
    s.absorbers[0].rotation = 30;
    s.absorbers[0].direction = Vec3{std::cos(pi / 6), 0.5, 0};
  }
  s.absorbers[2].shape = "ring";
  s.absorbers[2].size.reset();
  s.absorbers[2].radius = 1.2;
  s.absorbers[2].inner_radius = 0.6;
  if (mode == Mode::one) {
    s.absorbers.pop_back();
    for (auto& a : s.absorbers) a.center[1] = 0;
  }
  for (auto& a : s.absorbers) a.order = order;
  return s;
}

double energy(const Engine& e, const Problem& p) {
  double sum = 0;
  for (int c = 0; c < components; ++c)
    if (has_component(p.grid.mode, c))
      for (const double v : values(e, p, Component(c)).real) sum += v * v;
  return sum;
}

constexpr Mode every_mode[] = {Mode::one, Mode::tm, Mode::te, Mode::full};

}  // namespace

// Averaged permittivities couple edges of different loss, most where the profile is a jump (order 0): walls
// that keep all power in show whether anything feeds fields.
TEST(FdtdAbsorbers, NothingGrowsInThem) {
  for (const Mode mode : every_mode)
    for (const double order : {0.0, 3.0}) {
      Simulation s = shapes(mode, order);
      s.walls = umov::test::all_walls(WallKind::pec);
      const Problem p = problem_of(s);
      const auto e = engine_for(p, "cpu", 1, true);
      set_noise(*e, p, 7);
      const long steps = mode == Mode::full ? 400 : 3000;
      double before = energy(*e, p);
      for (int part = 0; part < 4; ++part) {
        e->advance(steps);
        const double now = energy(*e, p);
        // what is static stays: divergence of noise in the part without loss
        EXPECT_LT(now, 1.0001 * before) << int(mode) << " " << order;
        before = now;
      }
    }
}

// The absorbers are coefficients of the media, which every stepper reads; sums differ in their order.
TEST(FdtdAbsorbers, GiveTheSameFieldsOnEveryBackend) {
  for (const Mode mode : every_mode) {
    Problem p = problem_of(shapes(mode));
    p.tables = {signal_table([](long n) { return std::sin(0.3 * double(n)); })};
    p.sources = {point_source(p, mode == Mode::te ? Ex : Ez,
                              {11, mode == Mode::one ? 0 : 11, mode == Mode::full ? 8 : 0})};
    const auto right = engine_for(p);
    right->advance(150);
    for (const std::string& backend : umov::test::backends_here())
      for (const bool tuned : {false, true}) {
        const auto e = engine_for(p, backend, 2, tuned);
        e->advance(150);
        for (int c = 0; c < components; ++c) {
          if (!has_component(mode, c)) continue;
          const FieldBlock found = values(*e, p, Component(c)), wanted = values(*right, p, Component(c));
          const double size = umov::test::largest(wanted.real);
          for (std::size_t i = 0; i < wanted.real.size(); ++i)
            ASSERT_NEAR(found.real[i], wanted.real[i], 1e-12 * size)
                << backend << " " << int(mode) << " " << c;
        }
      }
  }
}

TEST(FdtdAbsorbers, GiveTheSameBitsOnSeveralRanks) {
  const Simulation s = simulation(guide_of_absorbers("tm", 16, 2, box(-1, 2, 3, ""), "steps = 300"));
  const Numbers right = numbers(run(s, umov::test::one_thread));
  for (const int ranks : {2, 3}) expect_same_on(ranks, s, right);
}

namespace {

/// What a case with this absorber is refused for, or warned of.
std::string answer(const std::string& absorber, const std::string& more = "") {
  try {
    const Outcome o = run(
        simulation(guide_of_absorbers("tm", 16, 100, "[[absorber]]\n" + absorber + "\n" + more, "steps = 2")),
        umov::test::one_thread);
    std::string all;
    for (const auto& warning : o.warnings) all += warning + "\n";
    for (const auto& note : o.notes) all += note + "\n";
    return all;
  } catch (const BadInput& e) {
    return e.what();
  }
}

void expect_answer(const std::string& absorber, const std::string& part, const std::string& more = "") {
  const std::string said = answer(absorber, more);
  EXPECT_NE(said.find(part), std::string::npos) << absorber << "\n" << said;
}

}  // namespace

TEST(FdtdAbsorbers, SayWhatTheyDo) {
  expect_answer(
      "center = [2, 0]\nsize = [2, 3]\ndirection = [1, 0]",
      "absorber 1 (box): absorbs along (1, 0) over 2 (20 cells), order 3, sigma / eps up to 13.82 c / unit");
  expect_answer("shape = \"cylinder\"\nradius = 1", "absorber 1 (cylinder): absorbs inward over 0.97");
  // a third of the way to full strength: 1e-6 to the power of (1/3)^4
  const char* shallow = "center = [2, 0]\nsize = [2, 3]\ndirection = [1, 0]\nthickness = 6";
  expect_answer(shallow, "of a wave straight through at most 0.84 is left");
  expect_answer(shallow, "its shape is 2 deep within the domain, less than its thickness of 6");
}

TEST(FdtdAbsorbers, AnswerBadInput) {
  expect_answer("size = [2]\ndirection = [0, 0]", "its direction is no direction");
  expect_answer("size = [2]\ndirection = [0, 0, 1]", "its direction has a component along z");
  expect_answer("size = [0, 3]\ndirection = [1, 1]", "it has no front along its direction");
  expect_answer("size = [2, 3]\ntransmission = 1", "its transmission is 1");
  expect_answer("size = [2, 3]\ntransmission = 0", "transmission");
  expect_answer("size = [2, 3]\nthickness = -1", "thickness");
  expect_answer("size = [2, 3]\nradius = 1", "a box does not read it");
  expect_answer("size = [2, 3]\nmaterial = \"core\"", "material");
  expect_answer("shape = \"sphere\"", "radius");
  expect_answer("shape = \"mesh\"", "absorber 1 is a mesh without a file");
  expect_answer("size = [2, 3]\ncenter = [30, 0]", "it holds no cell of the grid");
  expect_answer("size = [2, 3]", "it lies over 'gold'",
                "[[body]]\nmaterial = \"gold\"\nshape = \"cylinder\"\nradius = 0.5\n");
  expect_answer("size = [0.2, 3]\ncenter = [2, 0]\ndirection = [1, 0]", "cells thick");
  expect_answer("size = [2, 5]\ncenter = [-5, 0]", "source 'mode1': lies in absorber 1 (box)");
  expect_answer("size = [1, 3]\ncenter = [-2, 0]", "monitor 'seen': reaches into absorber 1 (box)",
                "[[monitor]]\nkind = \"flux\"\nname = \"seen\"\ncenter = [-2, 0]\nsize = [0, 5]\nfrequencies "
                "= [0.15]\n");
}

// The wave that a face adds is that of a medium without loss.
TEST(FdtdAbsorbers, MayNotLieOnAFaceOfAPlaneWave) {
  const char* text = R"(
[domain]
size = [8, 6]
resolution = 10
[[absorber]]
center = [{}, 0]
size = [1, 2]
[[source]]
kind = "plane_wave"
size = [4, 3]
frequency = 0.3
waveform = "gaussian"
)";
  for (const double x : {2.0, 0.0}) {
    const Simulation s = simulation(fmt::format(fmt::runtime(text), x));
    const auto scene = make_scene(s);
    const auto found = validate(s, *scene, make_grid(s, *scene));
    const bool said = std::ranges::any_of(found, [](const Finding& f) {
      return f.severity == Finding::Severity::stop &&
             f.message.find("high x face of its box of total field goes through absorber 1 (box)") !=
                 std::string::npos;
    });
    EXPECT_EQ(said, x == 2);
  }
}

// They stay in the reference run, which flux monitors subtract.
TEST(FdtdAbsorbers, AreMissingFromTheReflectionOfANormalisedPair) {
  const std::string flux =
      "[[monitor]]\nkind = \"flux\"\nname = \"through\"\nsize = [0, 5]\nfrequencies = [0.15]\n";
  Simulation s = simulation(guide_of_absorbers("tm", 16, 100, box(1, 3, 3, "") + flux));
  for (const bool normalize : {false, true}) {
    s.normalize = normalize;
    const auto scene = make_scene(s);
    const auto found = validate(s, *scene, make_grid(s, *scene));
    EXPECT_EQ(std::ranges::any_of(
                  found,
                  [](const Finding& f) {
                    return f.severity == Finding::Severity::warning &&
                           f.message.find(
                               "'through': its scattered flux and R lack what absorber 1 (box) reflects") !=
                               std::string::npos;
                  }),
              normalize);
  }
}

// A case that is written out and read again has the same absorbers.
TEST(FdtdAbsorbers, AreWrittenIntoTheResolvedCase) {
  const Simulation s = simulation(guide_of_absorbers("tm", 16, 2, box(-1, 2, 3, "thickness = 1.5")));
  const std::string text = resolved_toml(s);
  EXPECT_NE(text.find("[[absorber]]"), std::string::npos);
  EXPECT_NE(text.find("thickness = 1.5"), std::string::npos);
  EXPECT_EQ(resolved_toml(simulation(text)), text);
}

// What goes through an absorber comes back from the wall behind it, in the reference run, too.
TEST(FdtdAbsorbers, ThatSendWavesBackInTheReferenceRunMakeItsReflectionDoubted) {
  const auto doubted = [](double transmission) {
    const Outcome o = run(simulation(fmt::format(R"(
[domain]
size = [8]
resolution = 30
[boundary]
x = ["pml", "pec"]
[[material]]
name = "glass"
eps = 4
[[body]]
material = "glass"
size = [0.6]
[[source]]
kind = "point"
component = "Ez"
center = [-2.5]
waveform = "gaussian"
frequency = 0.6
width = 0.3
[[monitor]]
kind = "flux"
name = "front"
center = [-1.5]
frequencies = [0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75]
[[absorber]]
center = [3.25]
size = [1.5]
direction = [1]
transmission = {}
[run]
normalize = true
[output]
pictures = false
)",
                                                 transmission)));
    return std::ranges::any_of(o.warnings,
                               [](const std::string& w) { return w.find("more than comes in") != w.npos; });
  };
  EXPECT_TRUE(doubted(.9));
  EXPECT_FALSE(doubted(1e-6));
}

}  // namespace umov::fdtd::trial
