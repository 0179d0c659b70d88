// The tuned product of several GPUs in single precision.
#include "dda/tuned/cuda/rank_convolution.cuh"

namespace umov::dda {
template class TunedRankConvolution<float>;
}
