// A case of the discrete dipole approximation as its user asks for it: one struct filled by every front.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "dda/choices.hpp"
#include "results/formats.hpp"
#include "shapes/particle.hpp"

namespace umov::dda {

struct Beam {
  BeamKind kind = BeamKind::plane;
  double width = 0;            ///< Gaussian beams: waist radius w0 (um)
  Vec3 center{0, 0, 0};        ///< um, laboratory frame
  std::string file_y, file_x;  ///< kind read: fields for the two polarizations
};

/// Orientation of the particle by Euler angles in the zyz convention (degrees), or an average over them.
struct Orientation {
  double alpha = 0, beta = 0, gamma = 0;
  bool average = false;
  std::string average_file;  ///< ADDA's avg_params.dat format; empty = built-in defaults
};

struct Outputs : results::Formats {
  bool mueller = true, amplitude = false;  ///< matrices over the scattering angle
  bool efield = false;                     ///< far electric field, ADDA-like table `efield`
  bool csca = false, vec = false, asym = false, cpr = false;
  bool store_beam = false, store_dip_pol = false, store_int_field = false, store_force = false;
  bool store_scat_grid = false, store_grans = false;
  bool save_geom = false;
  std::string geom_file;  ///< relative to the output folder; empty = by shape name
  shapes::ShapeFormat geom_format = shapes::ShapeFormat::text;
  bool geom_format_set = false;
  bool yz = false, scat_plane = false;      ///< planes asked for explicitly
  int ntheta = 0;                           ///< intervals over [0,180]; 0 = by the size of the grid
  int phi_integr = 0;                       ///< bit mask 1,2,4,8,16: 1, cos2, sin2, cos4, sin4
  std::string scat_grid_file, alldir_file;  ///< ADDA's parameter files; empty = built-in defaults
  /// Directions of the grid in place of a file: theta, phi (degrees). Set by programs, not by cases.
  std::vector<std::array<double, 2>> directions;
  bool pictures = true;
  bool case_folders = false;  ///< of many cases: a folder with all results of each
};

/// How a case says what a material is: one of these.
struct MaterialRequest {
  /// The refractive index, or behind a flag a word: a name of the library or a file.
  struct Index {
    std::optional<CVec3> m;  ///< diagonal
    std::string word;
    bool operator==(const Index&) const = default;
  };
  Index index;
  std::string library;  ///< a name of the library of materials
  std::string nk_file;  ///< a table of n and k over the vacuum wavelength
  bool operator==(const MaterialRequest&) const = default;
};

/// The light and the materials as a case names them, before the medium is divided out.
struct GivenLight {
  double vacuum_wavelength = 2 * pi;
  std::string medium = "1";  ///< a number or a name of the library of materials
  std::vector<MaterialRequest> materials;
};

inline constexpr double most_accuracy = 0.2;  ///< a larger relative error is none to ask for

/// Lengths in micrometres, angles in degrees, as the field writes them (docs/decisions/0002).
struct Simulation {
  double wavelength = 2 * pi;       ///< in the medium
  double medium = 1;                ///< refractive index around the particle
  std::optional<GivenLight> given;  ///< what the case said; none where a program fills the Simulation
  shapes::Request shape;
  SymmetryUse symmetry = SymmetryUse::automatic;
  std::vector<CVec3> m{{cplx(1.5), cplx(1.5),
                        cplx(1.5)}};  ///< refractive index per material over that of the medium, diagonal
  bool anisotropic = false;           ///< false: m[i] has three equal components
  Beam beam;
  Vec3 propagation{0, 0, 1};  ///< laboratory frame; any length
  Orientation orientation;

  Polarizability polarizability = Polarizability::ldr;
  bool ldr_average = false;
  double pol_nloc_rp = 0;
  Interaction interaction = Interaction::point;
  std::vector<double>
      interaction_arguments;  ///< igt: limit (dipole sizes, -1 = none), relative error; nloc: Rp
  ScatteringFormula formula = ScatteringFormula::draine;
  Int3 fft_grid{0, 0, 0};  ///< 0 = next 2-3-5-7 product not below 2N

  double accuracy = 0;        ///< relative error wanted of integral quantities by several grids; 0 = one grid
  bool one_of_grids = false;  ///< of those that an accuracy is reached by, which tell the error
  double accuracy_time = 0;   ///< seconds after which no finer grid is begun; 0 = any

  SolverRequest solver;
  Outputs outputs;

  Precision precision = Precision::double_;
  bool save_memory = false;  ///< ADDA's -opt mem: recorded in its log
  Front front = Front::dda;
  std::vector<std::string> warnings;  ///< found while the case was read; repeated in the log

  double wavenumber() const { return 2 * pi / wavelength; }  ///< k in the medium, 1/um
  double vacuum_wavelength() const { return given ? given->vacuum_wavelength : medium * wavelength; }
};

}  // namespace umov::dda
