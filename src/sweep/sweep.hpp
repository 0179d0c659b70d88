// A sweep: one case, and the axes along which it is varied.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/family.hpp"
#include "sweep/axis.hpp"

namespace umov::sweep {

struct Sweep {
  std::string family;
  Tree base;  ///< its files with whole paths
  std::vector<Axis> axes;
  std::size_t cases = 0;

  Tree case_of(std::size_t k) const;
};

/// Throws BadInput: no axis, one parameter on two axes, a path that the case does not have, a parameter that
/// changes where a case runs and no result, axes that go together and differ in length.
Sweep make_sweep(const Family&, Tree base, std::vector<Axis> axes);

/// Checks cases without running them, each by itself or, `planned`, as far as its family plans it. Throws
/// BadInput that names the case, for one of several ranks too.
void check_cases(const Sweep&, const Family&, const std::vector<std::size_t>& cases, bool planned = false);

/// The sweep as a case with [[vary]].
std::string resolved_toml(const Sweep&);

/// Files that a case names, by whole paths: those beside it, in `folder`, then those in the current one.
Tree with_whole_paths(Tree, const std::string& folder);

/// Digests of all that decides the results of a case: the family, what the case says but for the machine, and
/// what its files hold.
class Keys {
 public:
  Keys(const Family& family, const Sweep& sweep) : table_(family.parameters()), sweep_(sweep) {}
  std::uint64_t of(std::size_t k);

 private:
  const ParameterList& table_;
  const Sweep& sweep_;
  std::map<std::string, std::uint64_t> contents_;  ///< by path
};

}  // namespace umov::sweep
