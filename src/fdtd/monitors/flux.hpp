// Monitors of kind flux: Poynting flux through lines, planes and boxes.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/spectrum_errors.hpp"

namespace umov::fdtd {

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

Part make_flux(const MonitorSpec&, const Simulation&, const Scene&, Problem&);

}  // namespace umov::fdtd
