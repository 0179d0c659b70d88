// Dispersive materials on the device: edges, and the state of their poles.
#pragma once

#include "fdtd/cut_pass.hpp"

namespace umov::fdtd {

template <class Dev, class T, class F>
class PolePass {
  using S = State<Dev, T, F>;
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  PolePass(S& s, const Problem& p) : cut(s, p), dt_(T(p.grid.dt)) {
    for (const DispersiveGroup& g : p.dispersive) {
      if (g.cells.empty() || g.poles.empty() || !has_component(p.grid.mode, g.component)) continue;
      std::vector<PoleNumbers<T>> poles;
      for (const PoleTerm& t : g.poles) poles.push_back({t.debye, T(t.a), T(t.b), T(t.c), T(t.gain)});
      groups_.push_back({g.component, s.copy_of(g.cells), s.copy_of(poles),
                         s.template zeros<F>(2 * g.cells.size() * g.poles.size())});
    }
  }

  bool empty() const { return groups_.empty() && cut.empty(); }
  int groups() const { return int(groups_.size()); }
  void apply(S& s) {
    for (int g = 0; g < groups(); ++g) s.dev.for_each(index_t(groups_[g].cell.size()), kernel(s, g));
    cut.apply(s);
  }
  Polarize<T, F> kernel(S& s, int g) {
    Group& of = groups_[g];
    return {s.field(of.component),
            of.cell.data(),
            of.state.data(),
            index_t(of.cell.size()),
            of.poles.data(),
            int(of.poles.size()),
            dt_};
  }
  template <class Visit>
  void visit_changing(const Visit& f) {
    for (Group& g : groups_) f(g.state);
    cut.visit_changing(f);
  }
  std::size_t bytes() const {
    std::size_t sum = cut.bytes();
    for (const Group& g : groups_) sum += g.cell.bytes() + g.poles.bytes() + g.state.bytes();
    return sum;
  }

  CutPass<Dev, T, F> cut;  ///< cells they share with others

 private:
  struct Group {
    Component component;
    Array<index_t> cell;
    Array<PoleNumbers<T>> poles;
    Array<F> state;
  };
  std::vector<Group> groups_;
  T dt_;
};

}  // namespace umov::fdtd
