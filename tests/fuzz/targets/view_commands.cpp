// What a viewer says: whoever has the token may send anything. The requests that come of it are asked of a
// field and of a curve, and pictures are painted.
#include <fstream>
#include <iterator>

#include "fuzz/target.hpp"
#include "view/hub.hpp"
#include "view/protocol.hpp"
#include "view/session.hpp"

namespace umov {

namespace {

view::ArrayInfo array_of(view::Kind kind, std::vector<long long> shape) {
  view::ArrayInfo a;
  a.kind = kind;
  a.name = "fuzzed";
  a.shape = std::move(shape);
  return a;
}

}  // namespace

FUZZ_TARGET(view_command, ".json") {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  view::Hub hub;
  view::Catalogue catalogue;
  catalogue.arrays = {array_of(view::Kind::field, {7, 5, 3}), array_of(view::Kind::curve, {4, 2})};
  hub.publish(std::move(catalogue), {});
  hub.offer_picture({2, 2, std::vector<std::uint8_t>(16, 255)}, {});
  hub.allow({"pause", "resume", "step", "stop", "save", "model", "paint"});
  view::Session session(hub, {});
  session.hear(text);
  view::Session::Message message;
  for (int n = 0; n < 8 && session.next(message); ++n) {
  }
  view::Echo echo;
  const view::Command command = view::read_command(text, echo);
  for (const auto& a : hub.catalogue().arrays) view::request_of(command, a);
}

}  // namespace umov
