// Arrays and tables of a dipole run, declared once for every format.
#include "dda/output/result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dda/observables/unphysical.hpp"
#include "dda/output/extrapolation_result.hpp"
#include "dda/output/marks.hpp"
#include "dda/output/voxels.hpp"
#include "results/entries.hpp"
#include "results/section.hpp"

namespace umov::dda {
namespace {

using results::Section;
using results::xyz;
using std::string;

std::vector<double> to_vector(const Vec3& v) { return {v.begin(), v.end()}; }

const char* status_name(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::iteration_limit:
      return "iteration limit";
    case SolveStatus::stagnated:
      return "stagnated";
    case SolveStatus::broke_down:
      return "broke down";
    case SolveStatus::interrupted:
      return "interrupted";
  }
  return "unknown";
}

void add_particle(results::Result& r, const Outcome& o) {
  const auto& p = o.particle;
  r.add("particle/box", "1", "lattice sites along x, y, z",
        std::vector<double>{double(p.box[0]), double(p.box[1]), double(p.box[2])});
  r.add("particle/spacing", "um", "edges of a dipole", to_vector(p.spacing));
  r.add("particle/equivalent_radius", "um", "radius of the sphere of equal volume", p.eq_radius);
  r.add("particle/size_parameter", "1", "2 pi medium equivalent_radius / wavelength",
        o.simulation.wavenumber() * p.eq_radius);
  r.add("particle/dipoles_per_wavelength", "1", "dipoles per wavelength", p.dpl);
  r.add("particle/dipoles_per_material", "1", "occupied sites of each material",
        std::vector<double>(p.dipoles_per_material.begin(), p.dipoles_per_material.end()));
  std::vector<cplx> m;
  for (const auto& index : o.simulation.m) m.insert(m.end(), index.begin(), index.end());
  const std::size_t materials = o.simulation.m.size();
  r.add("particle/refractive_index", "1", "m of each material along x, y, z, over that of the medium",
        std::move(m), {materials, 3});
}

/// A row of the table per incident polarization.
void add_cross_sections(results::Result& r, const Outcome& o, const PolarizationResult& p,
                        std::size_t table) {
  Section s(r, fmt::format("cross_sections/{}/", p.name()), table);
  s.texts("incidence", {p.name()});
  const double area = pi * o.particle.eq_radius * o.particle.eq_radius;
  const auto section = [&](const string& what, double c, const string& text) {
    s.add("C" + what, "um^2", text + " cross section", c);
    if (area > 0) s.add("Q" + what, "1", text + " efficiency", c / area);
  };
  section("ext", p.cross.cext, "extinction");
  section("abs", p.cross.cabs, "absorption");
  section("sca_difference", p.cross.csca_difference(), "scattering (extinction less absorption)");
  s.add("Csca_difference_error", "um^2", "bound of its error by the residual, rounding and quadrature",
        p.cross.difference_error);
  r.attributes.emplace_back(
      fmt::format("extinction_{}", p.name()),
      p.cross.balanced ? "Cabs + Csca, integrated over all directions" : "optical theorem");
  if (const std::string fault = unphysical(o.simulation, p); !fault.empty())
    r.attributes.emplace_back(fmt::format("unphysical_{}", p.name()), fault);
  if (p.cross.csca) section("sca", *p.cross.csca, "scattering (integrated)");
  if (p.cross.csca || p.cross.csca_g) {
    s.add("Csca_error", "um^2", "estimated error of Csca and Csca_g by the choice of directions",
          p.cross.integral_error);
    r.attributes.emplace_back(fmt::format("integrals_{}", p.name()),
                              p.cross.integrals_converged ? "converged" : "NOT converged");
  }
  if (p.error) {
    s.add("Cext_error", "um^2", "estimated error of Cext by the choice of orientations", p.error->cext);
    s.add("Cabs_error", "um^2", "estimated error of Cabs by the choice of orientations", p.error->cabs);
  }
  const auto vector = [&](const string& name, const char* unit, const Vec3& v, const char* text) {
    s.add(name, unit, text, to_vector(v), {.parts = xyz(name + "_")});
  };
  if (p.cross.csca_g)
    vector("Csca_g", "um^2", *p.cross.csca_g,
           "asymmetry vector times the scattering cross section, incident frame");
  if (p.cross.decay) {
    s.add("decay_total", "1", "decay rate of the dipole over that in free space", p.cross.decay->total);
    s.add("decay_radiative", "1", "its radiative part", p.cross.decay->radiative);
    s.add("decay_nonradiative", "1", "its nonradiative part", p.cross.decay->nonradiative);
  }
  if (p.cross.cpr)
    vector("Cpr", "um^2", *p.cross.cpr, "radiation pressure cross section, from the forces, incident frame");
  if (p.cross.csca && p.cross.csca_g && *p.cross.csca != 0)
    vector("g", "1", 1 / *p.cross.csca * *p.cross.csca_g, "asymmetry vector, incident frame");
}

void add_solve(results::Result& r, const PolarizationResult& p) {
  const std::string group = fmt::format("solver/{}/", p.name());
  r.add(group + "residual", "1", "relative residual norm after the start and after each iteration",
        p.solve.history);
  r.add(group + "iterations", "1", "iterations", double(p.solve.iterations));
  r.add(group + "products", "1", "matrix-vector products", double(p.solve.products));
  if (!p.solve.preconditioner.empty()) {
    r.add(group + "preconditionings", "1", "products with the preconditioner",
          double(p.solve.preconditionings));
    r.add(group + "seconds_preconditioning", "s", "time of its set-up and products",
          p.solve.seconds_preconditioning);
    r.attributes.emplace_back(fmt::format("preconditioner_{}", p.name()), p.solve.preconditioner);
  }
  if (p.solve.sectors > 0)
    r.add(group + "sectors", "1", "mirror sectors, of which iterations and products are the sums",
          double(p.solve.sectors));
  if (p.solve.blocks > 0) {
    r.add(group + "blocks", "1", "blocks of right-hand sides that were solved for together",
          double(p.solve.blocks));
    r.add(group + "block_iterations", "1",
          "iterations of the blocks, each counted once for all of its columns",
          double(p.solve.block_iterations));
  }
  if (p.solve.refreshes > 0)
    r.add(group + "refreshes", "1", "residuals formed in double between iterations in float",
          double(p.solve.refreshes));
  r.add(group + "final_residual", "1", "relative residual norm as the solver tracked it", p.solve.residual);
  if (p.solve.true_residual >= 0)
    r.add(group + "true_residual", "1", "relative residual norm, computed anew", p.solve.true_residual);
  r.add(group + "seconds", "s", "time of the solve", p.solve.seconds);
  r.add(group + "seconds_products", "s", "time of its matrix-vector products", p.solve.seconds_products);
  r.attributes.emplace_back(fmt::format("solver_status_{}", p.name()), status_name(p.solve.status));
  if (!p.alpha.empty()) {
    std::vector<cplx> alpha;
    for (const auto& a : p.alpha) alpha.insert(alpha.end(), a.begin(), a.end());
    r.add(fmt::format("polarizability/{}", p.name()), "um^3", "of a dipole of each material along x, y, z",
          std::move(alpha), {p.alpha.size(), 3});
  }
}

/// "S11", "S12" ... "S44".
std::vector<string> mueller_elements() {
  std::vector<string> names;
  for (int i = 1; i <= 4; ++i)
    for (int j = 1; j <= 4; ++j) names.push_back(fmt::format("S{}{}", i, j));
  return names;
}

/// One item per row, as a flat list of its numbers.
template <class T, class Row, class Items>
std::vector<T> flat(const std::vector<Row>& rows, Items Row::*items) {
  std::vector<T> out;
  for (const Row& row : rows) out.insert(out.end(), (row.*items).begin(), (row.*items).end());
  return out;
}

/// An average over orientations has Mueller matrices and neither amplitudes nor fields.
void add_directions(results::Result& r, const string& name, const std::vector<ScatteringRow>& rows,
                    const string& theta_text, bool averaged) {
  if (rows.empty()) return;
  Section s(r, name + "/", results::add_table(r, {name}));
  const std::size_t n = rows.size();
  const auto column = [&](const char* what, const string& text, double ScatteringRow::*angle) {
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(row.*angle);
    s.add(what, "degree", text, std::move(values));
  };
  column("theta", theta_text, &ScatteringRow::theta);
  column("scattering_angle", "angle between incidence and scattering, 0 to 180",
         &ScatteringRow::scattering_angle);
  column("phi", "azimuth about the direction of incidence, from polarization X towards Y",
         &ScatteringRow::phi);
  s.add("mueller", "1", "Mueller matrix S_ij", flat<double>(rows, &ScatteringRow::mueller),
        {.shape = {n, 4, 4}, .parts = mueller_elements()});
  if (averaged) return;
  s.add("amplitude", "1", "amplitude matrix S1, S2, S3, S4", flat<cplx>(rows, &ScatteringRow::amplitude),
        {.shape = {n, 4}, .parts = {"S1", "S2", "S3", "S4"}});
  s.add("E_Y", "1", "far field k r exp(-ikr) E / E0 for incidence Y, laboratory x, y, z",
        flat<cplx>(rows, &ScatteringRow::e_y), {.shape = {n, 3}, .parts = xyz("E_Y_")});
  s.add("E_X", "1", "far field k r exp(-ikr) E / E0 for incidence X, laboratory x, y, z",
        flat<cplx>(rows, &ScatteringRow::e_x), {.shape = {n, 3}, .parts = xyz("E_X_")});
}

/// Relative ones mean nothing where the means are zero by symmetry.
std::vector<double> absolute_errors(const PhiIntegral& integral) {
  std::vector<double> out;
  for (std::size_t i = 0; i < integral.error.size(); ++i) {
    double sum = 0;
    for (const double x : integral.mueller[i]) sum += x * x;
    out.push_back(integral.error[i] * std::sqrt(sum / 16));
  }
  return out;
}

void add_phi_integrals(results::Result& r, const Outcome& o) {
  for (const auto& integral : o.phi_integrals) {
    Section s(r, integral.file + "/", results::add_table(r, {integral.file}));
    std::vector<double> mueller;
    for (const auto& m : integral.mueller) mueller.insert(mueller.end(), m.begin(), m.end());
    s.add("theta", "degree", "scattering angle", integral.theta);
    s.add("error", "1", "estimated error of the means, root mean square of the 16, absolute",
          absolute_errors(integral));
    s.add("mueller", "1", "Mueller matrix averaged over phi", std::move(mueller),
          {.shape = {integral.mueller.size(), 4, 4}, .parts = mueller_elements()});
  }
}

void add_provenance(results::Result& r, const Outcome& o) {
  r.attributes.emplace_back("program", "umov");
  r.attributes.emplace_back("version", o.version);
  r.attributes.emplace_back("backend", o.backend);
  r.attributes.emplace_back("device", o.device);
  r.attributes.emplace_back("command_line", o.machine.command_line);
  if (!o.settings.empty()) r.attributes.emplace_back("settings", o.settings);
  r.attributes.emplace_back("shape", o.particle.description);
  r.attributes.emplace_back("converged", o.converged ? "yes" : "no");
  r.attributes.emplace_back("second_polarization",
                            o.symmetry_used ? "from the first, by symmetry" : "solved");
  if (!o.transforms.empty()) r.attributes.emplace_back("transforms", o.transforms);
  if (o.orientations > 0)
    r.add("orientations", "1", "orientations solved for the average; alpha costs none",
          double(o.orientations));
  r.attributes.emplace_back(
      "conventions", "lengths in um, angles in degrees, time dependence exp(-i omega t), Gaussian units");
}

}  // namespace

