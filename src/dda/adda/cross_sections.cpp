// CrossSec-Y, CrossSec-X, or CrossSec after averaging over orientations.
#include <fmt/format.h>

#include "core/atomic_file.hpp"
#include "dda/adda/writers.hpp"
#include "dda/observables/unphysical.hpp"

namespace umov::dda::adda {

std::string vector_text(const Vec3& v) { return fmt::format("({:.10g},{:.10g},{:.10g})", v[0], v[1], v[2]); }

std::string complex_text(const cplx& z) { return fmt::format("{:.10g}{:+.10g}i", z.real(), z.imag()); }

namespace {

/// A cross section and its efficiency C / (pi a_eq^2).
std::string pair(const char* name, double c, double per_area) {
  return fmt::format("C{}\t= {:.10g}\nQ{}\t= {:.10g}\n", name, c, name, c * per_area);
}

/// `marked`: of `umov dda`, whose files say what has not converged.
std::string integrated(const CrossSections& c, bool asymmetry, double per_area, bool marked) {
  std::string text = "\nIntegration\n\n";
  if (marked && !c.integrals_converged)
    text += fmt::format("NOT CONVERGED: estimated error {:.2g} um^2 of Csca and Csca.g\n", c.integral_error);
  if (c.csca) text += pair("sca", *c.csca, per_area);
  if (c.csca_g) {
    text += "Csca.g\t= " + vector_text(*c.csca_g) + "\n";
    const Vec3& g = *c.csca_g;
    if (asymmetry && c.csca) {
      text += "g\t= " + vector_text({g[0] / *c.csca, g[1] / *c.csca, g[2] / *c.csca}) + "\n";
    }
  }
  return text;
}

std::string forces(const CrossSections& c, double per_area) {
  std::string text = "\nBased on radiation forces:\n";
  if (c.cext_a) text += "Cext.a\t= " + vector_text(*c.cext_a) + "\n";
  if (c.csca_g_force) text += "Csca.g\t= " + vector_text(*c.csca_g_force) + "\n";
  text += "Cpr\t= " + vector_text(*c.cpr) + "\n";
  return text + "Qpr\t= " + vector_text(per_area * *c.cpr) + "\n";
}

std::string cross_sections_text(const CrossSections& c, bool asymmetry, double eq_radius, bool marked) {
  const double per_area = 1 / (pi * eq_radius * eq_radius);
  std::string text = pair("ext", c.cext, per_area) + pair("abs", c.cabs, per_area);
  if (c.decay) {
    text +=
        fmt::format("\nDecay-rate enhancement\n\nTotal\t= {:.10g}\nRadiat\t= {:.10g}\nNonrad\t= {:.10g}\n",
                    c.decay->total, c.decay->radiative, c.decay->nonradiative);
  }
  if (c.csca || c.csca_g) text += integrated(c, asymmetry, per_area, marked);
  if (c.cpr) text += forces(c, per_area);
  return text;
}

}  // namespace

void write_cross_sections(const Outcome& outcome, const std::string& dir) {
  const bool averaged = outcome.simulation.orientation.average;
  for (const auto& result : outcome.polarizations) {
    const std::string name = averaged ? "/CrossSec" : fmt::format("/CrossSec-{}", result.label);
    const bool marked = outcome.simulation.front == Front::dda;
    const std::string fault = marked ? unphysical(outcome.simulation, result) : "";
    write_file(dir + name, (fault.empty() ? "" : "UNPHYSICAL: " + fault + "\n") +
                               cross_sections_text(result.cross, outcome.simulation.outputs.asym,
                                                   outcome.particle.eq_radius, marked));
    if (averaged) break;
  }
}

}  // namespace umov::dda::adda
