// Beast's client side, and plain sockets for what no client would send.
#include "view/client.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace umov::test {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;

namespace {

template <class T>
T at(const std::string& bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

double half(std::uint16_t h) {
  const double sign = h & 0x8000 ? -1 : 1;
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  if (exponent == 31)
    return fraction ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24));
}

template <class T, class Convert>
void read_values(const std::string& raw, std::vector<double>& out, const Convert& convert) {
  for (std::size_t i = 0; i + sizeof(T) <= raw.size(); i += sizeof(T)) out.push_back(convert(at<T>(raw, i)));
}

}  // namespace

Frame frame_of(const std::string& m) {
  if (m.size() < 96 || m.compare(0, 4, "UMV1") != 0 || m[4] != 1) throw std::runtime_error("no data message");
  Frame f;
  f.type = m[5];
  f.compressed = m[6] != 0;
  f.part = m[7];
  f.parts = m[8];
  f.axis = m[9];
  f.sub = at<std::uint32_t>(m, 12);
  f.array = at<std::uint32_t>(m, 16);
  f.sequence = at<std::uint32_t>(m, 20);
  for (int a = 0; a < 3; ++a) f.shape.push_back(at<std::uint32_t>(m, 24 + 4 * a));
  f.index = at<std::uint32_t>(m, 36);
  for (int a = 0; a < 6; ++a) f.region.push_back(at<std::uint32_t>(m, 40 + 4 * a));
  f.low = at<float>(m, 64);
  f.high = at<float>(m, 68);
  f.factor = at<float>(m, 72);
  f.step = at<double>(m, 80);
  f.time = at<double>(m, 88);
  std::string raw = m.substr(96);
  if (f.compressed) {
    uLongf size = at<std::uint32_t>(m, 76);
    std::string out(size, '\0');
    if (uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
                   raw.size()) != Z_OK)
      throw std::runtime_error("damaged compression");
    raw = out;
  }
  if (raw.size() != at<std::uint32_t>(m, 76)) throw std::runtime_error("another number of bytes than told");
  const double span = f.high - f.low;
  if (f.type == 0) read_values<std::uint8_t>(raw, f.values, [&](auto v) { return f.low + span * v / 255; });
  if (f.type == 1) read_values<std::uint16_t>(raw, f.values, [&](auto v) { return f.factor * half(v); });
  if (f.type == 2) read_values<float>(raw, f.values, [](auto v) { return double(v); });
  if (f.type == 3) read_values<double>(raw, f.values, [](auto v) { return v; });
  if (f.type == 4) read_values<std::uint32_t>(raw, f.values, [](auto v) { return double(v); });
  return f;
}

struct Viewer::Inside {
  asio::io_context io;
  websocket::stream<tcp::socket> socket{io};
  beast::flat_buffer buffer;
  bool reading = false, done = false, failed = true;

  /// Runs what is pending until it is done or the time is over.
  bool wait(double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!done && std::chrono::steady_clock::now() < end) {
      io.restart();
      io.run_one_until(std::chrono::time_point_cast<std::chrono::steady_clock::duration>(end));
    }
    return done;
  }
};

Viewer::Viewer(int port, const std::string& token, const std::string& origin)
    : inside_(std::make_unique<Inside>()) {
  auto& in = *inside_;
  error_code e;
  in.socket.next_layer().connect({asio::ip::make_address("127.0.0.1"), std::uint16_t(port)}, e);
  if (e) return;
  in.socket.read_message_max(std::size_t(1) << 28);
  in.socket.set_option(websocket::stream_base::decorator([&](websocket::request_type& r) {
    if (!origin.empty()) r.set(beast::http::field::origin, origin);
  }));
  in.socket.handshake("127.0.0.1:" + std::to_string(port), "/ws?token=" + token, e);
  in.failed = bool(e);
  if (in.failed) return;
  text("hello");
  text("catalogue");
}

Viewer::~Viewer() = default;

void Viewer::keep(const Json& j) {
  if (j.at("type") == "state") std::erase_if(kept_, [](const Json& k) { return k.at("type") == "state"; });
  kept_.push_back(j);
}

bool Viewer::open() const { return !inside_->failed; }

void Viewer::send_text(const std::string& text) {
  error_code e;
  inside_->socket.text(true);
  inside_->socket.write(asio::buffer(text), e);
  if (e) inside_->failed = true;
}

