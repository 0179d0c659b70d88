// Sorting recorders by interval and cutting their channels into pieces.
#include "fdtd/recorder_list.hpp"

#include <algorithm>

namespace umov::fdtd {

namespace {

/// Pieces end where a plane of the grid does, and their rows where a row does: each is one rank's, however
/// the grid is cut.
void append(const Recorder& r, const Planes& planes, const Rows& rows, RecorderList& list) {
  const index_t offset = index_t(list.cell.size());
  list.cell.insert(list.cell.end(), r.cells.begin(), r.cells.end());
  list.weight.insert(list.weight.end(), r.weights.begin(), r.weights.end());
  for (index_t ch = 0; ch < r.channels(); ++ch) {
    for (index_t p = r.first[ch], end; p < r.first[ch + 1]; p = end) {
      end = piece_end(r, planes, p, r.first[ch + 1]);
      const index_t first = index_t(list.first_point.size()) - 1;
      for (index_t q = p; q < end;) {
        q = row_end(r, rows, q, end);
        list.first_point.push_back(offset + q);
      }
      list.pieces.push_back({first, index_t(list.first_point.size()) - 1, int(r.component), int(r.squares)});
    }
    list.first_piece.push_back(index_t(list.pieces.size()));
  }
  list.first_channel.push_back(list.first_channel.back() + r.channels());
}

}  // namespace

index_t piece_end(const Recorder& r, const Planes& planes, index_t first, index_t last) {
  const int plane = planes.of(r.cells[std::size_t(first)]);
  index_t end = first + 1;
  while (end < std::min(last, first + piece_length) && planes.of(r.cells[std::size_t(end)]) == plane) ++end;
  return end;
}

index_t row_end(const Recorder& r, const Rows& rows, index_t first, index_t last) {
  const auto row = rows.of(r.cells[std::size_t(first)]);
  index_t end = first + 1;
  while (end < last && rows.of(r.cells[std::size_t(end)]) == row) ++end;
  return end;
}

std::vector<RecorderList> compile_recorders(const Problem& p) {
  const Planes planes(p.grid);
  const Rows rows(p.grid);
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
    append(p.recorders[r], planes, rows, *list);
  }
  return lists;
}

}  // namespace umov::fdtd
