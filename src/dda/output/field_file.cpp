#include "dda/output/field_file.hpp"

#include <bit>
#include <exception>
#include <filesystem>

#include "comm/collect.hpp"
#include "dda/output/voxels.hpp"

namespace umov::dda {

bool FieldFile::serves(const Simulation& sim, const comm::Communicator& comm) {
  const Outputs& o = sim.outputs;
  return comm.size() > 1 && o.hdf5 && !o.store_beam && !o.store_dip_pol && !o.store_int_field &&
         !sim.orientation.average && std::endian::native == std::endian::little;
}

namespace {

/// Puts the planes of `fields` into the file, each array and plane by one thread.
void put_planes(comm::SharedFile& file, const results::VoxelGrid& image,
                const std::vector<results::StoredPlanes>& places, const PlaneFields& fields) {
  std::exception_ptr failed;
#pragma omp parallel
  {
    results::PlaneBuffer buffer;
#pragma omp for schedule(dynamic) collapse(2)
    for (std::size_t a = 0; a < image.arrays.size(); ++a)
      for (index_t z = fields.first_plane; z < fields.first_plane + fields.planes; ++z) {
        try {
          file.put(places[a].offset + std::uint64_t(z) * places[a].plane_bytes,
                   results::stored_plane(image, image.arrays[a], int(z), buffer));
        } catch (...) {
#pragma omp critical(umov_put_planes)
          failed = std::current_exception();
        }
      }
  }
  if (failed) std::rethrow_exception(failed);
  for (const results::StoredPlanes& place : places)
    file.hasten(place.offset + std::uint64_t(fields.first_plane) * place.plane_bytes,
                std::uint64_t(fields.planes) * place.plane_bytes);
}

}  // namespace

bool FieldFile::take(const shapes::Particle& p, char label, const FieldPass& pass) {
  PlaneFields fields;
  const results::VoxelGrid image = fields_image(p, label, fields);
  std::vector<results::StoredPlanes> places;
  if (comm_.first()) {
    if (!file_)
      file_ =
          std::make_shared<results::ImageFile>((std::filesystem::path(folder_) / "results.vtkhdf").string());
    places = file_->add(image);
  }
  comm::broadcast(comm_, places);
  if (!shared_)
    shared_ = comm::SharedFile::open(comm_, file_ ? file_->aside() : "", file_ ? file_->path() : "");
  if (!shared_) {
    file_.reset();
    return false;
  }
  shared_->begin(comm_, [&] {
    pass([&](const PlaneFields& some) {
      fields = some;
      put_planes(*shared_, image, places, fields);
    });
  });
  return true;
}

void FieldFile::finish() {
  if (shared_) shared_->finish(comm_);
  shared_.reset();
}

}  // namespace umov::dda
