// Commands that take another program's input.
#include "dda/translated/translated.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "comm/world.hpp"
#include "command/command.hpp"
#include "command/perform.hpp"
#include "command/spelling.hpp"
#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/text.hpp"
#include "dda/case/many.hpp"

namespace umov::dda {

namespace {

namespace fs = std::filesystem;

/// The words of the command line.
struct Words {
  std::string input, toml;         ///< the file; where `--to-toml` writes
  std::vector<std::string> flags;  ///< those of `umov dda`
};

/// Parameters that the other program's file decides.
bool is_of_file(const std::string& name) {
  for (const char* section : {"shape.", "material.", "source.", "orientation."})
    if (name.starts_with(section)) return true;
  static const std::set<std::string> others{"wavelength", "medium", "--shape-file", "--shape-sphere-size"};
  return others.count(name) > 0;
}

Words split_words(const TranslatedCommand& c, std::span<const std::string> args) {
  Words w;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string flag = "--to-toml";
    if (args[i] == flag) {
      if (i + 1 == args.size())
        throw BadInput("--to-toml needs the name of a file; give --to-toml case.toml");
      w.toml = args[++i];
    } else if (args[i].starts_with(flag + "=")) {
      w.toml = args[i].substr(flag.size() + 1);
    } else {
      w.flags.push_back(args[i]);
    }
  }
  Case unused;
  Origins origins;
  w.input = command::only_case(c.name, parameters().read_flags(w.flags, unused, origins));
  parameters().refuse_idle(&unused, origins);
  for (const auto& [name, origin] : origins)
    if (name == "accuracy" || name == "accuracy_time")
      throw BadInput(fmt::format(
          "{}: the file's grid is the one that is computed; write the case with --to-toml FILE and give "
          "an accuracy to umov dda, one case at a time",
          origin));
    else if (is_of_file(name))
      throw BadInput(
          fmt::format("{}: the file says that; change it there, or write the case with --to-toml FILE and "
                      "give the flag to umov dda",
                      origin));
  if (!w.toml.empty() && fs::path(w.toml).extension() != ".toml")
    throw BadInput(fmt::format("--to-toml {}: the name does not end with .toml; give one that does", w.toml));
  return w;
}

/// Flags over the file.
void apply_flags(Translation& t, std::span<const std::string> flags) {
  Origins given;
  parameters().read_flags(flags, t.given, given);
  for (const auto& [name, origin] : given) t.origins[name] = origin;
}

/// Directions of scattering for a case of `umov dda`, which reads them from a file.
void add_directions(Translation& t) {
  if (t.directions.empty()) return;
  Outputs& o = t.given.simulation.outputs;
  o.store_scat_grid = true;
  o.scat_grid_file = "directions.dat";
  o.case_folders = !t.given.lists.empty();
  t.files.push_back({o.scat_grid_file, directions_text(t.directions)});
}

Exit write_toml(Translation t, const Words& words) {
  add_directions(t);
  const fs::path path(words.toml);
  const std::string prefix = path.stem().string() + "_";
  const std::string text = to_toml(t, prefix);
  place_files(t, path.parent_path().string(), prefix);
  write_file(words.toml, text);
  fmt::print("{}{}\nrun it with umov dda {}\n", words.toml,
             t.files.empty()
                 ? ""
                 : fmt::format(" and {} file{} beside it", t.files.size(), t.files.size() > 1 ? "s" : ""),
             words.toml);
  return Exit::done;
}

/// A remark in the case of a run: a digest of the input's text and of all that it stands for.
std::string input_remark(const TranslatedCommand& c, const std::string& input, const Translation& t) {
  Digest digest;
  digest.add_file(input);
  Translation bare = t;  // without names of files, which change with the folder that it is called from
  bare.origins.clear();
  bare.remarks.clear();
  bare.source.clear();
  bare.files.push_back({"case", to_toml(bare, "") + directions_text(t.directions)});
  for (const Companion& file : bare.files)
    for (const std::string& line : split(file.text, '\n'))
      if (!line.starts_with('#')) digest.add(line + "\n");
  return fmt::format("# input of umov {}: {:016x}\n", c.name, digest.value());
}

/// Throws BadInput where the finished run in the folder had other input. One without the remark, of an
/// earlier version, does not say.
void require_input(const std::string& folder, const std::string& input, const std::string& remark) {
  std::ifstream in(folder + "/resolved.toml");
  const std::string begin = remark.substr(0, remark.rfind(' '));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(begin) && line + "\n" != remark)
      command::refuse_finished(folder, input + ", or a file that it names, has changed");
}

/// A folder of its own for the files of a dry run.
class PassingFolder {
 public:
  PassingFolder() {
    std::string name = (fs::temp_directory_path() / "umov_XXXXXX").string();
    if (!::mkdtemp(name.data())) refuse_path(name, errno);
    path_ = name;
  }
  ~PassingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::string light_lines(cplx x, cplx y, const Translation& t) {
  Digest directions;
  directions.add(directions_text(t.directions));
  return fmt::format("polarization: {} {} i, {} {} i\ndirections: {}, {:016x}\n", shortest(x.real()),
                     shortest(x.imag()), shortest(y.real()), shortest(y.imag()), t.directions.size(),
                     directions.value());
}

Request placed_request(Translation t, std::span<const std::string> flags, const std::string& folder,
                       bool write) {
  place_files(t, folder, "", write);
  apply_flags(t, flags);
  Request r;
  r.given = t.given;
  r.cases = finish_cases(r.given, t.origins);
  r.simulation = r.cases.front();
  return r;
}

int translated_command(const TranslatedCommand& c, std::span<const std::string> args) {
  speak([flags = command::by_flags(parameters())](const std::string& name, const std::string& value) {
    return is_of_file(name) ? "" : flags(name, value);
  });
  Words words = split_words(c, args);
  Request request;
  Origins unused;
  parameters().read_flags(words.flags, request.given, unused);
  const bool asks = request.given.help || request.given.help_markdown || request.given.list_devices;
  ManyExtras extras;
  Translation t;
  if (!asks) {
    if (words.input.empty()) words.input = c.input;
    t = c.read(words.input, extras);
    if (!words.toml.empty()) {
      apply_flags(t, words.flags);
      return static_cast<int>(comm::talks() ? write_toml(std::move(t), words) : Exit::done);
    }
  }
  // Only the flags are known: the case is finished where its files lie.
  request.simulation = request.given.simulation;
  std::vector<std::string> files;
  extras.command = fmt::format("umov {} {}", c.name, words.input);
  extras.stem = t.stem;
  if (!asks) extras.remark = input_remark(c, words.input, t);
  extras.place = [&](const std::string& folder, bool write) {
    if (write)
      for (const Companion& file : t.files) files.push_back(folder + "/" + file.name);
    Request r = placed_request(t, words.flags, folder, write);
    r.given.machine.output_dir = folder;
    return r;
  };
  extras.saved = [&] {
    require_input(request.given.machine.output_dir, words.input, extras.remark);
    std::vector<std::string> flags = words.flags;
    std::erase(flags, words.input);
    return parse(flags);
  };
  extras.withdraw = [&] {
    for (const auto& file : files) command::remove_quietly(file);
  };
  const auto plan = [&](const Request&) {
    const PassingFolder folder;
    print_plan_many(placed_request(t, words.flags, folder.path()));
  };
  return command::answer(c.name, args, c.usage.c_str(), parameters(), request, plan,
                         [&](const Request& r) { return execute_many(r, extras); });
}

}  // namespace umov::dda
