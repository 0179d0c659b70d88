// The interface of the monitors of a run, of every kind.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/bytes.hpp"
#include "fdtd/fourier_sink.hpp"
#include "fdtd/observables/monitors.hpp"
#include "fdtd/observables/samples.hpp"
#include "fdtd/observables/transforms.hpp"

namespace umov::fdtd {

/// What there is to collect from.
struct Collecting {
  const Engine& engine;
  const ReferenceFields* reference = nullptr;
  std::span<const std::byte> reference_record{};  ///< what this part saved of the reference run
  FourierSink* fouriers = nullptr;                ///< of ranks: takes what each has of a Fourier monitor
};

class MonitorPart {
 public:
  virtual ~MonitorPart() = default;
  /// The running transforms, if any.
  virtual const Transforms* transforms() const { return nullptr; }
  /// All samples it keeps.
  virtual std::vector<Samples*> samples() { return {}; }
  /// Those that oscillate as the sources do: they tell when a steady state is reached.
  virtual std::vector<const Samples*> oscillating() const { return {}; }
  /// A look at the transforms on the way, for estimates of their error; `energy` is that of all fields.
  virtual void record(const Engine&, double /*time*/, double /*energy*/) {}
  /// Drops the looks that are no multiple of these steps.
  virtual void thin(long /*spacing*/) {}
  /// Those looks, for checkpoints.
  virtual void save(ByteWriter&) const {}
  virtual void restore(ByteReader&) {}
  /// Whether it wants the fluxes of other monitors in the outcome.
  virtual bool after_fluxes() const { return false; }
  virtual void collect(const Collecting&, Outcome&) const = 0;
};

}  // namespace umov::fdtd
