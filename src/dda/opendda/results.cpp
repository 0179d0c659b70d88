// Writes OpenDDA's tables and files of results.
#include "dda/opendda/results.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/atomic_file.hpp"

namespace umov::dda::opendda {

namespace {

struct Lines {
  std::string text;
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }
};

/// A title in a frame of O, as OpenDDA draws it.
std::string framed(const std::string& title) {
  const std::string bar(title.size() + 4, 'O');
  return fmt::format("\n {}\n O {} O\n {}\n", bar, title, bar);
}

/// Place of a case in OpenDDA's loops.
struct Place {
  std::size_t wavelength, radius, theta, psi, phi;
};

class Writer {
 public:
  Writer(const Job& job, const ManyOutcome& o) : job_(job), c_(job.control), o_(o) {}

  /// Cases in OpenDDA's order: wavelength, radius, theta, psi, phi.
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> out;
    for (std::size_t w = 0; w < c_.wavelength.values.size(); ++w)
      for (std::size_t r = 0; r < c_.radius.values.size(); ++r)
        for (std::size_t t = 0; t < c_.euler_theta.values.size(); ++t)
          for (std::size_t s = 0; s < c_.euler_psi.values.size(); ++s)
            for (std::size_t f = 0; f < c_.euler_phi.values.size(); ++f)
              out.push_back(index({w, r, t, s, f}));
    return out;
  }

  Place place(std::size_t i) const {
    Place p{};
    const auto take = [&](std::size_t& index, const Sweep& s) {
      index = i % s.values.size(), i /= s.values.size();
    };
    take(p.wavelength, c_.wavelength);
    take(p.psi, c_.euler_psi);
    take(p.theta, c_.euler_theta);
    take(p.phi, c_.euler_phi);
    p.radius = i;
    return p;
  }

  int states() const { return c_.both ? 2 : 1; }
  double ext(std::size_t i, int state) const { return o_.rows[i].extra[std::size_t(2 * state)]; }
  double abs(std::size_t i, int state) const { return o_.rows[i].extra[std::size_t(2 * state + 1)]; }
  std::string number(double x) const { return fmt::format("{:.{}g}", x, c_.digits); }
  std::string signed_number(double x) const { return fmt::format("{:+.{}g}", x, c_.digits); }

  std::string wave() const {
    Lines out = opened("Incident polarisation state [Normalised]");
    const Jones e = c_.polarization, f = orthogonal(e);
    out.add("\n1. Incident polarisation e0=[{}]x+[{}]y", complex(e.x), complex(e.y));
    if (c_.both)
      out.add("\n2. Calculations for the orthonormal polarisation state\n   e1=[{}]x+[{}]y were included",
              complex(f.x), complex(f.y));
    else
      out.add("\n2. Calculations for the orthonormal polarisation state e1 were NOT included");
    out.text += framed("Incident wavelength");
    sweep(out, 3, "Incident wavelength [micrometers]", "incident wavelength", c_.wavelength);
    return out.text;
  }

  std::string radii() const {
    Lines out = opened("Effective radius [micrometers]");
    sweep(out, 1, "Effective radius [micrometers]", "effective radius", c_.radius);
    return out.text;
  }

  std::string index_table(std::size_t material) const {
    Lines out =
        opened(fmt::format("Complex refractive index vs Wavelength [micrometers] for material {}", material));
    out.add("\nWavelength\t\tComplex refractive index\n");
    for (const double wavelength : c_.wavelength.values)
      out.add("{}\t\t\t{}", number(wavelength), complex(material_index(c_, material, wavelength)));
    return out.text;
  }

