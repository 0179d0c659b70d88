#include "s_parameters/matrix.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "fdtd/monitors/names.hpp"

namespace umov::s_parameters {

namespace {

template <class T>
std::vector<T> array_of(const sweep::Row& row, const std::string& name, std::size_t count) {
  for (const auto& a : row.arrays)
    if (a.name == name)
      if (const auto* values = std::get_if<std::vector<T>>(&a.data); values && values->size() == count)
        return *values;
  throw std::logic_error("a run of S-parameters has no " + name);
}

double scalar_of(const sweep::Row& row, const std::string& name) {
  for (const auto& s : row.scalars)
    if (s.name == name) return s.value;
  throw std::logic_error("a run of S-parameters has no " + name);
}

/// A spectrum of one frequency is kept as a scalar, or two.
std::vector<double> numbers(const sweep::Row& row, const std::string& name, std::size_t count) {
  if (count == 1) return {scalar_of(row, name)};
  return array_of<double>(row, name, count);
}
std::vector<cplx> complex_numbers(const sweep::Row& row, const std::string& name, std::size_t count) {
  if (count == 1) return {cplx(scalar_of(row, name + "_re"), scalar_of(row, name + "_im"))};
  return array_of<cplx>(row, name, count);
}

void read_column(Matrix& m, const sweep::Row& row, std::size_t column) {
  const std::size_t n = m.frequency.size();
  fdtd::UniqueNames unique;
  for (std::size_t i = 0; i < m.rows(); ++i) {
    const std::string group = "modes/" + unique(monitor_of(m.channels[i])) + "/";
    const auto out = complex_numbers(row, group + "forward", n),
               in = complex_numbers(row, group + "backward", n);
    for (std::size_t f = 0; f < n; ++f) m.out.at(f, i, column) = out[f], m.in.at(f, i, column) = in[f];
    const auto re = numbers(row, group + "effective_index", n),
               im = numbers(row, group + "effective_index_im", n);
    m.index[i].resize(n);
    for (std::size_t f = 0; f < n; ++f) m.index[i][f] = {re[f], im[f]};
  }
}

/// out = S in, and then to the reference planes.
void solve(Matrix& m, std::size_t f) {
  using Square = Eigen::MatrixXcd;
  const auto rows = Eigen::Index(m.rows()), columns = Eigen::Index(m.columns());
  Square out(rows, columns), in(columns, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i) out(i, j) = m.out.at(f, std::size_t(i), std::size_t(j));
    for (Eigen::Index i = 0; i < columns; ++i)
      in(i, j) = m.in.at(f, m.excited[std::size_t(i)], std::size_t(j));
  }
  const Square s = in.transpose().partialPivLu().solve(out.transpose()).transpose();
  const auto turn = [&](std::size_t i) {
    return cplx(0, 2 * pi * m.frequency[f] * m.channels[i].reference) * m.index[i][f];
  };
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.columns(); ++j)
      m.s.at(f, i, j) = s(Eigen::Index(i), Eigen::Index(j)) * std::exp(turn(i) + turn(m.excited[j]));
}

double column_power(const Matrix& m, std::size_t f, std::size_t j) {
  double sum = 0;
  for (std::size_t i = 0; i < m.rows(); ++i) sum += std::norm(m.s.at(f, i, j));
  return sum;
}

template <class Better>
Worst power_of_columns(const Matrix& m, const Better& better) {
  Worst worst;
  bool first = true;
  for (std::size_t f = 0; f < m.frequency.size(); ++f)
    for (std::size_t j = 0; j < m.columns(); ++j) {
      const double sum = column_power(m, f, j);
      if (first || better(sum, worst.value)) worst = {sum, f, m.excited[j], m.excited[j]};
      first = false;
    }
  return worst;
}

/// Share of the power below which a port gives nothing: -60 dB.
constexpr double nothing = 1e-6;

/// The column of the least power over all frequencies, where it has the most.
Worst strongest_of_weakest(const Matrix& m) {
  Worst weakest;
  for (std::size_t j = 0; j < m.columns(); ++j) {
    Worst strongest;
    for (std::size_t f = 0; f < m.frequency.size(); ++f)
      if (const double power = column_power(m, f, j); power >= strongest.value)
        strongest = {power, f, m.excited[j], m.excited[j]};
    if (j == 0 || strongest.value < weakest.value) weakest = strongest;
  }
  return weakest;
}

}  // namespace

Matrix matrix_of(const Setup& setup, const sweep::Rows& rows) {
  Matrix m;
  m.channels = setup.channels, m.excited = setup.excited;
  m.frequency = setup.frequencies;
  m.unit_um = setup.unit_um, m.left = setup.left;
  m.stop = setup.model->simulation.stop;
  for (const auto& row : rows)
    if (row) {
      m.time = std::max(m.time, scalar_of(*row, "run/time"));
      m.cut_short |= row->status == sweep::Status::not_converged;
    }
  m.out = m.in = m.s = Block(m.frequency.size(), m.rows(), m.columns());
  m.index.resize(m.rows());
  for (std::size_t j = 0; j < m.columns(); ++j) read_column(m, rows.at(j).value(), j);
  for (std::size_t f = 0; f < m.frequency.size(); ++f) solve(m, f);
  return m;
}

