// Fields per dipole of ranks that share a particle, written by each into its place of one file.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "comm/communicator.hpp"
#include "comm/shared_file.hpp"
#include "dda/field_sink.hpp"
#include "dda/simulation.hpp"
#include "results/image_file.hpp"

namespace umov::dda {

/// Rank 0 makes the arrays, all put what they have of them, as soon as a polarization is solved for.
class FieldFile : public FieldSink {
 public:
  /// Of every rank; `folder` is where the results are to be.
  FieldFile(std::string folder, comm::Communicator& comm) : folder_(std::move(folder)), comm_(comm) {}

  /// Whether a case writes fields, and writes them nowhere else: what the first rank is to have as a whole
  /// (files of text) it can as well write.
  static bool serves(const Simulation&, const comm::Communicator&);

  bool take(const shapes::Particle&, char label, const FieldPass&) override;
  /// Waits for the disk, which has been at work since the first polarization.
  void finish() override;

  /// On rank 0: the file, begun; nullptr where nothing was taken.
  std::shared_ptr<results::ImageFile> begun() const { return file_; }

 private:
  const std::string folder_;
  comm::Communicator& comm_;
  std::shared_ptr<results::ImageFile> file_;
  std::unique_ptr<comm::SharedFile> shared_;
};

}  // namespace umov::dda
