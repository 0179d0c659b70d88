// Volumes of Fourier monitors on ranks, each rank's planes written into their place of one file.
#pragma once

#include <string>
#include <utility>

#include "fdtd/fourier_sink.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/names.hpp"

namespace umov::fdtd {

/// Rank 0 makes the file, all put their planes there. Where a rank does not see it, rank 0 gets the values.
class FourierFiles : public FourierSink {
 public:
  /// `folder`: where the results are to be.
  FourierFiles(std::string folder, comm::Communicator& comm) : folder_(std::move(folder)), comm_(comm) {}

  /// Whether a case on these ranks writes such files.
  static bool serves(const Simulation&, const comm::Communicator&);

  comm::Communicator& ranks() override { return comm_; }
  void take(const Outcome&, FourierResult&) override;

 private:
  static void give_up(FourierResult&);
  std::string folder_;
  comm::Communicator& comm_;
  UniqueNames unique_;
};

}  // namespace umov::fdtd
