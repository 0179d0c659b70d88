// From a solved case to what OpenDDA reports of it.
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
  const double k = 2 * pi / o.simulation.wavelength, area = pi * o.particle.eq_radius * o.particle.eq_radius;
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

}  // namespace umov::dda::opendda
