// What a user asks of a time-harmonic layered cell: one struct filled by every front.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fdtd/harmonic/method.hpp"
#include "fdtd/harmonic/transfer_matrix.hpp"
#include "results/formats.hpp"

namespace umov::fdtd::harmonic {

/// A medium by a name of the case: one of the library, a file of n and k, or two numbers.
struct MaterialSpec {
  std::string name, library, nk_file;
  std::optional<double> index, extinction;
};

/// A layer, counted from where the light comes from.
struct LayerSpec {
  std::string name, material;
  double thickness = 0;  ///< um
};

enum class TextureKind { gaussian, picture, conformal };

/// The heights of one interface, periodic.
struct TextureSpec {
  std::string above;  ///< name of the layer whose upper side it is, or "substrate"
  TextureKind kind = TextureKind::gaussian;
  double rms = 0, correlation_length = 0;  ///< um; of gaussian
  int seed = 1;
  std::string file;   ///< picture, grey values: white is nearest to the light
  double height = 0;  ///< um from black to white
};

enum class Polarizations { s, p, both };

struct Outputs : results::Formats {
  bool pictures = true;
};

struct Simulation {
  std::vector<double> wavelengths;  ///< um, vacuum, ascending
  Polarizations polarization = Polarizations::both;
  double angle = 0;  ///< degrees, in the superstrate, in the plane xz
  std::string superstrate = "vacuum", substrate = "vacuum";
  Vec3 period{0, 0, 0};     ///< um; 0: nothing changes along that axis
  double cell = 0;          ///< um along z; 0: 20 per shortest wavelength in the densest transparent medium
  double cell_lateral = 0;  ///< um along x and y, about; 0: as along z
  std::vector<MaterialSpec> materials;
  std::vector<LayerSpec> layers;
  std::vector<TextureSpec> textures;
  double tolerance = 1e-5;
  long max_iterations = 2000;
  Method method = Method::automatic;
  long max_steps = 1000000;       ///< of pseudo-time
  std::string spectrum;           ///< file; empty: AM1.5G
  std::vector<double> fields_at;  ///< um: wavelengths whose fields are kept
  Outputs outputs;
  struct {
    bool resume = false;
  } checkpoint;  ///< there are none: a wavelength takes seconds to minutes
  std::string backend = "auto";
  int device = 0, threads = 0;
  std::string output_dir;
  bool dry_run = false, quiet = false;
  std::string command_line;
};

}  // namespace umov::fdtd::harmonic
