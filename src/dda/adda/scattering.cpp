// Mueller and amplitude matrices: in a plane, on a grid of angles, integrated over phi.
#include <fmt/format.h>

#include <iterator>

#include "core/atomic_file.hpp"
#include "dda/adda/writers.hpp"

namespace umov::dda::adda {

namespace {

constexpr const char* mueller_columns = "s11 s12 s13 s14 s21 s22 s23 s24 s31 s32 s33 s34 s41 s42 s43 s44";
constexpr const char* amplitude_columns = "s1.r s1.i s2.r s2.i s3.r s3.i s4.r s4.i";

using Text = fmt::memory_buffer;

void append(Text& out, const Mueller& m) {
  for (double s : m) fmt::format_to(std::back_inserter(out), " {:.10E}", s);
}

void append(Text& out, const Amplitude& a) {
  for (const cplx& s : a) fmt::format_to(std::back_inserter(out), " {:.10E} {:.10E}", s.real(), s.imag());
}

void angles(Text& out, const ScatteringRow& row, bool with_phi) {
  fmt::format_to(std::back_inserter(out), "{:.2f}", row.theta);
  if (with_phi) fmt::format_to(std::back_inserter(out), " {:.2f}", row.phi);
}

template <class Matrix>
void write_table(const std::string& path, const std::vector<ScatteringRow>& rows, bool with_phi,
                 const char* columns, Matrix ScatteringRow::*matrix) {
  AtomicFile file(path);
  file.write(fmt::format("theta {}{}\n", with_phi ? "phi " : "", columns));
  Text line;
  for (const auto& row : rows) {
    line.clear();
    angles(line, row, with_phi);
    append(line, row.*matrix);
    line.push_back('\n');
    file.write({line.data(), line.size()});
  }
  file.commit();
}

void write_integral(const std::string& path, const PhiIntegral& integral) {
  Text out;
  fmt::format_to(std::back_inserter(out), "theta {} RMSE(integr)\n", mueller_columns);
  for (std::size_t i = 0; i < integral.theta.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{:.2f}", integral.theta[i]);
    append(out, integral.mueller[i]);
    fmt::format_to(std::back_inserter(out), " {:.3E}\n", integral.error[i]);
  }
  write_file(path, {out.data(), out.size()});
}

}  // namespace

void write_scattering(const Outcome& outcome, const std::string& dir) {
  const auto& out = outcome.simulation.outputs;
  const bool amplitude = out.amplitude && !outcome.simulation.orientation.average;
  using Row = ScatteringRow;
  if (!outcome.plane.empty()) {
    if (out.mueller) write_table(dir + "/mueller", outcome.plane, false, mueller_columns, &Row::mueller);
    if (amplitude) write_table(dir + "/ampl", outcome.plane, false, amplitude_columns, &Row::amplitude);
  }
  if (!outcome.grid.empty() && out.store_scat_grid) {
    if (out.mueller)
      write_table(dir + "/mueller_scatgrid", outcome.grid, true, mueller_columns, &Row::mueller);
    if (amplitude)
      write_table(dir + "/ampl_scatgrid", outcome.grid, true, amplitude_columns, &Row::amplitude);
  }
  for (const auto& integral : outcome.phi_integrals) write_integral(dir + "/" + integral.file, integral);
}

}  // namespace umov::dda::adda
