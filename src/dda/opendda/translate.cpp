// OpenDDA's control file as a case of `umov dda`.
#include "dda/opendda/translate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/case/many.hpp"
#include "dda/solver/solver_names.hpp"

namespace umov::dda::opendda {

namespace {

/// A scheme of OpenDDA and the solver of umov that does it.
struct Scheme {
  const char *name, *solver, *remark;
  bool ordered = false;  ///< by the number of starting vectors
};

const std::vector<Scheme> schemes{
    {"bicg", "bicg",
     "bicg: the matrix is symmetric, so that bicg_sym is the same iteration at half the products"},
    {"bicg_sym", "bicg", ""},
    {"bicgstab", "bicgstab", ""},
    {"cg", "bicg", "cg: of a symmetric matrix, without conjugation, it is the iteration of bicg_sym"},
    {"cgs", "cgs", ""},
    {"mlbicgstab_orig", "mlbicgstab_orig", "", true},
    {"mlbicgstab", "mlbicgstab", "", true},
    {"mlbicgstab_ss", "mlbicgstab_ss", "", true},
    {"qmr", "qmr2", ""},
    {"qmr_sym", "qmr", ""},
    {"rbicgstab", "rbicgstab", "", true},
    {"tfqmr", "tfqmr", ""},
};

class Translator {
 public:
  explicit Translator(const Control& c) : c_(c) {
    t_.program = "OpenDDA";
    t_.source = c.path;
  }

  Translation translate() {
    light();
    particle();
    orientation();
    solver();
    ignored();
    directions();
    return std::move(t_);
  }

 private:
  Simulation& sim() { return t_.given.simulation; }
  const std::string& place(const char* key) const { return c_.places.at(key); }

  void light() {
    set_values(t_.given, "wavelength", c_.wavelength.values);
    t_.origins["wavelength"] = c_.wavelength.place;
    frame_ = frame_of(c_);
    if (!frame_.linear() && !frame_.circular())
      throw BadInput(place("Incident polarisation e0") +
                     ": elliptical light is not computed (the polarizability LDR depends on the incident "
                     "polarization, of which a case has the two linear ones and their mean, which is that of "
                     "circular light); give a linear or a circular one");
    if (frame_.circular()) {
      sim().ldr_average = true;
      t_.origins["method.ldr_average"] = place("Incident polarisation e0");
    }
  }

  void particle() {
    const Sites sites = target_sites(c_);
    Sites used = sites;
    // With one material OpenDDA does not look at the compositions.
    if (c_.materials.size() == 1) used.composition.assign(sites.size(), {0, 0, 0});
    set_sites(t_, used, c_.from_file ? c_.shape : place("Shape"));
    t_.stem = std::filesystem::path(c_.shape).filename().string();
    set_values(t_.given, "shape.eq_radius", c_.radius.values);
    t_.origins["shape.eq_radius"] = c_.radius.place;
    IndexOf m(c_.materials.size());
    for (std::size_t i = 0; i < m.size(); ++i)
      for (const double wavelength : c_.wavelength.values) m[i].push_back(material_index(c_, i, wavelength));
    std::vector<std::string> places;
    for (const Material& material : c_.materials) places.push_back(material.place);
    set_materials(t_, domains_of(used), c_.wavelength.values, m,
                  place("Number of dielectric materials for the target"), places);
  }

  void orientation() {
    // Lab vectors are R(phi, theta, psi) target vectors, the same zyz angles; X is turned onto e0.
    std::vector<double> alpha, beta;
    for (const double phi : c_.euler_phi.values) alpha.push_back(phi - frame_.turn);
    for (const double cosine : c_.euler_theta.values) beta.push_back(std::acos(cosine) * 180 / pi);
    set_values(t_.given, "orientation.alpha", alpha);
    set_values(t_.given, "orientation.beta", beta);
    set_values(t_.given, "orientation.gamma", c_.euler_psi.values);
    t_.origins["orientation.alpha"] = c_.euler_phi.place;
    t_.origins["orientation.beta"] = c_.euler_theta.place;
    t_.origins["orientation.gamma"] = c_.euler_psi.place;
    if (frame_.turn != 0)
      t_.remarks.push_back(
          fmt::format("alpha is Euler phi less {} degrees: X is along e0", shortest(frame_.turn)));
  }

