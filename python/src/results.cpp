// Results as arrays of NumPy that keep their run alive, and as files.
#include <pybind11/stl.h>

#include "module.hpp"
#include "results/csv.hpp"

namespace umov::python {

namespace {

using results::Array;

/// (name, unit, description) of each.
py::list arrays_of(const Run& run) {
  py::list out;
  for (const Array& a : run.result.arrays) out.append(py::make_tuple(a.name, a.unit, a.description));
  return out;
}

/// Name, and per column heading, unit and cells.
py::list tables_of(const Run& run) {
  py::list out;
  for (const auto& table : run.result.tables) {
    py::list columns;
    for (const auto& column : results::csv_columns(run.result, table)) {
      const py::object cells =
          column.texts.empty()
              ? py::object(py::array_t<double>(py::ssize_t(column.values.size()), column.values.data()))
              : py::cast(column.texts);
      columns.append(py::make_tuple(column.name, column.unit, cells));
    }
    out.append(py::make_tuple(table.name, columns));
  }
  return out;
}

}  // namespace

py::array numbers_of(const std::shared_ptr<Run>& run, std::size_t number) {
  const Array& a = run->result.arrays.at(number);
  const py::object owner = py::cast(run);
  auto shape = a.shape;
  if (shape.empty() && a.size() != 1) shape = {a.size()};
  py::array out = std::visit(
      [&](const auto& values) -> py::array {
        using T = typename std::decay_t<decltype(values)>::value_type;
        return py::array_t<T>(shape, values.data(), owner);
      },
      a.data);
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

void add_results(py::module_& m) {
  py::class_<Run, std::shared_ptr<Run>>(m, "Run")
      .def("arrays", &arrays_of)
      .def("numbers", &numbers_of)
      .def("tables", &tables_of)
      .def("attributes", [](const Run& run) { return run.result.attributes; })
      .def("warnings", [](const Run& run) { return run.warnings; })
      .def(py::pickle(&state_of, &run_of))
      .def("save", [](const Run& run, const std::string& folder) {
        const py::gil_scoped_release without;
        save(run.result, folder);
      });
  m.def("open", [](const std::string& folder) {
    const py::gil_scoped_release without;
    return std::make_shared<Run>(Run{open_results(folder), {}});
  });
}

}  // namespace umov::python
