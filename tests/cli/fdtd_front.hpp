// A folder with cases of the time domain, parsed as `umov fdtd` does.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "fdtd/command/front.hpp"
#include "support/program.hpp"

namespace umov::test {

namespace fs = std::filesystem;

class FdtdFrontFolder : public testing::Test {
 protected:
  using Args = std::vector<std::string>;

  FdtdFrontFolder() { fs::current_path(folder_.path()); }
  ~FdtdFrontFolder() override { fs::current_path(home_); }

  static fdtd::Simulation parse(const Args& args) { return fdtd::parse(args).simulation; }
  static fdtd::Machine machine_of(const Args& args) { return fdtd::parse(args).given.machine; }
  /// The case with all defaults.
  static std::string resolved(const Args& args) {
    const fdtd::Request r = fdtd::parse(args);
    return resolved_toml(r.simulation, r.given.machine);
  }
  fdtd::Simulation parse_file(const std::string& content) {
    folder_.write("case.toml", content);
    return parse({"case.toml"});
  }
  template <class F>
  static std::string refusal(const F& f) {
    try {
      f();
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  }
  static std::string refused(const Args& args) {
    return refusal([&] { parse(args); });
  }
  std::string refused_file(const std::string& content) {
    return refusal([&] { parse_file(content); });
  }
  static void expect_contains(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  fs::path home_ = fs::current_path();
  TemporaryFolder folder_;
};

}  // namespace umov::test
