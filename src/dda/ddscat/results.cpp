// DDSCAT's own files of results (User Guide 7.3, "Output files"), in its formats.
#include "dda/ddscat/results.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "dda/ddscat/blocks.hpp"

namespace umov::dda::ddscat {

namespace {

class Writer {
 public:
  Writer(const Job& job, const ManyOutcome& o) : job_(job), p_(job.parameters), o_(o) {}

  std::string table(bool second) const {
    Lines out;
    head(out, p_.fft);
    ranges(out);
    if (!second)
      out.add("{:7.4f} = ETASCA (param. controlling # of scatt. dirs used to calculate <cos> etc.", p_.eta);
    out.add(" Results averaged over {:4} target orientations", orientations());
    out.add("                   and {:2} incident polarizations", p_.polarizations);
    if (second)
      out.add("   aeff       wave       Q_pha{}", p_.polarizations == 2 ? "       Q_pol       Q_cpol" : "");
    else
      out.add(
          "   aeff       wave       Q_ext     Q_abs      Q_sca     g(1)=<cos>  <cos^2>    Q_bk       Nsca");
    for (std::size_t w = 0; w < p_.wavelengths.size(); ++w)
      for (std::size_t r = 0; r < p_.radii.size(); ++r) {
        const Averaged a = averaged(job_, o_, w, r);
        const Efficiencies e = both() ? mean(a.light[0], a.light[1]) : a.light[0];
        if (second) {
          const std::string difference =
              both() ? fmt::format("{:12.4E}{:12.4E}", a.light[0].ext - a.light[1].ext,
                                   a.light[0].phase - a.light[1].phase)
                     : "";
          out.add("{:11.4E}{:11.4E}{:12.4E}{}", p_.radii[r], p_.wavelengths[w], e.phase, difference);
        } else {
          out.add("{:11.4E}{:11.4E}{:11.4E}{:11.4E}{:11.4E}{:12.4E}{:11.4E}{:11.4E}{:6}", p_.radii[r],
                  p_.wavelengths[w], e.ext, e.abs, e.sca, e.sca_g[0] / e.sca, e.sca_g2 / e.sca, e.back,
                  integral_directions(job_, size_parameter(w, r)));
        }
      }
    return out.text;
  }

  std::string mtable() const {
    Lines out;
    head(out, p_.solver);
    out.add("  wave(um)   f(cm-1)     Re(m)     Im(m)     Re(eps)   Im(eps)");
    for (std::size_t w = 0; w < p_.wavelengths.size(); ++w) {
      const cplx m = job_.index[0][w] / p_.medium, eps = m * m;
      out.add("{:11.4E}{:11.4E}{:10.3E}{:10.3E}{:11.3E}{:10.3E}", p_.wavelengths[w], 1e4 / p_.wavelengths[w],
              m.real(), m.imag(), eps.real(), eps.imag());
    }
    return out.text;
  }

  std::string average(std::size_t w, std::size_t r) const {
    const std::size_t first = case_of(w, r);
    Lines out;
    file_head(out, w, r, first, false);
    lab_vectors(out, w, r);
    ranges(out);
    out.add("");
    eta(out);
    out.add(" Results averaged over {:4} target orientations", orientations());
    out.add("                   and {:4} incident polarizations", p_.polarizations);
    const Averaged a = averaged(job_, o_, w, r);
    put_efficiencies(job_, o_, out, a.light, first, size_parameter(w, r));
    if (both())
      put_mueller(p_, out, a.mueller);
    else
      put_fields(p_, out, a.fields);
    return out.text;
  }

  std::string single(std::size_t i) const {
    const Place p = place_of(job_, i);
    Lines out;
    file_head(out, p.wavelength, p.radius, i, true);
    target_vectors(out, p);
    lab_vectors(out, p.wavelength, p.radius);
    const auto& o = job_.orientations;
    out.add("BETA ={:8.3f} = rotation of target around A1", o.beta[p.beta]);
    out.add("THETA={:8.3f} = angle between A1 and k", o.theta[p.theta]);
    out.add(" PHI ={:8.3f} = rotation of A1 around k", o.phi[p.phi]);
    eta(out);
    const Reduced one = reduced(job_, o_.rows[i]);
    put_efficiencies(job_, o_, out, one.light, i, size_parameter(p.wavelength, p.radius));
    std::vector<Mueller> m;
    std::vector<std::array<double, 4>> f;
    for (std::size_t d = 0; d < one.directions.size(); ++d) {
      m.push_back(mueller_matrix(one.directions[d]));
      f.push_back(fields_of(job_, one.directions[d], d));
    }
    if (both())
      put_mueller(p_, out, m);
    else
      put_fields(p_, out, f);
    return out.text;
  }

