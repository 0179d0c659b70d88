// The passes of a transform over many lines held in shared memory; each is one round of butterflies in place.
#pragma once

#include "dda/tuned/cuda/axis.hpp"
#include "dda/tuned/cuda/dft.hpp"

namespace umov::dda::tuned {

/// Lines side by side: 2^log_width of them, a point of all of them is contiguous. Points are swizzled where
/// that is less than the 128 bytes of all banks, so that butterflies 4 apart do not meet in one bank.
struct Columns {
  int log_width, swizzle;
  __device__ int lines() const { return 1 << log_width; }
  template <class AxisOf>
  __device__ void split(const AxisOf&, int, int item, int& butterfly, int& line) const {
    line = item & ((1 << log_width) - 1);
    butterfly = item >> log_width;
  }
  __device__ int at(int point, int line) const {
    return ((point ^ ((point >> 2) & swizzle)) << log_width) + line;
  }
};

/// Lines one after another, padded after every 2^shift points so that the last pass, whose butterflies lie
/// one behind another, does not meet in one bank.
struct Rows {
  int count, pitch, shift;
  __device__ int lines() const { return count; }
  template <class AxisOf>
  __device__ void split(const AxisOf& axis, int pass, int item, int& butterfly, int& line) const {
    line = axis.over_butterflies(pass, item);
    butterfly = item - line * (axis.n() / axis.radix(pass));
  }
  __device__ int at(int point, int line) const { return line * pitch + point + (point >> shift); }
};
template <class AxisOf>
__device__ inline Rows rows_layout(const AxisOf& axis, int count) {
  const int shift = axis.radix(axis.passes() - 1) == 16 ? 4 : 3;
  return {count, axis.n() + (axis.n() >> shift) + 1, shift};
}

/// Loads through the read-only path: the compiler may then move them ahead of other work.
__device__ __forceinline__ Complex<double> constant(const Complex<double>* p) {
  const double2 v = __ldg(reinterpret_cast<const double2*>(p));
  return {v.x, v.y};
}
__device__ __forceinline__ Complex<float> constant(const Complex<float>* p) {
  const float2 v = __ldg(reinterpret_cast<const float2*>(p));
  return {v.x, v.y};
}

template <int R>
struct Radix {
  static constexpr int value = R;
};

template <class F>
__device__ __forceinline__ void with_first_radix(int r, const F& f) {
  switch (r) {
    case 2:
      return f(Radix<2>{});
    case 4:
      return f(Radix<4>{});
    case 6:
      return f(Radix<6>{});
    case 8:
      return f(Radix<8>{});
    case 10:
      return f(Radix<10>{});
    case 16:
      return f(Radix<16>{});
    case 1:
      return f(Radix<1>{});
    case 3:
      return f(Radix<3>{});
    case 5:
      return f(Radix<5>{});
    case 7:
      return f(Radix<7>{});
  }
}
template <class F>
__device__ __forceinline__ void with_inner_radix(int r, const F& f) {
  switch (r) {
    case 2:
      return f(Radix<2>{});
    case 3:
      return f(Radix<3>{});
    case 4:
      return f(Radix<4>{});
    case 5:
      return f(Radix<5>{});
    case 6:
      return f(Radix<6>{});
    case 7:
      return f(Radix<7>{});
    case 8:
      return f(Radix<8>{});
    case 10:
      return f(Radix<10>{});
    case 16:
      return f(Radix<16>{});
  }
}
template <class F>
__device__ __forceinline__ void with_last_radix(int r, const F& f) {
  switch (r) {
    case 1:
      return f(Radix<1>{});
    case 2:
      return f(Radix<2>{});
    case 3:
      return f(Radix<3>{});
    case 4:
      return f(Radix<4>{});
    case 5:
      return f(Radix<5>{});
    case 7:
      return f(Radix<7>{});
    case 8:
      return f(Radix<8>{});
    case 16:
      return f(Radix<16>{});
  }
}

/// For the pass that holds three components of R points at once.
template <class F>
__device__ __forceinline__ void with_tensor_radix(int r, const F& f) {
  switch (r) {
    case 1:
      return f(Radix<1>{});
    case 2:
      return f(Radix<2>{});
    case 3:
      return f(Radix<3>{});
    case 4:
      return f(Radix<4>{});
    case 5:
      return f(Radix<5>{});
    case 7:
      return f(Radix<7>{});
  }
}

/// A sink whose values meet others from memory.
template <class Sink>
concept MeetsMemory = requires(const Sink& sink) {
  sink.met(sink.find(0, 0));
};

/// Transforms `Components` sets of lines, component c at c * component_stride in shared memory. Every method
/// is called by all threads of the block and ends with a barrier.
template <class T, class AxisOf, class Layout, int Components>
struct Passes {
  using C = Complex<T>;
  static constexpr int block_threads = AxisOf::threads;
  const AxisOf& axis;
  Layout layout;
  C* shared;
  int component_stride;

