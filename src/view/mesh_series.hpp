// A mesh of tetrahedra with values over time, as viewers are shown it: surfaces, cuts, instants.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "results/mesh_reader.hpp"
#include "view/stored.hpp"

namespace umov::view {

/// A quantity of a mesh and how it is best shown.
struct MeshShown {
  std::string name, label, text, unit = "1", role;
  bool at_points = true;  ///< else one value per tetrahedron
};

/// Values of the quantities of a mesh at several times. May be called from any thread.
class MeshInstants {
 public:
  using Values = std::shared_ptr<const std::vector<float>>;
  struct Found {
    double time = 0, step = 0;
    Values values;
  };
  virtual ~MeshInstants() = default;
  virtual std::vector<double> times() const = 0;
  /// The newest that is not later than `time`, the first where all are; nothing while there is none.
  virtual std::optional<Found> at(double time, std::size_t quantity) const = 0;
};

/// Instants in memory: those that are kept, and the state as it is now. Where they take more than `most`
/// bytes, every second one of those kept is left out.
class KeptInstants : public MeshInstants {
 public:
  explicit KeptInstants(std::size_t most) : most_(most) {}
  using All = std::vector<std::vector<float>>;  ///< one list of values per quantity

  /// Returns false when others were left out for it.
  bool keep(double time, double step, All);
  void set_now(double time, double step, All);

  std::vector<double> times() const override;
  std::optional<Found> at(double time, std::size_t quantity) const override;

 private:
  struct Instant {
    double time = 0, step = 0;
    std::vector<Values> values;
    std::size_t bytes = 0;
  };
  static Instant made(double time, double step, All);

  mutable std::mutex mutex_;
  const std::size_t most_;
  std::vector<Instant> kept_;
  std::optional<Instant> now_;  ///< later than all that are kept
};

/// Instants of a file, read when they are asked for; the last few are held.
std::shared_ptr<MeshInstants> stored_instants(const std::string& path,
                                              std::shared_ptr<const results::StoredMesh>);

/// The ids of what shows a mesh.
struct MeshArrays {
  int surfaces = -1, instants = -1;
  std::vector<int> fields;  ///< cuts: one per quantity, then the number of the region
};

/// Adds to a case: `PREFIX/surfaces`, a field on a fine raster for each quantity (cuts are computed when they
/// are asked for, from the element that each value lies in), the regions as a field of role `model`, and the
/// list `PREFIX/instants`. `live`: instants will come (Hub::renew).
MeshArrays add_mesh(Shelf&, int case_id, const std::string& prefix,
                    std::shared_ptr<const results::StoredMesh>, const std::vector<MeshShown>&,
                    std::shared_ptr<const MeshInstants>, const std::string& length_unit, bool live);

/// The mesh file of a finished case. Throws BadInput.
void add_mesh_file(Shelf&, int case_id, const std::string& name, const std::string& path);

}  // namespace umov::view
