// The variables of a pole fit, and its residuals with their derivatives.
#pragma once

#include <Eigen/Core>

#include "materials/fit.hpp"

namespace umov::materials {

/// Which poles a vector of variables describes. Order: sqrt(eps_inf - 1); then per Lorentz pole log delta
/// (delta itself where strengths may be negative), log w0 and, unless lossless, log gamma; then of a Drude
/// term log wp^2, log gamma.
struct PoleLayout {
  int lorentz = 0;
  bool drude = false, lossless = false, either_sign = false;
  double least_damping =
      0;  ///< of Lorentz poles: with either sign, none may hide between two guard frequencies

  int poles() const { return lorentz + (drude ? 1 : 0); }
  int per_pole() const { return lossless ? 2 : 3; }
  int drude_at() const { return 1 + lorentz * per_pole(); }
  int variables() const { return drude_at() + (drude ? 2 : 0); }
};

/// Samples to fit: frequencies (rad/fs), permittivities and the weights of one row each.
struct Samples {
  Eigen::VectorXd w;
  Eigen::VectorXcd eps;
  Eigen::VectorXd weight, loss_weight;
  Eigen::VectorXd guard;        ///< frequencies, far beyond the table too, where Im eps >= 0 is asked for ...
  Eigen::VectorXd guard_scale;  ///< ... and what makes Im eps of one size there: it falls as w and as 1 / w^3
  double margin = 3e-4;         ///< what Im eps of that size must not fall below
};

Samples samples_of(const NkTable&, const FitOptions&);

/// The functor Eigen's Levenberg-Marquardt wants: per sample Re and Im of (eps - table) / |table|, and the
/// weighted relative error of Im eps; where strengths may be negative, also per guard frequency by how much
/// Im eps falls below a small margin, and per pole a little of its strength (large strengths that cancel lose
/// digits); and per variable by how much a pole is farther from the band than anything asks for.
struct PoleResiduals {
  using Scalar = double;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;

  const Samples& samples;
  PoleLayout layout;
  double guard_weight = 10;  ///< of a shortfall beside the fit's own residuals

  int inputs() const { return layout.variables(); }
  int values() const {
    return 3 * int(samples.w.size()) + (layout.either_sign ? int(samples.guard.size()) + layout.lorentz : 0) +
           inputs();
  }
  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& residual) const;
  int df(const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) const;
};

/// Brings variables back that ran away towards a bound at infinity (no damping, no strength), where the
/// others can no longer move: Levenberg-Marquardt measures its steps by the largest.
void pull_in(const Samples&, const PoleLayout&, Eigen::VectorXd&);

/// The material a vector of variables stands for.
Material material_of(const PoleLayout&, const Eigen::VectorXd&);

}  // namespace umov::materials
