// Whether a case fits the devices that it asks for: what a dry run says of memory on several ranks.
#pragma once

#include <functional>
#include <string>

#include "comm/asked.hpp"

namespace umov::run {

/// Lines of a dry run: what the fullest of the ranks asked for holds, whether a device has that left, and how
/// many ranks it takes. `bytes_of(n)` is the most that a device of n ranks holds; it falls with n, or stays.
/// `left`: bytes that a device has; 0 where unknown.
std::string describe_fit(int ranks, const std::function<double(int ranks)>& bytes_of, double left,
                         const std::string& device);

/// The same on processors, where the `here` ranks of this machine have one memory, of which so much is left.
/// `first`: bytes that the first rank has besides, in host memory.
std::string describe_fit_here(int ranks, int here, const std::function<double(int ranks)>& bytes_of,
                              double left, double first = 0);

/// The same of what is asked for here: GPUs by their free memory, processors by this machine's.
std::string describe_fit(const comm::Asked&, const std::string& backend, int device,
                         const std::function<double(int ranks)>& bytes_of, double first = 0);

}  // namespace umov::run
