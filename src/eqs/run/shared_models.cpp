#include "eqs/run/shared_models.hpp"

#include "core/file_contents.hpp"
#include "eqs/case/case.hpp"
#include "eqs/model/pattern.hpp"

namespace umov::eqs {

std::uint64_t mesh_key(const Simulation& sim) {
  Simulation bare;
  bare.mesh = sim.mesh;
  bare.symmetry = sim.symmetry;
  for (const auto& m : sim.materials) {
    MaterialSpec& spec = bare.materials.emplace_back();
    spec.name = m.name;
    spec.regions = m.regions;
  }
  for (const auto& e : sim.electrodes) {
    ElectrodeSpec& spec = bare.electrodes.emplace_back();
    spec.name = e.name;
    spec.groups = e.groups;
    spec.kind = e.kind;
  }
  Digest digest;
  digest.add(resolved_toml(bare));
  add_contents(digest, sim.mesh.file);
  return digest.value();
}

Prepared SharedModels::prepare(const Simulation& sim, const run::Machine& machine, std::uint64_t key,
                               run::Journal& journal) {
  Model* model = nullptr;
  {
    const std::lock_guard hold(lock_);
    model = &models_[key];
  }
  std::shared_ptr<const Problem> base;
  {
    // others that want this mesh wait for it
    const std::lock_guard hold(model->making);
    base = model->problem;
    if (!base) {
      // one mesher at a time: Gmsh works in a child process, which copies this one
      const std::lock_guard alone(meshing_);
      Prepared p = eqs::prepare(sim, machine, journal);
      ++made_;
      p.problem.patterns = std::make_shared<SharedPatterns>();
      model->problem = std::make_shared<const Problem>(p.problem);
      return p;
    }
  }
  return eqs::prepare(sim, machine, make_problem(sim, *base), journal);
}

void SharedModels::take(std::uint64_t key) {
  const std::lock_guard hold(lock_);
  ++models_[key].workers;
}

void SharedModels::leave(std::uint64_t key) {
  const std::lock_guard hold(lock_);
  const auto at = models_.find(key);
  if (at != models_.end() && --at->second.workers == 0) models_.erase(at);
}

Prepared HeldModel::prepare(const Simulation& sim, const run::Machine& machine, std::uint64_t key,
                            run::Journal& journal) {
  if (key_ != key) {
    models_->take(key);
    if (key_) models_->leave(*key_);
    key_ = key;
  }
  return models_->prepare(sim, machine, key, journal);
}

}  // namespace umov::eqs
