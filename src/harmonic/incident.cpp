// The incident plane wave on the grid, and what it does in the laterally averaged cell.
#include "harmonic/incident.hpp"

#include <cmath>

#include "backend/serial/serial.hpp"
#include "core/error.hpp"
#include "harmonic/layered_inverse.hpp"

namespace umov::harmonic {

namespace {

/// What the operator makes of the incident wave cut off above plane `s`: the two rows beside the cut.
/// Components along the lateral wave, across it, and along z, at planes s - 1 and s.
struct Sheet {
  cplx l[2] = {0, 0}, t[2] = {0, 0}, z = 0;  ///< z at s - 1/2
};

Sheet sheet_s(cplx kz, double d, IncidentWave& wave) {
  Sheet out;
  out.t[0] = -1 / (d * d);
  out.t[1] = std::exp(-i_unit * kz * d) / (d * d);
  wave.power = std::sin(kz.real() * d) / d;
  return out;
}

Sheet sheet_p(cplx kz, double d, double kappa, double k0, cplx permittivity, IncidentWave& wave,
              double& amplitude) {
  // Q = exp(i kz (z - z_s)); EL = -db Q / (k0^2 eps), Ez = -kappa Q / (k0^2 eps)
  const cplx field = -2.0 * i_unit / d * std::sin(kz * d / 2.0) / (k0 * k0 * permittivity);  // EL at s
  const cplx q_before = std::exp(-i_unit * kz * d / 2.0);
  Sheet out;
  out.l[0] = -field / (d * d);
  out.l[1] = field / (d * d) - q_before / d;
  out.z = -kappa * field / d;
  wave.power = std::imag(std::conj(field) * std::exp(i_unit * kz * d / 2.0));
  amplitude = std::sqrt(std::norm(field) + std::norm(kappa / (k0 * k0 * permittivity)));
  return out;
}

}  // namespace

std::array<double, 2> bloch_vector(double wavelength, double permittivity, double angle, double azimuth) {
  const double along = wavenumber(wavelength) * std::sqrt(permittivity) * std::sin(angle);
  return {along * std::cos(azimuth), along * std::sin(azimuth)};
}

std::vector<cplx> layered_field(const Problem& p, Polarization polarization, IncidentWave& wave,
                                double azimuth) {
  const auto& g = p.grid;
  const double d = g.spacing[2];
  LateralWave lateral = lateral_wave(p, 0, 0);
  if (lateral.kappa == 0) {
    lateral.cx = std::cos(azimuth);
    lateral.cy = std::sin(azimuth);
  }
  const cplx above = p.tangential[g.source - 1];
  // sin^2(kz d / 2); its cosine would lose digits near grazing
  const double sine2 = d * d / 4 * (p.k0 * p.k0 * above.real() - lateral.kappa * lateral.kappa);
  if (!(sine2 > 0 && sine2 < 1))
    throw BadInput(
        sine2 <= 0
            ? "no wave reaches the cell (the angle of incidence is too near to 90 degrees for the grid); "
              "lower the angle"
            : "the cells are larger than a third of the wavelength above the cell; choose smaller ones");
  wave.kz = 2 * std::asin(std::sqrt(sine2)) / d;
  double amplitude = 1;
  const Sheet sheet = polarization == Polarization::s
                          ? sheet_s(wave.kz, d, wave)
                          : sheet_p(wave.kz, d, lateral.kappa, p.k0, above, wave, amplitude);

  // one column of one wave
  Problem column = p.layers();
  column.grid.nx = column.grid.ny = 1;
  const int s = g.source;
  std::vector<Complex<double>> f(3 * g.nz, Complex<double>(0, 0));
  backend::Serial dev;
  LayeredInverse<backend::Serial, double> inverse(dev, column, 0, g.nz, &lateral);
  for (int row = 0; row < 2; ++row) {
    const int k = s - 1 + row;
    f[k] = Complex<double>(lateral.cx * sheet.l[row] - std::conj(lateral.cy) * sheet.t[row]);
    f[g.nz + k] = Complex<double>(lateral.cy * sheet.l[row] + std::conj(lateral.cx) * sheet.t[row]);
  }
  f[2 * g.nz + s - 1] = Complex<double>(sheet.z);
  inverse.apply(f.data());
  std::vector<cplx> out;
  for (const auto& v : f) out.push_back(v.to_std<double>() / amplitude);
  wave.power /= amplitude * amplitude;
  return out;
}

}  // namespace umov::harmonic
