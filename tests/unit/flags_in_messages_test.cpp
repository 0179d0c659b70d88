// Texts below the commands name parameters as cases have them, never flags: users of the library read them,
// too.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "dda/adda/options.hpp"
#include "support/places.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;

/// Flags that texts below the commands may name.
const struct {
  std::string file, flag, why;
} known[] = {
    {"backend/registry.cpp", "--preset", "of cmake"},
    {"comm/world.cpp", "--mpi", "of srun"},
    {"parameters/parameters_flags.cpp", "--help", "about the command line itself, which is read there"},
    {"dda/case/table_io.cpp", "--gpu", "help of a flag that no key belongs to"},
    {"dda/case/table_io.cpp", "--shape-file", "help of a flag that no key belongs to"},
    {"eqs/case/table_run.cpp", "--mesh", "help of a flag that no key belongs to"},
    {"sweep/", "--", "the room of one command, which the library does not have"},
};

struct Quoted {
  int line = 0;
  std::string text;
};

/// The string literals of a source; those side by side are one.
class Literals {
 public:
  explicit Literals(const std::string& source) : s_(source) {}

  std::vector<Quoted> all() {
    while (at_ < s_.size()) step();
    return found_;
  }

 private:
  bool here(std::string_view text) const { return std::string_view(s_).substr(at_).starts_with(text); }

  void go_to(std::size_t end) {
    end = std::min(end, s_.size());
    for (; at_ < end; ++at_) line_ += s_[at_] == '\n';
  }
  void go_behind(const std::string& text, std::size_t from) {
    const auto end = s_.find(text, from);
    go_to(end == s_.npos ? s_.size() : end + text.size());
  }

  void step() {
    if (here("//")) return go_behind("\n", at_);
    if (here("/*")) return go_behind("*/", at_ + 2);
    if (here("#include")) return go_behind("\n", at_);
    if (here("R\"")) return raw();
    if (s_[at_] == '"') return plain();
    if (s_[at_] == '\'' && !(at_ > 0 && std::isdigit(static_cast<unsigned char>(s_[at_ - 1]))))
      return letter();
    if (!std::isspace(static_cast<unsigned char>(s_[at_]))) beside_ = false;
    go_to(at_ + 1);
  }
  void letter() {
    beside_ = false;
    go_behind("'", at_ + (s_[at_ + 1] == '\\' ? 3 : 2));
  }
  void raw() {
    const auto open = s_.find('(', at_);
    const std::string close = ")" + s_.substr(at_ + 2, open - at_ - 2) + "\"";
    const auto end = s_.find(close, open);
    take(s_.substr(open + 1, end - open - 1));
    go_to(end + close.size());
  }
  void plain() {
    std::string text;
    std::size_t i = at_ + 1;
    for (; i < s_.size() && s_[i] != '"'; ++i) {
      if (s_[i] == '\\') ++i;
      text += s_[i];
    }
    take(text);
    go_to(i + 1);
  }
  void take(const std::string& text) {
    if (beside_)
      found_.back().text += text;
    else
      found_.push_back({line_, text});
    beside_ = true;
  }

  const std::string& s_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool beside_ = false;
  std::vector<Quoted> found_;
};

/// ADDA's options of three letters or more, those that are a word behind a dash.
const std::string& adda_names() {
  static const std::string names = [] {
    std::string out;
    for (const auto& option : dda::adda::options())
      if (option.name.size() > 2 && option.name[0] != '-') out += (out.empty() ? "" : "|") + option.name;
    return out;
  }();
  return names;
}

/// Flags and options in a text, but for those behind the name of their command: "umov dda --m 1.5".
std::vector<std::string> flags_of(const std::string& text) {
  static const std::regex flag("(^|[^a-zA-Z0-9_-])(--[a-z][a-z0-9-]*|-(" + adda_names() +
                               ")(?![a-zA-Z0-9_-]))");
  static const std::regex command("umov [a-z]+");
  std::vector<std::string> out;
  if (text.find('-') == text.npos) return out;  // regular expressions take long
  for (std::sregex_iterator i(text.begin(), text.end(), flag), end; i != end; ++i)
    if (!std::regex_search(text.begin(), text.begin() + i->position(), command)) out.push_back((*i)[2]);
  return out;
}

bool is_below_commands(const std::string& file) {
  for (const char* room :
       {"command/", "commands/", "program/", "dda/adda/", "dda/ddscat/", "dda/opendda/", "dda/translated/"})
    if (file.starts_with(room)) return false;
  return file.find("/command/") == file.npos;
}

/// Where flags are declared, and asked for by their names.
bool has_tables(const std::string& file) {
  return file.find("/case/") != file.npos || file.starts_with("cases/") || file.starts_with("parameters/");
}

bool is_known(const std::string& file, const std::string& flag) {
  for (const auto& one : known)
    if (file.starts_with(one.file) && flag.starts_with(one.flag)) return true;
  return false;
}

/// Flags named by a source, as "FILE:LINE: FLAG in 'TEXT'".
std::vector<std::string> named_by(const std::string& file, const std::string& source) {
  static const std::regex one_flag("--[a-z0-9-]+");
  std::vector<std::string> out;
  for (const auto& literal : Literals(source).all()) {
    if (has_tables(file) && std::regex_match(literal.text, one_flag)) continue;
    for (const auto& flag : flags_of(literal.text))
      if (!is_known(file, flag))
        out.push_back("src/" + file + ":" + std::to_string(literal.line) + ": " + flag + " in '" +
                      literal.text + "'");
  }
  return out;
}

TEST(FlagsInMessages, AreNamedByCommandsAlone) {
  const fs::path root = test::repository() / "src";
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".hpp" && ending != ".cpp" && ending != ".cu" && ending != ".cuh") continue;
    const std::string file = fs::relative(entry.path(), root).generic_string();
    if (!is_below_commands(file)) continue;
    ++files;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    for (const auto& found : named_by(file, text.str()))
      ADD_FAILURE() << found << "; name the parameter, as `solver.block` (docs/developer.md, Messages)";
  }
  EXPECT_GT(files, 500) << "the sources were not found";
}

TEST(FlagsInMessages, AreFoundInLiteralsAlone) {
  const auto found = [](const std::string& source) { return named_by("dda/run/x.cpp", source).size(); };
  EXPECT_EQ(found("throw BadInput(\"no room; use --cpu\");"), 1u);
  EXPECT_EQ(found("throw BadInput(\"no room; use \"\n    \"--cpu\");"), 1u);
  EXPECT_EQ(found("f(\"give a smaller \" + x + \" (-eps)\");"), 1u);
  EXPECT_EQ(found("f(R\"(x \"y\" --cpu)\");"), 1u);
  EXPECT_EQ(found("const char c = '\"'; // use --cpu\n--count; f(\"a--b\");"), 0u);
  EXPECT_EQ(found("f(\"use `machine.backend = 'cpu'`\");"), 0u);
  EXPECT_EQ(found("f(\"see umov \" \"dda --forces\");"), 0u);
  EXPECT_EQ(named_by("dda/run/x.cpp", "\n\nf(\"use --cpu\");").front(),
            "src/dda/run/x.cpp:3: --cpu in 'use --cpu'");
}

TEST(FlagsInMessages, AsNamesAreOfTables) {
  EXPECT_TRUE(named_by("dda/case/x.cpp", "exclusive(\"--cpu\", \"--gpu\");").empty());
  EXPECT_FALSE(named_by("dda/run/x.cpp", "say(\"--cpu\");").empty());
}

}  // namespace
}  // namespace umov
