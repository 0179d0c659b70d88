// Reads OpenDDA's control file: `description string='value'`, line by line.
#include "dda/opendda/control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "core/text.hpp"
#include "dda/opendda/entry.hpp"
#include "dda/solver/solver_names.hpp"
#include "parameters/columns.hpp"

namespace umov::dda::opendda {

namespace {

namespace fs = std::filesystem;

/// The file that stands in for a line.
const std::map<std::string, std::string> list_files{
    {"Wavelengths", "INPUT_incident_wavelength.input"},
    {"Effective radii", "INPUT_target_effective_radius.input"},
    {"Euler phi", "INPUT_target_orientation_euler_phi.input"},
    {"Euler theta", "INPUT_target_orientation_euler_theta.input"},
    {"Euler psi", "INPUT_target_orientation_euler_psi.input"},
    {"Scattering angle phi", "INPUT_scattering_direction_phi.input"},
    {"Scattering angle theta", "INPUT_scattering_direction_theta.input"}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& x : out) x = char(std::tolower(static_cast<unsigned char>(x)));
  return out;
}

/// A description in small letters with single blanks: how its user sets it does not matter.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : lower(trim(text)))
    if (!std::isspace(static_cast<unsigned char>(c)))
      out += c;
    else if (out.back() != ' ')
      out += ' ';
  return out;
}

/// What behind a value says nothing.
bool is_remark(std::string_view text) { return trim(text).empty() || trim(text)[0] == '#'; }

/// A value without quotes, up to a remark.
std::string_view before_remark(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i)
    if (text[i] == '#' && std::isspace(static_cast<unsigned char>(text[i - 1]))) return text.substr(0, i);
  return text;
}

/// The value between quotes, or without any; a remark may stand behind it.
std::string unquoted(std::string_view text, const std::string& key, const std::string& place) {
  text = trim(text);
  const char quote = text.empty() ? ' ' : text.front();
  if (quote != '\'' && quote != '"') return std::string(trim(before_remark(text)));
  std::size_t end = text.find(quote, 1);
  if (end == text.npos)
    refuse(place, fmt::format("the value of \"{}=\" has no closing quote; end it with {}", key, quote));
  while (end != text.npos && !is_remark(text.substr(end + 1))) end = text.find(quote, end + 1);
  if (end == text.npos)
    refuse(place, fmt::format("there is text behind the closing quote of \"{}=\", {}; begin a remark with #",
                              key, shortened(text)));
  return std::string(trim(text.substr(1, end - 1)));
}

/// Of a scheme that NULL is refused for.
bool needs_order(const std::string& scheme) {
  return scheme == "rbicgstab" || scheme.starts_with("mlbicgstab");
}

double number_of(const Entry& e, double least, const char* range) {
  std::string text = e.value;
  std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
  const double x = number(e, std::string(trim(text)));
  if (!(x >= least))
    refuse(e.place, fmt::format("\"{}=\" is {} (must be {}); correct it", e.key, text, range));
  return x;
}

long whole_of(const Entry& e, long least, long most) {
  const double x = number_of(e, double(least), fmt::format("at least {}", least).c_str());
  if (x != std::floor(x) || x > double(most))
    refuse(e.place, fmt::format("\"{}=\" is {} (a whole number from {} to {}); correct it", e.key, e.value,
                                least, most));
  return long(x);
}

class ControlReader {
 public:
  explicit ControlReader(const std::string& path) : folder_(fs::path(path).parent_path()) {
    c_.path = path;
    const auto lines = read_lines(path, "control file");
    for (std::size_t i = 0; i < lines.size(); ++i) take_line(lines[i], fmt::format("{}:{}", path, i + 1));
  }

  Control finish() {
    for (const auto& [key, take] : keys())
      if (!entries_.count(key)) refuse_missing(key);
    for (const auto& [key, take] : keys()) take(entries_.at(key));
    read_materials();
    warn_of_idle_materials();
    find_unread_files();
    return std::move(c_);
  }

 private:
  using Take = std::function<void(const Entry&)>;

