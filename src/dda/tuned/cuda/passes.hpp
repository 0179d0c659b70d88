// The passes of a transform over many lines held in shared memory; each is one round of butterflies in place.
#pragma once

#include "dda/tuned/cuda/axis.hpp"
#include "dda/tuned/cuda/dft.hpp"
#include "dda/tuned/cuda/halves.hpp"
#include "dda/tuned/cuda/point_layout.hpp"
#include "dda/tuned/cuda/radices.hpp"
#include "dda/tuned/cuda/roots.hpp"

namespace umov::dda::tuned {

/// A sink whose values meet others from memory.
template <class Sink>
concept MeetsMemory = requires(const Sink& sink) {
  sink.met(sink.find(0, 0));
};

/// Transforms `Components` sets of lines, component c at c * component_stride in shared memory. Every method
/// is called by all threads of the block and ends with a barrier: of the block, or of the team of threads
/// (axis.hpp) that the next pass shares points with.
template <class T, class AxisOf, class Layout, int Components>
struct Passes {
  using C = Complex<T>;
  const AxisOf& axis;
  Layout layout;
  C* shared;
  int component_stride;

  /// Points that can be non-zero of the R a first butterfly takes.
  template <int R>
  static constexpr int half = R % 2 == 0 ? R / 2 : R;

  /// The first pass of columns takes points that all teams of the block share.
  __device__ void wait_between(int pass, int next) const {
    if (!Layout::lines_are_teams && (pass == 0 || next == 0))
      __syncthreads();
    else
      wait_for_team<AxisOf>();
  }

  template <class F>
  __device__ void on_first_radix(const F& f) const {
    if constexpr (AxisOf::fixed)
      f(Radix<AxisOf::radix(0)>{});
    else
      with_first_radix(axis.radix(0), f);
  }
  template <class F>
  __device__ void on_last_radix(const F& f) const {
    if constexpr (AxisOf::fixed)
      f(Radix<AxisOf::radix(AxisOf::passes() - 1)>{});
    else
      with_last_radix(axis.radix(axis.passes() - 1), f);
  }

  template <class F>
  __device__ void on_inner_radix(int p, const F& f) const {
    if constexpr (AxisOf::fixed)
      unrolled<AxisOf::passes() - 1>([&](auto q) {
        if (q.value + 1 == p) f(Radix<AxisOf::radix(q.value + 1)>{});
      });
    else
      with_inner_radix(axis.radix(p), f);
  }

  /// Whether a first butterfly is taken as in halves.hpp.
  template <int R>
  static constexpr bool in_halves = Components > 1 && R % 2 == 0 && R >= AxisOf::halves_from;

  /// Reads the part of the lines that is not padding. source(point, line) gives a handle, source(c, handle)
  /// the value.
  template <class Source>
  __device__ void first_forward(const Source& source) const {
    on_first_radix([&](auto radix) {
      constexpr int R = decltype(radix)::value;
      if constexpr (in_halves<R>) {
        forward_in_halves<R, Components>(axis, layout, shared, component_stride, source);
      } else {
        const int span = axis.span(0);
        const Items items = layout.items(axis, 0);
        for (int item = items.begin; item < items.end; item += items.step) {
          int k, line;
          layout.split(axis, 0, item, k, line);
          decltype(source.find(0, 0)) handle[half<R>];
          unrolled<half<R>>([&](auto q) { handle[q.value] = source.find(k + q.value * span, line); });
          // Asked for together where registers allow: one wait for memory instead of one a component.
          constexpr bool together = Components > 1 && R <= 8;
          C all[together ? Components : 1][half<R>];
          if constexpr (together)
            unrolled<Components>([&](auto c) {
              unrolled<half<R>>(
                  [&](auto q) { all[c.value][q.value] = source.get(c.value, handle[q.value]); });
            });
          const Roots<T, R> root(axis.roots, k);
          unrolled<Components>([&](auto component) {
            constexpr int c = decltype(component)::value;
            C a[R];
            unrolled<half<R>>([&](auto q) {
              if constexpr (together)
                a[q.value] = all[c][q.value];
              else
                a[q.value] = source.get(c, handle[q.value]);
            });
            if constexpr (R % 2 == 0)
              dft_of_half<R>(a);
            else
              dft<R, -1>(a);
            C* s = shared + c * component_stride;
            s[layout.at(k, line)] = a[0];
            unrolled<R - 1>([&](auto p) {
              constexpr int q = p.value + 1;
              s[layout.at(k + q * span, line)] = a[q] * root.template get<q>();
            });
          });
        }
      }
    });
    wait_between(0, 1);
  }

  /// The way back: only the part inside the box is formed. sink.find(point, line), sink.put(c, handle,
  /// value); or, where a value meets another from memory, sink.put(handle, value, sink.met(handle)).
  template <class Sink>
  __device__ void last_inverse(Sink& sink) const {
    on_first_radix([&](auto radix) {
      constexpr int R = decltype(radix)::value;
      if constexpr (in_halves<R>) {
        inverse_in_halves<R, Components>(axis, layout, shared, component_stride, sink);
      } else {
        const int span = axis.span(0);
        const Items items = layout.items(axis, 0);
        for (int item = items.begin; item < items.end; item += items.step) {
          int k, line;
          layout.split(axis, 0, item, k, line);
          decltype(sink.find(0, 0)) handle[half<R>];
          unrolled<half<R>>([&](auto q) { handle[q.value] = sink.find(k + q.value * span, line); });
          const Roots<T, R> root(axis.roots, k);
#pragma unroll 1
          for (int c = 0; c < Components; ++c) {
            const C* s = shared + c * component_stride;
            C a[R];
            a[0] = s[layout.at(k, line)];
            unrolled<R - 1>([&](auto p) {
              constexpr int q = p.value + 1;
              a[q] = s[layout.at(k + q * span, line)] * conj(root.template get<q>());
            });
            if constexpr (R % 2 == 0)
              dft_to_half<R>(a);
            else
              dft<R, +1>(a);
            if constexpr (MeetsMemory<Sink>) {
              C met[half<R>];
              unrolled<half<R>>([&](auto q) { met[q.value] = sink.met(handle[q.value]); });
              unrolled<half<R>>([&](auto q) { sink.put(handle[q.value], a[q.value], met[q.value]); });
            } else {
              unrolled<half<R>>([&](auto q) { sink.put(c, handle[q.value], a[q.value]); });
            }
          }
        }
      }
    });
    wait_between(0, 0);
  }

