// The concept of a backend's device, as the rooms above it use it.
#pragma once

#include <concepts>
#include <string>

#include "backend/reduce.hpp"
#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::backend {

/// Functors of the kinds that a device runs, for the concept to ask with.
namespace probe {
struct Element {
  UMOV_HD void operator()(index_t) const {}
};
struct Cell {
  UMOV_HD void operator()(int, int, int) const {}
};
struct Value {
  UMOV_HD double operator()(index_t) const { return 0; }
};
struct Summand {
  template <class Sums>
  UMOV_HD void operator()(index_t, Sums&) const {}
};
struct Launches {
  void operator()() const {}
};
}  // namespace probe

/// Memory of type T on a device: moved, never copied.
template <class A, class T>
concept DeviceArray = std::movable<A> && requires(A& a, const A& c) {
  { a.data() } -> std::convertible_to<T*>;
  { c.size() } -> std::convertible_to<std::size_t>;
};

/// The members that Serial documents, of which Cpu and Cuda have the same: a family's engine is a template on
/// such a type and uses nothing else of it. A new backend asserts this concept of its device.
///  - allocate, upload, download, fill_zero: memory; download waits for what was launched;
///  - for_each, for_each_box: independent calls of a functor, by index or by cell of a box;
///  - map_max, map_reduce, reduce_to: over what a functor gives, the same bits from run to run;
///  - exclusive_scan: prefix sums;  Lines: Fourier transforms;  Sequence: launches that are repeated.
template <class D>
concept Device = requires(D& d, const D& c, double* on_device, const double* on_host, double* back,
                          int* counts, Complex<double>* line, std::size_t size, index_t n, const Int3& corner,
                          const probe::Element& element, const probe::Cell& cell, const probe::Value& value,
                          const probe::Summand& summand, typename D::template Lines<double>& lines,
                          typename D::Sequence& sequence, const probe::Launches& launches) {
  { D::name } -> std::convertible_to<const char*>;
  { c.device_name() } -> std::convertible_to<std::string>;
  { d.template allocate<double>(size) } -> DeviceArray<double>;
  { d.template allocate<double>(size) } -> std::same_as<typename D::template Array<double>>;
  c.upload(on_device, on_host, size);
  c.download(back, on_device, size);
  c.fill_zero(on_device, size);
  c.synchronize();
  c.for_each(n, element);
  c.for_each_box(corner, corner, cell);
  { c.map_max(n, value) } -> std::same_as<double>;
  { c.template map_reduce<2, double>(n, summand) } -> std::same_as<Sums<double, 2>>;
  c.template reduce_to<2>(n, summand, on_device);
  { c.exclusive_scan(counts, n) } -> std::same_as<index_t>;
  requires std::constructible_from<typename D::template Lines<double>, D&, int, index_t, index_t, index_t>;
  lines.run(line, 1);
  sequence.run(c, launches);
};

}  // namespace umov::backend
