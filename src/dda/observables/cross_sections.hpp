// Cross sections and the asymmetry vector from amplitudes, polarization norms and directions all around.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dda/observables/scattering.hpp"
#include "dda/observables/sphere_rule.hpp"

namespace umov::dda {

/// Cext by the optical theorem, 4 pi/k^2 Re(f(prop).e0) (Bohren and Huffman 1983, eq. 3.24), for a plane wave
/// whose phase is zero at the centre of the box; e0 is real, of unit length. `sum` is the far-field sum
/// forward.
double extinction_forward(const FarFieldScale& scale, const Vec3& prop, const Vec3& e0, const CVec3& sum);

/// Whether a beam's Cext comes from extinction_forward (a plane wave that is not shifted) as ADDA's does; all
/// others need extinction_from_sum. The two agree to rounding and the solver's residual.
bool extinction_is_forward(const Beam& beam);

/// Cext for any other beam of unit amplitude at its focus: 4 pi k Im(sum of P.conj(E_inc))
/// (Draine 1988, Astrophys. J. 333, 848, eq. 3.02); `extinction_sum` as Engine returns it.
double extinction_from_sum(const FarFieldScale& scale, const Vec3& prop, cplx extinction_sum);

/// Factors m_c of |P_c|^2 per material in Cabs = 4 pi k sum m_c |P_c|^2 (Yurkin and Hoekstra 2007, J. Quant.
/// Spectrosc. Radiat. Transfer 106, 558): eq. 35, -Im(1/alpha) - 2k^3/3, for point dipoles and igt_so; eq.
/// 31, -Im(1/(V chi)), for finite dipoles. alpha in um^3, `volume` of one dipole in um^3.
std::vector<Vec3> absorption_multipliers(ScatteringFormula formula, double wavenumber, double volume,
                                         std::span<const CVec3> alpha, std::span<const CVec3> m);

/// Cabs from Engine::polarization_norms.
double absorption(double wavenumber, std::span<const Vec3> multipliers, std::span<const Vec3> norms);

/// Sets multipliers of draine's formula that are rounding of 1/alpha to zero, which they are for a real m.
void drop_rounding(std::span<Vec3> multipliers, std::span<const CVec3> alpha);

/// Bound of the error of Cext by what the solver leaves. With S^2 = alpha, A x = b = S E_inc and P = S x,
/// Cext is 4 pi k Im(b^H x), and a residual r changes it by 4 pi k |y^H r|, y the solution for the light from
/// the other side (A is symmetric), which is about as long as x: 4 pi k |x| |b| `residual`, residual =
/// |r|/|b|. `norms` as Engine::polarization_norms, `incident` the like of E_inc.
double extinction_bound(double wavenumber, std::span<const CVec3> alpha, std::span<const Vec3> norms,
                        std::span<const Vec3> incident, double residual);

/// Decay rates of a point dipole of moment 1/k^3 (the unit of the dipole beam) whose field is `incident`
/// (D'Agostino et al. 2013, Phys. Rev. B 87, 205413; the particle's field at the emitter by reciprocity,
/// hence no conjugation in the sum of P.E_inc). p and incident per dipole.
DecayRates decay_rates(double wavenumber, std::span<const CVec3> p, std::span<const CVec3> incident,
                       double cabs);

/// Q = C / (pi a^2), a the radius of the sphere of equal volume.
double efficiency(double cross_section, double eq_radius);

struct ScatteringIntegrals {
  std::optional<double> csca;
  std::optional<Vec3> csca_g;  ///< along (pol_x, pol_y, propagation)
  std::vector<IntegrationLog> logs;
  double total = 0;  ///< Csca, whether asked for or not
  double error = 0;  ///< the largest estimated one of all integrals, relative to Csca
};

/// Csca = integral of |f|^2/k^2 over all directions and its first moments (Bohren and Huffman 1983, secs. 3.4
/// and 4.5), integrated by Romberg's method. `label` ('Y' or 'X') ends the names of the logs.
ScatteringIntegrals integrate_scattering(const FarFieldSums& sums, const FarFieldScale& scale,
                                         const BeamFrame& frame, const AllDirections& directions, bool csca,
                                         bool moments, char label);

/// The same by a rule that is exact for the particle's size; `error` is the difference from its check.
ScatteringIntegrals integrate_scattering(const FarFieldSums& sums, const FarFieldScale& scale,
                                         const BeamFrame& frame, const CheckedRule& rules, bool csca,
                                         bool moments, char label);

}  // namespace umov::dda
