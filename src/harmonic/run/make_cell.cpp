// From layers and textures to a cell on its grid.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "comm/world.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "harmonic/devices.hpp"
#include "harmonic/method.hpp"
#include "harmonic/run/run.hpp"
#include "harmonic/run/sunlit.hpp"
#include "harmonic/run/whole_ridges.hpp"
#include "harmonic/texture.hpp"

namespace umov::harmonic {

namespace {

constexpr double most_cells = 4e9;

/// Cells along z where the case does not say: 20 per wavelength in the densest medium that is no metal.
double default_cell(const Simulation& sim, const Media& media) {
  double shortest = std::numeric_limits<double>::max();
  for (const double w : sim.wavelengths)
    for (const cplx eps : media.of_cell(sim, w))
      if (eps.real() > 0) shortest = std::min(shortest, w / std::sqrt(eps).real());
  return shortest / 20;
}

/// Random heights finer than the grid are noise to it.
void check_correlation(const TextureSpec& t, double dx, double dy, std::vector<std::string>& warnings) {
  const double cell = std::max(dx, dy);
  if (t.kind != TextureKind::gaussian || t.rms == 0 || t.correlation_length >= 4 * cell) return;
  const auto text = [&](const char* ending) {
    return fmt::format(
        "the texture above '{}' has a correlation length of {:g} um (cells are {:.3g} um wide there{}",
        t.above, t.correlation_length, cell, ending);
  };
  if (t.correlation_length < cell)
    throw BadInput(
        text(", which is all that the grid can show); give a longer one or a smaller cell_lateral"));
  warnings.push_back(text("; four of them show its slopes); choose a smaller cell_lateral"));
}

/// Where an interface cannot have its heights because the one above reaches below them.
void tell_pushed(const Simulation& sim, const LayeredCell& cell, std::vector<std::string>& warnings) {
  const auto& g = cell.grid;
  const int columns = 2 * g.nx, rows = g.ny > 1 ? 2 * g.ny : 1;
  for (std::size_t n = 1; n < cell.interfaces.size(); ++n) {
    index_t pushed = 0;
    double most = 0;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        for (const Side side : {Side::before, Side::after}) {
          const double by = cell.depth_at(n, column, row, side) -
                            cell.interfaces[n].depth_at(std::size_t(row) * columns + column, side);
          if (by < 1e-6 * g.spacing[2]) continue;
          ++pushed;
          most = std::max(most, by);
        }
    if (pushed > 0)
      warnings.push_back(
          fmt::format("the upper side of '{}' is pushed down in {:.2g} % of the period, by {:.3g} um at "
                      "most: an interface "
                      "above reaches below it, and '{}' has no thickness there",
                      n < sim.layers.size() ? sim.layers[n].name : "substrate",
                      50.0 * double(pushed) / (columns * rows), most, sim.layers[n - 1].name));
  }
}

/// Longest wavelength there: how deep absorbing layers are. In a metal it is the skin depth that counts, 2 pi
/// of them.
double longest_wave(const Simulation& sim, const Media& media, const std::string& name) {
  double longest = 0;
  for (const double w : sim.wavelengths)
    longest = std::max(longest, w / std::abs(std::sqrt(media.permittivity(name, w))));
  return longest;
}

std::size_t interface_of(const Simulation& sim, const TextureSpec& t) {
  const auto l =
      std::find_if(sim.layers.begin(), sim.layers.end(), [&](const auto& x) { return x.name == t.above; });
  return std::size_t(l - sim.layers.begin());
}

std::vector<Interface> textured_interfaces(const Simulation& sim, const std::vector<double>& depths, int nx,
                                           int ny) {
  std::vector<Interface> out;
  for (const double d : depths) out.push_back({d, {}, {}});
  for (TextureSpec t : sim.textures) {
    if (t.kind == TextureKind::conformal) continue;
    t.fill = whole_fill(t.fill, nx);
    auto& interface = out[interface_of(sim, t)];
    interface = textured(t, nx, ny, sim.period[0], sim.period[1], interface.depth);
  }
  for (std::size_t i = 1; i < out.size(); ++i)
    for (const auto& t : sim.textures)
      if (t.kind == TextureKind::conformal && interface_of(sim, t) == i)
        out[i] = {depths[i], out[i - 1].height, out[i - 1].beside};
  return out;
}

}  // namespace

LayeredCell make_cell(const Simulation& sim, const Media& media) {
  const double dz = sim.cell > 0 ? sim.cell : default_cell(sim, media),
               lateral = sim.cell_lateral > 0 ? sim.cell_lateral : dz;
  const auto cells = [&](double period) {
    return period > 0 ? std::max(2.0, std::round(period / lateral)) : 1.0;
  };
  double nx = cells(sim.period[0]);
  const double ny = cells(sim.period[1]);
  if (sim.cell_lateral == 0 && nx > 1 && nx < 1e6) nx = columns_for_ridges(sim, int(nx));
  std::vector<double> depths{0};
  for (const auto& layer : sim.layers) depths.push_back(depths.back() + layer.thickness);
  if (nx * ny * depths.back() / dz > most_cells || nx * ny > 1e8)
    throw BadInput(fmt::format(
        "the grid has {:g} x {:g} columns of {:g} cells (more than any machine holds); choose larger "
        "cells or a shorter period",
        nx, ny, depths.back() / dz));
  auto interfaces = textured_interfaces(sim, depths, int(nx), int(ny));
  double rise = 0, fall = 0;
  for (const auto& interface : interfaces)
    for (const double h : interface.height) {
      rise = std::max(rise, -(interface.depth + h));
      fall = std::max(fall, interface.depth + h - depths.back());
    }
  auto cell =
      LayeredCell::make(depths, {nx > 1 ? sim.period[0] / nx : dz, ny > 1 ? sim.period[1] / ny : dz, dz},
                        int(nx), int(ny), sim.open_ends() ? 0 : longest_wave(sim, media, sim.superstrate),
                        sim.open_ends() ? 0 : longest_wave(sim, media, sim.substrate), rise, fall);
  cell.interfaces = std::move(interfaces);
  return cell;
}

namespace {

/// Ranks of the run that share this machine's memory.
int ranks_here(const run::Machine& machine) {
  if (const comm::World* world = comm::world()) return world->local_size();
  if (machine.ranks.gpus == comm::Asked::all) return int(devices_of("cuda").size());
  return std::max({1, machine.ranks.ranks, machine.ranks.gpus});
}

EngineRequest engine_request(const Simulation& sim, const run::Machine& machine) {
  EngineRequest out{resolved_backend(machine.backend),
                    machine.threads,
                    machine.device,
                    sim.precision,
                    sim.tile,
                    sim.tile_overlap,
                    sim.solver};
  // what a GPU has is its engine's to say
  if (out.backend != "cuda") out.room = double(available_memory()) / ranks_here(machine);
  return out;
}

}  // namespace

void require_memory(const Plan& plan, const run::Machine& machine) {
  const double here = (plan.memory.host > 0 ? plan.memory.host : plan.memory.device) * ranks_here(machine);
  umov::require_memory(std::size_t(here), "this cell",
                       "use larger cells, a shorter period, or `machine.precision = 'float'`");
}

namespace {

DeviceQuestion device_question(const Simulation& sim, const run::Machine& machine, const Plan& plan,
                               bool metal_is_rough) {
  DeviceQuestion q;
  q.device = machine.device;
  q.there = devices_of(plan.request.backend);
  q.rows = sim.wavelengths.size() * sim.angle.size() * sim.azimuth.size();
  q.host_bytes = plan.memory.host;
  q.host_free = double(available_memory()) / ranks_here(machine);
  q.device_bytes = plan.memory.device;
  // gmres takes all the room there is, and where metal is rough iterations outlast all else by far
  q.rows_at_once =
      plan.request.backend != "cuda" || (metal_is_rough && sim.rows_at_once == 0) ? 1 : sim.rows_at_once;
  if (plan.request.backend != "cuda") return q;
  q.device_free = least_free_memory(machine.device >= 0 ? std::vector<int>{machine.device} : q.there);
  return q;
}

}  // namespace

Plan plan(const Simulation& sim, const run::Machine& machine) {
  const Media media(sim);
  Plan out;
  out.cell = make_cell(sim, media);
  out.warnings = media.warnings();
  out.notes = media.sources();
  const auto& g = out.cell.grid;
  out.top = g.source + 1;  // above there is no incident wave in the fields
  out.planes = g.nz - g.absorbing[1] - out.top;
  out.cuts = place_cuts(sim, out.cell, out.top, out.top + out.planes);
  const auto [begin, end] = out.cell.rough_planes();
  Problem p;
  p.grid = g;
  p.rough_begin = begin;
  p.rough_end = end;
  p.metal_is_rough = out.cell.signs_mix(media.of_cell(sim, sim.wavelengths.back()), begin, end);
  out.request = engine_request(sim, machine);
  out.memory = estimated_memory(sim.method, p, out.request);
  auto choice = choose_devices(device_question(sim, machine, out, p.metal_is_rough));
  out.devices = std::move(choice.devices);
  if (!choice.note.empty()) out.notes.push_back(choice.note);
  double coarsest = std::numeric_limits<double>::max();
  for (const double w : sim.wavelengths)
    for (const cplx eps : media.of_cell(sim, w))
      if (eps.real() > 0)
        coarsest = std::min(
            coarsest, w / std::sqrt(eps).real() /
                          std::max({g.spacing[2], g.nx > 1 ? g.spacing[0] : 0, g.ny > 1 ? g.spacing[1] : 0}));
  for (const auto& t : sim.textures) {
    check_correlation(t, g.spacing[0], g.ny > 1 ? g.spacing[1] : 0, out.warnings);
    const bool none = t.kind == TextureKind::gaussian   ? t.rms == 0
                      : t.kind == TextureKind::lamellar ? t.height == 0 || t.fill == 0 || t.fill == 1
                                                        : t.kind == TextureKind::picture && t.height == 0;
    if (none) out.notes.push_back(fmt::format("the texture above '{}' is flat: it has no heights", t.above));
  }
  tell_moved_walls(sim, g.nx, out.warnings, out.notes);
  std::vector<bool> metals;
  for (const cplx eps : media.of_cell(sim, sim.wavelengths.back())) metals.push_back(eps.real() < 0);
  tell_metal_corners(sim, metals, out.warnings);
  tell_pushed(sim, out.cell, out.warnings);
  tell_dark(sim, out.warnings);
  if (coarsest < 10)
    out.warnings.push_back(
        fmt::format("there are only {:.3g} cells per wavelength in the densest medium (errors fall with "
                    "the square of the cell; 20 give about 0.5 % of the incident power); choose smaller "
                    "cells",
                    coarsest));
  if (end > begin)
    out.notes.push_back(
        fmt::format("{} of {} planes are rough: iterations run over these", end - begin, g.nz));
  return out;
}

}  // namespace umov::harmonic
