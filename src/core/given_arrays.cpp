#include "core/given_arrays.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>

#include "core/error.hpp"

namespace umov {

namespace {

template <class T>
T number(const std::byte* data, std::size_t i) {
  T out;
  std::memcpy(&out, data + i * sizeof(T), sizeof(T));
  return out;
}

/// What `use` makes of number i, in its own type.
template <class Use>
auto with_number(const GivenArray& a, std::size_t i, const Use& use) {
  switch (a.kind) {
    case NumberKind::boolean:
    case NumberKind::u8:
      return use(number<std::uint8_t>(a.data, i));
    case NumberKind::i8:
      return use(number<std::int8_t>(a.data, i));
    case NumberKind::i16:
      return use(number<std::int16_t>(a.data, i));
    case NumberKind::i32:
      return use(number<std::int32_t>(a.data, i));
    case NumberKind::i64:
      return use(number<std::int64_t>(a.data, i));
    case NumberKind::u16:
      return use(number<std::uint16_t>(a.data, i));
    case NumberKind::u32:
      return use(number<std::uint32_t>(a.data, i));
    case NumberKind::u64:
      return use(number<std::uint64_t>(a.data, i));
    case NumberKind::f32:
      return use(number<float>(a.data, i));
    case NumberKind::f64:
      return use(number<double>(a.data, i));
    case NumberKind::c64:
      return use(number<float>(a.data, 2 * i));
    case NumberKind::c128:
      break;
  }
  return use(number<double>(a.data, 2 * i));
}

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<const GivenArrays>> known;
  std::atomic<std::size_t> count{0};  ///< of entries: most programs give none, and do not wait for the lock
};

Registry& registry() {
  static auto* made = new Registry;  // outlives those who hold arrays
  return *made;
}

void forget(const std::string& path) {
  Registry& r = registry();
  const std::lock_guard hold(r.mutex);
  if (const auto at = r.known.find(path); at != r.known.end() && at->second.expired()) r.known.erase(at);
  r.count = r.known.size();
}

constexpr std::string_view npy_magic = "\x93NUMPY";

/// A file in memory, as long as it is.
struct Mapped {
  void* place = MAP_FAILED;
  std::size_t size = 0;
  Mapped() = default;
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  ~Mapped() {
    if (place != MAP_FAILED) ::munmap(place, size);
  }
  std::string_view bytes() const { return {static_cast<const char*>(place), size}; }
};

/// None where the file cannot be mapped or does not begin as NPY does: its reader says what is wrong.
std::shared_ptr<Mapped> map_npy(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return {};
  auto out = std::make_shared<Mapped>();
  struct stat found {};
  char first[6];
  const bool is_npy = ::fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
                      ::pread(file, first, sizeof first, 0) == ssize_t(sizeof first) &&
                      std::string_view(first, sizeof first) == npy_magic;
  if (is_npy) {
    out->size = std::size_t(found.st_size);
    out->place = ::mmap(nullptr, out->size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  ::close(file);
  return out->place == MAP_FAILED ? nullptr : out;
}

[[noreturn]] void refuse(const std::string& path, const std::string& problem, const std::string& remedy) {
  throw BadInput(fmt::format("{}: {}; {}", path, problem, remedy));
}

/// What stands behind 'NAME': in a header, up to the comma or bracket that ends it.
std::string_view entry(std::string_view header, std::string_view name) {
  const auto at = header.find(name);
  if (at == header.npos) return {};
  header.remove_prefix(at + name.size());
  header.remove_prefix(std::min(header.find_first_not_of(": "), header.size()));
  const bool tuple = header.starts_with('(');
  const auto end = header.find_first_of(tuple ? ")" : ",}");
  return header.substr(0, end == header.npos ? end : end + (tuple ? 1 : 0));
}

std::optional<NumberKind> kind_of(std::string_view text) {
  struct Known {
    std::string_view text;
    NumberKind kind;
  };
  static constexpr Known all[] = {
      {"|b1", NumberKind::boolean}, {"|i1", NumberKind::i8},  {"<i2", NumberKind::i16},
      {"<i4", NumberKind::i32},     {"<i8", NumberKind::i64}, {"|u1", NumberKind::u8},
      {"<u2", NumberKind::u16},     {"<u4", NumberKind::u32}, {"<u8", NumberKind::u64},
      {"<f4", NumberKind::f32},     {"<f8", NumberKind::f64}, {"<c8", NumberKind::c64},
      {"<c16", NumberKind::c128}};
  for (const Known& k : all)
    if (text == k.text) return k.kind;
  return {};
}

std::size_t bytes_of(NumberKind kind) {
  static constexpr std::size_t bytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  return bytes[std::size_t(kind)];
}

std::vector<std::size_t> shape_of(const std::string& path, std::string_view text) {
  std::vector<std::size_t> shape;
  while (!text.empty()) {
    std::size_t n = 0;
    const auto digit = text.find_first_of("0123456789");
    if (digit == text.npos) break;
    text.remove_prefix(digit);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc()) refuse(path, "a shape beyond 64 bits (the file is damaged)", "save it again");
    text.remove_prefix(std::size_t(end - text.data()));
    shape.push_back(n);
  }
  return shape;
}

/// The format of NumPy Enhancement Proposal 1: magic, version, length of the header, a dictionary of Python.
GivenArray parse_npy(const std::string& path, std::string_view bytes) {
  const char* const again = "save it again with numpy.save";
  if (bytes.size() < 12) refuse(path, "the file ends within its header (it is damaged)", again);
  const int version = bytes[6];
  std::size_t length = 0;
  const std::size_t size_of_length = version == 1 ? 2 : 4, start = 8 + size_of_length;
  std::memcpy(&length, bytes.data() + 8, size_of_length);
  if (version < 1 || version > 3 || length > bytes.size() - start)
    refuse(path, "the header of the NPY file cannot be read (it is damaged)", again);
  const std::string_view header = bytes.substr(start, length);
  std::string_view type = entry(header, "'descr'");
  if (type.size() > 2 && type.front() == '\'') type = type.substr(1, type.size() - 2);
  const auto kind = kind_of(type);
  if (!kind)
    refuse(path,
           fmt::format("numbers of type {} (whole, real and complex ones of this machine are read)", type),
           "save a plain array");
  if (entry(header, "'fortran_order'") != "False")
    refuse(path, "its first axis is the fastest (the last one is, where arrays are read)",
           "save numpy.ascontiguousarray of it");
  GivenArray out{"", *kind, shape_of(path, entry(header, "'shape'")),
                 reinterpret_cast<const std::byte*>(bytes.data()) + start + length};
  double wanted = double(bytes_of(*kind));
  for (const std::size_t n : out.shape) wanted *= double(n);
  if (wanted > double(bytes.size() - start - length))
    refuse(path,
           fmt::format("{} bytes of numbers ({:.0f} are announced)", bytes.size() - start - length, wanted),
           again);
  return out;
}

}  // namespace

std::size_t GivenArray::size() const {
  std::size_t n = 1;
  for (const std::size_t along : shape) n *= along;
  return n;
}

long long GivenArray::whole(std::size_t i) const {
  return with_number(*this, i, [](auto v) -> long long {
    constexpr auto most = std::numeric_limits<long long>::max();
    if constexpr (std::is_same_v<decltype(v), std::uint64_t>)
      return v > std::uint64_t(most) ? most : (long long)(v);
    else
      return (long long)(v);
  });
}

double GivenArray::real(std::size_t i) const {
  return with_number(*this, i, [](auto v) { return double(v); });
}

cplx GivenArray::value(std::size_t i) const {
  if (kind == NumberKind::c64) return {number<float>(data, 2 * i), number<float>(data, 2 * i + 1)};
  if (kind == NumberKind::c128) return {number<double>(data, 2 * i), number<double>(data, 2 * i + 1)};
  return {real(i), 0};
}

const GivenArray& GivenArrays::at(const std::string& name) const {
  for (const GivenArray& a : arrays)
    if (a.name == name) return a;
  throw BadInput(
      fmt::format("{}: no array '{}' (a mesh has several, and this is another thing); give one that "
                  "was made for this key",
                  said, name));
}

bool GivenArrays::has(const std::string& name) const {
  return std::any_of(arrays.begin(), arrays.end(), [&](const GivenArray& a) { return a.name == name; });
}

std::shared_ptr<const GivenArrays> give_arrays(const std::string& path, GivenArrays given) {
  if (auto there = given_arrays(path)) return there;
  std::shared_ptr<const GivenArrays> out(new GivenArrays(std::move(given)), [path](const GivenArrays* gone) {
    delete gone;
    forget(path);
  });
  Registry& r = registry();
  const std::lock_guard hold(r.mutex);
  r.known[path] = out;
  r.count = r.known.size();
  return out;
}

std::shared_ptr<const GivenArrays> given_arrays(const std::string& path) {
  Registry& r = registry();
  if (r.count == 0) return {};
  const std::lock_guard hold(r.mutex);
  const auto at = r.known.find(path);
  return at == r.known.end() ? nullptr : at->second.lock();
}

std::shared_ptr<const GivenArrays> read_arrays(const std::string& path) {
  if (auto given = given_arrays(path)) return given;
  const auto file = map_npy(path);
  if (!file) return {};
  return std::make_shared<const GivenArrays>(GivenArrays{path, {parse_npy(path, file->bytes())}, {}, file});
}

}  // namespace umov
