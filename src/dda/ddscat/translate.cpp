// ddscat.par as a case of `umov dda`.
#include "dda/ddscat/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/case/many.hpp"
#include "dda/ddscat/dielectric.hpp"
#include "dda/scheme/frames.hpp"

namespace umov::dda::ddscat {

namespace {

/// Along which lattice axis a unit vector points, and in which sense; none for one that lies askew.
struct LatticeAxis {
  int axis, sign;
};
std::optional<LatticeAxis> along_lattice(const Vec3& v) {
  for (int i = 0; i < 3; ++i)
    if (std::abs(std::abs(v[i]) - 1) < 1e-6) return LatticeAxis{i, v[i] > 0 ? 1 : -1};
  return std::nullopt;
}

/// zyz angles (degrees) of the turn whose columns are the particle's axes in the laboratory.
std::array<double, 3> euler_angles(const Matrix3& r) {
  const double deg = 180 / pi, c = std::clamp(r[2][2], -1.0, 1.0);
  if (std::abs(c) > 1 - 1e-14)
    return {c > 0 ? std::atan2(r[1][0], r[0][0]) * deg : std::atan2(-r[1][0], -r[0][0]) * deg,
            c > 0 ? 0.0 : 180.0, 0};
  return {std::atan2(r[1][2], r[0][2]) * deg, std::acos(c) * deg, std::atan2(r[2][1], -r[2][0]) * deg};
}

Matrix3 product(const Matrix3& a, const Matrix3& b) {
  Matrix3 out{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) out[i][j] += a[i][k] * b[k][j];
  return out;
}

Matrix3 transposed(const Matrix3& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}

/// CCG methods and the solvers of umov that are they.
const std::vector<std::pair<std::string, std::string>> solvers{{"PBCGS2", "bcgs2"},  {"PBCGST", "bicgstab"},
                                                               {"GPBICG", "gpbicg"}, {"QMRCCG", "qmr2"},
                                                               {"PETRKP", "cgnr"},   {"SBICGM", "bicg"}};

class Translator {
 public:
  explicit Translator(Job& job) : job_(job), p_(job.parameters), t_(job.translation) {
    t_.program = "DDSCAT 7.3";
    t_.source = p_.path;
    t_.stem = p_.shape;
  }

  void translate() {
    method();
    light();
    particle();
    materials();
    orientation();
    directions();
  }

 private:
  Simulation& sim() { return t_.given.simulation; }
  void set(const std::string& parameter, const std::string& key) {
    t_.origins[parameter] = p_.places.at(key);
  }

  void method() {
    for (const auto& [name, solver] : solvers)
      if (name == p_.solver) sim().solver.name = solver;
    set("solver.name", "CMDSOL");
    sim().polarizability = p_.method == "GKDLDR"   ? Polarizability::cldr
                           : p_.method == "FLTRCD" ? Polarizability::fcd
                                                   : Polarizability::ldr;
    if (p_.method == "FLTRCD") sim().interaction = Interaction::fcd;
    set("method.polarizability", "CALPHA");
    set("method.interaction", "CALPHA");
    sim().solver.epsilon = p_.tolerance;
    sim().solver.max_iterations = p_.max_iterations;
    set("solver.epsilon", "TOL");
    set("solver.max_iterations", "MXITER");
    t_.remarks.push_back(fmt::format("{}: {} chooses among DDSCAT's transforms; umov uses its own",
                                     p_.places.at("CMDFFT"), p_.fft));
  }

  void light() {
    set_values(t_.given, "wavelength", p_.wavelengths);
    set("wavelength", "wavelengths");
    if (p_.medium != 1) {
      t_.given.medium = shortest(p_.medium);
      set("medium", "NAMBIENT");
    }
    set_values(t_.given, "shape.eq_radius", p_.radii);
    set("shape.eq_radius", "effective radii");
    job_.light = principal_axes(p_.polarization);
    const PrincipalJones& e = job_.light;
    if (p_.method != "LATTDR" || e.linear()) return;
    if (!e.circular())
      throw BadInput(
          p_.places.at("the polarization e01") +
          ": elliptical light with LATTDR is not computed (this polarizability depends on the incident "
          "polarization); give a linear or a circular one, or GKDLDR");
    sim().ldr_average = true;
    set("method.ldr_average", "the polarization e01");
  }

  void particle() {
    job_.target = make_target(p_);
    const Target& target = job_.target;
    const auto z = along_lattice(target.a1), x = along_lattice(target.a2), y = along_lattice(target.a3());
    askew_ = !x || !y || !z;
    const std::array<LatticeAxis, 3> axes = askew_ ? std::array<LatticeAxis, 3>{{{1, 1}, {2, 1}, {0, 1}}}
                                                   : std::array<LatticeAxis, 3>{*x, *y, *z};
    Sites turned;
    for (std::size_t i = 0; i < target.sites.size(); ++i) {
      Axes3 at, composition;
      for (int c = 0; c < 3; ++c) {
        at[c] = axes[c].sign * target.sites.site[i][axes[c].axis];
        composition[c] = target.sites.composition[i][axes[c].axis];
      }
      turned.add(at, composition);
    }
    set_sites(t_, turned, p_.places.at("CSHAPE"));
    domains_ = domains_of(turned);
  }

