#include "run/block_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/input_file.hpp"
#include "core/text.hpp"
#include "run/case_differences.hpp"

namespace umov::run {

namespace {

constexpr std::size_t word = sizeof(std::uint64_t);

std::string framed(const Packed& block) {
  Digest digest;
  digest.add(block.data(), block.size());
  const std::uint64_t length = block.size(), value = digest.value();
  std::string out(reinterpret_cast<const char*>(&length), word);
  out.append(reinterpret_cast<const char*>(block.data()), block.size());
  return out.append(reinterpret_cast<const char*>(&value), word);
}

std::uint64_t number_at(std::string_view text) {
  std::uint64_t n = 0;
  std::memcpy(&n, text.data(), word);
  return n;
}

/// The next block, taken off the front; nothing where it is not whole.
std::optional<Packed> take_block(std::string_view& rest) {
  if (rest.size() < word) return {};
  const std::uint64_t length = number_at(rest);
  if (length > rest.size() - word || rest.size() - word - length < word) return {};
  const auto* begin = reinterpret_cast<const std::byte*>(rest.data()) + word;
  Digest digest;
  digest.add(begin, length);
  if (digest.value() != number_at(rest.substr(word + length))) return {};
  rest.remove_prefix(2 * word + length);
  return Packed(begin, begin + length);
}

/// Lines that only one of two cases has, in quotes.
std::string quoted(const std::vector<std::string>& lines) {
  return lines.empty() ? "nothing of the kind" : "'" + join(lines, "', '") + "'";
}

}  // namespace

BlockFile::BlockFile(const std::string& path, const StateFormat& format, const std::vector<Packed>& blocks)
    : path_(path) {
  AtomicFile begun(path_);
  begun.write({format.mark, sizeof format.mark});
  for (const Packed& block : blocks) begun.write(framed(block));
  begun.commit();
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file_) refuse_path(path_, errno);
}

void BlockFile::add(const Packed& block) {
  const std::string bytes = framed(block);
  const off_t end = ::lseek(file_.get(), 0, SEEK_END);
  const int code = write_all(file_.get(), bytes.data(), bytes.size());
  if (code == 0) return;
  if (::ftruncate(file_.get(), end) != 0) refuse_path(path_, errno);  // blocks may follow once there is room
  refuse_path(path_, code);
}

std::vector<Packed> read_blocks(const std::string& path, const StateFormat& format, std::size_t heads) {
  std::ifstream in(path, std::ios::binary);
  if (in) check_input_file(path, "checkpoint");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::string_view rest = text;
  check_mark(in.is_open(), rest.substr(0, sizeof format.mark), path, format);
  rest.remove_prefix(sizeof format.mark);
  std::vector<Packed> blocks;
  while (auto block = take_block(rest)) blocks.push_back(std::move(*block));
  if (blocks.size() < heads)
    throw BadInput(path + ": the checkpoint is cut short or damaged; run the case again");
  return blocks;
}

void refuse_settings(const std::string& path, const std::string& rows, const std::string& may_differ,
                     const std::string& difference) {
  throw BadInput(
      fmt::format("{}: the finished {} are of another case: {} ({}); continue with the case of that run, or "
                  "give another folder",
                  path, rows, difference, may_differ));
}

void require_same_settings(const std::string& path, const std::string& rows, const std::string& may_differ,
                           const std::string& stored, const std::string& here) {
  if (stored == here) return;
  std::vector<std::string> there, now;
  for (const CaseDifference& d : case_differences(stored, here)) {
    if (d.there) there.push_back(d.line(*d.there));
    if (d.now) now.push_back(d.line(*d.now));
  }
  refuse_settings(path, rows, may_differ, fmt::format("it has {}, this one {}", quoted(there), quoted(now)));
}

}  // namespace umov::run
