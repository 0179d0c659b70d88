// Fields of a saved state, in the order of the file.
#include "fdtd/run/state.hpp"

#include <fmt/format.h>

#include "core/bytes.hpp"
#include "core/fields.hpp"
#include "fdtd/case/case.hpp"
#include "run/state_file.hpp"

namespace umov::fdtd {

namespace {

constexpr run::StateFormat format{{'U', 'M', 'O', 'V', 'F', 'C', '0', '5'}, "umov fdtd"};

constexpr auto visit = [](auto& f, auto& c) {
  f(c.stop);
  visit_fields(f, c.marches);
  visit_fields(f, c.reference);
};

/// A march, or the reference run and the run.
bool possible(const std::vector<MarchState>& marches) {
  const auto is = [&](std::size_t i, Phase phase) { return marches[i].phase == phase; };
  return marches.size() == 1 ? is(0, Phase::reference) || is(0, Phase::run)
                             : marches.size() == 2 && is(0, Phase::reference) && is(1, Phase::run);
}

}  // namespace

std::uint64_t case_fingerprint(const Simulation& simulation) {
  const Case c = case_of(simulation);
  Digest print;
  print.add(parameters().identity(&c, {Concern::result}));
  return print.value();
}

std::uint64_t stop_fingerprint(const Stop& stop) {
  Digest print;
  print.add(fmt::format("{} {} {} {} {} {}", stop.steps, stop.time, stop.decay, stop.fourier, stop.steady,
                        stop.max_time));
  return print.value();
}

std::vector<std::byte> to_bytes(const MarchState& march) {
  MemoryWriter out;
  visit_fields(out, march);
  return out.take();
}

MarchState march_of(const std::vector<std::byte>& bytes) {
  MemoryReader in(bytes);
  MarchState march;
  visit_fields(in, march);
  in.finish();
  return march;
}

void save_checkpoint(const RunState& checkpoint, const std::string& path) {
  run::save_state(path, format, checkpoint.fingerprint, checkpoint, visit);
}

RunState load_checkpoint(const std::string& path, std::uint64_t fingerprint) {
  auto c = run::load_state<RunState>(path, format, fingerprint, visit,
                                     "domain, materials, bodies, sources, monitors or a file");
  c.fingerprint = fingerprint;
  // a run that was stopped before its first step leaves what its reference run has found
  const bool only_reference =
      c.marches.empty() && !(c.reference.fourier.empty() && c.reference.records.empty());
  if (!only_reference && !possible(c.marches))
    throw BadInput(path + ": the checkpoint holds no runs of a case (damaged?); run the case again");
  return c;
}

}  // namespace umov::fdtd
