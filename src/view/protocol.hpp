// The text messages of docs/view_protocol.md, to and from JSON.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "view/array.hpp"
#include "view/data.hpp"
#include "view/hub.hpp"

namespace umov::view {

inline constexpr int protocol_version = 1;
inline constexpr const char* sub_protocol = "umov.view.1";
inline constexpr std::size_t most_subscriptions = 32;
inline constexpr std::int64_t most_pixels = std::int64_t(1) << 22;
inline constexpr std::size_t most_message = std::size_t(1) << 24;

/// What a server says of itself.
struct Greeting {
  std::string program, mode, title, server;
  std::vector<std::string> commands;
};

std::string hello_text(const Greeting&);
/// `commands`: those taken now.
std::string catalogue_text(const Catalogue&, const std::vector<std::string>& commands);
std::string state_text(const Progress&, int viewers);
std::string log_text(const std::string& level, const std::string& text);
/// Of data that have a spread.
std::string range_text(std::uint32_t sub, const Data&, std::uint32_t sequence);
std::string array_text(std::uint32_t sub, const Data&, std::uint32_t sequence);

/// What an answer repeats of a command, as far as it could be read.
struct Echo {
  std::string name;       ///< `do`
  std::string reference;  ///< JSON of `ref`; "" without
  std::uint32_t sub = 0;  ///< the subscription that it is about; 0: none
};

/// One command of a viewer.
struct Command {
  std::string name;
  std::uint32_t sub = 0, sequence = 0;
  long steps = 1;
  // of subscribe; what is not given stays empty
  int array = 0;
  std::optional<int> axis, index;
  std::vector<int> region, pixels;
  std::optional<double> time;
  TriangleParts parts = TriangleParts::all;
  long every = 0;
  Encoding encoding = Encoding::f16;
  // of model and paint
  NewModel model;
  std::vector<std::array<int, 4>> rects;
  std::array<int, 3> rgb{0, 0, 0};
};

/// Throws BadInput for what is no command: no JSON, nested too deep, no `do`, values of the wrong kind.
/// `echo` gets what is to be repeated, in that case too.
Command read_command(const std::string& text, Echo& echo);

/// The request of a subscribe against its array. Throws BadInput naming what does not fit.
Request request_of(const Command&, const ArrayInfo&);

std::string done_text(const Echo&);
std::string error_text(const Echo&, const std::string& text);

}  // namespace umov::view
