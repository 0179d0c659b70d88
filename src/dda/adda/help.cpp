// Help texts, made from the option table.
#include <fmt/format.h>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/adda/options.hpp"

namespace umov::dda::adda {

namespace {

std::string line(const std::string& name, const std::string& arguments, const std::string& text) {
  return fmt::format("  {}{}{}\n      {}\n", name, arguments.empty() ? "" : " ", arguments, text);
}

std::string all_options() {
  std::string text =
      "umov adda: the command line of ADDA 1.5, computed by umov\n"
      "usage: umov adda [-option [arguments]]...\n\n";
  for (const Option& option : options()) text += line("-" + option.name, option.arguments, option.text);
  return text + "\nMore about one option: umov adda -h <option>\n";
}

std::string one_option(const Option& option) {
  std::string text = line("-" + option.name, option.arguments, option.text);
  if (!option.choices) return text;
  text += "\n";
  for (const Choice& choice : *option.choices) text += line(choice.name, choice.arguments, choice.text);
  return text;
}

std::string one_choice(const Option& option, const std::string& name) {
  if (option.choices) {
    for (const Choice& choice : *option.choices) {
      if (choice.name == name)
        return line("-" + option.name + " " + choice.name, choice.arguments, choice.text);
    }
  }
  return one_option(option);
}

}  // namespace

std::string adda_help(const std::string& topic) {
  if (topic.empty()) return all_options();
  const auto space = topic.find(' ');
  std::string name = topic.substr(0, space);
  if (name.rfind("-", 0) == 0) name = name.substr(1);
  std::vector<std::string> names;
  for (const Option& option : options()) {
    names.push_back(option.name);
    if (option.name != name && option.name != "-" + name) continue;
    return space == std::string::npos ? one_option(option) : one_choice(option, topic.substr(space + 1));
  }
  const std::string close = nearest(name, names);
  throw BadInput(
      fmt::format("adda: no option -{} to help with; {}", name,
                  close.empty() ? "umov adda -h lists all" : fmt::format("did you mean -{}?", close)));
}

}  // namespace umov::dda::adda
