// ADDA's command lines with ADDA's own results: the whole list when it is at hand, else the part kept here.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/places.hpp"

namespace umov::test {

using Row = std::vector<double>;

struct AddaCase {
  std::string id, command;
  /// Name of a quantity (Cext, Csca.g) to its one or three values, for "Y" and "X".
  std::map<std::string, std::map<std::string, Row>> cross;
  std::vector<Row> mueller, amplitude;  ///< theta, then the columns of ADDA's files
  std::size_t dipoles = 0;
  long iterations = 0;
};

inline std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

inline AddaCase read_case(const nlohmann::json& from) {
  AddaCase c;
  c.id = from.at("id");
  c.command = from.at("command");
  for (const std::string label : {"Y", "X"}) {
    const auto found = from.find("CrossSec-" + label);
    if (found == from.end()) continue;
    for (const auto& [name, value] : found->items()) {
      c.cross[label][name] = value.is_array() ? value.get<Row>() : Row{value.get<double>()};
    }
  }
  const auto table = [&](const char* name) {
    const auto found = from.find(name);
    if (found == from.end()) return std::vector<Row>{};
    return (found->is_object() ? found->at("rows") : *found).get<std::vector<Row>>();
  };
  c.mueller = table("mueller");
  c.amplitude = table("ampl");
  const auto& count = from.at("occupied_dipoles");
  c.dipoles = count.get<std::size_t>();
  c.iterations = from.at("iterations_total").get<long>();
  return c;
}

inline std::vector<AddaCase> adda_cases(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  std::vector<AddaCase> cases;
  const auto list = nlohmann::json::parse(in);
  for (const auto& one : list.at("cases")) cases.push_back(read_case(one));
  return cases;
}

/// All 139 cases: with every angle and figure when the reference is at hand, else as kept with the tests.
inline std::vector<AddaCase> adda_cases() {
  return adda_cases(has_reference("adda/cases.json") ? reference("adda/cases.json")
                                                     : data("adda_cases.json"));
}

}  // namespace umov::test
