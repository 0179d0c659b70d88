// That the devices of the processor offer what the rooms above ask for; the cuda module says so of its own.
#include "backend/device.hpp"

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"

namespace umov::backend {

static_assert(Device<Serial>);
static_assert(Device<Cpu>);

}  // namespace umov::backend