  std::string name(std::size_t w, std::size_t r) const { return fmt::format("w{:03}r{:03}", w, r); }
  std::string name_of(std::size_t i) const {
    const Place p = place_of(job_, i);
    const std::size_t digits = std::max<std::size_t>(3, std::to_string(orientations()).size());
    return fmt::format("{}k{:0{}}.sca", name(p.wavelength, p.radius), p.orientation, digits);
  }

 private:
  bool both() const { return p_.polarizations == 2; }
  std::size_t orientations() const {
    const auto& o = job_.orientations;
    return o.beta.size() * o.theta.size() * o.phi.size();
  }
  /// The first case of a wavelength and radius.
  std::size_t case_of(std::size_t w, std::size_t r) const {
    return r * orientations() * p_.wavelengths.size() + w;
  }
  double size_parameter(std::size_t w, std::size_t r) const {
    return 2 * pi * p_.radii[r] * p_.medium / p_.wavelengths[w];
  }

  void head(Lines& out, const std::string& method) const {
    out.add(" DDSCAT --- umov {}, in the layout of DDSCAT 7.3", o_.version);
    out.add(" TARGET ---{:<67}", job_.target.description.substr(0, 67));
    out.add(" {} --- method of solution ", method);
    out.add(" {} --- prescription for polarizabilities", p_.method);
    out.add(" {} --- shape ", p_.shape);
    out.add("{:7} = NAT0 = number of dipoles", job_.target.sites.size());
    for (const auto& file : p_.materials) out.add(" {:<60}", file);
  }

  void ranges(Lines& out) const {
    out.add("{:8.3f}{:8.3f} = beta_min, beta_max ;  NBETA ={:2}", p_.beta.first, p_.beta.last, p_.beta.count);
    out.add("{:8.3f}{:8.3f} = theta_min, theta_max; NTHETA={:2}", p_.theta.first, p_.theta.last,
            p_.theta.count);
    out.add("{:8.3f}{:8.3f} = phi_min, phi_max   ;   NPHI ={:2}", p_.phi.first, p_.phi.last, p_.phi.count);
  }

  void eta(Lines& out) const {
    out.add("{:7.4f} = ETASCA = param. controlling # of scatt. dirs used to calculate <cos> etc.", p_.eta);
  }

  /// Without the sign of what is printed as zero.
  static double tidy(double x) { return std::abs(x) < 5e-6 ? 0 : x; }
  static std::string vector(const Vec3& v) {
    return fmt::format("({:8.5f}{:9.5f}{:9.5f} )", tidy(v[0]), tidy(v[1]), tidy(v[2]));
  }
  static std::string vector(const CVec3& v) {
    std::string out;
    for (const cplx& c : v) out += fmt::format("({:8.5f},{:8.5f} )", tidy(c.real()), tidy(c.imag()));
    return out;
  }

  void file_head(Lines& out, std::size_t w, std::size_t r, std::size_t i, bool extent) const {
    const Target& t = job_.target;
    const double d = o_.rows[i].spacing[0], aeff = p_.radii[r], x = size_parameter(w, r);
    const double over = std::cbrt(4 * pi / (3 * double(t.sites.size())));
    out.add(" DDSCAT --- umov {}, in the layout of DDSCAT 7.3", o_.version);
    out.add(" TARGET ---{:<67}", t.description.substr(0, 67));
    out.add(" {} --- DDA method", p_.method);
    out.add(" {} --- CCG method", p_.solver);
    out.add(" {} --- shape", p_.shape);
    out.add("   0 = JPBC");
    out.add("   0 = JTRQ (= 1 if torques are calculated)");
    out.add("{:4} = NCOMP = number of compositions", p_.materials.size());
    out.add("{:8}     = NAT0 = number of dipoles", t.sites.size());
    out.add("{:12.8f} = d/aeff for this target [d=dipole spacing]", over);
    out.add("{:12.6f} = d (physical units)", d);
    if (extent) box(out, d);
    out.add("  AEFF={:14.6f} = effective radius (physical units)", aeff);
    out.add("  WAVE={:14.6f} = wavelength (in vacuo, physical units)", p_.wavelengths[w]);
    out.add("K*AEFF={:14.6f} = 2*pi*aeff/lambda", x);
    out.add("NAMBIENT={:12.6f} = refractive index of ambient medium", p_.medium);
    for (std::size_t j = 0; j < job_.index.size(); ++j) {
      const cplx m = job_.index[j][w] / p_.medium, eps = m * m;
      out.add("n= ({:8.4f} , {:8.4f}),  eps.= ({:9.4f} , {:9.4f})  |m|kd={:9.5f} for subs.{:2}", m.real(),
              m.imag(), eps.real(), eps.imag(), over * std::abs(m) * x, j + 1);
    }
    out.add("   TOL={:10.3E} = error tolerance for CCG method", p_.tolerance);
    out.add("{} = target axis A1 in Target Frame", vector(t.a1));
    out.add("{} = target axis A2 in Target Frame", vector(t.a2));
    out.add("  NAVG={:6} = (theta,phi) values used in comp. of Qsca,g", integral_directions(job_, x));
  }

