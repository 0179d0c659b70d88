// Guided modes of a cross-section, on the Yee grid itself: what is launched and measured is a mode of the
// grid.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// A cross-section: the cells lo <= (i, j, k) < hi with lo[axis] = hi[axis] - 1 = the node of the plane.
/// Tangential E lies in the plane of nodes, tangential H half a cell above it.
struct ModePlane {
  int axis = 0;
  Int3 lo{0, 0, 0}, hi{1, 1, 1};
};

/// The cells nearest to a box without extent along one axis. Throws BadInput, naming the owner (e.g. "source
/// 'in'"), when the box is no plane (two dimensions: line), or lies outside the domain.
ModePlane mode_plane(const Grid&, const Vec3& center, const Vec3& size, const std::string& owner);
/// The same in a painted problem: an end that the nearest node leaves before a conductor which the box
/// reaches lies in the conductor, a node further out. The rim of a metal guide is its metal then, wherever on
/// the grid.
ModePlane mode_plane(const Problem&, const Vec3& center, const Vec3& size, const std::string& owner);

/// A mode travelling towards +axis: phasors of E at the plane and of H half a cell above it, both without the
/// factor exp(i beta x) of travel between them (so all four tangential parts are real):
///   E(x) = e exp(i (beta (x - x_plane) - w t)),   H(x) = h exp(i (beta (x - x_plane) - w t))
/// towards -axis: the tangential H has the other sign.
/// Normalised to unit power, 1/2 Re sum (e x h*) area cos(beta dx / 2) = 1, and the largest e is positive;
/// dx is the edge of the cells along the axis.
struct ModeProfile {
  double frequency = 0;  ///< c / unit
  double beta = 0;       ///< rad / unit; of the grid: K = (2/dx) sin(beta dx/2)
  double n_eff = 0;      ///< beta / (2 pi frequency)
  cplx travel = 0;       ///< beta with what lossy media make of it
  int axis = 0;
  struct Part {
    Component component = Ez;
    std::vector<index_t> cells;  ///< layout indices
    std::vector<double> values;
    std::vector<double> areas;     ///< of each point in sums over the plane, half on a mirror
    std::vector<cplx> lossy = {};  ///< values with what lossy media make of them; none without such
  };
  std::vector<Part> electric, magnetic;  ///< tangential; a component without part does not exist in this mode
  double dx = 1;
};

/// Up to `count` guided modes at a frequency in c / unit, by decreasing effective index (with a guess, by
/// distance from it). Solves kappa^2 N d = A B d for tangential d = eps e, A and B being the two halves of
/// Maxwell's equations on the grid (Zhu and Brown 2002, Opt. Express 10, 853), with the grid's own difference
/// in time and along the axis and with the conductors, mirrors or periodic walls where the plane meets the
/// domain's; elsewhere its rim is a conductor. Lossless: the real part of a permittivity counts; off-diagonal
/// parts of averaged ones do within the plane. Guided means that beta exceeds that of every wave that leaves
/// through the open rim: of its layers, which go on beyond it, be they a medium or a slab with modes of its
/// own. Where metal is in the plane, waves with less than two cells to decay in are not: they are modes of
/// the cells that its surface cuts.
std::vector<ModeProfile> guided_modes(const Problem&, const ModePlane&, double frequency, int count,
                                      std::optional<double> index_guess);

/// The mode of a number, from 1, among guided_modes. Throws BadInput naming the owner when there are fewer.
ModeProfile solve_mode(const Problem&, const ModePlane&, double frequency, int number,
                       std::optional<double> index_guess, const std::string& owner);

/// Gives a mode what its media make of it as they are: where one in the plane is lossy or amplifies, `travel`
/// and the lossy fields are those of the solution of the complex matrices whose E is most like the mode's,
/// also of unit power; else `travel` is beta.
void take_losses(const Problem&, const ModePlane&, ModeProfile&);

/// Unit power, and the largest value of E positive.
void normalise(ModeProfile&);

/// Amplitudes of travel towards +axis and -axis in fields given on the profile's cells; |amplitude|^2 is
/// power for peak phasors; of lossy fields, where there are, those are told apart by the complex ones.
/// fields[p] belongs to electric[p], then magnetic[p - electric.size()]; phasors of exp(-i w t) with every
/// component at its own time.
struct ModeAmplitudes {
  cplx forward, backward;
};
ModeAmplitudes overlap(const ModeProfile&, const std::vector<std::vector<cplx>>& fields);

}  // namespace umov::fdtd
