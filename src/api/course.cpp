#include "api/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>

namespace umov::api {

namespace fs = std::filesystem;

namespace {

constexpr const char* place = "Machine";

bool has(const ParameterList& table, const std::string& name) {
  return std::any_of(table.parameters().begin(), table.parameters().end(),
                     [&](const auto& info) { return !info.key.empty() && info.name() == name; });
}

/// The values of one array, slice by slice.
template <class T>
std::vector<T> values_of(const results::VoxelArray& array, const Int3& cells) {
  const std::size_t area = std::size_t(cells[0]) * std::size_t(cells[1]) * std::size_t(array.components);
  std::vector<T> all;
  all.reserve(area * std::size_t(cells[2]));
  std::vector<double> slice;
  for (int z = 0; z < cells[2]; ++z) {
    slice.assign(area, 0);
    array.fill(z, slice);
    all.insert(all.end(), slice.begin(), slice.end());
  }
  return all;
}

class PlainSeries : public Series {
 public:
  PlainSeries(Machine seat, const ParameterList& table, Compute compute)
      : seat_(std::move(seat)), table_(table), compute_(compute) {}
  results::Result run(const Tree& tree, const Observer& observer) override {
    return compute_(seated(tree, seat_, table_), seat_, observer);
  }

 private:
  Machine seat_;
  const ParameterList& table_;
  Compute compute_;
};

}  // namespace

std::vector<std::unique_ptr<Series>> series_of(const std::vector<Machine>& seats, const ParameterList& table,
                                               Compute compute) {
  return series_on(seats,
                   [&](const Machine& seat) { return std::make_unique<PlainSeries>(seat, table, compute); });
}

Tree with_machine(const Tree& tree, const Machine& machine, const ParameterList& table) {
  if (machine.resume && machine.checkpoint.empty())
    throw BadInput("Machine: resume without a folder (the state to go on from lies in one); set checkpoint");
  Tree out = tree;
  const auto is_table = [&](const std::string& name) {
    const Tree* there = out.find(name);
    return out.table() && (!there || there->table());  // what is not is refused by the reader
  };
  const auto put = [&](const std::string& section, const std::string& key, const auto& value) {
    const std::string name = section + "." + key;
    if (value && has(table, name) && is_table(section)) out.set(name, *value, place);
  };
  put("machine", "backend", machine.backend);
  put("machine", "device", machine.device);
  put("machine", "threads", machine.threads);
  // one of them replaces the other of the case
  put("machine", "ranks", machine.gpus && !machine.ranks ? std::optional(0) : machine.ranks);
  put("machine", "gpus", machine.ranks && !machine.gpus ? std::optional(0) : machine.gpus);
  if (!machine.checkpoint.empty()) put("checkpoint", "interval", machine.checkpoint_interval);
  return out;
}

void take_over(run::Machine& own, const Machine& machine) {
  own.quiet = true;
  own.output_dir = machine.checkpoint;
  if (machine.checkpoint.empty())
    own.checkpoint = {};
  else
    make_folder(machine.checkpoint);
  own.checkpoint.resume = machine.resume;
}

Tree seated(const Tree& tree, const Machine& seat, const ParameterList& table) {
  Tree out = tree;
  Tree* machine = nullptr;
  if (auto* top = std::get_if<Tree::Table>(&out.data))
    if (const auto found = top->find("machine"); found != top->end()) machine = &found->second;
  if (machine)
    if (auto* entries = std::get_if<Tree::Table>(&machine->data))
      for (const char* key : {"backend", "device", "threads", "ranks", "gpus"}) entries->erase(key);
  Machine own;
  own.backend = seat.backend;
  if (seat.backend == "cpu") own.threads = seat.threads;
  if (seat.backend == "cuda") own.device = seat.device;
  return with_machine(out, own, table);
}

void say_converged(results::Result& r, bool converged, const std::string& why_not) {
  std::erase_if(r.attributes, [](const auto& entry) { return entry.first == "converged"; });
  r.attributes.emplace_back("converged", converged ? "yes" : "no: " + why_not);
}

std::string folder_of(const Tree& tree) { return fs::path(tree.place).parent_path().string(); }

void make_folder(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!fs::is_directory(folder, failed))
    throw MachineFailure(fmt::format("no folder '{}' for the state of the run ({}); choose another", folder,
                                     failed.message()));
}

void Told::listen(run::Observer& o) {
  o.warning = [this](const std::string& text) { warn(text); };
  o.stage = [this](const std::string& text) {
    if (text.empty()) return;
    if (observer_.stage) observer_.stage(text);
    if (!progress(fraction_, text)) throw run::Interrupted("stopped by its observer before " + text);
  };
}

long Told::next_moment(long step) const {
  if (ended_) return step + 1;
  if (!observer_.moment || observer_.every <= 0) return std::numeric_limits<long>::max() / 2;
  return (step / observer_.every + 1) * observer_.every;
}

void Told::show(long step, double time, const std::function<results::Result()>& fields) {
  if (!observer_.moment || observer_.every <= 0 || ended_) return;
  if (step <= shown_ || step % observer_.every != 0) return;
  shown_ = step;
  ended_ = !observer_.moment({step, time, fields});
}

results::Result solver_state(long iteration, double residual) {
  results::Result r;
  r.add("iteration", "1", "of this solve", double(iteration));
  r.add("residual", "1", "relative to that at the start", residual);
  return r;
}

void refuse_moments(const Observer& observer, const std::string& why) {
  if (observer.moment)
    throw BadInput(fmt::format("fields are to be seen on the way ({}); leave that out", why));
}

bool Told::progress(double fraction, const std::string& text) {
  fraction_ = std::clamp(fraction, 0.0, 1.0);
  if (ended_) return false;
  return !observer_.progress || observer_.progress(fraction_, text);
}

bool loads_kernels_at_once() {
  const char* const loading = std::getenv("CUDA_MODULE_LOADING");
  return loading && std::string(loading) == "EAGER";
}

void own_voxels(results::Result& r, const results::VoxelGrid& grid, const std::string& group) {
  for (const auto& array : grid.arrays) {
    std::vector<std::size_t> shape{std::size_t(grid.cells[2]), std::size_t(grid.cells[1]),
                                   std::size_t(grid.cells[0])};
    if (array.components > 1) shape.push_back(std::size_t(array.components));
    if (array.single || array.is_label)
      r.add(group + array.name, array.unit, array.description, values_of<float>(array, grid.cells), shape);
    else
      r.add(group + array.name, array.unit, array.description, values_of<double>(array, grid.cells), shape);
  }
}

void own_voxels(results::Result& r) {
  if (!r.voxels.arrays.empty()) {
    own_voxels(r, r.voxels, "voxels/");
    const auto list = [](const Vec3& v) { return std::vector<double>(v.begin(), v.end()); };
    r.add("voxels/spacing", "1", "edges of a voxel along x, y, z, in the family's unit of length",
          list(r.voxels.spacing));
    r.add("voxels/origin", "1", "corner of the first voxel, in the family's unit of length",
          list(r.voxels.origin));
  }
  r.voxels.arrays.clear();
  std::erase_if(r.attributes, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace umov::api
