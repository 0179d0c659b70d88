#include "s_parameters/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/case_places.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/model/layout_ports.hpp"
#include "fdtd/monitors/mode.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/scene.hpp"
#include "s_parameters/ports.hpp"

namespace umov::s_parameters {

using fdtd::FoundPort, fdtd::Simulation, fdtd::SourceSpec, fdtd::Waveform;

namespace {

/// Runs end where transforms change by less than this between passages of the domain, if the case says
/// nothing. The energy does not tell: waves without speed, near cutoff or the shortest of the grid, stay when
/// all that is measured has gone by. Between metal plates these make changes of some 1e-4.
constexpr double default_change = 3e-4;
/// Of the pulse's amplitude at its carrier, what there has to be at each wavelength.
constexpr double least_amplitude = 1e-3;
/// Of a pulse for one wavelength: standard deviation over frequency.
constexpr double narrowest = 0.03;
/// Of the source of a run.
constexpr const char* source_name = "pulse";

std::string listed(const std::vector<FoundPort>& ports) {
  std::vector<std::string> names;
  for (const FoundPort& p : ports) names.push_back(p.name);
  return names.empty() ? "none" : join(names, ", ");
}

/// Keys of [s_parameters] as messages name them, by where they stand in the case.
class Keys : cases::CasePlaces {
 public:
  explicit Keys(const Origins& origins) : cases::CasePlaces(origins) {}
  std::string operator()(const char* key) const {
    const std::string name = std::string("s_parameters.") + key;
    return given(name) && !given_as_flag(name) ? place(name) : "`" + name + "`";
  }
};

const FoundPort& port_named(const std::vector<FoundPort>& ports, const std::string& name,
                            const std::string& key) {
  const auto found = std::ranges::find(ports, name, &FoundPort::name);
  if (found == ports.end())
    throw BadInput(
        fmt::format("{} names the port '{}', which is not there (there are: {}); name one of these", key,
                    shortened(name), listed(ports)));
  return *found;
}

/// Those of the matrix, in its order.
std::vector<FoundPort> chosen_ports(const Simulation& sim, const Keys& keys) {
  const auto all = fdtd::ports_of(sim);
  if (all.empty())
    throw BadInput(
        "S-parameters are asked for, and the layout has no port; give `layout.port_layer`, or a [[port]]");
  std::vector<FoundPort> ports;
  for (const auto& name : sim.s_parameters.ports) {
    if (std::ranges::count(ports, name, &FoundPort::name))
      throw BadInput(fmt::format("{} names the port '{}' twice; leave one out", keys("ports"), name));
    ports.push_back(port_named(all, name, keys("ports")));
  }
  return ports.empty() ? all : ports;
}

/// A list has one number for all ports, or one for each.
void check_count(std::size_t count, const char* key, const std::vector<FoundPort>& ports, const Keys& keys) {
  if (count != 1 && count != ports.size())
    throw BadInput(fmt::format(
        "{} has {} numbers for {} ports ({}); give one for all, or one for each in that order, or name "
        "ports by `s_parameters.ports`",
        keys(key), count, ports.size(), listed(ports)));
}

std::vector<Channel> channels_of(const Simulation& sim, const std::vector<FoundPort>& ports,
                                 const Keys& keys) {
  const auto& s = sim.s_parameters;
  check_count(s.modes.size(), "modes", ports, keys);
  check_count(s.reference.size(), "reference", ports, keys);
  const auto of_port = [](const auto& list, std::size_t i) { return list.size() == 1 ? list[0] : list[i]; };
  std::vector<Channel> channels;
  for (std::size_t i = 0; i < ports.size(); ++i)
    for (int mode = 1; mode <= of_port(s.modes, i); ++mode)
      channels.push_back({ports[i].name, mode, of_port(s.reference, i)});
  return channels;
}

/// The channels that a word of `excite` means: of a port all, or "PORT:MODE".
std::vector<std::size_t> channels_of_word(const std::vector<Channel>& channels,
                                          const std::vector<FoundPort>& ports, const std::string& word,
                                          const std::string& key) {
  std::vector<std::size_t> out;
  const auto take = [&](const std::string& port, int mode) {
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (channels[i].port == port && (mode == 0 || channels[i].mode == mode)) out.push_back(i);
  };
  const auto colon = word.rfind(':');
  const auto mode = colon == std::string::npos ? std::nullopt : parse_integer(word.substr(colon + 1));
  if (mode && !std::ranges::count(ports, word, &FoundPort::name)) {
    take(port_named(ports, word.substr(0, colon), key).name, *mode < 1 ? -1 : int(*mode));
    if (out.empty())
      throw BadInput(
          fmt::format("{} names mode {} of '{}', which is not in the matrix; "
                      "raise `s_parameters.modes`, or name another",
                      key, *mode, word.substr(0, colon)));
    return out;
  }
  take(port_named(ports, word, key).name, 0);
  return out;
}

std::vector<std::size_t> excited_of(const Simulation& sim, const std::vector<FoundPort>& ports,
                                    const std::vector<Channel>& channels, const Keys& keys) {
  std::set<std::size_t> wanted;
  for (const auto& word : sim.s_parameters.excite)
    for (const std::size_t i : channels_of_word(channels, ports, word, keys("excite"))) wanted.insert(i);
  if (sim.s_parameters.excite.empty())
    for (std::size_t i = 0; i < channels.size(); ++i) wanted.insert(i);
  return {wanted.begin(), wanted.end()};
}

/// The source that the case has for its pulse: its only one of kind mode.
const SourceSpec* template_of(const Simulation& sim) {
  const SourceSpec* found = nullptr;
  int count = 0;
  for (const SourceSpec& s : sim.sources)
    if (s.kind == SourceSpec::Kind::mode) found = &s, ++count;
  return count == 1 ? found : nullptr;
}

double amplitude_at(const Waveform& w, double frequency) {
  const double off = (frequency - w.frequency) / (w.width * w.frequency);
  return std::exp(-off * off / 2);
}

/// A Gaussian pulse whose spectrum is at the ends of the band 14 % of what it is in the middle, and next to
/// nothing soon beyond: there modes may be cut off, which lets energy stay for long.
Waveform pulse_over(const std::vector<double>& frequencies) {
  Waveform w;
  w.kind = Waveform::Kind::gaussian;
  w.frequency = (frequencies.front() + frequencies.back()) / 2;
  w.delay = 7;  // begun at 2e-11 of its height: a step there would hold waves at every cutoff
  w.width = std::max((frequencies.back() - frequencies.front()) / 4 / w.frequency, narrowest);
  return w;
}

Waveform pulse_of(const Simulation& sim, std::vector<std::string>& notes) {
  const auto& frequencies = sim.s_parameters.frequencies;
  const SourceSpec* own = template_of(sim);
  if (!own || own->waveform.kind != Waveform::Kind::gaussian) {
    const Waveform w = pulse_over(frequencies);
    notes.push_back(fmt::format("pulse: Gaussian, frequency {:.6g}, width {:.4g}, chosen for the wavelengths",
                                w.frequency, w.width));
    return w;
  }
  for (const double f : {frequencies.front(), frequencies.back()})
    if (const double there = amplitude_at(own->waveform, f); there < least_amplitude)
      throw BadInput(fmt::format(
          "source '{}' has {:.2g} of its amplitude at the wavelength {:.6g} of `s_parameters` (its pulse is "
          "the one of all runs); raise its width, or leave the source out",
          own->name, there, 1 / f));
  notes.push_back(fmt::format("pulse: that of source '{}'", own->name));
  return own->waveform;
}

/// A case of one run with nothing of its own but the model.
fdtd::Case model_of(const Simulation& sim, const fdtd::Machine& machine) {
  fdtd::Case c = fdtd::case_of(sim);
  c.sources.clear();
  c.monitors.clear();
  c.simulation.sources.clear();
  c.simulation.monitors.clear();
  c.simulation.s_parameters = {};
  c.simulation.outputs.pictures = c.simulation.outputs.animation = false;
  c.simulation.outputs.fields.clear();
  auto& stop = c.simulation.stop;
  if (stop.steps == 0 && stop.time == 0 && stop.decay == 0 && stop.fourier == 0) {
    stop.steady = 0;  // of endless waves
    stop.fourier = default_change;
  }
  c.machine.backend = machine.backend, c.machine.threads = machine.threads;
  c.machine.device = machine.gpu();
  c.machine.split = machine.split, c.machine.cut = machine.cut;
  return c;
}

void add_source(fdtd::Case& c, const Waveform& pulse, const Channel& at, const SourceSpec* own) {
  fdtd::SourceCase source;
  source.spec.kind = SourceSpec::Kind::mode;
  source.spec.name = source_name;
  source.spec.waveform = pulse;
  source.spec.port = at.port, source.spec.mode = at.mode;
  if (own) source.spec.index_guess = own->index_guess;
  source.frequency = pulse.frequency;
  c.sources = {source};
}

void add_monitors(fdtd::Case& c, const std::vector<Channel>& channels,
                  const std::vector<double>& frequencies) {
  for (const Channel& channel : channels) {
    fdtd::MonitorCase m;
    m.spec.kind = fdtd::MonitorSpec::Kind::mode;
    m.spec.name = monitor_of(channel);
    m.spec.port = channel.port;
    m.spec.own<fdtd::ModeSpec>().mode = channel.mode;
    m.spec.frequencies = frequencies;
    c.monitors.push_back(std::move(m));
  }
}

/// From the port's plane to the source behind it.
double offset_of(const std::vector<FoundPort>& ports, const fdtd::Outcome& planned, const SourceSpec* own,
                 std::vector<std::string>& notes) {
  double dx = planned.grid.graded() ? 0 : planned.grid.dx;
  for (const FoundPort& p : ports)
    if (planned.grid.graded()) {
      const int n = planned.grid.cells[p.axis];
      dx = std::max(
          dx, planned.grid.edge(p.axis, std::clamp(int(planned.grid.index(p.axis, p.at[p.axis])), 0, n - 1)));
    }
  const bool said = own && !own->port.empty() && own->port_offset > 0;
  const double offset = said ? own->port_offset : default_offset * dx;
  if (offset < 1.5 * dx)
    throw BadInput(
        fmt::format("source '{}' stands {:.4g} behind its port (less than two cells of {:.4g}, so "
                    "that monitors would measure in the source); raise its port_offset to {:.4g}",
                    own->name, offset, dx, default_offset * dx));
  for (const FoundPort& p : ports) {
    const double room = (end_beyond(p, planned) - p.at[p.axis]) * p.sign;
    if (room < offset + dx)
      throw BadInput(fmt::format(
          "port '{}' has {:.4g} behind it up to the absorbing layer (its source stands {:.4g} behind its "
          "plane, {:.3g} cells, with a cell of its own); move the port inward, or make the domain larger{}",
          p.name, std::max(room, 0.0), offset, offset / dx,
          planned.simulation.layout ? " by `layout.margin`" : ""));
  }
  notes.push_back(fmt::format("sources stand {:.6g} behind the planes of their ports, {:.3g} cells", offset,
                              offset / dx));
  return offset;
}

void note_ports(const std::vector<FoundPort>& ports, const Simulation& placed,
                std::vector<std::string>& notes) {
  if (placed.layout) notes.insert(notes.end(), placed.layout->report.begin(), placed.layout->report.end());
  for (const FoundPort& p : ports)
    if (p.plane)
      notes.push_back(fmt::format("port '{}' at ({:.10g}, {:.10g}, {:.10g}), out along {}{}", p.name, p.at[0],
                                  p.at[1], p.at[2], p.sign > 0 ? '+' : '-', axes[p.axis]));
}

/// What a first run is refused for, with the port whose it is: all ports have monitors in it, one has the
/// source.
fdtd::Plan planned_run(const fdtd::Case& c, const Channel& at, const std::vector<Channel>& channels) {
  try {
    return fdtd::plan(fdtd::finish_case(c, {}));
  } catch (const BadInput& e) {
    const std::string text = told_of_ports(e.what());
    for (const Channel& other : channels)
      if (text.find("monitor '" + monitor_of(other) + "'") != text.npos)
        throw BadInput(fmt::format("S-parameters, port '{}': {}", other.port, text));
    throw BadInput(fmt::format("S-parameters, the run of port = {}, mode = {}: {}", at.port, at.mode, text));
  }
}

/// The first run with its source behind its port.
std::shared_ptr<const fdtd::Outcome> with_source(fdtd::Outcome planned, const FoundPort& p, double offset) {
  planned.simulation.sources.front().center[p.axis] += p.sign * offset;
  return std::make_shared<const fdtd::Outcome>(std::move(planned));
}

/// Excited channels: ports and modes that go together.
std::vector<sweep::Axis> axes_of(const Setup& setup) {
  sweep::Axis port{"port", {"source.1.port"}, {}, "", true, "excited port", false, true};
  sweep::Axis mode{"mode", {"source.1.mode"}, {}, "", true, "its mode", false, true};
  for (const std::size_t i : setup.excited) {
    port.values.emplace_back().data = setup.channels[i].port;
    mode.values.emplace_back().data = static_cast<long long>(setup.channels[i].mode);
  }
  return {port, mode};
}

void note_unused(const Simulation& sim, std::vector<std::string>& notes) {
  const auto own = template_of(sim);
  const std::size_t sources = sim.sources.size() - (own ? 1 : 0);
  if (sources + sim.monitors.size() > 0)
    notes.push_back(fmt::format("{} source(s) and {} monitor(s) of the case are not in these runs", sources,
                                sim.monitors.size()));
}

}  // namespace

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
  const bool several = std::ranges::any_of(channels, [](const Channel& c) { return c.mode > 1; });
  std::vector<std::string> names;
  for (const Channel& c : channels) names.push_back(several ? fmt::format("{}:{}", c.port, c.mode) : c.port);
  return names;
}

