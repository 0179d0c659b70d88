// The state that changes from step to step, on the device: the fields, what multiplies them, and the memory
// of the absorbing layers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/complex.hpp"
#include "core/error.hpp"
#include "fdtd/ranges.hpp"

namespace umov::fdtd {

/// Coefficients of one component, for kernels: constants where it is uniform, else a table by material.
/// Id is std::uint8_t or std::uint16_t, over Layout.
template <class T>
struct UniformMedium {
  T decay_, drive_;
  UMOV_HD T decay(index_t) const { return decay_; }
  UMOV_HD T drive(index_t) const { return drive_; }
};
template <class T, class Id>
struct IndexedMedium {
  const Id* id;
  const T *decay_, *drive_;  // [material]
  UMOV_HD T decay(index_t e) const { return decay_[id[e]]; }
  UMOV_HD T drive(index_t e) const { return drive_[id[e]]; }
};

/// One slab of PmlSlab as kernels see it; b, c, stretch are indexed by position - first along the axis. psi
/// is nullptr where there is a stretch alone.
template <class T, class F>
struct SlabView {
  int axis, first;
  index_t pitch, plane, offset;
  F* psi;
  const T *b, *c, *stretch;
};

/// Device arrays of a problem. T: float or double. F: T, or Complex<T> for Bloch walls. Ids take one byte
/// where at most 256 coefficients exist, and no memory where a component is uniform.
/// Bytes per cell of a 3D float run: 24 fields, up to 6 ids, and 16 per cell of an absorbing layer.
template <class Dev, class T, class F>
class State {
 public:
  template <class V>
  using Array = typename Dev::template Array<V>;

  struct Slab {
    PmlSlab where;
    Array<F> psi;
    Array<T> table;  ///< b, c, stretch, one behind the other
    SlabView<T, F> view() {
      const T* t = table.data();
      return {where.axis,  where.first,      where.pitch,
              where.plane, where.offset,     where.size ? psi.data() : nullptr,
              t,           t + where.layers, t + 2 * where.layers};
    }
  };

  State(Dev& device, const Problem& p) : dev(device), grid(p.grid), layout(p.grid) {
    for (int c = 0; c < components; ++c) {
      if (!has_component(grid.mode, c)) continue;
      box[c] = update_box(p, c);
      field_[c] = zeros<F>(layout.size);
    }
    set_media(p);
    for (int a = 0; a < 3; ++a) {
      std::vector<double> edges;
      for (int i = 0; grid.graded(a) && i < grid.cells[a]; ++i) edges.push_back(grid.edge(a, i) / grid.dx);
      if (!edges.empty()) edges_[a] = copy_of(edges);
    }
    for (const Field f : {Field::E, Field::H})
      for (const PmlSlab& where : pml_slabs(p, f)) add_slab(where);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  F* field(int c) { return field_[c].data(); }
  const F* field(int c) const { return field_[c].data(); }
  /// The array itself, for steppers that exchange it for one of their own.
  Array<F>& field_array(int c) { return field_[c]; }
  bool uniform(int c) const { return narrow_[c].size() == 0 && wide_[c].size() == 0; }
  /// Calls f with the UniformMedium or IndexedMedium of a component.
  template <class Visit>
  void visit_medium(int c, const Visit& f) const {
    if (narrow_[c].size())
      f(IndexedMedium<T, std::uint8_t>{narrow_[c].data(), decay_.data(), drive_.data()});
    else if (wide_[c].size())
      f(IndexedMedium<T, std::uint16_t>{wide_[c].data(), decay_.data(), drive_.data()});
    else
      f(UniformMedium<T>{T(coefficients[uniform_[c]].decay), T(coefficients[uniform_[c]].drive)});
  }
  /// Raw tables for tuned steppers; ids are nullptr where the component is uniform or of the other width.
  const std::uint8_t* narrow_ids(int c) const { return narrow_[c].data(); }
  const std::uint16_t* wide_ids(int c) const { return wide_[c].data(); }
  const T* decay_table() const { return decay_.data(); }
  const T* drive_table() const { return drive_.data(); }
  /// Edges of cells along a graded axis over dx; nullptr along others.
  const double* edges(int axis) const { return grid.graded(axis) ? edges_[axis].data() : nullptr; }
  Coefficients uniform_coefficients(int c) const { return coefficients[uniform_[c]]; }

  std::size_t bytes() const {
    std::size_t sum = decay_.bytes() + drive_.bytes();
    for (int c = 0; c < components; ++c) sum += field_[c].bytes() + narrow_[c].bytes() + wide_[c].bytes();
    for (const auto& list : {&electric_slabs, &magnetic_slabs})
      for (const Slab& s : *list) sum += s.psi.bytes() + s.table.bytes();
    return sum;
  }
  /// Visits every array that changes with time, always in the same order: f(array).
  template <class Visit>
  void visit_changing(const Visit& f) {
    for (auto& a : field_)
      if (a.size()) f(a);
    for (auto* list : {&electric_slabs, &magnetic_slabs})
      for (Slab& s : *list)
        if (s.where.size) f(s.psi);
  }

  template <class V>
  Array<V> zeros(std::size_t n) {
    auto a = dev.template allocate<V>(n);
    dev.fill_zero(a.data(), n);
    return a;
  }
  template <class V>
  Array<V> copy_of(const std::vector<V>& host) {
    auto a = dev.template allocate<V>(host.size());
    dev.upload(a.data(), host.data(), host.size());
    return a;
  }

  Dev& dev;
  Grid grid;
  Layout layout;
  std::array<Box, components> box;         ///< where each component is updated
  std::vector<Coefficients> coefficients;  ///< as in the problem
  std::vector<Slab> electric_slabs, magnetic_slabs;

 private:
  void set_media(const Problem& p) {
    coefficients = p.coefficients;
    uniform_ = p.uniform;
    std::vector<T> decay, drive;
    for (const Coefficients& k : coefficients) {
      decay.push_back(T(k.decay));
      drive.push_back(T(k.drive));
    }
    decay_ = copy_of(decay);
    drive_ = copy_of(drive);
    for (int c = 0; c < components; ++c) {
      const auto& ids = p.material[c];
      if (ids.empty() || !has_component(grid.mode, c)) continue;
      if (coefficients.size() > 256)
        wide_[c] = copy_of(ids);
      else
        narrow_[c] = copy_of(std::vector<std::uint8_t>(ids.begin(), ids.end()));
    }
  }
  void add_slab(const PmlSlab& where) {
    std::vector<T> table;
    for (const auto* list : {&where.b, &where.c, &where.stretch})
      for (const double v : *list) table.push_back(T(v));
    auto& slabs = is_electric(where.component) ? electric_slabs : magnetic_slabs;
    slabs.push_back({where, zeros<F>(where.size), copy_of(table)});
  }

  std::array<Array<F>, components> field_;
  std::array<Array<std::uint8_t>, components> narrow_;
  std::array<Array<std::uint16_t>, components> wide_;
  std::array<std::uint16_t, 6> uniform_{};
  Array<T> decay_, drive_;
  std::array<Array<double>, 3> edges_;
};

}  // namespace umov::fdtd
