// Cases checked, planned and run.
#include <pybind11/stl.h>

#include "module.hpp"
#include "s_parameters/family.hpp"

namespace umov::python {

namespace {

/// What a run takes beside its case.
Machine machine_of(const std::string& checkpoint, bool resume) {
  Machine m;
  m.checkpoint = checkpoint;
  m.resume = resume;
  return m;
}

std::shared_ptr<Run> run_case(const std::string& name, const Tree& tree, const std::string& checkpoint,
                              bool resume, py::object callback, py::object show, py::object watch,
                              long every) {
  Listener listener(std::move(callback), std::move(show), std::move(watch), every);
  const Family& f = s_parameters::family(name);
  return listener.run([&] { return f.run(tree, machine_of(checkpoint, resume), listener.observer()); });
}

py::tuple plan_case(const std::string& name, const Tree& tree) {
  Plan plan;
  {
    const py::gil_scoped_release without;
    plan = s_parameters::family(name).plan(tree);
  }
  return py::make_tuple(plan.resolved, plan.bytes, plan.warnings, plan.notes);
}

std::shared_ptr<Run> model_of(const std::string& name, const Tree& tree) {
  const py::gil_scoped_release without;
  return std::make_shared<Run>(Run{s_parameters::family(name).model(tree), {}});
}

/// (section, key, flags, of a list) of each parameter that is not within lists of tables.
py::list parameters_of(const std::string& name) {
  py::list out;
  for (const auto& info : family(name).parameters().parameters())
    if (!info.key.empty()) out.append(py::make_tuple(info.section, info.key, info.flags, info.repeatable));
  return out;
}

}  // namespace

void add_families(py::module_& m) {
  m.def("families", &families);
  m.def("parameters", &parameters_of);
  m.def("top_names", [](const std::string& name) { return family(name).parameters().top_names(); });
  m.def("markdown", [](const std::string& name) { return family(name).parameters().markdown(); });
  m.def("check", [](const std::string& name, const Tree& tree) {
    const py::gil_scoped_release without;
    s_parameters::family(name).check(tree);
  });
  m.def("plan", &plan_case);
  m.def("run", &run_case);
  m.def("model", &model_of);
}

}  // namespace umov::python