  void box(Lines& out, double d) const {
    const Target& t = job_.target;
    out.add("----- physical extent of target volume in Target Frame ------");
    for (int c = 0; c < 3; ++c) {
      int low = t.sites.site[0][c], high = low;
      for (const Axes3& s : t.sites.site) low = std::min(low, s[c]), high = std::max(high, s[c]);
      const char axis = "xyz"[c];
      out.add("{:14.6f}{:14.6f} = {}min,{}max (physical units)", (low - 0.5 + t.origin[c]) * d,
              (high + 0.5 + t.origin[c]) * d, axis, axis);
    }
  }

  /// Target axes in the lab frame (User Guide, "Target orientation").
  std::array<Vec3, 3> axes_in_lab(const Place& p) const {
    const double rad = pi / 180;
    const auto& o = job_.orientations;
    const double ct = std::cos(o.theta[p.theta] * rad), st = std::sin(o.theta[p.theta] * rad);
    const double cb = std::cos(o.beta[p.beta] * rad), sb = std::sin(o.beta[p.beta] * rad);
    const double cp = std::cos(o.phi[p.phi] * rad), sp = std::sin(o.phi[p.phi] * rad);
    const Vec3 a1{ct, st * cp, st * sp}, a2{-st * cb, ct * cb * cp - sb * sp, ct * cb * sp + sb * cp};
    return {a1, a2, cross(a1, a2)};
  }

  void target_vectors(Lines& out, const Place& p) const {
    const auto axes = axes_in_lab(p);
    const Target& t = job_.target;
    const std::array<Vec3, 3> own{t.a1, t.a2, t.a3()};
    const auto in_target = [&](const CVec3& v) {
      CVec3 u{};
      for (int i = 0; i < 3; ++i)
        for (int c = 0; c < 3; ++c) u[c] += dot(v, axes[i]) * own[i][c];
      return u;
    };
    const double kd = 2 * pi * p_.medium / p_.wavelengths[p.wavelength] *
                      o_.rows[case_of(p.wavelength, p.radius)].spacing[0];
    const CVec3 k = in_target({kd, 0, 0});
    out.add("{} = k vector (latt. units) in TF", vector(Vec3{k[0].real(), k[1].real(), k[2].real()}));
    out.add("{}=inc.pol.vec. 1 in TF", vector(in_target(e01())));
    out.add("{}=inc.pol.vec. 2 in TF", vector(in_target(e02())));
    out.add("{} = target axis A1 in Lab Frame", vector(axes[0]));
    out.add("{} = target axis A2 in Lab Frame", vector(axes[1]));
  }

  CVec3 e01() const { return {0, p_.polarization.x, p_.polarization.y}; }
  CVec3 e02() const {
    const Jones e = orthogonal(p_.polarization);
    return {0, e.x, e.y};
  }

  void lab_vectors(Lines& out, std::size_t w, std::size_t r) const {
    const double kd = 2 * pi * p_.medium / p_.wavelengths[w] * o_.rows[case_of(w, r)].spacing[0];
    out.add("{} = k vector (latt. units) in Lab Frame", vector(Vec3{kd, 0, 0}));
    out.add("{}=inc.pol.vec. 1 in LF", vector(e01()));
    out.add("{}=inc.pol.vec. 2 in LF", vector(e02()));
  }

  const Job& job_;
  const Parameters& p_;
  const ManyOutcome& o_;
};

}  // namespace

void write_results(const Job& job, const ManyOutcome& o, const std::string& folder) {
  const Writer w(job, o);
  const auto put = [&](const std::string& name, const std::string& text) {
    write_file(folder + "/" + name, text);
  };
  put("qtable", w.table(false));
  put("qtable2", w.table(true));
  put("mtable", w.mtable());
  for (std::size_t i = 0; i < job.parameters.wavelengths.size(); ++i)
    for (std::size_t r = 0; r < job.parameters.radii.size(); ++r) put(w.name(i, r) + ".avg", w.average(i, r));
  if (!job.parameters.write_each) return;
  for (std::size_t i = 0; i < o.rows.size(); ++i) put(w.name_of(i), w.single(i));
}

std::string qtable(const Job& job, const ManyOutcome& o) { return Writer(job, o).table(false); }

}  // namespace umov::dda::ddscat
