// Rows of many cases in a file of blocks: the settings, then rows and what was begun.
#include "dda/run/case_rows.hpp"

#include <filesystem>
#include <utility>

namespace umov::dda {

namespace {

constexpr run::StateFormat format{{'U', 'M', 'D', 'D', 'A', 'L', '0', '5'}, "umov dda with lists"};

/// A row, or a case that is begun, which has no polarizations yet.
struct Entry {
  std::uint64_t key = 0;
  CaseRow row;
};

constexpr auto visit_entry = [](auto& f, auto& entry) {
  f(entry.key);
  visit_row(f, entry.row);
};

}  // namespace

CaseRows::CaseRows(std::string path, std::string settings, bool resume)
    : path_(std::move(path)), settings_(std::move(settings)) {
  if (!resume) return;
  const auto blocks = run::read_blocks(path_, format, 1);
  run::require_same_settings(path_, "rows", "rows of one table differ in the values of the lists alone",
                             unpacked<std::string>(blocks.front(), as_it_is), settings_);
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    auto [key, row] = unpacked<Entry>(blocks[b], visit_entry);
    if (row.polarizations.empty())
      under_way_ = key;
    else
      rows_[key] = std::move(row);
  }
}

const CaseRow* CaseRows::find(std::uint64_t key) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? nullptr : &found->second;
}

void CaseRows::open() {
  if (file_) return;
  std::vector<Packed> blocks{packed(settings_, as_it_is)};
  for (const auto& [key, row] : rows_) blocks.push_back(packed(Entry{key, row}, visit_entry));
  if (under_way_) blocks.push_back(packed(Entry{*under_way_, {}}, visit_entry));
  file_.emplace(path_, format, blocks);
}

void CaseRows::append(std::uint64_t key, const CaseRow& row) {
  open();
  file_->add(packed(Entry{key, row}, visit_entry));
}

void CaseRows::add(std::uint64_t key, const CaseRow& row) {
  append(key, row);
  rows_[key] = row;
}

bool CaseRows::begin(std::uint64_t key) {
  append(key, {});
  std::error_code ignored;
  return std::exchange(under_way_, {}) == key &&
         std::filesystem::exists(std::filesystem::path(path_).replace_filename("checkpoint-Y"), ignored);
}

}  // namespace umov::dda
