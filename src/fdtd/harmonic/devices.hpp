// The devices that rows of a sweep go to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace umov::fdtd::harmonic {

/// Numbers of the devices that a backend has here: its usable GPUs; one where it has none.
std::vector<int> devices_of(const std::string& backend);

/// The devices of a run, and what is to be said of the choice ("" where there was none).
struct DeviceChoice {
  std::vector<int> devices;
  std::string note;
};
/// `device` alone; of -1 all that are `there`, but no more than there are rows, nor than memory of the host
/// holds: each takes `host_bytes` of `available` (0: not known) beside it.
DeviceChoice choose_devices(int device, const std::vector<int>& there, std::size_t rows, double host_bytes,
                            double available);

}  // namespace umov::fdtd::harmonic
