// Options that choose what is computed and saved.
#include "dda/adda/options.hpp"

namespace umov::dda::adda {

namespace {

enum class Matrices { mueller, amplitude, both, none };

}  // namespace

std::vector<Option> output_options() {
  return {
      {"asym", "", "Asymmetry vector; implies -Csca and -vec", 0, 0,
       [](State& s, const Arguments&) {
         auto& out = s.sim().outputs;
         out.asym = out.vec = out.csca = true;
       }},
      {"Cpr", "", "Radiation force as a cross section", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.cpr = true; }},
      {"Csca", "", "Scattering cross section by integration of the scattered field", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.csca = true; }},
      {"vec", "", "Asymmetry vector times Csca", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.vec = true; }},
      {"dir", "<directory>", "Folder of the results (default: numbered, as run000_sphere_g16_m1.5)", 1, 1,
       [](State& s, const Arguments& a) { s.machine().output_dir = a.file(0); }},
      {"save_geom", "[<file>]", "Save the dipoles (default: named by the shape), relative to the results", 0,
       1,
       [](State& s, const Arguments& a) {
         s.sim().outputs.save_geom = true;
         if (a.size() == 1) s.sim().outputs.geom_file = a.file(0);
       }},
      {"scat_matr", "muel|ampl|both|none", "Scattering matrices to save (default muel)", 1, 1,
       [](State& s, const Arguments& a) {
         const auto matrices = a.choice<Matrices>(0, {{"muel", Matrices::mueller},
                                                      {"ampl", Matrices::amplitude},
                                                      {"both", Matrices::both},
                                                      {"none", Matrices::none}});
         s.sim().outputs.mueller = matrices == Matrices::mueller || matrices == Matrices::both;
         s.sim().outputs.amplitude = matrices == Matrices::amplitude || matrices == Matrices::both;
       }},
      {"sg_format", "text|text_ext|ddscat6|ddscat7",
       "Format of -save_geom (default text, text_ext for several domains)", 1, 1,
       [](State& s, const Arguments& a) {
         using shapes::ShapeFormat;
         s.sim().outputs.geom_format = a.choice<ShapeFormat>(0, {{"text", ShapeFormat::text},
                                                                 {"text_ext", ShapeFormat::text_ext},
                                                                 {"ddscat6", ShapeFormat::ddscat6},
                                                                 {"ddscat7", ShapeFormat::ddscat7}});
         s.sim().outputs.geom_format_set = true;
       }},
      {"store_beam", "", "Save the incident field", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.store_beam = true; }},
      {"store_dip_pol", "", "Save the dipole polarizations", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.store_dip_pol = true; }},
      {"store_force", "", "Save the force on each dipole; implies -Cpr", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.store_force = s.sim().outputs.cpr = true; }},
      {"store_grans", "", "Save the positions of the granules", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.store_grans = true; }},
      {"store_int_field", "", "Save the internal field", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.store_int_field = true; }},
      {"store_scat_grid", "", "Save the matrices on a grid of scattering angles", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.store_scat_grid = true; }},
  };
}

}  // namespace umov::dda::adda