  std::string target() const {
    Lines out = opened("Target description");
    out.add("\n1. Target shape description: {}", c_.shape);
    static constexpr const char* names[] = {"x direction, K", "y direction, J", "z direction, P"};
    for (int i = 0; i < 3; ++i) out.add("\n{}. Number of dipoles in the {}: {}", i + 2, names[i], c_.box[i]);
    out.add("\n5. Number of dipoles in extended rectangular array, N: {}",
            long(c_.box[0]) * c_.box[1] * c_.box[2]);
    out.add("\n6. Number of dipoles in actual target, Nd: {}", job_.sites);
    out.add("\n7. Number of different materials in the target: {}", c_.materials.size());
    out.text += framed("Target parameterisation");
    out.add(
        "\n Column 0: Wavelength [Micrometers]\n Column 1: Effective radius [Micrometers]\n Column 2: Size "
        "parameter\n Column 3: Dipole spacing [Micrometers]\n Column 4: Dipoles per wavelength\n");
    for (const double wavelength : c_.wavelength.values)
      for (const double radius : c_.radius.values) {
        const double d = spacing(radius);
        out.add(" {}\t\t{}\t\t{}\t\t{}\t\t{}", number(wavelength), number(radius),
                number(2 * pi * radius / wavelength), number(d), number(wavelength / d));
      }
    return out.text;
  }

  std::string orientations() const {
    Lines out = opened("Target orientations [Degrees]");
    sweep(out, 1, "1st Euler angle - phi - Azimuthal angle", "Euler phi", c_.euler_phi);
    sweep(out, 2, "2nd Euler angle - theta - Polar/zenith angle (cosine, angle)", "Euler theta",
          c_.euler_theta, true);
    sweep(out, 3, "3rd Euler angle - psi - Azimuthal angle", "Euler psi", c_.euler_psi);
    return out.text;
  }

  std::string angles() const {
    Lines out = opened("Scattering angles [Degrees]");
    sweep(out, 1, "Scattering azimuthal angle phi", "phi", c_.phi);
    sweep(out, 2, "Scattering polar/zenith angle theta", "theta", c_.theta);
    return out.text;
  }

  std::string iterative() const {
    Lines out = opened("Iterative parameters");
    out.add("\n1. Iterative scheme: [{}]\n   solved by {}", c_.solver, o_.cases.front().solver.name);
    out.add("\n2. Convergence tolerance: {}", number(c_.tolerance));
    out.add("\n3. Maximum number of iterations: {}", c_.max_iterations);
    out.text += framed("Iterative convergence details");
    for (const std::size_t i : order())
      for (int state = 0; state < states(); ++state) {
        const Place p = place(i);
        out.add("\n  Wavelength [micrometers]: {}", number(c_.wavelength.values[p.wavelength]));
        out.add("  Effective radius [micrometers]: {}", number(c_.radius.values[p.radius]));
        out.add("  Euler phi: {}", number(c_.euler_phi.values[p.phi]));
        out.add("  Euler theta: {}", number(std::acos(c_.euler_theta.values[p.theta]) * 180 / pi));
        out.add("  Euler psi: {}", number(c_.euler_psi.values[p.psi]));
        out.add("  Polarisation state: {}", state);
        for (const auto& s : o_.rows[i].polarizations)
          if (!job_.light.linear() || s.label == (state == 0 ? 'X' : 'Y'))
            out.add("  After {} iterations the convergence ratio is {}", s.iterations, number(s.residual));
      }
    return out.text;
  }

  std::string efficiencies() const {
    Lines out = opened("Efficiencies");
    out.add(
        "\nWavelength\tEffective radius\tEuler phi\tcos(Euler theta)\tEuler psi\tPolarisation "
        "state\tQext\tQabs\tQsca");
    for (const std::size_t i : order()) {
      if (!o_.rows[i].converged) out.add("# not converged:");
      for (int state = 0; state < states(); ++state)
        out.add("{}\t{}\t{}\t{}\t{}", at(i), state, number(ext(i, state)), number(abs(i, state)),
                number(ext(i, state) - abs(i, state)));
    }
    return out.text;
  }

  std::string matrices() const {
    Lines out = opened("Scattering matrix");
    std::string head = "\nWavelength\tEffective radius\tEuler phi\tcos(Euler theta)\tEuler psi\tphi\ttheta";
    for (int i = 1; i <= 4; ++i)
      for (int j = 1; j <= 4; ++j) head += fmt::format("\tS{}{}", i, j);
    out.add("{}", head);
    for (const std::size_t i : order()) {
      const double* at_direction = o_.rows[i].extra.data() + 4;
      for (const double phi : c_.phi.values)
        for (const double theta : c_.theta.values) {
          Amplitude s;
          for (cplx& one : s) one = {at_direction[0], at_direction[1]}, at_direction += 2;
          std::string line = fmt::format("{}\t{}\t{}", at(i), number(phi), number(theta));
          for (const double m : mueller_matrix(s)) line += "\t" + number(m);
          out.add("{}", line);
        }
    }
    return out.text;
  }

