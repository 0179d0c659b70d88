// The monitors of a case: what they ask of the engine, and what becomes of the numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fdtd/engine.hpp"
#include "fdtd/observables/steady.hpp"
#include "fdtd/outcome.hpp"
#include "fdtd/scene.hpp"

namespace umov::fdtd {

/// Fourier transforms of a reference run, to be subtracted or divided by.
struct ReferenceFields {
  std::vector<std::vector<cplx>> fourier;       ///< per accumulator of the problem
  std::vector<std::vector<std::byte>> records;  ///< looks on the way, per monitor that is a part
  UMOV_FIELDS(fourier, records)
};

class FourierSink;

class Monitors {
 public:
  /// Adds recorders and Fourier accumulators to the problem; call after add_sources. Throws BadInput naming
  /// the monitor (outside the domain, no frequencies, inside the absorbing layers, ...).
  /// `told`, unless empty, hears of what takes long.
  using Told = std::function<void(const std::string&)>;
  /// `threads`: of processors, for modes; 0: all.
  Monitors(const Simulation&, const Scene&, Problem&, int threads = 0, const Told& told = {});
  ~Monitors();
  Monitors(Monitors&&) noexcept;

  /// Takes the samples that wait in the engine. Call after every `advance`.
  void drain(Engine&);
  /// Largest relative change of a Fourier quantity since the last call that found a change of `most` or more;
  /// infinity the first time. Amplitudes of modes a thousandth of the largest and below count as a
  /// thousandth.
  double fourier_change(const Engine&, double most = 0);
  /// Fluxes are recorded at most a few dozen times from the middle of the sources' time on, for estimates of
  /// their error. The next step at which `record` is to be called; the energy of all fields, as often as it
  /// is known.
  long next_record(long step) const;
  void note_energy(double);
  void record(const Engine&);
  /// How far the amplitudes of the series are from the steady state.
  Settling settling() const;
  ReferenceFields reference(const Engine&) const;
  /// Fills series, fluxes, fouriers, far_fields, resonances and modes of the outcome.
  /// Volumes of Fourier monitors go to `fouriers`, unless nullptr, each rank's part by itself.
  void collect(const Engine&, const ReferenceFields*, Outcome&, FourierSink* fouriers = nullptr) const;

  /// Whether a reference run had these monitors.
  bool match(const ReferenceFields&) const;
  /// Samples and the transforms of the last check, for checkpoints.
  std::vector<std::byte> save() const;
  void restore(const std::vector<std::byte>&);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace umov::fdtd