  void solver() {
    const std::string where = place("Iterative scheme");
    std::vector<std::string> names;
    for (const Scheme& s : schemes) {
      names.push_back(s.name);
      if (c_.solver != s.name) continue;
      sim().solver.name = s.solver;
      t_.origins["solver.name"] = where;
      if (s.ordered) order();
      if (*s.remark) {
        t_.remarks.push_back(s.remark);
        sim().warnings.push_back(t_.remarks.back());
      }
      finish_solver();
      return;
    }
    const std::string close = did_you_mean(c_.solver, names);
    throw BadInput(fmt::format("{}: unknown scheme '{}' (known: {}){}{}", where, shortened(c_.solver),
                               join(names, ", "), close.empty() ? "" : "; ", close));
  }

  void order() {
    if (c_.starting_vectors == 0)
      throw BadInput(
          fmt::format("{}: {} needs {}, not NULL; give '{},4', 1 to {}", place("Iterative scheme"), c_.solver,
                      c_.solver == "rbicgstab" ? "the L of BiCGSTAB(L)"
                                               : "a number of starting vectors (the n of ML(n)BiCGSTAB)",
                      c_.solver, most_order));
    sim().solver.name += fmt::format(",{}", c_.starting_vectors);
  }

  void finish_solver() {
    sim().solver.epsilon = c_.tolerance;
    sim().solver.max_iterations = c_.max_iterations;
    start();
    t_.origins["solver.epsilon"] = place("Convergence tolerance");
    t_.origins["solver.max_iterations"] = place("Maximum number of iterations");
  }

  std::size_t cases() const {
    std::size_t n = 1;
    for (const Sweep* s : {&c_.wavelength, &c_.radius, &c_.euler_phi, &c_.euler_theta, &c_.euler_psi})
      n *= s->values.size();
    return n;
  }

  /// 0: zero; 2: the incident field. The cases of a list start from the solutions of their neighbours.
  void start() {
    const std::string where = place("Initial guess");
    if (c_.initial_guess == 1 || c_.initial_guess == 3)
      t_.remarks.push_back(fmt::format("{}: {} is a start in OpenDDA's own units; it is zero here", where,
                                       c_.initial_guess == 1 ? "a vector of ones" : "the matrix's diagonal"));
    if (c_.initial_guess != 2 && cases() > 1) return;
    sim().solver.initial = c_.initial_guess == 2 ? InitialField::incident : InitialField::zero;
    t_.origins["solver.initial"] = where;
  }

  void ignored() {
    for (const std::string& warning : c_.warnings) sim().warnings.push_back(warning);
    if (c_.preconditioning == 1)
      t_.remarks.push_back(
          "point-Jacobi preconditioning is what umov does anyway: its unknowns are scaled by the "
          "polarizability");
    for (const std::string& file : c_.unread)
      sim().warnings.push_back(
          fmt::format("{} lies beside {} and is read by no line of it (names are those of "
                      "docs/guide/opendda.md; materials count "
                      "from 0, to {} here)",
                      file, c_.path, c_.materials.size() - 1));
    bool tables = false;
    for (const Material& m : c_.materials) tables = tables || !m.file.empty();
    if (c_.degree != 3 && tables)
      throw BadInput(fmt::format("{}: the degree is {}; only Akima's cubics are there, give 3",
                                 place("Polynomial degree"), c_.degree));
    if (c_.vtk)
      t_.remarks.push_back(
          "the target's sites for ParaView: umov dda with output.geometry, or results.vtkhdf of a single "
          "case");
  }

  void directions() {
    constexpr std::size_t most = 1000000;
    if (c_.phi.values.size() * c_.theta.values.size() > most)
      throw BadInput(fmt::format("{}: more than {} directions of scattering; take larger increments",
                                 c_.phi.place, most));
    for (const double phi : c_.phi.values)
      for (const double theta : c_.theta.values) t_.directions.push_back({theta, phi - frame_.turn});
  }

  const Control& c_;
  Translation t_;
  PrincipalJones frame_;
};

}  // namespace

cplx material_index(const Control& c, std::size_t i, double wavelength) {
  const Material& m = c.materials[i];
  const cplx index = m.m ? *m.m : index_at(m.table, wavelength);
  if (!m.m && index.imag() < 0) return index.real();  // undulations about k = 0 between rows
  return index;
}

PrincipalJones frame_of(const Control& c) { return principal_axes(c.polarization); }

Translation translate(const Control& c) { return Translator(c).translate(); }

}  // namespace umov::dda::opendda
