// Cases planned and run, systems solved, many cases of a sweep.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <numeric>

#include "comm/communicator.hpp"
#include "module.hpp"
#include "sweep/run.hpp"
#include "sweep/table.hpp"

namespace umov::python {

namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Integers = py::array_t<int, py::array::c_style | py::array::forcecast>;

/// What a run takes beside its case.
Machine machine_of(const std::string& checkpoint, bool resume) {
  Machine m;
  m.checkpoint = checkpoint;
  m.resume = resume;
  return m;
}

std::shared_ptr<Run> run_case(const std::string& name, const Tree& tree, const std::string& checkpoint,
                              bool resume, py::object callback, py::object show) {
  Listener listener(std::move(callback), std::move(show));
  const Family& f = family(name);
  return listener.run([&] { return f.run(tree, machine_of(checkpoint, resume), listener.observer()); });
}

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

results::Result computed(const Family& f, Tree base, const sweep::Wishes& wishes,
                         const sweep::Settings& settings, Listener& listener) {
  const std::size_t end = base.place.rfind('/');
  const std::string folder = end == std::string::npos ? "" : base.place.substr(0, end);
  base = sweep::with_whole_paths(std::move(base), folder);
  Origins places;
  const auto design = sweep::take_design(base, folder, places);
  sweep::refuse_idle(design, places, design);
  auto axes = sweep::take_axes(base);
  const auto s = sweep::make_sweep(f.name(), f.parameters(), std::move(base), std::move(axes), design);
  std::vector<std::size_t> wanted(s.cases);
  std::iota(wanted.begin(), wanted.end(), std::size_t(0));
  sweep::check_cases(s, f, wanted);
  sweep::Rows rows(s.cases);
  sweep::Watch watch;
  watch.stop = [&] { return listener.stopped(); };
  watch.warning = [&](const std::string& text) { listener.warn(text); };
  watch.progress = [&](const run::CaseProgress& p) {
    listener.progress(p.cases > 0 ? double(p.finished) / double(p.cases) : 0,
                      std::to_string(p.finished) + " of " + std::to_string(p.cases) + " cases");
  };
  sweep::run(*comm::one_rank(), s, f, sweep::choose_seats(f.plan(s.case_of(0)), wishes, s.cases), wanted,
             rows, settings, watch);
  auto result = sweep::to_result(s, rows, wanted);
  result.attributes.emplace_back("program", "umov sweep");
  return result;
}

std::shared_ptr<Run> run_sweep(const std::string& name, const Tree& base, int jobs, int threads,
                               std::size_t arrays, bool keep_going, py::object callback, py::object show) {
  Listener listener(std::move(callback), std::move(show));
  sweep::Wishes wishes;
  wishes.jobs = jobs, wishes.threads = threads;
  const sweep::Settings settings{keep_going, arrays};
  return listener.run([&] { return computed(family(name), base, wishes, settings, listener); });
}

py::tuple plan_case(const std::string& name, const Tree& tree) {
  Plan plan;
  {
    const py::gil_scoped_release without;
    plan = family(name).plan(tree);
  }
  return py::make_tuple(plan.resolved, plan.bytes, plan.warnings, plan.notes);
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
    family(name).check(tree);
  });
  m.def("plan", &plan_case);
  m.def("run", &run_case);
  m.def("solve", &run_system);
  m.def("sweep", &run_sweep);
}

}  // namespace umov::python
