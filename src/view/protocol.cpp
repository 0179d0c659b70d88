// What the server says, as JSON.
#include "view/protocol.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/console.hpp"

namespace umov::view {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kinds[] = {"field", "curve", "scalar", "points", "triangles", "text"};
constexpr const char* states[] = {"preparing", "running", "paused",   "stopping",
                                  "finished",  "failed",  "following"};

Json number(double v) { return std::isfinite(v) ? Json(v) : Json(nullptr); }

/// Names may come from files: what is no UTF-8 is shown as printable() does.
std::string text_of(const std::string& s) { return is_utf8(s) ? s : printable(s); }

std::string written(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json columns_json(const std::vector<Column>& columns) {
  Json list = Json::array();
  for (const Column& c : columns) {
    list.push_back({{"name", text_of(c.name)}, {"unit", text_of(c.unit)}});
    if (!c.role.empty()) list.back()["role"] = c.role;
  }
  return list;
}

Json array_json(const ArrayInfo& a) {
  Json j{{"id", a.id},
         {"case", a.case_id},
         {"name", text_of(a.name)},
         {"label", text_of(a.label.empty() ? a.name : a.label)},
         {"text", text_of(a.text)},
         {"unit", text_of(a.unit)},
         {"kind", kinds[int(a.kind)]},
         {"live", a.live},
         {"role", a.role},
         {"shape", a.shape}};
  if (a.kind == Kind::field) {
    j["origin"] = a.origin;
    j["spacing"] = a.spacing;
    j["axes"] = {"x", "y", "z"};
    j["signed"] = a.is_signed;
    if (a.cut_axis >= 0) j["cut"] = {a.cut_axis, a.cut_index};
  } else if (a.kind != Kind::text) {
    j["columns"] = columns_json(a.columns);
    j["log"] = a.logarithmic;
  }
  if (a.kind == Kind::field || a.kind == Kind::points || a.kind == Kind::triangles)
    j["length_unit"] = text_of(a.length_unit);
  if (!a.instants.empty()) j["instants"] = text_of(a.instants);
  if (!a.rows.empty()) {
    j["rows"] = Json::array();
    for (const std::string& name : a.rows) j["rows"].push_back(text_of(name));
  }
  if (a.kind == Kind::triangles || !a.regions.empty()) {
    j["regions"] = Json::array();
    for (const Region& r : a.regions) j["regions"].push_back({{"id", r.id}, {"name", text_of(r.name)}});
  }
  return j;
}

Json mark_json(const Mark& m) {
  Json j{{"case", m.case_id}, {"role", m.role}, {"name", text_of(m.name)}, {"text", text_of(m.text)}};
  if (m.cells.empty()) {
    j["shape"] = "box";
    j["center"] = m.center;
    j["size"] = m.size;
  } else {
    j["shape"] = "cells";
    j["cells"] = m.cells;
    j["raster"] = m.raster;
  }
  if (norm(m.arrow) > 0) j["arrow"] = m.arrow;
  j["dashed"] = m.dashed;
  return j;
}

Json answer(const char* type, const Echo& echo) {
  Json j{{"type", type}, {"do", text_of(echo.name)}};
  if (!echo.reference.empty()) j["ref"] = Json::parse(echo.reference, nullptr, false);
  if (echo.sub > 0) j["sub"] = echo.sub;
  return j;
}

}  // namespace

namespace {

/// With those that are always taken.
std::vector<std::string> all_commands(const std::vector<std::string>& now) {
  std::vector<std::string> all{"subscribe", "unsubscribe", "ack"};
  all.insert(all.end(), now.begin(), now.end());
  return all;
}

}  // namespace

std::string hello_text(const Greeting& g) {
  return written(
      Json{{"type", "hello"},
           {"protocol", protocol_version},
           {"program", g.program},
           {"mode", g.mode},
           {"title", text_of(g.title)},
           {"server", g.server},
           {"commands", all_commands(g.commands)},
           {"limits",
            {{"subscriptions", most_subscriptions}, {"pixels", most_pixels}, {"message", most_message}}}});
}

std::string catalogue_text(const Catalogue& c, const std::vector<std::string>& commands) {
  Json j{{"type", "catalogue"}, {"generation", c.generation}, {"commands", all_commands(commands)}};
  if (!c.title.empty()) j["title"] = text_of(c.title);
  j["cases"] = Json::array();
  for (const CaseInfo& k : c.cases)
    j["cases"].push_back({{"case", k.id},
                          {"name", text_of(k.name)},
                          {"family", k.family},
                          {"state", k.state},
                          {"changed", k.changed},
                          {"folder", text_of(k.folder)},
                          {"text", text_of(k.text)}});
  j["arrays"] = Json::array();
  for (const ArrayInfo& a : c.arrays) j["arrays"].push_back(array_json(a));
  j["marks"] = Json::array();
  for (const Mark& m : c.marks) j["marks"].push_back(mark_json(m));
  if (c.picture.width > 0)
    j["picture"] = {{"width", c.picture.width},
                    {"height", c.picture.height},
                    {"origin", c.picture.origin},
                    {"spacing", c.picture.spacing},
                    {"up", true},
                    {"address", "/picture"}};
  return written(j);
}

std::string state_text(const Progress& p, int viewers) {
  const bool goes = p.state == State::running;
  double left = std::nan("");
  if (goes && std::isfinite(p.left))
    left = p.left;
  else if (goes && p.fraction > 0)
    left = p.seconds * (1 - p.fraction) / p.fraction;
  else if (goes && p.fixed && p.limit > 0 && p.rate > 0)
    left = double(p.limit - p.step) / p.rate;
  return written(Json{{"type", "state"},
                      {"state", states[int(p.state)]},
                      {"stage", p.stage},
                      {"counts", p.counts},
                      {"step", p.step},
                      {"limit", p.limit},
                      {"fraction", number(p.fraction < 0 ? std::nan("") : p.fraction)},
                      {"fixed", p.fixed},
                      {"time", number(p.time)},
                      {"time_unit", p.time_unit},
                      {"seconds", number(p.seconds)},
                      {"left", number(left)},
                      {"rate", number(p.rate)},
                      {"measure", text_of(p.measure)},
                      {"text", text_of(p.text)},
                      {"viewers", viewers}});
}

std::string log_text(const std::string& level, const std::string& text) {
  return written(Json{{"type", "log"}, {"level", level}, {"text", text_of(text)}});
}

std::string range_text(std::uint32_t sub, const Data& d, std::uint32_t sequence) {
  const Spread& s = d.spread.value();
  return written(Json{{"type", "range"},
                      {"sub", sub},
                      {"array", d.request.array},
                      {"sequence", sequence},
                      {"low", s.low},
                      {"high", s.high},
                      {"median", s.median},
                      {"bright", s.bright}});
}

std::string array_text(std::uint32_t sub, const Data& d, std::uint32_t sequence) {
  return written(Json{{"type", "text"},
                      {"sub", sub},
                      {"array", d.request.array},
                      {"sequence", sequence},
                      {"text", text_of(d.text)}});
}

std::string done_text(const Echo& echo) { return written(answer("done", echo)); }

std::string error_text(const Echo& echo, const std::string& text) {
  Json j = answer("error", echo);
  j["text"] = text_of(text);
  return written(j);
}

}  // namespace umov::view
