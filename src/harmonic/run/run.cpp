// The one door to time-harmonic cells: a simulation in, its outcome out.
#include "harmonic/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "comm/collect.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "harmonic/run/row_book.hpp"
#include "harmonic/run/sunlit.hpp"
#include "harmonic/run/work_rows.hpp"
#include "run/journal.hpp"
#include "run/ledger_ranks.hpp"
#include "run/version.hpp"

namespace umov::harmonic {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Run {
 public:
  Run(const Simulation& sim, const run::Machine& machine, const RunObserver& observer, const Sweep& sweep,
      comm::Communicator& comm)
      : comm_(comm),
        sim_(sim),
        machine_(machine),
        sweep_(sweep),
        journal_(observer),
        media_(sim),
        plan_(plan(sim, machine)),
        light_(light_of(sim)) {
    state_.settings = sweep.settings;
    if (sweep.resume && comm.first()) state_ = load_sweep_state(sweep.state_file, sweep.settings);
  }

  Outcome all() {
    const auto start = Clock::now();
    begin();
    if (!comm_.first()) {
      follow();
      return std::move(out_);
    }
    if (sweep_.begun) sweep_.begun(plan_, out_);
    RowBook book(sweep_, journal_, rows_, std::move(state_));
    try {
      compute(book);
    } catch (...) {
      leave(book, start);
      throw;
    }
    finish(book, start);
    return std::move(out_);
  }

 private:
  void begin() {
    require_memory(plan_, machine_);
    journal_.warn(plan_.warnings);
    for (const auto& note : plan_.notes) journal_.note(note);
    out_.simulation = sim_;
    out_.machine = machine_;
    out_.version = run::version();
    const auto& g = plan_.cell.grid;
    out_.grid = g;
    out_.memory = plan_.memory;
    out_.first_plane = plan_.cell.first_plane;
    out_.top = plan_.top;
    out_.planes = plan_.planes;
    const auto [from, to] = plan_.cell.rough_planes();
    out_.rough_planes = to - from;
    out_.media.push_back("superstrate");
    for (const auto& layer : sim_.layers) out_.media.push_back(layer.name);
    out_.media.push_back("substrate");
    for (const double angle : sim_.angle.values)
      for (const double azimuth : sim_.azimuth.values) out_.incidences.push_back({angle, azimuth});
    // incidences slowest, wavelengths fastest
    for (const auto& incidence : out_.incidences)
      for (const double w : sim_.wavelengths) rows_.push_back({w, incidence});
    out_.wanted_rows = rows_.size();
    if (sim_.polarization != Polarizations::p) out_.spectra.push_back({Polarization::s, {}});
    if (sim_.polarization != Polarizations::s) out_.spectra.push_back({Polarization::p, {}});
    outline_cuts();
    const auto& light = light_.wavelength;
    if (sim_.wavelengths.size() > 1 &&
        (sim_.wavelengths.front() < light.front() || sim_.wavelengths.back() > light.back()))
      journal_.note(fmt::format("the spectrum {} reaches from {:g} to {:g} um: beyond, it has no photons",
                                light_.name, light.front(), light.back()));
    if (journal_.observer().begun) journal_.observer().begun();
  }

  /// The interfaces along the cuts.
  void outline_cuts() {
    const auto& g = plan_.cell.grid;
    std::vector<double> depths;
    for (const auto& cut : plan_.cuts) {
      std::vector<std::vector<double>> lines(plan_.cell.interfaces.size());
      const int columns = cut.plane == CutPlane::yz ? g.ny : g.nx;
      for (int i = 0; i < columns && cut.plane != CutPlane::xy; ++i) {
        plan_.cell.interfaces_at(2, cut.plane == CutPlane::yz ? cut.index : i,
                                 cut.plane == CutPlane::yz ? i : cut.index, depths);
        for (std::size_t n = 0; n < depths.size(); ++n) lines[n].push_back(depths[n]);
      }
      out_.interfaces.push_back(std::move(lines));
    }
  }

