// E of a whole cell as an image that ParaView opens.
#include <fmt/format.h>

#include <filesystem>

#include "harmonic/field_views.hpp"
#include "harmonic/output/results.hpp"
#include "results/hdf5_writer.hpp"

namespace umov::harmonic {

namespace {

using results::VoxelArray;

VoxelArray field_part(const SolvedFields& f, const char* name, const char* text,
                      double (*part)(const cplx&)) {
  VoxelArray out{name, "1", text, 3, false, {}, true};
  out.fill = [&f, part](int z, std::span<double> slice) {
    std::vector<cplx> e(slice.size());
    field_at_nodes(f.problem, f.fields, f.outcome.top + z, e);
    for (std::size_t i = 0; i < e.size(); ++i) slice[i] = part(e[i]);
  };
  return out;
}

}  // namespace

void write_fields(const SolvedFields& f, const std::string& folder) {
  const Outcome& o = f.outcome;
  const auto& g = o.grid;
  results::Result r;
  r.attributes = {{"program", "umov fdtd, time-harmonic"},
                  {"version", o.version},
                  {"wavelength", fmt::format("{:.10g} um", f.row.wavelength)},
                  {"angle", fmt::format("{:.10g} degree", f.row.incidence.angle)},
                  {"azimuth", fmt::format("{:.10g} degree", f.row.incidence.azimuth)},
                  {"polarization", letter(f.polarization)},
                  {"axes", "z points down, into the cell; 0 is the mean top of the first layer"}};
  auto& image = r.voxels;
  image.cells = {g.nx, g.ny, o.planes};
  image.spacing = g.spacing;
  image.origin = {-g.spacing[0] / 2, -g.spacing[1] / 2, o.depth(0) - g.spacing[2] / 2};
  image.repeat_flat = true;
  image.arrays.push_back(field_part(f, "E_re", "real part of E at the nodes; |E| of the incident wave is 1",
                                    [](const cplx& v) { return v.real(); }));
  image.arrays.push_back(field_part(f, "E_im", "imaginary part, time dependence exp(-i w t)",
                                    [](const cplx& v) { return v.imag(); }));
  image.arrays.push_back({"intensity", "1", "|E|^2 over that of the incident wave", 1, false,
                          [&f](int z, std::span<double> slice) {
                            intensity_at_nodes(f.problem, f.fields, f.outcome.top + z, slice);
                          },
                          true});
  image.arrays.push_back({"absorption", "um^-1", "absorbed power per volume over the incident power per area",
                          1, false,
                          [&f](int z, std::span<double> slice) {
                            absorption_at_nodes(f.problem, f.fields, f.wave, f.outcome.top + z, slice);
                          },
                          true});
  image.arrays.push_back(
      {"medium", "1", "0: superstrate, 1: first layer, ...", 1, true,
       [&f](int z, std::span<double> slice) { media_at_nodes(f.cell, f.outcome.top + z, slice); }, false});
  const std::string name = "fields-" + point_name(o, f.row, f.polarization) + ".vtkhdf";
  results::write_hdf5(r, (std::filesystem::path(folder) / name).string());
}

}  // namespace umov::harmonic
