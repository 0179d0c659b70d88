// How rank 0's calls of a linear solver become those of all ranks.
#include "linalg/ranks/solver_team.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <utility>

#include "comm/scatter.hpp"
#include "core/contract.hpp"
#include "linalg/ranks/deal_out.hpp"

namespace umov::ranks {

/// What rank 0 asks for.
struct SolverTeam::Order {
  enum class Kind { set_up, refresh, solve, drop, dismiss } kind = Kind::dismiss;
  int solver = 0;
  amg::Options options{};
  amg::Refresh how = amg::Refresh::all;
  double tolerance = 0;
  int max_iterations = 0;
};

namespace {

/// Whether an error ends this rank: the others may wait for something else than an order, and hear of it.
bool leaving() { return std::uncaught_exceptions() > 0; }

}  // namespace

/// Rank 0's side: passes on what is asked, and does its own part.
class LeadSolver final : public amg::LinearSolver {
  using Kind = SolverTeam::Order::Kind;

 public:
  LeadSolver(SolverTeam& team, int number, const amg::SolveRequest& request)
      : team_(team), number_(number), request_(request) {}
  ~LeadSolver() override {
    if (owner_.empty() || leaving()) return;
    try {
      ask(Kind::drop);
    } catch (...) {  // the ranks have ended already
    }
  }

  void setup(const sparse::HostCsr& a) override {
    const int ranks = team_.comm_.size();
    owner_ = part_rows(a, ranks);
    rows_of_.assign(std::size_t(ranks), {});
    for (int i = 0; i < a.rows; ++i) rows_of_[std::size_t(owner_[std::size_t(i)])].push_back(i);
    ask(Kind::set_up, {&a, &owner_, {}, {}});
  }
  void refresh(const sparse::HostCsr& a, amg::Refresh how) override {
    UMOV_EXPECT(std::size_t(a.rows) == owner_.size(), "refresh of a matrix of another pattern than setup's");
    ask(Kind::refresh, {&a, &owner_, {}, {}}, how);
  }
  amg::SolveInfo solve(const std::vector<double>& b, std::vector<double>& x) override {
    ask(Kind::solve, {nullptr, nullptr, by_rank(b), by_rank(x)});
    const double* from = team_.solution_.data();
    for (const auto& rows : rows_of_)
      for (const int i : rows) x[std::size_t(i)] = *from++;
    return team_.info_;
  }
  void aim(double tolerance, int max_iterations) override {
    request_.tolerance = tolerance, request_.max_iterations = max_iterations;
  }
  const amg::SetupInfo& setup_info() const override { return own().setup_info(); }
  std::size_t bytes() const override { return team_.parts_.at(number_).fullest; }
  std::string device() const override { return own().device(); }
  std::vector<double> history() const override { return own().history(); }
  std::vector<int> ranks_of_levels() const override { return own().ranks_of_levels(); }

 private:
  const amg::LinearSolver& own() const { return *team_.parts_.at(number_).solver; }
  void ask(Kind kind, const SolverTeam::Whole& whole = {}, amg::Refresh how = amg::Refresh::all) {
    const auto order =
        team_.order({kind, number_, request_.options, how, request_.tolerance, request_.max_iterations});
    team_.obey(order, whole);
  }
  std::vector<std::vector<double>> by_rank(const std::vector<double>& v) const {
    std::vector<std::vector<double>> out;
    for (const auto& rows : rows_of_) {
      auto& part = out.emplace_back();
      for (const int i : rows) part.push_back(v[std::size_t(i)]);
    }
    return out;
  }

  SolverTeam& team_;
  int number_;
  amg::SolveRequest request_;
  std::vector<int> owner_;                 // of each row
  std::vector<std::vector<int>> rows_of_;  // of each rank
};

SolverTeam::~SolverTeam() {
  if (!comm_.first() || dismissed_ || leaving()) return;
  try {
    dismiss();
  } catch (...) {  // the ranks have ended already
  }
}

std::unique_ptr<amg::LinearSolver> SolverTeam::make(const amg::SolveRequest& request) {
  return std::make_unique<LeadSolver>(*this, next_++, request);
}

void SolverTeam::dismiss() {
  dismissed_ = true;
  order({});
}

void SolverTeam::follow() {
  while (obey(order({}), {}))
    ;
}

SolverTeam::Order SolverTeam::order(const Order& mine) { return comm::all_gather(comm_, mine).front(); }

bool SolverTeam::obey(const Order& o, const Whole& whole) {
  switch (o.kind) {
    case Order::Kind::set_up:
      set_up(o, parts_[o.solver], whole);
      return true;
    case Order::Kind::refresh: {
      Part& part = parts_.at(o.solver);
      part.solver->refresh(scatter_rows(comm_, whole.matrix, whole.owner).rows, o.how);
      note_bytes(part);
      return true;
    }
    case Order::Kind::solve: {
      Part& part = parts_.at(o.solver);
      const auto b = comm::scatter(comm_, whole.b);
      auto x = comm::scatter(comm_, whole.x);
      part.solver->aim(o.tolerance, o.max_iterations);
      info_ = part.solver->solve(b, x);
      solution_ = comm::gather(comm_, std::span<const double>(x));
      note_bytes(part);
      return true;
    }
    case Order::Kind::drop:
      parts_.erase(o.solver);
      return true;
    case Order::Kind::dismiss:
      return false;
  }
  return false;
}

void SolverTeam::set_up(const Order& o, Part& part, const Whole& whole) {
  part.solver.reset();
  part.rows = scatter_rows(comm_, whole.matrix, whole.owner);
  if (!since_dealt_) {
    comm_.barrier();
    before_ = comm_.traffic();
    since_dealt_.emplace();
  }
  amg::SolveRequest request = own_;
  request.options = o.options;
  request.team = nullptr;
  request.place = {&comm_, &part.rows};
  part.solver = amg::make_rank_solver(request);
  part.solver->setup(part.rows.rows);
  part.rows.rows = {};
  device_ = part.solver->device();
  note_bytes(part);
}

void SolverTeam::note_bytes(Part& part) {
  const std::size_t own = part.solver->bytes();
  peak_ = std::max(peak_, own);
  part.fullest = comm::max(comm_, own);
}

}  // namespace umov::ranks
