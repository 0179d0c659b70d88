// The files of a time-domain run, one after the other.
#include "fdtd/output/results.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/output/animation.hpp"
#include "fdtd/output/images.hpp"
#include "fdtd/output/pictures.hpp"
#include "results/formats.hpp"
#include "results/hdf5_writer.hpp"
#include "results/image_file.hpp"

namespace umov::fdtd {

namespace {

/// An image file of its own, with the run's provenance; `at_nodes`: its values lie off its points.
void write_image(const Outcome& o, results::VoxelGrid image, bool at_nodes, std::string path) {
  if (image.arrays.empty()) return;
  results::Result r;
  r.attributes = run_attributes(o);
  r.voxels = std::move(image);
  if (at_nodes) add_offsets(r, o);
  results::write_hdf5(r, path);
}

}  // namespace

void write_results(const Outcome& o, const std::string& folder, const std::vector<StageTime>& times) {
  const auto place = [&](const std::string& name) { return (std::filesystem::path(folder) / name).string(); };
  const auto& wanted = o.simulation.outputs;
  results::write(results::with_timings(to_result(o), times), folder, wanted);
  if (wanted.hdf5) {
    UniqueNames unique;
    for (const auto& f : o.of<FourierResult>()) {
      const std::string name = "fourier-" + unique(f.name) + ".vtkhdf";
      if (!f.failure.empty()) throw MachineFailure(f.failure);
      if (!f.image) {
        write_image(o, fourier_image(o, f), false, place(name));
        continue;
      }
      results::Result rest;
      rest.attributes = run_attributes(o);
      f.image->complete(rest);
    }
    for (int axis = 0; axis < 3; ++axis)
      write_image(o, plane_image(o, axis), true, place(std::string("plane-") + axis_name(axis) + ".vtkhdf"));
  }
  if (wanted.pictures) draw_pictures(o, folder);
  if (wanted.animation) write_animation(o, place("animation.gif"));
}

}  // namespace umov::fdtd
