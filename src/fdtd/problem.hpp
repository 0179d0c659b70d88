// The discretised problem that an engine computes, on the host, in numbers ready for kernels.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "fdtd/grid.hpp"

namespace umov::fdtd {

enum class Precision { single_, double_ };

/// What closes the grid on one side. Absorbing layers are backed by pec.
///   pec: tangential E vanishes on the wall (node 0 or n); pmc: tangential H vanishes there, so the E nodes
///   on the wall are computed (node n too); periodic: node n is node 0, with a factor exp(i phase) per
///   period.
enum class Closure { pec, pmc, periodic };

/// Convolutional PML of one side (Roden and Gedney 2000, Microw. Opt. Technol. Lett. 27, 334). Along the axis
/// of the wall a derivative D becomes D / kappa + psi with psi' = b psi + c D. Entry q belongs to the q-th
/// layer from the OUTER end: `node` at integer positions (E updates; from the low wall at node q, from the
/// high wall at node n - q), `half` at half positions (H updates; at q + 1/2 from the outer end).
struct PmlSide {
  int layers = 0;
  struct Terms {
    std::vector<double> kappa_inverse, b, c;
  } node, half;
};

/// E' = decay E + drive (curl H), H' = decay H - drive (curl E), with curls of plain differences: dt / dx is
/// in `drive`.
struct Coefficients {
  double decay = 1, drive = 0;
};

/// Off-diagonal part of an averaged permittivity (Werner and Cary 2007, J. Comput. Phys. 226, 1085): adds
/// to E_c at one edge. For each of the two other axes p = (c+1)%3, (c+2)%3 and each end (node) of the edge
/// the weight is dt/dx (eps^-1)_cp at that node / 4; it multiplies the sum of (curl H)_p over the two p-edges
/// that meet in the node.
struct TensorTerm {
  index_t cell = 0;                        ///< layout index of the edge
  std::array<std::array<double, 2>, 2> w;  ///< [other axis][low end, high end]
};

/// Polarization of one material at the edges of one component, by auxiliary differential equations. With
/// state (j, p) per edge and pole, `lorentz` and `drude`: E -= gain sum(j); then from the new E:
///   j = a j + b E - c p;  p += dt j          (j half a step behind p)
/// and `debye`: E += gain_p p; then  p = q + b E;  q = a p + b E   (state (q, p), trapezoidal rule;
/// the b of the Debye poles are part of the material's Coefficients).
struct PoleTerm {
  bool debye = false;
  double a = 0, b = 0, c = 0, gain = 0;
};
struct DispersiveGroup {
  Component component = Ez;
  std::vector<index_t> cells;  ///< layout indices, increasing
  std::vector<PoleTerm> poles;
};

/// Polarization of edges whose cells hold more than one material, some with poles: a network of the halves of
/// these edges, which meet in the grid's nodes (docs/theory/fdtd.md, "Dispersive bodies").
/// A half belongs to one node. In it each material m with poles is a site with the field E_m = E + jump
/// delta, where delta is the node's discontinuity of the normal field:
///   delta = -compliance (sum over halves of coupling E + sum over sites of weight jump p),
/// p the site's polarization as far as it is known before E (p of PoleTerm; q of Debye poles). A half's
/// polarization is sum(weight p) - coupling compliance sum(weight jump p), the last sum over the node; and
///   E -= sum over taps of weight (change of the half's polarization in one step).
struct CutMedia {
  struct Half {
    Component component = Ex;
    index_t cell = 0;
    double coupling = 0;
  };
  struct Site {
    int half = 0;  ///< counted from the node's first
    int medium = 0;
    double weight = 0, jump = 0;
  };
  struct Node {
    index_t first_half = 0, first_site = 0;
    double compliance = 0;
  };
  struct Tap {
    index_t half = 0;
    double weight = 0;
  };
  struct Edge {
    Component component = Ex;
    index_t cell = 0, first_tap = 0;
  };
  static constexpr int most_halves = 6;  ///< of a node

  std::vector<std::vector<PoleTerm>> media;  ///< `gain` is not used
  std::vector<Half> halves;
  std::vector<Site> sites;
  std::vector<Node> nodes;  ///< one more than there are: its firsts are the ends of the last
  std::vector<Tap> taps;
  std::vector<Edge> edges;  ///< by component and cell; one more than there are

