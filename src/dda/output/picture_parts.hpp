// Captions, and panels that appear in more than one picture of a dipole run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dda/outcome.hpp"
#include "dda/output/pictures.hpp"
#include "pictures/canvas.hpp"
#include "pictures/sheet.hpp"

namespace umov::dda {

/// "1.5" or "1.5 + 0.1i".
std::string show_index(cplx m);
/// "m = 1.5" or, for diagonal tensors, the three components.
std::string show_index(const CVec3& m);
std::string shape_name(const Outcome&);
/// "light", "a Gaussian beam", ...: what the particle is in.
std::string light_name(const Outcome&);
/// Kind, width and centre of a beam that is not a plane wave: "; barton5, waist 0.8 um, centre ...".
std::string beam_caption(const Outcome&);
/// Where the light of a beam is centred, in the particle's frame (um); none for what is the same everywhere
/// or comes from a file.
std::optional<Vec3> beam_centre(const Outcome&);
/// Shape, size parameter, refractive index, number of dipoles, and the beam.
std::string particle_caption(const Outcome&);
/// Extinction efficiency and, where there is one, Mie theory's and the difference; of a beam, what it is
/// normalised to.
std::string efficiency_caption(const Outcome&, const MieComparison*);
std::string unconverged_note(const Outcome&);

/// The voxels, the arrow of the incident wave and the axes of the particle frame (at `triad`); true when an
/// octant was cut away.
bool shape_panel(pictures::Canvas&, const pictures::Rect& area, pictures::Point triad, const Outcome&);
/// S11 over the scattering angle, logarithmic along the radius, with Mie theory's where given.
void polar_panel(pictures::Canvas&, pictures::Point center, double radius, const Outcome&,
                 const MieComparison*);
/// |E|^2 on one cut through the middle, with its colour bar right of `slot`.
void field_panel(pictures::Canvas&, const pictures::Rect& slot, const Outcome&);

void shape_picture(const Outcome&, const std::string& path);
void scattering_picture(const Outcome&, const MieComparison*, const std::string& path);
void polar_picture(const Outcome&, const MieComparison*, const std::string& path);
void internal_field_picture(const Outcome&, const MieComparison*, const std::string& path);
void convergence_picture(const Outcome&, const std::string& path);
/// Shape, internal field and polar pattern side by side.
void overview_picture(const Outcome&, const MieComparison*, const std::string& path);

}  // namespace umov::dda
