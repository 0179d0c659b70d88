// Parts that the readers of n-k files share: lines with their numbers, and blocks of columns before they are
// joined.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "materials/nk_table.hpp"

namespace umov {
struct GivenArrays;
}

namespace umov::materials {

/// A text file cut into lines, for messages that name them.
class Lines {
 public:
  /// Of arrays (core/given_arrays.hpp) the rows. Throws BadInput naming the path if it cannot be read.
  explicit Lines(const std::string& path);
  std::size_t size() const { return lines_.size(); }
  const std::string& operator[](std::size_t i) const { return lines_[i]; }
  /// Blanks before the text of a line.
  std::size_t indent(std::size_t i) const { return indents_[i]; }
  const std::string& path() const { return path_; }
  /// Throws BadInput `path:line: PROBLEM (WHY); SUGGESTION`; i counts from 0.
  [[noreturn]] void refuse(std::size_t i, const std::string& message) const;

 private:
  void take(const GivenArrays&);

  std::string path_;
  std::vector<std::string> lines_;
  std::vector<std::size_t> indents_;
};

/// Samples of n or of k over wavelength (um), in the file's order.
struct Curve {
  std::vector<double> wavelength_um, value;
};

/// Numbers of a line, parted by commas, semicolons or blanks; nothing unless all parse.
std::optional<std::vector<double>> numbers_of(std::string_view line);

/// Adds a row to a curve; refuses wavelengths that are not positive, n <= 0 and k < 0.
void add_row(const Lines&, std::size_t line, Curve&, double wavelength_um, double value, bool is_n);

/// Formulas of the refractiveindex.info database.
inline constexpr int formulas = 9;

/// What is wrong with the number of a formula's coefficients; "" = nothing.
std::string wrong_count(const DispersionFormula&);

/// Sorted by wavelength and joined on the rows of both where both are known (on all of n without a k, which
/// is 0 then), each linear between its own rows or, of n, by its formula. Throws BadInput naming the path for
/// fewer than two rows with both, a wavelength that occurs twice, k without n.
NkTable join_curves(const std::string& path, Curve n, Curve k, const DispersionFormula& formula = {});

/// The two formats.
NkTable read_nk_columns(const Lines&);
/// Whether the heading before the first row names k before n. Throws BadInput with file:line where it names
/// columns of another quantity, as permittivities. Names that are not recognised say nothing.
bool k_before_n(const Lines&);
NkTable read_nk_database(const Lines&);

}  // namespace umov::materials
