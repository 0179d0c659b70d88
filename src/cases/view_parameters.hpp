// Parameters of the view of a running case: the same in every family.
#pragma once

#include <string>

#include "cases/declare.hpp"

namespace umov::cases {

/// Whether and where a run can be looked at. Of this call of the program: results do not depend on it.
struct ViewSettings {
  bool on = false, paused = false;
  std::string address = "127.0.0.1";
  int port = 0;
};

/// output.view, view_address, view_port and view_paused, into `view` of the case. They are read and not kept
/// in resolved.toml.
template <class Case>
void add_view_parameters(ParameterTable<Case>& t) {
  const char* s = "output";
  t.add_action(
      of_machine(declare(s, "view", {"--view", "--no-view"}, "",
                         "Show the run in the browser while it goes on: prints the address to open.")),
      boolean(), [](Case& c, bool on) { c.view.on = on; });
  t.add_action(of_machine(declare(s, "view_paused", {"--view-paused"}, "",
                                  "As view, and wait at the first step until a viewer lets the run go on.")),
               boolean(), [](Case& c, bool on) {
                 c.view.on |= on;
                 c.view.paused = on;
               });
  t.add_action(
      of_machine(declare(s, "view_address", {"--view-address"}, "",
                         "Address of the interface to serve the view on; 127.0.0.1 is this machine alone.")),
      text("IP"), [](Case& c, const std::string& address) { c.view.address = address; });
  t.add_action(of_machine(declare(s, "view_port", {"--view-port"}, "",
                                  "Port of the view; 0 is the first free one from 8642 on.")),
               integer<int>(Range::between(0, 65535)), [](Case& c, int port) { c.view.port = port; });
  t.idle({"output.view_address", "output.view_port"}, [](const Case& c) -> std::string {
    return c.view.on ? "" : "the run is not viewed, see `output.view`";
  });
}

}  // namespace umov::cases
