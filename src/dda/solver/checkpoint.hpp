// A solver's whole state in one file, so that a killed run continues to the same answer.
#pragma once

#include <cerrno>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "core/checked_file.hpp"
#include "core/error.hpp"
#include "dda/engine.hpp"

namespace umov::dda {

/// Where a solve stands in its list of preconditioners.
struct Stage {
  int number = 0;         ///< in the list
  long begin = 0;         ///< iterations before it
  bool last = true;       ///< none comes after it
  bool resume = false;    ///< it continues from a checkpoint
  bool in_float = false;  ///< of a double engine: by iterations in float
  bool fresh = true;      ///< no stage came before it
  long patience = 0;      ///< that of its preconditioner
};

/// How the vectors of a device go to a file and come back: as they lie in its memory. A device of several
/// ranks writes what one of all dipoles would.
template <class Dev>
struct StateFiles {
  using Writer = CheckedFile;
  static Writer open(Dev&, const std::string& path) { return Writer(path); }
  /// The elements of a vector of the device, on the host.
  template <class V>
  static void read(Dev&, ByteReader& f, std::vector<V>& host) {
    f.bytes(host.data(), host.size() * sizeof(V));
  }
};

/// A solver's state, number by number and vector by vector, to a ByteWriter or from a ByteReader.
template <class Dev, class Bytes>
struct StateArchive {
  Dev& dev;
  Bytes& file;
  template <class V>
  void scalar(V& v) {
    file(v);
  }
  template <class Array>
  void vector(Array& a) {
    if constexpr (requires { Bytes::reading; }) {
      std::vector<std::remove_cvref_t<decltype(*a.data())>> host(a.size());
      StateFiles<Dev>::read(dev, file, host);
      dev.upload(a.data(), host.data(), host.size());
    } else {
      file.elements(dev, a);
    }
  }
};

/// The report's lasting part; for both ways.
template <class Bytes, class Report>
void visit_report(Bytes& f, Report& r) {
  f(r.start);
  f(r.status);
  f(r.products);
  f(r.preconditionings);
  f(r.refreshes);
  f(r.initial_residual);
  f(r.residual);
  f(r.true_residual);
  f(r.history);
}

/// Binary file: magic, solver name, preconditioners, precision, mirror sector, fingerprint of the problem,
/// stage, report, vectors, scalars, and a closing mark, then a checksum of all that. A converged solution
/// needs only x: r and the solver's state are left out. Written aside and renamed, so the file is complete or
/// absent; a damaged one is refused.
template <class Dev, class T>
class CheckpointFile {
 public:
  /// What a state must agree with, beside the `fingerprint` of the lattice, stands in the options.
  CheckpointFile(Dev& dev, const SolveOptions& options, std::vector<double> fingerprint)
      : dev_(dev),
        path_(options.checkpoint_file),
        fingerprint_(std::move(fingerprint)),
        of_case_(options.fingerprint),
        solver_(options.solver),
        part_(options.part) {
    for (const auto& p : options.preconditioners) {
      preconditioners_ += (preconditioners_.empty() ? "" : ", then ") + p.name;
      for (const auto& a : p.inverse_alpha) fingerprint_.insert(fingerprint_.end(), {a.real(), a.imag()});
      fingerprint_.insert(fingerprint_.end(), {p.damping, p.growth, p.reach[0], p.reach[1], p.reach[2]});
    }
    if (preconditioners_.empty()) preconditioners_ = "none";
    precision_ = sizeof(T) == 4 ? "float" : sizeof(T) == 8 ? "double" : "ldouble";
    if (options.inner_float) precision_ += " iterated in float";
  }

  bool enabled() const { return !path_.empty(); }

  template <class Solver, class Vector, class Residual>
  void save(Solver& solver, Vector& x, Residual& r, const Stage& stage, long iteration,
            const SolveReport& report) {
    auto file = StateFiles<Dev>::open(dev_, path_);
    put_header(file, stage);
    file(iteration);
    visit_report(file, report);
    file.elements(dev_, x);
    if (report.status != SolveStatus::converged) {
      file.elements(dev_, r);
      StateArchive<Dev, typename StateFiles<Dev>::Writer> archive{dev_, file};
      solver.state(archive);
    }
    file.bytes(magic, sizeof magic);
    file.commit();
  }

