// Warnings of a command, finished runs, used folders.
#include "command/perform.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/console.hpp"
#include "run/case_differences.hpp"
#include "run/finished.hpp"

namespace umov::command {

namespace {

/// Whether a difference is of what is run, not of where and how.
bool matters(const run::CaseDifference& d, const ParameterList* table) {
  if (!d.now) return false;
  if (!table)
    return d.there && d.section != "[machine]" && d.section != "[output]" && d.section != "[checkpoint]";
  const ParameterInfo* info = table->find(d.parameter());
  return info && info->concern != Concern::machine && (d.there || *d.now != info->default_text);
}

}  // namespace

std::string difference_to(const std::string& folder, const std::string& resolved,
                          const ParameterList* table) {
  std::ifstream file(folder + "/resolved.toml");
  std::ostringstream text;
  if (!(text << file.rdbuf())) return {};
  for (const auto& d : run::case_differences(text.str(), resolved))
    if (matters(d, table))
      return fmt::format("{}: {} there, {} now", d.place(), d.words(d.there), d.words(d.now));
  return {};
}

void refuse_finished(const std::string& folder, const std::string& what) {
  throw BadInput(
      fmt::format("{}: the run there is finished, of another case ({}); give this case a folder of its own",
                  folder, what));
}

Exit tell_finished(const std::string& folder, const std::string& resolved, const ParameterList* table) {
  if (const std::string what = difference_to(folder, resolved, table); !what.empty())
    refuse_finished(folder, what);
  fmt::print("the run in {} is finished; its results are there\n", folder);
  return Exit::done;
}

bool is_there(const run::Machine& machine, const std::string& checkpoint) {
  const std::string& folder = machine.output_dir;
  return machine.checkpoint.resume && !checkpoint.empty() && !folder.empty() &&
         run::has_finished(folder, (std::filesystem::path(folder) / checkpoint).string());
}

void remove_quietly(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

std::string warn_if_used(const OutputFolder& folder, bool resume) {
  if (!folder.used_before() || resume) return {};
  const std::string text =
      fmt::format("folder {} is not empty; the files of its last run are replaced or removed, others stay",
                  folder.path());
  warn(text);
  return text;
}

}  // namespace umov::command
