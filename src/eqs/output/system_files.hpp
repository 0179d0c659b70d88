// Files of the linear systems of a run, in Matrix Market form, with a table of them.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "eqs/solve/system_sink.hpp"

namespace umov::eqs {

/// In a folder: A_000001.mtx, b_000001.mtx, start_000001.mtx, x_000001.mtx of the first system, and
/// systems.csv, a row a system. A matrix that an earlier one had is not written again, nor a start of 0. What
/// is there is complete: files of a system that could not be written are removed.
class SystemFiles final : public SystemSink {
 public:
  /// Hears what is about to be written; `warning`: that the disk will not hold it.
  using Say = std::function<void(const std::string& text, bool warning)>;
  /// Throws BadInput where the folder holds something.
  SystemFiles(const SystemsSpec&, Say say);

  bool wants() override;
  long take(const LinearSystem&) override;

  long solved() const { return solved_; }
  int written() const { return written_; }

 private:
  std::string file(const char* kind, long number) const;
  void announce(const LinearSystem&);
  void write(const LinearSystem&);
  std::string row(const LinearSystem&) const;

  SystemsSpec spec_;
  Say say_;
  std::string table_;
  std::map<long, long> entries_;  ///< of a matrix, by the system it was taken with
  long solved_ = 0;
  int written_ = 0;
};

}  // namespace umov::eqs
