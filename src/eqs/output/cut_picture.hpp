// Pictures of plane cuts: |E| in colours, equipotentials, borders of materials.
#pragma once

#include <string>
#include <vector>

#include "eqs/outcome.hpp"
#include "pictures/panels.hpp"

namespace umov::eqs {

/// One cut prepared for painting, in a unit of length that fits.
struct CutPicture {
  pictures::Raster field, potential;
  std::vector<double> materials;  ///< per pixel
  pictures::View view;
  pictures::ColorScale colors;
  std::string unit, heading, note;
};
CutPicture make_cut_picture(const Outcome&, const CutResult&);

/// Returns what the lines are, in words.
std::string draw_cut(pictures::Canvas&, const pictures::Rect& area, const CutPicture&);
/// Title and colour scale of a sheet with a cut; `lines` as draw_cut returned them.
void label_cut(pictures::Canvas&, const Outcome&, const CutPicture&, const std::string& lines,
               const pictures::Rect& bar);

/// A file of one cut.
void write_cut(const Outcome&, const CutResult&, const std::string& path);

}  // namespace umov::eqs
