// A time-harmonic layered cell as its user asks for it: one struct filled by every front.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harmonic/engine.hpp"
#include "harmonic/method.hpp"
#include "layers/transfer_matrix.hpp"
#include "parameters/value_list.hpp"
#include "results/formats.hpp"

namespace umov::harmonic {

using layers::Polarization;

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

enum class TextureKind { gaussian, picture, conformal, lamellar };

/// The heights of one interface, periodic.
struct TextureSpec {
  std::string above;  ///< name of the layer whose upper side it is, or "substrate"
  TextureKind kind = TextureKind::gaussian;
  double rms = 0, correlation_length = 0;  ///< um; of gaussian
  int seed = 1;
  std::string file;   ///< picture, grey values: white is nearest to the light
  double height = 0;  ///< um from black to white; of ridges
  double fill = 0.5;  ///< lamellar: share of the period along x that is ridge
};

enum class Polarizations { s, p, both };

/// Ends of the cell along z. open: the half spaces go on (exact); absorbing: planes that absorb, which
/// pseudo-time needs; automatic: as the method asks.
enum class Ends { automatic, open, absorbing };

/// The plane of a picture through the cell, by its two axes.
enum class CutPlane { xz, yz, xy };

/// Where fields are kept as a picture.
struct CutSpec {
  CutPlane plane = CutPlane::xz;
  double at = 0;      ///< um along the third axis; of xy the depth, z pointing down
  std::string below;  ///< xy: the layer (or "substrate") from whose mean top the depth counts; "": the first
};

struct Outputs : results::Formats {
  bool pictures = true;
  bool fields = false;  ///< E of the wavelengths of `fields_at` in the whole cell
};

struct Simulation {
  std::vector<double> wavelengths;  ///< um, vacuum, ascending
  Polarizations polarization = Polarizations::both;
  NumberList angle;     ///< degrees, of incidence, in the superstrate
  NumberList azimuth;   ///< degrees, of the plane of incidence from xz, from x towards y
  bool orders = false;  ///< efficiencies of diffraction orders
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
  Ends ends = Ends::automatic;
  long max_steps = 1000000;        ///< of pseudo-time
  double pseudo_time_limit = 300;  ///< s per row and polarization of automatic; 0: none
  std::string spectrum;            ///< file; empty: AM1.5G
  std::vector<double> fields_at;   ///< um: wavelengths whose fields are kept
  std::vector<CutSpec> cuts;       ///< none: xz at y = 0
  Outputs outputs;
  int rows_at_once = 0;  ///< that a GPU computes; 0: chosen
  Precision precision = Precision::automatic;
  KrylovSolver solver = KrylovSolver::automatic;
  int tile = 0, tile_overlap = 0;  ///< columns of tiles where metal is rough; tile = 0: chosen

  bool open_ends() const {
    return ends == Ends::open || (ends == Ends::automatic && method != Method::pseudo_time);
  }
};

}  // namespace umov::harmonic
