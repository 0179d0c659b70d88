// Fitting a table of n and k with poles that a time-domain solver can use.
#pragma once

#include "materials/material.hpp"
#include "materials/nk_table.hpp"

namespace umov::materials {

struct FitOptions {
  int max_poles = 6;
  double target = 0.005;      ///< stop adding poles at this rms relative error of n + ik
  double fine_target = 3e-4;  ///< while it is above this, also add poles that leave a third of it or less
  double loss_weight = 0.1;   ///< weight of the relative error of Im eps beside that of eps
  double loss_floor = 0.02;   ///< Im eps below this fraction of |eps| counts in absolute terms
  double loss_target = 0.05;  ///< add poles until this rms relative error of Im eps, too, see PoleFit
  bool either_sign = true;    ///< where poles of positive strength miss the target, also try negative ones:
                              ///< they shape absorption edges, and only the sum is passive
};

/// The default ones, with poles added until this rms relative error of n + ik and no further.
FitOptions ending_at(double target);

/// A fitted material (rad/fs) and how well it holds.
struct PoleFit {
  Material material;               ///< name, source and range of the table
  double rms_error = 0;            ///< root mean square over the rows of |m - m_table| / |m_table|
  double worst_error = 0;          ///< the largest of them ...
  double worst_wavelength_um = 0;  ///< ... and where
  double between_error = 0;        ///< largest |m - m_line| / |m_line| between rows, m_line their straight
                             ///< connection, less a quarter of the steps thereabouts, by which curves bend
  double between_wavelength_um = 0;
  double least_k = 0;           ///< k that is counted as no less in these three, counted_k() of the table:
  double loss_error = 0;        ///< root mean square over the rows of loss_error(), none above 1
  double worst_loss_error = 0;  ///< the largest of them ...
  double worst_loss_wavelength_um = 0;  ///< ... and where
  bool reached = false;  ///< rms_error and between_error are within the target, loss_error is within its own
};

/// k that is next to none: a thousand wavelengths of it absorb 12 %.
constexpr double faintest_k = 1e-5;
/// k down to which it is valued first where a fit misses it.
constexpr double small_k = 1e-3;

/// Error of Im eps = 2 n k at one wavelength as a part of it, which absorbed power is in proportion to; of
/// less k than `least_k`, as a part of what that would make.
double loss_error(cplx index, cplx wanted, double least_k = faintest_k);

/// k below which absorption is next to nothing beside the table's own: a tenth of its largest, from
/// faintest_k to 0.001 (five wavelengths of which absorb 6 %).
double counted_k(const NkTable&);

/// eps = eps_inf - wp^2 / (w^2 + i g w) + sum delta w0^2 / (w0^2 - w^2 - i g w) fitted to a table by
/// Levenberg-Marquardt (Eigen), poles added one by one where they help most. eps_inf >= 1, dampings >= 0, and
/// Im eps >= 0 at all frequencies, inside the table and outside: by the choice of variables where strengths
/// are positive, else by a penalty and a check. A table without any k gets undamped poles only.
/// Fits that hold n + ik and miss a small k are made again with weights that value it, and the new one is
/// taken where it is better there and no worse than the target, or the one before, in n + ik. So it is with
/// ever fainter k, as long as the larger one is held, too, and the fainter one meets its target: more poles
/// that miss it cost time for nothing. A fit that swings between the rows of a coarse table is made again
/// with points on the straight connections of rows, and the better one is taken. Data that are held to the
/// target by poles of positive strength get more of them, each of which leaves a third of the miss or less.
/// Deterministic. Throws BadInput for a table of fewer than 3 rows or max_poles < 1. No pole is farther above
/// the band than a few times its upper end, as time steps follow it.
PoleFit fit_poles(const NkTable&, const FitOptions& = {});

/// The errors of a given material against a table, in the terms of PoleFit.
PoleFit compare(const Material&, const NkTable&, double least_k);
PoleFit compare(const Material&, const NkTable&);

}  // namespace umov::materials
