// Parameters of `umov fdtd` that describe a material or a body.
#include "cases/declare.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/case/readers.hpp"

namespace umov::fdtd {

using cases::item;

namespace {

using materials::Pole;

ParameterTable<Pole> pole_parameters() {
  ParameterTable<Pole> t;
  t.add(item("kind", "",
             "Term of the susceptibility. drude: -strength / (w^2 + i gamma w); lorentz: strength omega^2 / "
             "(omega^2 - w^2 - i gamma w); debye: strength / (1 - i w tau)."),
        cases::one_of(materials::pole_kinds), UMOV_CASE(kind));
  t.add(item("strength", "", "drude: square of the plasma frequency (rad c / unit); else a permittivity."),
        number(), UMOV_CASE(strength));
  t.add(item("omega", "rad c / unit", "lorentz: angular frequency of the resonance."),
        number(Range::at_least(0)), UMOV_CASE(omega));
  t.add(item("gamma", "rad c / unit", "drude, lorentz: damping."), number(Range::at_least(0)),
        UMOV_CASE(gamma));
  t.add(item("tau", "unit / c", "debye: relaxation time."), number(Range::at_least(0)), UMOV_CASE(tau));
  declare_pole_readers(t);
  return t;
}

}  // namespace

ParameterTable<MaterialSpec> material_parameters() {
  ParameterTable<MaterialSpec> t;
  t.add(item("name", "", "How bodies refer to it."), text("NAME"), UMOV_CASE(name));
  t.add(item("library", "", "Take its data from the library of named materials.", "the constants below"),
        text("NAME"), UMOV_CASE(library));
  t.add(item("index", "", "Refractive index n.", "by the permittivity"), optional_number(Range::above(0)),
        UMOV_CASE(index));
  t.add(
      item("extinction", "", "Imaginary part k of the refractive index, at one wavelength.", "no absorption"),
      optional_number(Range::at_least(0)), UMOV_CASE(extinction));
  t.add(item("at_wavelength", "unit", "Wavelength in vacuum at which k holds.", "needed with an extinction"),
        optional_number(Range::above(0)), UMOV_CASE(at_wavelength));
  t.add(item("nk_file", "", "Table of wavelength (um), n and k, to be fitted with poles.", "none"), path(),
        UMOV_CASE(nk_file));
  t.add(
      item(
          "fit_target", "",
          "End the fit of an nk_file at this rms relative error of n + ik; 0: at 0.005, or less where a pole "
          "more leaves a third of it."),
      number(Range::at_least(0)), UMOV_CASE(fit_target));
  t.add(item("eps", "", "Relative permittivity, one number or those along x, y, z."), diagonal(),
        UMOV_CASE(constants.eps));
  t.add(item("mu", "", "Relative permeability, likewise."), diagonal(Range::above(0)),
        UMOV_CASE(constants.mu));
  t.add(item("sigma", "eps0 c / unit", "Electric conductivity, likewise."), diagonal(),
        UMOV_CASE(constants.sigma));
  t.add(item("sigma_magnetic", "mu0 c / unit", "Magnetic conductivity, likewise."), diagonal(),
        UMOV_CASE(constants.sigma_magnetic));
  t.add(item("perfect_conductor", "", "E vanishes inside."), boolean(),
        UMOV_CASE(constants.perfect_conductor));
  t.add_list("pole", "A term of the material's dispersion.", pole_parameters(), UMOV_CASE(constants.poles));
  declare_material_readers(t);
  return t;
}

namespace {

template <class Spec>
void add_kind_of_shape(ParameterTable<Spec>& t, const char* help) {
  t.add(item("shape", "", help), word_of([] {
          return std::vector<std::string>{"box", "sphere", "cylinder", "ellipsoid", "ring", "prism", "mesh"};
        }),
        UMOV_CASE(shape));
  // paths of a sweep find it in the tree, and no run reads it
  t.add_action(item("name", "", "Its name in the paths of a sweep: body.NAME.radius."), text("NAME"),
               [](Spec&, const std::string&) {});
}

/// The rest of a shape.
template <class Spec>
void add_shape(ParameterTable<Spec>& t) {
  t.add(item("center", "unit", "Centre."), extents(), UMOV_CASE(center));
  t.add(item("size", "unit", "box, ellipsoid: extents; 0 or inf is through the whole domain.",
             "through the whole domain"),
        optional_of(extents(Range::at_least(0), true)), UMOV_CASE(size));
  t.add(item("radius", "unit", "sphere, cylinder, ring: outer radius."), number(Range::at_least(0)),
        UMOV_CASE(radius));
  t.add(item("inner_radius", "unit", "ring: inner radius."), number(Range::at_least(0)),
        UMOV_CASE(inner_radius));
  t.add(
      item("height", "unit", "cylinder, ring, prism: extent along the axis; 0 is through the whole domain."),
      number(Range::at_least(0)), UMOV_CASE(height));
  t.add(item("axis", "", "cylinder, ring, prism: direction of the axis."), vector3(), UMOV_CASE(axis));
  t.add(item("rotation", "deg", "Turn about the axis through the centre."), number(), UMOV_CASE(rotation));
  t.add(item("vertices", "unit", "prism: corners [x, y] of the base, relative to the centre.", "none"),
        list_of(extents()), UMOV_CASE(vertices));
  t.add(item("file", "", "mesh: STL or OBJ.", "none"), path(), UMOV_CASE(file));
  t.add(item("scale", "", "mesh: units of length per unit of the file."), number(Range::above(0)),
        UMOV_CASE(scale));
}

}  // namespace

ParameterTable<BodySpec> body_parameters() {
  ParameterTable<BodySpec> t;
  add_kind_of_shape(t, "Shape of the body.");
  t.add(item("material", "", "Name of a [[material]] or of one of the library."), text("NAME"),
        UMOV_CASE(material));
  add_shape(t);
  t.add(item("in_reference", "", "Kept in the reference run of a normalised pair."), boolean(),
        UMOV_CASE(in_reference));
  declare_shape_readers(t);
  return t;
}

ParameterTable<AbsorberSpec> absorber_parameters() {
  ParameterTable<AbsorberSpec> t;
  add_kind_of_shape(t, "Shape of the absorber.");
  add_shape(t);
  t.add(item("direction", "", "In which it becomes stronger, from where it is entered.",
             "inward from all of its surface"),
        optional_of(extents()), UMOV_CASE(direction));
  t.add(item("thickness", "unit", "Over which it becomes stronger; 0: up to its deepest cell."),
        number(Range::at_least(0)), UMOV_CASE(thickness));
  t.add(item("order", "", "sigma rises as depth to this power."), number(Range::between(0, 10)),
        UMOV_CASE(order));
  t.add(item("transmission", "",
             "Share of its power that a wave keeps, at most, on its way straight through the thickness."),
        number(Range::above(0)), UMOV_CASE(transmission));
  declare_shape_readers(t);
  return t;
}

}  // namespace umov::fdtd