  /// The state of a block of right-hand sides, as `state` writes it.
  void save(const std::function<void(typename StateFiles<Dev>::Writer&)>& state) {
    auto file = StateFiles<Dev>::open(dev_, path_);
    put_header(file, {});
    state(file);
    file.bytes(magic, sizeof magic);
    file.commit();
  }
  /// A reader at the beginning of what save(state) wrote. Throws BadInput as stage() does.
  std::unique_ptr<CheckedReader> read() {
    auto f = std::make_unique<CheckedReader>(path_, "checkpoint");
    require_open(*f);
    header(*f);
    return f;
  }
  /// The closing mark; throws BadInput where it is not there.
  static void end(CheckedReader& f) {
    char mark[sizeof magic];
    f.bytes(mark, sizeof mark);
    if (std::memcmp(mark, magic, sizeof magic) != 0) f.damaged();
  }

  /// A vector of complex numbers of which none may be nan or infinite.
  template <class Array>
  void finite_vector(ByteReader& f, Array& a) {
    using V = std::remove_pointer_t<decltype(a.data())>;
    std::vector<V> host(a.size());
    StateFiles<Dev>::read(dev_, f, host);
    for (const V& v : host)
      if (!std::isfinite(double(v.re)) || !std::isfinite(double(v.im)))
        throw BadInput(path_ + ": the checkpoint holds nan or infinite values; run the case again");
    dev_.upload(a.data(), host.data(), a.size());
  }

  /// Where the saved solve stands. Throws BadInput where this solve cannot continue it.
  Stage stage() {
    CheckedReader f = open();
    return header(f);
  }

  /// Restores the solver; returns the iterations done.
  template <class Solver, class Vector, class Residual>
  long load(Solver& solver, Vector& x, Residual& r, SolveReport& report) {
    CheckedReader f = open();
    header(f);
    long iteration = 0;
    f(iteration);
    visit_report(f, report);
    report.iterations = iteration;
    finite_vector(f, x);
    if (report.status != SolveStatus::converged) {
      finite_vector(f, r);
      StateArchive<Dev, CheckedReader> archive{dev_, f};
      solver.state(archive);
    }
    end(f);
    return iteration;
  }

 private:
  static constexpr char magic[8] = {'U', 'M', 'O', 'V', 'C', 'P', '0', '8'};

  void put_header(ByteWriter& file, const Stage& stage) {
    file.bytes(magic, sizeof magic);
    file(solver_);
    file(preconditioners_);
    file(precision_);
    file(part_);
    file(fingerprint_);
    file(of_case_);
    file(stage.number);
    file(stage.begin);
    file(stage.in_float);
  }

  Stage header(CheckedReader& f) {
    char mark[sizeof magic];
    f.mark(mark);
    if (std::memcmp(mark, magic, sizeof magic - 2) == 0 && std::memcmp(mark, magic, sizeof magic) != 0)
      throw BadInput(path_ + ": checkpoint of another version of umov; run the case again");
    if (std::memcmp(mark, magic, sizeof magic) != 0) throw BadInput(path_ + ": not a checkpoint of umov dda");
    f.check();
    std::string name, preconditioners;
    f(name);
    if (name != solver_)
      throw BadInput(path_ + ": checkpoint of solver '" + name + "' but '" + solver_ + "' was asked for");
    f(preconditioners);
    if (preconditioners != preconditioners_)
      throw BadInput(path_ + ": checkpoint with preconditioner '" + preconditioners + "' but '" +
                     preconditioners_ + "' was asked for");
    std::string precision, part;
    f(precision);
    f(part);
    std::vector<double> print;
    std::uint64_t of_case = 0;
    f(print);
    f(of_case);
    if (precision != precision_)
      throw BadInput(path_ + ": checkpoint was written in another precision (" + precision + "; " +
                     precision_ + " was asked for)");
    if (part != part_)
      throw BadInput(path_ + ": checkpoint of " + in_words(part) + " but one of " + in_words(part_) +
                     " is to be continued; give `solver.sectors` and `machine.backend` as they were");
    if (print != fingerprint_ || of_case != of_case_)
      throw BadInput(
          path_ + ": checkpoint belongs to another particle, wavelength, material, method or incident wave");
    Stage stage;
    f(stage.number);
    f(stage.begin);
    f(stage.in_float);
    if (stage.number < 0 || stage.begin < 0) f.damaged();
    return stage;
  }

  static std::string in_words(const std::string& part) {
    return part.empty() ? "the whole particle" : "the mirror sector '" + part + "'";
  }

  CheckedReader open() const {
    CheckedReader in(path_, "checkpoint");
    require_open(in);
    return in;
  }
  void require_open(const CheckedReader& in) const {
    if (!in.is_open()) throw BadInput("cannot open checkpoint " + path_ + " (" + std::strerror(errno) + ")");
  }

  Dev& dev_;
  std::string path_;
  std::vector<double> fingerprint_;
  std::uint64_t of_case_;
  std::string solver_, part_, preconditioners_, precision_;
};

}  // namespace umov::dda
