// What viewers of a run in time are shown where it stands: held, at its end, with another model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/series.hpp"
#include "support/machines.hpp"
#include "view/picture.hpp"
#include "view/session.hpp"
#include "view/viewed_run.hpp"

namespace umov::fdtd {
namespace {

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | std::uint8_t(c);
    for (count += 8; count >= 6;) out += digits[bits >> (count -= 6) & 63];
  }
  if (count > 0) out += digits[bits << (6 - count) & 63];
  return out;
}

view::Pixels drawn(int width, int height) {
  view::Pixels p{width, height, std::vector<std::uint8_t>(std::size_t(4) * width * height, 0)};
  p = view::painted(p, {{0, 0, width, height}}, {0, 0, 0});
  p = view::painted(p, {{width / 4, height / 2 - 2, 1, 4}}, {255, 0, 0});
  return view::painted(p, {{3 * width / 4, height / 2 - 2, 1, 4}}, {0, 0, 200});
}

TEST(ViewedModel, StrokesGoIntoThePictureThatReplacedTheFirst) {
  HeldProgram held;
  test::Viewer& v = held.v;
  const auto ask = [&](Json command) {
    const int generation = v.catalogue().at("generation");
    EXPECT_EQ(v.ask(std::move(command)).at("type"), "done");
    while (v.catalogue().at("generation") == generation) v.text("catalogue");
  };
  const view::Pixels other = drawn(100, 50);
  ask({{"do", "model"}, {"png", base64(view::png_of(other))}, {"name", "wide.png"}});
  const auto picture = v.catalogue().at("picture");
  EXPECT_EQ(picture.at("width"), 100);
  EXPECT_EQ(picture.at("height"), 50);
  EXPECT_EQ(v.catalogue().at("title"), "wide");
  ask({{"do", "paint"}, {"rgb", {0, 255, 0}}, {"rects", {{50, 0, 4, 50}}}});
  EXPECT_EQ(v.catalogue().at("picture"), picture);
  EXPECT_EQ(v.catalogue().at("title"), "wide");
  const std::string answer = test::talk(
      held.at.port, fmt::format("GET /picture?token={} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", held.at.token));
  const view::Pixels shown = view::pixels_of(answer.substr(answer.find("\r\n\r\n") + 4));
  EXPECT_EQ(shown.rgba, view::painted(other, {{50, 0, 4, 50}}, {0, 255, 0}).rgba);
  const std::string late =
      test::talk(held.at.port,
                 fmt::format("GET /ws?token={} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                             "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n",
                             held.at.token),
                 1);
  const auto hello = late.find("\"type\":\"hello\""), title = late.find("\"title\":\"wide\"");
  EXPECT_LT(hello, title);
  EXPECT_LT(title, late.find("\"type\":\"catalogue\"")) << "hello says it to who comes later";
  v.ask({{"do", "stop"}});
  state_when(v, "finished");
  held.end();
}

TEST(ViewedModel, AStrokeBeforeTheLastOneIsTakenKeepsBoth) {
  view::Hub hub;
  hub.allow({"paint"});
  const view::Pixels first = drawn(40, 20);
  hub.offer_picture(first, {});
  hub.paint({{1, 1, 2, 2}}, {0, 255, 0});
  hub.paint({{9, 9, 2, 2}}, {0, 255, 0});
  EXPECT_EQ(view::pixels_of(hub.take_model()->png).rgba,
            view::painted(first, {{1, 1, 2, 2}, {9, 9, 2, 2}}, {0, 255, 0}).rgba);
}

TEST(ViewedEnd, AMeanThatNobodyAskedForBeginsWithTheLastFrame) {
  ViewedRun viewed(lit_box(true));
  const auto v = viewed.viewer();
  v->ask({{"do", "resume"}});
  const Outcome o = viewed.outcome();
  v->send(subscribe(1, v->array("fields/E_magnitude"), {{"encoding", "f32"}}));
  v->send(subscribe(2, v->array("fields/E_rms"), {{"encoding", "f32"}}));
  const auto magnitude = v->frame(1), rms = v->frame(2);
  EXPECT_EQ(rms.step, double(o.steps));
  EXPECT_EQ(rms.values, magnitude.values);
}

