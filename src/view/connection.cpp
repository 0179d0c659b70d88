// The only file that knows Boost.Beast.
#include "view/connection.hpp"

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <memory>
#include <utility>

#include "view/gate.hpp"
#include "view/page.hpp"

namespace umov::view {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

constexpr auto request_time = 10s;  // for a whole request, or a whole answer
constexpr std::size_t most_header = 8192;

/// Counts a connection while it lives.
class Counted {
 public:
  explicit Counted(int& count) : count_(&count) { ++*count_; }
  Counted(Counted&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
  ~Counted() {
    if (count_) --*count_;
  }

 private:
  int* count_;
};

}  // namespace

/// A viewer's WebSocket. One read and one write are under way at most.
class Viewer : public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(Connections& shared, beast::tcp_stream stream, Counted counted)
      : shared_(shared), socket_(std::move(stream)), counted_(std::move(counted)), place_(shared.viewers) {
    shared_.open.insert(this);
  }
  ~Viewer() { shared_.open.erase(this); }

  void begin(const http::request<http::empty_body>& request) {
    beast::get_lowest_layer(socket_).expires_never();
    websocket::stream_base::timeout times{request_time, shared_.options.silence, true};
    socket_.set_option(times);
    socket_.read_message_max(most_message);
    socket_.auto_fragment(false);
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().set_option(tcp::no_delay(true), ignored);
    socket_.set_option(websocket::stream_base::decorator([](websocket::response_type& r) {
      r.set(http::field::server, "umov");
      r.set(http::field::sec_websocket_protocol, sub_protocol);
    }));
    if (request[http::field::sec_websocket_protocol].empty())
      socket_.set_option(websocket::stream_base::decorator(
          [](websocket::response_type& r) { r.set(http::field::server, "umov"); }));
    socket_.async_accept(request, [self = shared_from_this()](error_code e) {
      if (e) return;
      self->session_ = std::make_unique<Session>(self->shared_.hub, self->shared_.greeting());
      self->read();
      self->pump();
    });
  }

  /// Sends what there is to send, unless something is being sent.
  void pump() {
    if (writing_ || !session_ || !session_->next(message_)) return;
    writing_ = true;
    socket_.binary(message_.binary);
    socket_.async_write(asio::buffer(message_.bytes), [self = shared_from_this()](error_code e, std::size_t) {
      self->writing_ = false;
      if (e) return self->end();
      self->pump();
    });
  }

  void end() {
    session_.reset();
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }

 private:
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code e, std::size_t) {
      if (e || !self->session_) return self->end();
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      // Nothing binary is expected; it counts as a mistake.
      if (!self->session_->hear(self->socket_.got_text() ? text : "")) return self->end();
      self->pump();
      self->read();
    });
  }

  Connections& shared_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer buffer_;
  Counted counted_, place_;
  std::unique_ptr<Session> session_;
  Session::Message message_;
  bool writing_ = false;
};

namespace {

/// One HTTP request and its answer; then the connection closes, or becomes a viewer's.
class Visit : public std::enable_shared_from_this<Visit> {
 public:
  Visit(Connections& shared, tcp::socket socket)
      : shared_(shared), stream_(std::move(socket)), counted_(shared.count) {
    parser_.header_limit(most_header);
    parser_.body_limit(0);
  }

  void begin() {
    stream_.expires_after(request_time);
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](error_code e, std::size_t) {
      if (e == http::error::end_of_stream || e == beast::error::timeout) return;
      if (e) return self->refuse(400, "no request that is understood");
      self->reply();
    });
  }

 private:
  void reply() {
    const auto& r = parser_.get();
    const auto view = [](boost::string_view s) { return std::string_view(s.data(), s.size()); };
    const Answer a = answer(
        {view(r.method_string()), view(r.target()), view(r[http::field::host]), view(r[http::field::origin])},
        shared_.options.token, shared_.options.address);
    if (a.status != 200) return refuse(a.status, a.why);
    if (a.room == Room::page) return send(200, "text/html; charset=utf-8", std::string(page()));
    if (a.room == Room::picture) {
      std::string png = shared_.hub.picture();
      if (png.empty()) return refuse(404, "there is no picture");
      return send(200, "image/png", std::move(png));
    }
    if (!websocket::is_upgrade(r)) return refuse(426, "this is the address of the WebSocket");
    if (shared_.viewers >= most_viewers) return refuse(503, "too many viewers");
    auto request = http::request<http::empty_body>(parser_.release());
    std::make_shared<Viewer>(shared_, std::move(stream_), std::move(counted_))->begin(request);
  }

  void refuse(int status, const char* why) {
    send(status, "text/plain; charset=utf-8", std::string(why) + "\n");
  }

  void send(int status, const char* type, std::string body) {
    response_.result(unsigned(status));
    response_.version(11);
    response_.set(http::field::server, "umov");
    response_.set(http::field::content_type, type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("Content-Security-Policy", boost::string_view(page_policy().data(), page_policy().size()));
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    if (status == 405) response_.set(http::field::allow, "GET");
    response_.keep_alive(false);
    response_.body() = std::move(body);
    response_.prepare_payload();
    stream_.expires_after(request_time);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code, std::size_t) {
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  Connections& shared_;
  beast::tcp_stream stream_;
  Counted counted_;
  beast::flat_buffer buffer_{most_header + 4096};
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> response_;
};

/// A viewer may end, and leave the list, while it is served.
std::vector<std::shared_ptr<Viewer>> viewers_of(const Connections& c) {
  std::vector<std::shared_ptr<Viewer>> viewers;
  for (Viewer* v : c.open) viewers.push_back(v->shared_from_this());
  return viewers;
}

}  // namespace

void welcome(Connections& c, tcp::socket socket) {
  if (c.count < most_connections) std::make_shared<Visit>(c, std::move(socket))->begin();
}

void pump_all(Connections& c) {
  for (const auto& v : viewers_of(c)) v->pump();
}

void end_all(Connections& c) {
  for (const auto& v : viewers_of(c)) v->end();
}

}  // namespace umov::view
