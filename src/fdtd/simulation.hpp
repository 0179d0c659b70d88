// The case of the time domain as the user states it: one struct filled by every front.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/by_type.hpp"
#include "core/types.hpp"
#include "fdtd/monitors/list.hpp"
#include "fdtd/problem.hpp"
#include "fdtd/sources/list.hpp"
#include "materials/material.hpp"
#include "results/formats.hpp"
#include "shapes/outline.hpp"

namespace umov::fdtd {

/// What bounds the domain on one side. mirror_even / mirror_odd: a symmetry plane through which the
/// tangential E is even (as a magnetic wall) or odd (as an electric wall); the model's other half is not
/// computed: the plane goes through 0, and the grid covers only the half of `size` on the far side of it.
enum class WallKind { pml, pec, pmc, periodic, bloch, mirror_even, mirror_odd };

/// Graded profiles of the convolutional PML over depth d (0 at the inner face, 1 at the wall):
///   sigma = s sigma_opt d^order, kappa = 1 + (kappa_max - 1) d^order, alpha = alpha_max (1 - d)^alpha_order
/// with sigma_opt = 0.8 (order + 1) / (dx n) (Taflove and Hagness 2005, Computational Electrodynamics, 7.66),
/// n the mean index behind the wall (as far as walls.cpp finds it painted). That leaves an amplitude of 3e-5
/// with 10 layers, since the layers are discrete; `discrete` takes for 8, 10 and 12 layers of order 3 sigma
/// from tables that allow for it (pml_profile.cpp): below 5e-7 at normal incidence for 10 to 200 cells per
/// wavelength, 1e-5 at 75 degrees.
struct PmlSettings {
  int layers = 10;
  std::optional<int>
      asked;  ///< what the case says about `layers`; else they may become more (fit_layers.hpp)
  bool discrete = true;
  double order = 3, sigma_scale = 1, kappa_max = 1;
  double alpha_max = 0.02;  ///< in 1 / dx; lowered to 0.3 of the sources' lowest angular frequency
  double alpha_order = 1;
};

/// Cells along one axis that differ: all lines, or the longest edges that parts may have.
struct AxisGrid {
  struct Part {
    double from = 0, to = 0, edge = 0;
  };
  std::vector<double> lines;  ///< nodes from one end of the domain to the other, behind mirror planes too
  std::vector<Part> parts;
  bool empty() const { return lines.empty() && parts.empty(); }
};

/// A graded grid (graded_lines.hpp). Where anything here asks for one, all axes have lines of their own: from
/// the materials where `cells_per_wavelength` is given, and of 1 / `resolution` at most where it is not.
struct GridSpec {
  std::array<AxisGrid, 3> axis;
  double cells_per_wavelength =
      0;                  ///< in every material, at the highest carrier of the sources; 0: not asked
  double growth = 1.4;    ///< most by which neighbours differ
  int across = 2;         ///< cells at least between two surfaces, where materials choose
  double least_edge = 0;  ///< surfaces nearer to each other share a line; 0: a tenth of the shortest edge

