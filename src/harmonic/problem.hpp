// A periodic layered cell at one wavelength on the Yee grid, as the engine takes it.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/types.hpp"

namespace umov::harmonic {

/// Ex at (i + 1/2, j, k), Ey at (i, j + 1/2, k), Ez at (i, j, k + 1/2); z points down, into the cell.
/// Periodic along x and y up to the phases of `Problem::bloch`; one cell along an axis means nothing changes
/// along it. Both ends of z have absorbing planes or are open: beyond, their media go on.
struct CellGrid {
  int nx = 1, ny = 1, nz = 0;
  Vec3 spacing{0, 0, 0};               ///< um
  std::array<int, 2> absorbing{0, 0};  ///< planes of absorbing layers above and below; 0: an open end
  int source = 0;  ///< plane where the incident wave enters: above it there are only waves that leave

  index_t columns() const { return index_t(nx) * ny; }
  /// Where power is counted: it passes between plane k and k + 1.
  int reflection_plane() const { return absorbing[0] + 1; }
  int transmission_plane() const { return nz - absorbing[1] - 2; }
};

/// curl curl E - k0^2 eps E = b on the grid, with exp(-i w t). Fields are stored as their periodic part, E
/// exp(-i K x_i), with the whole number i of the cell for every component.
struct Problem {
  CellGrid grid;
  double k0 = 0;                            ///< 2 pi / wavelength, 1/um
  std::array<double, 2> bloch{0, 0};        ///< K, 1/um
  std::vector<cplx> stretch, stretch_half;  ///< of z in absorbing layers, at k and at k + 1/2 [nz]
  std::vector<cplx> tangential,
      normal;  ///< laterally averaged permittivity, of Ex and Ey at k, of Ez at k + 1/2
  int rough_begin = 0,
      rough_end = 0;  ///< planes where the permittivity changes laterally, all within [begin, end)
  std::vector<cplx> permittivity;  ///< there: [3][planes][ny][nx]
  std::vector<cplx> media;  ///< permittivities of the media as the grid has them (see grid_permittivity)

  bool metal_is_rough = false;  ///< some plane has permittivities of both signs: see gradient_correction.hpp

  int rough_planes() const { return rough_end - rough_begin; }
  bool open(bool below) const { return grid.absorbing[below] == 0; }
  index_t rough_edges() const { return 3 * grid.columns() * rough_planes(); }
  /// All but the permittivities of single edges, which are most of the memory.
  Problem layers() const;
};

/// Fields on the grid: [3][nz][ny][nx]. What powers are made of may be all that an engine handed out (see
/// SolveOptions::whole): the planes that `planes_of_powers` names, and `squares`; other planes are undefined.
struct Fields {
  std::vector<cplx> values;
  std::vector<double> squares{};  ///< [3][nz] sum of |E|^2 over a plane; empty: all planes are there
  bool whole() const { return squares.empty(); }
  const cplx* component(const CellGrid& g, int c) const { return values.data() + c * g.nz * g.columns(); }
  /// Room for n values; new memory is first touched by all threads: the pages of a large cell take one thread
  /// seconds.
  void make_room(std::size_t n);
};

/// Ranges [begin, end) of planes whose fields the powers and the orders of a cell are made of.
std::vector<std::array<int, 2>> planes_of_powers(const Problem&);

/// Discrete derivatives along x and y of one lateral wave, and the directions along (L) and across (T) its
/// wave vector.
struct LateralWave {
  cplx dx, dy;        ///< forward differences; backward ones are -conj
  double kappa;       ///< sqrt(|dx|^2 + |dy|^2)
  cplx cx, cy;        ///< (dx, dy) / kappa: L = (cx, cy), T = (-conj cy, conj cx)
  double length = 0;  ///< of its wave vector, without the grid
};
/// Of the wave with `m` and `n` periods along x and y (beside the Bloch phases).
LateralWave lateral_wave(const Problem&, int m, int n);

/// The half space beyond an open end, above or `below`. A lateral wave leaves, or decays from there, by the
/// factor exp(i kz dz) from plane to plane. Its kz is that of the half space, not of the grid: kz^2 = kz0^2 +
/// |K0|^2 - |K|^2 with kz0 that the specular wave has on the grid (its true one, see grid_permittivity). So
/// orders begin to leave where they do in truth; the grid's own kz^2 would err by O(dx^2), and a kz near 0 by
/// O(dx). At kz = 0 the factor is that of a wave that hardly leaves: fields have a limit there unless the
/// layers guide a wave at its cutoff.
class OpenEnd {
 public:
  OpenEnd(const Problem&, bool below, const LateralWave& specular);
  cplx leaving_factor(const LateralWave&) const;

 private:
  cplx invariant_;  ///< (kz^2 + |K|^2) dz^2, the same for all waves
  double dz2_;
  bool lossless_;
};

/// Stretches z in the absorbing layers (Shin and Fan, J. Comput. Phys. 231, 3406 (2012)) by s = 1 + 3 u^3 + i
/// sigma u^3 / k0, u from 0 to 1: the imaginary part leaves 1e-10 of the specular wave, the real one
/// lengthens the way of waves that decay. The permittivities of the two ends say how short the waves are
/// there. Open ends are left as they are.
void set_absorbing_layers(Problem&, cplx first, cplx last);

/// The largest amplitude, over all lateral waves, with which the absorbing planes above (`below`: below) send
/// a wave back: |exp(2 i kz S)|, S the integral of the stretch over them; 0 of an open end. Waves near
/// grazing and those that hardly decay are absorbed least.
double end_reflection(const Problem&, bool below);
/// Of both ends.
double end_reflection(const Problem&);

}  // namespace umov::harmonic
