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

class Iteration {
 public:
  Iteration(Engine& engine, const IterateOptions& options) : engine_(engine), o_(options) {}

  IterateReport run() {
    // a short run looks back on the start too
    if (next_look() <= 2) engine_.keep();
    while (r_.iterations < o_.iterations && r_.ending == Ending::steps) {
      if (o_.stop && o_.stop()) {
        r_.ending = Ending::interrupted;
        if (o_.snapshot) o_.snapshot();
        break;
      }
      const long look = next_look();
      engine_.step(strength(r_.iterations));
      ++r_.iterations;
      if (r_.iterations == look)
        judge();
      else if (look - r_.iterations <= 2)
        engine_.keep();
      const bool ends = r_.iterations == o_.iterations || r_.ending != Ending::steps;
      if (o_.snapshot && (ends || (o_.interval > 0 && r_.iterations % o_.interval == 0))) o_.snapshot();
    }
    return r_;
  }

 private:
  /// The next multiple of `look_every`, unless it is too near to the end to be looked at on its own.
  long next_look() const {
    const long next = (r_.iterations / look_every + 1) * look_every;
    return next > o_.iterations - 3 ? o_.iterations : next;
  }

  double strength(long step) const {
    if (step >= o_.ramp) return 1;
    const double s = std::sin(pi / 2 * double(step + 1) / double(o_.ramp));
    return s * s;
  }

  void judge() {
    r_.last = engine_.changes(r_.iterations >= 2 ? o_.turn : 0);
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
               r_.last.phasor < o_.tolerance * e) {
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
    const bool phasor = o_.tolerance > 0 && r_.last.phasor >= 0;
    if ((!phasor && o_.epsilon <= 0) || !(r_.last.largest > 0)) return false;
    const double change = (phasor ? r_.last.phasor : r_.last.plain) / r_.last.largest;
    if (change < 0.7 * least_) {
      least_ = change;
      fell_at_ = r_.iterations;
    }
    const double periods = o_.turn != 0 ? 40 * 2 * pi / std::abs(o_.turn) : 0;
    return change < 200 * (phasor ? least_phasor_change(o_.turn) : rounding) &&
           double(r_.iterations - fell_at_) > std::max(2000.0, periods);
  }

  void diverged(const std::string& what) {
    r_.ending = Ending::diverged;
    r_.trouble = what;
  }

  Engine& engine_;
  const IterateOptions& o_;
  IterateReport r_;
  double before_ = 0, earlier_ = 0;                         ///< largest fields of the looks before
  double least_ = std::numeric_limits<double>::infinity();  ///< least change over the largest field
  long fell_at_ = 0;                                        ///< step when it fell to that
};

}  // namespace

double least_phasor_change(double turn) { return rounding / (2 * std::abs(std::sin(turn / 2))); }

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
