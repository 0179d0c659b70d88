// How rank 0's calls become those of all ranks.
#include "eqs/ranks/team.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "comm/collect.hpp"
#include "core/error.hpp"
#include "core/signals.hpp"
#include "eqs/engines/engine_factory.hpp"
#include "eqs/ranks/cut.hpp"

namespace umov::eqs {

/// What rank 0 asks for; the others' own say whether a signal has reached them.
struct Team::Order {
  enum class Kind {
    make,
    drop,
    solve_static,
    solve_harmonic,
    start,
    first_step,
    plan,
    attempt,
    accept,
    go_back,
    begin_shot,
    end_shot,
    next_shot,
    observe,
    potential,
    field,
    save,
    restore,
    dismiss
  } kind = Kind::dismiss;
  double a = 0, b = 0;
  bool interrupted = false;
};

namespace {

/// Values of all ranks' own things in the order of the whole, on rank 0. `of` = numbers each.
template <class T>
std::vector<T> to_whole(comm::Communicator& comm, const std::vector<T>& own, const std::vector<int>* place,
                        std::size_t count, std::size_t each) {
  const auto all = comm::gather(comm, std::span<const T>(own));
  if (!comm.first()) return {};
  std::vector<T> out(count * each);
  const std::size_t things = all.size() / each;
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < things; ++k)
    std::copy_n(all.data() + k * each, each, out.data() + std::size_t((*place)[k]) * each);
  return out;
}

/// The whole's parts one behind another: real and imaginary ones.
template <class T>
void append(std::vector<T>& out, std::vector<T> part) {
  if (out.empty())
    out = std::move(part);
  else
    out.insert(out.end(), part.begin(), part.end());
}

std::vector<double> whole_potential(comm::Communicator& comm, const RankShare& s, const Engine& engine,
                                    std::size_t local_nodes) {
  const auto local = engine.potential();
  const std::size_t parts = comm::max(comm, local_nodes ? local.size() / local_nodes : 0);
  std::vector<double> out;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<double> own(s.own_node.size());
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < own.size(); ++k)
      own[k] = local[part * local_nodes + std::size_t(s.own_node[k])];
    append(out, to_whole(comm, own, s.whole ? &s.whole->node : nullptr, s.whole ? s.whole->nodes : 0, 1));
  }
  return out;
}

std::vector<float> whole_field(comm::Communicator& comm, const RankShare& s, const Engine& engine,
                               std::size_t local_elements) {
  const auto local = engine.field();
  const std::size_t parts = comm::max(comm, local_elements ? local.size() / (12 * local_elements) : 0);
  std::vector<float> out;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto begin = local.begin() + std::ptrdiff_t(part * 12 * local_elements);
    const std::vector<float> own(begin, begin + std::ptrdiff_t(12 * std::size_t(s.elements)));
    append(out,
           to_whole(comm, own, s.whole ? &s.whole->element : nullptr, s.whole ? s.whole->elements : 0, 12));
  }
  return out;
}

}  // namespace

/// Rank 0's side: passes on what is asked, and does its own part.
class LeadEngine final : public Engine {
  using K = Team::Order::Kind;

 public:
  explicit LeadEngine(Team& team) : team_(team) {}
  ~LeadEngine() override {
    try {
      team_.order({K::drop});
    } catch (...) {  // the ranks have ended already
    }
    team_.note_peak();
    team_.engine_.reset();
  }

  std::string device() const override { return own().device(); }
  std::size_t bytes() const override { return own().bytes(); }
  std::size_t peak_bytes() const override { return own().peak_bytes(); }
  std::string describe() const override { return own().describe(); }

