// Inputs of OpenDDA and DDSCAT for tests, with what differs from case to case.
#pragma once

#include <map>
#include <string>

namespace umov::test {

/// A control file of OpenDDA: a small ellipsoid in one orientation, with values replaced by key.
inline std::string control_file(const std::map<std::string, std::string>& other = {}) {
  std::map<std::string, std::string> values{{"Wavelengths", "3.175,0.0,3.175"},
                                            {"Incident polarisation e0", "[1.0+0.0i,0.0+0.0i,0.0+0.0i],no"},
                                            {"Effective radii", "0.5,0.0,0.5"},
                                            {"Shape", "ellipsoid,10,10,10,NULL,NULL,NULL"},
                                            {"Number of dielectric materials for the target", "1"},
                                            {"Material 0", "1.63631+0.372i"},
                                            {"Material 1", "NULL"},
                                            {"Euler phi", "25.0,0.0,25.0"},
                                            {"Euler theta", "0.5735764364,0.0,0.5735764364"},
                                            {"Euler psi", "80.0,0.0,80.0"},
                                            {"Scattering angle phi", "45.0,0.0,45.0"},
                                            {"Scattering angle theta", "30.0,0.0,30.0"},
                                            {"Iterative scheme", "bicgstab,NULL"},
                                            {"Convergence tolerance", "1e-10"},
                                            {"Breakdown tolerance", "1e-50"},
                                            {"Maximum number of iterations", "10000"},
                                            {"Initial guess", "0"},
                                            {"Preconditioning", "1"},
                                            {"Polynomial degree", "3"},
                                            {"VTK target xyz coordinate data", "0"},
                                            {"Timing", "0"},
                                            {"Output precision [DOUBLE]", "[0]"}};
  for (const auto& [key, value] : other) values[key] = value;
  std::string out = "# a remark\n";
  for (const auto& [key, value] : values)
    if (value != "(absent)") out += key + "='" + value + "'\n";
  return out;
}

/// The lines of a ddscat.par of DDSCAT 7.3.
struct ParFile {
  std::string torque = "'NOTORQ'", solver = "'PBCGS2'", fft = "'GPFAFT'", method = "'GKDLDR'",
              binary = "'NOTBIN'";
  std::string shape = "'RCTGLPRSM'", parameters = "4 6 8", materials = "1\n'm.tab'";
  std::string near_field = "0", tolerance = "1.00e-8", iterations = "300", eta = "0.5";
  std::string wavelengths = "0.5 0.5 1 'LIN'", medium = "1.000", radii = "0.1 0.1 1 'LIN'";
  std::string polarization = "(0,0) (1.,0.) (0.,0.)", orthogonal = "2", each = "1";
  std::string beta = "0. 0. 1", theta = "0. 0. 1", phi = "0. 0. 1", first = "0 0 0";
  std::string elements = "6\n11 12 21 22 31 41", frame = "'LFRAME'", planes = "1\n0. 0. 180. 30";

  std::string text() const {
    const std::string c = "\n'**** a heading ****'\n";
    return "' === parameter file ==='" + c + torque + " = CMDTRQ\n" + solver + " = CMDSOL\n" + fft +
           " = CMDFFT\n" + method + " = CALPHA\n" + binary + " = CBINFLAG" + c + "100 100 100 = room" + c +
           shape + " = CSHAPE\n" + parameters + " = parameters\n" + materials + c + near_field +
           " = NRFLD\n0. 0. 0. 0. 0. 0. = extent" + c + tolerance + " = TOL" + c + iterations + " = MXITER" +
           c + "1.00e-2 = GAMMA" + c + eta + " = ETASCA" + c + wavelengths + " = wavelengths" + c + medium +
           " = NAMBIENT" + c + radii + " = radii" + c + polarization + " = e01\n" + orthogonal + " = IORTH" +
           c + each + " = IWRKSC" + c + beta + " = BETA\n" + theta + " = THETA\n" + phi + " = PHI" + c +
           first + " = IWAV, IRAD, IORI" + c + elements + c + frame + " = CMDFRM\n" + planes + "\n";
  }
};

/// A file of a dielectric function that is n + ik at all wavelengths.
inline std::string constant_index(const std::string& n, const std::string& k) {
  return "one index\n1 2 3 0 0 = columns for wave, Re(n), Im(n), eps1, eps2\nLAMBDA Re(n) Im(n)\n0.000001 " +
         n + " " + k + "\n1.0 " + n + " " + k + "\n100000.0 " + n + " " + k + "\n";
}

}  // namespace umov::test
