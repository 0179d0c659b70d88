// Assembly, and assembly with product, on processors: bench_eqs_conduct CASE.toml [flags of umov eqs]
#include "backend/cpu/cpu.hpp"
#include "eqs_conduct.hpp"

int main(int count, char** words) {
  umov::backend::Cpu dev;
  umov::bench::measure_conduct(dev, {words + 1, words + count});
}
