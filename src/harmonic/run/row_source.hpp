// Where the workers of a sweep get their rows and say what came of them.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <string>

#include "harmonic/run/sweep_state.hpp"

namespace umov::harmonic {

/// What came of a row beside its numbers.
struct RowReport {
  std::string trouble;   ///< of its first solve in pseudo-time that did not converge
  double sent_back = 0;  ///< largest amplitude that an end of the cell sends back
  std::string device;    ///< its name
  double computing = 0;  ///< s
};

/// Workers have numbers from 0 over all ranks of the run. Members may be called by all workers at once.
class RowSource {
 public:
  virtual ~RowSource() = default;

  virtual const Row& row(std::size_t number) const = 0;
  /// The number of the row that a worker is to compute; nothing: there is none, or the run ends.
  virtual std::optional<std::size_t> next(int worker) = 0;
  /// A polarization of a row begins; its text is what notes about it begin with.
  virtual void begin(int worker, const std::string& what, const std::string& iteration) = 0;
  /// Whether to go on.
  virtual bool iterated(int worker, char polarization, long iteration, double residual) = 0;
  virtual void note(int worker, const std::string& text) = 0;
  virtual void finish(int worker, std::size_t number, FinishedRow, const RowReport&) = 0;
  /// A worker that could not begin: others get its row. Where there is none, the run ends by this error.
  virtual void leave_out(int worker, std::size_t number, const std::string& why, std::exception_ptr) = 0;
  /// The run ends by this error: others finish the rows that they are at.
  virtual void fail(int worker, std::exception_ptr) = 0;
  /// A worker computes no more: the last that is said of it.
  virtual void leave(int worker) = 0;
};

}  // namespace umov::harmonic
