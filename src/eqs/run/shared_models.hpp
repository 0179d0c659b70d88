// Meshes, numberings and patterns that the variants of a batch have in common.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "eqs/run/prepare.hpp"

namespace umov::eqs {

/// A digest of all that decides the mesh, its groups and their roles.
std::uint64_t mesh_key(const Simulation&);

/// Makes each mesh once, and keeps it while workers have it: a worker leaves a mesh when none of its variants
/// waits any more. For several threads.
class SharedModels {
 public:
  /// As eqs::prepare. Throws what that throws.
  Prepared prepare(const Simulation&, const run::Machine&, std::uint64_t key, run::Journal&);
  /// A worker has this mesh; it has it no longer, and without others it is forgotten.
  void take(std::uint64_t key);
  void leave(std::uint64_t key);
  std::size_t made() const { return made_; }

 private:
  struct Model {
    std::mutex making;
    std::shared_ptr<const Problem> problem;
    std::size_t workers = 0;
  };
  std::mutex lock_, meshing_;
  std::map<std::uint64_t, Model> models_;
  std::size_t made_ = 0;
};

/// What a worker has of them: the mesh of its last case.
class HeldModel {
 public:
  explicit HeldModel(std::shared_ptr<SharedModels> models) : models_(std::move(models)) {}
  ~HeldModel() {
    if (key_) models_->leave(*key_);
  }
  HeldModel(const HeldModel&) = delete;
  HeldModel& operator=(const HeldModel&) = delete;

  /// As SharedModels::prepare.
  Prepared prepare(const Simulation&, const run::Machine&, std::uint64_t key, run::Journal&);

 private:
  std::shared_ptr<SharedModels> models_;
  std::optional<std::uint64_t> key_;
};

}  // namespace umov::eqs
