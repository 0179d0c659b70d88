// How much memory a run may take on this machine.
#pragma once

#include <cstddef>

namespace umov {

/// Bytes of physical memory that can still be had: the least of the system's available memory and the
/// limit of the control group this process is in; 0 when neither can be read.
std::size_t available_memory();

}  // namespace umov
