// The product on a GPU: the hand-written kernels, or the generic ones when asked for.
#pragma once

#include "dda/convolution.hpp"

namespace umov::dda {
template <class Dev, class T>
using CudaProduct = Convolution<Dev, T>;
}
