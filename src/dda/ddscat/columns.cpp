// DDSCAT's results of each case, as columns of the table.
#include "dda/ddscat/blocks.hpp"
#include "dda/ddscat/results.hpp"

namespace umov::dda::ddscat {

std::vector<ExtraColumn> columns(const Job& job, const ManyOutcome& o) {
  std::vector<ExtraColumn> out{
      {"Q_ext", "1", "extinction efficiency, mean of the incident polarizations", {}},
      {"Q_abs", "1", "absorption efficiency", {}},
      {"Q_sca", "1", "scattering efficiency", {}},
      {"g_1", "1", "mean cosine of the scattering angle", {}},
      {"cos2", "1", "mean square of this cosine", {}},
      {"Q_bk", "1", "backscattering cross section per steradian over the area", {}},
      {"Q_pha", "1", "phase lag efficiency", {}},
      {"Q_pol", "1", "extinction of e01 less that of e02", {}},
      {"Q_cpol", "1", "phase lag of e01 less that of e02", {}},
      {"weight", "1", "of the orientation in the average", {}}};
  const bool both = job.parameters.polarizations == 2;
  for (std::size_t i = 0; i < o.rows.size(); ++i) {
    const Reduced r = reduced(job, o.rows[i]);
    const Efficiencies e = both ? mean(r.light[0], r.light[1]) : r.light[0];
    const Place p = place_of(job, i);
    const auto& w = job.orientations;
    const double numbers[] = {e.ext,
                              e.abs,
                              e.sca,
                              e.sca_g[0] / e.sca,
                              e.sca_g2 / e.sca,
                              e.back,
                              e.phase,
                              r.light[0].ext - r.light[1].ext,
                              r.light[0].phase - r.light[1].phase,
                              w.theta_weight[p.theta] * w.beta_weight[p.beta] * w.phi_weight[p.phi]};
    for (std::size_t c = 0; c < out.size(); ++c) out[c].values.push_back(numbers[c]);
  }
  const auto arrays = matrix_arrays(job, o);
  out.insert(out.end(), arrays.begin(), arrays.end());
  if (!both) std::erase_if(out, [](const ExtraColumn& c) { return c.name.ends_with("pol"); });
  return out;
}

}  // namespace umov::dda::ddscat
