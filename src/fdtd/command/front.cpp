// The front `umov fdtd`: pictures, a TOML case and flags become a Simulation.
#include "fdtd/command/front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "front/command.hpp"

namespace umov::fdtd {

namespace {

namespace fs = std::filesystem;

/// The words of a command line: at most one case, any number of pictures.
struct Words {
  std::string case_file;
  std::vector<std::string> pictures;
};

Words sort_words(const std::vector<std::string>& words) {
  Words out;
  for (const auto& word : words) {
    std::string ending = fs::path(word).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (ending == ".png") {
      out.pictures.push_back(word);
    } else if (ending != ".toml") {
      throw BadInput(
          fmt::format("'{}' is neither a case nor a picture (known by .toml and .png); see umov fdtd "
                      "--help",
                      word));
    } else if (!out.case_file.empty()) {
      throw BadInput(
          fmt::format("'{}' is left over on the command line (one case file, '{}', is taken); see "
                      "umov fdtd --help",
                      word, out.case_file));
    } else {
      out.case_file = word;
    }
  }
  return out;
}

}  // namespace

Request parse(std::span<const std::string> args) {
  const auto& table = parameters();
  // The flags are read twice: first to learn which file lies under them, then over that file.
  Case flags;
  Origins flag_origins;
  Words words = sort_words(table.read_flags(args, flags, flag_origins));
  Request request;
  if (flags.help || flags.help_markdown || flags.list_devices) {
    request.wishes = flags;
    return request;
  }
  if (words.case_file.empty() && words.pictures.empty() && flags.simulation.checkpoint.resume)
    words.case_file = front::saved_case(flags.resume_from);
  Origins origins;
  if (!words.case_file.empty()) table.read_toml(words.case_file, request.wishes, origins);
  const Case from_file = request.wishes;
  // A length of the run on the command line replaces the other spelling in the file.
  if (flags.simulation.stop.steps) request.wishes.simulation.stop.time = 0, origins.erase("stop.time");
  if (flags.simulation.stop.time) request.wishes.simulation.stop.steps = 0, origins.erase("stop.steps");
  table.read_flags(args, request.wishes, origins);
  if (!words.pictures.empty()) {
    request.wishes.picture.files = words.pictures;
    origins["picture.files"] = words.pictures.front();
  }
  table.refuse_idle(&request.wishes, origins, &from_file);
  request.simulation = finish_case(request.wishes, origins);
  return request;
}

}  // namespace umov::fdtd
