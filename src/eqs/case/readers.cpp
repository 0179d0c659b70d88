// Which parameters of `umov eqs` have no effect in which case. TO ADD A PARAMETER that not every kind reads:
// one line here.
#include "eqs/case/readers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/read_by.hpp"
#include "core/text.hpp"
#include "eqs/kind_names.hpp"

namespace umov::eqs {

namespace {

using cases::read_by;
using cases::unless;
using Words = std::vector<std::string>;

std::string kind_of(const ElectrodeSpec& e) { return named(electrode_kinds, e.kind).title; }
std::string waveform_of(const ElectrodeSpec& e) { return named(waveform_kinds, e.waveform.kind).word; }

}  // namespace

void declare_case_readers(ParameterTable<Case>& t) {
  const auto of_geometry = [](Words kinds) {
    return [kinds](const Case& c) -> std::string {
      if (!c.simulation.mesh.file.empty()) return "the mesh is that of a file";
      const std::string kind = c.geometry_kind.value_or("parts");
      if (std::count(kinds.begin(), kinds.end(), kind) > 0) return "";
      return fmt::format("a geometry of kind '{}' does not read it; {} {}", kind, join(kinds, ", "),
                         kinds.size() == 1 ? "does" : "do");
    };
  };
  t.idle({"geometry.domain_shape", "geometry.domain_region", "geometry.low", "geometry.high", "geometry.cut",
          "geometry.mesh_size", "geometry.growth", "geometry.curvature"},
         of_geometry({"parts"}));
  t.idle({"geometry.inner_radius", "geometry.angle"}, of_geometry({"coaxial", "spherical"}));
  t.idle({"geometry.width"}, of_geometry({"layers", "coaxial"}));
  t.idle({"geometry.elements_across"}, of_geometry({"layers", "coaxial", "spherical"}));
  const auto multigrid = [](const Case& c) {
    return unless(c.simulation.linear.preconditioner != "jacobi", "the preconditioner is no multigrid");
  };
  t.idle({"solver.start_vector"}, [](const Case& c) {
    return unless(c.simulation.analysis == Analysis::transient, "it is for the many systems of time steps");
  });
  t.idle({"solver.start_solutions", "solver.start_directions"}, [](const Case& c) {
    return unless(
        c.simulation.analysis == Analysis::transient && c.simulation.linear.start_vector != StartVector::last,
        "no start is made of earlier solutions");
  });
  t.idle({"output.systems_every", "output.systems_most"}, [](const Case& c) {
    return unless(c.simulation.outputs.systems.wanted(), "no linear systems are written");
  });
  t.idle({"newton.forcing"}, [](const Case& c) {
    const auto curved = [](const CurveCase& k) {
      return !k.table.empty() || !k.formula.empty() || (k.value && k.value->index() == 1);
    };
    return unless(c.simulation.newton.forcing == NewtonSpec{}.forcing ||  // as every resolved case says
                      std::any_of(c.materials.begin(), c.materials.end(),
                                  [&](const MaterialCase& m) {
                                    return curved(m.permittivity) || curved(m.conductivity);
                                  }),
                  "no material depends on the field, and Newton's method is not needed");
  });
  t.idle({"solver.smoother", "solver.degree", "solver.strength", "solver.coarsest", "solver.max_levels",
          "solver.reuse"},
         multigrid);
  t.idle({"solver.eigenvalue_ratio"}, [multigrid](const Case& c) {
    const std::string why = multigrid(c);
    return why.empty() ? unless(c.simulation.linear.amg.smoother == amg::Smoother::chebyshev,
                                "the smoother is no Chebyshev polynomial")
                       : why;
  });
  t.idle({"solver.reuse_growth"}, [multigrid](const Case& c) {
    const std::string why = multigrid(c);
    return why.empty() ? unless(c.simulation.linear.reuse, "no levels are reused") : why;
  });
  t.idle({"compare.methods", "compare.errors", "compare.steps"},
         [](const Case& c) { return unless(c.compare.wanted, "it is for `compare`"); });
  const auto batch = [](const Case& c) { return unless(c.varied, "no number of the case is varied"); };
  const auto of_design = [batch](cases::Design design, const char* word) {
    return [=](const Case& c) {
      const std::string why = batch(c);
      return why.empty() && c.batch.design != design ? fmt::format("the design is no {}", word) : why;
    };
  };
  t.idle({"batch.design", "batch.surface", "batch.workers", "batch.folders"}, batch);
  t.idle({"batch.variants", "batch.seed"}, of_design(cases::Design::latin_hypercube, "Latin hypercube"));
  t.idle({"batch.table"}, of_design(cases::Design::table, "table"));
  t.idle({"batch.response", "batch.goal"}, [batch](const Case& c) {
    const std::string why = batch(c);
    return why.empty() ? unless(c.batch.surface != cases::SurfaceChoice::none, "no surface is fitted") : why;
  });
}

void declare_part_readers(ParameterTable<mesh::Part>& t) {
  const auto by = [](Words readers) {
    return [readers](const mesh::Part& p) { return read_by(p.shape, readers); };
  };
  t.idle({"size"}, by({"box"}));
  t.idle({"radius"}, by({"cylinder", "cone", "sphere", "torus", "sheds"}));
  t.idle({"top_radius"}, by({"cone", "torus"}));
  t.idle({"height"}, by({"cylinder", "cone", "extrusion", "sheds"}));
  t.idle({"inner_radius"}, by({"cylinder", "sphere", "sheds"}));
  t.idle({"axis"}, by({"box", "cylinder", "cone", "torus", "revolution", "extrusion", "sheds"}));
  t.idle({"profile"}, by({"revolution", "extrusion"}));
  t.idle({"fillet"}, by({"cylinder", "cone", "sheds", "revolution", "extrusion"}));
  t.idle({"angle"}, by({"cylinder", "cone", "revolution"}));
  t.idle({"start"}, [by = by({"cylinder", "cone", "revolution"})](const mesh::Part& p) {
    const std::string why = by(p);
    return why.empty() ? unless(p.angle < 360, "a sector starts there, and this is a full turn") : why;
  });
  t.idle({"shed_count", "shed_radius", "shed_radius_small", "shed_thickness", "shed_tip", "shed_slope",
          "shed_margin"},
         by({"sheds"}));
  t.idle({"shift", "turn"},
         [](const mesh::Part& p) { return unless(p.copies > 1, "it parts copies, and there is one part"); });
  t.idle({"across"}, by({"cylinder"}));
  t.idle({"stretch"},
         [](const mesh::Part& p) { return unless(p.across > 0, "it is of structured tubes (across > 0)"); });
}

void declare_electrode_readers(ParameterTable<ElectrodeCase>& t) {
  const auto by = [](Words readers) {
    return [readers](const ElectrodeCase& c) -> std::string {
      if (c.spec.kind != ElectrodeSpec::Kind::driven) return read_by(kind_of(c.spec), {"driven one"});
      return readers.empty() ? "" : read_by(waveform_of(c.spec), readers);
    };
  };
  t.idle({"waveform", "amplitude"}, by({}));
  t.idle({"rms", "frequency", "phase", "ramp"}, by({"sine"}));
  t.idle({"ramp_time"}, [by = by({"sine"})](const ElectrodeCase& c) {
    const std::string why = by(c);
    return why.empty() ? unless(c.spec.waveform.ramp != WaveformSpec::Ramp::none, "there is no ramp") : why;
  });
  t.idle({"rise"}, by({"step"}));
  t.idle({"front", "tail"}, by({"impulse"}));
  t.idle({"file"}, by({"table"}));
  t.idle({"charge"}, [](const ElectrodeCase& c) {
    return c.spec.kind == ElectrodeSpec::Kind::floating ? "" : read_by(kind_of(c.spec), {"floating one"});
  });
}

}  // namespace umov::eqs
