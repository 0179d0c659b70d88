// Reduction, quantisation, commands, tokens: what a view is made of, without a socket.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/error.hpp"
#include "view/client.hpp"
#include "view/frame.hpp"
#include "view/gate.hpp"
#include "view/picture.hpp"
#include "view/protocol.hpp"
#include "view/reduce.hpp"
#include "view/server.hpp"
#include "view/session.hpp"
#include "view/stored.hpp"

namespace umov::view {
namespace {

TEST(ViewReduce, EveryCellBelongsToOneBox) {
  for (const int size : {1, 2, 3, 7, 10}) {
    EXPECT_EQ(box_start(5, 10, size, 0), 5);
    EXPECT_EQ(box_start(5, 10, size, size), 15);
    for (int i = 0; i < size; ++i) EXPECT_LT(box_start(5, 10, size, i), box_start(5, 10, size, i + 1));
  }
}

TEST(ViewReduce, MeansOfBoxesAreThoseOfTheirCells) {
  const auto value = [](int i, int j, int k) { return double(i + 10 * j + 100 * k); };
  const auto one = box_means(value, {1, 2, 3}, {4, 5, 4}, {3, 3, 1});
  ASSERT_EQ(one.size(), 9u);
  EXPECT_EQ(one[0], 321);
  EXPECT_EQ(one[5], 333);
  const auto all = box_means(value, {0, 0, 0}, {4, 2, 1}, {2, 1, 1});
  EXPECT_EQ(all[0], 5.5f);
  EXPECT_EQ(all[1], 7.5f);
  const auto squares =
      box_means([](int i, int, int) { return i % 2 ? 3.0 : -3.0; }, {0, 0, 0}, {8, 1, 1}, {2, 1, 1}, true);
  EXPECT_EQ(squares[0], 3.0f) << "a wave finer than a pixel keeps its strength as a magnitude";
}

TEST(ViewReduce, WhatIsNotFiniteIsLeftOutOfAMean) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto v =
      box_means([&](int i, int, int) { return i < 2 ? nan : double(i); }, {0, 0, 0}, {6, 1, 1}, {3, 1, 1});
  EXPECT_TRUE(std::isnan(v[0]));
  EXPECT_EQ(v[1], 2.5f);
}

TEST(ViewReduce, TheRangeOfAFieldDoesNotDependOnThePixels) {
  // A wave of two cells fades in means; one bright cell in 10000 lies beyond 99.8 % of them.
  auto values = std::make_shared<std::vector<float>>();
  for (int n = 0; n < 10000; ++n) values->push_back(n % 2 ? 3.0f : -3.0f);
  (*values)[5050] = 40;
  const Maker field = stored_field(values, {100, 100, 1});
  Request r;
  r.axis = 2;
  r.hi = {100, 100, 1};
  for (const int pixels : {100, 50, 7}) {
    r.size = {pixels, pixels, 1};
    const Data d = field(r);
    ASSERT_TRUE(d.spread.has_value());
    EXPECT_EQ(d.spread->low, -3);
    EXPECT_EQ(d.spread->high, 40);
    EXPECT_EQ(d.spread->median, 3);
    EXPECT_EQ(d.spread->bright, 3);
  }
  const auto nan = [](int, int, int) { return std::nan(""); };
  EXPECT_FALSE(spread_of(nan, {0, 0, 0}, {4, 4, 1}).has_value());
}

TEST(ViewSession, TheRangeOfAFieldComesBeforeItsValues) {
  Shelf shelf;
  ArrayInfo info;
  info.shape = {4, 1, 1};
  shelf.add(info,
            stored_field(std::make_shared<std::vector<float>>(std::vector<float>{-1, 5, 0, 2}), {4, 1, 1}));
  Hub hub;
  hub.publish(shelf.catalogue, shelf.makers);
  Session session(hub, {});
  const auto all_there_is = [&] {
    std::vector<Session::Message> all;
    for (Session::Message m; session.next(m);) all.push_back(m);
    return all;
  };
  all_there_is();  // the catalogue, which ends what was asked for before it
  ASSERT_TRUE(session.hear(R"({"do": "subscribe", "sub": 4, "array": 0, "pixels": [1, 1]})"));
  const auto all = all_there_is();
  ASSERT_TRUE(all.size() >= 2 && all.back().binary);
  const auto range = nlohmann::json::parse(all[all.size() - 2].bytes);
  EXPECT_EQ(range["type"], "range");
  EXPECT_EQ(range["sub"], 4);
  EXPECT_EQ(range["sequence"], 1);
  EXPECT_EQ(range["low"], -1.0);
  EXPECT_EQ(range["high"], 5.0);
  EXPECT_EQ(test::frame_of(all.back().bytes).high, 1.5) << "the mean of all cells";
}

TEST(ViewReduce, AThinnedCurveKeepsItsExtremesAndOrder) {
  std::vector<double> table;
  for (int i = 0; i < 1000; ++i) table.push_back(i);
  for (int i = 0; i < 1000; ++i) table.push_back(i == 517 ? 9.0 : i == 733 ? -7.0 : std::sin(0.1 * i));
  const auto thin = thin_rows(table, 1000, 2, 20);
  const std::size_t rows = thin.size() / 2;
  ASSERT_LE(rows, 40u);
  EXPECT_TRUE(std::is_sorted(thin.begin(), thin.begin() + long(rows)));
  EXPECT_EQ(*std::max_element(thin.begin() + long(rows), thin.end()), 9.0);
  EXPECT_EQ(*std::min_element(thin.begin() + long(rows), thin.end()), -7.0);
  EXPECT_EQ(thin_rows(table, 1000, 2, 500).size(), 2000u) << "few enough stay as they are";
}

TEST(ViewFrame, HalvesAreIeee754) {
  EXPECT_EQ(to_half(0.0f), 0x0000);
  EXPECT_EQ(to_half(-0.0f), 0x8000);
  EXPECT_EQ(to_half(1.0f), 0x3c00);
  EXPECT_EQ(to_half(-2.0f), 0xc000);
  EXPECT_EQ(to_half(65504.0f), 0x7bff);
  EXPECT_EQ(to_half(65520.0f), 0x7c00) << "half way to the next beyond the largest";
  EXPECT_EQ(to_half(65519.0f), 0x7bff);
  EXPECT_EQ(to_half(std::ldexp(1.0f, -24)), 0x0001);
  EXPECT_EQ(to_half(std::ldexp(1.0f, -25)), 0x0000) << "half of the smallest: to even";
  EXPECT_EQ(to_half(std::ldexp(1.0f, -14)), 0x0400);
  EXPECT_EQ(to_half(std::ldexp(1023.75f, -24)), 0x0400) << "the largest subnormal rounds up";
  EXPECT_TRUE(std::isnan(from_half(to_half(std::numeric_limits<float>::quiet_NaN()))));
  for (int h = 0; h < 0x10000; ++h) {
    const float v = from_half(std::uint16_t(h));
    if (!std::isnan(v)) {
      ASSERT_EQ(to_half(v), h);
    }
  }
}

Data field_data(std::vector<float> values) {
  Data d;
  d.request.size = {int(values.size()), 1, 1};
  d.parts.push_back({{std::uint32_t(values.size()), 1, 1}, std::move(values)});
  return d;
}

TEST(ViewFrame, QuantisedValuesComeBackWithinTheirStep) {
  // Fields of any unit: half floats alone would lose the small ones and overflow with the large.
  for (const double scale : {1e-30, 1e-6, 1.0, 1e9, 1e30}) {
    std::vector<float> values;
    for (int i = 0; i < 1000; ++i) values.push_back(float(scale * std::sin(0.01 * i)));
    for (const Encoding e : {Encoding::f16, Encoding::u8, Encoding::f32}) {
      const auto m = messages_of(field_data(values), {7, 3}, e, false);
      ASSERT_EQ(m.size(), 1u);
      const auto f = test::frame_of(m[0]);
      EXPECT_EQ(f.sub, 7u);
      EXPECT_EQ(f.sequence, 3u);
      EXPECT_EQ(f.shape, (std::vector<std::uint32_t>{1000, 1, 1}));
      // f16 has 11 bits, u8 255 steps over the range of 2
      const double error = e == Encoding::f16 ? scale / 2048 : e == Encoding::u8 ? 1.001 * scale / 255 : 0;
      for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(f.values[i], values[i], error);
    }
  }
}

TEST(ViewFrame, CompressionIsUsedWhereItPays) {
  const auto smooth = messages_of(field_data(std::vector<float>(100000, 1.5f)), {1, 1}, Encoding::f32, true);
  EXPECT_LT(smooth[0].size(), 5000u);
  const auto f = test::frame_of(smooth[0]);
  EXPECT_TRUE(f.compressed);
  EXPECT_EQ(f.values[99999], 1.5);
  std::vector<float> noise;
  for (std::uint32_t i = 0, x = 1; i < 100000; ++i) {
    x = x * 1664525u + 1013904223u;
    noise.push_back(std::bit_cast<float>(x & 0xbfffffffu));  // any float below 2
  }
  EXPECT_FALSE(test::frame_of(messages_of(field_data(noise), {1, 1}, Encoding::f32, true)[0]).compressed);
}

TEST(ViewFrame, CurvesAreNotQuantised) {
  const auto maker = stored_curve({{0.1, 0.2, 0.3}, {1, 2, 3}});
  const Data d = maker({});
  EXPECT_EQ(test::frame_of(messages_of(d, {1, 1}, Encoding::f16, false)[0]).type, 2);
  const auto exact = test::frame_of(messages_of(d, {1, 1}, Encoding::f64, false)[0]);
  EXPECT_EQ(exact.values, (std::vector<double>{0.1, 0.2, 0.3, 1, 2, 3}));
  EXPECT_EQ(exact.shape, (std::vector<std::uint32_t>{3, 2, 1}));
}

ArrayInfo volume() {
  ArrayInfo a;
  a.id = 4;
  a.shape = {100, 60, 30};
  return a;
}

Command command(const std::string& text) {
  Echo echo;
  return read_command(text, echo);
}

TEST(ViewCommand, WhatIsRefusedIsNamedWithItsSubscription) {
  Echo echo;
  EXPECT_THROW(read_command(R"({"do": "subscribe", "sub": 5, "ref": "a", "array": -1})", echo), BadInput);
  EXPECT_EQ(echo.name, "subscribe");
  EXPECT_EQ(echo.reference, "\"a\"");
  EXPECT_EQ(echo.sub, 5u);
  const auto error = test::Json::parse(error_text(echo, "why"));
  EXPECT_EQ(error,
            (test::Json{{"type", "error"}, {"do", "subscribe"}, {"ref", "a"}, {"sub", 5}, {"text", "why"}}));
  Echo none;
  EXPECT_THROW(read_command(R"({"do": "subscribe", "sub": 0})", none), BadInput);
  EXPECT_FALSE(test::Json::parse(error_text(none, "why")).contains("sub"));
}

TEST(ViewCommand, ACutIsMadeToFitItsArray) {
  const auto r = request_of(
      command(R"({"do": "subscribe", "sub": 1, "array": 4, "axis": 1, "index": 7, "pixels": [50, 999]})"),
      volume());
  EXPECT_EQ(r.lo, (Int3{0, 7, 0}));
  EXPECT_EQ(r.hi, (Int3{100, 8, 30}));
  EXPECT_EQ(r.size, (Int3{50, 1, 30}));
  EXPECT_EQ(shape_of(r), (std::array<std::uint32_t, 3>{50, 30, 1}));
  const auto part = request_of(
      command(R"({"do": "subscribe", "sub": 1, "array": 4, "region": [10, -5, 1000, 20]})"), volume());
  EXPECT_EQ(part.lo, (Int3{10, 0, 15}));
  EXPECT_EQ(part.hi, (Int3{100, 20, 16}));
}

TEST(ViewCommand, BadCommandsAreRefusedWithWords) {
  for (const char* text :
       {"", "{", "[]", "12", "\"x\"", "{}", R"({"do": 3})", R"({"do": "subscribe"})",
        R"({"do": "subscribe", "sub": -1, "array": 0})", R"({"do": "subscribe", "sub": 1})",
        R"({"do": "subscribe", "sub": 1, "array": 1e300})", R"({"do": "subscribe", "sub": 1, "array": "0"})",
        R"({"do": "subscribe", "sub": 1, "array": 0, "encoding": "f8"})", R"({"do": "step", "n": 0.5})",
        R"({"do": "model", "png": "*"})", R"({"do": "paint", "rgb": [1, 2], "rects": [[0, 0, 1, 1]]})",
        R"({"do": "paint", "rgb": [1, 2, 3], "rects": [[0, 0, 1]]})"})
    EXPECT_THROW(command(text), BadInput) << text;
  std::string deep = R"({"do": "pause", "x": )";
  deep += std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_THROW(command(deep), BadInput);
  for (const char* text : {R"({"do": "subscribe", "sub": 1, "array": 4, "index": 30})",
                           R"({"do": "subscribe", "sub": 1, "array": 4, "region": [5, 5, 5, 9]})",
                           R"({"do": "subscribe", "sub": 1, "array": 4, "region": [5, 5, 9]})"})
    EXPECT_THROW(request_of(command(text), volume()), BadInput) << text;
}

TEST(ViewCommand, NoRequestAsksForMoreValuesThanAllowed) {
  ArrayInfo huge = volume();
  huge.shape = {100000, 100000, 1};
  const auto r =
      request_of(command(R"({"do": "subscribe", "sub": 1, "array": 4, "pixels": [100000, 100000]})"), huge);
  EXPECT_LE(std::int64_t(r.size[0]) * r.size[1], most_pixels);
}

TEST(ViewGate, OnlyTheTokenAndOurOwnPageComeIn) {
  const std::string token = random_token();
  EXPECT_EQ(token.size(), 32u);
  EXPECT_NE(token, random_token());
  const auto status = [&](const std::string& method, const std::string& target, const std::string& host,
                          const std::string& origin) {
    return answer({method, target, host, origin}, token, "127.0.0.1").status;
  };
  const std::string ask = "?token=" + token;
  EXPECT_EQ(status("GET", "/" + ask, "127.0.0.1:8642", ""), 200);
  EXPECT_EQ(status("GET", "/" + ask, "localhost:9999", ""), 200) << "a port forwarded by ssh";
  EXPECT_EQ(status("GET", "/ws" + ask, "127.0.0.1:8642", "http://127.0.0.1:8642"), 200);
  EXPECT_EQ(status("GET", "/ws" + ask, "127.0.0.1:8642", "http://evil.example"), 403);
  EXPECT_EQ(status("GET", "/ws" + ask, "127.0.0.1:8642", "http://127.0.0.1:1"), 403) << "another port";
  EXPECT_EQ(status("GET", "/ws" + ask, "127.0.0.1:8642", "null"), 403);
  EXPECT_EQ(status("GET", "/" + ask, "evil.example", ""), 403) << "a name pointed at 127.0.0.1";
  EXPECT_EQ(status("GET", "/", "127.0.0.1:8642", ""), 403);
  EXPECT_EQ(status("GET", "/?token=", "127.0.0.1:8642", ""), 403);
  EXPECT_EQ(status("GET", "/" + ask + "0", "127.0.0.1:8642", ""), 403);
  EXPECT_EQ(status("GET", "/?token=" + token.substr(0, 31), "127.0.0.1:8642", ""), 403);
  EXPECT_EQ(status("POST", "/" + ask, "127.0.0.1:8642", ""), 405);
  EXPECT_EQ(status("GET", "/../../etc/passwd" + ask, "127.0.0.1:8642", ""), 404);
  EXPECT_EQ(status("GET", "/%2e%2e/etc/passwd" + ask, "127.0.0.1:8642", ""), 404);
  EXPECT_FALSE(same_secret("", ""));
}

TEST(ViewGate, ATokenMayBeChosenIfItIsLongEnough) {
  ::setenv("UMOV_VIEW_TOKEN", "a_token-of-my-own", 1);
  EXPECT_EQ(chosen_token(), "a_token-of-my-own");
  for (const char* bad : {"", "short", "seventeen letters", "<script>alert(1)</script>"}) {
    ::setenv("UMOV_VIEW_TOKEN", bad, 1);
    EXPECT_THROW(chosen_token(), BadInput) << bad;
  }
  ::unsetenv("UMOV_VIEW_TOKEN");
  EXPECT_EQ(chosen_token().size(), 32u);
}

TEST(ViewPicture, PaintedPixelsAreThoseAskedForAndOthersStay) {
  Pixels p{3, 2, std::vector<std::uint8_t>(24, 7)};
  const Pixels back = pixels_of(png_of(painted(p, {{1, -5, 100, 6}}, {10, 20, 30})));
  ASSERT_EQ(back.width, 3);
  ASSERT_EQ(back.height, 2);
  EXPECT_EQ(back.rgba[0], 7);
  EXPECT_EQ(back.rgba[4], 10);
  EXPECT_EQ(back.rgba[7], 255);
  EXPECT_EQ(back.rgba[8], 10);
  EXPECT_EQ(back.rgba[16], 7) << "the lower row";
  EXPECT_THROW(painted(p, {{0, 0, 1, 1}}, {256, 0, 0}), BadInput);
  EXPECT_THROW(pixels_of("no picture"), BadInput);
  EXPECT_THROW(pixels_of(png_of(p).substr(0, 40)), BadInput);
}

TEST(ViewInvitation, OverSshItSaysWhichPortToForward) {
  EXPECT_EQ(invitation("http://127.0.0.1:8642/?token=x", "127.0.0.1", 8642, ""),
            "view: http://127.0.0.1:8642/?token=x\n");
  const auto text =
      invitation("http://127.0.0.1:8642/?token=x", "127.0.0.1", 8642, "10.0.0.1 4000 10.0.0.2 22");
  EXPECT_NE(text.find("ssh -N -L 8642:127.0.0.1:8642 10.0.0.2"), std::string::npos) << text;
  // Where the view listens on ::1 alone nothing answers at 127.0.0.1: both ends of the forwarded port are
  // ::1.
  const auto six = invitation("http://[::1]:8642/?token=x", "::1", 8642, "fd00::1 4000 fd00::2 22");
  EXPECT_NE(six.find("ssh -N -L \"[::1]:8642:[::1]:8642\" fd00::2"), std::string::npos) << six;
  const auto open =
      invitation("http://10.0.0.2:8642/?token=x", "10.0.0.2", 8642, "10.0.0.1 4000 10.0.0.2 22");
  EXPECT_EQ(open.find("ssh"), std::string::npos) << "needs no forwarding";
}

}  // namespace
}  // namespace umov::view
