// A layered periodic cell with rough interfaces: where its media are, as parts of every edge of the grid.
#pragma once

#include <utility>
#include <vector>

#include "fdtd/harmonic/problem.hpp"

namespace umov::fdtd::harmonic {

/// An interface: its depth below the top of the cell, and how far it lies deeper (z points down) over the
/// period.
struct Interface {
  double depth = 0;  ///< um, mean
  std::vector<double>
      height;  ///< um, on half cells [2 ny or 1][2 nx]; empty: flat. Node i of the grid is at 2 i
};

/// Media between interfaces: medium 0 is above the first, medium n below the last. Interfaces never cross:
/// one that would is pushed down by the one above it.
struct LayeredCell {
  CellGrid grid;
  int first_plane = 0;  ///< plane k at depth 0
  std::vector<Interface> interfaces;

  /// Interfaces, all flat, at these depths (um, the first 0) between planes for the source and absorbing
  /// layers, which are a wavelength deep in the medium they lie in, at least 12 planes: what decays in a
  /// metal has decayed there. `wave_above`, `wave_below`: the longest wavelengths in these media (um).
  /// `rise`, `fall`: how far interfaces will rise above the first and fall below the last (um).
  static LayeredCell make(const std::vector<double>& depths, const Vec3& spacing, int nx, int ny,
                          double wave_above, double wave_below, double rise = 0, double fall = 0);

  int media() const { return int(interfaces.size()) + 1; }
  double depth_of(double k) const { return (k - first_plane) * grid.spacing[2]; }

  /// Depths of all interfaces where component c of column (i, j) is.
  void interfaces_at(int c, int i, int j, std::vector<double>& depths) const;
  /// Fractions of the media along z within half a cell above and below edge k of component c.
  void fractions(int c, int k, const std::vector<double>& depths, std::vector<double>& parts) const;
  /// Planes [begin, end) with edges whose parts change laterally; begin = end for a flat cell.
  std::pair<int, int> rough_planes() const;
  /// Whether a plane of [begin, end) has media of both signs of Re(eps).
  bool signs_mix(const std::vector<cplx>& media, int begin, int end) const;
};

/// Effective permittivity of an edge and what each medium has of its losses: Im(eps) |E|^2 is the sum over
/// media of loss[m] |E|^2.
struct EdgeMedium {
  cplx permittivity;
  std::vector<double> loss;
};

/// E along the interface is continuous and takes the arithmetic mean (Ex, Ey), D across it the harmonic one
/// (Ez): errors of second order at flat interfaces wherever they cut a cell (Farjadpour et al., Opt. Lett.
/// 31, 2972 (2006)). With `sampled`, parts of opposite signs of Re(eps) are not averaged, as their mean may
/// be 0 and resonate: the larger one fills the edge.
void edge_medium(int component, const std::vector<double>& parts, const std::vector<cplx>& media,
                 bool sampled, EdgeMedium& out);

/// The permittivity that gives the specular wave on the grid its true kz, so that what is left of the grid's
/// dispersion are waves in other directions: (2 / dz)^2 sin^2(kz dz / 2) + kappa^2 = k0^2 eps', kz^2 = k0^2
/// eps - K^2, after Cole, IEEE Trans. Antennas Propag. 50, 1185 (2002). Differs from eps by the order of the
/// square of a cell over the wavelength.
cplx grid_permittivity(cplx permittivity, double k0, double bloch, double kappa, double dz);

/// The cell at one wavelength (um); `media` are true relative permittivities. The absorbing layers must lie
/// in media 0 and n.
Problem make_problem(const LayeredCell&, const std::vector<cplx>& media, double wavelength,
                     std::array<double, 2> bloch);

}  // namespace umov::fdtd::harmonic
