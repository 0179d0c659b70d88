// Where the linear systems of a run go while they are solved, one after the other.
#pragma once

#include <string>
#include <vector>

#include "eqs/problem.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::eqs {

/// A x = b as it was solved. Harmonic: complex symmetric, vectors have imaginary parts behind the real ones.
struct LinearSystem {
  long matrix = 0;                  ///< the number of an earlier system with the same matrix; 0: it is in `a`
  sparse::HostCsr a;                ///< symmetric, both halves
  std::vector<double> imaginary;    ///< of a's entries; empty: real
  std::vector<double> b, start, x;  ///< an empty start is 0
  int iterations = 0;
  double tolerance = 0, residual = 0;  ///< of |b - A x| / |b|
  bool converged = true;
};

class SystemSink {
 public:
  virtual ~SystemSink() = default;
  /// What the systems to come belong to: a time (s), and of a step a stage from 1 on.
  void at(double time, const char* of, int stage = 0) { time_ = time, of_ = of, stage_ = stage; }
  /// The same at the last time.
  void of(const char* what) { of_ = what, stage_ = 0; }
  void note_steps(int more) { steps_ += more; }

  /// Of every system, before it is solved: whether take() is to hear of it.
  virtual bool wants() = 0;
  /// Returns the system's number, from 1 on. Throws as AtomicFile does.
  virtual long take(const LinearSystem&) = 0;

 protected:
  double time_ = 0;
  std::string of_ = "solution";
  int stage_ = 0;
  long steps_ = 0;  ///< accepted so far
};

inline void note_systems(const Problem& p, double time, const char* of, int stage = 0) {
  if (p.systems) p.systems->at(time, of, stage);
}

/// A matrix from the device.
template <class Device>
sparse::HostCsr host_matrix(const Device& dev, const sparse::CsrView<double>& a) {
  sparse::HostCsr out;
  out.rows = a.rows, out.columns = a.columns;
  out.start.resize(std::size_t(a.rows) + 1);
  dev.download(out.start.data(), a.start, out.start.size());
  out.column.resize(std::size_t(out.start.back()));
  out.value.resize(out.column.size());
  dev.download(out.column.data(), a.column, out.column.size());
  dev.download(out.value.data(), a.value, out.value.size());
  return out;
}

}  // namespace umov::eqs
