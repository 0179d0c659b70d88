// Changes to a file that are the same on every machine: for tests without a fuzzer that watches branches.
#pragma once

#include <random>
#include <span>

#include "fuzz/target.hpp"

namespace umov::fuzz {

/// One to four changes: bits, bytes, numbers that break arithmetic, pieces cut out, repeated, or taken from
/// another file.
Bytes mutate(Bytes file, std::span<const Bytes> others, std::mt19937& random);

}  // namespace umov::fuzz
