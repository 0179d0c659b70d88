// The parts of the module umov._core.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "api/umov.hpp"
#include "core/given_arrays.hpp"

namespace umov::python {

namespace py = pybind11;

/// A value of Python as a tree, each part of it with the place "argument 'PATH'": numbers, texts, files,
/// dictionaries, sequences, arrays of NumPy (by tolist); a complex number is [re, im]. None becomes what
/// `merge` takes away. Throws TypeError for anything else.
Tree tree_of(py::handle value, const std::string& path);
py::object object_of(const Tree&);

/// Puts tables into tables, and whatever else in the place of what is there; None takes it away.
void merge(Tree& into, const Tree& what);

/// Arrays of NumPy that stand for a file, as long as it is held.
struct Given {
  std::string path;
  std::shared_ptr<const GivenArrays> arrays;
};

/// A case of Python, with the arrays that it names as files.
struct CaseTree : Tree {
  std::vector<std::shared_ptr<Given>> given = {};

  /// Holds the arrays that are within a value: names of theirs have them as the attribute `given`.
  void hold(py::handle value);
  /// Lets go of those that the case does not name any more; the paths of the others.
  std::vector<std::string> kept();
};

/// A text that equal cases share, however their numbers are written: 1 is 1.0.
std::string canonical(const Tree&);

/// What a run left, as long as an array of it is in use.
struct Run {
  results::Result result;
  std::vector<std::string> warnings;
};

/// An array without a copy; to be read only, as other arrays and files are made of the same numbers.
py::array numbers_of(const std::shared_ptr<Run>&, std::size_t number);

/// A run for a pickle, and back.
py::tuple state_of(const std::shared_ptr<Run>&);
std::shared_ptr<Run> run_of(const py::tuple& state);

/// Hears of a run for functions of Python, any of which may be None: `callback(fraction, text)`, whose False
/// ends the run, and `show(fraction, text)`, called every 0.1 s and for stages. Control-C ends a run, too.
class Listener {
 public:
  /// `watch(step, time, fields)` is called every so many steps; its False ends the run. `fields()` is a Run.
  Listener(py::object callback, py::object show, py::object watch = py::none(), long every = 0);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// Refers to the listener.
  Observer observer();
  bool progress(double fraction, const std::string& text);
  void warn(const std::string& text);
  /// Whether the run is to end; without calling anything.
  bool stopped() const;

  /// Calls `compute` without the lock of the interpreter. Throws what a function of Python threw meanwhile,
  /// KeyboardInterrupt, or what `compute` did.
  template <class Compute>
  std::shared_ptr<Run> run(const Compute& compute) {
    auto out = std::make_shared<Run>();
    std::exception_ptr failed;
    {
      const py::gil_scoped_release without;
      try {
        out->result = compute();
      } catch (...) {
        failed = std::current_exception();
      }
    }
    throw_what_came();
    if (failed) std::rethrow_exception(failed);
    out->warnings = std::move(warnings_);
    return out;
  }

 private:
  struct Signals;
  void throw_what_came();
  void call(py::object& function, double fraction, const std::string& text);
  bool is_time_to_show();
  bool moment(const Moment&);

  py::object callback_, show_, watch_;
  long every_;
  bool calls_, shows_;
  std::unique_ptr<Signals> signals_;
  std::exception_ptr thrown_;
  bool ended_ = false;
  double shown_ = 0;  ///< s, on a steady clock
  std::vector<std::string> warnings_;
};

void add_trees(py::module_&);
void add_given(py::module_&);
void add_families(py::module_&);
void add_sweeps(py::module_&);
void add_systems(py::module_&);
void add_results(py::module_&);
void add_materials(py::module_&);

}  // namespace umov::python
