// Lengths of transforms whose radices the compiler knows.
#pragma once

#include <vector>

#include "dda/tuned/cuda/axis.hpp"

namespace umov::dda::tuned {

/// Calls f with the axis as the kernels of the x and y transforms take it: lengths that are common are known
/// to the compiler. Two passes of 16 where the length allows: each pass saved is a trip through shared
/// memory.
template <class T, class F>
void with_axis_between_memory(const AxisView<T>& a, const F& f) {
  constexpr int k = int(8 / sizeof(T));  // single precision: twice the lines and half the registers
  const AxisTables<T>& tables = a;
  switch (a.length) {
    case 64:
      return f(FixedAxis<T, 128, 4 * k, 8, 8>{tables});
    case 128:
      return f(FixedAxis<T, 128, 4 * k, 16, 8>{tables});
    case 192:
      return f(FixedAxis<T, 128, 4 * k, 8, 3, 8>{tables});
    case 256:
      return f(FixedAxis<T, 128, 4 * k, 16, 16>{tables});
    case 300:
      return f(FixedAxis<T, 256, 2 * k, 10, 6, 5>{tables});
    case 500:
      return f(FixedAxis<T, 256, 2 * k, 10, 10, 5>{tables});
    case 512:
      return f(FixedAxis<T, 256, 3, 8, 8, 8>{tables});
    default:
      return f(a);
  }
}
/// The same for the z transforms, whose last pass meets the tensor with three components in registers.
template <class T, class F>
void with_axis_around_tensor(const AxisView<T>& a, const F& f) {
  constexpr int k = int(8 / sizeof(T));  // single precision: twice the lines and half the registers
  const AxisTables<T>& tables = a;
  switch (a.length) {
    case 64:
      return f(FixedAxis<T, 128, 4, 4, 4, 4>{tables});
    case 128:
      return f(FixedAxis<T, 128 * k, 4, 8, 4, 4>{tables});
    case 192:
      return f(FixedAxis<T, 256, 2, 8, 6, 4>{tables});
    case 256:
      return f(FixedAxis<T, 256 * k, 2, 8, 8, 4>{tables});
    case 300:
      return f(FixedAxis<T, 256, 2, 10, 10, 3>{tables});
    case 500:
      return f(FixedAxis<T, 256, 2, 10, 10, 5>{tables});
    case 512:
      return f(FixedAxis<T, 512, 1, 16, 8, 4>{tables});
    default:
      return f(a);
  }
}

/// Axes of mirror fractions: half as many points, so that blocks of half as many threads have an item each,
/// and no last pass that holds three components.
template <class T, class F>
void with_mirror_axis_between_memory(const AxisView<T>& a, const F& f) {
  constexpr int k = int(8 / sizeof(T));
  const AxisTables<T>& tables = a;
  switch (a.length) {
    case 64:
      return f(FixedAxis<T, 64, 8 * k, 8, 8>{tables});
    case 96:
      return f(FixedAxis<T, 64, 8 * k, 16, 6>{tables});
    case 128:
      return f(FixedAxis<T, 64, 8 * k, 16, 8>{tables});
    case 192:
      return f(FixedAxis<T, 64, 8 * k, 8, 3, 8>{tables});
    case 256:
      return f(FixedAxis<T, 128, 4 * k, 16, 16>{tables});
    default:
      return f(a);
  }
}
template <class T, class F>
void with_mirror_axis_around_tensor(const AxisView<T>& a, const F& f) {
  constexpr int k = int(8 / sizeof(T));
  const AxisTables<T>& tables = a;
  switch (a.length) {
    case 64:
      return f(FixedAxis<T, 128, 4, 4, 4, 4>{tables});
    case 96:
      return f(FixedAxis<T, 128 * k, 4, 8, 4, 3>{tables});
    case 128:
      return f(FixedAxis<T, 128 * k, 4, 8, 4, 4>{tables});
    case 192:
      return f(FixedAxis<T, 256, 2, 8, 6, 4>{tables});
    case 256:
      return f(FixedAxis<T, 256 * k, 2, 8, 8, 4>{tables});
    default:
      return f(a);
  }
}

template <class A>
std::vector<int> radices_in(const A& axis) {
  std::vector<int> list;
  for (int p = 0; p < axis.passes(); ++p) list.push_back(axis.radix(p));
  return list;
}
inline AxisView<double> axis_of(int n) {
  AxisView<double> any{};
  any.length = n;
  for (const int r : radices_of(n)) any.radices[any.count++] = r;
  return any;
}
inline std::vector<int> radices_between_memory(int n) {
  std::vector<int> list;
  with_axis_between_memory(axis_of(n), [&](const auto& axis) { list = radices_in(axis); });
  return list;
}
inline std::vector<int> radices_around_tensor(int n) {
  std::vector<int> list;
  with_axis_around_tensor(axis_of(n), [&](const auto& axis) { list = radices_in(axis); });
  return list;
}
inline std::vector<int> mirror_radices_between_memory(int n) {
  std::vector<int> list;
  with_mirror_axis_between_memory(axis_of(n), [&](const auto& axis) { list = radices_in(axis); });
  return list;
}
inline std::vector<int> mirror_radices_around_tensor(int n) {
  std::vector<int> list;
  with_mirror_axis_around_tensor(axis_of(n), [&](const auto& axis) { list = radices_in(axis); });
  return list;
}

}  // namespace umov::dda::tuned
