// Results of a run in the time domain: typed, as all writers read them.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/fields.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/simulation.hpp"

namespace umov::results {
class ImageFile;
}

namespace umov::fdtd {

/// A series over time of one monitor: raw values, mean over a drawn shape or the value at a point.
struct SeriesResult {
  std::string name;
  Component component = Ez;
  std::vector<double> time, value, imag,
      rms;               ///< imag: complex fields; rms: over the points of a shape, per sample
  double rms_total = 0;  ///< at the end of the run: over as many windows, of a period or beat of its sources
  int rms_windows = 0;   ///< 0: over the last tenth
};

/// How far a spectrum may be off, by what from, entry by entry in its own unit: the contributions add up. One
/// that is empty is not known.
struct SpectrumErrors {
  std::vector<double> record;  ///< what the fields left at the end would still change
  std::vector<double> layers;  ///< what absorbing layers send back
  /// The distance from an exact answer, where there is one (FlatLayers): what the grid does, and all else.
  /// NaN where it is not known.
  std::vector<double> grid;
};
/// What is said where `grid` is empty.
inline constexpr const char* grid_error_unknown =
    "the error of the grid is not estimated: compare with a finer grid";

/// Flux through a line, plane or box per frequency, (1/2) Re of the sum of E x H* over it for the Fourier
/// transforms E = integral of E(t) exp(2 pi i f t) dt: |E|^2 length^(d-1) time^2. Divided by |s|^2, s the
/// transform of a source's waveform, it is the mean power for that source at amplitude 1; the energy of a
/// pulse is 4 times its integral over positive frequencies.
struct FluxResult {
  std::string name;
  std::vector<double> frequency, flux;
  std::vector<double> reference;  ///< flux of the reference run through the same place; empty without one
  std::vector<double> scattered;  ///< flux of (fields - reference fields); empty without one
  std::string normalized_by;      ///< the monitor whose flux is 1; empty: none was named
  std::vector<double> incident;   ///< its flux: of the reference run where there is one; empty without a name
  bool unlit = false;             ///< the reference run hardly lights its place: no transmission
  bool balanced = false;          ///< a box that the reference run's flux leaves as it enters: no T and no R
  SpectrumErrors errors;          ///< of `flux`
  double scale = 0;         ///< largest of |flux|, of what passes the faces in and out, and of `offered`
  double record_error = 0;  ///< largest error of the record over `scale`; NaN where not known
  double offered = 0;  ///< flux of plane waves through so much area, at the frequency where it is largest
  double cutoff = 0;   ///< frequency below which an oblique plane wave of the case travels no more; 0: none
};

/// Diffraction orders through a plane across a periodic cell, one entry per frequency and order that
/// propagates there. The transverse wave vector of an order is that of the incident wave plus 2 pi m / period
/// along the first axis of the plane (x before y before z), 2 pi n / period along the second. Amplitudes a
/// are such that |s|^2 + |p|^2 is the efficiency: power over that of the incident wave (or, not `normalized`,
/// flux as in FluxResult); their phases are those in the plane where its other coordinates are 0, relative to
/// an incident plane wave at the origin. s is E along z (2D), or along normal x k; p along s x k.
struct OrdersResult {
  std::string name;
  bool normalized = true;
  std::vector<double> frequency;
  std::vector<int> m, n;
  std::vector<double> angle;    ///< from the normal, degrees; 2D: towards the plane's axis, with sign
  std::vector<double> azimuth;  ///< 3D: of the transverse wave vector from the plane's first axis, degrees
  std::vector<double> forward, backward;  ///< efficiencies of travel along and against the normal
  SpectrumErrors forward_errors, backward_errors;
  std::vector<cplx> s_forward, p_forward, s_backward, p_backward;
  std::size_t size() const { return frequency.size(); }
};

/// Fourier transform over a region: values [frequency][z][y][x], collocated at the nodes.
struct FourierResult {
  std::string name;
  std::vector<double> frequency;
  Vec3 origin{0, 0, 0};
  Int3 size{1, 1, 1};
  std::vector<Component> components;
  std::vector<std::vector<cplx>> values;  ///< per component
  bool per_source_spectrum = false;       ///< values are per unit amplitude of the source
  /// Planes of z that `values` has, where ranks keep their own; -1: all.
  int first_plane = 0, planes = -1;
  /// Where ranks have written their values by themselves: the file, to be completed, and of the intensity
  /// what pictures show, through the middle, normal to x [frequency][z][y], y [..][z][x], z [..][y][x].
  std::shared_ptr<results::ImageFile> image = nullptr;
  std::string failure = {};  ///< why that file could not be written; its values are lost then
  std::array<std::vector<double>, 3> cuts = {};
  int planes_here() const { return planes < 0 ? size[2] : planes; }
};

/// Far field: radiant intensity per solid angle (3D) or angle (2D), units as for FluxResult. Amplitudes
/// belong to fields E exp(i k r) / r (3D), E exp(i k rho) / sqrt(rho) (2D), r from the domain's centre.
struct FarFieldResult {
  std::string name;
  std::vector<double> frequency, theta, phi;  ///< degrees; theta and phi have one entry per direction
  std::vector<double> intensity;              ///< [frequency][direction], times |E|^2 time^2
  std::vector<cplx> e_theta, e_phi;           ///< amplitudes, [frequency][direction]
  std::vector<double> power;                  ///< flux out of the surface, per frequency
  std::vector<double> scattering_cross_section, extinction,
      absorption;  ///< with a plane wave: lengths^(d-1) per frequency
  SpectrumErrors scattering_errors, extinction_errors, absorption_errors;
};

/// A exp(-pi f t / Q) cos(2 pi f t - phase), t from the start of the record; phase in degrees.
struct Resonance {
  double frequency = 0, quality = 0, amplitude = 0, phase = 0;
  /// Of the record: two standard deviations of the frequency, relative; those of the quality: 2 Q error.
  double error = 0;
  bool at_least = false;  ///< the decay is below its error: the quality is a lower bound
  /// Relative, of the quality; of a bound 1.
  double quality_error() const { return at_least ? 1 : 2 * quality * error; }
};
struct ResonanceResult {
  std::string name;
  Component component = Ez;  ///< that was recorded
  std::vector<Resonance> modes;
};

/// Amplitudes of a waveguide mode through a plane: |amplitude|^2 is its flux, units as for FluxResult, phases
/// are those in the plane; forward is towards the monitor's direction.
struct ModeResult {
  std::string name;
  std::vector<double> frequency, effective_index;
  std::vector<cplx> forward, backward;
};

struct Snapshot {
  std::string name;
  Component component = Ez;
  long step = 0;
  double time = 0;
  Int3 size{1, 1, 1};  ///< x, y and z; one of them 1 in three dimensions
  std::vector<float> values;
  UMOV_FIELDS(name, component, step, time, size, values)
};

using FieldList = std::vector<std::pair<Component, FieldBlock>>;

/// Where the time of the steps went since this process took them up, s: with what lies between them.
struct StepTimes {
  double steps = 0;     ///< transforms and recorders included
  double samples = 0;   ///< of series, on their way to the monitors
  double pictures = 0;  ///< snapshots and frames
  double energies = 0;
  double records = 0;  ///< fluxes, orders and powers on the way
  double criteria = 0;
  long advances = 0, energies_taken = 0, records_taken = 0;
};

struct Outcome {
  Simulation simulation;
  Grid grid;
  long steps = 0;
  double time = 0;
  std::string stop_reason;
  bool converged = true;  ///< false: the limit came before the criterion
  std::vector<SeriesResult> series;
  std::vector<FluxResult> fluxes;
  std::vector<FourierResult> fouriers;
  std::vector<FarFieldResult> far_fields;
  std::vector<ResonanceResult> resonances;
  std::vector<ModeResult> modes;
  std::vector<OrdersResult> orders;
  std::vector<Snapshot> snapshots, frames;
  FieldList final_fields;   ///< whole grid (3D: the planes through the middle)
  FieldBlock permittivity;  ///< relative, on a grid of at most a few million cells
  std::size_t device_bytes = 0;
  double seconds = 0, cells_per_second = 0;
  StepTimes step_times;
  std::string backend, device, version;
  std::string ranks;  ///< lines about ranks and what passed between them; "" = one rank
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  ///< how far to trust it (cells per wavelength, expected error)
};

}  // namespace umov::fdtd
