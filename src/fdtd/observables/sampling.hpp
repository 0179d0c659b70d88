// When monitors look: frequencies of their transforms and steps between samples.
#pragma once

#include <vector>

#include "fdtd/grid.hpp"
#include "fdtd/scene.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// The monitor's list, or `count` frequencies equally spaced over [from, to] (both ends; one: their middle).
/// Throws BadInput for none, from > to, a frequency that is not positive, or one that the time step cannot
/// carry (above 1 / (2 dt)).
std::vector<double> frequencies_of(const MonitorSpec&, const Grid&);

/// The same without the checks against the grid.
std::vector<double> listed_frequencies(const MonitorSpec&);

/// Highest frequency that the sources put into the grid: six standard deviations above a pulse's centre
/// (amplitude 1e-8 of the peak), twice that of a ramped wave; infinity for samples from a file.
double highest_source_frequency(const Simulation&);

/// Steps between samples of a Fourier transform up to `highest`. A frequency f of the sources is folded onto
/// 1 / (interval dt) - f; that the sources' highest stays above `highest` is required, with a factor of three
/// for what the edges of pulses hold. The monitor's own interval goes first; throws BadInput where it folds.
int transform_interval(const MonitorSpec&, const Simulation&, const Grid&, double highest);

/// Steps between samples of a series: at least 16 per period of the highest frequency of the sources, or the
/// monitor's own.
int series_interval(const MonitorSpec&, const Simulation&, const Grid&);

/// Time at which the last source is silent; infinity while one goes on for ever.
double sources_end(const Simulation&, const Problem&);

/// Time from which all that the sources send only falls (fall_of), at most sources_end().
double sources_fall(const Simulation&, const Problem&);

/// Time that a wave takes across the domain, along all its axes and at the pace of the highest index, oblique
/// to its face where one is.
double passage_time(const Simulation&, const Scene&, const Grid&);

/// Time that a wave takes once to and fro through all that holds it, along all axes: from the first body to
/// the last, or to walls that absorb nothing, and slower by the bodies on the way. 0 of an empty open domain.
double round_trip(const Simulation&, const Scene&, const Grid&);

/// When the sources' last wave has come by a point, straight and at the pace of the highest index.
double last_wave_at(const Simulation&, const Scene&, const Problem&, const Vec3& point);

/// Range of frequencies over which a source spreads its energy as evenly as at its peak, the widest.
double bandwidth(const Simulation&);

}  // namespace umov::fdtd