Worst reciprocity(const Matrix& m) {
  Worst worst;
  for (std::size_t f = 0; f < m.frequency.size(); ++f)
    for (std::size_t j = 0; j < m.columns(); ++j)
      for (std::size_t k = 0; k < j; ++k) {
        const double off = std::abs(m.s.at(f, m.excited[j], k) - m.s.at(f, m.excited[k], j));
        if (off > worst.value) worst = {off, f, m.excited[j], m.excited[k]};
      }
  return worst;
}

Worst largest_power(const Matrix& m) { return power_of_columns(m, std::greater<>()); }
Worst least_power(const Matrix& m) { return power_of_columns(m, std::less<>()); }

double entered_elsewhere(const Matrix& m) {
  double most = 0;
  for (std::size_t f = 0; f < m.frequency.size(); ++f)
    for (std::size_t j = 0; j < m.columns(); ++j)
      for (std::size_t i = 0; i < m.rows(); ++i)
        if (i != m.excited[j])
          most = std::max(most, std::abs(m.in.at(f, i, j)) / std::abs(m.in.at(f, m.excited[j], j)));
  return most;
}

double allowance(const Matrix& m) { return 2e-3 + 2 * m.left; }

namespace {

/// Index of a mode in its port below which no time is enough: a wave at its cutoff does not travel.
constexpr double near_cutoff = 0.2;

/// The mode of least index at a frequency, if it is near its cutoff.
std::optional<std::size_t> slow_channel(const Matrix& m, std::size_t frequency) {
  const auto least = std::ranges::min_element(
      m.index, {}, [&](const std::vector<cplx>& index) { return index[frequency].real(); });
  if (least == m.index.end() || (*least)[frequency].real() >= near_cutoff) return {};
  return std::size_t(least - m.index.begin());
}

}  // namespace

std::string remedy(const Matrix& m, std::size_t frequency) {
  if (const auto slow = slow_channel(m, frequency))
    return fmt::format(
        "leave out wavelengths from {:.6g} on, where the mode of {} has the index {:.2g} (so near to its "
        "cutoff waves hardly travel, and no time is enough)",
        1 / m.frequency[frequency], names_of(m.channels)[*slow], m.index[*slow][frequency].real());
  if (m.cut_short) return fmt::format("give the runs more time by `stop.max_time` (they had {:.6g})", m.time);
  if (m.stop.steps > 0) return fmt::format("give the runs more `stop.steps` than {}", m.stop.steps);
  if (m.stop.time > 0) return fmt::format("give the runs a longer `stop.time` than {:g}", m.stop.time);
  return fmt::format("give the runs more time by a smaller `stop.{}` than {:g}",
                     m.stop.decay > 0 ? "decay" : "fourier",
                     m.stop.decay > 0 ? m.stop.decay : m.stop.fourier);
}

std::string remedy(const Matrix& m) {
  for (std::size_t f = 0; f < m.frequency.size(); ++f)
    if (slow_channel(m, f)) return remedy(m, f);
  return remedy(m, 0);
}

std::vector<std::string> doubts(const Matrix& m) {
  std::vector<std::string> out;
  const auto names = names_of(m.channels);
  const double allowed = allowance(m);
  if (const Worst w = reciprocity(m); w.value > allowed)
    out.push_back(fmt::format(
        "S-parameters are not reciprocal: |S_ij - S_ji| is {:.3g} between {} and {} at wavelength {:.6g} "
        "(without media that tell directions apart it is below {:.2g}); {}, or give the planes of the ports "
        "more room",
        w.value, names[w.row], names[w.column], 1 / m.frequency[w.frequency], allowed,
        remedy(m, w.frequency)));
  if (const Worst w = largest_power(m); w.value > 1 + allowed)
    out.push_back(fmt::format(
        "S-parameters are not passive: the ports give {:.5g} of the power that enters at {} at wavelength "
        "{:.6g} (without gain at most 1, and {:.2g} for what a run leaves); {}, or give the planes of the "
        "ports more room, so that they do not share fields",
        w.value, names[w.column], 1 / m.frequency[w.frequency], allowed, remedy(m, w.frequency)));
  const bool several =
      std::ranges::any_of(m.channels, [&](const Channel& c) { return c.port != m.channels.front().port; });
  if (const Worst w = strongest_of_weakest(m); several && w.value < nothing)
    out.push_back(fmt::format(
        "next to nothing of what enters at {} comes out of a port ({:.2g} of its power at most, at "
        "wavelength {:.6g}); "
        "see that the port's direction is out of the structure, and that a guide leads from it to others",
        names[w.column], w.value, 1 / m.frequency[w.frequency]));
  return out;
}

}  // namespace umov::s_parameters
