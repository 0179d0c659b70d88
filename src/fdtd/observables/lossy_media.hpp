// What the media of a painted grid take from harmonic fields and hold of their energy, point by point.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "fdtd/problem.hpp"
#include "fdtd/scene.hpp"

namespace umov::fdtd {

/// Per |field|^2 and volume at one point and frequency: power lost, mean energy held.
struct FieldShare {
  double lost = 0, held = 0;
};

/// Points with one update equation, frequency by frequency.
struct PointMedium {
  std::vector<FieldShare> at;  ///< per frequency
  int material = -1;           ///< number in LossyMedia::names() of what loses; -1: nothing does
};

/// One half edge of a node that several materials share, some of them with memory (CutMedia): what its sites
/// lose follows from all fields around the node.
struct CutNode {
  struct Site {
    int half = 0, medium = 0;
    double weight = 0, jump = 0;
  };
  double compliance = 0;
  std::vector<int> edge;         ///< number of the edge of each half
  std::vector<cplx> turn;        ///< phase of its field as the node sees it
  std::vector<double> coupling;  ///< of each half
  std::vector<Site> sites;
};

class LossyMedia {
 public:
  LossyMedia(const Scene&, const Problem&, const std::vector<double>& frequencies);

  /// The medium of a point, by layout index and place on the grid. Of an edge that is cut it holds what
  /// answers at once.
  int medium(Component, index_t cell, const Int3& at);
  const PointMedium& operator[](int medium) const { return media_[std::size_t(medium)]; }
  bool loses(int medium) const { return media_[std::size_t(medium)].material >= 0; }

  /// Number of an edge among those that are cut; -1: it is not.
  int cut_edge(Component, index_t cell) const;
  std::size_t cut_edges() const { return edges_.size(); }
  /// Component and layout index of a cut edge.
  const std::pair<Component, index_t>& edge(int number) const { return edges_[std::size_t(number)]; }
  /// Nodes that have halves of these cut edges.
  std::vector<CutNode> nodes_of(const std::vector<char>& wanted) const;

  /// Adds what a node's sites lose and hold per volume: add(half, material, lost, held). `field`: E of its
  /// halves as they are stored.
  template <class Add>
  void node_powers(const CutNode&, std::size_t frequency, const std::vector<cplx>& field,
                   const Add& add) const;

  /// Names of the materials that lose.
  const std::vector<std::string>& names() const { return names_; }
  /// Of a medium of CutMedia, a number in names(); -1: lossless.
  int cut_material(int medium) const { return cut_media_[std::size_t(medium)].material; }

 private:
  /// A medium of CutMedia at one frequency: (known polarization) / E, energy held beyond what answers at
  /// once.
  struct CutMedium {
    std::vector<cplx> known;
    std::vector<double> held;
    int material = -1;
  };
  void set_cut_media();
  PointMedium make(Component, index_t cell, int group, int material);
  double angular(std::size_t f) const { return 2 * pi * frequencies_[f]; }
  int group_of(Component, index_t cell) const;
  int name(const std::string&);
  int lossy_at(Component, const Int3& at) const;
  std::string owner_of(const std::vector<PoleTerm>&, Component) const;

  const Scene& scene_;
  const Problem& problem_;
  std::vector<double> frequencies_, omega_;  ///< omega: (2 / dt) sin(w dt / 2)
  std::vector<PointMedium> media_;
  std::map<std::tuple<int, int, int, int>, int> known_;  ///< component, coefficients, group, material
  std::vector<CutMedium> cut_media_;
  std::vector<std::pair<Component, index_t>> edges_;
  std::array<std::unordered_map<index_t, int>, 3> number_;
  std::vector<std::string> names_;
};

template <class Add>
void LossyMedia::node_powers(const CutNode& n, std::size_t f, const std::vector<cplx>& field,
                             const Add& add) const {
  // delta of CutMedia: what the halves' fields and the sites' polarizations make of it.
  cplx balance = 0, stiffness = 0;
  for (std::size_t h = 0; h < n.edge.size(); ++h) balance += n.coupling[h] * n.turn[h] * field[h];
  for (const CutNode::Site& s : n.sites) {
    const cplx known = cut_media_[std::size_t(s.medium)].known[f];
    balance += s.weight * s.jump * known * n.turn[std::size_t(s.half)] * field[std::size_t(s.half)];
    stiffness += s.weight * s.jump * s.jump * known;
  }
  const cplx delta = -n.compliance * balance / (1.0 + n.compliance * stiffness);
  for (const CutNode::Site& s : n.sites) {
    const CutMedium& m = cut_media_[std::size_t(s.medium)];
    const auto h = std::size_t(s.half);
    const double size = s.weight * std::norm(n.turn[h] * field[h] + s.jump * delta);
    add(s.half, m.material, 0.5 * omega_[f] * m.known[f].imag() * size, 0.25 * m.held[f] * size);
  }
}

}  // namespace umov::fdtd
