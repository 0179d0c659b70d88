// The dynamic shared memory of the block that runs, under the name that the kernels give it.
#include "backend/cuda/launch.hpp"

namespace umov::dda::tuned {
alignas(128) unsigned char memory[test::shared_bytes + test::shared_guard];
}
namespace umov::fdtd::tuned {
extern unsigned char memory[] __attribute__((alias("_ZN4umov3dda5tuned6memoryE")));
}
namespace umov::test {
unsigned char* const shared_memory = dda::tuned::memory;
}
