// What is computed for S-parameters: ports and modes, the pulse, and the runs as cases of a sweep.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fdtd/machine.hpp"
#include "fdtd/outcome.hpp"
#include "parameters/parameters.hpp"
#include "sweep/sweep.hpp"

namespace umov::s_parameters {

/// A mode of a port: a row and a column of the matrix.
struct Channel {
  std::string port;
  int mode = 1;
  double reference = 0;  ///< from the port's plane to its reference plane, outward; units
  bool operator==(const Channel&) const = default;
};

/// "west", or with several modes in the matrix "west:2".
std::vector<std::string> names_of(const std::vector<Channel>&);
/// Name of the monitor of a channel.
std::string monitor_of(const Channel&);

struct Setup {
  std::vector<Channel> channels;     ///< port after port, modes within
  std::vector<std::size_t> excited;  ///< those with a run, in that order
  std::vector<double> frequencies;   ///< c / unit, ascending
  double unit_um = 1;
  double left = 0;  ///< what the end of the runs may change of amplitudes, about
  sweep::Sweep sweep;
  std::shared_ptr<const fdtd::Outcome> model;  ///< the first run as it is planned: model, grid, ports
  std::vector<std::string> notes;
  std::vector<std::string> warnings;  ///< of the first run, which says them itself
  std::vector<std::string> doubts;    ///< of the ports
  double bytes = 0;                   ///< estimate of what a run takes

  bool complete() const { return excited.size() == channels.size(); }
};

/// Cells between a port's plane and the source behind it, where the case has no other distance.
inline constexpr int default_offset = 4;

/// The runs of a checked case that asks for S-parameters: each an ordinary case of `umov fdtd` with a pulse
/// as mode source behind one port and a mode monitor for each channel. Throws BadInput: ports that are not
/// there, two in one plane, no room for a source, a pulse without the wavelengths. `origins`: of the case,
/// for messages.
Setup make_setup(const fdtd::Simulation&, const fdtd::Machine&, const Origins& origins = {});

/// What a run says of its source, in words of ports: the case has no such source.
std::string told_of_ports(std::string text);

}  // namespace umov::s_parameters