  bool graded(Mode mode) const {
    bool any = cells_per_wavelength > 0;
    for (int a = 0; a < dimensions(mode); ++a) any = any || !axis[a].empty();
    return any;
  }
};

/// A material as the case declares it: by name, by index, or by constants and poles.
struct MaterialSpec {
  std::string name;     ///< how bodies refer to it
  std::string library;  ///< name in materials/library, e.g. "silver"; empty = the constants below
  std::optional<double> index, extinction;  ///< n and k (k at `at_wavelength`, as a conductivity)
  std::optional<double> at_wavelength;      ///< unit lengths
  std::string nk_file;                      ///< table of wavelength (um), n, k: fitted with poles
  double fit_target = 0;  ///< rms relative error of n + ik that the fit ends at; 0: the usual
  materials::Material constants;
};

/// A region of space. Lengths in units, angles in degrees.
struct ShapeSpec {
  std::string shape = "box";  ///< box, sphere, cylinder, ellipsoid, ring, prism, mesh
  Vec3 center{0, 0, 0};
  std::optional<Vec3> size;  ///< box, ellipsoid: extents (0 or absent: through the whole domain)
  double radius = 0, inner_radius = 0, height = 0;  ///< sphere, cylinder (height 0 = through), ring
  Vec3 axis{0, 0, 1};                               ///< of cylinder, ring and prism
  double rotation = 0;                              ///< degrees about `axis` through `center`
  std::vector<Vec3> vertices;                       ///< prism: base polygon (x, y), relative to center
  std::string file;                                 ///< mesh: STL or OBJ
  double scale = 1;                                 ///< mesh: units per file unit
  /// prism: in place of vertices, what polygons of a layout cover; set by apply_layout.
  std::shared_ptr<const shapes::Outline> outline;
  double side_angle = 90, drawn_at = 0;  ///< of such a prism, see LayerSpec
};

/// A body of one material. Later bodies cover earlier ones.
struct BodySpec : ShapeSpec {
  std::string material;
  bool in_reference = false;  ///< kept in the reference run of a normalised pair
  int layer = 0;              ///< number of the layer that it is of, counted from 1; 0: none
};

/// A layer of a layout, or without a number one of the whole domain, between two heights. Later layers cover
/// earlier ones, and bodies cover layers.
struct LayerSpec {
  std::string name;
  std::optional<int> layer;
  int datatype = 0;
  std::optional<double> from, to;  ///< none: without end
  std::string material;
  double side_angle = 90;  ///< degrees from the plane; below 90 it is narrower at the top
  double drawn_at = 0.5;   ///< height at which it is as wide as drawn, as a share from `from` to `to`
  double bias = 0;         ///< edges are moved outward by it
  bool in_reference = false;
};

/// Where a guide leaves the structure: of a layout, or of bodies, where it has a `center`.
struct PortSpec {
  std::string name;
  Vec3 at{0, 0, 0};       ///< in the layout's coordinates, units
  std::string direction;  ///< out of the structure: +x, -x, +y, -y; of bodies +z, -z, too
  double width = 0;
  std::string layer;           ///< name of the layer that the guide is of; "": the first one of the layout
  std::optional<Vec3> center;  ///< of its plane, in the domain
  Vec3 size{0, 0, 0};          ///< of its plane; inf: up to the absorbing layers
};

/// A port found, in the domain's coordinates.
struct FoundPort {
  std::string name;
  Vec3 at{0, 0, 0};  ///< in the middle of the guide's end
  Vec3 in_layout{0, 0, 0};
  int axis = 0, sign = 1;  ///< of its direction, out of the structure
  double width = 0, height = 0;
  std::string layer;
  std::optional<Vec3> plane = {};  ///< extents of its plane, where the case says them
};

/// S-parameters between ports: a run for each port and mode that is excited.
struct SParameterSpec {
  std::optional<bool> on;           ///< none: where there are frequencies
  std::vector<double> frequencies;  ///< c / unit; of a checked case ascending, and the range is among them
  double frequency_from = 0, frequency_to = 0;
  int frequency_count = 0;
  std::vector<std::string> ports;    ///< none: all
  std::vector<int> modes{1};         ///< of each port: how many; one number is for all
  std::vector<double> reference{0};  ///< from each port's plane to its reference plane, outward; as `modes`
  std::vector<std::string> excite;   ///< ports, or "PORT:MODE", whose columns are computed; none: all

