// When the preconditioner follows a changed matrix, and how far (Richter 2019, section 6.1).
#pragma once

#include <cmath>

#include "linalg/amg/options.hpp"

namespace umov::eqs {

/// The coarse levels stay while solves need at most `growth` times the iterations that the first one after a
/// full set-up needed; past that the products are redone, and if that does not help, everything. Solves end
/// at different residuals, so what is compared is the iterations per decimal digit.
class ReusePolicy {
 public:
  struct State {
    double first_rate = 0;  ///< iterations per digit after the last full set-up
    amg::Refresh next = amg::Refresh::all, last = amg::Refresh::all;
  };

  ReusePolicy(bool reuse, double growth) : reuse_(reuse), growth_(growth) {}

  /// What to do for a changed matrix.
  amg::Refresh choose() {
    const amg::Refresh how = reuse_ ? state_.next : amg::Refresh::all;
    if (how != amg::Refresh::finest) state_.last = how;
    if (how == amg::Refresh::all) state_.first_rate = 0;
    state_.next = amg::Refresh::finest;
    return how;
  }
  /// How a solve went that reduced the residual to `reduction` of itself.
  void note(int iterations, double reduction) {
    const double digits = -std::log10(reduction);
    // the first few iterations of a short solve say little
    if (!(digits > 1)) return;
    const double rate = iterations / digits;
    if (state_.first_rate == 0) {
      state_.first_rate = rate;
    } else if (rate > growth_ * state_.first_rate) {
      state_.next =
          state_.last == amg::Refresh::galerkin && just_renewed_ ? amg::Refresh::all : amg::Refresh::galerkin;
    }
    just_renewed_ = false;
  }
  void renewed(amg::Refresh how) { just_renewed_ = how == amg::Refresh::galerkin; }
  void demand_all() { state_.next = amg::Refresh::all; }

  /// What has been learnt, number by number: bytes between members would differ from run to run.
  template <class Archive>
  void state(Archive& archive) {
    archive(state_.first_rate);
    archive(state_.next);
    archive(state_.last);
    archive(just_renewed_);
  }

 private:
  bool reuse_;
  double growth_;
  State state_;
  bool just_renewed_ = false;
};

}  // namespace umov::eqs
