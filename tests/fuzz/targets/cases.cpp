// Cases and command lines: from text to a simulation, and its resolved case read again.
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/adda/front.hpp"
#include "dda/command/front.hpp"
#include "eqs/command/front.hpp"
#include "fdtd/command/front.hpp"
#include "fuzz/target.hpp"
#include "harmonic/command/command.hpp"
#include "parameters/tree.hpp"

namespace umov {
namespace {

/// What was accepted once is accepted again, and means the same.
template <class Parse>
void read_twice(const std::string& path, const Parse& parse) {
  const std::vector<std::string> args{path};
  const std::string resolved = resolved_toml(parse(args).simulation);
  std::ofstream(path) << resolved;
  std::string again;
  try {
    again = resolved_toml(parse(args).simulation);
  } catch (const BadInput& e) {
    throw std::logic_error(std::string("a resolved case is refused: ") + e.what() + "\n" + resolved);
  }
  if (again != resolved) throw std::logic_error("a resolved case is another case:\n" + resolved + again);
}

/// The text of the tree is read again as the same tree; null has no word in TOML.
void write_twice(const Tree& tree) {
  const std::string text = toml_text(tree);
  if (text.find("null") != text.npos) return;
  if (toml_text(tree_of_toml(text, "again")) != text)
    throw std::logic_error("a tree is another one:\n" + text);
}

}  // namespace

FUZZ_TARGET(dda_case, ".toml") { read_twice(path, dda::parse); }
FUZZ_TARGET(fdtd_case, ".toml") { read_twice(path, fdtd::parse); }
FUZZ_TARGET(harmonic_case, ".toml") { read_twice(path, harmonic::parse); }
FUZZ_TARGET(eqs_case, ".toml") { read_twice(path, eqs::parse); }

FUZZ_TARGET(case_tree, ".toml") { write_twice(tree_of_toml_file(path)); }
FUZZ_TARGET(case_json, ".json") {
  std::ifstream in(path, std::ios::binary);
  write_twice(tree_of_json({std::istreambuf_iterator<char>(in), {}}, path));
}

/// The words of a command line, one a line.
FUZZ_TARGET(adda_line, ".txt") {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto words = split(text, '\n');
  dda::adda::parse_adda_command(words);
}

}  // namespace umov
