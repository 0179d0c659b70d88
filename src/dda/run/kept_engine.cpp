// Which engines serve the next case, and when they are let go.
#include "dda/run/kept_engine.hpp"

#include "core/memory.hpp"
#include "dda/run/case_checks.hpp"
#include "dda/scheme/memory.hpp"

namespace umov::dda {

bool KeptEngine::serves(const Prepared& p) const {
  if (!engine_) return false;
  const shapes::Particle &a = loaded_->particle, &b = p.particle;
  return loaded_->wavenumber == p.wavenumber && asked_grid_ == p.fft_grid &&
         asked_float_ == p.inner.in_float && loaded_->sectors.planes == p.sectors.planes &&
         loaded_->sectors.used() == p.sectors.used() && a.box == b.box && a.spacing == b.spacing &&
         a.materials == b.materials && a.material == b.material;
}

Engine& KeptEngine::engine_for(Prepared& p, const backend::EarlyStart& device, run::Journal& journal,
                               TimerTable& timers) {
  if (serves(p)) {
    ++shared_;
    warn_of_machine(p.machine, engine_->backend_name(), journal);
  } else {
    forget();
    asked_grid_ = p.fft_grid;
    asked_float_ = p.inner.in_float;
    loaded_ = std::make_unique<Prepared>(p);
    engine_ = start_engine(*loaded_, device, journal, timers);
  }
  p.fft_grid = loaded_->fft_grid;
  p.inner = loaded_->inner;
  return *engine_;
}

void KeptEngine::end_case() {
  const std::size_t there = available_memory();
  if (there > 0 && engine_ && total_bytes(engine_->memory()) > there / 4) forget();
}

void KeptEngine::forget() {
  engine_.reset();  // it refers to what is loaded
  loaded_.reset();
}

}  // namespace umov::dda
