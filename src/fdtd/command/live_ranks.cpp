// Rank 0's questions to an engine become those of all ranks.
#include "fdtd/command/live_ranks.hpp"

#include <limits>

#include "comm/collect.hpp"
#include "core/error.hpp"
#include "fdtd/run/march.hpp"

namespace umov::fdtd {

namespace {

using Kind = LiveOrder::Kind;

[[noreturn]] void not_asked() { throw Error(Exit::bug, "a look at a run changes nothing"); }

}  // namespace

LiveOrder tell(comm::Communicator& comm, const LiveOrder& order) {
  return comm::all_gather(comm, order).front();
}

LiveOrder::Kind kind_of(MarchWatcher::Answer a) {
  return a == MarchWatcher::Answer::stop   ? Kind::stop
         : a == MarchWatcher::Answer::save ? Kind::save
                                           : Kind::go_on;
}

MarchWatcher::Answer answer_of(LiveOrder::Kind kind) {
  return kind == Kind::stop   ? MarchWatcher::Answer::stop
         : kind == Kind::save ? MarchWatcher::Answer::save
                              : MarchWatcher::Answer::go_on;
}

std::vector<cplx> AskedEngine::fourier(int accumulator) const {
  tell(comm_, {.kind = Kind::fourier, .which = accumulator});
  return own_.fourier(accumulator);
}

FieldWatch AskedEngine::watch() const {
  tell(comm_, {.kind = Kind::watch});
  return own_.watch();
}

FieldBlock AskedEngine::field(Component c, const Int3& lo, const Int3& hi) const {
  tell(comm_, {.kind = Kind::field, .which = int(c), .lo = lo, .hi = hi});
  return own_.field(c, lo, hi);
}

std::vector<float> AskedEngine::sample(const FieldSample& s) const {
  tell(comm_, {.kind = Kind::sample, .sample = s});
  return own_.sample(s);
}

void AskedEngine::advance(long) { not_asked(); }
std::vector<double> AskedEngine::drain(int) { not_asked(); }
void AskedEngine::set_field(Component, const Int3&, const FieldBlock&) { not_asked(); }
std::vector<std::byte> AskedEngine::save() const { not_asked(); }
void AskedEngine::restore(const std::vector<std::byte>&) { not_asked(); }
void AskedEngine::join(const Border&) { not_asked(); }

bool looked_at(comm::Communicator& comm, bool looks) { return comm::any(comm, looks); }

void LiveFollower::begin(const Prepared& p, const March&) { on_ = looked_at(*p.comm, false); }

long LiveFollower::next(long) const { return on_ ? next_ : std::numeric_limits<long>::max(); }

MarchWatcher::Answer LiveFollower::look(const Prepared& p, const March& m) {
  while (on_) {
    const LiveOrder order = tell(*p.comm, {});
    switch (order.kind) {
      case Kind::sample:
        m.engine->sample(order.sample);
        break;
      case Kind::fourier:
        m.engine->fourier(order.which);
        break;
      case Kind::field:
        m.engine->field(Component(order.which), order.lo, order.hi);
        break;
      case Kind::watch:
        m.engine->watch();
        break;
      default:
        next_ = order.next;
        return answer_of(order.kind);
    }
  }
  return Answer::go_on;
}

void LiveFollower::end(const Prepared& p, const March& m) { look(p, m); }

}  // namespace umov::fdtd
