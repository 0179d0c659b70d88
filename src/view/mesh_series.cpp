// Surfaces, cuts and instants of a mesh as arrays.
#include "view/mesh_series.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "view/mesh_cut.hpp"
#include "view/surface.hpp"

namespace umov::view {

namespace {

using Mesh = std::shared_ptr<const results::StoredMesh>;

/// The newest of ascending times that is not later, or the first.
std::size_t index_at(const std::vector<double>& times, double time) {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  return after == times.begin() ? 0 : std::size_t(after - times.begin()) - 1;
}

/// What the arrays of one mesh share: places that were found, so that another instant costs no search.
class Cuts {
 public:
  explicit Cuts(Mesh mesh) : mesh_(std::move(mesh)), raster_(raster_over(*mesh_)) {}

  const MeshRaster& raster() const { return raster_; }
  std::vector<float> cut(const Request& r, std::span<const float> values, bool at_points) {
    return values_at(*mesh_, *places(r), values, at_points);
  }

 private:
  std::shared_ptr<const MeshPlaces> places(const Request& r) {
    Request key;
    key.axis = r.axis, key.index = r.index, key.lo = r.lo, key.hi = r.hi, key.size = r.size;
    const std::lock_guard lock(mutex_);
    for (const auto& [of, places] : held_)
      if (of == key) return places;
    constexpr std::size_t most = 8;
    if (held_.size() >= most) held_.pop_front();
    held_.emplace_back(key, std::make_shared<const MeshPlaces>(places_of(*mesh_, raster_, key)));
    return held_.back().second;
  }

  Mesh mesh_;
  MeshRaster raster_;
  std::mutex mutex_;
  std::deque<std::pair<Request, std::shared_ptr<const MeshPlaces>>> held_;
};

class FileInstants : public MeshInstants {
 public:
  FileInstants(std::string path, Mesh mesh) : path_(std::move(path)), mesh_(std::move(mesh)) {}

  std::vector<double> times() const override { return mesh_->times; }
  std::optional<Found> at(double time, std::size_t quantity) const override {
    if (mesh_->times.empty()) return std::nullopt;
    const std::size_t n = index_at(mesh_->times, time);
    const std::lock_guard lock(mutex_);
    for (const auto& [key, values] : held_)
      if (key == std::pair(quantity, n)) return Found{mesh_->times[n], double(n), values};
    constexpr std::size_t most = 6;
    if (held_.size() >= most) held_.pop_front();
    held_.emplace_back(std::pair(quantity, n), std::make_shared<const std::vector<float>>(
                                                   read_mesh_values(path_, *mesh_, quantity, n)));
    return Found{mesh_->times[n], double(n), held_.back().second};
  }

