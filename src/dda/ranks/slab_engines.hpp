// The engines of slabs by backend and precision.
#pragma once

#include <memory>

#include "dda/engine.hpp"

namespace umov::dda {

/// Of EngineRequest::ranks; the first argument says the precision.
std::unique_ptr<Engine> make_serial_slab_engine(float, const EngineRequest&);
std::unique_ptr<Engine> make_serial_slab_engine(double, const EngineRequest&);
std::unique_ptr<Engine> make_cpu_slab_engine(float, const EngineRequest&);
std::unique_ptr<Engine> make_cpu_slab_engine(double, const EngineRequest&);

}  // namespace umov::dda
