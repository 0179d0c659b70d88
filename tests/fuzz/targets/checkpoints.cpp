// Checkpoints: a small run of each family is stopped, its file changed as the input says, and the run
// continued.
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "core/checked_file.hpp"
#include "core/error.hpp"
#include "dda/command/front.hpp"
#include "dda/run/run.hpp"
#include "eqs/command/front.hpp"
#include "eqs/run/run.hpp"
#include "fdtd/command/front.hpp"
#include "fdtd/run/run.hpp"
#include "fuzz/target.hpp"
#include "support/temp_folder.hpp"

namespace umov {
namespace {

using fuzz::Bytes;

Bytes bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The input is a list of changes: place (2 bytes), number of bytes, the bytes; number 255 cuts the file
/// there. A file of its own would be worthless after the next change of a format or of a default.
Bytes changed(Bytes file, const Bytes& input) {
  for (std::size_t at = 0; at + 3 <= input.size() && !file.empty();) {
    const std::size_t place = (input[at] + 256u * input[at + 1]) % file.size(), count = input[at + 2];
    at += 3;
    if (count == 255) file.resize(place);
    for (std::size_t k = 0; count < 255 && k < count && at < input.size(); ++k, ++at)
      if (place + k < file.size()) file[place + k] = input[at];
  }
  return file;
}

/// A run with its checkpoint: made once, continued from a changed file for every input.
template <class Simulation, class Observer, class Machine = run::Machine>
class Resumed {
 public:
  using Run = std::function<void(const Simulation&, const Machine&, const Observer&)>;

  template <class Parse>
  Resumed(const std::string& toml, const Parse& parse, const std::string& name, const Observer& stop, Run run)
      : run_(std::move(run)), file_(folder_ / name) {
    const std::vector<std::string> args{folder_ / "case.toml"};
    std::ofstream(args[0]) << toml;
    try {
      const auto request = parse(args);
      simulation_ = request.simulation;
      if constexpr (requires { request.given.machine; }) machine_ = request.given.machine;
    } catch (const BadInput& e) {  // of a target, no answer to an input
      throw std::logic_error(e.what());
    }
    set_folder(simulation_);
    machine_.output_dir = folder_.path.string();
    if constexpr (requires { machine_.checkpoint_dir; }) machine_.checkpoint_dir = machine_.output_dir;
    try {
      run_(simulation_, machine_, stop);
    } catch (const run::Interrupted&) {
    }
    whole_ = bytes_of(file_);
    if (whole_.empty()) throw std::logic_error("no checkpoint was left in " + file_);
    whole_.resize(checked_size(file_, "checkpoint"));
    if constexpr (requires { simulation_.checkpoint; }) simulation_.checkpoint.resume = true;
    machine_.checkpoint.resume = true;
  }

  void operator()(const std::string& path) {
    const Bytes file = changed(whole_, bytes_of(path));
    CheckedFile out(file_);  // with a new digest: the old one refuses every change at the door
    out.write({reinterpret_cast<const char*>(file.data()), file.size()});
    out.commit();
    try {
      run_(simulation_, machine_, {});
    } catch (const fdtd::Diverged&) {
    }
  }

 private:
  template <class Other>
  void set_folder(Other&) {}

  test::TempFolder folder_;
  Run run_;
  std::string file_;
  Simulation simulation_;
  Machine machine_;
  Bytes whole_;
};

constexpr const char* dda_toml = R"([shape]
grid = [4, 0, 0]
[[material]]
m = [1.5, 0.1]
[checkpoint]
kind = "normal"
interval = 1000
[machine]
backend = "serial"
)";

constexpr const char* fdtd_toml = R"([domain]
size = [2]
resolution = 10
[[source]]
kind = "point"
component = "Ez"
center = [-0.3]
waveform = "gaussian"
frequency = 1.0
width = 0.5
[[monitor]]
kind = "flux"
name = "flux"
center = [0.4]
frequency_from = 0.5
frequency_to = 1.5
frequency_count = 3
[[monitor]]
kind = "series"
name = "series"
center = [0.2]
fields = ["Ez"]
[[monitor]]
kind = "snapshot"
name = "frames"
fields = ["Ez"]
every = 0.4
[run]
normalize = true
[stop]
steps = 60
[output]
animation = true
frames = 5
[machine]
backend = "serial"
)";

constexpr const char* eqs_toml = R"([geometry]
kind = "layers"
width = 1e-3
elements_across = 1
[[layer]]
region = "varistor"
thickness = 2e-3
elements = 2
[[layer]]
region = "insulator"
thickness = 2e-3
elements = 2
[[material]]
name = "varistor"
permittivity = 12
conductivity = "microvaristor"
[[material]]
name = "insulator"
permittivity = 4
[[electrode]]
name = "high"
groups = ["bottom"]
rms = 10e3
[[electrode]]
name = "low"
groups = ["top"]
kind = "ground"
[[point]]
name = "p"
at = [0.5e-3, 0.5e-3, 1e-3]
[[line]]
name = "l"
points = [[0.5e-3, 0.5e-3, 0], [0.5e-3, 0.5e-3, 4e-3]]
samples = 5
[[surface]]
group = "bottom"
[[cut]]
normal = "y"
position = 0.5e-3
pixels = 50
[time]
periods = 0.2
[machine]
backend = "serial"
)";

/// Says "go on" until it was asked so often.
auto countdown(int calls) {
  return [left = std::make_shared<int>(calls)](const auto&...) { return --*left > 0; };
}

dda::RunObserver stop_dda() {
  dda::RunObserver o;
  o.iteration = countdown(3);
  return o;
}

fdtd::RunObserver stop_fdtd() {
  fdtd::RunObserver o;
  o.step = countdown(4);
  return o;
}

eqs::RunObserver stop_eqs() {
  eqs::RunObserver o;
  o.time = countdown(3);
  return o;
}

}  // namespace

FUZZ_TARGET(dda_checkpoint, ".changes") {
  static Resumed<dda::Simulation, dda::RunObserver, dda::Machine> run(
      dda_toml, dda::parse, "checkpoint-Y", stop_dda(),
      [](const dda::Simulation& s, const dda::Machine& m, const dda::RunObserver& o) { dda::run(s, m, o); });
  run(path);
}

FUZZ_TARGET(fdtd_checkpoint, ".changes") {
  static Resumed<fdtd::Simulation, fdtd::RunObserver, fdtd::Machine> run(
      fdtd_toml, fdtd::parse, "checkpoint", stop_fdtd(),
      [](const fdtd::Simulation& s, const fdtd::Machine& m, const fdtd::RunObserver& o) {
        fdtd::run(s, m, o);
      });
  run(path);
}

FUZZ_TARGET(eqs_checkpoint, ".changes") {
  static Resumed<eqs::Simulation, eqs::RunObserver> run(
      eqs_toml, eqs::parse, "checkpoint", stop_eqs(),
      [](const auto& s, const auto& m, const auto& o) { eqs::run(s, m, o); });
  run(path);
}

}  // namespace umov
