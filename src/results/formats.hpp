// The formats of results, of every family: what they are called and who writes them.
#pragma once

#include <string>

namespace umov::results {

struct Result;

/// Which of them a case wants.
struct Formats {
  bool hdf5 = true, csv = true;
  bool operator==(const Formats&) const = default;
};

/// results.vtkhdf, or results.h5 where there is no image. Throws MachineFailure naming the file.
void write_hdf5_file(const Result&, const std::string& folder);
/// A file per table that has rows. Throws MachineFailure or BadInput naming the file.
void write_csv_files(const Result&, const std::string& folder);

/// TO ADD ONE: its switch in Formats, its function and its line here, and the function in a file of this
/// room. Keys, flags, help and `resolved.toml` of all families follow.
struct Format {
  const char* key;  ///< in [output], and its flags --KEY and --no-KEY
  const char* help;
  bool Formats::*wanted;
  void (*write)(const Result&, const std::string& folder);
};

inline constexpr Format formats[] = {
    {"hdf5", "One HDF5 file with all results.", &Formats::hdf5, write_hdf5_file},
    {"csv", "The results as tables, CSV files.", &Formats::csv, write_csv_files},
};

/// A result in every format that is wanted, into `folder`.
inline void write(const Result& result, const std::string& folder, const Formats& wanted) {
  for (const Format& format : formats)
    if (wanted.*format.wanted) format.write(result, folder);
}

}  // namespace umov::results
