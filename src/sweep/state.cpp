// Blocks of bytes with digests, and what is in them.
#include "sweep/state.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "core/bytes.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"

namespace umov::sweep {

namespace {

constexpr std::string_view mark = "UMSWEEP1";

constexpr auto visit_identity = [](auto& f, auto& id) {
  f(id.family);
  f(id.text);
  f.each(id.units, [&](auto& unit) { f(unit); });
  f(id.most_values);
};

constexpr auto visit_shard = [](auto& f, auto& shard) {
  f(shard.number);
  f(shard.of);
};

/// The numbers of an array behind the number of their type.
template <class File, class A>
void visit_data(File& f, A& array) {
  std::uint64_t type = array.data.index();
  f(type);
  if constexpr (requires { File::reading; }) {
    if (type == 0)
      array.data.template emplace<0>();
    else if (type == 1)
      array.data.template emplace<1>();
    else if (type == 2)
      array.data.template emplace<2>();
    else
      f.damaged();
  }
  std::visit([&](auto& values) { f(values); }, array.data);
}

constexpr auto visit_finished = [](auto& f, auto& x) {
  f(x.number);
  f(x.key);
  f(x.row.status);
  f(x.row.message);
  f(x.row.seconds);
  f.each(x.row.scalars, [&](auto& s) {
    f(s.name);
    f(s.unit);
    f(s.text);
    f(s.value);
  });
  f.each(x.row.arrays, [&](auto& a) {
    f(a.name);
    f(a.unit);
    f(a.description);
    f(a.shape);
    visit_data(f, a);
  });
};

template <class T, class Visit>
std::string block_of(const T& what, const Visit& visit) {
  MemoryWriter out;
  visit(out, what);
  const auto bytes = out.take();
  Digest digest;
  digest.add(bytes.data(), bytes.size());
  const std::uint64_t length = bytes.size(), value = digest.value();
  std::string block(reinterpret_cast<const char*>(&length), sizeof length);
  block.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return block.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint64_t number_at(std::string_view text) {
  std::uint64_t n = 0;
  std::memcpy(&n, text.data(), sizeof n);
  return n;
}

/// The next block, taken off the front; nothing where it is not whole.
template <class T, class Visit>
std::optional<T> take_block(std::string_view& rest, const Visit& visit) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  if (rest.size() < word) return {};
  const std::uint64_t length = number_at(rest);
  if (length > rest.size() - word || rest.size() - word - length < word) return {};
  const std::string_view bytes = rest.substr(word, length);
  Digest digest;
  digest.add(bytes.data(), bytes.size());
  if (digest.value() != number_at(rest.substr(word + length))) return {};
  rest.remove_prefix(2 * word + length);
  MemoryReader in({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  T out;
  visit(in, out);
  in.finish();
  return out;
}

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
  Identity id{sweep.family, resolved_toml(sweep), {}, most_values};
  for (const Axis& axis : sweep.axes) id.units.push_back(axis.unit);
  return id;
}

Sweep sweep_of(const Identity& id, const std::string& name) {
  Sweep s;
  s.family = id.family;
  s.base = tree_of_toml(id.text, name);
  s.axes = take_axes(s.base);
  for (std::size_t i = 0; i < std::min(s.axes.size(), id.units.size()); ++i) s.axes[i].unit = id.units[i];
  s.cases = count_cases(s.axes);
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
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadInput("no sweep to continue or merge (" + path + " is missing); give the folder of one");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::string_view rest = text;
  if (!rest.starts_with(mark)) throw BadInput(path + ": not the state of a sweep");
  rest.remove_prefix(mark.size());
  State state;
  auto identity = take_block<Identity>(rest, visit_identity);
  const auto shard = take_block<Shard>(rest, visit_shard);
  if (!identity || !shard || shard->of == 0)
    throw BadInput(path + ": the state is cut short or damaged; run the sweep again");
  state.identity = std::move(*identity);
  state.shard = *shard;
  const std::size_t cases = sweep_of(state.identity, path).cases;
  while (auto row = take_block<Finished>(rest, visit_finished)) {
    if (!is_sound(*row, cases)) throw BadInput(path + ": the state is damaged; run the sweep again");
    state.rows.push_back(std::move(*row));
  }
  return state;
}

StateFile::StateFile(const std::string& folder, const State& state) : path_(state_file(folder)) {
  AtomicFile begun(path_);
  begun.write(mark);
  begun.write(block_of(state.identity, visit_identity));
  begun.write(block_of(state.shard, visit_shard));
  for (const Finished& row : state.rows) begun.write(block_of(row, visit_finished));
  begun.commit();
  file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file_ < 0) refuse_path(path_, errno);
}

StateFile::~StateFile() {
  if (file_ >= 0) ::close(file_);
}

void StateFile::add(const Finished& row) {
  const std::string block = block_of(row, visit_finished);
  for (std::size_t done = 0; done < block.size();) {
    const ssize_t n = ::write(file_, block.data() + done, block.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse_path(path_, errno);
    done += std::size_t(n);
  }
}

}  // namespace umov::sweep
