// Listens, and lets viewers know what is new.
#include "view/server.hpp"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio.hpp>
#include <thread>

#include "core/error.hpp"
#include "view/connection.hpp"
#include "view/gate.hpp"

namespace umov::view {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;
using namespace std::chrono_literals;

struct Server::Inside {
  Connections shared;
  tcp::acceptor acceptor{shared.io};
  asio::steady_timer tick{shared.io}, rest{shared.io};
  std::atomic<bool> poked{false};
  int port = 0;
  std::thread thread;

  Inside(Hub& hub, const ServerOptions& options) : shared{hub, options, random_token()} {
    if (shared.options.token.empty()) shared.options.token = chosen_token();
    listen();
  }

  void listen() {
    error_code e;
    const auto address = asio::ip::make_address(shared.options.address, e);
    if (e)
      throw BadInput(
          fmt::format("view address '{}' is no address of a network (numbers are wanted, as "
                      "127.0.0.1); give one of this machine",
                      shared.options.address));
    const int asked = shared.options.port;
    const int last = asked ? asked : first_port + 50;
    for (int p = asked ? asked : first_port; p <= last; ++p)
      if (open(address, p, e)) return;
    if (!asked && open(address, 0, e)) return;
    throw BadInput(fmt::format("the view cannot listen on {} port {} ({}); give another address or port",
                               shared.options.address, asked, e.message()));
  }

  bool open(const asio::ip::address& address, int p, error_code& e) {
    const tcp::endpoint end(address, std::uint16_t(p));
    error_code ignored;
    acceptor.close(ignored);
    e = {};
    if (acceptor.open(end.protocol(), e)) return false;
    acceptor.set_option(asio::socket_base::reuse_address(true), ignored);
    if (acceptor.bind(end, e) || acceptor.listen(128, e)) return false;
    port = acceptor.local_endpoint().port();
    return true;
  }

  void accept() {
    acceptor.async_accept([this](error_code e, tcp::socket socket) {
      if (shared.closing) return;
      if (e) {  // no more descriptors, say: wait until some are free
        rest.expires_after(100ms);
        rest.async_wait([this](error_code) {
          if (!shared.closing) accept();
        });
        return;
      }
      welcome(shared, std::move(socket));
      accept();
    });
  }

  /// What is said ten times a second at most waits for its turn.
  void begin_ticks() {
    tick.expires_after(100ms);
    tick.async_wait([this](error_code e) {
      if (e || shared.closing) return;
      pump_all(shared);
      begin_ticks();
    });
  }

  void poke() {
    if (poked.exchange(true)) return;
    asio::post(shared.io, [this] {
      poked = false;
      pump_all(shared);
    });
  }

  void close() {
    asio::post(shared.io, [this] {
      shared.closing = true;
      error_code ignored;
      acceptor.close(ignored);
      tick.cancel();
      rest.cancel();
      end_all(shared);
      shared.io.stop();
    });
  }
};

Server::Server(Hub& hub, const ServerOptions& options) : inside_(std::make_unique<Inside>(hub, options)) {
  hub.changed = [inside = inside_.get()] { inside->poke(); };
  inside_->accept();
  inside_->begin_ticks();
  inside_->thread = std::thread([inside = inside_.get()] { inside->shared.io.run(); });
}

Server::~Server() {
  inside_->close();
  inside_->thread.join();
  inside_->shared.hub.changed = [] {};
}

int Server::port() const { return inside_->port; }

std::string Server::url() const {
  const auto& o = inside_->shared.options;
  const bool six = o.address.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/?token={}", six ? "[" : "", o.address, six ? "]" : "", port(),
                     o.token);
}

}  // namespace umov::view