 private:
  std::string path_;
  Mesh mesh_;
  mutable std::mutex mutex_;
  mutable std::deque<std::pair<std::pair<std::size_t, std::size_t>, Values>> held_;
};

/// Everything around an array of a mesh that is the same for all of them.
struct Group {
  int case_id;
  std::string prefix, length_unit;
  Mesh mesh;
  std::shared_ptr<const MeshInstants> instants;
  bool live;
};

int add_surfaces(Shelf& shelf, const Group& g, const std::vector<MeshShown>& shown) {
  const auto surface = std::make_shared<const Surface>(*g.mesh);
  ArrayInfo info;
  info.case_id = g.case_id;
  info.name = g.prefix + "/surfaces";
  info.label = "model";
  info.text = "surfaces of the regions and of the conductors";
  info.kind = Kind::triangles;
  info.role = "model";
  info.live = g.live;
  info.length_unit = g.length_unit;
  info.shape = {(long long)surface->vertices(), (long long)surface->triangles()};
  int id = 0;
  for (const auto& name : g.mesh->regions) info.regions.push_back({id++, name});
  for (const auto& name : g.mesh->conductors) info.regions.push_back({id++, name});
  for (const auto& q : shown) info.columns.push_back({q.label, q.unit});
  if (!shown.empty()) info.instants = g.prefix + "/instants";
  return shelf.add(std::move(info), [surface, shown, instants = g.instants](const Request& r) {
    Data d;
    if (r.parts != TriangleParts::values) d.parts = surface->shape();
    if (r.parts == TriangleParts::shape) return d;
    for (std::size_t q = 0; q < shown.size(); ++q) {
      if (const auto found = instants->at(r.time, q)) {
        d.time = found->time;
        d.step = found->step;
        d.parts.push_back(surface->values(*found->values, shown[q].at_points));
      } else {
        const auto n = surface->vertices();
        d.parts.push_back(
            {{std::uint32_t(n), 1, 1}, std::vector<float>(n, std::numeric_limits<float>::quiet_NaN())});
      }
    }
    if (d.parts.empty()) d.parts.push_back({{0, 1, 1}, std::vector<float>()});
    return d;
  });
}

ArrayInfo field_info(const Group& g, const MeshRaster& raster) {
  ArrayInfo info;
  info.case_id = g.case_id;
  info.length_unit = g.length_unit;
  info.shape = {raster.cells[0], raster.cells[1], raster.cells[2]};
  info.origin = raster.origin;
  info.spacing = raster.spacing;
  // A plane that shows the upright axis: through it, or a plane of symmetry, where there is one.
  info.cut_axis = 1;
  info.cut_index = raster.cells[1] / 2;
  if (const double at = -raster.origin[1] / raster.spacing[1]; at >= 0 && at <= raster.cells[1])
    info.cut_index = std::min(int(at), raster.cells[1] - 1);
  return info;
}

int add_field(Shelf& shelf, const Group& g, const std::shared_ptr<Cuts>& cuts, const MeshShown& q,
              std::size_t quantity) {
  ArrayInfo info = field_info(g, cuts->raster());
  info.name = g.prefix + "/" + q.name;
  info.label = q.label;
  info.text = q.text;
  info.unit = q.unit;
  info.role = q.role;
  info.live = g.live;
  info.instants = g.prefix + "/instants";
  info.is_signed = q.role == "potential" || q.role == "component";
  return shelf.add(
      std::move(info), [cuts, quantity, at_points = q.at_points, instants = g.instants](const Request& r) {
        Data d;
        const auto found = instants->at(r.time, quantity);
        const auto shape = shape_of(r);
        if (found) {
          d.time = found->time;
          d.step = found->step;
          d.parts.push_back({shape, cuts->cut(r, *found->values, at_points)});
        } else {
          d.parts.push_back({shape, std::vector<float>(std::size_t(shape[0]) * shape[1] * shape[2],
                                                       std::numeric_limits<float>::quiet_NaN())});
        }
        return d;
      });
}

int add_regions(Shelf& shelf, const Group& g, const std::shared_ptr<Cuts>& cuts) {
  ArrayInfo info = field_info(g, cuts->raster());
  info.name = g.prefix + "/regions";
  info.label = "regions";
  info.text = "number of the region";
  int id = 0;
  for (const auto& name : g.mesh->regions) {
    info.text += (id == 0 ? ": " : ", ") + std::to_string(id) + " " + name;
    info.regions.push_back({id++, name});
  }
  info.role = "model";
  std::vector<float> numbers(g.mesh->region.begin(), g.mesh->region.end());
  return shelf.add(std::move(info), [cuts, numbers = std::move(numbers)](const Request& r) {
    Data d;
    d.parts.push_back({shape_of(r), cuts->cut(r, numbers, false)});
    return d;
  });
}

int add_instants(Shelf& shelf, const Group& g) {
  ArrayInfo info;
  info.case_id = g.case_id;
  info.name = g.prefix + "/instants";
  info.label = "instants";
  info.text = "times that fields can be asked for";
  info.unit = "s";
  info.kind = Kind::curve;
  info.role = "instants";
  info.live = g.live;
  info.columns = {{"number", "1"}, {"time", "s"}};
  const double period = g.mesh->period;
  if (period > 0) info.columns.push_back({"phase", "degree"});
  info.shape = {(long long)g.instants->times().size(), (long long)info.columns.size()};
  return shelf.add(std::move(info), [instants = g.instants, period](const Request&) {
    const auto times = instants->times();
    std::vector<double> table(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) table[i] = double(i);
    table.insert(table.end(), times.begin(), times.end());
    if (period > 0)
      for (const double t : times) table.push_back(360 * t / period);
    Data d;
    if (!times.empty()) d.time = times.back();
    const auto columns = std::uint32_t(period > 0 ? 3 : 2);
    d.parts.push_back({{std::uint32_t(times.size()), columns, 1}, std::move(table)});
    return d;
  });
}

}  // namespace

KeptInstants::Instant KeptInstants::made(double time, double step, All all) {
  Instant i{time, step, {}, 0};
  for (auto& values : all) {
    i.bytes += values.size() * sizeof(float);
    i.values.push_back(std::make_shared<const std::vector<float>>(std::move(values)));
  }
  return i;
}

bool KeptInstants::keep(double time, double step, All all) {
  Instant fresh = made(time, step, std::move(all));
  const std::lock_guard lock(mutex_);
  if (now_ && now_->time <= time) now_.reset();
  // a period that is marched again
  std::erase_if(kept_, [time](const Instant& i) { return i.time >= time; });
  kept_.push_back(std::move(fresh));
  std::size_t bytes = 0;
  for (const Instant& i : kept_) bytes += i.bytes;
  if (bytes <= most_ || kept_.size() < 3) return true;
  std::vector<Instant> left;  // the first and the newest stay
  for (std::size_t i = 0; i < kept_.size(); ++i)
    if (i % 2 == 0 || i + 1 == kept_.size()) left.push_back(std::move(kept_[i]));
  kept_ = std::move(left);
  return false;
}

void KeptInstants::set_now(double time, double step, All all) {
  Instant fresh = made(time, step, std::move(all));
  const std::lock_guard lock(mutex_);
  if (kept_.empty() || time > kept_.back().time) now_ = std::move(fresh);
}

std::vector<double> KeptInstants::times() const {
  const std::lock_guard lock(mutex_);
  std::vector<double> out;
  for (const Instant& i : kept_) out.push_back(i.time);
  if (now_) out.push_back(now_->time);
  return out;
}

std::optional<MeshInstants::Found> KeptInstants::at(double time, std::size_t quantity) const {
  const std::lock_guard lock(mutex_);
  const Instant* found = kept_.empty() ? nullptr : &kept_.front();
  for (const Instant& i : kept_)
    if (i.time <= time) found = &i;
  if (now_ && (now_->time <= time || !found)) found = &*now_;
  if (!found) return std::nullopt;
  return Found{found->time, found->step, found->values.at(quantity)};
}

std::shared_ptr<MeshInstants> stored_instants(const std::string& path, Mesh mesh) {
  return std::make_shared<FileInstants>(path, std::move(mesh));
}

MeshArrays add_mesh(Shelf& shelf, int case_id, const std::string& prefix, Mesh mesh,
                    const std::vector<MeshShown>& shown, std::shared_ptr<const MeshInstants> instants,
                    const std::string& length_unit, bool live) {
  const Group g{case_id, prefix, length_unit, std::move(mesh), std::move(instants), live};
  const auto cuts = std::make_shared<Cuts>(g.mesh);
  MeshArrays out;
  out.surfaces = add_surfaces(shelf, g, shown);
  for (std::size_t q = 0; q < shown.size(); ++q) out.fields.push_back(add_field(shelf, g, cuts, shown[q], q));
  out.fields.push_back(add_regions(shelf, g, cuts));
  out.instants = add_instants(shelf, g);
  return out;
}

void add_mesh_file(Shelf& shelf, int case_id, const std::string& name, const std::string& path) {
  const auto mesh = std::make_shared<const results::StoredMesh>(results::read_mesh_file(path));
  std::vector<MeshShown> shown;
  for (const auto& q : mesh->quantities) {
    const bool size = q.components > 1;
    const std::string label = size ? "|" + q.name + "|" : q.name;
    const char* role = size ? "magnitude" : q.at_points ? "potential" : "intensity";
    shown.push_back({q.name, label, q.description, q.unit, role, q.at_points});
  }
  add_mesh(shelf, case_id, name, mesh, shown, stored_instants(path, mesh), "m", false);
}

}  // namespace umov::view
