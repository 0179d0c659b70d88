// The server against what may come in from a network, with a run of no family behind it.
#include "view/server.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include "core/error.hpp"
#include "view/client.hpp"
#include "view/hub.hpp"
#include "view/reduce.hpp"
#include "view/session.hpp"
#include "view/stored.hpp"

namespace umov::view {
namespace {

using test::Json;
using namespace std::chrono_literals;

/// A run that counts: cell (i, j) of its field is step + i + 100 j. A step takes a tenth of a millisecond.
class CountingRun {
 public:
  static constexpr Int3 cells{40, 30, 1};

  explicit CountingRun(bool paused = false) {
    Shelf shelf;
    ArrayInfo field;
    field.name = "fields/count";
    field.shape = {cells[0], cells[1], cells[2]};
    field.live = true;
    shelf.add(field);
    ArrayInfo curve;
    curve.name = "curve";
    curve.kind = Kind::curve;
    curve.columns = {{"x", "1"}, {"y", "1"}};
    curve_ = shelf.add_curve(curve, {{0}, {0}});
    ArrayInfo text;
    text.name = "words";
    text.kind = Kind::text;
    shelf.add(text, stored_text("some words"));
    hub.publish(std::move(shelf.catalogue), std::move(shelf.makers));
    hub.allow({"pause", "resume", "step", "stop"});
    hub.pause(paused);
    server = std::make_unique<Server>(hub, ServerOptions{.title = "count", .token = "secret"});
    thread_ = std::thread([this] { go(); });
  }
  ~CountingRun() {
    end = true;
    thread_.join();
    server.reset();
  }

  Hub hub;
  std::unique_ptr<Server> server;
  std::atomic<long> step{0}, longest_us{0};
  std::atomic<bool> end{false}, stopped{false};

 private:
  void go() {
    const Maker sample = [this](const Request& r) {
      if (r.array != 0) throw BadInput("not live");
      Data d;
      const double now = double(step);
      d.parts.push_back({shape_of(r), box_means([&](int i, int j, int) { return now + i + 100.0 * j; }, r.lo,
                                                r.hi, r.size)});
      return d;
    };
    while (!end && !stopped) {
      const auto start = Hub::Clock::now();
      const auto verdict = hub.pass(step, 0.5 * double(step), sample, [this] { return end.load(); });
      const long us =
          std::chrono::duration_cast<std::chrono::microseconds>(Hub::Clock::now() - start).count();
      if (us > longest_us) longest_us = us;
      if (verdict == Hub::Verdict::stop) stopped = true;
      std::this_thread::sleep_for(100us);
      ++step;
      if (step % 100 == 0) hub.update(curve_, stored_curve({{0, double(step)}, {1, 2}}), 2);
    }
  }

