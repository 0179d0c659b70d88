// Workers of a sweep: each computes row after row on a device of its own.
#include "fdtd/harmonic/run/work_rows.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <thread>

#include "core/error.hpp"
#include "fdtd/harmonic/run/solve_point.hpp"

namespace umov::fdtd::harmonic {

namespace {

class Worker {
 public:
  Worker(int number, int device, int sharing, const SweepParts& parts, Ledger& ledger, std::mutex& writing)
      : number_(number), parts_(parts), ledger_(ledger), writing_(writing), request_(parts.plan.request) {
    request_.device = device;
    request_.sharing = sharing;
  }

  void work() {
    while (const auto row = ledger_.next(number_)) {
      try {
        if (!compute(*row)) return;
      } catch (const MachineFailure& e) {
        // without an engine yet: the device is too small, or someone else's
        if (!engine_ && ledger_.leave_out(number_, *row, e.what())) return;
        return ledger_.fail(number_, std::current_exception());
      } catch (...) {
        return ledger_.fail(number_, std::current_exception());
      }
    }
  }

 private:
  /// False: the solve was asked to stop.
  bool compute(std::size_t number) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const Row& row = ledger_.row(number);
    const Simulation& sim = parts_.simulation;
    FinishedRow finished{row, {}, {}};
    RowReport report;
    const auto say = [this](const std::string& text) { ledger_.note(number_, text); };
    PointSolver solver(sim, parts_.plan, parts_.media, row, request_, {engine_, fields_, say});
    for (const auto& spectrum : parts_.outline.spectra) {
      const char name = spectrum.polarization == Polarization::s ? 's' : 'p';
      ledger_.begin(number_, row_text(row, name), solver.iteration());
      const bool went_on = solver.solve(spectrum.polarization, [&](long iteration, double residual) {
        return ledger_.iterated(number_, name, iteration, residual);
      });
      if (!went_on) return false;
      if (solver.fell_back()) say("single precision led no further, the iteration went on in double");
      if (solver.room_full()) say("memory holds no more directions of gmres, idr went on");
      if (report.trouble.empty()) report.trouble = solver.trouble();
      report.sent_back = std::max(report.sent_back, solver.sent_back());
      finished.points.push_back(solver.point());
      if (!wants_fields(sim, row.wavelength)) continue;
      for (auto& cut : solver.cuts()) finished.cuts.push_back(std::move(cut));
      if (!parts_.sweep.fields) continue;
      const std::lock_guard hold(writing_);  // HDF5 may have no locks of its own
      parts_.sweep.fields(solver.fields(parts_.outline));
    }
    report.device = solver.device();
    report.computing = std::chrono::duration<double>(Clock::now() - start).count();
    ledger_.finish(number_, number, std::move(finished), report);
    return true;
  }

  std::string row_text(const Row& row, char polarization) const {
    std::string out = fmt::format("{:g} um {}", row.wavelength, polarization);
    if (parts_.outline.incidences.size() > 1)
      out += fmt::format(" at {:g}°, {:g}°", row.incidence.angle, row.incidence.azimuth);
    return out;
  }

  int number_;
  const SweepParts& parts_;
  Ledger& ledger_;
  std::mutex& writing_;
  EngineRequest request_;
  std::unique_ptr<Engine> engine_;
  Fields fields_;  ///< kept: touching new pages of a large cell takes longer than filling old ones
};

}  // namespace

void work_rows(const SweepParts& parts, const std::vector<int>& devices, Ledger& ledger) {
  std::mutex writing;
  const int workers = int(devices.size());
  std::vector<std::string> names;
  for (const int d : devices)
    names.push_back(fmt::format("{} {}", parts.plan.request.backend == "cuda" ? "GPU" : "worker", d));
  ledger.open(std::move(names));
  if (workers == 1) return Worker(0, devices[0], 1, parts, ledger, writing).work();
  const int processors = std::max(1, omp_get_max_threads() / workers);
  std::vector<std::jthread> threads;
  for (int w = 0; w < workers; ++w)
    threads.emplace_back([&, w] {
      omp_set_num_threads(processors);  // of this thread's loops
      // made and ended on this thread: a GPU is chosen per thread
      const int sharing = int(std::count(devices.begin(), devices.end(), devices[w]));
      Worker(w, devices[w], sharing, parts, ledger, writing).work();
    });
}

}  // namespace umov::fdtd::harmonic
