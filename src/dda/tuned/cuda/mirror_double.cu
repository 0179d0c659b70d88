// The tuned product on mirror fractions in double precision.
#include "dda/tuned/cuda/mirror_convolution.cuh"

namespace umov::dda {
template class TunedMirrorConvolution<double>;
}
