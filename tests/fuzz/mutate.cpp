#include "fuzz/mutate.hpp"

#include <algorithm>
#include <string_view>

namespace umov::fuzz {
namespace {

constexpr std::string_view hostile[] = {"0",           "-1",
                                        "1e308",       "-1e308",
                                        "1e-320",      "nan",
                                        "inf",         "1e9",
                                        "1e400",       "65536",
                                        "\n",          "2147483648",
                                        "4294967295",  "9223372036854775807",
                                        " ",           "[",
                                        "\"",          "\xff",
                                        "-2147483648", "999999999999999999999"};

/// Not std::uniform_int_distribution: its numbers differ between libraries.
std::size_t below(std::size_t n, std::mt19937& random) { return n ? random() % n : 0; }

bool digit(std::uint8_t c) { return c >= '0' && c <= '9'; }

/// A number in the text at or behind `at` becomes a hostile one.
void replace_number(Bytes& file, std::size_t at, std::mt19937& random) {
  const auto begin = std::find_if(file.begin() + at, file.end(), digit);
  const auto end = std::find_if_not(begin, file.end(), [](std::uint8_t c) { return digit(c) || c == '.'; });
  const auto& text = hostile[below(std::size(hostile), random)];
  file.insert(file.erase(begin, end), text.begin(), text.end());
}

void change(Bytes& file, std::span<const Bytes> others, std::mt19937& random) {
  const std::size_t at = below(file.size(), random),
                    length = std::min(1 + below(16, random), file.size() - at);
  const auto here = file.begin() + at;
  switch (below(7, random)) {
    case 0:
      if (at < file.size()) file[at] ^= std::uint8_t(1u << below(8, random));
      break;
    case 1:
      if (at < file.size()) file[at] = std::uint8_t(random());
      break;
    case 2:
      replace_number(file, at, random);
      break;
    case 3:
      file.erase(here, here + length);
      break;
    case 4: {
      const Bytes piece(here, here + length);
      file.insert(here, piece.begin(), piece.end());
      break;
    }
    case 5: {
      const Bytes& other = others[below(others.size(), random)];
      const std::size_t from = below(other.size(), random),
                        n = std::min(1 + below(64, random), other.size() - from);
      file.insert(here, other.begin() + from, other.begin() + from + n);
      break;
    }
    default:
      if (below(8, random) == 0) file.resize(at);
  }
}

}  // namespace

Bytes mutate(Bytes file, std::span<const Bytes> others, std::mt19937& random) {
  for (std::size_t n = 1 + below(4, random); n > 0; --n) change(file, others, random);
  return file;
}

}  // namespace umov::fuzz
