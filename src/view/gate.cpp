// Token, host and origin: what a page elsewhere, or a name that was pointed here, must not get past.
#include "view/gate.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>

#include "core/error.hpp"

namespace umov::view {

namespace {

/// Of "name:port" or "[::1]:port".
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_ours(std::string_view host, std::string_view address) {
  if (address == "0.0.0.0" || address == "::") return true;
  const std::string_view name = without_port(host);
  return name == "127.0.0.1" || name == "localhost" || name == "[::1]" || name == address ||
         (name.size() > 2 && name.front() == '[' && name.substr(1, name.size() - 2) == address);
}

/// The value of `token` in a query.
std::string_view token_of(std::string_view query) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    if (pair.starts_with("token=")) return pair.substr(6);
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
  }
  return {};
}

}  // namespace

std::string random_token() {
  std::array<std::uint8_t, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))
    throw MachineFailure("the system gives no random numbers (getrandom failed); no view can be served");
  std::string token;
  for (const std::uint8_t b : bytes) {
    token += "0123456789abcdef"[b >> 4];
    token += "0123456789abcdef"[b & 15];
  }
  return token;
}

std::string chosen_token() {
  const char* given = std::getenv("UMOV_VIEW_TOKEN");
  if (!given) return random_token();
  const std::string token = given;
  const bool plain = std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return (c < 128 && std::isalnum(c)) || c == '-' || c == '_';
  });
  if (token.size() < 16 || token.size() > 128 || !plain)
    throw BadInput(
        "UMOV_VIEW_TOKEN is no token (16 to 128 letters, digits, - or _ are one); set another, or none");
  return token;
}

bool same_secret(std::string_view a, std::string_view b) {
  unsigned different = a.size() != b.size();
  for (std::size_t i = 0; i < a.size(); ++i) different |= unsigned(b.empty() ? 1 : a[i] ^ b[i % b.size()]);
  return different == 0 && !b.empty();
}

Answer answer(const Knock& k, std::string_view token, std::string_view address) {
  const std::size_t mark = k.target.find('?');
  const std::string_view path = k.target.substr(0, mark);
  const std::string_view query = mark == std::string_view::npos ? "" : k.target.substr(mark + 1);
  if (!is_ours(k.host, address)) return {403, {}, "another host"};
  if (!k.origin.empty() && k.origin != "http://" + std::string(k.host)) return {403, {}, "another origin"};
  if (!same_secret(token_of(query), token)) return {403, {}, "no token, or a wrong one"};
  if (k.method != "GET") return {405, {}, "GET alone is answered"};
  if (path == "/") return {200, Room::page, ""};
  if (path == "/ws") return {200, Room::socket, ""};
  if (path == "/picture") return {200, Room::picture, ""};
  return {404, {}, "no such address"};
}

}  // namespace umov::view
