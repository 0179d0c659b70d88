// Cells that materials with poles share with others, on the device.
#pragma once

#include "fdtd/cut_turns.hpp"
#include "fdtd/kernels/cut_media.hpp"
#include "fdtd/source_pass.hpp"

namespace umov::fdtd {

template <class Dev, class T, class F>
class CutPass {
  using S = State<Dev, T, F>;
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  CutPass(S& s, const Problem& p)
      : dt_(T(p.grid.dt)), nodes_(p.cut_media.node_count()), edges_(p.cut_media.edge_count()) {
    if (empty()) return;
    set_nodes(s, p.cut_media);
    set_sites(s, p.cut_media);
    set_edges(s, p);
    set_turns(s, p);
  }

  bool empty() const { return nodes_ == 0; }
  index_t nodes() const { return nodes_; }
  index_t edges() const { return edges_; }
  /// Before the poles of this step: E from the flows of the last.
  SubtractFlows<T, F> subtract(S& s) const {
    return {field_pointers(s), edge_component_.data(), edge_cell_.data(), first_tap_.data(),
            tap_half_.data(),  tap_weight_.data(),     flow_.data()};
  }
  /// After it: the new flows.
  PolarizeNode<T, F> polarize(S& s) {
    return {field_pointers(s),
            first_half_.data(),
            first_site_.data(),
            compliance_.data(),
            half_component_.data(),
            half_cell_.data(),
            coupling_.data(),
            turned_ ? turn_.data() : nullptr,
            turned_ ? back_.data() : nullptr,
            sites_.data(),
            poles_.data(),
            state_.data(),
            flow_.data(),
            dt_};
  }
  void apply(S& s) {
    if (empty()) return;
    s.dev.for_each(edges_, subtract(s));
    s.dev.for_each(nodes_, polarize(s));
  }
  template <class Visit>
  void visit_changing(const Visit& f) {
    if (!empty()) f(state_), f(flow_);
  }
  std::size_t bytes() const {
    return first_half_.bytes() + first_site_.bytes() + compliance_.bytes() + half_component_.bytes() +
           half_cell_.bytes() + coupling_.bytes() + turn_.bytes() + back_.bytes() + sites_.bytes() +
           poles_.bytes() + state_.bytes() + flow_.bytes() + edge_component_.bytes() + edge_cell_.bytes() +
           first_tap_.bytes() + tap_half_.bytes() + tap_weight_.bytes();
  }

 private:
  /// One column of a list of structs.
  template <class V, class List, class Get>
  static Array<V> column(S& s, const List& list, const Get& get) {
    std::vector<V> values;
    for (const auto& entry : list) values.push_back(V(get(entry)));
    return s.copy_of(values);
  }

  void set_nodes(S& s, const CutMedia& m) {
    first_half_ = column<index_t>(s, m.nodes, [](const auto& n) { return n.first_half; });
    first_site_ = column<index_t>(s, m.nodes, [](const auto& n) { return n.first_site; });
    compliance_ = column<T>(s, m.nodes, [](const auto& n) { return n.compliance; });
    half_component_ = column<std::uint8_t>(s, m.halves, [](const auto& h) { return h.component; });
    half_cell_ = column<index_t>(s, m.halves, [](const auto& h) { return h.cell; });
    coupling_ = column<T>(s, m.halves, [](const auto& h) { return h.coupling; });
    flow_ = s.template zeros<F>(m.halves.size());
  }
  void set_sites(S& s, const CutMedia& m) {
    std::vector<PoleNumbers<T>> poles;
    std::vector<int> first;
    for (const auto& medium : m.media) {
      first.push_back(int(poles.size()));
      for (const PoleTerm& t : medium) poles.push_back({t.debye, T(t.a), T(t.b), T(t.c), T(0)});
    }
    std::vector<CutSite<T>> sites;
    index_t states = 0;
    for (const auto& site : m.sites) {
      const int count = int(m.media[site.medium].size());
      sites.push_back({site.half, first[site.medium], count, states, T(site.weight), T(site.jump)});
      states += 2 * count;
    }
    poles_ = s.copy_of(poles);
    sites_ = s.copy_of(sites);
    state_ = s.template zeros<F>(std::size_t(states));
  }
  void set_edges(S& s, const Problem& p) {
    const CutMedia& m = p.cut_media;
    edge_component_ = column<std::uint8_t>(s, m.edges, [](const auto& e) { return e.component; });
    edge_cell_ = column<index_t>(s, m.edges, [](const auto& e) { return e.cell; });
    first_tap_ = column<index_t>(s, m.edges, [](const auto& e) { return e.first_tap; });
    tap_half_ = column<index_t>(s, m.taps, [](const auto& t) { return t.half; });
    std::vector<F> weights;
    for (index_t e = 0; e < m.edge_count(); ++e)
      for (index_t t = m.edges[e].first_tap; t < m.edges[e + 1].first_tap; ++t)
        weights.push_back(
            to_field<F>(m.taps[t].weight * turn_between(p, m.edges[e].cell, m.halves[m.taps[t].half].cell)));
    tap_weight_ = s.copy_of(weights);
  }
  /// A node takes the phase of its first half.
  void set_turns(S& s, const Problem& p) {
    const CutMedia& m = p.cut_media;
    turned_ = p.complex_fields && (p.bloch_phase != Vec3{0, 0, 0} || !p.seams.empty());
    if (!turned_) return;
    std::vector<F> turn, back;
    for (index_t n = 0; n < m.node_count(); ++n)
      for (index_t h = m.nodes[n].first_half; h < m.nodes[n + 1].first_half; ++h) {
        const cplx z = turn_between(p, m.halves[m.nodes[n].first_half].cell, m.halves[h].cell);
        turn.push_back(to_field<F>(z)), back.push_back(to_field<F>(std::conj(z)));
      }
    turn_ = s.copy_of(turn);
    back_ = s.copy_of(back);
  }

  T dt_;
  index_t nodes_, edges_;
  Array<index_t> first_half_, first_site_, half_cell_, edge_cell_, first_tap_, tap_half_;
  Array<std::uint8_t> half_component_, edge_component_;
  Array<T> compliance_, coupling_;
  Array<F> tap_weight_, turn_, back_;
  bool turned_ = false;
  Array<CutSite<T>> sites_;
  Array<PoleNumbers<T>> poles_;
  Array<F> state_, flow_;
};

}  // namespace umov::fdtd
