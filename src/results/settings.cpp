// Every setting of a dipole run as text, for the record kept with its results.
#include <fmt/format.h>

#include "core/text.hpp"
#include "results/result.hpp"

namespace umov::results {
namespace {

template <std::size_t N>
const char* name_of(int value, const char* const (&names)[N]) {
  return value >= 0 && value < int(N) ? names[value] : "?";
}

const char* const polarizabilities[] = {"cm",  "rrc", "ldr",    "cldr", "fcd",
                                        "dgf", "lak", "igt_so", "nloc", "nloc_av"};
const char* const interactions[] = {"poi", "fcd", "fcd_st", "igt", "igt_so", "nloc", "nloc_av"};
const char* const formulas[] = {"dr", "fin", "igt_so"};
const char* const precisions[] = {"float", "double", "ldouble"};
const char* const beams[] = {"plane", "lminus", "davis3", "barton5", "dipole", "read"};
const char* const starts[] = {"auto", "zero", "inc", "wkb", "read"};
const char* const symmetries[] = {"auto", "no", "enf"};

std::string text(const Vec3& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }
std::string text(const Int3& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }
std::string text(const std::vector<double>& list) {
  std::vector<std::string> words;
  for (const double x : list) words.push_back(shortest(x));
  return fmt::format("[{}]", join(words, ", "));
}
std::string text(cplx z) { return fmt::format("({}, {})", z.real(), z.imag()); }
std::string text(bool b) { return b ? "true" : "false"; }
std::string text(const std::optional<double>& v) { return v ? fmt::format("{}", *v) : "derived"; }

}  // namespace

std::string describe_settings(const dda::Simulation& s) {
  std::string out;
  const auto line = [&](const char* name, const auto& value) {
    out += fmt::format("{} = {}\n", name, value);
  };
  line("wavelength", s.wavelength);
  line("shape", s.shape.shape);
  line("shape_arguments", text(s.shape.arguments));
  line("shape_file", s.shape.file);
  line("shape_grid", text(s.shape.grid));
  line("size", text(s.shape.size));
  line("equivalent_radius", text(s.shape.eq_radius));
  line("dipoles_per_wavelength", text(s.shape.dpl));
  line("jagged", s.shape.jagged);
  line("rectangular_dipole", text(s.shape.rectangular));
  line("volume_correction", text(s.shape.volume_correction));
  for (std::size_t i = 0; i < s.m.size(); ++i)
    out += fmt::format("m{} = [{}, {}, {}]\n", i + 1, text(s.m[i][0]), text(s.m[i][1]), text(s.m[i][2]));
  line("anisotropic", text(s.anisotropic));
  line("symmetry", name_of(int(s.symmetry), symmetries));
  line("beam", name_of(int(s.beam.kind), beams));
  line("beam_width", s.beam.width);
  line("beam_center", text(s.beam.center));
  line("propagation", text(s.propagation));
  line("orientation", s.orientation.average
                          ? "average"
                          : text(Vec3{s.orientation.alpha, s.orientation.beta, s.orientation.gamma}));
  line("polarizability", name_of(int(s.polarizability), polarizabilities));
  line("ldr_average", text(s.ldr_average));
  line("interaction", name_of(int(s.interaction), interactions));
  line("interaction_arguments", text(s.interaction_arguments));
  line("scattering_formula", name_of(int(s.formula), formulas));
  line("fft_grid", text(s.fft_grid));
  line("solver", s.solver.name);
  line("epsilon", s.solver.epsilon);
  line("max_iterations", s.solver.max_iterations);
  line("initial_field", name_of(int(s.solver.initial), starts));
  line("precision", name_of(int(s.precision), precisions));
  line("backend", s.backend);
  line("device", s.device);
  line("threads", s.threads);
  line("tensor_on_host", text(s.tensor_on_host));
  return out;
}

}  // namespace umov::results
