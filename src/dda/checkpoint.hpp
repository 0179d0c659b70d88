// A solver's whole state in one file, so that a killed run continues to the same answer.
#pragma once

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
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
};

/// Binary file: magic, solver name, preconditioners, precision, fingerprint of the problem, stage, report,
/// vectors, scalars, and a
/// closing mark, then a checksum of all that. A converged solution needs only x: r and the solver's state are
/// left out. Written aside and renamed, so the file is complete or absent; a damaged one is refused.
template <class Dev, class T>
class CheckpointFile {
 public:
  CheckpointFile(Dev& dev, std::string path, std::vector<double> fingerprint, std::string solver,
                 const std::vector<Preconditioner>& preconditioners, bool inner_float)
      : dev_(dev), path_(std::move(path)), fingerprint_(std::move(fingerprint)), solver_(std::move(solver)) {
    for (const auto& p : preconditioners) {
      preconditioners_ += (preconditioners_.empty() ? "" : ", then ") + p.name;
      for (const auto& a : p.inverse_alpha) fingerprint_.insert(fingerprint_.end(), {a.real(), a.imag()});
      fingerprint_.insert(fingerprint_.end(), {p.damping, p.growth, p.reach[0], p.reach[1], p.reach[2]});
    }
    if (preconditioners_.empty()) preconditioners_ = "none";
    precision_ = sizeof(T) == 4 ? "float" : sizeof(T) == 8 ? "double" : "ldouble";
    if (inner_float) precision_ += " iterated in float";
  }

  bool enabled() const { return !path_.empty(); }

  template <class Solver, class Vector, class Residual>
  void save(Solver& solver, Vector& x, Residual& r, const Stage& stage, long iteration,
            const SolveReport& report) {
    CheckedFile file(path_);
    Writer w{dev_, file};
    w.bytes(magic, sizeof magic);
    w.text(solver_);
    w.text(preconditioners_);
    w.text(precision_);
    w.list(fingerprint_);
    w.scalar(stage.number);
    w.scalar(stage.begin);
    w.scalar(stage.in_float);
    w.scalar(iteration);
    w.report(report);
    w.vector(x);
    if (report.status != SolveStatus::converged) {
      w.vector(r);
      solver.state(w);
    }
    w.bytes(magic, sizeof magic);
    file.commit();
  }

  /// Where the saved solve stands. Throws BadInput where this solve cannot continue it.
  Stage stage() {
    Reader f{dev_, open(path_), path_};
    return header(f);
  }

  /// Restores the solver; returns the iterations done.
  template <class Solver, class Vector, class Residual>
  long load(Solver& solver, Vector& x, Residual& r, SolveReport& report) {
    Reader f{dev_, open(path_), path_};
    header(f);
    long iteration = 0;
    f.scalar(iteration);
    f.report(report);
    report.iterations = iteration;
    f.finite_vector(x);
    if (report.status != SolveStatus::converged) {
      f.finite_vector(r);
      solver.state(f);
    }
    char mark[sizeof magic];
    f.bytes(mark, sizeof mark);
    if (std::memcmp(mark, magic, sizeof magic) != 0) throw BadInput(path_ + ": checkpoint is damaged");
    return iteration;
  }

 private:
  static constexpr char magic[8] = {'U', 'M', 'O', 'V', 'C', 'P', '0', '5'};
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  using File = std::unique_ptr<std::FILE, Close>;

