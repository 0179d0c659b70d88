// Where a worker of a batch gets its variants from.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "eqs/outcome.hpp"
#include "eqs/variants/batch_outcome.hpp"

namespace umov::eqs {

/// Several workers use it at a time.
class VariantSource {
 public:
  virtual ~VariantSource() = default;

  /// A variant of the mesh that this worker has, else of one that nobody is at, else any; nothing: there is
  /// none, or the batch ends.
  virtual std::optional<std::size_t> next(std::optional<std::uint64_t>& mesh) = 0;
  /// Whether a variant under way is to be finished.
  virtual bool go_on() = 0;
  virtual void warn(const std::string& text) = 0;
  virtual void finish(std::size_t variant, const Outcome&, BatchRow) = 0;
  /// A variant that cannot be: its row says why.
  virtual void refuse(std::size_t variant, const BadInput&) = 0;
  /// A worker whose device failed. Others get its variant; without others the batch ends, and so it does for
  /// a variant that fails twice.
  virtual void leave_out(std::size_t variant, const std::string& why, std::exception_ptr) = 0;
  /// The batch ends by this error: others finish the variants that they are at.
  virtual void fail(std::size_t variant, std::exception_ptr) = 0;
};

}  // namespace umov::eqs
