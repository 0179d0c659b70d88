// What the user reads: the address, and the way to it over ssh.
#include <fmt/format.h>

#include <sstream>

#include "core/console.hpp"
#include "view/server.hpp"

namespace umov::view {

std::string invitation(const std::string& url, const std::string& address, int port,
                       const std::string& connection) {
  std::string out = fmt::format("view: {}\n", url);
  // client address, client port, server address, server port
  std::istringstream words(connection);
  std::string client, client_port, here;
  words >> client >> client_port >> here;
  // A forwarded port leads to one address: where the view listens on ::1, nothing answers at 127.0.0.1.
  // Quotes keep shells from taking brackets for a pattern.
  std::string ends;
  if (address == "127.0.0.1") ends = fmt::format("{0}:127.0.0.1:{0}", port);
  if (address == "::1") ends = fmt::format("\"[::1]:{0}:[::1]:{0}\"", port);
  if (!here.empty() && !ends.empty())
    out += fmt::format(
        "over ssh: on the machine of your browser run\n  ssh -N -L {} {}\n"
        "and open the address above there\n",
        ends, printable(here));
  return out;
}

}  // namespace umov::view
