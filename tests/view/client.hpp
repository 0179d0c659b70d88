// A viewer for tests: speaks the protocol of docs/view_protocol.md, reads frames as numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace umov::test {

using Json = nlohmann::json;

/// A data message as numbers of its array.
struct Frame {
  int type = 0, axis = 0, part = 0, parts = 0;
  bool compressed = false;
  std::uint32_t sub = 0, array = 0, sequence = 0, index = 0;
  std::vector<std::uint32_t> shape, region;
  double low = 0, high = 0, factor = 1, step = 0, time = 0;
  std::vector<double> values;
};

/// Reads header and values; throws std::runtime_error for what is no message of version 1.
Frame frame_of(const std::string& bytes);

class Viewer {
 public:
  /// Connects; `open()` says whether it was let in.
  Viewer(int port, const std::string& token, const std::string& origin = "");
  ~Viewer();
  bool open() const;

  void send(const Json&);
  void send_text(const std::string&);
  void send_binary(const std::string&);
  /// The next text message of the type; frames on the way are acknowledged, other texts kept for later.
  /// Throws std::runtime_error after `seconds`.
  Json text(const std::string& type, double seconds = 20);
  /// The next frame of a subscription, acknowledged unless told otherwise: the newest that has come while the
  /// frames of others were waited for, if that was after the last ask().
  Frame frame(std::uint32_t sub, double seconds = 20, bool acknowledge = true);
  /// The next message, acknowledged never; nothing when none comes in time.
  struct Message {
    bool binary = false;
    std::string bytes;
  };
  std::optional<Message> next(double seconds);
  /// Sends a command and waits for its answer.
  Json ask(Json command);
  /// Of the newest catalogue that came; throws where it has none of that name.
  int array(const std::string& name) const;
  const Json& catalogue() const { return catalogue_; }

 private:
  struct Inside;
  /// For a later text(); of states the newest.
  void keep(const Json&);
  std::unique_ptr<Inside> inside_;
  Json catalogue_;
  std::vector<Json> kept_;
  std::map<std::uint32_t, Frame> frames_;
  int references_ = 0;
};

/// Sends these bytes to a port, `later` once something has come, and returns what comes until the other side
/// closes or is silent for `seconds`.
std::string talk(int port, const std::string& bytes, double seconds = 5, const std::string& later = "");

/// An open connection that says nothing; -1: refused.
int connect_silently(int port);

}  // namespace umov::test
