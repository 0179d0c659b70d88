// First butterflies that are too large for the registers next to those of other components: every thread
// takes one component, and even and odd frequencies one after the other.
#pragma once

#include "dda/tuned/cuda/roots.hpp"

namespace umov::dda::tuned {

template <class C>
using RealOf = decltype(C::re);

/// The first pass, of lines whose upper halves are zero: source.get(component, source.find(point, line)).
template <int R, int Components, class AxisOf, class Layout, class C, class Source>
__device__ __forceinline__ void forward_in_halves(const AxisOf& axis, const Layout& layout, C* shared,
                                                  int component_stride, const Source& source) {
  constexpr int H = R / 2;
  const int span = axis.span(0), items = span * layout.lines();
  for (int unit = threadIdx.x; unit < Components * items; unit += AxisOf::threads) {
    const int c = unit / items;
    int k, line;
    layout.split(axis, 0, unit - c * items, k, line);
    C a[H], b[H];
    unrolled<H>([&](auto q) { a[q.value] = source.get(c, source.find(k + q.value * span, line)); });
    HalfRoots<RealOf<C>, H> root(axis.roots, k);
    C* s = shared + c * component_stride;
    unrolled<H>([&](auto q) { b[q.value] = a[q.value]; });
    dft<H, -1>(b);
    s[layout.at(k, line)] = b[0];
    unrolled<H - 1>([&](auto p) {
      constexpr int q = p.value + 1;
      s[layout.at(k + 2 * q * span, line)] = b[q] * root.template get<q, false>();
    });
    root.turn();
    unrolled<H>([&](auto q) { a[q.value] = times_root<R, q.value, -1>(a[q.value]); });
    dft<H, -1>(a);
    unrolled<H>([&](auto q) {
      s[layout.at(k + (2 * q.value + 1) * span, line)] = a[q.value] * root.template get<q.value, true>();
    });
  }
}

/// The way back.
template <int R, int Components, class AxisOf, class Layout, class C, class Sink>
__device__ __forceinline__ void inverse_in_halves(const AxisOf& axis, const Layout& layout, const C* shared,
                                                  int component_stride, Sink& sink) {
  constexpr int H = R / 2;
  const int span = axis.span(0), items = span * layout.lines();
  for (int unit = threadIdx.x; unit < Components * items; unit += AxisOf::threads) {
    const int c = unit / items;
    int k, line;
    layout.split(axis, 0, unit - c * items, k, line);
    HalfRoots<RealOf<C>, H> root(axis.roots, k);
    const C* s = shared + c * component_stride;
    C a[H], b[H];
    a[0] = s[layout.at(k, line)];
    unrolled<H - 1>([&](auto p) {
      constexpr int q = p.value + 1;
      a[q] = s[layout.at(k + 2 * q * span, line)] * conj(root.template get<q, false>());
    });
    dft<H, +1>(a);
    root.turn();
    unrolled<H>([&](auto q) {
      b[q.value] =
          s[layout.at(k + (2 * q.value + 1) * span, line)] * conj(root.template get<q.value, true>());
    });
    dft<H, +1>(b);
    unrolled<H>([&](auto q) {
      sink.put(c, sink.find(k + q.value * span, line), a[q.value] + times_root<R, q.value, +1>(b[q.value]));
    });
  }
}

}  // namespace umov::dda::tuned
