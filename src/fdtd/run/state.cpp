// The state of a run in time in one file, so that a killed run continues to the same bits.
#include "fdtd/run/state.hpp"

#include "fdtd/case/case.hpp"
#include "front/state_file.hpp"

namespace umov::fdtd {

namespace {

constexpr char magic[8] = {'U', 'M', 'O', 'V', 'F', 'C', '0', '3'};

/// One walk over all fields serves reading and writing: `f` takes a plain value, a vector of plain values or
/// a text.
template <class File, class Checkpoint>
void visit(File& f, Checkpoint& c) {
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
}

}  // namespace

std::uint64_t case_fingerprint(const Simulation& simulation) {
  Simulation s = simulation;
  s.stop = {};
  s.outputs = {};
  s.output_dir.clear();
  s.checkpoint = {};
  s.threads = s.device = 0;
  s.backend = "auto";  // the engine's own state knows its backend
  s.force = false;
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
  front::save_state(path, magic, checkpoint.fingerprint, checkpoint,
                    [](auto& f, const auto& c) { visit(f, c); });
}

RunState load_checkpoint(const std::string& path, std::uint64_t fingerprint) {
  auto c = front::load_state<RunState>(
      path, magic, fingerprint, [](auto& f, auto& state) { visit(f, state); }, "umov fdtd",
      "domain, materials, bodies, sources, monitors or a file");
  c.fingerprint = fingerprint;
  return c;
}

}  // namespace umov::fdtd
