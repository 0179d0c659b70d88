// Workers of a sweep: each computes row after row on a device of its own.
#include "harmonic/run/work_rows.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "harmonic/run/solve_point.hpp"

namespace umov::harmonic {

namespace {

class Worker {
 public:
  Worker(int number, int device, int sharing, const SweepParts& parts, RowSource& ledger)
      : number_(number), parts_(parts), ledger_(ledger), request_(parts.plan.request) {
    request_.device = device;
    request_.sharing = sharing;
  }

  void work() {
    while (const auto row = ledger_.next(number_)) {
      try {
        if (!compute(*row)) return ledger_.leave(number_);
      } catch (const MachineFailure& e) {
        // without an engine yet: the device is too small, or someone else's
        if (!engine_) return ledger_.leave_out(number_, *row, e.what(), std::current_exception());
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
      static std::mutex writing;  // of all ranks of the process: HDF5 may have no locks of its own
      const std::lock_guard hold(writing);
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
  RowSource& ledger_;
  EngineRequest request_;
  std::unique_ptr<Engine> engine_;
  Fields fields_;  ///< kept: touching new pages of a large cell takes longer than filling old ones
};

}  // namespace

std::vector<std::string> worker_names(const std::string& backend, const std::vector<int>& devices) {
  std::vector<std::string> names;
  for (const int d : devices) names.push_back(fmt::format("{} {}", backend == "cuda" ? "GPU" : "worker", d));
  return names;
}

void work_rows(const SweepParts& parts, const std::vector<int>& devices, RowSource& rows) {
  if (devices.size() == 1) return Worker(0, devices[0], 1, parts, rows).work();
  work_rows(parts, devices, 0, rows, [] {});
}

void work_rows(const SweepParts& parts, const std::vector<int>& devices, int first, RowSource& rows,
               const std::function<void()>& meanwhile) {
  const int workers = int(devices.size());
  const int threads_here = parts.simulation.threads > 0 ? parts.simulation.threads : omp_get_max_threads();
  const int processors = std::max(1, threads_here / std::max(1, workers));
  std::vector<std::jthread> threads;
  for (int w = 0; w < workers; ++w)
    threads.emplace_back([&, w] {
      omp_set_num_threads(processors);  // of this thread's loops
      // made and ended on this thread: a GPU is chosen per thread
      const int sharing = int(std::count(devices.begin(), devices.end(), devices[w]));
      Worker(first + w, devices[w], sharing, parts, rows).work();
    });
  meanwhile();
}

}  // namespace umov::harmonic
