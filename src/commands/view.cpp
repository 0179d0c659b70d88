// Command line of `umov view`.
#include "commands/view.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "core/error.hpp"
#include "core/signals.hpp"
#include "run/version.hpp"
#include "view/folder.hpp"
#include "view/server.hpp"

namespace umov::commands {

int view_command(std::span<const std::string> args) {
  std::string folder;
  view::ServerOptions options;
  options.mode = "folder";
  options.program = fmt::format("umov {}", run::version());
  CLI::App app(
      "umov view FOLDER: results in the browser, of one run or of all runs in a folder, newest first",
      "umov view");
  app.add_option("FOLDER", folder, "folder of a run, or folder of such folders; it is followed")->required();
  app.add_option("--address", options.address, "address of the interface to serve on")->capture_default_str();
  app.add_option("--port", options.port, "port; 0: the first free one from 8642 on")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& e) {
    throw BadInput(fmt::format("umov view: {}; see umov view --help", e.what()));
  }
  view::find_cases(folder);  // refused before anything is served
  options.title = folder;
  const SignalGuard guard;
  view::Hub hub;
  const view::Server server(hub, options);
  const char* ssh = std::getenv("SSH_CONNECTION");
  fmt::print("{}Ctrl-C ends it\n",
             view::invitation(server.url(), options.address, server.port(), ssh ? ssh : ""));
  std::fflush(stdout);
  view::follow(folder, hub, interrupted);
  return 0;
}

}  // namespace umov::commands
