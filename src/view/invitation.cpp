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
  const bool local = address == "127.0.0.1" || address == "::1" || address == "localhost";
  if (!here.empty() && local)
    out += fmt::format(
        "over ssh: on the machine of your browser run\n  ssh -N -L {}:127.0.0.1:{} {}\n"
        "and open the address above there\n",
        port, port, printable(here));
  return out;
}

}  // namespace umov::view
