#include "view/batch_table.hpp"

#include <algorithm>
#include <sstream>

namespace umov::view {

namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

BatchRoles batch_roles(const std::vector<std::pair<std::string, std::string>>& attributes) {
  BatchRoles out;
  for (const auto& [name, text] : attributes) {
    if (name == "parameters") out.parameters = lines_in(text);
    if (name == "given") out.given = lines_in(text);
    if (name == "responses") out.responses = lines_in(text);
    if (name == "counts") out.counts = lines_in(text);
  }
  return out;
}

bool name_roles(const BatchRoles& roles, std::vector<Column>& columns) {
  bool any = false;
  for (Column& c : columns) {
    const bool parameter = has(roles.parameters, c.name);
    any |= parameter;
    c.role = parameter                      ? "parameter"
             : has(roles.given, c.name)     ? "given"
             : has(roles.responses, c.name) ? "response"
             : has(roles.counts, c.name)    ? "count"
                                            : "";
  }
  return any;
}

bool add_batch_table(Shelf& shelf, int case_id, const std::string& name, const BatchRoles& roles,
                     std::vector<Column> columns, const std::vector<std::vector<double>>& values) {
  if (columns.size() < 2 || !name_roles(roles, columns)) return false;
  ArrayInfo info;
  info.case_id = case_id;
  info.name = "results/" + name;
  info.label = name;
  info.text = name + ".csv";
  info.kind = Kind::curve;
  info.role = "batch";
  info.columns = std::move(columns);
  shelf.add_curve(std::move(info), values);
  return true;
}

}  // namespace umov::view