  bool empty() const { return halves.empty(); }
  index_t node_count() const { return nodes.empty() ? 0 : index_t(nodes.size()) - 1; }
  index_t edge_count() const { return edges.empty() ? 0 : index_t(edges.size()) - 1; }
};

/// Values that drive fields: a set of columns, each a function of time.
struct SourceTable {
  int columns = 0;
  /// Writes values[s * columns + col] for steps first .. first + steps - 1. Called with increasing steps,
  /// from step 0 or from where a resumed run begins.
  std::function<void(long first, long steps, double* values)> fill;
};

/// field[cell[p]] += sum over t of weight[p * taps + t] * value[column[p] + t] each step (or = for `hard`),
/// after the update of that field. During step n (0, 1, ...) H goes from (n-1/2) dt to (n+1/2) dt and E from
/// n dt to (n+1) dt; the table knows at which time its values are wanted. Complex runs: weights and values
/// are complex, the imaginary parts in `weight_imag` and in a second table of the same columns.
struct SourceGroup {
  Component component = Ez;
  bool hard = false;
  int table = 0;  ///< of Problem::tables
  int taps = 1;
  std::vector<index_t> cells;
  std::vector<int> columns;  ///< first column of each point
  std::vector<double> weights, weights_imag;
  int table_imag = -1;  ///< -1: real values
};

/// A series of weighted sums of one field: channel ch adds weight[p] * field[cell[p]] over its points
/// first[ch] <= p < first[ch+1]; sampled after every `interval`-th step (after steps interval-1, 2
/// interval-1,
/// ...).
struct Recorder {
  Component component = Ez;
  int interval = 1;
  std::vector<index_t> cells;
  std::vector<double> weights;
  std::vector<index_t> first;  ///< channels + 1 entries
  bool squares = false;        ///< channel sums weight * field^2 instead
  index_t channels() const { return index_t(first.size()) - 1; }
};

/// A running Fourier transform: for each frequency and point the sum over samples of
/// field(t) exp(+i 2 pi f t) * interval * dt (a peak amplitude needs a factor chosen by the reader), with t
/// the time at which that component is known (E: (n+1) dt, H: (n+1/2) dt after step n).
struct FourierAccumulator {
  Component component = Ez;
  int interval = 1;
  std::vector<index_t> cells;
  std::vector<double> frequencies;  ///< c / length
};

/// Edges of one component that a conductor cuts. What an engine holds there is free * E, the mean of E over
/// the whole edge with 0 in the conductor: curls and Poynting's theorem then need nothing else
/// (docs/decisions 0020). Fields given to and taken from an engine as blocks are E; recorders and transforms
/// see what is held.
struct CutEdges {
  std::vector<index_t> cells;  ///< layout indices, increasing
  std::vector<double> free;    ///< fraction of the edge outside the conductor, 0 < free < 1
};

/// Where a part of a problem holds planes from both sides of a Bloch wall across `axis` (the last one, or in
/// space the one before it): planes `plane` and `plane + 1` are the ghosts of those sides and are never
/// stepped. The side above is a period on.
struct Seam {
  int plane = 0;
  double phase = 0;
  int axis = 0;
};

/// How conductors were put on the grid.
struct ConductorReport {
  index_t cut = 0;         ///< edges and faces between 0 and 1
  index_t thin = 0;        ///< edges taken by conductors thinner than a cell
  Vec3 thin_at{0, 0, 0};   ///< one of them
  index_t enlarged = 0;    ///< faces larger than they are, for the time step's sake
  double enlarged_by = 0;  ///< the largest excess, in cells
};

struct Problem {
  Grid grid;
  Precision precision = Precision::single_;
  bool complex_fields = false;
  std::array<std::array<Closure, 2>, 3>
      walls{};                ///< [axis][low, high]; pec by default; periodic on both sides or none
  Vec3 bloch_phase{0, 0, 0};  ///< k L per axis; needs complex_fields unless zero
  std::array<std::array<PmlSide, 2>, 3> pml;

  std::vector<Coefficients>
      coefficients;  ///< what material indices refer to; [0] is the background's E, by custom
  std::array<std::vector<std::uint16_t>, 6> material;  ///< per component, over Layout; empty where uniform
  std::array<std::uint16_t, 6> uniform{};              ///< the index where `material` is empty
  std::vector<TensorTerm> tensor[3];                   ///< per E component
  CutEdges cut_edges[3];                               ///< per E component
  ConductorReport conductors;
  std::vector<std::string> doubts;  ///< of sources as they were posed, for the user
  std::vector<DispersiveGroup> dispersive;
  CutMedia cut_media;
  std::vector<SourceTable> tables;
  std::vector<SourceGroup> sources;
  std::vector<Recorder> recorders;
  std::vector<FourierAccumulator> fouriers;

  bool part = false;        ///< some planes of a larger problem, which absorbing layers may fill
  std::vector<Seam> seams;  ///< of a part
};

}  // namespace umov::fdtd
