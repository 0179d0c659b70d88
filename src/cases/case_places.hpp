// Places of a case's values, for the checks of every family: where a value came from, and refusals that name
// the place.
#pragma once

#include <string>

#include "parameters/parameters.hpp"
#include "run/machine.hpp"

namespace umov::cases {

/// The checks see where each value came from, so that a message can name the place.
class CasePlaces {
 public:
  explicit CasePlaces(const Origins& origins) : origins_(origins) {}

 protected:
  bool given(const std::string& name) const { return origins_.count(name) != 0; }
  bool given_as_flag(const std::string& name) const;
  /// "case.toml:14: 'domain.size'" or "--size".
  std::string place(const std::string& name) const;
  /// "case.toml:14: body 2" or "... body 'name'": the i-th table of a list.
  std::string item(const std::string& list, std::size_t i, const std::string& name = "") const;
  /// Whether the i-th table of a list has this key.
  bool item_has(const std::string& list, std::size_t i, const std::string& key) const;
  /// "case.toml:16: 'radius' of body 2".
  std::string item_place(const std::string& list, std::size_t i, const std::string& key) const;
  /// Throws BadInput when both are given.
  void exclusive(const std::string& a, const std::string& b, const std::string& why) const;
  /// Throws BadInput when a case (not a flag) sends results out of the current folder and out of its own: by
  /// an absolute path, by "..", or through a link there or in the folder it names. Cases are passed on; what
  /// they write must not surprise who runs them.
  void refuse_escape(const std::string& name, const std::string& folder) const;
  /// The same for the name of a file within the folder of the results.
  void refuse_escaping_name(const std::string& name, const std::string& file) const;
  /// The ways to choose a device contradict each other; `gpu_flag` as --cpu's counterpart is spelled.
  void refuse_two_devices(const std::string& gpu_flag) const;
  /// A number of a GPU or of threads for a backend that has none.
  void refuse_idle_machine(const run::Machine&) const;
  /// Throws BadInput when `file` is named and no file.
  static void check_file(const std::string& where, const std::string& file, const std::string& what);

 private:
  const Origins& origins_;
};

}  // namespace umov::cases
