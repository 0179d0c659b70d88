// Directions around a particle.
#include "dda/output/marks.hpp"

#include <fmt/format.h>

namespace umov::dda {

namespace {

std::string beam_text(const Simulation& sim, const Vec3& along) {
  const auto how = [&]() -> std::string {
    switch (sim.beam.kind) {
      case BeamKind::plane:
        return "plane wave";
      case BeamKind::dipole:
        return "point dipole";
      case BeamKind::read:
        return "field from a file";
      default:
        return fmt::format("Gaussian beam, waist {:.4g} um", sim.beam.width);
    }
  };
  std::string text = fmt::format("{} along ({:.4g}, {:.4g}, {:.4g}) of the particle's frame", how(), along[0],
                                 along[1], along[2]);
  const Orientation& o = sim.orientation;
  if (!o.average && (o.alpha != 0 || o.beta != 0 || o.gamma != 0))
    text += fmt::format("; the particle is turned by alpha = {:g}, beta = {:g}, gamma = {:g} degrees",
                        o.alpha, o.beta, o.gamma);
  return text;
}

/// Half of the box's diagonal (um).
double reach_of(const shapes::Particle& p) {
  return 0.5 * norm(Vec3{p.box[0] * p.spacing[0], p.box[1] * p.spacing[1], p.box[2] * p.spacing[2]});
}

bool is_turned(const BeamFrame& f) {
  constexpr double rounding = 1e-12;
  return std::abs(f.ez_lab[2] - 1) > rounding || std::abs(f.ex_lab[0] - 1) > rounding;
}

}  // namespace

std::vector<DrawnArrow> arrows_of(const Simulation& sim, const shapes::Particle& particle,
                                  const BeamFrame& frame, std::string_view labels) {
  std::vector<DrawnArrow> list;
  const Vec3& along = frame.propagation;
  list.push_back({"source", "beam", beam_text(sim, along), frame.beam_center, along});
  const double reach = reach_of(particle);
  // Fields from files have no polarization of their own, a dipole points along the propagation.
  if (sim.beam.kind != BeamKind::read && sim.beam.kind != BeamKind::dipole)
    for (const char label : labels)
      list.push_back({"polarization", std::string(1, label),
                      fmt::format("electric field of incidence {}", label),
                      frame.beam_center - 1.2 * reach * along, frame.polarization(label)});
  if (!is_turned(frame)) return list;
  const Vec3 corner =
      -0.5 * Vec3{particle.box[0] * particle.spacing[0], particle.box[1] * particle.spacing[1],
                  particle.box[2] * particle.spacing[2]};
  const Vec3* axes[] = {&frame.ex_lab, &frame.ey_lab, &frame.ez_lab};
  for (int a = 0; a < 3; ++a)
    list.push_back({"axis", fmt::format("lab {}", "xyz"[a]), fmt::format("{} of the laboratory", "xyz"[a]),
                    corner, *axes[a]});
  return list;
}

void add_marks(results::Result& r, const Outcome& o) {
  const Simulation& sim = o.simulation;
  if (sim.orientation.average) return;
  std::string labels;
  for (const auto& p : o.polarizations) labels += p.label;
  const BeamFrame frame = make_beam_frame(sim.propagation, sim.orientation, sim.beam.center);
  for (const DrawnArrow& d : arrows_of(sim, o.particle, frame, labels)) {
    std::vector<double> rows(d.center.begin(), d.center.end());
    rows.insert(rows.end(), 3, 0.0);
    rows.insert(rows.end(), d.arrow.begin(), d.arrow.end());
    r.add(fmt::format("marks/{}/{}", d.role, d.name), "um", d.text, std::move(rows), {3, 3});
  }
}

}  // namespace umov::dda
