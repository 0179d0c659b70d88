#include "dda/output/field_file.hpp"

#include <bit>
#include <filesystem>

#include "comm/collect.hpp"
#include "comm/shared_file.hpp"
#include "dda/output/voxels.hpp"

namespace umov::dda {

bool FieldFile::serves(const Simulation& sim, const comm::Communicator& comm) {
  const Outputs& o = sim.outputs;
  return comm.size() > 1 && o.hdf5 && !o.store_beam && !o.store_dip_pol && !o.store_int_field &&
         !sim.orientation.average && std::endian::native == std::endian::little;
}

bool FieldFile::take(const shapes::Particle& p, char label, const PlaneFields& own) {
  const results::VoxelGrid image = fields_image(p, label, own);
  std::vector<results::StoredPlanes> places;
  if (comm_.first()) {
    if (!file_)
      file_ = std::make_shared<results::ImageFile>(
          (std::filesystem::path(sim_.output_dir) / "results.vtkhdf").string());
    places = file_->add(image);
  }
  comm::broadcast(comm_, places);
  const auto file = comm::SharedFile::open(comm_, file_ ? file_->aside() : "", file_ ? file_->path() : "");
  if (!file) {
    file_.reset();
    return false;
  }
  file->write(comm_, [&] {
    for (std::size_t a = 0; a < image.arrays.size(); ++a)
      for (index_t z = own.first_plane; z < own.first_plane + own.planes; ++z)
        file->put(places[a].offset + std::uint64_t(z) * places[a].plane_bytes,
                  results::stored_plane(image, image.arrays[a], int(z)));
  });
  return true;
}

}  // namespace umov::dda
