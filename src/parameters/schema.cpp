// Parameter tables: the JSON Schema of a case, by which editors complete and check it.
#include "parameters/schema.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "parameters/parameters.hpp"

namespace umov {

using OrderedJson = nlohmann::ordered_json;

namespace schema {

namespace {

std::string within(const char* type, const Range& range) {
  OrderedJson out{{"type", type}};
  if (std::isfinite(range.low)) out[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) out["maximum"] = range.high;
  return out.dump();
}

}  // namespace

std::string number(const Range& range) { return within("number", range); }
std::string whole_number(const Range& range) { return within("integer", range); }
std::string truth() { return R"({"type":"boolean"})"; }
std::string text() { return R"({"type":"string"})"; }
std::string words(const std::vector<std::string>& words) { return OrderedJson{{"enum", words}}.dump(); }

std::string list(const std::string& item, int least, int most) {
  OrderedJson out{{"type", "array"}};
  if (!item.empty()) out["items"] = OrderedJson::parse(item);
  if (least > 0) out["minItems"] = least;
  if (most >= 0) out["maxItems"] = most;
  return out.dump();
}

std::string any_of(const std::vector<std::string>& parts) {
  OrderedJson out{{"anyOf", OrderedJson::array()}};
  for (const auto& part : parts) {
    if (part.empty()) return "";
    out["anyOf"].push_back(OrderedJson::parse(part));
  }
  return out.dump();
}

std::string one_or_list(const std::string& item) { return any_of({item, list(item, 1)}); }

}  // namespace schema

namespace {

/// Where one number is wanted, and no list, a list or a range of them may stand, each of which is a case of
/// its own: of a batch of `umov eqs`, or of `umov sweep`.
OrderedJson with_lists(OrderedJson one) {
  const OrderedJson alternatives = one.contains("anyOf") ? one["anyOf"] : OrderedJson::array({one});
  OrderedJson number;
  for (const OrderedJson& a : alternatives) {
    const std::string type = a.value("type", "");
    if (type == "array") return one;
    if (type == "number" || type == "integer") number = a;
  }
  if (number.is_null()) return one;
  OrderedJson out{{"anyOf", alternatives}};
  out["anyOf"].push_back({{"type", "array"}, {"items", number}, {"minItems", 1}});
  out["anyOf"].push_back({{"type", "string"}, {"pattern", "^[^:]+:[^:]+:[^:]+$"}});
  return out;
}

OrderedJson of_parameter(const ParameterInfo& info) {
  OrderedJson out = info.schema.empty() ? OrderedJson::object() : with_lists(OrderedJson::parse(info.schema));
  out["description"] = info.help + (info.unit.empty() ? "" : " (" + info.unit + ")");
  // Literals of TOML are JSON but for texts in words ("a numbered one"), which are no default.
  const OrderedJson by_itself = OrderedJson::parse(info.default_text, nullptr, false);
  if (!by_itself.is_discarded()) out["default"] = by_itself;
  return out;
}

OrderedJson empty_table() {
  return {{"type", "object"}, {"properties", OrderedJson::object()}, {"additionalProperties", false}};
}

OrderedJson tables_of(OrderedJson item, const std::string& help) {
  OrderedJson out{{"type", "array"}, {"items", std::move(item)}};
  if (!help.empty()) out["description"] = help;
  return out;
}

}  // namespace

std::string ParameterList::schema() const {
  OrderedJson out = empty_table();
  OrderedJson& top = out["properties"];
  for (const auto& section : sections()) {
    OrderedJson inner = empty_table();
    bool repeatable = false;
    for (const auto& info : infos_) {
      if (info.section != section || info.key.empty()) continue;
      (section.empty() ? top : inner["properties"])[info.key] = of_parameter(info);
      repeatable = repeatable || info.repeatable;
    }
    if (section.empty() || inner["properties"].empty()) continue;
    // One table alone is a list of one.
    top[section] = repeatable ? OrderedJson{{"anyOf", {inner, tables_of(inner, "")}}} : std::move(inner);
  }
  for (const auto& list : lists_)
    top[list.section] = tables_of(OrderedJson::parse(list.items->schema()), list.help);
  return out.dump();
}

}  // namespace umov
