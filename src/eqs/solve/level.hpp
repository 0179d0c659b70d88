// Rows of the discrete equations on one device: those of all unknowns, and the electrodes' part in them.
#pragma once

#include <utility>
#include <vector>

#include "eqs/kernels/assembly.hpp"
#include "eqs/kernels/jacobian.hpp"
#include "eqs/kernels/vectors.hpp"
#include "eqs/model/device_model.hpp"
#include "eqs/model/pattern.hpp"
#include "eqs/solve/by_order.hpp"
#include "eqs/solve/row_chunks.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::eqs {

/// Charge and conduction current, per fixed electrode or of one state.
struct ElectrodeSums {
  std::vector<double> charge, conduction;
};

/// A pattern with its two matrices, and what nonlinear elements add. Order 2 has a second one of first-order
/// elements, for the preconditioner.
template <class Device>
struct Level {
  template <class T>
  using Array = typename Device::template Array<T>;
  int order = 1, rows = 0, columns = 0;
  Array<int> start, column;
  Array<double> m, k;  ///< constant parts of eps and kappa; k is empty where none conducts
  Array<double> a;     ///< Newton's matrix
  Array<int> nl_row, nl_start;
  Array<index_t> nl_list;
  Array<std::uint8_t> nl_place;  ///< PlacesInRows; empty: of second order, or nodes have a base
  sparse::LongRows<Device> long_rows;
  RowChunks<Device> chunks, nl_chunks;  ///< long rows of the pattern, and of nl_list
  Array<int> mirrored_first;            ///< MirroredEntries; empty: there is no long row
  index_t mirrored = 0;

  /// Whether it has been filled, if only with no rows.
  bool filled() const { return start.size() > 0; }
  index_t entries() const { return index_t(column.size()); }
  sparse::CsrView<double> view() const {
    return {rows, columns, start.data(), column.data(), a.data(), entries(), long_rows.view()};
  }
  sparse::CsrView<double> charge_view() const {
    return {rows, columns, start.data(), column.data(), m.data(), entries(), long_rows.view()};
  }
  const double* kappa() const { return k.size() ? k.data() : nullptr; }
  void take_nonlinear(Device& dev, const NonlinearPart& part) {
    nl_row = to_device(dev, part.row);
    nl_start = to_device(dev, part.touching.start);
    nl_list = to_device(dev, part.touching.list);
    nl_chunks.find(dev, part.touching.start);
  }
  /// Of first order, once pattern and nonlinear elements (those of NonlinearPart) are there.
  void find_places(Device& dev, const ModelView& model, const Array<int>& element) {
    if (order != 1 || model.base || start.size() == 0 || nl_row.size() == 0) return;
    nl_place = dev.template allocate<std::uint8_t>(4 * nl_list.size());
    dev.for_each(index_t(nl_row.size()), PlacesInRows{model, nonlinear(element.data()), start.data(),
                                                      column.data(), nl_place.data()});
    if (columns != rows) return;  // of a rank: rows of other ranks' columns are not here
    std::vector<int> first{0};
    for (const int r : nl_chunks.rows()) {
      int row = 0, ends[2];
      dev.download(&row, nl_row.data() + r, 1);
      dev.download(ends, start.data() + row, 2);
      first.push_back(first.back() + ends[1] - ends[0]);
    }
    mirrored = first.back();
    if (mirrored == 0) return;
    mirrored_first = to_device(dev, first);
  }
  RowChunksView chunks_of_rows() const { return chunks.view(start.data()); }
  RowChunksView chunks_of_nonlinear() const { return nl_chunks.view(nl_start.data()); }
  /// `element`: those of NonlinearPart.
  NonlinearView nonlinear(const int* element) const {
    return {element, nl_row.data(), {nl_start.data(), nl_list.data()}};
  }
  std::size_t bytes() const {
    return start.bytes() + column.bytes() + m.bytes() + k.bytes() + a.bytes() + nl_row.bytes() +
           nl_start.bytes() + nl_list.bytes() + nl_place.bytes() + long_rows.bytes() + chunks.bytes() +
           nl_chunks.bytes() + mirrored_first.bytes();
  }
};

/// Entries of rows whose elements have nodes at fixed potential, one per row and electrode.
template <class Device>
struct FixedRows {
  template <class T>
  using Array = typename Device::template Array<T>;
  Array<int> row, start, electrode;
  Array<double> m, k;  ///< constant parts of eps and kappa

  void allocate(Device& dev, const Pattern& pattern) {
    row = to_device(dev, pattern.fixed_row);
    start = to_device(dev, pattern.fixed_start);
    electrode = to_device(dev, pattern.fixed_electrode);
    m = dev.template allocate<double>(pattern.fixed_electrode.size());
    k = dev.template allocate<double>(pattern.fixed_electrode.size());
  }
  index_t size() const { return index_t(row.size()); }
  std::size_t bytes() const {
    return row.bytes() + start.bytes() + electrode.bytes() + m.bytes() + k.bytes();
  }

