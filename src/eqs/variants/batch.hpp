// A batch: many variants of one case that differ in some of its numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "eqs/simulation.hpp"

namespace umov::eqs {

/// Which combinations of the parameters' values are computed.
enum class Design {
  all,              ///< every value of one with every value of the others
  latin_hypercube,  ///< as many as asked for, spread over the box between the smallest and largest values
  table             ///< the rows of a file
};

/// What is looked for in a response.
enum class Goal { minimum, maximum };

/// What is fitted to a response (linalg/response_surface.hpp).
enum class SurfaceChoice { automatic, none, linear, quadratic, cubic, rbf };

struct BatchSpec {
  Design design = Design::all;
  int variants = 0;  ///< latin_hypercube
  int seed = 1;      ///< of it
  std::string table;
  std::vector<std::string> response;  ///< columns of the table of variants; empty: the materials' peaks
  Goal goal = Goal::minimum;
  SurfaceChoice surface = SurfaceChoice::automatic;
  int workers = 0;       ///< variants at a time on each device; 0: as many as the model's size suggests
  bool folders = false;  ///< keep all results of each variant, in a folder of its own
};

/// One number, or several that are the same, in all variants.
struct BatchParameter {
  std::string name, unit;
  std::vector<std::string> paths;  ///< in the case (parameters/variations.hpp)
  std::vector<double> values;      ///< of the user's list; design `table`: what occurs
  bool logarithmic = false;        ///< spread and fitted over its logarithm
};

struct Batch {
  BatchSpec spec;
  std::vector<BatchParameter> parameters;
  std::vector<std::vector<double>> variants;  ///< [variant][parameter]
  std::vector<Simulation> cases;              ///< per variant, checked
  /// The case with these numbers, one for each parameter. Throws BadInput for what cannot be.
  std::function<Simulation(const std::vector<double>&)> at;
  bool every_gpu = true;  ///< no GPU was chosen by its number
  std::vector<int> gpus;  ///< those chosen
  int ranks = 1;          ///< of this process: so many times `workers` on its processors
};

/// A Latin hypercube in the unit cube: in each of `dimensions` every interval k/n to (k + 1)/n holds one of
/// the n points, in the middle (McKay, Beckman and Conover 1979, without jitter). Of some random ones the one
/// whose nearest points are farthest apart (Johnson, Moore and Ylvisaker 1990). The same for a seed on every
/// machine.
std::vector<std::vector<double>> latin_hypercube(int n, int dimensions, int seed);

}  // namespace umov::eqs