  bool wanted() const { return on.value_or(!frequencies.empty()); }
};

/// A layout of GDSII as a part of the model.
struct LayoutSpec {
  std::string file, cell;
  std::vector<Vec3>
      window;          ///< two opposite corners, in the layout's coordinates; none: around all that is read
  double margin = 1;   ///< from the window to the ends of the domain, where its size is infinite
  bool extend = true;  ///< guides that the window cuts or that end in a port go on to the ends of the domain
  std::vector<int> port_layer;  ///< layer and type of texts that name ports
  double port_margin = 0;       ///< of a port's plane beside the guide; 0: twice its width
  // set by apply_layout
  bool applied = false;
  std::vector<FoundPort> ports;
  std::vector<std::string> report, warnings;
};

/// A region that absorbs whatever media it holds (absorbers.hpp), in every run of a case.
struct AbsorberSpec : ShapeSpec {
  std::optional<Vec3> direction;  ///< in which it becomes stronger; absent: inward from all of its surface
  double order = 3;
  double thickness = 0;        ///< over which it becomes stronger; 0: up to its deepest cell
  double transmission = 1e-6;  ///< of the power of a wave that goes straight through `thickness`, at most
};

/// Pictures as a model (Lively 2016): red > 128 source, green permittivity, blue monitor id.
struct PictureSpec {
  std::vector<std::string> files;        ///< one for two dimensions; a stack along z for three
  int width = 0, height = 0, depth = 0;  ///< grid cells across, absorbing layers included; 0 = one per pixel
  double eps_max = 9;
  enum class Mapping {
    linear,
    thesis
  } mapping = Mapping::linear;  ///< 1+(eps_max-1) g/255 | eps_max g/255, 0 = vacuum
  double wavelength = 1;        ///< units; a source pixel of red r has wavelength * r / 255
  bool applied = false;         ///< set by apply_picture
};

struct Waveform {
  enum class Kind { continuous, gaussian, samples } kind = Kind::continuous;
  double frequency = 1;  ///< c / unit
  double ramp = 3;       ///< continuous: periods from nothing to full, smoothly
  double width = 0.2;    ///< gaussian: relative width, standard deviation of the spectrum / frequency
  double delay = 5;      ///< gaussian: standard deviations in time from the start to the peak
  double phase = 0;      ///< degrees
  double amplitude = 1;
  std::string file;           ///< samples: CSV of time, value
  std::optional<double> end;  ///< time after which the source is silent (ramped down over `ramp` periods)
};

/// Of a source or monitor what one kind alone reads, of a type that the kind declares.
struct OwnOfKind {
  template <class Own>
  Own& own() {
    return values.of<Own>();
  }
  template <class Own>
  const Own& own() const {
    return values.of<Own>();
  }
  ByType values;
};

struct SourceSpec : OwnOfKind {
  using Kind = SourceKindName;
  Kind kind = Kind::point;
  std::string name;
  Waveform waveform;
  Component component = Ez;  ///< point, line, box, shape
  bool hard = false;
  Vec3 center{0, 0, 0}, size{0, 0, 0};  ///< point: size 0; line, box; plane_wave: the total-field box (0: to
                                        ///< the walls' layers plus margin); mode: the plane
  /// shape: cells, or texels of a raster of that many across the whole domain (filled from a picture)
  std::vector<Int3> pixels;
  Int3 raster{0, 0, 0};  ///< 0: the cells of the grid
  /// plane_wave: direction of travel; theta from +z, phi from +x (degrees); in 2D theta is ignored (90).
  double theta = 90, phi = 0;
  double polarization_angle = 0;  ///< plane_wave, 3D: of E from e_theta towards e_phi, degrees
  /// mode: travel along +-axis (normal of the plane, the axis where size is 0), mode number from 1.
  int mode = 1;
  int direction = +1;
  std::optional<double> index_guess;
  std::string port;        ///< mode: in place of center, size and direction
  double port_offset = 0;  ///< from the port, outward
};

struct MonitorSpec : OwnOfKind {
  using Kind = MonitorKindName;
  Kind kind = Kind::series;
  std::string name;
  std::vector<Component> fields;  ///< series, fourier, snapshot; empty = Ez (tm), Hz (te), all E (3D)
  Vec3 center{0, 0, 0}, size{0, 0, 0};
  bool box = false;          ///< flux: all faces of the box, outward
  int direction = +1;        ///< flux, orders through a plane: sign of the normal
  std::string reference;     ///< flux, orders: the flux monitor whose flux is 1; empty = its own place in
                             ///< the reference run
  std::vector<Int3> pixels;  ///< series: a drawn shape, as of a source
  Int3 raster{0, 0, 0};
  std::vector<double> frequencies;  ///< c / unit; or from/to/count below
  double frequency_from = 0, frequency_to = 0;
  int frequency_count = 0;
  int interval = 0;  ///< steps between samples; 0 = chosen by the highest frequency
  std::string port;  ///< mode, flux: in place of center, size and direction
  double port_offset = 0;
};

struct Stop {
  long steps = 0;       ///< fixed number; 0 = by the other criteria
  double time = 0;      ///< fixed simulated time; 0 = by the other criteria
  double decay = 0;     ///< stop once energy fell to this fraction of its maximum after the sources end
  double fourier = 0;   ///< stop once Fourier monitors change by less than this fraction in a passage
  double steady = 0;    ///< stop once amplitudes at the source frequency are as close to the steady state
  double max_time = 0;  ///< limit of the criteria above; 0 = a generous one
};

struct Outputs : results::Formats {
  bool pictures = true, animation = false;
  int frames = 60;                ///< of the animation
  std::vector<Component> fields;  ///< final fields to keep; empty = as for monitors
};

/// Lengths in a unit of the user's choice (c = 1; time in unit / c, frequency in c / unit);
/// `unit_um` says how long it is where named materials need to know.
struct Simulation {
  Vec3 size{0, 0,
            0};  ///< domain with its absorbing layers, centred at 0; zero extents (y, z) lower the dimension
  bool te = false;        ///< two dimensions: Ex, Ey, Hz instead of Ez, Hx, Hy
  double resolution = 0;  ///< cells per unit, 0 = 20 per shortest wavelength; with pictures cells per
                          ///< wavelength of a full red, 0 = 10
  GridSpec grid;          ///< cells that differ
  double courant = 0.9;   ///< fraction of the Courant limit dx / sqrt(dimensions)
  double unit_um = 1;     ///< length of the unit (um), for named materials and results in SI
  Precision precision = Precision::single_;
  std::array<std::array<WallKind, 2>, 3> walls{
      {{WallKind::pml, WallKind::pml}, {WallKind::pml, WallKind::pml}, {WallKind::pml, WallKind::pml}}};
  Vec3 bloch{0, 0, 0};        ///< wave vector of bloch walls, in 2 pi / unit
  Vec3 bloch_shift{0, 0, 0};  ///< set when a case is made ready: what the grid's dispersion asks for besides
  PmlSettings pml;
  std::string background = "vacuum";
  bool averaging = true;  ///< sub-pixel averaging of permittivity at edges

  std::optional<PictureSpec> picture;
  std::optional<LayoutSpec> layout;
  std::vector<LayerSpec> layers;
  std::vector<PortSpec> ports;
  std::vector<MaterialSpec> materials;
  std::vector<BodySpec> bodies;
  std::vector<AbsorberSpec> absorbers;
  std::vector<SourceSpec> sources;
  std::vector<MonitorSpec> monitors;
  SParameterSpec s_parameters;
  Stop stop;
  bool normalize = false;  ///< also run without the bodies: reflection and transmission
  Outputs outputs;

  bool tuned = true;
  bool force = false;  ///< go on in spite of what the validation would stop at
};

}  // namespace umov::fdtd
