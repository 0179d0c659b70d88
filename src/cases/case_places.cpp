// Where a value of a case came from, and refusals that name the place.
#include "cases/case_places.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <tuple>

#include "core/error.hpp"
#include "core/given_arrays.hpp"

namespace umov::cases {

bool CasePlaces::given_as_flag(const std::string& name) const {
  const auto at = origins_.find(name);
  return at != origins_.end() && at->second[0] == '-';
}

std::string CasePlaces::place(const std::string& name) const {
  const auto at = origins_.find(name);
  if (at == origins_.end()) return "'" + name + "'";
  return at->second[0] == '-' ? at->second : fmt::format("{}: '{}'", at->second, name);
}

std::string CasePlaces::item(const std::string& list, std::size_t i, const std::string& name) const {
  const auto at = origins_.find(fmt::format("{}[{}]", list, i));
  return fmt::format("{}{} {}", at == origins_.end() ? "" : at->second + ": ", list,
                     name.empty() ? std::to_string(i + 1) : "'" + name + "'");
}

bool CasePlaces::item_has(const std::string& list, std::size_t i, const std::string& key) const {
  return given(fmt::format("{}[{}].{}", list, i, key));
}

std::string CasePlaces::item_place(const std::string& list, std::size_t i, const std::string& key) const {
  const auto at = origins_.find(fmt::format("{}[{}].{}", list, i, key));
  return fmt::format("{}'{}' of {} {}", at == origins_.end() ? "" : at->second + ": ", key, list, i + 1);
}

void CasePlaces::exclusive(const std::string& a, const std::string& b, const std::string& why) const {
  if (given(a) && given(b))
    throw BadInput(fmt::format("{} and {} are both given ({}); leave one out", place(a), place(b), why));
}

void CasePlaces::refuse_two_devices(const std::string& gpu_flag) const {
  const std::string where = "each chooses where to compute";
  exclusive("--cpu", gpu_flag, where);
  exclusive("--cpu", "--device", where);
  for (const auto& other : {std::string("--cpu"), gpu_flag, std::string("--device")})
    if (given_as_flag("machine.backend")) exclusive("machine.backend", other, where);
}

namespace {

namespace fs = std::filesystem;

bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(path, failed), root = fs::weakly_canonical(folder, failed);
  if (failed) return false;
  const fs::path from_root = whole.lexically_relative(root);
  return !from_root.empty() && *from_root.begin() != "..";
}

/// A link to a file out of `folder`: a result of the same name would be written there.
std::string leaving_link(const fs::path& folder) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.is_symlink(failed) && !entry.is_directory(failed) && !lies_in(entry.path(), folder))
      return entry.path().string();
  return "";
}

}  // namespace

void CasePlaces::refuse_escape(const std::string& name, const std::string& folder) const {
  if (folder.empty() || !given(name) || given_as_flag(name)) return;
  const std::string advice = "; name a folder below the current one, or give it on the command line";
  const std::string& origin = origins_.at(name);  // "folder/case.toml:14"
  const fs::path beside_case =
      fs::current_path() / fs::path(origin.substr(0, origin.rfind(':'))).parent_path();
  const fs::path here = fs::current_path() / folder;  // an absolute one stays as it is
  if (!lies_in(here, beside_case) && !lies_in(here, fs::current_path()))
    throw BadInput(
        fmt::format("{} is '{}', which lies outside the current folder (a case may write only within "
                    "it){}",
                    place(name), folder, advice));
  if (const std::string link = leaving_link(here); !link.empty())
    throw BadInput(
        fmt::format("{} is '{}', where the link {} leads out of it (a result may be written through "
                    "it); remove the link, or give the folder on the command line",
                    place(name), folder, link));
}

void CasePlaces::refuse_escaping_name(const std::string& name, const std::string& file) const {
  if (file.empty() || !given(name) || given_as_flag(name)) return;
  const fs::path path = fs::path(file).lexically_normal();
  if (path.is_absolute() || *path.begin() == "..")
    throw BadInput(
        fmt::format("{} is '{}', which lies outside the folder of the results (a case may write only "
                    "there); give a name without '/' and '..', or the file on the command line",
                    place(name), file));
}

void CasePlaces::refuse_idle_machine(const run::Machine& machine) const {
  const auto& [backend, device, threads] = std::tie(machine.backend, machine.device, machine.threads);
  const bool host = backend == "serial" || backend == "cpu";
  if (device > 0 && host)
    throw BadInput(fmt::format("{} is {} with the backend '{}' (which computes on no GPU); leave one out",
                               place("machine.device"), device, backend));
  if (threads > 0 && !host && backend != "auto")
    throw BadInput(
        fmt::format("{} is {} with the backend '{}' (which has no threads to choose); leave one out",
                    place("machine.threads"), threads, backend));
  if (threads > 1 && backend == "serial")
    throw BadInput(
        fmt::format("{} is {} with the backend 'serial' (which has one); leave it out, or choose cpu",
                    place("machine.threads"), threads));
}

void CasePlaces::check_file(const std::string& where, const std::string& file, const std::string& what) {
  std::error_code ignored;
  if (file.empty() || std::filesystem::is_regular_file(file, ignored) || given_arrays(file)) return;
  if (ignored && ignored.value() != ENOENT && ignored.value() != ENOTDIR)
    throw BadInput(fmt::format("{}: '{}' cannot be read ({}; {} should be read from it); check the path",
                               where, file, ignored.message(), what));
  const bool folder = std::filesystem::is_directory(file, ignored);
  throw BadInput(fmt::format("{}: {} '{}' ({} should be read from it); check the path", where,
                             folder ? "is a folder:" : "no such file", file, what));
}

}  // namespace umov::cases
