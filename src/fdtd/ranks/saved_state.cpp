#include "fdtd/ranks/saved_state.hpp"

#include <numeric>

#include "core/bytes.hpp"

namespace umov::fdtd::ranks {

std::size_t value_bytes(const Problem& p) {
  return (p.precision == Precision::double_ ? 8 : 4) * (p.complex_fields ? 2 : 1);
}

std::vector<std::size_t> array_bytes(const Problem& p, const std::vector<RowArray>& arrays) {
  std::vector<std::size_t> sizes;
  for (const RowArray& a : arrays) sizes.push_back(std::size_t(a.size) * value_bytes(p));
  for (const FourierAccumulator& f : p.fouriers)
    sizes.push_back(f.cells.size() * f.frequencies.size() * (p.precision == Precision::double_ ? 16 : 8));
  return sizes;
}

std::vector<std::byte> write_state(const SavedState& s) {
  MemoryWriter out;
  out(s.header);
  out(s.step);
  for (const auto& a : s.arrays) out.bytes(a.data(), a.size());
  for (const auto& w : s.waiting) out(w);
  return out.take();
}

SavedState read_state(const std::vector<std::byte>& bytes, const Header& expected,
                      const std::vector<std::size_t>& sizes, std::size_t recorders) {
  MemoryReader in(bytes);
  SavedState s;
  in(s.header);
  expected.check(s.header);
  if (in.left() < sizeof s.step + std::accumulate(sizes.begin(), sizes.end(), std::size_t(0))) in.damaged();
  in(s.step);
  for (const std::size_t n : sizes) {
    s.arrays.emplace_back(n);
    in.bytes(s.arrays.back().data(), n);
  }
  s.waiting.resize(recorders);
  for (auto& w : s.waiting) in(w);
  in.finish();
  return s;
}

}  // namespace umov::fdtd::ranks
