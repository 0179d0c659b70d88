#include "s_parameters/output.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/text.hpp"
#include "fdtd/output/results.hpp"
#include "results/section.hpp"
#include "run/version.hpp"

namespace umov::s_parameters {

namespace {

/// "S21", and "S(12,3)" where numbers have two digits.
std::string entry(const Matrix& m, std::size_t row, std::size_t column) {
  const std::size_t i = row + 1, j = m.excited[column] + 1;
  return m.rows() < 10 ? fmt::format("S{}{}", i, j) : fmt::format("S({},{})", i, j);
}

template <class F>
std::vector<double> over(const Matrix& m, const F& f) {
  std::vector<double> out;
  for (std::size_t k = 0; k < m.frequency.size(); ++k) out.push_back(f(k));
  return out;
}

std::vector<std::string> numbered(const Matrix& m) {
  std::vector<std::string> out{fmt::format("umov fdtd {}", run::version()),
                               "S_ij is what leaves at i by what enters at j, phasors of exp(-i w t)"};
  for (std::size_t i = 0; i < m.rows(); ++i)
    out.push_back(fmt::format("{} = {}, mode {}", i + 1, m.channels[i].port, m.channels[i].mode));
  return out;
}

void add_columns(results::Section& s, const Matrix& m) {
  for (std::size_t j = 0; j < m.columns(); ++j)
    for (std::size_t i = 0; i < m.rows(); ++i) {
      const std::string name = entry(m, i, j);
      s.column("|" + name + "|^2", "1", over(m, [&](std::size_t f) { return std::norm(m.s.at(f, i, j)); }));
      s.column("phase " + name, "deg",
               over(m, [&](std::size_t f) { return std::arg(m.s.at(f, i, j)) * 180 / pi; }));
      s.column(name + "_re", "1", over(m, [&](std::size_t f) { return m.s.at(f, i, j).real(); }));
      s.column(name + "_im", "1", over(m, [&](std::size_t f) { return m.s.at(f, i, j).imag(); }));
    }
}

std::string db(double power) { return power > 0 ? fmt::format("{:.2f}", 10 * std::log10(power)) : "-inf"; }

}  // namespace

results::Result to_result(const Matrix& m, const Setup& setup) {
  results::Result r;
  r.for_paraview = false;
  const auto names = names_of(m.channels);
  std::vector<std::string> columns;
  std::vector<double> modes, references, number, index, index_im;
  for (const std::size_t j : m.excited) columns.push_back(names[j]), number.push_back(double(j + 1));
  for (const Channel& c : m.channels) modes.push_back(c.mode), references.push_back(c.reference);
  for (const auto& of_channel : m.index)
    for (const cplx& n : of_channel) index.push_back(n.real()), index_im.push_back(n.imag());
  r.attributes = {{"program", "umov fdtd"},
                  {"version", run::version()},
                  {"rows", results::lines_of(names)},
                  {"columns", results::lines_of(columns)}};
  results::Section s(r, "", results::add_table(r, {"s_parameters", numbered(m)}));
  s.add("wavelength", "unit", "in vacuum", over(m, [&](std::size_t f) { return 1 / m.frequency[f]; }));
  s.add("frequency", "c / unit", "frequency", m.frequency);
  add_columns(s, m);
  const std::size_t n = m.frequency.size();
  const std::vector<std::size_t> shape{n, m.rows(), m.columns()};
  r.add("s", "1", "S-parameters between reference planes, phasors of exp(-i w t), frequency x row x column",
        m.s.values(), shape);
  r.add(
      "out", "1",
      "amplitudes that leave at the planes of the ports in the run of each column, frequency x row x column",
      m.out.values(), shape);
  r.add("in", "1", "amplitudes that enter there, frequency x row x column", m.in.values(), shape);
  r.add("column", "1", "row that each column is excited at, from 1", number);
  r.add("mode", "1", "mode of each row", modes);
  r.add("reference", "unit", "from each port's plane to its reference plane, outward", references);
  r.add("effective_index", "1", "of each row's mode on the grid at each frequency, row x frequency", index,
        {m.rows(), n});
  r.add("effective_index_im", "1", "imaginary part of it, above 0 where the mode decays, row x frequency",
        index_im, {m.rows(), n});
  r.add("unit_um", "um", "length of the unit", m.unit_um);
  fdtd::add_ports(r, setup.model->simulation);
  return r;
}

std::string summary(const Matrix& m) {
  const auto names = names_of(m.channels);
  const std::size_t middle = m.frequency.size() / 2;
  std::size_t width = 9;
  for (const auto& name : names) width = std::max(width, name.size() + 2);
  std::string out = fmt::format("|S|^2 in dB at wavelength {:.6g}, from (across) to (down):\n{:>{}}",
                                1 / m.frequency[middle], "", width);
  for (const std::size_t j : m.excited) out += fmt::format("{:>{}}", names[j], width);
  out += '\n';
  for (std::size_t i = 0; i < m.rows(); ++i) {
    out += fmt::format("{:>{}}", names[i], width);
    for (std::size_t j = 0; j < m.columns(); ++j)
      out += fmt::format("{:>{}}", db(std::norm(m.s.at(middle, i, j))), width);
    out += '\n';
  }
  const auto at = [&](const Worst& w) {
    return fmt::format("wavelength {:.6g}", 1 / m.frequency[w.frequency]);
  };
  if (m.columns() > 1) {
    const Worst w = reciprocity(m);
    out += fmt::format("reciprocity: |S_ij - S_ji| is at most {:.3g}", w.value);
    out += w.value > 0 ? fmt::format(" ({} and {}, {})\n", names[w.row], names[w.column], at(w)) : "\n";
  }
  const Worst most = largest_power(m), least = least_power(m);
  out += fmt::format(
      "passivity: of the power that enters at a port all ports give at most {:.6g} ({}, {}), at "
      "least {:.6g} ({}, {})\n",
      most.value, names[most.column], at(most), least.value, names[least.column], at(least));
  out += fmt::format("entered where nothing was sent in: at most {:.2g} of the amplitude sent\n",
                     entered_elsewhere(m));
  if (!m.complete())
    out += fmt::format("no Touchstone file: it has whole matrices, and {} of {} columns are here\n",
                       m.columns(), m.rows());
  return out;
}

}  // namespace umov::s_parameters