results::Result to_result(const Outcome& o) {
  results::Result r;
  add_provenance(r, o);
  r.add("wavelength", "um", "wavelength in vacuum", o.simulation.vacuum_wavelength());
  r.add("medium", "1", "refractive index of the medium around the particle", o.simulation.medium);
  r.add("propagation", "1", "direction of incidence, laboratory frame", to_vector(o.propagation));
  r.add("propagation_particle", "1", "direction of incidence, particle frame",
        to_vector(o.propagation_particle));
  r.add("fft_grid", "1", "grid of the Fourier transforms",
        std::vector<double>{double(o.fft_grid[0]), double(o.fft_grid[1]), double(o.fft_grid[2])});
  add_particle(r, o);
  const auto sections = results::add_table(r, {"cross_sections", {}, true});
  for (const auto& p : o.polarizations) {
    add_cross_sections(r, o, p, sections);
    add_solve(r, p);
  }
  const bool averaged = o.simulation.orientation.average;
  add_directions(r, "scattering_plane", o.plane,
                 o.simulation.outputs.scat_plane
                     ? "angle from the laboratory's z axis in the plane of this axis and the incidence"
                     : "angle from the direction of incidence in the yz plane of the incident frame",
                 averaged);
  add_directions(r, "scattering_grid", o.grid, "scattering angle", averaged);
  add_phi_integrals(r, o);
  if (o.extrapolation) add_extrapolation(r, *o.extrapolation);
  results::add_timings(r, o.timings);
  for (const auto& m : o.memory)
    results::add_entry(r, "memory/", m.name, "byte", "memory used", double(m.bytes));
  add_marks(r, o);
  add_voxels(r, o);
  return r;
}

}  // namespace umov::dda
