// The server of a view: HTTP for the page, WebSocket for everything else, on a thread of its own.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>  // Boost 1.74 uses std::exchange without it

#include "view/hub.hpp"

namespace umov::view {

struct ServerOptions {
  std::string address = "127.0.0.1";  ///< of the interface to listen on
  int port = 0;                       ///< 0: the first free one from `first_port` on
  std::string mode = "run", title{};
  std::string token{};  ///< empty: as chosen_token() says
  std::string program = "umov";
  std::chrono::seconds silence{30};  ///< after which a viewer is dropped, its answers to pings included
};

inline constexpr int first_port = 8642;
inline constexpr int most_viewers = 16, most_connections = 64;

class Server {
 public:
  /// Listens. Throws BadInput for an address that is none of this machine's or a port in use, MachineFailure
  /// when the machine gives no socket or no random numbers.
  Server(Hub&, const ServerOptions&);
  /// Closes all connections and joins the thread.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// http://ADDRESS:PORT/?token=TOKEN
  std::string url() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// What to tell the user: the address, and over ssh (`connection` is SSH_CONNECTION; empty: none) which port
/// to forward.
std::string invitation(const std::string& url, const std::string& address, int port,
                       const std::string& connection);

}  // namespace umov::view