  /// What rank 0 does until no row is left.
  void compute(RowBook& book) {
    run::Ledger ledger(sweep_, book, book.open_rows());
    const std::size_t waiting = agree(ledger.waiting());
    if (waiting == 0) return;
    const auto devices = devices_for(waiting);
    const bool alone = comm_.size() == 1;
    std::vector<std::string> names = worker_names(plan_.request.backend, devices);
    if (!alone) names = names_of_ranks(names);
    const auto numbers = run::number_workers(comm_, devices.size());
    ledger.open(numbers.all);
    book.open(names);
    work_rows(
        parts(), devices, numbers.first, ledger,
        alone ? std::function<void()>() : [&] { run::serve_ranks(comm_, ledger); });
    if (!alone) out_.ranks = describe_ranks();
    ledger.rethrow();
    if (ledger.stopped()) throw run::Interrupted(stop_text(book));
  }

  /// What the other ranks do.
  void follow() {
    const std::size_t waiting = agree(0);
    if (waiting == 0) return;
    const auto devices = devices_for(waiting);
    names_of_ranks(worker_names(plan_.request.backend, devices));
    const auto numbers = run::number_workers(comm_, devices.size());
    run::RemoteLedger source(sweep_.stop);
    work_rows(parts(), devices, numbers.first, source, [&] { source.serve(comm_); });
    describe_ranks();
    // the first rank says how it goes on, whichever ends first; a process has the code of its signal
    if (source.stopped() && !comm_.in_process())
      throw comm::OtherRankFailed(Exit::interrupted, "interrupted");
  }

  SweepParts parts() const { return {sim_, plan_, media_, sweep_, rows_, out_}; }

  /// Rank 0's number.
  std::size_t agree(std::size_t mine) { return comm::all_gather(comm_, mine).front(); }

  /// Those of all ranks' workers, on rank 0.
  std::vector<std::string> names_of_ranks(const std::vector<std::string>& here) {
    std::string own;
    for (const auto& name : here)
      own += fmt::format("rank {}{}\n", comm_.rank(),
                         plan_.request.backend == "cuda" ? ", " + name : std::string());
    const auto all = comm::gather(comm_, std::span<const char>(own));
    if (!comm_.first()) return {};
    return split(std::string(all.begin(), all.end() - 1), '\n');
  }

  /// The time in communication would say nothing: it passes beside the workers.
  std::string describe_ranks() {
    const double bytes = comm::sum(comm_, comm_.traffic().bytes);
    return fmt::format("ranks: {} ({}), {} sent\n", comm_.size(), comm_.kind(), format_bytes(bytes));
  }

  /// One for each worker: no more than there are rows to compute for this rank.
  std::vector<int> devices_for(std::size_t waiting) const {
    const std::size_t ranks = std::size_t(comm_.size());
    auto out = sweep_.devices.empty() ? plan_.devices : sweep_.devices;
    out.resize(std::min(out.size(), (waiting + ranks - 1) / ranks));
    return out;
  }

  /// Powers that cannot be: absorbing ends sent waves back, or the iteration left too much.
  static bool possible(const Budget& b) {
    constexpr double slack = 2e-3;  // of the grid and the iteration
    if (b.reflection > 1 + slack || b.transmission < -slack || std::abs(b.sum() - 1) > 0.05) return false;
    return std::none_of(b.absorption.begin(), b.absorption.end(), [&](double a) { return a < -slack; });
  }

