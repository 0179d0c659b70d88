// The tuned product in double precision.
#include "dda/tuned/cuda/tuned_convolution.cuh"

namespace umov::dda {
template class TunedConvolution<double>;
}
