// The iteration x(n+1) = M x(n) + b from step to step: when it is looked at, and when it ends.
#include "pmaxwell/iterate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/types.hpp"

namespace umov::pmaxwell {

namespace {

/// Near fields at metal reach some hundred times the incident one; what an instability makes has no limit.
constexpr double most_enhancement = 1e5;
/// Between two looks, back to back, of a field that is above what drives it: no wave builds up like this.
constexpr double fastest_rise = 10;

constexpr double rounding = 0x1p-24;
/// What rounding adds up to in waves that hardly leave: those at the end of the grid's band, between media
/// whose bands end below (a layer of 0.6 wavelengths in front of a film: 300 after 40000 steps).
constexpr double most_units = 1000;

class Iteration {
 public:
  Iteration(Engine& engine, const IterateOptions& options) : engine_(engine), o_(options) {}

  IterateReport run() {
    await_look();
    while (r_.iterations < o_.iterations && r_.ending == Ending::steps) {
      if (o_.stop && o_.stop()) {
        r_.ending = Ending::interrupted;
        if (o_.snapshot) o_.snapshot();
        break;
      }
      keep_for_look();
      engine_.step(strength(r_.iterations));
      ++r_.iterations;
      if (r_.iterations == look_) {
        judge();
        await_look();
      }
      const bool ends = r_.iterations == o_.iterations || r_.ending != Ending::steps;
      if (o_.snapshot && (ends || (o_.interval > 0 && r_.iterations % o_.interval == 0))) o_.snapshot();
    }
    return r_;
  }

 private:
  /// The next multiple of `look_every`, or the end.
  void await_look() {
    look_ = std::min((r_.iterations / look_every + 1) * look_every, o_.iterations);
    if (r_.iterations >= phasor_look_) await_phasor();
  }

  /// The first look behind two strides, unless two more do not fit before the end.
  void await_phasor() {
    const int stride = phasor_stride(o_.turn);
    const long next = ((r_.iterations + 2 * stride) / look_every + 1) * look_every;
    phasor_look_ = next > o_.iterations - 2 * stride - 1 ? o_.iterations : next;
    stride_ = int(std::min<long>(stride, (phasor_look_ - r_.iterations) / 2));
  }

  void keep_for_look() {
    const long left = phasor_look_ - r_.iterations;
    if (left == 2 * stride_) engine_.keep(Moment::two_strides);
    if (left == stride_) engine_.keep(Moment::one_stride);
    if (look_ - r_.iterations == 1) engine_.keep(Moment::one_step);
  }

  double strength(long step) const {
    if (step >= o_.ramp) return 1;
    const double s = std::sin(pi / 2 * double(step + 1) / double(o_.ramp));
    return s * s;
  }

  void judge() {
    r_.last = engine_.changes(o_.turn, r_.iterations == phasor_look_ ? stride_ : 0);
    const double e = r_.last.largest;
    if (!std::isfinite(e)) {
      diverged("fields are not finite");
    } else if (o_.amplitude > 0 && e > most_enhancement * o_.amplitude) {
      diverged(fmt::format("the largest field is {:.2g} times what drives it", e / o_.amplitude));
    } else if (e > fastest_rise * o_.amplitude && before_ > 0 && e > fastest_rise * before_ &&
               before_ > fastest_rise * earlier_ && earlier_ > 0) {
      diverged(fmt::format("the largest field grew {:.2g} times in {} steps", e / earlier_, 2 * look_every));
    } else if (r_.iterations >= o_.ramp && o_.epsilon > 0 && r_.last.plain < o_.epsilon) {
      r_.ending = Ending::epsilon;
    } else if (r_.iterations >= o_.ramp && o_.tolerance > 0 && r_.last.phasor >= 0 &&
               r_.last.phasor <= o_.tolerance * e) {  // neither sources nor fields: steady at once
      r_.ending = Ending::tolerance;
    } else if (r_.iterations >= o_.ramp && stands_at_rounding()) {
      r_.ending = Ending::rounding;
    }
    if (r_.ending != Ending::diverged && o_.hook) o_.hook(r_.iterations, r_.last);
    earlier_ = before_;
    before_ = e;
  }

  /// See `iterate`.
  bool stands_at_rounding() {
    const double seen = o_.tolerance > 0 ? r_.last.phasor : o_.epsilon > 0 ? r_.last.plain : -1;
    if (seen < 0 || !(r_.last.largest > 0)) return false;
    const double change = seen / r_.last.largest;
    if (change < 0.7 * least_) {
      least_ = change;
      fell_at_ = r_.iterations;
    }
    const double periods = o_.turn != 0 ? 40 * 2 * pi / std::abs(o_.turn) : 0;
    // what falls by e in as many steps as there were falls on
    const double window = std::max({2000.0, periods, 0.5 * double(r_.iterations)});
    return change<most_units * rounding&& double(r_.iterations - fell_at_)> window;
  }

  void diverged(const std::string& what) {
    r_.ending = Ending::diverged;
    r_.trouble = what;
  }

  long look_ = 0;         ///< step of the next look
  long phasor_look_ = 0;  ///< of the next that tells the phasor's change
  int stride_ = 0;        ///< of that one
  Engine& engine_;
  const IterateOptions& o_;
  IterateReport r_;
  double before_ = 0, earlier_ = 0;                         ///< largest fields of the looks before
  double least_ = std::numeric_limits<double>::infinity();  ///< least change over the largest field
  long fell_at_ = 0;                                        ///< step when it fell to that
};

}  // namespace

int phasor_stride(double turn) {
  if (turn == 0) return 1;
  const double third = std::min(2 * pi / std::abs(turn) / 3, 1e9);
  return std::max(1, (int(third) - 1) | 1);
}

double least_phasor_change(double turn) {
  const int stride = phasor_stride(turn);
  return rounding / (stride * 2 * std::abs(std::sin(stride * turn / 2))) * (2 * pi / std::abs(turn));
}

IterateReport iterate(Engine& engine, const IterateOptions& options) {
  return Iteration(engine, options).run();
}

std::string largest_place(Engine& engine, const Int3& cells, const Layout& layout) {
  double most = -1;
  std::string out = "nowhere";
  for (int a = 0; a < 12; ++a) {
    const auto values = engine.field(a);
    for (index_t i = 0; i < index_t(values.size()); ++i) {
      const double size = std::hypot(double(values[i].re), double(values[i].im));
      if (size <= most) continue;  // false for what is no number
      out = fmt::format("{} at {}", name_of(a, layout),
                        place_text(points_of(is_electric(a), component_of(a), cells), i));
      if (!std::isfinite(size)) return out;
      most = size;
    }
  }
  return out;
}

}  // namespace umov::pmaxwell
