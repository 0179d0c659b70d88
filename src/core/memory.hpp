<<<<<<< HEAD
// How much memory this process may still take, and the refusal of runs that need more.
#pragma once

#include <cstddef>
#include <string>

namespace umov {

/// Bytes of physical memory that can be had without swapping: the kernel's MemAvailable or what the
/// control groups (v1 or v2) of this process leave, whichever is less. 0 when unknown.
/// `root` stands before /proc and /sys, for tests.
std::size_t available_memory(const std::string& root = "");

/// Throws BadInput, naming both numbers, when `needed` bytes for `what` are more than there are.
void require_memory(std::size_t needed, const std::string& what, const std::string& suggestion,
                    const std::string& root = "");
=======
// How much memory a run may take on this machine.
#pragma once

#include <cstddef>

namespace umov {

/// Bytes of physical memory that can still be had: the least of the system's available memory and the
/// limit of the control group this process is in; 0 when neither can be read.
std::size_t available_memory();
>>>>>>> main

}  // namespace umov
