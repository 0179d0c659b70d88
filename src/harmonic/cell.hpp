// A layered periodic cell with rough interfaces: where its media are, as parts of every edge of the grid.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "harmonic/problem.hpp"

namespace umov::harmonic {

/// Where the depth at a half cell is asked for: walls may stand there.
enum class Side { before, after, at };

/// An interface: its depth below the top of the cell, and how far it lies deeper (z points down) over the
/// period.
struct Interface {
  double depth = 0;  ///< um, mean
  std::vector<double>
      height;  ///< um, on half cells [2 ny or 1][2 nx]; empty: flat. Node i of the grid is at 2 i
  /// The same a little before and after each half cell along x, where walls stand on nodes; empty: no walls.
  std::array<std::vector<double>, 2> beside;

  bool has_walls() const { return !beside[0].empty(); }
  /// Depth at half cell `at` of the period, other interfaces left out of account.
  double depth_at(std::size_t at, Side side) const {
    const auto& h = side == Side::at || !has_walls() ? height : beside[side == Side::after];
    return depth + (h.empty() ? 0 : h[at]);
  }
};

/// Media between interfaces: medium 0 is above the first, medium n below the last. Interfaces never cross:
/// one that would is pushed down by the one above it.
struct LayeredCell {
  CellGrid grid;
  int first_plane = 0;  ///< plane k at depth 0
  std::vector<Interface> interfaces;

  /// Interfaces, all flat, at these depths (um, the first 0) between planes for the source and absorbing
  /// layers, which are a wavelength deep in the medium they lie in, at least 12 planes: what decays in a
  /// metal has decayed there. `wave_above`, `wave_below`: the longest wavelengths in these media (um); 0: an
  /// open end without absorbing layers.
  /// `rise`, `fall`: how far interfaces will rise above the first and fall below the last (um).
  static LayeredCell make(const std::vector<double>& depths, const Vec3& spacing, int nx, int ny,
                          double wave_above = 0, double wave_below = 0, double rise = 0, double fall = 0);

  int media() const { return int(interfaces.size()) + 1; }
  double depth_of(double k) const { return (k - first_plane) * grid.spacing[2]; }

  /// Depth of interface n at half cell (column, row), which may lie outside the period, those above taken
  /// into account.
  double depth_at(std::size_t n, int column, int row, Side side = Side::at) const;
  /// Whether a wall of interface n stands at this half cell.
  bool wall_at(std::size_t n, int column, int row) const;
  /// Depths of all interfaces where component c of column (i, j) is.
  void interfaces_at(int c, int i, int j, std::vector<double>& depths) const;
  /// Planes [begin, end) with edges whose parts change laterally; begin = end for a flat cell.
  std::pair<int, int> rough_planes() const;
  /// Whether a plane of [begin, end) has media of both signs of Re(eps).
  bool signs_mix(const std::vector<cplx>& media, int begin, int end) const;
};

/// How the media of the cell around an edge lie.
struct EdgeShape {
  double along = 0;  ///< square of the component of the normal along the edge; of the interface that parts
                     ///< the cell most evenly
  double tilt = 0;   ///< square of the normal's part along the layers; of the steepest interface in the cell
  bool beside_wall = false;  ///< a wall along z halves the cell or is a side of it
};

/// The edges of one component in one column: the cell around each, half a cell to every side, and the parts
/// that media have in it.
class EdgeColumn {
 public:
  explicit EdgeColumn(const LayeredCell& cell) : cell_(cell) {}
  void move_to(int c, int i, int j);
  /// Parts of the media around edge k, and the shape of what parts them.
  EdgeShape parts(int k, std::vector<double>& parts) const;

 private:
  static constexpr int per_axis = 3;  ///< half cells that the cell around an edge has a part of
  /// Their shares in the cell: 1/4, 1/2, 1/4 along each axis; with walls the middle one along x comes as two
  /// halves.
  double weight(std::size_t s) const {
    constexpr double share[] = {0.25, 0.5, 0.25};
    if (samples_ == 1) return 1;
    return (walls_ ? 0.25 : share[s % along_x_]) * (samples_ > along_x_ ? share[s / along_x_] : 1);
  }
  void sample(std::size_t interface, int column, int row);
  /// The depths around an edge in one row of half cells.
  void sample_row(std::size_t interface, int column, int row, double* out) const;

  const LayeredCell& cell_;
  int component_ = 0;
  bool walls_ = false, beside_wall_ = false;
  std::size_t along_x_ = per_axis, samples_ = 1;
  std::vector<double> depths_;                  ///< [interfaces][samples]
  std::vector<double> low_, high_;              ///< per interface
  std::vector<std::array<double, 3>> normal2_;  ///< squares of the normal's components, per interface
};

/// Effective permittivity of an edge and what each medium has of its losses: Im(eps) |E|^2 is the sum over
/// media of loss[m] |E|^2.
struct EdgeMedium {
  cplx permittivity;
  std::vector<double> loss;
};

/// E along an interface is continuous and takes the arithmetic mean <eps>, D across it the harmonic one: with
/// the normal's square n^2 along the edge 1 / eps = n^2 <1/eps> + (1 - n^2) / <eps> (Deinega and Valuev, Opt.
/// Lett. 32, 3429 (2007); Farjadpour et al., Opt. Lett. 31, 2972 (2006)), errors of second order at flat
/// interfaces wherever they cut a cell. So for metals too, where the staircase's corners absorb far more; but
/// beside walls steeper than 45 degrees parts of opposite signs of Re(eps) are not averaged, as their means
/// resonate there: the larger one fills the edge. Beside walls on nodes, which no edge crosses, metal that
/// has half of the cell or more is averaged along them (measured: docs/decisions/0031-harmonic-rows.md).
void edge_medium(const EdgeShape&, const std::vector<double>& parts, const std::vector<cplx>& media,
                 EdgeMedium& out);

/// The permittivity that gives the specular wave on the grid its true kz, so that what is left of the grid's
/// dispersion are waves in other directions: (2 / dz)^2 sin^2(kz dz / 2) + kappa^2 = k0^2 eps', kz^2 = k0^2
/// eps - K^2, after Cole, IEEE Trans. Antennas Propag. 50, 1185 (2002). Differs from eps by the order of the
/// square of a cell over the wavelength.
cplx grid_permittivity(cplx permittivity, double k0, double bloch, double kappa, double dz);

/// The cell at one wavelength (um); `media` are true relative permittivities. The absorbing layers must lie
/// in media 0 and n.
Problem make_problem(const LayeredCell&, const std::vector<cplx>& media, double wavelength,
                     std::array<double, 2> bloch);

}  // namespace umov::harmonic
