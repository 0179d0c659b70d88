// The table of ADDA's options: each is declared once with its arguments, its help and what it does.
#pragma once

#include <complex>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dda/adda/front.hpp"
#include "dda/simulation.hpp"

namespace umov::dda::adda {

/// The arguments of one option, with conversions that name the option when they fail.
class Arguments {
 public:
  Arguments(std::string name, std::span<const std::string> values)
      : name_(std::move(name)), values_(values) {}

  std::size_t size() const { return values_.size(); }
  const std::string& operator[](std::size_t i) const { return values_[i]; }
  const std::string& name() const { return name_; }

  /// A finite number; "+90", "1e-3" and ".5" are numbers, "1.5um" and "nan" are not.
  double number(std::size_t i) const;
  double positive(std::size_t i) const;
  double nonnegative(std::size_t i) const;
  double in_range(std::size_t i, double least, double most) const;
  int integer(std::size_t i, int least, int most) const;
  /// A number or per cent, 0.01 or 1%, above 0 and at most `most`.
  double fraction(std::size_t i, double most) const;
  Vec3 vector(std::size_t i) const;
  std::string file(std::size_t i) const;

  /// The value that the word stands for.
  template <class T>
  T choice(std::size_t i, const std::vector<std::pair<const char*, T>>& choices) const {
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) {
      if (values_[i] == word) return value;
      words.push_back(word);
    }
    unknown_word(values_[i], words);
  }

  /// Throws BadInput unless first <= size() <= last.
  void expect(std::size_t first, std::size_t last, const std::string& what) const;
  [[noreturn]] void unknown_word(const std::string& word, const std::vector<std::string>& known) const;
  [[noreturn]] void fail(const std::string& why) const;

 private:
  std::string name_;
  std::span<const std::string> values_;
};

/// What the options say before their dependences on each other are settled.
struct State {
  AddaCommand command;
  std::set<std::string> used;
  std::vector<cplx> m{cplx(1.5)};
  std::optional<Polarizability> polarizability;
  std::optional<double> checkpoint_seconds;
  bool beam_center_in_beam = false;

  Simulation& sim() { return command.simulation; }
  Machine& machine() { return command.machine; }
  bool has(const char* name) const { return used.count(name) > 0; }
};

/// One choice of an option that has its own arguments (a shape, a beam).
struct Choice {
  std::string name, arguments, text;
  int least, most;  ///< number of arguments
  bool only_ends;   ///< exactly `least` or exactly `most`
  bool file;        ///< arguments are file names
};

struct Option {
  std::string name;  ///< without ADDA's dash; umov's own begin with one ("-backend")
  std::string arguments, text;
  int least, most;  ///< number of arguments; most = -1: any
  void (*apply)(State&, const Arguments&);
  const std::vector<Choice>* choices = nullptr;
};

std::vector<Option> particle_options();
std::vector<Option> light_options();
std::vector<Option> method_options();
std::vector<Option> output_options();
std::vector<Option> program_options();
const std::vector<Choice>& shape_choices();
const std::vector<Choice>& beam_choices();

/// All of them, in alphabetical order, umov's own last.
const std::vector<Option>& options();

/// Settles what depends on several options and refuses what contradicts itself. Throws BadInput.
void settle(State&);

}  // namespace umov::dda::adda