  void add(const RowBook& book, const FinishedRow& finished, const std::string& trouble) {
    out_.rows.push_back(finished.row);
    for (std::size_t p = 0; p < out_.spectra.size(); ++p) {
      out_.spectra[p].points.push_back(finished.points.at(p));
      const auto& point = finished.points[p];
      const bool can_be = possible(point.budget);
      if ((point.converged && can_be) || !out_.converged) continue;
      out_.converged = false;
      const char name = out_.spectra[p].polarization == Polarization::s ? 's' : 'p';
      if (point.converged) {
        out_.why_not = fmt::format(
            "at {:g} um, {:g} degrees, polarization {}: impossible powers (R = {:.4f}, T = {:.4f}, sum "
            "{:.4f}); {}",
            finished.row.wavelength, finished.row.incidence.angle, name, point.budget.reflection,
            point.budget.transmission, point.budget.sum(),
            plan_.cell.grid.absorbing[0] > 0 || book.rows_near_grazing() > 0
                ? "waves near grazing come back from the ends of the cell: see 'Grazing waves' in "
                  "docs/guide/harmonic.md"
                : "lower `harmonic.tolerance`");
        continue;
      }
      const std::string how =
          trouble.empty()
              ? fmt::format(
                    "the residual is {:.1e} after {} iterations (the goal is {:.1e}); raise "
                    "max_iterations, or see 'What is hard'",
                    point.residual, point.iterations, sim_.tolerance)
              : fmt::format("{} (the goal is {:.1e}); see 'Pseudo-time'", trouble, sim_.tolerance);
      out_.why_not = fmt::format("at {:g} um, polarization {}: {} in docs/guide/harmonic.md",
                                 finished.row.wavelength, name, how);
    }
    out_.cuts.insert(out_.cuts.end(), finished.cuts.begin(), finished.cuts.end());
  }

  /// The rows there are, in their order.
  void collect(const RowBook& book) {
    for (const auto& [finished, trouble] : book.in_order()) add(book, *finished, trouble);
    out_.taken_over = book.taken_over();
    out_.device = book.devices();
    if (!out_.device.empty()) out_.backend = plan_.request.backend;
  }

  void finish(RowBook& book, Clock::time_point start) {
    collect(book);
    if (book.rows_near_grazing() > 0)
      journal_.warn(fmt::format(
          "in {} of {} rows a wave near grazing is not absorbed at the cell's ends (at most {:.1g} of its "
          "amplitude comes back: at {}); powers may be off by that and more; see 'Grazing waves' in "
          "docs/guide/harmonic.md",
          book.rows_near_grazing(), out_.wanted_rows, book.sent_back(), book.least_absorbed()));
    add_sunlight(out_, light_);
    out_.seconds = since(start);
    out_.warnings = journal_.warnings();
    out_.notes = journal_.notes();
    for (auto& line : book.shares()) out_.notes.push_back(std::move(line));
    if (out_.taken_over > 0)
      out_.notes.push_back(fmt::format("{} of {} rows were taken over from the run before", out_.taken_over,
                                       out_.wanted_rows));
  }

  /// A run that ends early: its state, and the results so far.
  void leave(RowBook& book, Clock::time_point start) {
    if (book.finished() == 0) return;
    finish(book, start);
    out_.notes.push_back(fmt::format("stopped after {} of {} rows", out_.rows.size(), out_.wanted_rows));
    if (sweep_.stopped) sweep_.stopped(out_);
  }

  std::string stop_text(const RowBook& book) const {
    return fmt::format("interrupted; {} of {} rows are finished{}", book.finished(), book.wanted(),
                       book.finished() == 0 || sweep_.how_to_go_on.empty()
                           ? std::string("; start it again")
                           : ", continue with " + sweep_.how_to_go_on);
  }

  comm::Communicator& comm_;
  const Simulation& sim_;
  const run::Machine& machine_;
  const Sweep& sweep_;
  Journal journal_;
  Media media_;
  Plan plan_;
  Sunlight light_;
  SweepState state_;
  std::vector<Row> rows_;  ///< of the tables
  Outcome out_;
};

}  // namespace

Outcome run(const Simulation& sim, const run::Machine& machine, const RunObserver& observer,
            const Sweep& sweep) {
  return run(sim, machine, observer, sweep, *comm::one_rank());
}

Outcome run(const Simulation& sim, const run::Machine& machine, const RunObserver& observer,
            const Sweep& sweep, comm::Communicator& comm) {
  return Run(sim, machine, observer, sweep, comm).all();
}

}  // namespace umov::harmonic
