// Blocks of lines that DDSCAT's files of results share (User Guide 7.3, "Output files").
#include "dda/ddscat/blocks.hpp"

#include <cmath>

namespace umov::dda::ddscat {

namespace {

double mean(double a, double b) { return 0.5 * (a + b); }

}  // namespace

Efficiencies mean(const Efficiencies& a, const Efficiencies& b) {
  Efficiencies m;
  m.ext = mean(a.ext, b.ext), m.abs = mean(a.abs, b.abs), m.sca = mean(a.sca, b.sca);
  m.back = mean(a.back, b.back), m.phase = mean(a.phase, b.phase), m.sca_g2 = mean(a.sca_g2, b.sca_g2);
  for (int c = 0; c < 3; ++c) m.sca_g[c] = mean(a.sca_g[c], b.sca_g[c]);
  return m;
}

void put_efficiencies(const Job& job, const ManyOutcome& o, Lines& out,
                      const std::array<Efficiencies, 2>& light, std::size_t i, double x) {
  const Parameters& p = job.parameters;
  const bool both = p.polarizations == 2;
  const auto row = [&](const char* name, const Efficiencies& e) {
    out.add("{}{:12.4E}{:12.4E}{:12.4E}{:12.4E}{:11.4E}{:11.4E}{:12.4E}", name, e.ext, e.abs, e.sca,
            e.sca_g[0] / e.sca, e.sca_g2 / e.sca, e.back, e.phase);
  };
  out.add("         Qext        Qabs        Qsca      g(1)=<cos>  <cos^2>     Qbk       Qpha");
  row("JO=1:", light[0]);
  const Efficiencies m = mean(light[0], light[1]);
  if (both) {
    row("JO=2:", light[1]);
    row("mean:", m);
    out.add("Qpol={:12.4E}{:52}dQpha={:12.4E}", light[0].ext - light[1].ext, "",
            light[0].phase - light[1].phase);
  }
  const auto vector_row = [&](const char* name, const Efficiencies& e, char label) {
    long iterations = 0;
    for (const auto& solve : o.rows[i].polarizations)
      if (solve.label == label) iterations = solve.iterations;
    out.add("{}{:12.4E}{:12.4E}{:12.4E}{:7}{:7}{:7}", name, e.sca_g[0], e.sca_g[1], e.sca_g[2], iterations,
            p.max_iterations, integral_directions(job, x));
  };
  out.add("        Qsca*g(1)   Qsca*g(2)   Qsca*g(3)   iter  mxiter  Nsca");
  vector_row("JO=1:", light[0], 'X');
  if (!both) return;
  vector_row("JO=2:", light[1], 'Y');
  out.add("mean:{:12.4E}{:12.4E}{:12.4E}", m.sca_g[0], m.sca_g[1], m.sca_g[2]);
}

void put_mueller(const Parameters& p, Lines& out, const std::vector<Mueller>& m) {
  out.add("            Mueller matrix elements for selected scattering directions in {:<12}",
          p.target_frame ? "Target Frame" : "Lab Frame");
  std::string head = " theta    phi    Pol.    ";
  for (std::size_t j = 0; j < p.elements.size(); ++j)
    head += fmt::format("{}S_{}{}",
                        j == 0  ? ""
                        : j < 3 ? "        "
                                : "       ",
                        p.elements[j][0], p.elements[j][1]);
  out.add("{}", head);
  const auto angles = plane_directions(p);
  for (std::size_t d = 0; d < m.size(); ++d) {
    const auto s = [&](int i, int j) { return m[d][std::size_t(4 * (i - 1) + j - 1)]; };
    std::string line = fmt::format("{:6.2f}{:7.2f}{:9.5f}", angles[d][0], angles[d][1],
                                   std::hypot(s(2, 1), s(3, 1)) / s(1, 1));
    for (std::size_t j = 0; j < p.elements.size(); ++j) {
      const double x = s(p.elements[j][0], p.elements[j][1]);
      line += j < 2 ? fmt::format("{:12.4E}", x) : fmt::format("{:11.3E}", x);
    }
    out.add("{}", line);
  }
}

void put_fields(const Parameters& p, Lines& out, const std::vector<std::array<double, 4>>& f) {
  out.add("**** Selected scattering directions  [note: incident pol state 1 is FIXED!]");
  out.add(" ND THETA   PHI <|f11|^2> <|f21|^2> Re<f11*f21> Im<f11*f21>");
  const auto angles = plane_directions(p);
  for (std::size_t d = 0; d < f.size(); ++d)
    out.add("{:3}{:6.1f}{:6.1f}{:10.3E}{:10.3E}{:11.3E}{:11.3E}", d + 1, angles[d][0], angles[d][1], f[d][0],
            f[d][1], f[d][2], f[d][3]);
}

}  // namespace umov::dda::ddscat
