// The media of a cell: n and k over wavelength by name.
#include "harmonic/media.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "materials/library.hpp"

namespace umov::harmonic {

namespace {

constexpr const char* faint =
    "the superstrate absorbs a little (the incident power is counted in it); its k is taken as 0";

}  // namespace

Media::Media(const Simulation& sim) {
  add(sim, sim.superstrate);
  for (const auto& layer : sim.layers) add(sim, layer.material);
  add(sim, sim.substrate);
  for (const double w : sim.wavelengths) {
    const cplx n = std::sqrt(permittivity(sim.superstrate, w));
    if (n.imag() > 1e-3 * n.real() || n.real() <= 0)
      throw BadInput(
          fmt::format("the superstrate '{}' absorbs at {:g} um (the incident power is counted there, and a "
                      "plane wave through it would have none); choose a transparent one",
                      sim.superstrate, w));
    if (n.imag() > 0 && (warnings_.empty() || warnings_.back() != faint)) warnings_.push_back(faint);
  }
}

void Media::add(const Simulation& sim, const std::string& name) {
  if (media_.count(name) || sim.wavelengths.empty()) return;
  Medium m;
  m.spec.library = name;
  for (const auto& own : sim.materials)
    if (own.name == name) m.spec = own;
  const double shortest = sim.wavelengths.front(), longest = sim.wavelengths.back();
  if (!m.spec.nk_file.empty()) {
    m.table = materials::read_nk(m.spec.nk_file);
    const double from = m.table.first(), to = m.table.last();
    const std::string nm = materials::remedy_of_nm(from, to, shortest, longest);
    if (shortest < from * (1 - 1e-9) || longest > to * (1 + 1e-9))
      throw BadInput(
          fmt::format("{}: n and k of '{}' reach from {:g} to {:g} um{} (the case has {:g} to {:g} um); {}",
                      m.spec.nk_file, name, from, to, m.table.reach.empty() ? "" : ": " + m.table.reach,
                      shortest, longest, nm.empty() ? "take other wavelengths or another file" : nm));
    sources_.push_back(fmt::format("n and k of '{}': {}, {:g} to {:g} um{}{}", name, m.spec.nk_file, from, to,
                                   m.table.citation.empty() ? "" : "; " + m.table.citation,
                                   m.table.licence.empty() ? "" : "; " + m.table.licence));
  } else if (!m.spec.library.empty()) {
    const auto& material = materials::find(m.spec.library).material;
    if (material.perfect_conductor)
      throw BadInput(fmt::format(
          "'{}' is a perfect conductor (which has no n and k); name a metal, or give a [[material]] "
          "a large extinction: index = 0, extinction = 50 reflects all light",
          name));
    if (const auto problem = materials::check_range(material, shortest, longest); !problem.empty())
      throw BadInput(problem + "; choose other wavelengths, or give nk_file or index of a [[material]]");
    sources_.push_back(fmt::format(
        "n and k of '{}': the library's '{}'{}; {}", name, material.name,
        material.range_um
            ? fmt::format(", {:g} to {:g} um", material.range_um->first, material.range_um->second)
            : "",
        material.source));
  } else {
    sources_.push_back(fmt::format("n and k of '{}': {:g} and {:g}, from the case", name,
                                   m.spec.index.value_or(1), m.spec.extinction.value_or(0)));
  }
  media_.emplace(name, std::move(m));
}

cplx Media::permittivity(const std::string& name, double wavelength) const {
  const Medium& m = media_.at(name);
  cplx n;
  if (!m.spec.nk_file.empty()) {
    n = m.table.at(std::clamp(wavelength, m.table.first(), m.table.last()));
  } else if (!m.spec.library.empty()) {
    n = materials::refractive_index(materials::find(m.spec.library).material, wavelength);
  } else {
    n = {m.spec.index.value_or(1), m.spec.extinction.value_or(0)};
  }
  return {n.real() * n.real() - n.imag() * n.imag(), std::max(0.0, 2 * n.real() * n.imag())};
}

std::vector<cplx> Media::of_cell(const Simulation& sim, double wavelength) const {
  const double above = std::sqrt(permittivity(sim.superstrate, wavelength)).real();
  std::vector<cplx> out{above * above};
  for (const auto& layer : sim.layers) out.push_back(permittivity(layer.material, wavelength));
  out.push_back(permittivity(sim.substrate, wavelength));
  return out;
}

}  // namespace umov::harmonic
