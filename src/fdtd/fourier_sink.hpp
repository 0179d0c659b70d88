// Where the values of Fourier monitors go that ranks have in parts.
#pragma once

#include "comm/communicator.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

class FourierSink {
 public:
  virtual ~FourierSink() = default;
  /// Those that share the grid.
  virtual comm::Communicator& ranks() = 0;
  /// Of every rank, with its planes of z in `values`: these go, or all are on rank 0 afterwards. The outcome
  /// has grid and case. What cannot be written is said in the result.
  virtual void take(const Outcome&, FourierResult&) = 0;
};

}  // namespace umov::fdtd
