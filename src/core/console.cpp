// Texts made safe for terminals, and standard streams that are closed or full.
#include "core/console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "core/silence.hpp"
#include "core/wording.hpp"

namespace umov {

namespace {

/// Bytes of the character of UTF-8 that begins here, and its code point; 0 bytes where none does (RFC 3629:
/// no surrogates, nothing in more bytes than it needs).
std::size_t decode(std::string_view text, std::uint32_t& code) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80       ? 1
                             : first >> 5 == 6  ? 2
                             : first >> 4 == 14 ? 3
                             : first >> 3 == 30 ? 4
                                                : 0;
  if (length == 0 || length > text.size()) return 0;
  code = length == 1 ? first : first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >> 6 != 2) return 0;
    code = code << 6 | (c & 0x3f);
  }
  static constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  return length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t length = decode(text, code);
    const bool control = code < 0x20 ? code != '\n' && code != '\t' : code >= 0x7f && code < 0xa0;
    const std::size_t taken = length ? length : 1;
    if (length && !control)
      out += text.substr(0, length);
    else
      for (std::size_t i = 0; i < taken; ++i)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    text.remove_prefix(taken);
  }
  return out;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t length = decode(text, code);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

namespace {
bool silent = false;
}

void complain_urgently(std::string_view line) {
  const std::string text = printable(worded(line)) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void complain(std::string_view line) {
  if (!silent) complain_urgently(line);
}

void warn(const std::string& text) { complain("umov: warning: " + text); }

void be_silent() {
  silent = true;
  const int nothing = ::open("/dev/null", O_WRONLY);
  if (nothing < 0) return;
  ::dup2(nothing, 1);
  ::close(nothing);
}

void fill_closed_streams() {
  for (int stream = 0; stream < 3; ++stream)
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
        // The lowest free number is this one. Open the wrong way round, so that its use fails as if closed.
        [[maybe_unused]]
      const int same = ::open("/dev/null", stream == 1 ? O_RDONLY : O_WRONLY);
}

}  // namespace umov
