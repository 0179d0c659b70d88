// Many cases of a sweep: all here, or one by one wherever a program computes them.
#include <pybind11/stl.h>

#include <numeric>

#include "comm/communicator.hpp"
#include "module.hpp"
#include "s_parameters/family.hpp"
#include "sweep/run.hpp"
#include "sweep/table.hpp"
#include "sweep/visit_row.hpp"

namespace umov::python {

namespace {

/// The sweep that a case with [[vary]] is.
sweep::Sweep sweep_of(const Family& f, Tree base) {
  const std::size_t end = base.place.rfind('/');
  const std::string folder = end == std::string::npos ? "" : base.place.substr(0, end);
  base = sweep::with_whole_paths(std::move(base), folder);
  Origins places;
  const auto design = sweep::take_design(base, folder, places);
  sweep::refuse_idle(design, places, design);
  auto axes = sweep::take_axes(base);
  return sweep::make_sweep(f.name(), f.parameters(), std::move(base), std::move(axes), design);
}

std::vector<std::size_t> all_cases(const sweep::Sweep& s) {
  std::vector<std::size_t> wanted(s.cases);
  std::iota(wanted.begin(), wanted.end(), std::size_t(0));
  return wanted;
}

results::Result table_of(const sweep::Sweep& s, const sweep::Rows& rows) {
  auto result = sweep::to_result(s, rows, all_cases(s));
  result.attributes.emplace_back("program", "umov sweep");
  return result;
}

results::Result computed(const Family& f, Tree base, const sweep::Wishes& wishes,
                         const sweep::Settings& settings, Listener& listener) {
  const auto s = sweep_of(f, std::move(base));
  const auto wanted = all_cases(s);
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
  return table_of(s, rows);
}

std::shared_ptr<Run> run_sweep(const std::string& name, const Tree& base, int jobs, int threads,
                               std::size_t arrays, bool keep_going, py::object callback, py::object show) {
  Listener listener(std::move(callback), std::move(show));
  sweep::Wishes wishes;
  wishes.jobs = jobs, wishes.threads = threads;
  const sweep::Settings settings{keep_going, arrays};
  return listener.run([&] { return computed(s_parameters::family(name), base, wishes, settings, listener); });
}

/// How many cases there are, each of them checked.
std::size_t count_of(const std::string& name, const Tree& base) {
  const py::gil_scoped_release without;
  const Family& f = s_parameters::family(name);
  const auto s = sweep_of(f, base);
  sweep::check_cases(s, f, all_cases(s));
  return s.cases;
}

sweep::Row failed(const std::string& why) {
  sweep::Row row;
  row.status = sweep::Status::failed;
  row.message = why;
  return row;
}

/// One case as a row: as bytes, with whether it failed, why, and what it warned of. A case that fails is a
/// row, too.
py::tuple row_of_case(const std::string& name, const Tree& base, std::size_t k, int threads,
                      std::size_t arrays) {
  sweep::Row row;
  std::vector<std::string> warnings;
  {
    const py::gil_scoped_release without;
    const Family& f = s_parameters::family(name);
    const auto s = sweep_of(f, base);
    const Tree tree = s.case_of(k);
    sweep::Wishes wishes;
    wishes.jobs = 1, wishes.threads = threads;
    Observer observer;
    observer.warning = [&](const std::string& text) { warnings.push_back(s.describe(k) + ": " + text); };
    try {
      const auto seats = sweep::choose_seats(f.plan(tree), wishes, 1);
      row = sweep::row_of(f.series(seats).front()->run(tree, observer), arrays);
    } catch (const Error& e) {
      row = failed(e.what());
    }
  }
  const bool lost = row.status == sweep::Status::failed;
  const Packed bytes = packed(row, sweep::visit_row);
  return py::make_tuple(py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()), lost,
                        row.message, warnings);
}

/// The table of rows that came as bytes; None where one is missing.
std::shared_ptr<Run> table_of_rows(const std::string& name, const Tree& base, const py::list& found,
                                   std::vector<std::string> warnings) {
  const auto s = sweep_of(s_parameters::family(name), base);
  sweep::Rows rows(s.cases);
  for (std::size_t k = 0; k < found.size() && k < rows.size(); ++k) {
    if (found[k].is_none()) continue;
    const std::string_view bytes = found[k].cast<py::bytes>();
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    rows[k] = unpacked<sweep::Row>(Packed(first, first + bytes.size()), sweep::visit_row);
  }
  return std::make_shared<Run>(Run{table_of(s, rows), std::move(warnings)});
}

}  // namespace

void add_sweeps(py::module_& m) {
  m.def("sweep", &run_sweep);
  m.def("sweep_count", &count_of);
  m.def("sweep_row", &row_of_case);
  m.def("sweep_table", &table_of_rows);
}

}  // namespace umov::python
