// Programs with viewers, for tests: where a program's view is, and its end on all ranks.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "support/program.hpp"
#include "support/ranked_program.hpp"
#include "view/client.hpp"

namespace umov::test {

/// Where a program's view is.
struct Address {
  int port = 0;
  std::string token;
};
/// `said`: what it has printed so far. Throws with that where it does not come.
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
  if (a.port == 0) throw std::runtime_error("no view: " + said());
  return a;
}
inline Address address_of(const Program& program) {
  return address_in([&] { return program.said(); });
}
inline std::unique_ptr<Viewer> viewer_of(const Program& program) {
  const Address at = address_of(program);
  return std::make_unique<Viewer>(at.port, at.token);
}

/// The newest state once it is this one.
inline Json state_when(Viewer& v, const std::string& name) {
  for (;;)
    if (Json s = v.text("state"); s.at("state") == name) return s;
}

/// The end of all ranks of a run, with this code; returns it.
inline RankedEnd expect_end(RankedRun& ranked, int code) {
  const RankedEnd ended = ranked.wait();
  EXPECT_EQ(ended.code, code) << ended.text;
  EXPECT_TRUE(ranked.leaves_no_orphan());
  return ended;
}

}  // namespace umov::test