  /// What the unknowns' potentials u bring to each electrode, of those at fixed potential.
  ElectrodeSums sums(Device& dev, int electrodes, const double* u, const double* fixed, HeldView held) const {
    ElectrodeSums s{std::vector<double>(electrodes, 0.0), std::vector<double>(electrodes, 0.0)};
    for (int first = 0; first < electrodes; first += electrodes_at_once) {
      const auto sums = dev.template map_reduce<2 * electrodes_at_once, double>(
          size(),
          FixedSums{row.data(), start.data(), electrode.data(), m.data(), k.data(), u, fixed, held, first});
      for (int e = 0; e < electrodes_at_once && first + e < electrodes; ++e) {
        s.charge[first + e] += sums.v[2 * e];
        s.conduction[first + e] += sums.v[2 * e + 1];
      }
    }
    return s;
  }
};

/// Pattern and constant parts; `fixed` (nullptr: not wanted): the electrodes' part.
template <class Device>
void fill_level(Device& dev, const Problem& p, int order, const ModelView& model, bool conducting,
                Level<Device>& l, FixedRows<Device>* fixed) {
  const auto made = pattern_of(p, order);
  const Pattern& pattern = *made;
  l.order = order;
  l.rows = int(pattern.start.size()) - 1;
  l.columns = p.share ? p.unknowns : l.rows;
  l.start = to_device(dev, pattern.start);
  l.column = to_device(dev, pattern.column);
  l.m = dev.template allocate<double>(pattern.column.size());
  find_long_rows(dev, l.rows, std::as_const(l.start).data(), l.long_rows);
  l.chunks.find(dev, pattern.start);
  if (conducting) l.k = dev.template allocate<double>(pattern.column.size());
  l.a = dev.template allocate<double>(pattern.column.size());
  const auto incidence_start = to_device(dev, pattern.touching.start);
  const auto incidence_list = to_device(dev, pattern.touching.list);
  const IncidenceView touching{incidence_start.data(), incidence_list.data()};
  if (fixed) fixed->allocate(dev, pattern);
  with_order(order, [&](auto tag) {
    constexpr int n = decltype(tag)::value;
    dev.for_each(l.rows, AssembleRows<n>{model, touching, l.start.data(), l.column.data(), l.m.data(),
                                         conducting ? l.k.data() : nullptr});
    if (fixed)
      dev.for_each(fixed->size(),
                   AssembleFixed<n>{model, touching, fixed->row.data(), fixed->start.data(),
                                    fixed->electrode.data(), fixed->m.data(), fixed->k.data()});
  });
  dev.synchronize();
}

/// What is known of nonlinear elements for a matrix: their tensors, and places for numbers, two arrays
/// [element][stride].
struct NonlinearWork {
  const int* element;
  index_t elements;
  const Tensor* tensor;
  double *first, *rest;
  int stride;
};

/// Newton's matrix: the constant parts, unless they are there, and tensors of nonlinear elements.
template <class Device>
void fill_matrix(Device& dev, const ModelView& model, const NonlinearWork& work, const Weights& w,
                 bool constant_part_is_there, Level<Device>& l) {
  if (!constant_part_is_there)
    dev.for_each(l.entries(), CombineEntries{l.m.data(), l.kappa(), w, l.a.data()});
  if (l.nl_row.size() == 0) return;
  const NonlinearView list = l.nonlinear(work.element);
  if (l.nl_place.size()) {
    dev.for_each(work.elements,
                 ElementCouplings{model, list, work.tensor, work.first, work.rest, work.stride});
    CouplingRows rows{
        model,           list,       work.first, work.rest, work.stride, l.nl_place.data(), l.start.data(),
        l.column.data(), l.m.data(), l.kappa(),  w,         l.a.data()};
    const RowChunksView chunks = l.mirrored ? l.chunks_of_nonlinear() : RowChunksView{};
    for_each_row(dev, index_t(l.nl_row.size()), rows, chunks);
    if (l.mirrored) dev.for_each(l.mirrored, MirroredEntries{rows, chunks, l.mirrored_first.data()});
    return;
  }
  with_order(l.order, [&](auto tag) {
    constexpr int n = decltype(tag)::value;
    dev.for_each(index_t(l.nl_row.size()),
                 NonlinearRows<n>{model, list, work.tensor, l.start.data(), l.column.data(), l.m.data(),
                                  l.kappa(), w, l.a.data()});
  });
}

/// Nodes over the bases of their bodies (empty where there is none), and an evaluation of their own.
template <class Device>
struct HeldRows {
  template <class T>
  using Array = typename Device::template Array<T>;
  Array<int> held, code;  ///< per unknown, as HeldView has it; of the electrodes, alike
  Array<double> q, i, magnitude;

  void allocate(Device& dev, const Problem& p) {
    std::vector<int> base(std::size_t(p.unknowns), no_unknown), electrode;
    for (int n = 0; n < p.nodes; ++n)
      if (p.base[n] != p.unknown[n] && p.unknown[n] >= 0) base[p.unknown[n]] = p.base[n];
    for (std::size_t e = 0; e < p.electrodes.size(); ++e)
      electrode.push_back(p.electrodes[e].unknown >= 0 ? p.electrodes[e].unknown : -1 - int(e));
    held = to_device(dev, base);
    code = to_device(dev, electrode);
    for (auto* v : {&q, &i, &magnitude}) *v = dev.template allocate<double>(p.unknowns);
  }
  HeldView view() const { return {held.size() ? held.data() : nullptr}; }
  std::size_t bytes() const { return held.bytes() + 3 * q.bytes(); }
};

}  // namespace umov::eqs
