// The scene: materials and where they are, from bodies and pictures alike.
#pragma once

#include <memory>
#include <vector>

#include "fdtd/engine.hpp"
#include "fdtd/simulation.hpp"
#include "materials/material.hpp"

namespace umov::fdtd {

/// One material's part of a box, by volume (area or length in fewer dimensions).
struct Share {
  int material = 0;
  double fraction = 0;
};
using Mixture = std::vector<Share>;
inline constexpr double negligible_share = 1e-9;  ///< fractions below are rounding

/// Where a body may be, and of what it is.
struct Occupied {
  int material = 0;
  Vec3 low, high;
};

/// A region of space of one material. Implementations: src/shapes/body.hpp and the picture's texels.
class Scene {
 public:
  virtual ~Scene() = default;
  /// Poles and conductivities scaled to c / unit. [0] is the background.
  virtual const std::vector<materials::Material>& materials() const = 0;
  /// Index of the material at a point; what lies outside the domain continues its edge.
  virtual int material_at(const Vec3&) const = 0;
  /// Signed distance hint: false when the box [lo, hi] surely holds one material only (then no averaging).
  virtual bool mixed(const Vec3& lo, const Vec3& hi) const = 0;
  /// Replaces `mixture` by the shares of the box: here all of what is at its centre; scenes with interfaces
  /// say better, exactly so where those are parallel planes.
  virtual void shares(const Vec3& lo, const Vec3& hi, Mixture& mixture) const {
    mixture = {{material_at(0.5 * (lo + hi)), 1}};
  }
  /// Whether a perfect conductor that reaches into the box is thinner there than what a cell can tell apart.
  virtual bool thin_conductor(const Vec3&, const Vec3&) const { return false; }
  /// The bodies' bounds, which may be infinite; what is drawn has none.
  virtual std::vector<Occupied> occupied() const { return {}; }
  /// Unit normal of the interface nearest to a point, for averaging; zero when unknown.
  virtual Vec3 normal(const Vec3&) const = 0;
};

/// Reads the case's pictures and puts what they say into the other parts of the case: size, resolution (then
/// in cells per unit), sources of kind shape and monitors named monitor-ID. Does nothing without a picture or
/// when called again; to be called before all that follows. Throws BadInput naming the file.
void apply_picture(Simulation&);

/// Reads the case's layout and puts what it says into the other parts of the case: extents of the domain that
/// are infinite, a body for each layer before those of the case, ports found, and the planes of sources and
/// monitors that name one. Does nothing without layout, layers and ports, or when called again; to be called
/// before all that follows. Throws BadInput naming the file.
void apply_layout(Simulation&);

/// The scene of a case; with `reference`, of its reference run (only bodies with in_reference).
/// Throws BadInput naming body and material.
std::unique_ptr<Scene> make_scene(const Simulation&, bool reference = false);

/// Grid of a case: dimension, cells, spacing, time step (lowered where poles or averaging ask for it). Throws
/// BadInput.
Grid make_grid(const Simulation&, const Scene&);

/// Fills what the engine needs of the materials: coefficients, indices, tensor terms, dispersive groups.
void paint(const Simulation&, const Scene&, Problem&);

/// Relative permittivity at the centres of cells (the mean of the sides where a surface goes through one),
/// every stride-th along each axis so that at most `max_cells` values come out; for dispersive materials the
/// real part at `frequency` (c / unit), 0 in perfect conductors.
FieldBlock sample_permittivity(const Scene&, const Grid&, double frequency, std::size_t max_cells = 4000000);

/// Fills walls, Bloch phases and PML profiles.
void set_walls(const Simulation&, Problem&);

/// Adds tables and groups of every source.  Throws BadInput naming the source.
void add_sources(const Simulation&, const Scene&, Problem&);

}  // namespace umov::fdtd
