// What is in the blocks of a sweep's file.
#include "sweep/state.hpp"

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "sweep/visit_row.hpp"

namespace umov::sweep {

namespace {

constexpr run::StateFormat format{{'U', 'M', 'S', 'W', 'E', 'E', 'P', '2'}, "umov sweep"};

using FileList = std::vector<std::pair<std::string, std::uint64_t>>;

constexpr auto visit_identity = [](auto& f, auto& id) {
  f(id.family);
  f(id.text);
  f.each(id.units, [&](auto& unit) { f(unit); });
  f(id.most_values);
  f(id.settings);
};

constexpr auto visit_shard = [](auto& f, auto& shard) {
  f(shard.number);
  f(shard.of);
};

constexpr auto visit_files = [](auto& f, auto& files) {
  f.each(files, [&](auto& file) {
    f(file.first);
    f(file.second);
  });
};

constexpr auto visit_finished = [](auto& f, auto& x) {
  f(x.number);
  f(x.key);
  visit_row(f, x.row);
};

/// Whether a row can be what it says: blocks have digests, but whoever writes one can write the other.
bool is_sound(const Finished& x, std::size_t cases) {
  if (x.number >= cases || x.row.status > Status::missing) return false;
  return std::all_of(x.row.arrays.begin(), x.row.arrays.end(), [](const results::Array& a) {
    std::size_t left = a.size();
    for (const std::size_t n : a.shape)
      if (n == 0 || left % n != 0)
        return false;
      else
        left /= n;
    return left == 1;
  });
}

}  // namespace

Identity identity_of(const Sweep& sweep, std::size_t most_values) {
  Identity id{sweep.family, resolved_toml(sweep), {}, most_values, ""};
  for (const Axis& axis : sweep.axes) id.units.push_back(axis.unit);
  return id;
}

bool is_same(const Identity& a, const Identity& b) {
  const auto rest = [](Identity id) {
    id.text = toml_text(without_folders(tree_of_toml(id.text, "")));
    return id;
  };
  return rest(a) == rest(b);
}

Sweep sweep_of(const Identity& id, const std::string& name) {
  Sweep s;
  s.family = id.family;
  s.base = tree_of_toml(id.text, name);
  Origins places;
  s.design = take_design(s.base, "", places);
  s.axes = take_axes(s.base);
  s.points = points_of(s.design, s.axes);
  for (std::size_t i = 0; i < std::min(s.axes.size(), id.units.size()); ++i) s.axes[i].unit = id.units[i];
  s.cases = s.points.empty() ? count_cases(s.axes) : s.points.size();
  return s;
}

std::vector<std::size_t> Shard::cases(std::size_t all) const {
  std::vector<std::size_t> out;
  for (std::size_t k = number - 1; k < all; k += of) out.push_back(k);
  return out;
}

std::string state_file(const std::string& folder) { return folder + "/sweep.state"; }

State read_state(const std::string& folder) {
  const std::string path = state_file(folder);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw BadInput("no sweep to continue or merge (" + path + " is missing); give the folder of one");
  return read_state_file(path);
}

State read_state_file(const std::string& path) {
  const auto blocks = run::read_blocks(path, format, 3);
  State state{unpacked<Identity>(blocks[0], visit_identity), unpacked<Shard>(blocks[1], visit_shard), {}, {}};
  for (auto& [name, digest] : unpacked<FileList>(blocks[2], visit_files)) state.files[name] = digest;
  const auto refuse = [&] { throw BadInput(path + ": the state is damaged; run the sweep again"); };
  if (state.shard.of == 0) refuse();
  const std::size_t cases = sweep_of(state.identity, path).cases;
  for (std::size_t b = 3; b < blocks.size(); ++b) {
    state.rows.push_back(unpacked<Finished>(blocks[b], visit_finished));
    if (!is_sound(state.rows.back(), cases)) refuse();
  }
  return state;
}

namespace {

std::vector<Packed> blocks_of(const State& state) {
  const FileList files(state.files.begin(), state.files.end());
  std::vector<Packed> blocks{packed(state.identity, visit_identity), packed(state.shard, visit_shard),
                             packed(files, visit_files)};
  for (const Finished& row : state.rows) blocks.push_back(packed(row, visit_finished));
  return blocks;
}

}  // namespace

std::vector<Finished> taken_over(const std::vector<Finished>& rows, const Sweep& s, Keys& keys,
                                 const std::vector<std::size_t>& wanted) {
  std::map<std::uint64_t, const Finished*> there;
  for (const auto& row : rows)
    if (row.row.status == Status::done) there[row.key] = &row;
  std::vector<Finished> out;
  for (const std::size_t k : wanted) {
    const auto found = there.find(keys.of(s.case_of(k)));
    if (found == there.end()) continue;
    out.push_back(*found->second);
    out.back().number = k;
  }
  return out;
}

StateFile::StateFile(const std::string& path, const State& state) : file_(path, format, blocks_of(state)) {}

void StateFile::add(const Finished& row) { file_.add(packed(row, visit_finished)); }

}  // namespace umov::sweep
