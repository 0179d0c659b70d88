// How much memory this process may still take, and the refusal of runs that need more.
#pragma once

#include <cstddef>
#include <string>

namespace umov {

/// Bytes of physical memory that can be had without swapping: the kernel's MemAvailable or what the
/// control groups (v1 or v2) of this process leave, whichever is less. 0 when unknown.
/// `root` stands before /proc and /sys, for tests.
std::size_t available_memory(const std::string& root = "");

/// Most bytes of physical memory that this process has held so far; 0 when unknown.
std::size_t peak_memory();

/// Throws BadInput, naming both numbers, when `needed` bytes for `what` are more than there are.
void require_memory(std::size_t needed, const std::string& what, const std::string& suggestion,
                    const std::string& root = "");

}  // namespace umov
