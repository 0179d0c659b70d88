#include "fdtd/output/fourier_files.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>

#include "comm/collect.hpp"
#include "comm/shared_file.hpp"
#include "core/error.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/output/images.hpp"
#include "results/image_file.hpp"

namespace umov::fdtd {

namespace {

/// Values of one list [frequency][plane][...] of all ranks, whose planes follow each other, on rank 0.
template <class T>
std::vector<T> gather_planes(comm::Communicator& comm, const std::vector<T>& own, std::size_t frequencies) {
  std::vector<T> all;
  const std::size_t each = own.size() / frequencies;
  for (std::size_t f = 0; f < frequencies; ++f) {
    const auto one = comm::gather(comm, std::span<const T>(own).subspan(f * each, each));
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

/// What pictures show, on rank 0: as intensity_raster() has it.
std::array<std::vector<double>, 3> gather_cuts(comm::Communicator& comm, const FourierResult& f) {
  const bool electric = std::any_of(f.components.begin(), f.components.end(), is_electric);
  const Int3 n = f.size;
  std::array<std::vector<double>, 3> cuts;
  std::size_t at = 0;
  for (std::size_t k = 0; k < f.frequency.size(); ++k)
    for (int z = f.first_plane; z < f.first_plane + f.planes; ++z)
      for (int y = 0; y < n[1]; ++y)
        for (int x = 0; x < n[0]; ++x, ++at) {
          const Int3 point{x, y, z};
          for (int w = 0; w < 3; ++w) {
            if (point[w] != n[w] / 2) continue;
            double sum = 0;
            for (std::size_t c = 0; c < f.components.size(); ++c)
              if (is_electric(f.components[c]) == electric) sum += std::norm(f.values[c][at]);
            cuts[std::size_t(w)].push_back(sum);
          }
        }
  for (auto& cut : cuts) cut = gather_planes(comm, cut, f.frequency.size());
  return cuts;
}

/// The first reason that a rank has; of every rank.
std::string shared_reason(comm::Communicator& comm, const std::string& own) {
  if (!comm::any(comm, !own.empty())) return "";
  for (int r = 0; r < comm.size(); ++r) {
    std::string why = own;
    comm::broadcast(comm, why, r);
    if (!why.empty()) return why;
  }
  return "";
}

/// Why this failed, for all ranks: what some of them cannot write costs the file, not the run. "": it has
/// not.
template <class Act>
std::string reason_of_failure(comm::Communicator& comm, const Act& act) {
  std::string why;
  try {
    act();
  } catch (const MachineFailure& e) {
    why = e.what();
  }
  return shared_reason(comm, why);
}

}  // namespace

bool FourierFiles::serves(const Simulation& sim, const comm::Communicator& comm) {
  return comm.size() > 1 && sim.outputs.hdf5 && std::endian::native == std::endian::little;
}

void FourierFiles::give_up(FourierResult& f) {
  f.image.reset();
  for (auto& values : f.values) values = {};
}

void FourierFiles::take(const Outcome& o, FourierResult& f) {
  const results::VoxelGrid image = fourier_image(o, f);
  std::vector<results::StoredPlanes> places;
  f.failure = reason_of_failure(comm_, [&] {
    if (!comm_.first()) return;
    const std::string name = "fourier-" + unique_(f.name) + ".vtkhdf";
    f.image = std::make_shared<results::ImageFile>((std::filesystem::path(folder_) / name).string());
    places = f.image->add(image);
  });
  if (!f.failure.empty()) return give_up(f);
  comm::broadcast(comm_, places);
  const auto file =
      comm::SharedFile::open(comm_, f.image ? f.image->aside() : "", f.image ? f.image->path() : "");
  if (!file) {
    for (auto& values : f.values) values = gather_planes(comm_, values, f.frequency.size());
    f.image.reset();
    f.first_plane = 0;
    f.planes = -1;
    return;
  }
  const int copies = results::stored_copies(image);
  results::PlaneBuffer buffer;
  f.failure = reason_of_failure(comm_, [&] {
    for (std::size_t a = 0; a < image.arrays.size(); ++a)
      for (int z = f.first_plane; z < f.first_plane + f.planes; ++z) {
        const auto plane = results::stored_plane(image, image.arrays[a], z, buffer);
        for (int k = 0; k < copies; ++k)
          file->put(places[a].offset + std::uint64_t(z + k) * places[a].plane_bytes, plane);
      }
    file->flush();
  });
  if (!f.failure.empty()) return give_up(f);
  if (o.simulation.outputs.pictures) f.cuts = gather_cuts(comm_, f);
  for (auto& values : f.values) values = {};
}

}  // namespace umov::fdtd
