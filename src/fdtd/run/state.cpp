// Fields of a saved state, in the order of the file.
#include "fdtd/run/state.hpp"

#include "fdtd/case/case.hpp"
#include "front/state_file.hpp"

namespace umov::fdtd {

namespace {

constexpr front::StateFormat format{{'U', 'M', 'O', 'V', 'F', 'C', '0', '3'}, "umov fdtd"};

/// One walk over all fields serves reading and writing: `f` takes a plain value, a vector of plain values or
/// a text.
constexpr auto visit = [](auto& f, auto& c) {
  f(c.phase);
  f(c.seconds);
  f(c.stop);
  f(c.divergence);
  f(c.snapshots.frame_interval);
  f(c.snapshots.full);
  for (auto* list : {&c.snapshots.snapshots, &c.snapshots.frames})
    f.each(*list, [&](auto& s) {
      f(s.name);
      f(s.component);
      f(s.step);
      f(s.time);
      f(s.size);
      f(s.values);
    });
  f.each(c.reference.fourier, [&](auto& values) { f(values); });
  f.each(c.reference.records, [&](auto& bytes) { f(bytes); });
  f(c.engine);
  f(c.monitors);
};

}  // namespace

std::uint64_t case_fingerprint(const Simulation& simulation) {
  Simulation s = simulation;
  s.stop = {};
  s.outputs = {};
  front::forget_place(s);
  s.force = false;
  s.ranks = {};
  Digest print;
  print.add(resolved_toml(s));
  if (s.picture)
    for (const auto& file : s.picture->files) print.add_file(file);
  for (const auto& m : s.materials) print.add_file(m.nk_file);
  for (const auto& b : s.bodies) print.add_file(b.file);
  for (const auto& source : s.sources) print.add_file(source.waveform.file);
  return print.value();
}

void save_checkpoint(const RunState& checkpoint, const std::string& path) {
  front::save_state(path, format, checkpoint.fingerprint, checkpoint, visit);
}

RunState load_checkpoint(const std::string& path, std::uint64_t fingerprint) {
  auto c = front::load_state<RunState>(path, format, fingerprint, visit,
                                       "domain, materials, bodies, sources, monitors or a file");
  c.fingerprint = fingerprint;
  return c;
}

}  // namespace umov::fdtd