TEST(ViewedPause, CurvesAndStateAreThoseOfTheStepItIsHeldAt) {
  Simulation sim = lit_box(true);
  sim.stop = {};  // by the energy that is left, which the state tells
  Simulation short_one = lit_box(true);
  short_one.stop.steps = 401;
  const Outcome alone = run(short_one, umov::test::one_thread);
  ViewedRun viewed(sim);
  const auto v = viewed.viewer();
  const auto series = [&] {
    for (;; v->text("catalogue"))
      for (const auto& a : v->catalogue().at("arrays"))
        if (a.at("name").get<std::string>().find("series-behind") != std::string::npos)
          return int(a.at("id"));
  };
  v->ask({{"do", "step"}});
  const int behind = series();
  v->ask({{"do", "step"}, {"n", 400}});
  v->send(subscribe(1, behind, {{"encoding", "f64"}}));
  double last = 0;
  const double wanted = alone.of<SeriesResult>().at(0).time.back();
  while (last < wanted) {
    const auto f = v->frame(1);
    last = f.values.at(f.shape[0] - 1);
  }
  EXPECT_EQ(last, wanted);
  Json state = state_when(*v, "paused");
  while (state.at("step") != 401) state = state_when(*v, "paused");
  EXPECT_FALSE(state.at("measure").get<std::string>().empty());
}

TEST(ViewedEnd, TheStateTellsWhatTheRunEndedWith) {
  Simulation sim = lit_box(true);
  sim.stop = {};
  ViewedRun viewed(sim);
  const auto v = viewed.viewer();
  v->ask({{"do", "resume"}});
  const Outcome o = viewed.outcome();
  ASSERT_TRUE(o.converged);
  for (;;) {
    const Json s = v->text("state");
    if (s.at("step") != o.steps) continue;
    EXPECT_EQ(s.at("measure"), o.stop_reason) << "that of the criterion which ended it";
    break;
  }
}

/// In turn on one rank, side by side on two, on all of three.
class ViewedPair : public testing::TestWithParam<int> {};

TEST_P(ViewedPair, OffersWhatIsDividedByItsReference) {
  Simulation sim = lit_box(true);
  sim.normalize = true;
  sim.stop.steps = 400;
  Machine machine = umov::test::one_thread;
  if (GetParam() > 1) machine.split = RankSplit::runs;
  ViewedRun viewed(sim, GetParam(), 0, machine);
  const auto v = viewed.viewer();
  v->ask({{"do", "resume"}});
  const Outcome o = viewed.outcome();
  for (const char* name : {"reference", "scattered", "T"}) {
    const std::string wanted = std::string("results/flux-through/") + name;
    const auto there = [&] {
      for (const auto& a : v->catalogue().at("arrays"))
        if (a.at("name") == wanted) return true;
      return false;
    };
    while (!there()) v->text("catalogue");
    v->send(subscribe(1, v->array(wanted), {{"encoding", "f64"}}));
    const auto f = v->frame(1);
    ASSERT_EQ(f.shape[0], 3u);
    if (wanted.ends_with("reference")) {
      EXPECT_EQ(std::vector<double>(f.values.begin() + 3, f.values.end()),
                o.of<FluxResult>().at(0).reference);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, ViewedPair, testing::Values(1, 2, 3));

TEST(ViewedEnd, TheHeadSaysWhereTheResultsAreAndWhatIsWrongWithThem) {
  for (const bool stops : {false, true}) {
    HeldProgram held(stops ? 100000000 : 200);
    test::Viewer& v = held.v;
    v.ask({{"do", stops ? "stop" : "resume"}});
    const Json state = state_when(v, "finished");
    const std::string text = state.at("text");
    EXPECT_NE(text.find("the results are in out"), std::string::npos) << text;
    EXPECT_EQ(text.find("stopped in the view") != std::string::npos, stops) << text;
    EXPECT_EQ(text.find("not converged") != std::string::npos, stops) << text;
    if (!stops) {
      EXPECT_EQ(state.at("fraction"), 1);
    }
    held.end();
  }
}

TEST(ViewCommands, WhatIsMalformedIsRefusedUnderItsName) {
  view::Hub hub;
  hub.allow({"step"});
  view::Session session(hub, {});
  const auto answer = [&](const std::string& text) {
    session.hear(text);
    for (view::Session::Message m; session.next(m);)
      if (const Json j = Json::parse(m.bytes); j.at("type") == "error" || j.at("type") == "done") return j;
    return Json();
  };
  for (const char* n : {"0", "-3", "2.5", "\"3\""}) {
    const Json j = answer(fmt::format(R"({{"do": "step", "n": {}}})", n));
    EXPECT_EQ(j.at("type"), "error") << n;
    EXPECT_EQ(j.at("do"), "step") << n;
    EXPECT_NE(j.at("text").get<std::string>().find("n is no integer from 1"), std::string::npos);
  }
  for (const char* text :
       {R"({"do": "subscribe", "sub": "a"})", R"({"do": "subscribe", "sub": 1, "array": []})",
        R"({"do": "subscribe", "sub": 1, "array": 0, "pixels": "many"})"})
    EXPECT_EQ(answer(text).at("do"), "subscribe") << text;
  EXPECT_EQ(answer(R"({"do": "paint", "rgb": 3})").at("do"), "paint");
}

}  // namespace
}  // namespace umov::fdtd
