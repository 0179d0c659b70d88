// Warnings and refusals about materials, beams, files, the machine and numbers that are none.
#include "dda/run/case_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "dda/observables/radiation_force.hpp"
#include "dda/observables/unphysical.hpp"
#include "shapes/box.hpp"

namespace umov::dda {

namespace {

/// k d above which the radiative reaction that static polarizabilities lack, (2/3) (k d)^3 beside 4 pi/3,
/// shows.
constexpr double static_limit = 0.1;
/// 1/(k w0) up to which Gaussian beams are expanded with an error of a per cent in the fifth order (Barton
/// and Alexander 1989, J. Appl. Phys. 66, 2800).
constexpr double widest_expansion = 0.2;
/// um^3. Polarizations are of the size of a dipole's volume, and float ends at 1e-38: with 1.5e-20
/// absorption of a sphere is off by 6.5e-5, with 1.5e-23 it is zero. The square is to be four digits above
/// the end.
constexpr double least_volume = 1e-17;

/// What may bring NaN or infinity into this run, and what to do about it.
std::string where_not_finite(const Simulation& sim, const Machine& machine) {
  if (machine.checkpoint.resume)
    return "the checkpoint it was continued from may hold NaN or infinity); run the case anew";
  if (sim.solver.initial == InitialField::read)
    return "the start field may be too large for the precision); start from another one";
  return "lengths or refractive indices leave the range of the precision, or the solver diverged); give "
         "lengths nearer to 1 um, compute in double, or with another solver";
}

}  // namespace

void require_room(const Simulation& sim, const Machine& machine, int ranks) {
  if (machine.backend == "cuda") return;  // the card is asked when it is opened
  if (!sim.shape.file.empty()) return;    // which is read once
  const Int3 box = shapes::particle_box(sim.shape);
  const double number = sim.precision == Precision::single    ? 8
                        : sim.precision == Precision::double_ ? 16
                                                              : 32;
  const double needed = 6 * number * box[0] * box[1] * box[2] / ranks, there = double(available_memory());
  if (there == 0 || needed <= there) return;
  throw BadInput(
      fmt::format("a box of {}x{}x{} sites needs more than {:.1f} GB of memory{}, for its interaction tensor "
                  "alone, but {:.1f} GB are available; use a coarser grid{}",
                  box[0], box[1], box[2], 1e-9 * needed, ranks > 1 ? " a rank" : "", 1e-9 * there,
                  sim.precision == Precision::single ? "" : " or `machine.precision = 'float'`"));
}

void require_materials(const Prepared& p, run::Journal& journal) {
  const auto domains = std::size_t(p.particle.materials), given = p.sim.m.size();
  // ADDA's prognosis needs no refractive indices: those of the materials left out change nothing it prints.
  if (p.machine.dry_run && p.sim.front == Front::adda && given < domains) {
    journal.warn(
        fmt::format("the particle has {} materials but {} refractive indices are given; a run will want all",
                    domains, given));
    return;
  }
  if (given < domains)
    throw BadInput(
        fmt::format("the particle has {} materials but {} refractive ind{} given (option m); give one "
                    "per material",
                    domains, given, given == 1 ? "ex is" : "ices are"));
  if (given > domains)
    throw BadInput(
        fmt::format("{} refractive indices are given (option m) but the particle has {} material{}; "
                    "leave out the rest",
                    given, domains, domains == 1 ? "" : "s"));
}

void require_range(const Prepared& p) {
  if (p.sim.precision != Precision::single) return;
  const Vec3& spacing = p.particle.spacing;
  const double volume = spacing[0] * spacing[1] * spacing[2];
  if (volume > least_volume && volume < 1 / least_volume) return;
  throw BadInput(
      fmt::format("dipoles of {:.2g} um^3 leave the range of the precision (sums of squares of their "
                  "polarizations are zero "
                  "or infinite in float); give lengths in micrometres, or `machine.precision = 'double'`",
                  volume));
}

void warn_of_materials(const Prepared& p, run::Journal& journal) {
  double largest = 0;
  for (std::size_t i = 0; i < p.sim.m.size(); ++i) {
    for (const cplx& m : p.sim.m[i]) largest = std::max(largest, std::abs(m));
    const auto gains = [](cplx m) { return (m * m).imag() < 0; };
    const auto m = std::find_if(p.sim.m[i].begin(), p.sim.m[i].end(), gains);
    if (m == p.sim.m[i].end()) continue;
    journal.warn(fmt::format(
        "material {} with m = {:g}{:+g}i amplifies the light (with the time dependence exp(-i omega t) "
        "absorption is a positive imaginary part); change the sign if it should absorb",
        i + 1, m->real(), m->imag()));
  }
  const double kd =
      p.wavenumber * std::max({p.particle.spacing[0], p.particle.spacing[1], p.particle.spacing[2]});
  const auto pol = p.sim.polarizability;
  if (kd > static_limit &&
      (pol == Polarizability::cm || pol == Polarizability::nloc || pol == Polarizability::nloc_av))
    journal.warn(fmt::format(
        "the polarizability {} is static, it has no radiative reaction (k d = {:.3g}; from {:g} on Cabs is "
        "too small, even negative, and Cext is not Cabs + Csca); use a finer grid, or another polarizability",
        pol == Polarizability::cm     ? "cm"
        : pol == Polarizability::nloc ? "nloc"
                                      : "nloc_av",
        kd, static_limit));
  const double coarse = largest * kd;
  if (coarse > 1)
    journal.warn(fmt::format(
        "the dipoles are too large for a wave in the particle: |m| k d = {:.3g} (1 is the usual limit, "
        "some 10 dipoles per wavelength inside are better); use a finer grid",
        coarse));
}

void warn_of_beam(const Prepared& p, run::Journal& journal) {
  const Beam& beam = p.sim.beam;
  const bool gaussian =
      beam.kind == BeamKind::lminus || beam.kind == BeamKind::davis3 || beam.kind == BeamKind::barton5;
  if (gaussian && p.wavenumber * beam.width * widest_expansion < 1)
    journal.warn(
        fmt::format("the beam is narrower than its expansion describes: 1/(k w0) = {:.3g} ({:g} is the usual "
                    "limit, where the fields of barton5 are off by a per cent and those of lower orders by "
                    "more); use a wider "
                    "beam, or a field from a file",
                    1 / (p.wavenumber * beam.width), widest_expansion));
  if (beam.kind != BeamKind::dipole || p.sim.orientation.average) return;
  const Vec3& spacing = p.particle.spacing;
  const double edge = std::max({spacing[0], spacing[1], spacing[2]});
  double nearest = INFINITY;
  for (const Vec3& r : dipole_positions(p.particle))
    nearest = std::min(nearest, norm(r - p.frame.beam_center));
  if (nearest > 0 && nearest < edge)
    journal.warn(fmt::format(
        "the exciting dipole is {:.3g} um from the nearest dipole of the particle (less than their distance, "
        "{:.3g} um: the field there is that of the lattice, not of the material); move it away or use a "
        "finer grid",
        nearest, edge));
}

void require_files(const Prepared& p, run::Journal& journal) {
  if (p.one_solve) {
    for (const auto* file : {&p.sim.beam.file_x, &p.sim.solver.initial_file_x})
      if (!file->empty())
        journal.warn(
            fmt::format("'{}' is not read (symmetry gives the second polarization from the first)", *file));
    return;
  }
  if (p.sim.beam.kind == BeamKind::read && p.sim.beam.file_x.empty())
    throw BadInput(
        "one file of the incident field is given but two polarizations are needed (the particle's symmetry "
        "does not give the second); name a file for each, or enforce the symmetry");
  if (p.sim.solver.initial == InitialField::read && p.sim.solver.initial_file_x.empty())
    throw BadInput(
        "one file of the start field is given but two polarizations are needed (the particle's symmetry does "
        "not give the second); name a file for each");
}

void warn_of_machine(const Machine& machine, const std::string& backend, run::Journal& journal) {
  const auto unused = [&](const char* what) {
    journal.warn(fmt::format("{} is without effect (the run is on the {} backend; only cuda reads it)", what,
                             backend));
  };
  if (backend == "cuda") return;
  if (machine.tensor_on_host) unused("tensor_on_host");
  if (machine.blocking_sync) unused("blocking_sync");
}

void check_finite(const Simulation& sim, const Machine& machine, Outcome& out, run::Journal& journal) {
  for (const auto& p : out.polarizations)
    if (!p.finite()) {
      out.converged = false;
      journal.warn(fmt::format("the result of polarization {} is not a number ({}", p.name(),
                               where_not_finite(sim, machine)));
    }
}

void warn_of_unphysical(const Simulation& sim, const Outcome& out, run::Journal& journal) {
  for (const auto& p : out.polarizations)
    if (const std::string what = unphysical(sim, p); !what.empty())
      journal.warn(fmt::format(
          "the result of polarization {} is unphysical: {} (Cext = {:.4g}, Cabs = {:.4g} um^2; dipoles of "
          "this size do not describe the material); use a finer grid, or let `accuracy = '1%'` find values "
          "and "
          "error bars",
          p.name(), what, p.cross.cext, p.cross.cabs));
}

}  // namespace umov::dda
