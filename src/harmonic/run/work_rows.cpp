// Workers of a sweep: each computes row after row on a device of its own.
#include "harmonic/run/work_rows.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <mutex>

#include "core/error.hpp"
#include "harmonic/run/solve_point.hpp"

namespace umov::harmonic {

namespace {

class Worker {
 public:
  Worker(int number, int device, int sharing, const SweepParts& parts, run::CaseSource& source)
      : number_(number), parts_(parts), source_(source), request_(parts.plan.request) {
    request_.device = device;
    request_.sharing = sharing;
  }

  void work() {
    // without an engine yet a failure is the device's: too small, or someone else's
    run::work(
        source_, number_, [this](std::size_t row) { return compute(row); }, [this] { return !engine_; });
  }

 private:
  /// Nothing: the solve was asked to stop.
  std::optional<Packed> compute(std::size_t number) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const Row& row = parts_.rows[number];
    const Simulation& sim = parts_.simulation;
    FoundRow found{{row, {}, {}}, {}};
    auto& [finished, report] = found;
    const auto say = [this](const std::string& text) { tell({RowNews::Kind::note, text, {}}); };
    PointSolver solver(sim, parts_.plan, parts_.media, row, request_, {engine_, fields_, say});
    for (const auto& spectrum : parts_.outline.spectra) {
      const char name = spectrum.polarization == Polarization::s ? 's' : 'p';
      tell({RowNews::Kind::begun, row_text(row, name), solver.iteration()});
      const bool went_on = solver.solve(spectrum.polarization, [&](long iteration, double residual) {
        return tell({RowNews::Kind::iterated, {}, {}, name, iteration, residual});
      });
      if (!went_on) return {};
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
    return packed(found, visit_found);
  }

  /// Whether to go on.
  bool tell(const RowNews& news) {
    return source_.tell(number_, packed(news, visit_news), news.kind == RowNews::Kind::iterated);
  }

  std::string row_text(const Row& row, char polarization) const {
    std::string out = fmt::format("{:g} um {}", row.wavelength, polarization);
    if (parts_.outline.incidences.size() > 1)
      out += fmt::format(" at {:g}°, {:g}°", row.incidence.angle, row.incidence.azimuth);
    return out;
  }

  int number_;
  const SweepParts& parts_;
  run::CaseSource& source_;
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

void work_rows(const SweepParts& parts, const std::vector<int>& devices, int first, run::CaseSource& source,
               const std::function<void()>& meanwhile) {
  if (devices.size() == 1 && !meanwhile) return Worker(first, devices[0], 1, parts, source).work();
  const int workers = int(devices.size());
  const int threads_here =
      parts.plan.request.threads > 0 ? parts.plan.request.threads : omp_get_max_threads();
  const auto work = [&](int number) {
    const int device = devices[std::size_t(number - first)];
    Worker(number, device, int(std::ranges::count(devices, device)), parts, source).work();
  };
  run::work_on_threads(
      first, devices.size(), std::max(1, threads_here / std::max(1, workers)), work,
      meanwhile ? meanwhile : [] {});
}

}  // namespace umov::harmonic