  void materials() {
    for (std::size_t i = 0; i < p_.materials.size(); ++i) {
      const std::string& place = p_.places.at(material_key(i));
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(p_.materials[i], ignored))
        throw BadInput(
            fmt::format("{}: there is no file {} of a dielectric function (names are taken from the folder "
                        "of ddscat.par); correct the name",
                        place, p_.materials[i]));
      const Dielectric d = read_dielectric(p_.materials[i]);
      auto& m = job_.index.emplace_back();
      for (const double wavelength : p_.wavelengths) {
        m.push_back(index_at(d, wavelength));
        if (m.back() == cplx(p_.medium))
          throw BadInput(fmt::format(
              "{}: at {} um {} has the index of the medium, {} ({}), in which it does not scatter; "
              "leave these sites empty",
              place, wavelength, p_.materials[i], p_.medium, p_.places.at("NAMBIENT")));
      }
    }
    std::vector<std::string> places;
    for (std::size_t i = 0; i < p_.materials.size(); ++i) places.push_back(p_.places.at(material_key(i)));
    set_materials(t_, domains_, p_.wavelengths, job_.index, p_.places.at("NCOMP"), places);
  }

  void orientation() {
    const Orientations& o = job_.orientations = orientations(p_);
    std::vector<double> alpha = o.phi, beta = o.theta, gamma = o.beta;
    if (askew_) {
      if (o.phi.size() * o.theta.size() * o.beta.size() > 1)
        throw BadInput(
            fmt::format("{}: several orientations about target axes that are not the lattice's (A1 = {:.5f} "
                        "{:.5f} {:.5f}); give one orientation, or a target with axes along the lattice",
                        p_.places.at("BETA"), job_.target.a1[0], job_.target.a1[1], job_.target.a1[2]));
      const Matrix3 turn = transposed(rotation_to_particle({alpha[0], beta[0], gamma[0], false, ""}));
      Matrix3 own;  // rows: the frame of the target's axes, seen from umov's particle
      const Vec3 rows[3] = {job_.target.a2, job_.target.a3(), job_.target.a1};
      for (int i = 0; i < 3; ++i) own[i] = {rows[i][1], rows[i][2], rows[i][0]};
      const auto angles = euler_angles(product(turn, own));
      alpha = {angles[0]}, beta = {angles[1]}, gamma = {angles[2]};
      t_.remarks.push_back("the target's axes are not the lattice's: its orientation is that of the lattice");
    }
    for (double& a : alpha) a -= job_.light.turn;
    set_values(t_.given, "orientation.alpha", alpha);
    set_values(t_.given, "orientation.beta", beta);
    set_values(t_.given, "orientation.gamma", gamma);
    set("orientation.alpha", "PHI");
    set("orientation.beta", "THETA");
    set("orientation.gamma", "BETA");
    if (o.phi.size() * o.theta.size() * o.beta.size() > 1)
      t_.remarks.push_back(
          "averages over the orientations are left to who reads the table: umov ddscat has them in "
          "qtable and w*.avg");
  }

  void directions() {
    for (auto [theta, phi] : plane_directions(p_)) {
      if (p_.target_frame) {
        to_lab(theta, phi);
      } else {
        // DDSCAT lets theta run below 0 and above 180: the other side of the plane.
        if (theta < 0) theta = -theta, phi += 180;
        if (theta > 180) theta = 360 - theta, phi += 180;
        phi -= job_.light.turn;
      }
      t_.directions.push_back({theta, phi});
    }
  }

  /// Angles in the target frame to those about the wave.
  void to_lab(double& theta, double& phi) const {
    const Orientations& o = job_.orientations;
    if (o.phi.size() * o.theta.size() * o.beta.size() > 1)
      throw BadInput(
          p_.places.at("CMDFRM") +
          ": directions in the target's frame are other ones about the wave for each orientation; give "
          "LFRAME, or one orientation");
    const double rad = pi / 180, s = std::sin(theta * rad);
    const Vec3 n{std::cos(theta * rad), s * std::cos(phi * rad), s * std::sin(phi * rad)};
    const Target& t = job_.target;
    const Vec3 u = askew_ ? Vec3{n[1], n[2], n[0]} : Vec3{dot(n, t.a2), dot(n, t.a3()), dot(n, t.a1)};
    const Matrix3 back = transposed(rotation_to_particle(t_.given.simulation.orientation));
    const Vec3 lab = transformed(back, u);
    theta = std::acos(std::clamp(lab[2], -1.0, 1.0)) / rad;
    phi = std::atan2(lab[1], lab[0]) / rad;
  }

  Job& job_;
  const Parameters& p_;
  Translation& t_;
  std::vector<Axes3> domains_;
  bool askew_ = false;
};

}  // namespace

Job make_job(const std::string& path) {
  Job job;
  job.parameters = read_parameters(path);
  Translator(job).translate();
  return job;
}

Place place_of(const Job& job, std::size_t i) {
  const auto& o = job.orientations;
  Place p{};
  // sizes run slowest, then alpha, beta, gamma; wavelengths fastest (dda/case/many.hpp)
  const auto take = [&](std::size_t& index, std::size_t count) { index = i % count, i /= count; };
  take(p.wavelength, job.parameters.wavelengths.size());
  take(p.beta, o.beta.size());
  take(p.theta, o.theta.size());
  take(p.phi, o.phi.size());
  p.radius = i;
  p.orientation = (p.theta * o.beta.size() + p.beta) * o.phi.size() + p.phi;
  return p;
}

}  // namespace umov::dda::ddscat
