// From a solved case to what OpenDDA reports of it.
#include <fmt/format.h>

#include "dda/opendda/results.hpp"

namespace umov::dda::opendda {

Job make_job(const std::string& path) {
  Job job;
  job.control = read_control(path);
  job.light = frame_of(job.control);
  job.sites = target_sites(job.control).size();
  job.translation = translate(job.control);
  return job;
}

std::vector<std::array<double, 2>> case_directions(const Job& job) {
  auto out = job.translation.directions;
  out.push_back({0, 0});
  return out;
}

std::size_t reduced_size(const Job& job) { return 4 + 8 * job.translation.directions.size(); }

std::vector<double> reduce(const Job& job, const Outcome& o) {
  const std::size_t n = job.translation.directions.size();
  const double k = o.simulation.wavenumber(), area = pi * o.particle.eq_radius * o.particle.eq_radius;
  const PolarizationResult* of[2] = {nullptr, nullptr};
  for (const auto& p : o.polarizations) of[p.label == 'X' ? 0 : 1] = &p;
  QuadraticCross ext = forward_cross(o.grid[n].amplitude, k, false);
  ext.xx = of[0]->cross.cext, ext.yy = of[1]->cross.cext;
  QuadraticCross abs{of[0]->cross.cabs, of[1]->cross.cabs, 0};
  if (!job.light.linear())
    abs.xy = absorption_between(k, of[0]->alpha, o.particle, of[0]->polarization, of[1]->polarization);
  std::vector<double> out;
  for (const Jones& e : {job.light.jones, orthogonal(job.light.jones)})
    out.insert(out.end(), {ext.of(e) / area, abs.of(e) / area});
  for (std::size_t i = 0; i < n; ++i)
    for (const cplx& s : o.grid[i].amplitude) out.push_back(s.real()), out.push_back(s.imag());
  return out;
}

std::vector<ExtraColumn> matrix_arrays(const Job& job, const ManyOutcome& o) {
  const std::size_t n = job.translation.directions.size();
  ExtraColumn directions{"directions", "degree", "theta and phi of the scattering directions", {}, {n, 2}};
  for (const double phi : job.control.phi.values)
    for (const double theta : job.control.theta.values)
      directions.values.insert(directions.values.end(), {theta, phi});
  ExtraColumn mueller{"mueller",
                      "1",
                      "Mueller matrix of each case in each direction, S11, S12, ... S44",
                      {},
                      {o.rows.size(), n, 16}};
  for (const CaseRow& row : o.rows)
    for (std::size_t i = 0; i < n; ++i) {
      const double* at = row.extra.data() + 4 + 8 * i;
      Amplitude s;
      for (cplx& one : s) one = {at[0], at[1]}, at += 2;
      const Mueller m = mueller_matrix(s);
      mueller.values.insert(mueller.values.end(), m.begin(), m.end());
    }
  return {directions, mueller};
}

std::vector<ExtraColumn> columns(const Job& job, const ManyOutcome& o) {
  std::vector<ExtraColumn> out;
  for (int state = 0; state < (job.control.both ? 2 : 1); ++state) {
    ExtraColumn ext{
        fmt::format("Qext_e{}", state), "1", fmt::format("extinction efficiency, incidence e{}", state), {}};
    ExtraColumn abs{
        fmt::format("Qabs_e{}", state), "1", fmt::format("absorption efficiency, incidence e{}", state), {}};
    for (std::size_t i = 0; i < o.rows.size(); ++i) {
      ext.values.push_back(o.rows[i].extra[std::size_t(2 * state)]);
      abs.values.push_back(o.rows[i].extra[std::size_t(2 * state + 1)]);
    }
    out.push_back(std::move(ext));
    out.push_back(std::move(abs));
  }
  const auto arrays = matrix_arrays(job, o);
  out.insert(out.end(), arrays.begin(), arrays.end());
  return out;
}

}  // namespace umov::dda::opendda
