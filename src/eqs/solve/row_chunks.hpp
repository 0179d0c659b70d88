// The long rows of a list, on a device (kernels/row_chunks.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include "eqs/kernels/row_chunks.hpp"
#include "eqs/model/device_model.hpp"

namespace umov::eqs {

template <class Device>
class RowChunks {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  /// Of the list start[0 .. n].
  void find(Device& dev, const std::vector<int>& start) {
    std::vector<int> row, first{0}, of;
    for (std::size_t r = 0; r + 1 < start.size(); ++r) {
      const int terms = start[r + 1] - start[r];
      if (terms <= row_of_chunks) continue;
      first.push_back(first.back() + (terms + chunk_terms - 1) / chunk_terms);
      of.resize(first.back(), int(row.size()));
      row.push_back(int(r));
    }
    if (row.empty()) return;
    row_ = to_device(dev, row), first_ = to_device(dev, first), of_ = to_device(dev, of);
    partial_ = dev.template allocate<double>(3 * of.size());
    host_row_ = std::move(row);
  }
  const std::vector<int>& rows() const { return host_row_; }
  /// `start`: the list on the device.
  RowChunksView view(const int* start) const {
    return {int(row_.size()), int(of_.size()), row_.data(),    first_.data(),
            of_.data(),       start,           partial_.data()};
  }
  std::size_t bytes() const { return row_.bytes() + first_.bytes() + of_.bytes() + partial_.bytes(); }

 private:
  std::vector<int> host_row_;
  Array<int> row_, first_, of_;
  mutable Array<double> partial_;
};

}  // namespace umov::eqs