  /// Pass `p`, forward (Sign = -1) or backward (+1), in shared memory.
  template <int Sign>
  __device__ void inner(int p) const {
    on_inner_radix(p, [&](auto radix) {
      constexpr int R = decltype(radix)::value;
      const int span = axis.span(p), step = axis.step(p);
      const Items items = layout.items(axis, p);
      for (int item = items.begin; item < items.end; item += items.step) {
        int b, line;
        layout.split(axis, p, item, b, line);
        const int block = axis.over_span(p, b), k = b - block * span, first = block * span * R + k;
        const Roots<T, R> root(axis.roots, k * step);
#pragma unroll 1
        for (int c = 0; c < Components; ++c) {
          C* s = shared + c * component_stride;
          C a[R];
          unrolled<R>([&](auto q) { a[q.value] = s[layout.at(first + q.value * span, line)]; });
          if constexpr (Sign > 0)
            unrolled<R - 1>(
                [&](auto q) { a[q.value + 1] = a[q.value + 1] * conj(root.template get<q.value + 1>()); });
          dft<R, Sign>(a);
          if constexpr (Sign < 0)
            unrolled<R - 1>(
                [&](auto q) { a[q.value + 1] = a[q.value + 1] * root.template get<q.value + 1>(); });
          unrolled<R>([&](auto q) { s[layout.at(first + q.value * span, line)] = a[q.value]; });
        }
      }
    });
    wait_between(p, p - Sign);
  }

  /// Last forward pass, handing each frequency to put(c, frequency, line, value).
  template <class Put>
  __device__ void last_forward(const Put& put) const {
    const int p = axis.passes() - 1;
    on_last_radix([&](auto radix) {
      constexpr int R = decltype(radix)::value;
      const int count = axis.n() / R;
      const Items items = layout.items(axis, p);
      for (int item = items.begin; item < items.end; item += items.step) {
        int b, line;
        layout.split(axis, p, item, b, line);
        const int k = axis.first_frequency[b];
        for (int c = 0; c < Components; ++c) {
          const C* s = shared + c * component_stride;
          C a[R];
          unrolled<R>([&](auto q) { a[q.value] = s[layout.at(b * R + q.value, line)]; });
          dft<R, -1>(a);
          unrolled<R>([&](auto q) { put(c, k + q.value * count, line, a[q.value]); });
        }
      }
    });
    wait_between(p, p);
  }

  /// First inverse pass, taking each frequency from get(c, frequency, line).
  template <class Get>
  __device__ void first_inverse(const Get& get) const {
    const int p = axis.passes() - 1;
    on_last_radix([&](auto radix) {
      constexpr int R = decltype(radix)::value;
      const int count = axis.n() / R;
      const Items items = layout.items(axis, p);
      for (int item = items.begin; item < items.end; item += items.step) {
        int b, line;
        layout.split(axis, p, item, b, line);
        const int k = axis.first_frequency[b];
        for (int c = 0; c < Components; ++c) {
          C* s = shared + c * component_stride;
          C a[R];
          unrolled<R>([&](auto q) { a[q.value] = get(c, k + q.value * count, line); });
          dft<R, +1>(a);
          unrolled<R>([&](auto q) { s[layout.at(b * R + q.value, line)] = a[q.value]; });
        }
      }
    });
    wait_between(p, p - 1);
  }

  /// Last forward pass, multiply(frequency of point 0, frequency step, line, three values of R points), first
  /// inverse pass, in one round: the three components of a point meet in one thread.
  template <class Multiply>
  __device__ void middle(const Multiply& multiply) const {
    static_assert(Components == 3);
    const int p = axis.passes() - 1;
    const auto round = [&](auto radix) {
      constexpr int R = decltype(radix)::value;
      const int count = axis.n() / R;
      const Items items = layout.items(axis, p);
      for (int item = items.begin; item < items.end; item += items.step) {
        int b, line;
        layout.split(axis, p, item, b, line);
        const int k = axis.first_frequency[b];
        C a[3][R];
        unrolled<3>([&](auto c) {
          const C* s = shared + c.value * component_stride;
          unrolled<R>([&](auto q) { a[c.value][q.value] = s[layout.at(b * R + q.value, line)]; });
          dft<R, -1>(a[c.value]);
        });
        unrolled<R>([&](auto q) {
          multiply(k + q.value * count, line, a[0][q.value], a[1][q.value], a[2][q.value]);
        });
        unrolled<3>([&](auto c) {
          C* s = shared + c.value * component_stride;
          dft<R, +1>(a[c.value]);
          unrolled<R>([&](auto q) { s[layout.at(b * R + q.value, line)] = a[c.value][q.value]; });
        });
      }
    };
    if constexpr (AxisOf::fixed)
      round(Radix<AxisOf::radix(AxisOf::passes() - 1)>{});
    else
      with_tensor_radix(axis.radix(p), round);
    wait_between(p, p - 1);
  }
};

}  // namespace umov::dda::tuned