std::string told_of_ports(std::string text) {
  const std::string own = std::string("source '") + source_name + "'";
  for (auto at = text.find(own); at != text.npos; at = text.find(own, at))
    text.replace(at, own.size(), "the source behind the port");
  return text;
}

std::string monitor_of(const Channel& c) { return fmt::format("{}, mode {}", c.port, c.mode); }

Setup make_setup(const Simulation& sim, const fdtd::Machine& machine, const Origins& origins) {
  Setup setup;
  const Keys keys(origins);
  fdtd::Case c = model_of(sim, machine);
  Simulation placed = c.simulation;
  fdtd::apply_picture(placed);
  fdtd::apply_layout(placed);
  placed.s_parameters = sim.s_parameters;
  const auto ports = chosen_ports(placed, keys);
  setup.channels = channels_of(sim, ports, keys);
  setup.excited = excited_of(sim, ports, setup.channels, keys);
  setup.frequencies = sim.s_parameters.frequencies;
  setup.unit_um = sim.unit_um;
  const fdtd::Stop& stop = c.simulation.stop;
  setup.left = stop.decay > 0 ? std::sqrt(stop.decay) : 10 * stop.fourier;
  for (const FoundPort& p : ports) refuse_walls(p, sim);
  const SourceSpec* own = template_of(sim);
  add_source(c, pulse_of(sim, setup.notes), setup.channels[setup.excited.front()], own);
  add_monitors(c, setup.channels, setup.frequencies);
  note_ports(ports, placed, setup.notes);
  const fdtd::Plan plan = planned_run(c, setup.channels[setup.excited.front()], setup.channels);
  const fdtd::Outcome& planned = plan.outcome;
  setup.bytes = double(plan.bytes);
  for (const auto& text : planned.warnings) setup.warnings.push_back(told_of_ports(text));
  refuse_shared_planes(ports, planned);
  refuse_facing_ports(ports, planned);
  note_planes(ports, planned, setup.notes);
  setup.doubts = doubts_of(ports, planned);
  const double offset = offset_of(ports, planned, own, setup.notes);
  c.sources.front().spec.port_offset = offset;
  setup.model =
      with_source(planned, port_named(ports, setup.channels[setup.excited.front()].port, ""), offset);
  note_unused(sim, setup.notes);
  Tree base = tree_of_toml(fdtd::parameters().write_toml(c), "the case of a run");
  if (machine.device < 0)
    if (auto* table = std::get_if<Tree::Table>(&base.data); table && table->count("machine"))
      if (auto* own_machine = std::get_if<Tree::Table>(&table->at("machine").data))
        own_machine->erase("device");
  setup.sweep = sweep::make_sweep("fdtd", fdtd::parameters(), sweep::with_whole_paths(std::move(base), ""),
                                  axes_of(setup));
  return setup;
}

}  // namespace umov::s_parameters
