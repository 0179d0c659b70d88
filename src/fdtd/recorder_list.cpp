// Sorting recorders by interval and cutting their channels into pieces.
#include "fdtd/recorder_list.hpp"

#include <algorithm>

namespace umov::fdtd {

namespace {

void append(const Recorder& r, RecorderList& list) {
  const index_t offset = index_t(list.cell.size());
  list.cell.insert(list.cell.end(), r.cells.begin(), r.cells.end());
  list.weight.insert(list.weight.end(), r.weights.begin(), r.weights.end());
  for (index_t ch = 0; ch < r.channels(); ++ch) {
    for (index_t p = r.first[ch]; p < r.first[ch + 1]; p += piece_length)
      list.pieces.push_back({offset + p, offset + std::min(p + piece_length, r.first[ch + 1]),
                             int(r.component), int(r.squares)});
    list.first_piece.push_back(index_t(list.pieces.size()));
  }
  list.first_channel.push_back(list.first_channel.back() + r.channels());
}

}  // namespace

std::vector<RecorderList> compile_recorders(const Problem& p) {
  std::vector<RecorderList> lists;
  for (std::size_t r = 0; r < p.recorders.size(); ++r) {
    const int interval = p.recorders[r].interval;
    auto list =
        std::find_if(lists.begin(), lists.end(), [&](const auto& l) { return l.interval == interval; });
    if (list == lists.end()) {
      lists.push_back({});
      list = lists.end() - 1;
      list->interval = interval;
    }
    list->recorders.push_back(int(r));
    append(p.recorders[r], *list);
  }
  return lists;
}

}  // namespace umov::fdtd
