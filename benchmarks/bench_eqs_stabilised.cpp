// Implicit and stabilised explicit steps on one model: which costs less where, and what the parts of a step
// cost.
//
//   bench_eqs_stabilised [--backend cpu|serial|cuda] [--threads N] [--cells N] [--order 1|2] [--kilovolts
//   4,12]
//                        [--tolerance X] [--solver X] [--schemes sdirk3,rkc,rkl2,auto] [--json FILE]
//                        [--commit ID]
//
// A coaxial sector: 2 mm of the microvaristor curve between an inner conductor of 15 mm and 23 mm of
// insulator, N x N cells across, 22 along the radius; one period of 50 Hz with a ramp.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/timer.hpp"
#include "eqs/run/run.hpp"

namespace umov::bench {
namespace {

using namespace eqs;

struct Options {
  std::string backend = "cpu", json, commit, schemes = "sdirk3,rkc,rkl2,auto", kilovolts = "4,12,36";
  int threads = 0, cells = 16, order = 1;
  double tolerance = 1e-3, solver = 1e-12;
};

std::vector<std::string> parts(const std::string& list) {
  std::vector<std::string> out;
  std::stringstream in(list);
  for (std::string word; std::getline(in, word, ',');) out.push_back(word);
  return out;
}

Scheme scheme_of(const std::string& name) {
  if (name == "sdirk3") return Scheme::sdirk3;
  if (name == "rkc") return Scheme::rkc;
  if (name == "rkl2") return Scheme::rkl2;
  if (name == "auto") return Scheme::automatic;
  throw std::runtime_error("unknown scheme " + name);
}

Simulation sector(const Options& o, double kilovolts, Scheme scheme) {
  Simulation s;
  auto& g = s.mesh.geometry.emplace();
  g.kind = "coaxial";
  g.inner_radius = 15e-3;
  g.angle = 30;
  g.width = 10e-3;
  g.elements_across = o.cells;
  mesh::Geometry::Layer layer;
  layer.region = "layer", layer.thickness = 2e-3, layer.elements = 8;
  g.layers.push_back(layer);
  layer.region = "insulator", layer.thickness = 23e-3, layer.elements = 14;
  g.layers.push_back(layer);
  s.mesh.order = o.order;
  MaterialSpec m;
  m.name = "layer";
  m.permittivity.value = 12;
  m.conductivity.kind = CurveSpec::Kind::named;
  m.conductivity.named = "microvaristor";
  s.materials.push_back(m);
  MaterialSpec insulator;
  insulator.name = "insulator";
  insulator.permittivity.value = 3;
  s.materials.push_back(insulator);
  ElectrodeSpec e;
  e.name = "inner";
  e.kind = ElectrodeSpec::Kind::driven;
  e.waveform.amplitude = kilovolts * 1e3 * std::sqrt(2.0);
  e.waveform.ramp = WaveformSpec::Ramp::linear;
  s.electrodes.push_back(e);
  ElectrodeSpec outer;
  outer.name = "outer";
  s.electrodes.push_back(outer);
  s.time.end = 20e-3;
  s.time.scheme = scheme;
  s.time.tolerance = o.tolerance;
  s.linear.tolerance = o.solver;
  s.outputs.pictures = false;
  return s;
}

nlohmann::json measure(const Options& o, const std::string& kilovolts, const std::string& scheme) {
  run::Machine machine;
  machine.backend = o.backend, machine.threads = o.threads;
  const Outcome out = run(sector(o, std::stod(kilovolts), scheme_of(scheme)), machine);
  long explicit_steps = 0;
  int most = 0;
  double fastest = 0;
  for (const Record& r : out.history)
    explicit_steps += r.stages > 0, most = std::max(most, r.stages), fastest = std::max(fastest, r.rate);
  fmt::print(
      "{:>5} kV {:7} {:8} unknowns {:4} steps ({:4} explicit) +{:3} repeated {:6} stages, {:3} at most, rho "
      "{:8.2e} 1/s {:5} Newton {:7} CG {:8.2f} s{}\n",
      kilovolts, scheme, out.model.unknowns, out.steps, explicit_steps, out.rejected, out.stages, most,
      fastest, out.newton, out.linear, out.seconds, out.converged ? "" : "  NOT CONVERGED: " + out.why_not);
  std::fflush(stdout);
  return {{"kilovolts", std::stod(kilovolts)},
          {"scheme", scheme},
          {"unknowns", out.model.unknowns},
          {"steps", out.steps},
          {"explicit_steps", explicit_steps},
          {"repeated", out.rejected},
          {"stages", out.stages},
          {"most_stages", most},
          {"unstable", out.unstable},
          {"rho_per_s", fastest},
          {"newton", out.newton},
          {"cg_iterations", out.linear},
          {"setups", out.setups},
          {"renewals", out.refreshes},
          {"seconds", out.seconds},
          {"converged", out.converged},
          {"device", out.device}};
}

Options parse(int count, char** words) {
  Options o;
  for (int k = 1; k < count; ++k) {
    const std::string word = words[k];
    const auto value = [&]() -> std::string {
      if (k + 1 >= count) throw std::runtime_error(word + " wants a value");
      return words[++k];
    };
    if (word == "--backend")
      o.backend = value();
    else if (word == "--threads")
      o.threads = std::stoi(value());
    else if (word == "--cells")
      o.cells = std::stoi(value());
    else if (word == "--order")
      o.order = std::stoi(value());
    else if (word == "--kilovolts")
      o.kilovolts = value();
    else if (word == "--tolerance")
      o.tolerance = std::stod(value());
    else if (word == "--solver")
      o.solver = std::stod(value());
    else if (word == "--schemes")
      o.schemes = value();
    else if (word == "--json")
      o.json = value();
    else if (word == "--commit")
      o.commit = value();
    else
      throw std::runtime_error("unknown word " + word);
  }
  return o;
}

void run_all(const Options& o) {
  nlohmann::json all = {{"commit", o.commit},
                        {"backend", o.backend},
                        {"cells", o.cells},
                        {"order", o.order},
                        {"tolerance", o.tolerance},
                        {"solver_tolerance", o.solver},
                        {"results", nlohmann::json::array()}};
  for (const auto& kilovolts : parts(o.kilovolts))
    for (const auto& scheme : parts(o.schemes)) all["results"].push_back(measure(o, kilovolts, scheme));
  if (!o.json.empty()) write_file(o.json, all.dump(1) + "\n");
}

}  // namespace
}  // namespace umov::bench

int main(int count, char** words) {
  try {
    umov::bench::run_all(umov::bench::parse(count, words));
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench_eqs_stabilised: {}\n", e.what());
    return 2;
  }
}
