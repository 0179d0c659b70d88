// A sphere beside its exact efficiency, and the modes of a ring, by the library.
#include <cstdio>
#include <umov/umov.hpp>

using umov::Tree;

static const std::vector<double>& numbers(const umov::results::Result& result, const char* name) {
  return std::get<std::vector<double>>(result.find(name)->data);
}

static void sphere() {
  Tree ball;  // lengths in um
  ball.set("wavelength", 1.5).set("shape.name", "sphere").set("shape.grid", 32).set("shape.size", 1.0);
  ball.push_back("material", Tree().set("m", {1.5, 0.01}));
  const auto dipoles = umov::family("dda").run(ball);
  const auto exact =
      umov::family("mie").run(Tree().set("radius", .5).set("wavelength", 1.5).set("m", {1.5, 0.01}));
  std::printf("sphere: Qext = %.4f by dipoles, %.4f exactly\n", numbers(dipoles, "cross_sections/Y/Qext")[0],
              numbers(exact, "Qext")[0]);
}

static const char* const ring_case = R"(
domain = {size = [14, 14], resolution = 10, polarization = "tm"}
material = [{name = "semiconductor", index = 3.4}]
body = [{shape = "ring", material = "semiconductor", radius = 2, inner_radius = 1}]
source = [{kind = "point", component = "Ez", center = [1.1, 0.4], waveform = "gaussian", frequency = 0.15, width = 0.25}]
monitor = [{kind = "resonance", name = "ring", center = [1.3, 0.2], frequency_from = 0.1, frequency_to = 0.2}]
stop = {time = 400}
)";

static void ring() {
  const auto modes = umov::family("fdtd").run(umov::tree_of_toml(ring_case, "ring"), {.backend = "cpu"});
  const auto& quality = numbers(modes, "resonances/ring/quality");
  for (std::size_t i = 0; i < quality.size(); ++i)
    std::printf("ring: frequency %.4f, Q %.0f\n", numbers(modes, "resonances/ring/frequency")[i], quality[i]);
}

int main() {
  try {
    sphere();
    ring();
  } catch (const umov::Error& e) {  // the place in the case, what is wrong there, what to do
    std::fprintf(stderr, "%s\n", e.what());
    return int(e.code());
  }
}
