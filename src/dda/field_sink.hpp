// Where fields of the dipoles go as soon as a polarization is solved for, each rank's part by itself.
#pragma once

#include <functional>
#include <span>

#include "core/types.hpp"
#include "shapes/particle.hpp"

namespace umov::dda {

/// Fields at the dipoles of some planes of constant z, in the order of the whole particle.
struct PlaneFields {
  index_t first_plane = 0, planes = 0;
  index_t first_dipole = 0;
  std::span<const CVec3> polarization;  ///< um^3, over E0
  std::span<const CVec3> internal;      ///< over E0
};

/// Calls what it is given with some planes after the other, in their order; the fields last as long as the
/// call.
using FieldPass = std::function<void(const std::function<void(const PlaneFields&)>&)>;

class FieldSink {
 public:
  virtual ~FieldSink() = default;
  /// Of every rank: what each of them has of a polarization's fields, all planes once. False, on all ranks:
  /// they do not go this way, and are gathered. Throws MachineFailure.
  virtual bool take(const shapes::Particle&, char label, const FieldPass&) = 0;
  /// Of every rank, after the last polarization: what was taken has got where it is to go, or all throw.
  virtual void finish() = 0;
};

}  // namespace umov::dda
