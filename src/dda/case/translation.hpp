// A case that was written for another program, as a case of `umov dda` with the files that it names.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "dda/case/case.hpp"

namespace umov::dda {

/// A file made on the way: sites of the target, an index over the wavelength.
struct Companion {
  std::string name, text;
};

struct Translation {
  std::string program, source;  ///< "OpenDDA"; the file that was read
  Case given;
  Origins origins;
  std::vector<Companion> files;      ///< named in `given` without a folder
  std::vector<std::string> remarks;  ///< what umov does otherwise, one sentence each
  /// Wanted directions of scattering: theta from the propagation, phi from pol_x (degrees).
  std::vector<std::array<double, 2>> directions;
  std::string stem;  ///< end of the name of a numbered folder
};

/// "control.input:14", for messages and origins.
std::string file_line(const std::string& path, std::size_t line);

/// Writes the files into `folder`, their names beginning with `prefix`; the case then names them there.
/// Throws as AtomicFile does.
void place_files(Translation&, const std::string& folder, const std::string& prefix = "", bool write = true);

/// Columns `wavelength n k` that `nk_file` reads, or, of three `axes`, n and k along each. [axis][wavelength]
std::string nk_text(const std::string& source, const std::vector<double>& wavelengths,
                    const std::vector<std::vector<cplx>>& axes);

/// The directions in the format of scat_params.dat, as pairs.
std::string directions_text(const std::vector<std::array<double, 2>>& directions);

/// The case as TOML that `umov dda` runs: what differs from the defaults, with the lines that it comes from.
/// Its files are named without a folder: they lie beside it, `place_files(t, folder_of_toml, prefix)`.
std::string to_toml(const Translation&, const std::string& prefix);

}  // namespace umov::dda
