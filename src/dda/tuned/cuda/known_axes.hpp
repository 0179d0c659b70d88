// Lengths of transforms whose radices the compiler knows.
#pragma once

#include <vector>

#include "dda/tuned/cuda/axis.hpp"
#include "dda/tuned/cuda/choice.hpp"

namespace umov::dda::tuned {

/// Calls f with the axis as the kernels of the x and y transforms take it: lengths that are common are known
/// to the compiler. Two passes where the length allows: each pass saved is a trip through shared memory.
/// Radices are such that 128 threads have whole rounds of butterflies of 8 lines. New lengths go into
/// gpu_lengths.hpp, too, which says of which of them kernels have been measured: the others are not chosen.
template <class T, class F>
void with_axis_between_memory(const AxisView<T>& a, const F& f) {
  constexpr int k = int(8 / sizeof(T));  // single precision: twice the lines and half the registers
  const AxisTables<T>& tables = a;
  if (a.general) return f(a);
  switch (a.length) {
    case 64:
      return f(FixedAxis<T, 128, 4 * k, 8, 8>{tables});
    case 128:
      return f(FixedAxis<T, 128, 4 * k, 16, 8>{tables});
    case 160:
      return f(FixedAxis<T, 128, 4 * k, 16, 10>{tables});
    case 192:
      return f(FixedAxis<T, 128, 4 * k, 8, 3, 8>{tables});
    case 200:
      return f(FixedAxis<T, 128, 4 * k, 10, 10, 2>{tables});
    case 240:
      return f(FixedAxis<T, 128, 4 * k, 16, 15>{tables});
    case 256:
      return f(FixedAxis<T, 128, 4 * k, 16, 16>{tables});
    case 300:
      return f(FixedAxis<T, 128, 4 * k, 10, 10, 3>{tables});
    case 320:
      return f(FixedAxis<T, 128, 4 * k, 8, 8, 5>{tables});
    case 384:
      return f(FixedAxis<T, 128, 4 * k, 8, 6, 8>{tables});
    case 400:
      return f(FixedAxis<T, 128, 4 * k, 16, 5, 5>{tables});
    case 500:
      return f(FixedAxis<T, 128, 4 * k, 10, 10, 5>{tables});
    case 512:
      return f(FixedAxis<T, 256, 3, 8, 8, 8>{tables});
    case 600:
      return f(FixedAxis<T, 128, 4 * k, 10, 10, 6>{tables});
    case 800:
      return f(FixedAxis<T, 128, 4 * k, 16, 10, 5>{tables});
    case 1000:
      return f(FixedAxis<T, 224, 2 * k, 10, 10, 10>{tables});
    case 1024:
      return f(FixedAxis<T, 128, 4 * k, 16, 8, 8>{tables});
    case 1200:
      return f(FixedAxis<T, 128, 4 * k, 16, 15, 5>{tables});
    default:
      return f(a);
  }
}

/// The same for the z transforms, whose last pass meets the tensor with three components in registers;
/// `width` lines lie side by side. Teams are warps where their butterflies fill them.
template <class T, class F>
void with_axis_around_tensor(const AxisView<T>& a, int width, const F& f) {
  constexpr int k = int(8 / sizeof(T));  // single precision: twice the lines and half the registers
  const AxisTables<T>& tables = a;
  if (a.general) return f(a);
  const auto try_lanes = [&](auto axis) {
    if (width >= axis.lanes)
      f(axis);
    else
      f(a);
  };
  switch (a.length) {
    case 64:
      return f(FixedAxis<T, 128, 4, 4, 4, 4>{tables});
    case 128:
      return f(FixedAxis<T, 128 * k, 4, 8, 4, 4>{tables});
    case 160:
      return try_lanes(TeamAxis<T, 160 * k, 3, 32 * k, 8 * k, 10, 4, 4>{{tables}});
    case 192:
      return f(FixedAxis<T, 256, 2, 8, 6, 4>{tables});
    case 200:
      return try_lanes(TeamAxis<T, 128 * k, 4, 128 * k, 4 * k, 8, 5, 5>{{tables}});
    case 240:
      return try_lanes(TeamAxis<T, 128 * k, 4, 32 * k, 4 * k, 12, 5, 4>{{tables}});
    case 256:
      if (a.halves && width >= 4 * k) return f(TeamAxis<T, 128 * k, 4, 32, 4 * k, 8, 8, 4>{{tables}});
      return f(FixedAxis<T, 256 * k, 2, 8, 8, 4>{tables});
    case 300:
      return try_lanes(TeamAxis<T, 128 * k, 4, 32 * k, 4 * k, 12, 5, 5>{{tables}});
    case 320:
      return try_lanes(TeamAxis<T, 160 * k, 3, 32 * k, 4 * k, 10, 8, 4>{{tables}});
    case 384:
      return try_lanes(TeamAxis<T, 192 * k, 3, 32 * k, 4 * k, 12, 8, 4>{{tables}});
    case 400:
      return try_lanes(TeamAxis<T, 128 * k, 3, 32 * k, 4 * k, 16, 5, 5>{{tables}});
    case 500:
      return try_lanes(TeamAxis<T, 224 * k, 2, 224 * k, 4 * k, 10, 10, 5>{{tables}});
    case 512:
      if (a.halves && width >= 4 * k) return f(TeamAxis<T, 256 * k, 2, 32, 4 * k, 16, 8, 4>{{tables}});
      return f(FixedAxis<T, 512, 1, 16, 8, 4>{tables});
    case 600:
      return try_lanes(TeamAxis<T, 256 * k, 2, 256 * k, 4 * k, 10, 12, 5>{{tables}});
    case 800:
      return try_lanes(TeamAxis<T, 320 * k, 1, 320 * k, 4 * k, 16, 10, 5>{{tables}});
    case 1000:
      return try_lanes(TeamAxis<T, 416 * k, 1, 416 * k, 4 * k, 10, 5, 5, 4>{{tables}});
    case 1024:
      return try_lanes(TeamAxis<T, 512, 1, 32, 4 * k, 16, 4, 4, 4>{{tables}});
    case 1200:
      return try_lanes(TeamAxis<T, 320 * k, 1, 320 * k, 4 * k, 16, 15, 5>{{tables}});
    default:
      return f(a);
  }
}

/// An axis of n points for the choice of its kernel. The choice depends on the precision: lines that lie side
/// by side are twice as many in float.
template <class T>
AxisView<T> axis_of(int n, Plans plans) {
  AxisView<T> any{};
  any.length = n;
  any.general = !plan_chosen(n, plans);
  any.halves = in_halves(n, sizeof(Complex<T>), plans);
  for (const int r : radices_of(n)) any.radices[any.count++] = r;
  return any;
}
template <class A>
std::vector<int> radices_in(const A& axis) {
  std::vector<int> list;
  for (int p = 0; p < axis.passes(); ++p) list.push_back(axis.radix(p));
  return list;
}
/// Radices of the kernels that the functions above choose, for the tables of the axis.
template <class T>
std::vector<int> radices_between_memory(int n, Plans plans) {
  std::vector<int> list;
  with_axis_between_memory(axis_of<T>(n, plans), [&](const auto& axis) { list = radices_in(axis); });
  return list;
}
template <class T>
std::vector<int> radices_around_tensor(int n, int width, Plans plans) {
  std::vector<int> list;
  with_axis_around_tensor(axis_of<T>(n, plans), width, [&](const auto& axis) { list = radices_in(axis); });
  return list;
}

}  // namespace umov::dda::tuned
