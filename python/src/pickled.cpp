// Runs as tuples for pickles, and back: arrays as those of NumPy, which protocol 5 takes without a copy.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "module.hpp"

namespace umov::python {

namespace {

using results::Array;
using results::Cells;
using results::Table;

/// First of every tuple: another one when what follows is another.
constexpr int format = 1;

py::tuple state_of(const Cells& c) {
  return py::make_tuple(c.array, c.rows, c.repeat, c.cycle, c.stride, c.offset, c.imaginary, c.values,
                        c.texts);
}

Cells cells_of(const py::tuple& s) {
  Cells c;
  c.array = s[0].cast<std::size_t>(), c.rows = s[1].cast<std::size_t>();
  c.repeat = s[2].cast<std::size_t>(), c.cycle = s[3].cast<std::size_t>();
  c.stride = s[4].cast<std::size_t>(), c.offset = s[5].cast<std::size_t>();
  c.imaginary = s[6].cast<bool>(), c.values = s[7].cast<std::vector<double>>();
  c.texts = s[8].cast<std::vector<std::string>>();
  return c;
}

py::tuple state_of(const Table& t) {
  py::list columns;
  for (const auto& column : t.columns) {
    py::list cells;
    for (const Cells& c : column.cells) cells.append(state_of(c));
    columns.append(py::make_tuple(column.name, column.unit, cells));
  }
  return py::make_tuple(t.name, t.comments, t.stacked, columns);
}

Table table_of(const py::tuple& s) {
  Table t{s[0].cast<std::string>(), s[1].cast<std::vector<std::string>>(), s[2].cast<bool>(), {}};
  for (const auto& item : s[3].cast<py::list>()) {
    const auto column = item.cast<py::tuple>();
    t.columns.push_back({column[0].cast<std::string>(), column[1].cast<std::string>(), {}});
    for (const auto& cells : column[2].cast<py::list>())
      t.columns.back().cells.push_back(cells_of(cells.cast<py::tuple>()));
  }
  return t;
}

template <class T>
std::vector<T> values_of(const py::array& numbers) {
  const auto plain = py::array_t<T, py::array::c_style | py::array::forcecast>(numbers);
  return {plain.data(), plain.data() + plain.size()};
}

Array array_of(const py::tuple& s) {
  Array a{s[0].cast<std::string>(),
          s[1].cast<std::string>(),
          s[2].cast<std::string>(),
          s[3].cast<std::vector<std::size_t>>(),
          {}};
  const auto numbers = s[4].cast<py::array>();
  if (py::isinstance<py::array_t<float>>(numbers))
    a.data = values_of<float>(numbers);
  else if (py::isinstance<py::array_t<cplx>>(numbers))
    a.data = values_of<cplx>(numbers);
  else
    a.data = values_of<double>(numbers);
  return a;
}

}  // namespace

py::tuple state_of(const std::shared_ptr<Run>& run) {
  const auto& r = run->result;
  py::list arrays, tables;
  for (std::size_t i = 0; i < r.arrays.size(); ++i)
    arrays.append(py::make_tuple(r.arrays[i].name, r.arrays[i].unit, r.arrays[i].description,
                                 r.arrays[i].shape, numbers_of(run, i)));
  for (const Table& t : r.tables) tables.append(state_of(t));
  return py::make_tuple(
      format, arrays, tables, r.attributes, r.for_paraview, run->warnings,
      py::make_tuple(r.voxels.cells, r.voxels.origin, r.voxels.spacing, r.voxels.repeat_flat));
}

std::shared_ptr<Run> run_of(const py::tuple& s) {
  if (s.empty() || s[0].cast<int>() != format)
    throw py::value_error("the pickle is of a result of another version of umov; unpickle it with that one");
  auto run = std::make_shared<Run>();
  auto& r = run->result;
  for (const auto& item : s[1].cast<py::list>()) r.arrays.push_back(array_of(item.cast<py::tuple>()));
  for (const auto& item : s[2].cast<py::list>()) r.tables.push_back(table_of(item.cast<py::tuple>()));
  r.attributes = s[3].cast<std::vector<std::pair<std::string, std::string>>>();
  r.for_paraview = s[4].cast<bool>();
  run->warnings = s[5].cast<std::vector<std::string>>();
  const auto voxels = s[6].cast<py::tuple>();
  r.voxels.cells = voxels[0].cast<Int3>(), r.voxels.origin = voxels[1].cast<Vec3>();
  r.voxels.spacing = voxels[2].cast<Vec3>(), r.voxels.repeat_flat = voxels[3].cast<bool>();
  return run;
}

}  // namespace umov::python