  std::string execution() const {
    Lines out = opened("Runtime");
    double seconds = 0;
    std::size_t solves = 0;
    for (const CaseRow& row : o_.rows)
      for (const auto& p : row.polarizations) seconds += p.seconds, ++solves;
    out.add("\n  Iterative kernel average runtime: {}s [{}]", number(seconds / double(solves)), solves);
    return out.text;
  }

 private:
  std::size_t index(const Place& p) const {
    std::size_t i = p.radius;
    const auto put = [&](std::size_t index, const Sweep& s) { i = i * s.values.size() + index; };
    put(p.phi, c_.euler_phi);
    put(p.theta, c_.euler_theta);
    put(p.psi, c_.euler_psi);
    put(p.wavelength, c_.wavelength);
    return i;
  }

  Lines opened(const std::string& title) const {
    Lines out;
    out.text = framed(fmt::format("umov {}, in the layout of OpenDDA 1.0", o_.version)) + framed(title);
    return out;
  }

  std::string complex(const cplx& z) const { return number(z.real()) + signed_number(z.imag()) + "i"; }

  double spacing(double radius) const { return radius * std::cbrt(4 * pi / (3 * double(job_.sites))); }

  std::string at(std::size_t i) const {
    const Place p = place(i);
    return fmt::format("{}\t{}\t{}\t{}\t{}", number(c_.wavelength.values[p.wavelength]),
                       number(c_.radius.values[p.radius]), number(c_.euler_phi.values[p.phi]),
                       number(c_.euler_theta.values[p.theta]), number(c_.euler_psi.values[p.psi]));
  }

  void sweep(Lines& out, int count, const std::string& title, const std::string& name, const Sweep& s,
             bool cosines = false) const {
    out.add("\n{}. {}:\n", count, title);
    if (s.file.empty())
      out.add(
          "   Used minimum,increment,maximum from control.input\n   minimum={}\n   increment={}\n   "
          "maximum={}\n",
          number(s.minimum), number(s.increment), number(s.maximum));
    else
      out.add("   Data was read in from the file \"{}\"\n", s.file);
    out.add("   Number of {} values: {}\n", name, s.values.size());
    for (std::size_t i = 0; i < s.values.size(); ++i)
      if (cosines)
        out.add("   {}. \t{}\t\t{}", i, signed_number(s.values[i]),
                number(std::acos(s.values[i]) * 180 / pi));
      else
        out.add("   {}. \t{}", i, number(s.values[i]));
  }

  const Job& job_;
  const Control& c_;
  const ManyOutcome& o_;
};

}  // namespace

void write_results(const Job& job, const ManyOutcome& o, const std::string& folder) {
  const Writer w(job, o);
  const auto put = [&](const std::string& name, const std::string& text) {
    write_file(fmt::format("{}/OUTPUT_{}.info", folder, name), text);
  };
  put("incident_wave", w.wave());
  put("target_effective_radius", w.radii());
  for (std::size_t i = 0; i < job.control.materials.size(); ++i)
    put(fmt::format("refractive_index_vs_incident_wavelength_{}", i), w.index_table(i));
  put("target_description", w.target());
  put("target_orientations", w.orientations());
  put("scattering_angles", w.angles());
  put("iterative", w.iterative());
  put("efficiencies", w.efficiencies());
  put("scattering_matrix", w.matrices());
  if (job.control.timing) put("program_execution", w.execution());
}

std::string printed(const Job& job, const ManyOutcome& o) {
  const Writer w(job, o);
  std::string out;
  for (const std::size_t i : w.order())
    for (int state = 0; state < w.states(); ++state) {
      const double ext = w.ext(i, state), abs = w.abs(i, state);
      out += fmt::format("Qext={}\nQabs={}\nQsca={}\n", w.signed_number(ext), w.signed_number(abs),
                         w.signed_number(ext - abs));
    }
  return out;
}

}  // namespace umov::dda::opendda
