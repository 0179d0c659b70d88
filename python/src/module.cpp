// The module umov._core: what the package in python/umov is made of.
#include "module.hpp"

#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include "materials/library.hpp"
#include "run/version.hpp"

namespace umov::python {

namespace {

/// The exceptions of the package, each also of the kind that Python has for it.
struct Exceptions {
  py::object error, bad_input, machine, not_converged, interrupted;
};

Exceptions& exceptions() {
  static auto* made = new Exceptions;  // outlives the interpreter
  return *made;
}

py::object exception(py::module_& m, const char* name, const py::tuple& bases, const char* doc) {
  const std::string whole = std::string("umov.") + name;
  auto made =
      py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(whole.c_str(), doc, bases.ptr(), nullptr));
  m.attr(name) = made;
  return made;
}

const py::object& kind_of(const Error& e) {
  switch (e.code()) {
    case Exit::bad_input:
      return exceptions().bad_input;
    case Exit::machine:
      return exceptions().machine;
    case Exit::not_converged:
      return exceptions().not_converged;
    case Exit::interrupted:
    case Exit::terminated:
      return exceptions().interrupted;
    default:
      return exceptions().error;
  }
}

void add_exceptions(py::module_& m) {
  const auto of = [](PyObject* kind) { return py::reinterpret_borrow<py::object>(kind); };
  auto& e = exceptions();
  e.error = exception(m, "Error", py::make_tuple(of(PyExc_Exception)), "What went wrong in a case or a run.");
  e.bad_input = exception(m, "BadInput", py::make_tuple(e.error, of(PyExc_ValueError)),
                          "The case is wrong: its place, the problem, the reason, a remedy.");
  e.machine = exception(m, "MachineFailure", py::make_tuple(e.error, of(PyExc_RuntimeError)),
                        "No device, no memory, no place on the disk.");
  e.not_converged = exception(m, "NotConverged", py::make_tuple(e.error, of(PyExc_ArithmeticError)),
                              "Fields grew without bound.");
  e.interrupted = exception(m, "Interrupted", py::make_tuple(e.error), "A callback stopped the run.");
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      std::rethrow_exception(p);
    } catch (const Error& e) {
      PyErr_SetString(kind_of(e).ptr(), e.what());
    }
  });
}

}  // namespace

void add_materials(py::module_& m) {
  using materials::Entry;
  py::class_<Entry>(m, "Entry")
      .def_property_readonly("name", [](const Entry& e) { return e.material.name; })
      .def_readonly("aliases", &Entry::aliases)
      .def_readonly("note", &Entry::note)
      .def_property_readonly("source", [](const Entry& e) { return e.material.source; })
      .def_property_readonly("range", [](const Entry& e) { return e.material.range_um; })
      .def("index", [](const Entry& e, double um) { return materials::refractive_index(e.material, um); })
      .def(
          "permittivity",
          [](const Entry& e, double um) { return e.material.permittivity(materials::angular_frequency(um)); })
      .def("outside", [](const Entry& e, double from, double to) {
        return materials::check_range(e.material, from, to);
      });
  m.def(
      "material", [](const std::string& name) -> const Entry& { return materials::find(name); },
      py::return_value_policy::reference);
  m.def("materials", [] {
    std::vector<std::string> names;
    for (const Entry& e : materials::library()) names.push_back(e.material.name);
    return names;
  });
}

}  // namespace umov::python

PYBIND11_MODULE(_core, m) {
  using namespace umov::python;
  add_exceptions(m);
  add_given(m);
  add_trees(m);
  add_families(m);
  add_sweeps(m);
  add_systems(m);
  add_results(m);
  add_materials(m);
  m.attr("version") = umov::run::version();
}
