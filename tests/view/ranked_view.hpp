// Viewers of programs on several ranks, for tests.
#pragma once

#include <functional>
#include <string>

#include "support/ranked_program.hpp"
#include "view/client.hpp"

namespace umov::test {

/// Where a program's view is.
struct Address {
  int port = 0;
  std::string token;
};
/// `said`: what it has printed so far.
inline Address address_in(const std::function<std::string()>& said) {
  Address a;
  wait_until([&] {
    const std::string text = said();
    const auto at = text.find("view: http://127.0.0.1:"), token = text.find("?token=");
    if (at == std::string::npos || text.find('\n', token) == std::string::npos) return false;
    a.port = std::stoi(text.substr(at + 23));
    a.token = text.substr(token + 7, 32);
    return true;
  });
  return a;
}

inline Json subscribe(int sub, int array, Json more = Json::object()) {
  more["do"] = "subscribe";
  more["sub"] = sub;
  more["array"] = array;
  more["encoding"] = "f32";
  return more;
}

inline void wait_for_end(Viewer& v) {
  while (v.text("state").at("state") != "finished") {
  }
}

}  // namespace umov::test