  template <class From>
  Stage header(From& f) {
    char mark[sizeof magic];
    f.bytes(mark, sizeof mark);
    if (std::memcmp(mark, magic, sizeof magic - 2) == 0 && std::memcmp(mark, magic, sizeof magic) != 0)
      throw BadInput(path_ + ": checkpoint of another version of umov; run the case again");
    if (std::memcmp(mark, magic, sizeof magic) != 0) throw BadInput(path_ + ": not a checkpoint of umov dda");
    checked_size(path_, "checkpoint");
    std::string name, preconditioners;
    f.text(name);
    if (name != solver_)
      throw BadInput(path_ + ": checkpoint of solver '" + name + "' but '" + solver_ + "' was asked for");
    f.text(preconditioners);
    if (preconditioners != preconditioners_)
      throw BadInput(path_ + ": checkpoint with preconditioner '" + preconditioners + "' but '" +
                     preconditioners_ + "' was asked for");
    std::string precision;
    f.text(precision);
    std::vector<double> print;
    f.list(print);
    if (precision != precision_)
      throw BadInput(path_ + ": checkpoint was written in another precision (" + precision + "; " +
                     precision_ + " was asked for)");
    if (print != fingerprint_)
      throw BadInput(path_ +
                     ": checkpoint belongs to another particle, wavelength, material or incident wave");
    Stage stage;
    f.scalar(stage.number);
    f.scalar(stage.begin);
    char in_float = 0;
    f.scalar(in_float);
    stage.in_float = in_float != 0;
    if (stage.number < 0 || stage.begin < 0) throw BadInput(path_ + ": checkpoint is damaged");
    return stage;
  }

  static File open(const std::string& path) {
    File f(std::fopen(path.c_str(), "rb"));
    if (!f) throw BadInput("cannot open checkpoint " + path + " (" + std::strerror(errno) + ")");
    return f;
  }

  struct Writer {
    Dev& dev;
    CheckedFile& file;
    void bytes(const void* p, std::size_t n) { file.write({static_cast<const char*>(p), n}); }
    template <class V>
    void scalar(const V& v) {
      bytes(&v, sizeof v);
    }
    void text(const std::string& s) {
      scalar(s.size());
      bytes(s.data(), s.size());
    }
    void list(const std::vector<double>& v) {
      scalar(v.size());
      bytes(v.data(), v.size() * sizeof(double));
    }
    void report(const SolveReport& r) {
      text(r.start);
      scalar(r.status);
      scalar(r.initial_residual);
      scalar(r.residual);
      scalar(r.true_residual);
      list(r.history);
    }
    template <class Array>
    void vector(Array& a) {
      using V = std::remove_pointer_t<decltype(a.data())>;
      std::vector<V> host(a.size());
      dev.download(host.data(), a.data(), a.size());
      bytes(host.data(), host.size() * sizeof(V));
    }
  };

  struct Reader {
    Dev& dev;
    File file;
    std::string path;
    void bytes(void* p, std::size_t n) {
      if (n && std::fread(p, 1, n, file.get()) != n) throw BadInput(path + ": checkpoint is cut short");
    }
    template <class V>
    void scalar(V& v) {
      bytes(&v, sizeof v);
    }
    std::size_t length(std::size_t limit) {
      std::size_t n = 0;
      scalar(n);
      if (n > limit) throw BadInput(path + ": checkpoint is damaged");
      return n;
    }
    void text(std::string& s) {
      s.resize(length(4096));
      bytes(s.data(), s.size());
    }
    void list(std::vector<double>& v) {
      v.resize(length(std::size_t(1) << 28));
      bytes(v.data(), v.size() * sizeof(double));
    }
    void report(SolveReport& r) {
      text(r.start);
      scalar(r.status);
      scalar(r.initial_residual);
      scalar(r.residual);
      scalar(r.true_residual);
      list(r.history);
    }
    template <class Array>
    void vector(Array& a) {
      using V = std::remove_pointer_t<decltype(a.data())>;
      std::vector<V> host(a.size());
      bytes(host.data(), host.size() * sizeof(V));
      dev.upload(a.data(), host.data(), a.size());
    }
    /// A vector of complex numbers of which none may be nan or infinite.
    template <class Array>
    void finite_vector(Array& a) {
      vector(a);
      using V = std::remove_pointer_t<decltype(a.data())>;
      std::vector<V> host(a.size());
      dev.download(host.data(), a.data(), a.size());
      for (const V& v : host)
        if (!std::isfinite(double(v.re)) || !std::isfinite(double(v.im)))
          throw BadInput(path + ": the checkpoint holds nan or infinite values; run the case again");
    }
  };

  Dev& dev_;
  std::string path_;
  std::vector<double> fingerprint_;
  std::string solver_, preconditioners_, precision_;
};

}  // namespace umov::dda
