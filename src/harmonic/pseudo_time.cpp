// The iteration in pseudo-time: choosing a device, what a run says of itself.
#include "harmonic/pseudo_time.hpp"

#include <fmt/format.h>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "core/error.hpp"
#include "harmonic/pseudo_time_factory.hpp"
#include "harmonic/pseudo_time_on.hpp"

namespace umov::harmonic {

namespace {

std::unique_ptr<PseudoTime> make_serial(const Problem& p, const PseudoTimeRequest& request) {
  return make_pseudo_time_on<backend::Serial>(p, request);
}

std::unique_ptr<PseudoTime> make_cpu(const Problem& p, const PseudoTimeRequest& request) {
  return make_pseudo_time_on<backend::Cpu>(p, request, request.threads);
}

}  // namespace

std::unique_ptr<PseudoTime> make_pseudo_time(const Problem& p, const PseudoTimeRequest& request) {
  if (p.rough_planes() > 0 &&
      (p.rough_begin < p.grid.absorbing[0] || p.rough_end > p.grid.nz - p.grid.absorbing[1]))
    throw BadInput("a texture reaches into an absorbing layer (there media must be layers); move it away");
  return backend::choose_engine<PseudoTime>("pseudo_time", request.backend, make_serial, make_cpu, p,
                                            request);
}

MemoryNeed pseudo_time_memory(const Problem& p, const PseudoTimeRequest& request) {
  const auto& g = p.grid;
  const bool gpu = request.backend == "cuda";
  const double columns = double(g.columns()), voxels = columns * g.nz;
  // passes over columns read one copy and write the other, where there are columns
  const double copies = gpu && request.tuned && g.nx > 1 && g.ny > 1 ? 2 : 1;
  // fields and memory of the absorbing planes; their sum over a period; currents of a further pass
  const double complex = copies * (6 * voxels + 4 * columns * (g.absorbing[0] + g.absorbing[1])) + 6 * voxels;
  MemoryNeed need;
  need.device = complex * (request.single ? 8 : 16) + 12 * columns * p.rough_planes();
  // E, its residual and what that is found with, in double; permittivities
  const double host = sizeof(cplx) * (9 * voxels + 3 * columns * p.rough_planes());
  if (gpu)
    need.host = host;
  else
    need.device += host;
  return need;
}

double relative_residual(const Problem& p, const std::vector<cplx>& layered,
                         const std::vector<cplx>& residual) {
  const index_t columns = p.grid.columns();
  double rest = 0, source = 0;
  for (const cplx v : residual) rest += std::norm(v);
  for (int c = 0; c < 3; ++c)
    for (int k = p.rough_begin; k < p.rough_end; ++k)
      for (index_t n = 0; n < columns; ++n)
        source +=
            std::norm(p.k0 * p.k0 * (edge_permittivity(p, c, k, n) - (c == 2 ? p.normal : p.tangential)[k]) *
                      layered[c * p.grid.nz + k]);
  if (source == 0)
    for (const cplx v : sheet_current(p, layered)) source += std::norm(p.k0 * v) * double(columns);
  return source > 0 ? std::sqrt(rest / source) : 0;
}

std::string pseudo_time_cause(const Problem& p, const PseudoTimeStep& step, const std::vector<cplx>& layered,
                              const PseudoTimeOptions& options) {
  const auto bad = [](cplx v) { return !std::isfinite(v.real()) || !std::isfinite(v.imag()); };
  const auto any = [&](const std::vector<cplx>& v) { return std::any_of(v.begin(), v.end(), bad); };
  if (any(layered)) return "the source is not a number";
  if (any(p.permittivity) || any(p.tangential) || any(p.normal)) return "a permittivity is not a number";
  if (step.tau > step.limit * (1 + 1e-9))
    return fmt::format("the time step is {:.3g} times the largest stable one; lower courant",
                       step.tau / step.limit);
  const auto all = [&](const auto& test) {
    for (const auto* v : {&p.permittivity, &p.tangential, &p.normal})
      for (const cplx eps : *v)
        if (test(eps)) return true;
    return false;
  };
  if (all([](cplx eps) { return eps.imag() < 0; })) return "a medium gains: its permittivity has Im eps < 0";
  if (!options.backwards && all([](cplx eps) { return eps.real() < 0; }))
    return "cells of Re eps < 0 are not iterated backwards";
  return "no cause is known: every medium absorbs and the time step is stable";
}

std::string PseudoTimeReport::text() const {
  std::string out = fmt::format("{} steps of pseudo-time ({} per period): ", steps, steps_per_period);
  if (!diverged.empty()) return out + "diverged, " + diverged;
  out +=
      fmt::format("changes {:.1e} a step, {:.1e} a period without static fields", step_change, period_change);
  if (decay > 0)
    out += fmt::format(", falling by 10 in {:.0f} steps; {:.1e} from steady",
                       decay * 2.302585 * steps_per_period, distance);
  else
    out += ", not falling";
  if (!converged && steps_left > 0) out += fmt::format(", about {:.0f} steps left", steps_left);
  return out + fmt::format("; residual {:.1e}", residual);
}

}  // namespace umov::harmonic
