// Words of the command line sorted into pictures, a case and flags.
#include "fdtd/command/front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "command/command.hpp"
#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "fdtd/case/readers.hpp"
#include "shapes/picture.hpp"

namespace umov::fdtd {

namespace {

namespace fs = std::filesystem;

/// The words of a command line: at most one case, any number of pictures.
struct Words {
  std::string case_file;
  std::vector<std::string> pictures;
};

bool is_case(const std::string& word) {
  std::string ending = fs::path(word).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return ending == ".toml";
}

Words sort_words(const std::vector<std::string>& words) {
  Words out;
  for (const auto& word : words) {
    if (shapes::has_picture_ending(word)) {
      out.pictures.push_back(word);
    } else if (!is_case(word)) {
      refuse_other_kind(word, "a case or a picture is read here");
      throw BadInput(fmt::format(
          "'{}' is neither a case nor a picture (known by .toml, and by {}); see umov fdtd --help", word,
          shapes::picture_endings()));
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

/// A length of the run on the command line replaces the other spelling in the file.
void replace(const Case& flags, Case& c, Origins& origins) {
  auto& stop = c.simulation.stop;
  if (flags.simulation.stop.steps) stop.time = 0, origins.erase("stop.time");
  if (flags.simulation.stop.time) stop.steps = 0, origins.erase("stop.steps");
}

}  // namespace

Request parse(std::span<const std::string> args) {
  std::vector<std::string> pictures;
  Origins given;
  const auto case_file = [&](const std::vector<std::string>& typed, const Case& flags) {
    const Words words = sort_words(typed);
    pictures = words.pictures;
    const bool resumed = pictures.empty() && flags.machine.checkpoint.resume;
    return words.case_file.empty() && resumed ? command::saved_case(flags.resume_from) : words.case_file;
  };
  const auto finish = [&](Case& c, Origins& origins, const Case& from_file) {
    if (!pictures.empty()) {
      c.picture.files = pictures;
      origins["picture.files"] = pictures.front();
    }
    parameters().refuse_idle(&c, origins, &from_file);
    if (asks_s_parameters(c) && !origins.count("machine.device"))
      c.machine.device = -1;  // side by side on all
    given = origins;
    return finish_case(c, origins);
  };
  Request request = command::parse_case<Request>(args, parameters(), case_file, replace, finish);
  request.origins = std::move(given);
  return request;
}

}  // namespace umov::fdtd