  /// Points that can be non-zero of the R a first butterfly takes.
  template <int R>
  static constexpr int half = R % 2 == 0 ? R / 2 : R;

  /// The factors w^q = exp(-2 pi i q j / n) of one butterfly: w is loaded, its powers formed by at most four
  /// multiplications in a row. (Loading all of them costs more in the L1 cache than the arithmetic.)
  template <int R, bool Many = (R > 10)>
  struct Roots {
    C power[R > 2 ? R : 2];
    __device__ Roots(const C* roots, int j) {
      power[1] = constant(roots + j);
      unrolled<(R > 2 ? R - 2 : 0)>([&](auto p) {
        constexpr int q = p.value + 2;
        power[q] = power[q / 2] * power[q - q / 2];
      });
    }
    template <int Q>
    __device__ C get() const {
      return power[Q];
    }
  };
  /// Sixteen do not fit registers: w, w^2, w^3 and w^4, w^8, w^12 do.
  template <int R>
  struct Roots<R, true> {
    C low[4], high[4];
    __device__ Roots(const C* roots, int j) {
      low[1] = constant(roots + j);
      low[2] = low[1] * low[1];
      low[3] = low[2] * low[1];
      high[1] = low[2] * low[2];
      high[2] = high[1] * high[1];
      high[3] = high[2] * high[1];
    }
    template <int Q>
    __device__ C get() const {
      if constexpr (Q % 4 == 0) return high[Q / 4];
      if constexpr (Q < 4) return low[Q];
      return high[Q / 4] * low[Q % 4];
    }
  };

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

  /// Whether a first butterfly is too large for the registers next to those of the other components: then
  /// every thread takes one component, and even and odd frequencies one after the other.
  template <int R>
  static constexpr bool in_halves = Components > 1 && R >= 16;

  /// The factors w^(2q) of the even frequencies of a butterfly taken in halves; after `turn`, the factors
  /// w^(2q + 1) of the odd ones.
  template <int H>
  struct HalfRoots {
    C w, low[4], high[H / 4];
    __device__ HalfRoots(const C* roots, int k) : w(constant(roots + k)) {
      low[0] = C(1, 0);
      low[1] = w * w;
      low[2] = low[1] * low[1];
      low[3] = low[2] * low[1];
      unrolled<H / 4 - 1>([&](auto m) {
        constexpr int i = m.value + 1;
        high[i] = i == 1 ? low[2] * low[2] : high[i / 2] * high[i - i / 2];
      });
    }
    __device__ void turn() {
      low[0] = w;
      unrolled<3>([&](auto m) { low[m.value + 1] = low[m.value + 1] * w; });
    }
    template <int Q, bool Odd>
    __device__ C get() const {
      if constexpr (Q < 4) return low[Q];
      if constexpr (Q % 4 == 0 && !Odd) return high[Q / 4];
      return high[Q / 4] * low[Q % 4];
    }
  };

