#include "s_parameters/touchstone.hpp"

#include <fmt/format.h>

namespace umov::s_parameters {

namespace {

constexpr double light_um_ghz = 299792.458;  ///< c in um GHz
constexpr std::size_t most_in_line = 4;

std::string pair(const cplx& s) { return fmt::format(" {:.12g} {:.12g}", s.real(), -s.imag()); }

std::string heading(const Matrix& m, const std::string& version) {
  std::string out = fmt::format(
      "! umov {}\n! conjugated for exp(+j w t), which this format has; umov's own files have exp(-i w t)\n"
      "! waves of modes, |amplitude|^2 is power; the resistance of the option line has no meaning\n",
      version);
  for (std::size_t i = 0; i < m.rows(); ++i)
    out += fmt::format("! port {} = {}, mode {}; reference plane {:.9g} um outward of the port's\n", i + 1,
                       m.channels[i].port, m.channels[i].mode, m.channels[i].reference * m.unit_um);
  const auto names = names_of(m.channels);
  for (std::size_t i = 0; i < m.rows(); ++i) out += fmt::format("! Port[{}] = {}\n", i + 1, names[i]);
  return out + "# GHz S RI R 50\n";
}

}  // namespace

std::string touchstone_name(const Matrix& m) { return fmt::format("s_parameters.s{}p", m.rows()); }

std::string touchstone(const Matrix& m, const std::string& version) {
  std::string out = heading(m, version);
  const std::size_t n = m.rows();
  for (std::size_t f = 0; f < m.frequency.size(); ++f) {
    out += fmt::format("{:.12g}", m.frequency[f] * light_um_ghz / m.unit_um);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (j > 0 && j % most_in_line == 0) out += "\n ";
        out += n == 2 ? pair(m.s.at(f, j, i)) : pair(m.s.at(f, i, j));
      }
      if (n > 2 || i + 1 == n) out += i + 1 == n ? "\n" : "\n ";
    }
  }
  return out;
}

}  // namespace umov::s_parameters
