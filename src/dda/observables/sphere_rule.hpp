// Directions over the whole sphere with weights that integrate the light of a particle of given size.
#pragma once

#include <string>
#include <vector>

#include "shapes/particle.hpp"

namespace umov::dda {

/// Gauss-Legendre in the cosine of theta and the trapezoid rule in phi: exact for spherical harmonics up to
/// `degree`.
struct SphereRule {
  int degree = 0;
  std::vector<double> theta, phi;  ///< degrees; theta from the propagation, phi from pol_x
  std::vector<double> weight;      ///< of each theta; their sum is 1

  std::size_t size() const { return theta.size() * phi.size(); }
};
SphereRule sphere_rule(int degree);

/// A rule and a coarser one whose difference from it bounds its error.
struct CheckedRule {
  SphereRule rule, check;
};

/// For the light scattered by dipoles that are up to `diameter` apart, times a direction cosine. Its
/// intensity is a sum of exp(-ik n.(r_i - r_j)), whose harmonics beyond k diameter fall faster than any
/// power: the width of that fall grows as the cube root (the criterion of Wiscombe 1980, Appl. Opt. 19, 1505,
/// for the terms of a Mie series), of which the rule takes 5, the coarser one 2.
CheckedRule rule_for(double wavenumber, double diameter);

/// Of the sphere about the centre of the box that holds all dipoles (um).
double diameter_of(const shapes::Particle&);

/// The lines that the log has about it.
std::string describe(const CheckedRule&);

}  // namespace umov::dda
