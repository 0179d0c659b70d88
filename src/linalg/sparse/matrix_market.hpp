// Matrix Market files (Boisvert, Pozo, Remington 1996, NISTIR 5935): real matrices and vectors.
#pragma once

#include <string>
#include <vector>

#include "linalg/sparse/csr.hpp"

namespace umov::sparse {

/// A coordinate file (real or integer, general or symmetric) as rows with ascending columns; entries given
/// twice add up. Throws BadInput, naming file and line, for anything else: other kinds of file, numbers that
/// are none, places outside, too few or too many entries, entries above the diagonal of a symmetric file.
HostCsr read_matrix(const std::string& path);
/// The same; `repeated` gets how many entries were added to an earlier one.
HostCsr read_matrix_counting(const std::string& path, index_t& repeated);

/// An array file of one column, or a coordinate one (absent elements are 0). Throws BadInput likewise.
std::vector<double> read_vector(const std::string& path);

/// An array file with digits enough to read the same numbers back. Throws as AtomicFile does.
void write_vector(const std::string& path, const std::vector<double>&);
/// The same with complex numbers, whose imaginary parts lie behind all real ones.
void write_complex_vector(const std::string& path, const std::vector<double>&);
/// A coordinate file, general.
void write_matrix(const std::string& path, const HostCsr&);
/// The lower half of a symmetric matrix; complex unless `imaginary`, the parts of its entries, is empty.
void write_symmetric(const std::string& path, const HostCsr&, const std::vector<double>& imaginary = {});

}  // namespace umov::sparse
