// The tuned product of several GPUs in double precision.
#include "dda/tuned/cuda/rank_convolution.cuh"

namespace umov::dda {
template class TunedRankConvolution<double>;
}