void Viewer::send_binary(const std::string& bytes) {
  error_code e;
  inside_->socket.binary(true);
  inside_->socket.write(asio::buffer(bytes), e);
  if (e) inside_->failed = true;
}

void Viewer::send(const Json& j) { send_text(j.dump()); }

std::optional<Viewer::Message> Viewer::next(double seconds) {
  auto& in = *inside_;
  if (in.failed) return std::nullopt;
  if (!in.reading) {
    in.reading = true;
    in.done = false;
    in.socket.async_read(in.buffer, [&in](error_code e, std::size_t) {
      in.done = true;
      in.failed = bool(e);
    });
  }
  if (!in.wait(seconds)) return std::nullopt;
  in.reading = false;
  if (in.failed) return std::nullopt;
  Message m{!in.socket.got_text(), beast::buffers_to_string(in.buffer.data())};
  in.buffer.consume(in.buffer.size());
  if (!m.binary) {
    const Json j = Json::parse(m.bytes);
    if (j.at("type") == "catalogue") catalogue_ = j;
  }
  return m;
}

Json Viewer::text(const std::string& type, double seconds) {
  for (auto kept = kept_.begin(); kept != kept_.end(); ++kept)
    if (kept->at("type") == type) {
      const Json j = *kept;
      kept_.erase(kept);
      return j;
    }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    const auto m = next(seconds);
    if (!m) break;
    if (m->binary) {
      const Frame f = frame_of(m->bytes);
      send({{"do", "ack"}, {"sub", f.sub}, {"sequence", f.sequence}});
      continue;
    }
    const Json j = Json::parse(m->bytes);
    if (j.at("type") == type) return j;
    keep(j);
  }
  throw std::runtime_error("no message '" + type + "' came");
}

Frame Viewer::frame(std::uint32_t sub, double seconds, bool acknowledge) {
  if (auto kept = frames_.extract(sub)) return std::move(kept.mapped());
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    const auto m = next(seconds);
    if (!m) break;
    if (!m->binary) {
      const Json j = Json::parse(m->bytes);
      keep(j);
      continue;
    }
    Frame f = frame_of(m->bytes);
    if (acknowledge || f.sub != sub) send({{"do", "ack"}, {"sub", f.sub}, {"sequence", f.sequence}});
    if (f.sub == sub) return f;
    frames_[f.sub] = std::move(f);
  }
  throw std::runtime_error("no frame came");
}

Json Viewer::ask(Json command) {
  const int reference = ++references_;
  frames_.clear();
  command["ref"] = reference;
  send(command);
  std::vector<Json> others;
  for (;;) {
    // answers come in order, among other messages
    Json j;
    const auto m = next(20);
    if (!m) throw std::runtime_error("no answer came");
    if (m->binary) {
      const Frame f = frame_of(m->bytes);
      send({{"do", "ack"}, {"sub", f.sub}, {"sequence", f.sequence}});
      continue;
    }
    j = Json::parse(m->bytes);
    if (j.contains("ref") && j["ref"] == reference) return j;
    keep(j);
  }
}

int Viewer::array(const std::string& name) const {
  for (const Json& a : catalogue_.at("arrays"))
    if (a.at("name") == name) return a.at("id");
  throw std::runtime_error("no array " + name);
}

int connect_silently(int port) {
  const int s = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(std::uint16_t(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (s >= 0 && ::connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return s;
  if (s >= 0) ::close(s);
  return -1;
}

std::string talk(int port, const std::string& bytes, double seconds, const std::string& later) {
  const int s = connect_silently(port);
  if (s < 0) return "";
  timeval limit{long(seconds), long(1e6 * (seconds - std::floor(seconds)))};
  ::setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  const auto send_all = [s](const std::string& what) {
    for (std::size_t sent = 0; sent < what.size();) {
      const auto n = ::send(s, what.data() + sent, what.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) break;
      sent += std::size_t(n);
    }
  };
  send_all(bytes);
  std::string out;
  char part[4096];
  for (ssize_t n; (n = ::recv(s, part, sizeof part, 0)) > 0;) {
    if (out.empty()) send_all(later);
    out.append(part, std::size_t(n));
  }
  ::close(s);
  return out;
}

}  // namespace umov::test
