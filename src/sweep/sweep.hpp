// A sweep: one case, and the axes along which it is varied.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "api/family.hpp"
#include "sweep/axis.hpp"
#include "sweep/design.hpp"

namespace umov::sweep {

struct Sweep {
  std::string family;
  Tree base;  ///< its files with whole paths
  std::vector<Axis> axes;
  std::size_t cases = 0;
  cases::DesignSpec design = {};
  std::vector<std::vector<double>> points = {};  ///< of a design, as points_of

  Value value(std::size_t axis, std::size_t k) const;
  /// Of an axis of words the place of the value, from 1.
  double number(std::size_t axis, std::size_t k) const;
  Tree case_of(std::size_t k) const;
  /// "body.disk.radius = 0.45, body.disk.material = gold".
  std::string describe(std::size_t k) const;
};

/// Throws BadInput: no axis, one parameter on two axes, a path that the case does not have, a parameter that
/// changes where a case runs and no result, axes that go together and differ in length, a design that they do
/// not fit.
Sweep make_sweep(const std::string& family, const ParameterList&, Tree base, std::vector<Axis> axes,
                 cases::DesignSpec design = {});

/// Checks cases without running them, each by itself or, `planned`, as far as its family plans it. Throws
/// BadInput that names the case, for one of several ranks too.
void check_cases(const Sweep&, const Family&, const std::vector<std::size_t>& cases, bool planned = false);

/// The sweep as a case with [[vary]]; the rows of a table are axes that go together.
std::string resolved_toml(const Sweep&);

/// Files that a case names, by whole paths: those beside it, in `folder`, then those in the current one.
Tree with_whole_paths(Tree, const std::string& folder);
/// Whole paths without their folders: what is left is the same wherever the case lies.
Tree without_folders(Tree);

/// Digests of contents, by path.
using Files = std::map<std::string, std::uint64_t>;

/// Digests of all that decides the results of a case: the family, what the case says but for what changes
/// no result, and what its files hold.
class Keys {
 public:
  /// `outputs`: whether what is written of results counts as a result.
  Keys(std::string family, const ParameterList& table, bool outputs = true)
      : family_(std::move(family)), table_(table), outputs_(outputs) {}
  std::uint64_t of(const Tree&);
  /// What the digest is of.
  std::string text(const Tree&);
  /// Digests of the files that the cases so far have named, by path.
  Files files() const;
  /// Throws BadInput where a file of this case is not what it was when it was first met.
  void require_unchanged(const Tree&) const;

 private:
  struct Contents {
    std::uint64_t digest = 0;
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written = {};  ///< last
    static Contents of(const std::string& path);
  };
  std::string family_;
  const ParameterList& table_;
  bool outputs_;
  std::map<std::string, Contents> contents_;  ///< by path
};

}  // namespace umov::sweep
