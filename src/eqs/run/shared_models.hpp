// Meshes, numberings and patterns that the variants of a batch have in common.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "eqs/run/prepare.hpp"

namespace umov::eqs {

/// A digest of all that decides the mesh, its groups and their roles.
std::uint64_t mesh_key(const Simulation&);

/// Makes each mesh once, and keeps it while cases that have it are to come. For several threads.
class SharedModels {
 public:
  /// The keys of the cases that will be asked for, one for each time.
  explicit SharedModels(const std::vector<std::uint64_t>& keys);

  /// As eqs::prepare. Throws what that throws.
  Prepared prepare(const Simulation&, std::uint64_t key, front::Journal&);
  /// A case will not be asked for (again).
  void done(std::uint64_t key);
  std::size_t made() const { return made_; }

 private:
  struct Model {
    std::mutex making;
    std::shared_ptr<const Problem> problem;
    std::size_t wanted = 0;
  };
  std::mutex lock_, meshing_;
  std::map<std::uint64_t, Model> models_;
  std::size_t made_ = 0;
};

}  // namespace umov::eqs
