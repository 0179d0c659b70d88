// Limits forced down, and what follows from limits.
#include "backend/cuda/limits.hpp"

#include <algorithm>
#include <charconv>

#include "core/error.hpp"

namespace umov::backend::cuda {
namespace {

[[noreturn]] void refuse(std::string_view entry, const char* why) {
  throw BadInput("UMOV_CUDA_LIMITS: '" + std::string(entry) + "' " + why +
                 "; write it like sm=75,shared=48K,registers=32K,processors=20,clusters=0,cooperative=0");
}

/// A whole number, K for 1024 of it.
std::size_t number(std::string_view entry, std::string_view text) {
  std::size_t value = 0, unit = 1;
  if (!text.empty() && text.back() == 'K') unit = 1024, text.remove_suffix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > (1u << 30))
    refuse(entry, "has no whole number up to 2^30 behind its name");
  return value * unit;
}

template <class V>
void lower(V& limit, std::size_t to) {
  if (to < std::size_t(limit)) limit = V(to);
}

void force(Limits& l, std::string_view entry) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) refuse(entry, "has no '='");
  const std::string_view name = entry.substr(0, equals);
  const std::size_t value = number(entry, entry.substr(equals + 1));
  if (name == "sm") {
    lower(l.code, value);
  } else if (name == "shared") {
    lower(l.shared_block, value);
    lower(l.shared_processor, value + l.shared_reserved);
  } else if (name == "registers") {
    lower(l.registers, value);
  } else if (name == "processors") {
    if (value == 0) refuse(entry, "leaves no multiprocessor");
    lower(l.processors, value);
  } else if (name == "clusters") {
    l.clusters &= value != 0;
  } else if (name == "cooperative") {
    l.cooperative &= value != 0;
  } else {
    refuse(entry, "is no limit");
  }
  l.clusters &= l.code >= 90;
}

/// The text up to the next comma, which goes with it.
std::string_view next_word(std::string_view& text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string_view word = text.substr(0, comma);
  text.remove_prefix(std::min(comma + 1, text.size()));
  return word;
}

/// Registers come to warps in pieces of 256.
int registers_of(const KernelNeeds& k, int threads) {
  return (k.registers + 7) / 8 * 8 * ((threads + 31) / 32 * 32);
}

}  // namespace

Limits forced_down(Limits device, std::string_view text) {
  device.forced = text;
  while (!text.empty()) force(device, next_word(text));
  return device;
}

bool block_fits(const KernelNeeds& k, int threads, std::size_t bytes, const Limits& l) {
  return k.static_shared + bytes <= l.shared_block && registers_of(k, threads) <= l.registers;
}

int resident_blocks(const KernelNeeds& k, int threads, std::size_t bytes, const Limits& l) {
  if (!block_fits(k, threads, bytes, l)) return 0;
  int blocks = std::min(32, l.threads / ((threads + 31) / 32 * 32));
  if (k.registers) blocks = std::min(blocks, l.registers / registers_of(k, threads));
  const std::size_t shared = k.static_shared + bytes + l.shared_reserved;
  if (shared) blocks = int(std::min<std::size_t>(blocks, l.shared_processor / shared));
  return blocks;
}

bool runs_on(std::string_view architectures, int major, int minor) {
  const int device = 10 * major + minor;
  while (!architectures.empty()) {
    const std::string_view word = next_word(architectures);
    int code = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), code);
    if (error != std::errc()) return true;
    const std::string_view kind(end, std::size_t(word.data() + word.size() - end));
    const bool machine = kind != "-virtual", ptx = kind != "-real";
    if (code <= device && (ptx || (machine && code / 10 == major))) return true;
  }
  return false;
}

}  // namespace umov::backend::cuda
