// Help, the line as typed, and the case of a run to be resumed.
#include "command/command.hpp"

#include <filesystem>

#include "backend/gpus.hpp"
#include "backend/registry.hpp"
#include "comm/world.hpp"
#include "core/error.hpp"

namespace umov::command {

std::string saved_case(const std::string& folder) {
  const std::string saved = (std::filesystem::path(folder) / "resolved.toml").string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(saved, ignored))
    throw BadInput(fmt::format(
        "--resume {}: no resolved.toml there (it describes the run to continue); give the folder of an "
        "interrupted run",
        folder));
  return saved;
}

std::string only_case(const std::string& command, const std::vector<std::string>& words) {
  if (words.size() > 1)
    throw BadInput(
        fmt::format("'{}' is left over on the command line (one case file, '{}', is taken); see umov {} "
                    "--help",
                    words[1], words[0], command));
  return words.empty() ? "" : words[0];
}

void refuse_missing_gpu(const std::string& backend, int device) {
  if (device <= 0 || backend != "auto") return;
  for (const auto& b : backend::list_backends())
    if (b.name == "cuda" && !b.available)
      throw MachineFailure(
          fmt::format("`machine.device` is {}, but there is no GPU to use ({}); leave it out, or see umov "
                      "devices",
                      device, b.why_not));
}

void refuse_missing_backend(const std::string& backend) {
  if (backend != "cuda") return;
  for (const auto& b : backend::list_backends())
    if (b.name == backend && !b.available)
      throw MachineFailure(fmt::format(
          "the plan stands, but the cuda backend cannot be used here ({}); use `machine.backend = 'cpu'`",
          b.why_not));
}

namespace {

/// Whose mpirun can start this program on several ranks.
std::string describe_mpi() {
  std::string there;
  for (const auto& mpi : comm::mpi_kinds()) there += (there.empty() ? "" : ", ") + mpi;
  if (there.empty())
    return "mpi     not available: umov was built without libopenmpi-dev or libmpich-dev; install one and "
           "build again\n";
  return fmt::format("mpi     available: mpirun of {}\n", there);
}

}  // namespace

void print_devices() {
  for (const auto& backend : backend::list_backends()) {
    fmt::print("{:<7} {}\n", backend.name,
               backend.available ? std::string("available") : "not available: " + backend.why_not);
    for (std::size_t i = 0; i < backend.devices.size(); ++i)
      fmt::print("{:<7} {}: {}\n", "", i, backend.devices[i]);
  }
  if (const auto links = backend::links_of_gpus(); !links.empty()) {
    fmt::print("links   between GPUs (--gpus N)\n");
    for (const auto& line : links) fmt::print("{:<7} {}\n", "", line);
  }
  fmt::print("{}", describe_mpi());
}

}  // namespace umov::command
