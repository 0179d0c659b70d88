// That the device of a GPU offers what the rooms above ask for.
#include "backend/cuda/cuda.hpp"
#include "backend/device.hpp"

namespace umov::backend {

static_assert(Device<Cuda>);

}  // namespace umov::backend