  Effort solve_static(double t) override { return ask({K::solve_static, t}).solve_static(t); }
  Effort solve_harmonic(double omega) override {
    return ask({K::solve_harmonic, omega}).solve_harmonic(omega);
  }
  Effort start(double t) override { return ask({K::start, t}).start(t); }
  double first_step(double most, double tolerance, Effort& effort) override {
    return ask({K::first_step, most, tolerance}).first_step(most, tolerance, effort);
  }
  double plan(double dt, double most) override { return ask({K::plan, dt, most}).plan(dt, most); }
  StepTry attempt(double dt) override { return ask({K::attempt, dt}).attempt(dt); }
  void accept() override { ask({K::accept}).accept(); }
  bool go_back() override { return ask({K::go_back}).go_back(); }
  void begin_shot(double sign) override { ask({K::begin_shot, sign}).begin_shot(sign); }
  ShotEnd end_shot(bool learns) override { return ask({K::end_shot, double(learns)}).end_shot(learns); }
  void next_shot() override { ask({K::next_shot}).next_shot(); }
  double time() const override { return own().time(); }
  Observation observe() override { return ask({K::observe}).observe(); }
  std::vector<double> potential() const override {
    ask({K::potential});
    return whole_potential(team_.comm(), *team_.share_, own(), team_.nodes_);
  }
  std::vector<float> field() const override {
    ask({K::field});
    return whole_field(team_.comm(), *team_.share_, own(), team_.elements_);
  }
  std::vector<std::byte> save() const override { return ask({K::save}).save(); }
  void restore(const std::vector<std::byte>& bytes) override { ask({K::restore}).restore(bytes); }

 private:
  Engine& own() const { return *team_.engine_; }
  Engine& ask(const Team::Order& order) const {
    team_.order(order);
    return own();
  }
  Team& team_;
};

Team::Team(comm::Communicator& comm, const EngineRequest& request) : comm_(comm), request_(request) {}

Team::~Team() {
  if (!comm_.first() || dismissed_) return;
  try {
    dismiss();
  } catch (...) {  // the ranks have ended already
  }
}

Team::Order Team::order(const Order& what) {
  Order mine = what;
  mine.interrupted = umov::interrupted();
  const auto all = comm::all_gather(comm_, mine);
  for (const auto& o : all) interrupted_ = interrupted_ || o.interrupted;
  return all.front();
}

std::unique_ptr<Engine> Team::make(const Problem& whole) {
  order({Order::Kind::make});
  take_engine(&whole);
  return std::make_unique<LeadEngine>(*this);
}

void Team::take_engine(const Problem* whole) {
  const Stopwatch sharing;
  const Problem mine = take_share(comm_, whole);
  const double shared = sharing.seconds();
  share_ = mine.share;
  nodes_ = std::size_t(mine.nodes);
  elements_ = mine.mesh.tets.size();
  engine_ = make_ranked_engine(mine, request_, comm_);
  device_ = engine_->device();
  note_peak();
  if (since_made_) return;
  share_seconds_ = shared;
  comm_.barrier();
  before_ = comm_.traffic();
  since_made_.emplace();
}

void Team::dismiss() {
  dismissed_ = true;
  order({Order::Kind::dismiss});
}

void Team::follow() {
  while (obey(order({Order::Kind::dismiss})))
    ;
}

/// One of rank 0's orders; false at the last one.
bool Team::obey(const Order& o) {
  using K = Order::Kind;
  Effort unused;
  switch (o.kind) {
    case K::make:
      take_engine(nullptr);
      break;
    case K::drop:
      note_peak();
      engine_.reset();
      break;
    case K::solve_static:
      engine_->solve_static(o.a);
      break;
    case K::solve_harmonic:
      engine_->solve_harmonic(o.a);
      break;
    case K::start:
      engine_->start(o.a);
      break;
    case K::first_step:
      engine_->first_step(o.a, o.b, unused);
      break;
    case K::plan:
      engine_->plan(o.a, o.b);
      break;
    case K::attempt:
      engine_->attempt(o.a);
      break;
    case K::accept:
      engine_->accept();
      break;
    case K::go_back:
      engine_->go_back();
      break;
    case K::begin_shot:
      engine_->begin_shot(o.a);
      break;
    case K::end_shot:
      engine_->end_shot(o.a != 0);
      break;
    case K::next_shot:
      engine_->next_shot();
      break;
    case K::observe:
      engine_->observe();
      break;
    case K::potential:
      whole_potential(comm_, *share_, *engine_, nodes_);
      break;
    case K::field:
      whole_field(comm_, *share_, *engine_, elements_);
      break;
    case K::save:
      engine_->save();
      break;
    case K::restore:
      engine_->restore({});
      break;
    case K::dismiss:
      return false;
  }
  note_peak();
  return true;
}

void Team::note_peak() {
  if (engine_) peak_ = std::max(peak_, engine_->peak_bytes());
}

}  // namespace umov::eqs
