// Assembly, and assembly with product, on a GPU: bench_eqs_conduct_gpu CASE.toml [flags of umov eqs]
#include "backend/cuda/cuda.hpp"
#include "eqs_conduct.hpp"

int main(int count, char** words) {
  umov::backend::Cuda dev(umov::backend::Cuda::pooled_on(0));
  umov::bench::measure_conduct(dev, {words + 1, words + count});
}
