// Connections of the view's server: requests and viewers, within their limits and times.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <unordered_set>

#include "view/server.hpp"
#include "view/session.hpp"

namespace umov::view {

/// What all connections share; used by the server's thread alone.
struct Connections {
  Hub& hub;
  ServerOptions options;
  std::string identity;
  int count = 0, viewers = 0;
  bool closing = false;
  std::unordered_set<class Viewer*> open{};  ///< the viewers
  boost::asio::io_context io{1};             ///< goes first: what waits in it refers to the others

  Greeting greeting() const {
    const std::string title = hub.catalogue().title;
    return {options.program, options.mode, title.empty() ? options.title : title, identity, hub.commands()};
  }
};

/// Serves what has connected: one HTTP request and its answer, or a viewer. Beyond the limit a connection is
/// closed at once.
void welcome(Connections&, boost::asio::ip::tcp::socket);

/// Sends viewers what waits for them.
void pump_all(Connections&);

void end_all(Connections&);

}  // namespace umov::view
