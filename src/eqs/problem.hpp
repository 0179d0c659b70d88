// The discretised problem, on the host: what an engine of any backend starts from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eqs/curve.hpp"
#include "eqs/simulation.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::eqs {

/// An electrode with its nodes resolved.
struct Electrode {
  std::string name;
  ElectrodeSpec::Kind kind = ElectrodeSpec::Kind::ground;
  WaveformSpec waveform;  ///< driven; tables are read
  double charge = 0;      ///< floating, C
  int unknown = -1;       ///< floating: the one unknown of all its nodes
  UMOV_FIELDS(name, kind, waveform, charge, unknown)
};

/// Material of an element; curves are read and checked.
struct Material {
  std::string name;
  CurveSpec permittivity, conductivity;
  bool nonlinear() const { return permittivity.nonlinear() || conductivity.nonlinear(); }
  UMOV_FIELDS(name, permittivity, conductivity)
};

class SharedPatterns;  // pattern.hpp
struct RankShare;      // rank_share.hpp
class SystemSink;      // system_sink.hpp

/// What every rank has of a problem in whole.
struct Replicated {
  int order = 1;
  double symmetry_factor = 1;  ///< the whole over the part that is computed
  std::vector<Material> materials;
  std::vector<Electrode> electrodes;
  std::vector<char> good;        ///< per material: its elements form bodies
  double contrast = 1;           ///< left of materials that one current passes, which no base helps against
  double rate = 0;               ///< 1/s, at which permittivities take part: of the sine or the steps
  std::vector<int> island_size;  ///< of each part in Problem::island, its unknowns
  UMOV_FIELDS(order, symmetry_factor, materials, electrodes, good, contrast, rate, island_size)
};

/// Nodal elements of first (4 nodes) or second order (10 nodes) on straight tetrahedra. Space nodes are the
/// mesh's nodes, then (second order) one per edge, in the order of `edges.ends`. Elements inside conductors
/// are left out.
struct Problem : Settings, Replicated {
  mesh::TetMesh mesh;     ///< refined, sorted by place, without the conductors' insides
  mesh::Lineage lineage;  ///< of the mesh, where it was refined
  mesh::EdgeList edges;   ///< second order; else empty
  int nodes = 0;          ///< of the space
  /// Per space node: its unknown, or -1 - e for a node of driven or grounded electrode e. Nodes of a
  /// floating electrode share its unknown. Unknowns of mesh nodes come first: [0, vertex_unknowns).
  std::vector<int> unknown;
  int unknowns = 0, vertex_unknowns = 0;
  /// Bodies that conduct far better than what surrounds them (conductors.cpp). Their potentials are all but
  /// one, and what drives the current in them would drown in its digits: so a body has a base, the unknown of
  /// one of its nodes (or -1 - e, or the floating electrode's unknown, where it touches an electrode), and
  /// its other nodes' unknowns are potentials over that. Per space node: the base, no_unknown outside of
  /// bodies; a node whose unknown is the base holds it. A floating electrode in a body is a node of it, all
  /// of it. Empty: there are none.
  std::vector<int> base;
  std::vector<int> material;        ///< per element
  std::vector<int> node_electrode;  ///< per space node: its electrode (floating too) or -1
  /// Steady states, where something insulates; else empty. Parts that conduct, but not to a fixed potential:
  /// nothing carries their charge away. Per space node the number of its part, -1 where charge does leave (or
  /// the potential is fixed, or one over a base), -2 where nothing conducts.
  std::vector<int> island;
  std::vector<std::string> warnings;
  /// Patterns that problems of the same numbering share; nullptr: an engine makes its own.
  std::shared_ptr<SharedPatterns> patterns;
  SystemSink* systems = nullptr;  ///< hears of every linear system; nullptr: nobody does
  /// What of all this is the rank's own, where the problem is its share of one; nullptr: everything.
  std::shared_ptr<const RankShare> share;

  /// Of unknowns and elements those that are this rank's own: the first ones.
  int own_unknowns() const;
  int own_elements() const;

  /// Space node k (0..9) of an element.
  int node(int tet, int k) const {
    return k < 4 ? mesh.tets[tet][k] : int(mesh.nodes.size()) + edges.of_tet[tet][k - 4];
  }
};

/// Resolves names, checks and numbers. Throws BadInput (unnamed regions, a region without material, a curve
/// that is not monotone, two potentials on one node, a conductor cut off from everything, ...), each
/// with file, entity and what to do.
Problem make_problem(const Simulation&);

/// The same for a simulation of the same mesh and the same groups in materials and electrodes (kinds of
/// electrodes too) as `base` was made of, from its mesh: what is redone are checks, numbers of materials and
/// waveforms. Warnings of the mesh are left out.
Problem make_problem(const Simulation&, Problem base);

}  // namespace umov::eqs