  void take_line(const std::string& text, const std::string& place) {
    if (trim(text).empty() || trim(text)[0] == '#') return;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      c_.warnings.push_back(fmt::format(
          "{}: '{}' has no '=' and says nothing (a line is \"description='value'\"); begin remarks with #",
          place, shortened(text)));
      return;
    }
    const std::string given(trim(std::string_view(text).substr(0, equals)));
    Entry e{known(given), "", place};
    if (e.key.empty()) {
      unknown_[given] = place;
      c_.warnings.push_back(
          fmt::format("{}: \"{}=\" is no description of OpenDDA's and says nothing; begin remarks with #",
                      place, shortened(given)));
      return;
    }
    e.value = unquoted(text.substr(equals + 1), e.key, place);
    const auto [at, fresh] = entries_.emplace(e.key, e);
    if (!fresh)
      refuse(place, fmt::format("\"{}=\" is given a second time (the first is {}); leave one out", e.key,
                                at->second.place));
    c_.places[e.key] = place;
  }

  /// The description as this reader calls it; "" for none.
  std::string known(const std::string& given) {
    const std::string name = plain(given);
    if (name.starts_with("material ")) return "Material " + name.substr(9);
    for (const auto& [key, take] : keys())
      if (plain(key) == name) return key;
    return "";
  }

  [[noreturn]] void refuse_missing(const std::string& key) const {
    std::string close;
    const std::vector<std::string> wanted{plain(key)};
    for (const auto& [given, place] : unknown_)
      if (wanted[0].starts_with(plain(given)) || !did_you_mean(plain(given), wanted).empty())
        close = fmt::format(" (\"{}=\" in {} is no description: did you mean '{}'?)", shortened(given), place,
                            key);
    std::string file;
    std::error_code ignored;
    if (const auto at = list_files.find(key);
        at != list_files.end() && fs::exists(beside(at->second), ignored))
      file = fmt::format(" ({} is there, and is read where there is such a line)", at->second);
    throw BadInput(fmt::format("{}: no line begins with \"{}=\" (OpenDDA needs it){}{}; give {}", c_.path,
                               key, close, file, file.empty() ? "one" : fmt::format("{}='NULL'", key)));
  }

  std::string beside(const std::string& name) const { return (folder_ / name).string(); }

  /// As in OpenDDA the file is read where there is one.
  void warn_of_override(const Entry& e, const std::string& file) {
    if (lower(e.value) == "null") return;
    c_.warnings.push_back(fmt::format(
        "{}: \"{}={}\" is not read: {} is there and goes first, as in OpenDDA; write 'NULL' here, "
        "or take the file away",
        e.place, e.key, shortened(e.value), file));
  }

  /// The range, or the file that stands in for it.
  void sweep(const Entry& e, Sweep& s, Values kind) {
    const std::string file = beside(list_files.at(e.key));
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
      s = {};
      s.values = read_list(file);
      read_.push_back(file);
      s.file = s.place = file;
      warn_of_override(e, file);
    } else {
      s = range_of(e);
    }
    check_values(s, e.key, kind);
  }

  const std::map<std::string, Take>& keys() {
    if (!keys_.empty()) return keys_;
    const auto list = [this](Sweep Control::*s, Values kind) {
      return [=, this](const Entry& e) { sweep(e, c_.*s, kind); };
    };
    keys_ = {
        {"Wavelengths", list(&Control::wavelength, Values::positive)},
        {"Effective radii", list(&Control::radius, Values::positive)},
        {"Euler phi", list(&Control::euler_phi, Values::not_negative)},
        {"Euler theta", list(&Control::euler_theta, Values::cosines)},
        {"Euler psi", list(&Control::euler_psi, Values::not_negative)},
        {"Scattering angle phi", list(&Control::phi, Values::not_negative)},
        {"Scattering angle theta", list(&Control::theta, Values::not_negative)},
        {"Incident polarisation e0", [this](const Entry& e) { polarization(e); }},
        {"Shape", [this](const Entry& e) { shape(e); }},
        {"Number of dielectric materials for the target",
         [this](const Entry& e) { c_.materials.resize(std::size_t(whole_of(e, 1, 255))); }},
        {"Iterative scheme", [this](const Entry& e) { solver(e); }},
        {"Convergence tolerance",
         [this](const Entry& e) {
           c_.tolerance = number_of(e, 0, "positive");
           if (!(c_.tolerance > 0 && c_.tolerance <= 1))
             refuse(e.place, "the tolerance must be above 0 and at most 1");
         }},
        {"Breakdown tolerance", [this](const Entry& e) { c_.breakdown = number_of(e, 0, "not negative"); }},
        {"Maximum number of iterations",
         [this](const Entry& e) { c_.max_iterations = whole_of(e, 1, 2000000000); }},
        {"Initial guess", [this](const Entry& e) { c_.initial_guess = int(whole_of(e, 0, 3)); }},
        {"Preconditioning", [this](const Entry& e) { c_.preconditioning = int(whole_of(e, 0, 1)); }},
        {"Polynomial degree", [this](const Entry& e) { c_.degree = int(whole_of(e, 3, 1000)); }},
        {"VTK target xyz coordinate data", [this](const Entry& e) { c_.vtk = whole_of(e, 0, 1) == 1; }},
        {"Timing", [this](const Entry& e) { c_.timing = whole_of(e, 0, 1) == 1; }},
        {"Output precision [DOUBLE]",
         [this](const Entry& e) {
           const int digits = int(whole_of(e, 0, 15));
           c_.digits = digits == 0 ? 15 : digits;
         }},
    };
    return keys_;
  }

  void polarization(const Entry& e) {
    const std::size_t end = e.value.rfind(']');
    const std::string vector = e.value.substr(0, end == std::string::npos ? e.value.rfind(',') : end);
    const Numbers numbers = numbers_in(vector);
    const auto& x = numbers.values;
    if (x.size() != 6 || numbers.has_stray_unit(0))
      refuse(e.place,
             fmt::format(
                 "the polarisation needs three complex numbers re+imi, '[1.0+0.0i,0.0+0.0i,0.0+0.0i],no', "
                 "not '{}'",
                 shortened(e.value)));
    if (x[4] != 0 || x[5] != 0)
      refuse(e.place, "the polarisation has a z component (the wave propagates along z); make it 0.0+0.0i");
    const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    if (!(length > 0)) refuse(e.place, "the polarisation is the zero vector; give one with a direction");
    c_.polarization = {cplx(x[0], x[1]) / length, cplx(x[2], x[3]) / length};
    const std::string word = lower(trim(std::string_view(e.value).substr(e.value.rfind(',') + 1)));
    if (word != "yes" && word != "no")
      refuse(e.place,
             fmt::format("'{}' after the polarisation is neither yes nor no (whether the orthonormal state "
                         "is computed, too)",
                         shortened(word)));
    c_.both = word == "yes";
  }

  void shape(const Entry& e) {
    const auto parts = parts_of(e);
    if (parts.size() < 4)
      refuse(e.place, "the shape needs its name and K,J,P, as 'ellipsoid,10,10,10,NULL,NULL,NULL'");
    c_.shape = parts[0];
    for (int i = 0; i < 3; ++i) {
      const auto n = parse_integer(parts[i + 1]);
      if (!n || *n < 1 || *n > 65535)
        refuse(e.place, fmt::format("'{}' is no number of sites along {} (1 to 65535)",
                                    shortened(parts[i + 1]), "xyz"[i]));
      c_.box[i] = int(*n);
    }
    for (std::size_t i = 4; i < parts.size(); ++i)
      if (lower(parts[i]) != "null")
        refuse(e.place, fmt::format("'{}': no shape of OpenDDA has more than three parameters; give NULL",
                                    shortened(parts[i])));
    const std::string small = lower(c_.shape);
    if (small == "ellipsoid" || small == "cuboid") {
      c_.shape = small;
      return;
    }
    std::error_code ignored;
    c_.from_file = true;
    for (const std::string& name : {c_.shape, small})  // OpenDDA opens the name in small letters
      if (fs::is_regular_file(beside(name), ignored)) {
        c_.shape = beside(name);
        return;
      }
    refuse(e.place,
           fmt::format("shape '{}' is neither ellipsoid nor cuboid nor a file beside the control file",
                       shortened(c_.shape)));
  }

  void solver(const Entry& e) {
    const auto parts = parts_of(e);
    c_.solver = lower(parts[0]);
    if (parts.size() > 2) refuse(e.place, "the scheme is its name and a number of starting vectors or NULL");
    if (parts.size() == 2 && lower(parts[1]) != "null") {
      const auto n = parse_integer(parts[1]);
      if (!n || *n < 1 || *n > most_order)
        refuse(e.place,
               fmt::format("'{}' is no {} (1 to {}{}); correct it", shortened(parts[1]),
                           c_.solver == "rbicgstab" ? "L of BiCGSTAB(L)" : "number of starting vectors",
                           most_order, needs_order(c_.solver) ? "" : ", or NULL"));
      c_.starting_vectors = int(*n);
    }
  }

  void read_materials() {
    for (std::size_t i = 0; i < c_.materials.size(); ++i) {
      Material& m = c_.materials[i];
      const std::string key = fmt::format("Material {}", i);
      const std::string file =
          beside(fmt::format("INPUT_refractive_index_vs_wavelength_material_{}.input", i));
      std::error_code ignored;
      const auto at = entries_.find(key);
      if (at != entries_.end()) m.place = at->second.place;
      if (fs::exists(file, ignored)) {
        m.file = m.place = file;
        m.table = read_index_table(file);
        read_.push_back(file);
        if (at != entries_.end()) warn_of_override(at->second, file);
        continue;
      }
      if (at == entries_.end() || lower(at->second.value) == "null")
        throw BadInput(
            fmt::format("{}: material {} has neither an index in a line \"{}=\" nor the file {}; give "
                        "one of them",
                        c_.path, i, key, file));
      m.m = index_of(at->second);
      if (*m.m == cplx(0) || *m.m == cplx(1))
        refuse(m.place,
               fmt::format("material {} has the index {} ({}); give its n+ki", i, at->second.value,
                           *m.m == cplx(0) ? "no material has it" : "such a material does not scatter"));
    }
  }

  /// Lines beyond the number of materials; OpenDDA's own files have them with NULL.
  void warn_of_idle_materials() {
    const auto count = (long long)(c_.materials.size());
    for (const auto& [key, e] : entries_) {
      if (!key.starts_with("Material ") || lower(e.value) == "null") continue;
      const auto number = parse_integer(key.substr(9));
      if (number && *number >= 0 && *number < count) continue;
      c_.warnings.push_back(fmt::format(
          "{}: \"{}={}\" is not read: \"Number of dielectric materials for the target={}\" has material 0{}; "
          "raise that number, or write 'NULL' here",
          e.place, key, shortened(e.value), count, count > 1 ? fmt::format(" to {}", count - 1) : ""));
    }
  }

  /// OpenDDA takes the first number as n and the second as k, wherever an i stands, and needs none.
  static cplx index_of(const Entry& e) {
    const Numbers numbers = numbers_in(e.value);
    const auto& x = numbers.values;
    if (x.empty() || x.size() > 2)
      refuse(e.place, fmt::format("'{}' is no refractive index (n+ki)", shortened(e.value)));
    if (numbers.has_stray_unit(0))
      refuse(e.place,
             fmt::format("the index '{}' has its imaginary part first or alone (OpenDDA would take "
                         "{} as n); write n+ki, as '{}'",
                         shortened(e.value), x[0],
                         x.size() > 1 ? fmt::format("{}{:+}i", x[1], x[0]) : fmt::format("0{:+}i", x[0])));
    return cplx(x[0], x.size() > 1 ? x[1] : 0);
  }

  /// Files that look like input and are read under no name of this run.
  void find_unread_files() {
    std::error_code failed;
    const fs::path here = folder_.empty() ? fs::path(".") : folder_;
    for (fs::directory_iterator at(here, failed), end; !failed && at != end; at.increment(failed)) {
      const std::string name = at->path().filename().string();
      if (!name.starts_with("INPUT_") || !name.ends_with(".input")) continue;
      if (fs::path(c_.shape).filename() == name) continue;  // the target, under whatever name
      const bool read = std::any_of(read_.begin(), read_.end(), [&](const std::string& file) {
        return fs::path(file).filename() == name;
      });
      if (!read) c_.unread.push_back(name);
    }
    std::sort(c_.unread.begin(), c_.unread.end());
  }

  Control c_;
  std::vector<std::string> read_;  ///< INPUT_*.input files
  fs::path folder_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> unknown_;  ///< descriptions that are none, and their lines
  std::map<std::string, Take> keys_;
};

}  // namespace

Control read_control(const std::string& path) {
  return read_as(FileFormat::opendda, path, "OpenDDA's control file is read here",
                 [&] { return ControlReader(path).finish(); });
}

}  // namespace umov::dda::opendda
