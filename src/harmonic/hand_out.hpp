// Large arrays from a device to the host.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::harmonic {

/// Downloads; a device for which large downloads have a faster way has its own.
template <class Dev>
void hand_out(Dev& dev, Complex<double>* host, const Complex<double>* device, index_t n) {
  dev.download(host, device, n);
}

}  // namespace umov::harmonic
