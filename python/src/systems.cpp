// Linear systems of arrays: solved, and preconditioned for iterations of others.
#include <pybind11/stl.h>

#include "module.hpp"

namespace umov::python {

namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Integers = py::array_t<int, py::array::c_style | py::array::forcecast>;

template <class T>
std::span<const T> view(const py::array_t<T, py::array::c_style | py::array::forcecast>& a) {
  return {a.data(), std::size_t(a.size())};
}

std::shared_ptr<Run> run_system(const Integers& start, const Integers& column, const Doubles& value,
                                const Doubles& b, const Tree& options, py::object callback, py::object show) {
  Listener listener(std::move(callback), std::move(show));
  const Rows rows{view(start), view(column), view(value)};
  const auto right_side = view(b);
  return listener.run([&] { return solve_rows(rows, right_side, options, {}, listener.observer()); });
}

std::unique_ptr<Preconditioner> preconditioner_of(const Integers& start, const Integers& column,
                                                  const Doubles& value, const Tree& options) {
  const Rows rows{view(start), view(column), view(value)};
  const py::gil_scoped_release without;
  return std::make_unique<Preconditioner>(rows, options);
}

Doubles applied(const Preconditioner& p, const Doubles& r) {
  Doubles z(py::ssize_t(p.size()));
  const std::span<double> to(z.mutable_data(), std::size_t(z.size()));
  const auto from = view(r);
  const py::gil_scoped_release without;
  p.apply(from, to);
  return z;
}

}  // namespace

void add_systems(py::module_& m) {
  m.def("solve", &run_system);
  py::class_<Preconditioner>(m, "Preconditioner")
      .def(py::init(&preconditioner_of))
      .def("size", &Preconditioner::size)
      .def("apply", &applied);
}

}  // namespace umov::python
