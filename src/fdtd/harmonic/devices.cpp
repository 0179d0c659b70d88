// The devices that rows of a sweep go to.
#include "fdtd/harmonic/devices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backend/gpus.hpp"
#include "core/text.hpp"

namespace umov::fdtd::harmonic {

std::vector<int> devices_of(const std::string& backend) {
  const auto gpus = backend == "cuda" ? backend::usable_gpus() : std::vector<int>();
  return gpus.empty() ? std::vector<int>{0} : gpus;
}

DeviceChoice choose_devices(int device, const std::vector<int>& there, std::size_t rows, double host_bytes,
                            double available) {
  if (device >= 0) return {{device}, ""};
  DeviceChoice out{there, ""};
  out.devices.resize(std::min(there.size(), std::max<std::size_t>(rows, 1)));
  const std::size_t wanted = out.devices.size();
  if (wanted < 2) return out;
  if (available > 0 && double(wanted) * host_bytes > available) {
    out.devices.resize(std::max<std::size_t>(std::size_t(available / host_bytes), 1));
    out.note = fmt::format(
        "rows go to {} of {} GPUs: each takes {} of this machine's memory beside it, and {} are left",
        out.devices.size(), there.size(), format_bytes(host_bytes), format_bytes(available));
  } else {
    out.note = fmt::format("rows go to {} of {} GPUs", wanted, there.size());
  }
  return out;
}

}  // namespace umov::fdtd::harmonic
