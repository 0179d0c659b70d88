// The devices that rows of a sweep go to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace umov::harmonic {

/// Numbers of the devices that a backend has here: its usable GPUs; one where it has none.
std::vector<int> devices_of(const std::string& backend);

/// Bytes that the fullest of these GPUs has left; 0: not known.
double least_free_memory(const std::vector<int>& gpus);

/// What the choice depends on. Bytes that are 0 are not known.
struct DeviceQuestion {
  int device = -1;         ///< that computes alone; -1: all
  std::vector<int> there;  ///< numbers of the devices
  std::size_t rows = 1;
  double host_bytes = 0, host_free = 0;      ///< that a row takes beside a device, and that are left
  double device_bytes = 0, device_free = 0;  ///< that a row takes on a device, and that the fullest has left
  int rows_at_once = 1;                      ///< on a device; 0: two where they pay
};
/// The devices of a run, one worker each: a device that computes two rows at once is there twice. What is to
/// be said of the choice ("" where there was none).
struct DeviceChoice {
  std::vector<int> devices;
  std::string note;
};
/// No more workers than there are rows, nor than memory of the host holds. Two rows at once must fit a device
/// together, and there must be two for each device.
DeviceChoice choose_devices(const DeviceQuestion&);

}  // namespace umov::harmonic
