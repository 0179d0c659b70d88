// Reads ADDA's command line by the option table.
#include "dda/adda/front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/console.hpp"
#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "core/text.hpp"
#include "dda/adda/options.hpp"

namespace umov::dda::adda {

namespace {

bool letter(const std::string& word, std::size_t i) {
  return i < word.size() && std::isalpha(static_cast<unsigned char>(word[i]));
}

/// A dash and a letter, or two dashes and a letter: so -1.5 is a number.
bool is_option(const std::string& word) {
  return !word.empty() && word[0] == '-' &&
         (letter(word, 1) || (word.size() > 1 && word[1] == '-' && letter(word, 2)));
}

/// The word of all commands for what is `-h` in ADDA.
const std::string help_word = "-help";

const Option& find_option(const std::string& typed) {
  const std::string name = typed == help_word ? "h" : typed;
  std::vector<std::string> names;
  for (const Option& option : options()) {
    if (option.name == name) return option;
    names.push_back(option.name);
  }
  const std::string close = nearest(name, names);
  throw BadInput(
      fmt::format("adda: unknown option -{}; {}", name,
                  close.empty() ? "umov adda -h lists all" : fmt::format("did you mean -{}?", close)));
}

void check_count(const Option& option, const Arguments& a) {
  const int n = int(a.size());
  if (n >= option.least && (option.most < 0 || n <= option.most)) return;
  a.fail(fmt::format("{} argument(s) given (expected: {})", n,
                     option.arguments.empty() ? "none" : option.arguments));
}

std::string typed(std::span<const std::string> arguments) {
  std::string line = "adda";
  for (const auto& word : arguments) line += " " + word;
  return printable(line);
}

}  // namespace

const std::vector<Option>& options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> list;
    for (auto&& part :
         {particle_options(), light_options(), method_options(), output_options(), program_options()}) {
      list.insert(list.end(), part.begin(), part.end());
    }
    const auto lower = [](const Option& o) {
      std::string key = o.name[0] == '-' ? "~" + o.name : o.name;
      for (char& c : key) c = char(std::tolower(static_cast<unsigned char>(c)));
      return key;
    };
    std::sort(list.begin(), list.end(),
              [&](const Option& a, const Option& b) { return lower(a) < lower(b); });
    return list;
  }();
  return all;
}

AddaCommand parse_adda_command(std::span<const std::string> arguments) {
  State state;
  state.sim().solver.preconditioner = PreconditionerChoice::none;
  state.sim().solver.inner = InnerPrecision::double_;
  state.sim().solver.sectors = SectorUse::off;
  state.sim().solver.block = 1;
  for (std::size_t i = 0; i < arguments.size();) {
    if (!is_option(arguments[i])) {
      refuse_other_kind(arguments[i], "adda: options are read here, which begin with a dash");
      throw BadInput(fmt::format(
          "adda: '{}' is not an option (options begin with a dash); umov adda -h lists all", arguments[i]));
    }
    const Option& option = find_option(arguments[i].substr(1));
    std::size_t end = i + 1;
    while (end < arguments.size() && !is_option(arguments[end])) ++end;
    const Arguments mine(option.name, arguments.subspan(i + 1, end - i - 1));
    if (!state.used.insert(option.name).second) mine.fail("used more than once");
    check_count(option, mine);
    option.apply(state, mine);
    if (!state.command.answer.empty()) return state.command;
    i = end;
  }
  settle(state);
  state.machine().command_line = typed(arguments);
  return state.command;
}

Simulation parse_adda(std::span<const std::string> arguments) {
  return parse_adda_command(arguments).simulation;
}

}  // namespace umov::dda::adda