  template <int R, class Source>
  __device__ void first_forward_in_halves(const Source& source) const {
    constexpr int H = R / 2;
    const int span = axis.span(0), items = span * layout.lines();
    for (int unit = threadIdx.x; unit < Components * items; unit += block_threads) {
      const int c = unit / items;
      int k, line;
      layout.split(axis, 0, unit - c * items, k, line);
      C a[H], b[H];
      unrolled<H>([&](auto q) { a[q.value] = source.get(c, source.find(k + q.value * span, line)); });
      HalfRoots<H> root(axis.roots, k);
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

  template <int R, class Sink>
  __device__ void last_inverse_in_halves(Sink& sink) const {
    constexpr int H = R / 2;
    const int span = axis.span(0), items = span * layout.lines();
    for (int unit = threadIdx.x; unit < Components * items; unit += block_threads) {
      const int c = unit / items;
      int k, line;
      layout.split(axis, 0, unit - c * items, k, line);
      HalfRoots<H> root(axis.roots, k);
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

  /// Reads the part of the lines that is not padding. source(point, line) gives a handle, source(c, handle)
  /// the value.
  template <class Source>
  __device__ void first_forward(const Source& source) const {
    on_first_radix([&](auto radix) {
      constexpr int R = decltype(radix)::value;
      if constexpr (in_halves<R>) {
        first_forward_in_halves<R>(source);
      } else {
        const int span = axis.span(0), items = span * layout.lines();
        for (int item = threadIdx.x; item < items; item += block_threads) {
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
          const Roots<R> root(axis.roots, k);
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
    __syncthreads();
  }

  /// The way back: only the part inside the box is formed. sink.find(point, line), sink.put(c, handle,
  /// value); or, where a value meets another from memory, sink.put(handle, value, sink.met(handle)).
  template <class Sink>
  __device__ void last_inverse(Sink& sink) const {
    on_first_radix([&](auto radix) {
      constexpr int R = decltype(radix)::value;
      if constexpr (in_halves<R>) {
        last_inverse_in_halves<R>(sink);
      } else {
        const int span = axis.span(0), items = span * layout.lines();
        for (int item = threadIdx.x; item < items; item += block_threads) {
          int k, line;
          layout.split(axis, 0, item, k, line);
          decltype(sink.find(0, 0)) handle[half<R>];
          unrolled<half<R>>([&](auto q) { handle[q.value] = sink.find(k + q.value * span, line); });
          const Roots<R> root(axis.roots, k);
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
    __syncthreads();
  }

  /// Pass `p`, forward (Sign = -1) or backward (+1), in shared memory.
  template <int Sign>
  __device__ void inner(int p) const {
    with_inner_radix(axis.radix(p), [&](auto radix) {
      constexpr int R = decltype(radix)::value;
      const int span = axis.span(p), step = axis.step(p), items = axis.n() / R * layout.lines();
      for (int item = threadIdx.x; item < items; item += block_threads) {
        int b, line;
        layout.split(axis, p, item, b, line);
        const int block = axis.over_span(p, b), k = b - block * span, first = block * span * R + k;
        const Roots<R> root(axis.roots, k * step);
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
    __syncthreads();
  }

  /// Last forward pass, handing each frequency to put(c, frequency, line, value).
  template <class Put>
  __device__ void last_forward(const Put& put) const {
    const int p = axis.passes() - 1;
    on_last_radix([&](auto radix) {
      constexpr int R = decltype(radix)::value;
      const int count = axis.n() / R, items = count * layout.lines();
      for (int item = threadIdx.x; item < items; item += block_threads) {
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
    __syncthreads();
  }

  /// First inverse pass, taking each frequency from get(c, frequency, line).
  template <class Get>
  __device__ void first_inverse(const Get& get) const {
    const int p = axis.passes() - 1;
    on_last_radix([&](auto radix) {
      constexpr int R = decltype(radix)::value;
      const int count = axis.n() / R, items = count * layout.lines();
      for (int item = threadIdx.x; item < items; item += block_threads) {
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
    __syncthreads();
  }

  /// Last forward pass, multiply(frequency of point 0, frequency step, line, three values of R points), first
  /// inverse pass, in one round: the three components of a point meet in one thread.
  template <class Multiply>
  __device__ void middle(const Multiply& multiply) const {
    static_assert(Components == 3);
    const int p = axis.passes() - 1;
    const auto round = [&](auto radix) {
      constexpr int R = decltype(radix)::value;
      const int count = axis.n() / R, items = count * layout.lines();
      for (int item = threadIdx.x; item < items; item += block_threads) {
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
    __syncthreads();
  }
};

}  // namespace umov::dda::tuned
