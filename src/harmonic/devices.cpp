// The devices that rows of a sweep go to.
#include "harmonic/devices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backend/gpus.hpp"
#include "core/text.hpp"

namespace umov::harmonic {

std::vector<int> devices_of(const std::string& backend) {
  const auto gpus = backend == "cuda" ? backend::usable_gpus() : std::vector<int>();
  return gpus.empty() ? std::vector<int>{0} : gpus;
}

double least_free_memory(const std::vector<int>& gpus) {
  double least = 0;
  for (std::size_t n = 0; n < gpus.size(); ++n) {
    const double free = backend::free_memory_of_gpu(gpus[n]);
    if (n == 0 || free < least) least = free;
  }
  return least;
}

namespace {

/// Of one device: what is asked for, or two where rows and memory are enough.
int rows_at_once(const DeviceQuestion& q, std::size_t devices) {
  if (q.rows_at_once > 0) return q.rows_at_once;
  constexpr double usable = 0.9;  // of what is free: pools and libraries take some
  const bool fit = q.device_free > 0 && 2 * q.device_bytes < usable * q.device_free &&
                   (q.host_free == 0 || 2 * double(devices) * q.host_bytes < usable * q.host_free);
  return fit && q.rows >= 2 * devices ? 2 : 1;
}

}  // namespace

DeviceChoice choose_devices(const DeviceQuestion& q) {
  DeviceChoice out{q.device >= 0 ? std::vector<int>{q.device} : q.there, ""};
  out.devices.resize(std::min(out.devices.size(), std::max<std::size_t>(q.rows, 1)));
  const std::size_t wanted = out.devices.size();
  if (q.device < 0 && wanted > 1 && q.host_free > 0 && double(wanted) * q.host_bytes > q.host_free) {
    out.devices.resize(std::max<std::size_t>(std::size_t(q.host_free / q.host_bytes), 1));
    out.note = fmt::format(
        "rows go to {} of {} GPUs: each takes {} of this machine's memory beside it, and {} are left",
        out.devices.size(), q.there.size(), format_bytes(q.host_bytes), format_bytes(q.host_free));
    return out;
  }
  if (q.device < 0 && wanted > 1) out.note = fmt::format("rows go to {} of {} GPUs", wanted, q.there.size());
  const int each = rows_at_once(q, wanted);
  if (each < 2) return out;
  const auto once = out.devices;
  for (int n = 1; n < each; ++n) out.devices.insert(out.devices.end(), once.begin(), once.end());
  out.devices.resize(std::min(out.devices.size(), std::max<std::size_t>(q.rows, 1)));
  out.note += fmt::format("{}{} rows at once on each GPU", out.note.empty() ? "" : ", ", each);
  return out;
}

}  // namespace umov::harmonic