  std::thread thread_;
  int curve_ = 0;
};

std::string get(const std::string& target, const std::string& more = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "\r\n";
}

std::string upgrade(const std::string& more = "") {
  return get("/ws?token=secret",
             "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                 more);
}

int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::atoi(answer.c_str() + 9) : 0;
}

TEST(ViewServer, ServesThePageWithAPolicyAndNoCookie) {
  CountingRun run;
  const std::string page = test::talk(run.server->port(), get("/?token=secret"));
  EXPECT_EQ(status_of(page), 200) << page.substr(0, 200);
  EXPECT_NE(page.find("<!doctype html>"), std::string::npos);
  EXPECT_NE(page.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("Referrer-Policy: no-referrer"), std::string::npos);
  EXPECT_EQ(page.find("Set-Cookie"), std::string::npos);
  EXPECT_EQ(page.find("Access-Control"), std::string::npos);
}

TEST(ViewServer, RefusesWhoeverLacksTheTokenOrComesFromElsewhere) {
  CountingRun run;
  const int port = run.server->port();
  EXPECT_EQ(status_of(test::talk(port, get("/"))), 403);
  EXPECT_EQ(status_of(test::talk(port, get("/?token=wrong"))), 403);
  EXPECT_EQ(status_of(test::talk(port, get("/../../etc/passwd?token=secret"))), 404);
  EXPECT_EQ(status_of(test::talk(port, get("/picture?token=secret"))), 404) << "there is none";
  EXPECT_EQ(status_of(test::talk(port, get("/ws?token=secret"))), 426);
  EXPECT_EQ(status_of(test::talk(port, "POST /?token=secret HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")), 405);
  EXPECT_EQ(status_of(test::talk(port, "GET /?token=secret HTTP/1.1\r\nHost: evil.example\r\n\r\n")), 403);
  EXPECT_EQ(status_of(test::talk(port, upgrade("Origin: http://evil.example\r\n"))), 403);
  EXPECT_FALSE(test::Viewer(port, "wrong").open());
  EXPECT_FALSE(test::Viewer(port, "secret", "http://evil.example").open());
  EXPECT_TRUE(test::Viewer(port, "secret", fmt::format("http://127.0.0.1:{}", port)).open());
}

TEST(ViewServer, GarbageOnTheSocketLeavesTheRunUnharmed) {
  CountingRun run;
  const int port = run.server->port();
  EXPECT_EQ(status_of(test::talk(port, "\x16\x03\x01garbage\r\n\r\n")), 400);
  EXPECT_EQ(status_of(test::talk(port, get("/?token=secret&x=" + std::string(100000, 'a')))), 400);
  EXPECT_EQ(status_of(test::talk(port, get("/?token=secret", "Content-Length: 1000000000\r\n"))), 400);
  // Frames that are no frames, and one that announces a gigabyte: answered by a frame that closes, at once.
  const std::string gigabyte("\x82\xff\x00\x00\x00\x00\x40\x00\x00\x00\x01\x02\x03\x04", 14);
  for (const std::string& frames : {std::string(14, '\xff'), gigabyte}) {
    const std::string answer = test::talk(port, upgrade(), 2, frames);
    EXPECT_EQ(status_of(answer), 101);
    EXPECT_NE(answer.find('\x88', answer.find("\r\n\r\n")), std::string::npos);
  }
  test::Viewer viewer(port, "secret");
  for (int i = 0; i < 20; ++i) viewer.send_text("{\"do\": [");
  viewer.send_binary(std::string(1000, '\xff'));
  EXPECT_EQ(viewer.text("error").at("do"), "");
  EXPECT_EQ(viewer.ask({{"do", "pause"}}).at("type"), "done") << "mistakes do not end a connection";
  for (int i = 0; i < 100; ++i) viewer.send_text("no JSON");
  EXPECT_THROW(
      {
        for (;;) viewer.text("state", 5);
      },
      std::runtime_error)
      << "but very many do";
  EXPECT_FALSE(viewer.open());
  EXPECT_EQ(status_of(test::talk(port, get("/?token=secret"))), 200);
}

TEST(ViewServer, AThousandConnectionsLeaveRoomForAViewerAfterwards) {
  CountingRun run;
  const int port = run.server->port();
  test::Viewer early(port, "secret");
  std::vector<int> sockets;
  for (int i = 0; i < 1000; ++i)
    if (const int s = test::connect_silently(port); s >= 0) sockets.push_back(s);
  EXPECT_GT(sockets.size(), std::size_t(most_connections));
  early.send({{"do", "subscribe"}, {"sub", 1}, {"array", 0}});
  EXPECT_GT(early.frame(1).step, -1) << "who was there is served";
  for (const int s : sockets) ::close(s);
  for (int i = 0; i < 100 && status_of(test::talk(port, get("/?token=secret"))) != 200; ++i)
    std::this_thread::sleep_for(50ms);
  EXPECT_TRUE(test::Viewer(port, "secret").open());
}

TEST(ViewServer, TakesSixteenViewersAndNoMore) {
  CountingRun run;
  std::vector<std::unique_ptr<test::Viewer>> viewers;
  for (int i = 0; i < most_viewers; ++i) {
    viewers.push_back(std::make_unique<test::Viewer>(run.server->port(), "secret"));
    ASSERT_TRUE(viewers.back()->open());
  }
  EXPECT_EQ(status_of(test::talk(run.server->port(), upgrade())), 503);
}

TEST(ViewServer, ASlowReaderLosesFramesAndTheRunDoesNotWait) {
  CountingRun run;
  test::Viewer slow(run.server->port(), "secret"), quick(run.server->port(), "secret");
  for (auto* v : {&slow, &quick})
    v->send({{"do", "subscribe"}, {"sub", 1}, {"array", 0}, {"pixels", {40, 30}}});
  slow.frame(1, 20, false);
  slow.frame(1, 20, false);
  for (int i = 0; i < 20; ++i) quick.frame(1);
  const long before = run.step;
  EXPECT_THROW(slow.frame(1, 0.5, false), std::runtime_error) << "a third frame before an acknowledgement";
  EXPECT_GT(run.step, before + 100);
  slow.send({{"do", "ack"}, {"sub", 1}, {"sequence", 2}});
  const auto next = slow.frame(1);
  EXPECT_EQ(next.sequence, 3u);
  EXPECT_LT(run.longest_us, 200000) << "a look took too long";  // far above what a busy machine does
}

TEST(ViewServer, FramesAreTheNumbersOfTheRun) {
  CountingRun run;
  test::Viewer v(run.server->port(), "secret");
  v.send({{"do", "subscribe"}, {"sub", 5}, {"array", 0}, {"region", {10, 20, 30, 30}}, {"encoding", "f32"}});
  for (int n = 0; n < 3; ++n) {
    const auto f = v.frame(5);
    ASSERT_EQ(f.shape, (std::vector<std::uint32_t>{20, 10, 1}));
    EXPECT_EQ(f.region, (std::vector<std::uint32_t>{10, 20, 0, 30, 30, 1}));
    EXPECT_EQ(f.time, 0.5 * f.step);
    for (int j = 0; j < 10; ++j)
      for (int i = 0; i < 20; ++i) ASSERT_EQ(f.values[20 * j + i], f.step + 10 + i + 100 * (20 + j));
  }
}

TEST(ViewServer, EveryNStepsMeansMultiplesOfN) {
  CountingRun run;
  test::Viewer v(run.server->port(), "secret");
  v.send({{"do", "subscribe"}, {"sub", 1}, {"array", 0}, {"every", 70}});
  v.frame(1);  // the first comes at once
  for (int n = 0; n < 4; ++n) EXPECT_EQ(std::fmod(v.frame(1).step, 70.0), 0.0);
}

TEST(ViewServer, PausesStepsAndResumes) {
  CountingRun run;
  test::Viewer v(run.server->port(), "secret");
  EXPECT_EQ(v.ask({{"do", "pause"}}).at("type"), "done");
  while (v.text("state").at("state") != "paused") {
  }
  const long at = run.step;
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(run.step, at);
  v.send({{"do", "subscribe"}, {"sub", 1}, {"array", 0}});
  EXPECT_EQ(v.frame(1).step, double(at)) << "a paused run is looked at, too";
  v.ask({{"do", "step"}, {"n", 3}});
  while (v.frame(1).step < double(at + 3)) {
  }
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(run.step, at + 3);
  // Steps asked for one after the other add up; the state tells where the last one ended.
  for (const int n : {1, 5, 5}) v.ask({{"do", "step"}, {"n", n}});
  while (v.frame(1).step < double(at + 14)) {
  }
  while (v.text("state").at("step") != at + 14) {
  }
  EXPECT_EQ(run.step, at + 14);
  v.ask({{"do", "resume"}});
  while (v.frame(1).step <= double(at + 14)) {
  }
  v.ask({{"do", "stop"}});
  for (int i = 0; i < 200 && !run.stopped; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(run.stopped);
}

TEST(ViewServer, ARunThatBeginsPausedWaitsForAnOrder) {
  CountingRun run(true);
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(run.step, 0);
  test::Viewer v(run.server->port(), "secret");
  v.ask({{"do", "resume"}});
  v.send({{"do", "subscribe"}, {"sub", 1}, {"array", 0}});
  while (v.frame(1).step == 0) {
  }
}

TEST(ViewServer, CurvesAndTextsComeWhenTheyChange) {
  CountingRun run;
  test::Viewer v(run.server->port(), "secret");
  v.send({{"do", "subscribe"}, {"sub", 1}, {"array", v.array("curve")}, {"encoding", "f64"}});
  const double first = v.frame(1).values.at(1);
  double later = first;
  for (int n = 0; n < 4; ++n) later = v.frame(1).values.at(1);
  EXPECT_GT(later, first);
  v.send({{"do", "subscribe"}, {"sub", 2}, {"array", v.array("words")}});
  EXPECT_EQ(v.text("text").at("text"), "some words");
}

TEST(ViewServer, SubscriptionsHaveALimitAndAnEnd) {
  CountingRun run;
  test::Viewer v(run.server->port(), "secret");
  for (int i = 1; i <= 32; ++i)
    EXPECT_EQ(v.ask({{"do", "subscribe"}, {"sub", i}, {"array", 0}}).at("type"), "done");
  EXPECT_EQ(v.ask({{"do", "subscribe"}, {"sub", 33}, {"array", 0}}).at("type"), "error");
  EXPECT_EQ(v.ask({{"do", "subscribe"}, {"sub", 1}, {"array", 99}}).at("type"), "error");
  for (int i = 1; i <= 32; ++i) v.ask({{"do", "unsubscribe"}, {"sub", i}});
  EXPECT_THROW(
      {
        for (;;) v.frame(1, 0.5);
      },
      std::runtime_error);
  EXPECT_EQ(v.ask({{"do", "fly"}}).at("type"), "error");
  EXPECT_EQ(v.ask({{"do", "model"}, {"png", ""}}).at("type"), "error") << "this run has no picture";
}

TEST(ViewServer, AViewerThatTakesNothingIsDropped) {
  Hub hub;
  hub.publish({}, {});
  Server server(hub, {.token = "secret", .silence = 1s});
  const int s = test::connect_silently(server.port());
  const std::string hello = upgrade();
  ASSERT_EQ(::write(s, hello.data(), hello.size()), ssize_t(hello.size()));
  for (int i = 0; i < 100 && hub.viewers() == 0; ++i) std::this_thread::sleep_for(20ms);
  EXPECT_EQ(hub.viewers(), 1);
  for (int i = 0; i < 500 && hub.viewers() > 0; ++i) std::this_thread::sleep_for(20ms);
  EXPECT_EQ(hub.viewers(), 0) << "pings were not answered";
  ::close(s);
}

TEST(ViewServer, AddressesThatCannotBeHadAreRefused) {
  Hub hub;
  EXPECT_THROW(Server(hub, {.address = "no address"}), BadInput);
  EXPECT_THROW(Server(hub, {.address = "203.0.113.7"}), BadInput) << "none of this machine's";
  Server first(hub, {});
  Hub other;
  EXPECT_THROW(Server(other, {.port = first.port()}), BadInput);
  EXPECT_NE(Server(other, {}).port(), first.port()) << "without a port the next free one";
}

TEST(ViewHub, WithoutViewersARunIsNotCut) {
  Hub hub;
  EXPECT_GT(hub.next_look(10), 1000000000L);
  int looks = 0;
  const Maker sample = [&](const Request&) -> Data {
    ++looks;
    return {};
  };
  EXPECT_EQ(hub.pass(5, 0, sample, [] { return false; }), Hub::Verdict::go_on);
  EXPECT_EQ(looks, 0);
}

TEST(ViewHub, PicturesByTheClockKeepToTheirShareOfTheTime) {
  // A dear field (5 ms) and a cheap one: at a fortieth of the time for two, the dear one rests 400 ms, the
  // cheap one is held by no more than its own cost.
  Hub hub;
  Shelf shelf;
  for (const char* name : {"dear", "cheap"}) {
    ArrayInfo field;
    field.name = name;
    field.shape = {4, 4, 1};
    field.live = true;
    shelf.add(field);
  }
  hub.publish(std::move(shelf.catalogue), std::move(shelf.makers));
  hub.viewer_came();
  std::vector<SubscriptionPtr> wanted;
  for (int id = 0; id < 2; ++id) {
    Subscription s;
    s.request = {id, 2, 0, {0, 0, 0}, {4, 4, 1}, {4, 4, 1}};
    wanted.push_back(hub.subscribe(s));
  }
  int made[2] = {0, 0};
  const Maker sample = [&](const Request& r) {
    if (r.array == 0) std::this_thread::sleep_for(5ms);
    ++made[r.array];
    Data d;
    d.parts.push_back({shape_of(r), std::vector<float>(16)});
    return d;
  };
  const auto start = Hub::Clock::now();
  for (long step = 0; Hub::Clock::now() - start < 3s; ++step) {
    hub.pass(step, 0, sample, [] { return false; });
    for (const auto& s : wanted) hub.acknowledge(s, hub.take(s).sequence);
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_LE(made[0], 9) << "3 s by 400 ms, and the first: from the beginning";
  EXPECT_GE(made[0], 1);
  EXPECT_GT(made[1], 2 * made[0]);
  hub.viewer_left();
}

TEST(ViewHub, ViewersWhoWantTheSameShareOneLook) {
  Hub hub;
  Shelf shelf;
  ArrayInfo field;
  field.shape = {4, 4, 1};
  shelf.add(field);
  hub.publish(shelf.catalogue, {});
  hub.viewer_came();
  Subscription wanted;
  wanted.request.hi = wanted.request.size = {4, 4, 1};
  const auto a = hub.subscribe(wanted), b = hub.subscribe(wanted);
  int looks = 0;
  hub.pass(
      1, 0,
      [&](const Request&) -> Data {
        ++looks;
        return {};
      },
      [] { return false; });
  EXPECT_EQ(looks, 1);
  EXPECT_NE(hub.take(a).data, nullptr);
  EXPECT_NE(hub.take(b).data, nullptr);
  EXPECT_EQ(hub.take(a).data, nullptr);
}

TEST(ViewHub, ALateErrorNamesItsSubscriptionWhichGoesOn) {
  Hub hub;
  Shelf shelf;
  ArrayInfo text;
  text.name = "log";
  text.kind = Kind::text;
  const int log = shelf.add(text, [](const Request&) -> Data { throw BadInput("the file is gone"); });
  hub.publish(std::move(shelf.catalogue), std::move(shelf.makers));
  Session session(hub, {});
  const auto next = [&](const char* type) -> Json {
    for (Session::Message m; session.next(m);)
      if (!m.binary && Json::parse(m.bytes).at("type") == type) return Json::parse(m.bytes);
    return nullptr;
  };
  next("state");  // after hello and the catalogue, which ends what was asked for before it
  EXPECT_TRUE(session.hear(R"({"do": "subscribe", "sub": 4, "array": 0, "ref": 9})"));
  EXPECT_EQ(next("done"), (Json{{"type", "done"}, {"do", "subscribe"}, {"ref", 9}, {"sub", 4}}));
  const Json error = next("error");
  ASSERT_FALSE(error.is_null());
  EXPECT_EQ(error.at("sub"), 4);
  EXPECT_FALSE(error.contains("ref")) << "the command went well";
  EXPECT_EQ(error.at("text"), "the file is gone");
  EXPECT_TRUE(next("error").is_null()) << "it is told once";
  hub.update(log, stored_text("here again"));
  EXPECT_EQ(next("text").at("text"), "here again");
}

TEST(ViewHub, WhoCameEarlyHearsWhatARunTakes) {
  Hub hub;
  Session early(hub, Greeting{"umov", "run", "early", "id", hub.commands()});
  hub.publish({}, {});
  hub.allow({"pause", "save"});
  std::string said;
  Session::Message m;
  while (early.next(m)) said = m.bytes.find("\"catalogue\"") != std::string::npos ? m.bytes : said;
  EXPECT_NE(said.find(R"(["subscribe","unsubscribe","ack","pause","save"])"), std::string::npos) << said;
}

}  // namespace
}  // namespace umov::view
