// The tuned product in single precision.
#include "dda/tuned/cuda/tuned_convolution.cuh"

namespace umov::dda {
template class TunedConvolution<float>;
}
