// Input files for ADDA's command lines that name some: those of the reference when it is at hand, else files
// of our own that mean the same.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "shapes/particle.hpp"
#include "support/places.hpp"

namespace umov::test {

/// One block of ADDA's files of angles; of a whole turn the ends are the same angle.
inline std::string angle_block(const std::string& name, double min, double max, int jmax,
                               const std::string& eps, bool whole_turn) {
  const std::string turn = whole_turn ? "true" : "false";
  return name + ":\nmin=" + std::to_string(min) + "\nmax=" + std::to_string(max) +
         "\nJmin=2\nJmax=" + std::to_string(jmax) + "\neps=" + eps + "\nequiv=" + turn +
         "\nperiodic=" + turn + "\n";
}

/// 91 polar and 61 azimuthal angles as `type`, or the pairs (0, 0) and (30, 90).
inline std::string grid_file(const std::string& type) {
  return "global_type=" + type + "\nN=2\npairs=\n0 0\n30 90\n" +
         "theta:\ntype=range\nN=91\nmin=0\nmax=180\nvalues=\n0\n" +
         "phi:\ntype=range\nN=61\nmin=0\nmax=360\nvalues=\n0\n" +
         angle_block("phi_integr", 0, 360, 5, "0", true);
}

inline void write_angle_files(const std::filesystem::path& folder) {
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  // the defaults, as ADDA's manual lists them (section "All scattering directions" and those beside it)
  write("alldir_params.dat",
        angle_block("theta", 0, 180, 6, "0", false) + angle_block("phi", 0, 360, 5, "0", true));
  write("avg_params.dat", angle_block("alpha", 0, 360, 5, "0", true) +
                              angle_block("beta", 0, 180, 4, "1e-3", false) +
                              angle_block("gamma", 0, 360, 4, "1e-3", true));
  write("scat_params.dat", grid_file("grid"));
  // parts of those ranges
  write("adp.dat", angle_block("theta", 0, 90, 4, "0", false) + angle_block("phi", 0, 135, 3, "0", false));
  write("ap.dat", angle_block("alpha", 0, 180, 3, "0", false) + angle_block("beta", 0, 90, 3, "1e-3", false) +
                      angle_block("gamma", 0, 135, 3, "1e-3", false));
  write("sp.dat", grid_file("pairs"));
}

/// Polar (x) and axial half lengths of the contour in 196.txt, a body that tapers like an ellipsoid.
constexpr double contour_radius = 4.137, contour_height = 2.324;

inline void write_shape_files(const std::filesystem::path& folder) {
  using shapes::ShapeFormat;
  const auto save = [&](const char* name, const char* shape, std::vector<double> arguments, int grid,
                        ShapeFormat format) {
    shapes::Request q;
    q.shape = shape;
    q.arguments = std::move(arguments);
    q.grid[0] = grid;
    shapes::save_particle(shapes::make_particle(q), (folder / name).string(), format, shape);
  };
  save("ellipsoid.geom", "ellipsoid", {0.5, 1.5}, 8, ShapeFormat::text);
  save("coated.geom", "coated", {0.5}, 16, ShapeFormat::text);
  save("ell_ddscat6.dat", "ellipsoid", {0.5, 0.25}, 16, ShapeFormat::ddscat6);
  save("ell_ddscat7.dat", "ellipsoid", {0.5, 0.25}, 16, ShapeFormat::ddscat7);
  // The contour occupies the same 168 sites of 8 x 8 x 4 as that of the reference.
  std::ofstream contour(folder / "196.txt");
  for (int i = 0; i <= 40; ++i)
    contour << contour_radius * std::sin(pi * i / 40) << " " << contour_height * std::cos(pi * i / 40)
            << "\n";
}

/// The incident plane wave exp(i z) at the dipoles of `-shape ellipsoid 0.5 1.5 -grid 8 -m 1.1 0.1`,
/// polarised along `axis`, in the columns of ADDA's IncBeam.
inline void write_beam_file(const std::filesystem::path& file, int axis) {
  shapes::Request q;
  q.shape = "ellipsoid";
  q.arguments = {0.5, 1.5};
  q.grid[0] = 8;
  q.max_abs_m = std::hypot(1.1, 0.1);
  const auto particle = shapes::make_particle(q);
  std::ofstream out(file);
  out.precision(10);
  out << "x y z |Einc|^2 Eincx.r Eincx.i Eincy.r Eincy.i Eincz.r Eincz.i\n";
  std::size_t site = 0;
  for (int z = 0; z < particle.box[2]; ++z)
    for (int y = 0; y < particle.box[1]; ++y)
      for (int x = 0; x < particle.box[0]; ++x) {
        if (particle.material[site++] == 0) continue;
        const Vec3 r = particle.position(x, y, z);
        out << r[0] << " " << r[1] << " " << r[2] << " 1";
        for (int c = 0; c < 3; ++c)
          out << " " << (c == axis ? std::cos(r[2]) : 0) << " " << (c == axis ? std::sin(r[2]) : 0);
        out << "\n";
      }
}

/// Fills `folder` with every input file that the command lines name.
inline void write_adda_inputs(const std::filesystem::path& folder) {
  const std::string known = reference("adda/inputs");
  if (std::filesystem::exists(known)) {
    for (const auto& file : std::filesystem::directory_iterator(known))
      std::filesystem::copy(file.path(), folder / file.path().filename());
    return;
  }
  write_angle_files(folder);
  write_shape_files(folder);
  write_beam_file(folder / "IncBeam-X", 0);
  write_beam_file(folder / "IncBeam-Y", 1);
}

}  // namespace umov::test
