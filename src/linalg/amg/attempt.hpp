// One way to solve a system: a scaling, a solver, corrections in extended precision, and what they came to.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "linalg/amg/diagnosis.hpp"
#include "linalg/amg/null_space.hpp"
#include "linalg/amg/scaling.hpp"
#include "linalg/amg/solver.hpp"

namespace umov::amg {

/// One way to solve a system: a scaling, a solver, what came out.
class Attempt {
 public:
  Attempt(const sparse::HostCsr& a, const sparse::Wide& b, const SolveRequest& request, int sign,
          Scaling::Rows rows)
      : a_(a), b_(b), request_(request), scaling_(a, sign, rows), whole_(sparse::norm(b)) {}

  Solution run();
  const Scaling& scaling() const { return scaling_; }
  bool inconsistent() const { return inconsistent_; }
  /// Vectors with A v = 0 were found.
  bool singular() const { return !null_.empty(); }

  /// Estimates of condition and sensitivity, which enter the accuracy. Of a matrix that is found singular by
  /// then x becomes the shortest solution, or the note says that it is not.
  void measure(Solution& s);
  /// What of the error in length is the solve's, not that of the digits of A and b; 0 where not measured.
  double unsolved() const { return unsolved_; }
  /// The row whose residual is largest beside the magnitudes of its terms, and that ratio: what norms do not
  /// see where rows differ by many decades.
  std::pair<double, int> worst_row(const std::vector<double>& x) const;
  /// |b - A x| / |b| of the numbers as given, whatever is scaled; infinite where x holds none.
  double residual_of(const std::vector<double>& x) const;
  /// About the least residual that an x in double can have: its rounding times |A|.
  double floor_of(const std::vector<double>& x) const;

 private:
  void estimate();
  Softest seek_softest();
  /// Corrects x along a vector that A nearly maps to zero, of which iterations see nothing.
  void correct_along(const sparse::Wide& v);
  /// The shortest x, unless that costs the residual.
  bool shorten();
  void add_note(const std::string& text) { s_.note += (s_.note.empty() ? "" : "; ") + text; }
  void note_singular();
  bool near_floor() const { return s_.info.residual < 10 * floor_of(s_.x); }

  /// From x = 0, with a preconditioner in double if the one in single precision fails.
  void plain();

  /// Takes x of the scaled system; says where a double does not hold it.
  void accept(const std::vector<double>& x, int exponent);

  /// Vectors that A maps to zero, and those of the scaled matrix; sought once.
  bool find_null_space();
  std::string null_space() const;

  /// Where the matrix is singular: without the part of b that no A x reaches.
  bool solve_singular();

  void take_shortest(bool silent = false);

  /// Vectors that A maps to zero from those of the scaled matrix.
  std::vector<sparse::Wide> orthonormal(const std::vector<std::vector<double>>& in_scaled) const;
  static long double project_out(const std::vector<sparse::Wide>& vectors, sparse::Wide& b);

  /// Solves A e = b - A x, the residual in extended precision: e is about the error of x. Adds it to x until
  /// residual and error are below the tolerance, or fall no more.
  void correct(const sparse::Wide& b, long double whole);

  /// A solve that went astray has been nearer, by that measure: once more, up to there.
  void keep_the_best();

  const sparse::HostCsr& a_;
  const sparse::Wide& b_;
  SolveRequest request_;
  Scaling scaling_;
  long double whole_;
  std::unique_ptr<LinearSolver> solver_;
  Solution s_;
  double unsolved_ = 0;
  bool inconsistent_ = false, null_sought_ = false, all_found_ = true;
  std::vector<std::vector<double>> null_in_scaled_;
  std::vector<sparse::Wide> null_;
};

/// |b - A x| over `whole`, in extended precision.
long double relative_residual(const sparse::HostCsr& a, const std::vector<double>& x, const sparse::Wide& b,
                              long double whole);
/// The same numbers in double.
std::vector<double> rounded(const sparse::Wide& x);

}  // namespace umov::amg
