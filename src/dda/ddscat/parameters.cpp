// Reads ddscat.par line by line.
#include "dda/ddscat/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "core/text.hpp"
#include "dda/ddscat/record.hpp"
#include "dda/ddscat/shape_list.hpp"

namespace umov::dda::ddscat {

namespace {

namespace fs = std::filesystem;
constexpr long most_values = 100000;

std::string upper(std::string text) {
  for (char& c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : records_(path), folder_(fs::path(path).parent_path()) {
    p_.path = path;
  }

  Parameters read() {
    records_.skip_line("its first line");
    comment("Preliminaries");
    preliminaries();
    comment("Initial Memory Allocation");
    Record bounds = next("MXNX, MXNY, MXNZ");
    for (const char* name : {"MXNX", "MXNY", "MXNZ"}) bounds.number(name);
    comment("Target Geometry and Composition");
    target();
    comment("Additional Nearfield calculation");
    near_field();
    numbers();
    lists();
    light();
    rotations();
    elements();
    directions();
    return std::move(p_);
  }

 private:
  Record next(const std::string& what) {
    Record r = records_.next(what);
    p_.places[what] = r.place();
    return r;
  }
  void comment(const std::string& what) { records_.next("the line '" + what + "'"); }
  std::string beside(const std::string& name) const {
    return fs::path(name).is_absolute() ? name : (folder_ / name).string();
  }

  /// A word of a list.
  std::string choice(const std::string& what, const std::vector<std::string>& words) {
    Record r = next(what);
    const std::string word = upper(r.word(what));
    if (std::find(words.begin(), words.end(), word) == words.end())
      r.refuse(fmt::format("{} is '{}', none of {}", what, shortened(word), join(words, ", ")));
    return word;
  }

  void preliminaries() {
    if (choice("CMDTRQ", {"NOTORQ", "DOTORQ"}) == "DOTORQ")
      throw BadInput(
          p_.places["CMDTRQ"] +
          ": torques are not computed; give NOTORQ (forces: umov dda --radiation-pressure, --forces)");
    p_.solver = choice("CMDSOL", {"PBCGS2", "PBCGST", "GPBICG", "PETRKP", "QMRCCG", "SBICGM"});
    p_.fft = choice("CMDFFT", {"GPFAFT", "FFTW21", "FFTMKL"});
    p_.method = choice("CALPHA", {"GKDLDR", "LATTDR", "FLTRCD"});
    if (choice("CBINFLAG", {"NOTBIN", "ORIBIN", "ALLBIN"}) != "NOTBIN")
      throw BadInput(p_.places["CBINFLAG"] +
                     ": unformatted binary files are not written; give NOTBIN (results.h5 has all numbers)");
  }

  void target() {
    Record r = next("CSHAPE");
    p_.shape = upper(r.word("CSHAPE"));
    const Shape* shape = find_shape(p_.shape);
    if (!shape) r.refuse(why_no_shape(p_.shape));
    if (shape->parameters == 0) {
      records_.skip_line("the line of shape parameters");
      p_.shape_file = beside("shape.dat");
    } else {
      Record values = next("SHPAR");
      for (int i = 1; i <= shape->parameters; ++i)
        p_.shape_parameters.push_back(values.number(fmt::format("shape parameter {} of {}", i, p_.shape)));
      if (shape->file) p_.shape_file = beside(values.word("the shape's file"));
    }
    Record count = next("NCOMP");
    const long n = count.whole("NCOMP", 1, 255);
    if (shape->materials && n != shape->materials)
      count.refuse(fmt::format("{} has {} material{}, NCOMP is {}; make both agree", p_.shape,
                               shape->materials, shape->materials > 1 ? "s" : "", n));
    for (long i = 0; i < n; ++i) {
      Record file = next(material_key(std::size_t(i)));
      p_.materials.push_back(beside(file.word("the file of a material")));
    }
  }

  void near_field() {
    Record r = next("NRFLD");
    if (r.whole("NRFLD", 0, 2) != 0)
      r.refuse(
          "near fields are not computed; give 0 (umov dda --internal-fields has those inside the particle)");
    records_.skip_line("the extent of the near field");
  }

  void numbers() {
    comment("Error Tolerance");
    Record tolerance = next("TOL");
    p_.tolerance = tolerance.positive("TOL");
    if (p_.tolerance > 1) tolerance.refuse("TOL is above 1; give a relative residual, e.g. 1e-5");
    comment("maximum number of iterations");
    p_.max_iterations = next("MXITER").whole("MXITER", 1, 2000000000);
    comment("Interaction cutoff parameter for PBC");
    next("GAMMA").number("GAMMA");
    comment("Angular resolution");
    Record eta = next("ETASCA");
    p_.eta = eta.number("ETASCA");
    if (!(p_.eta > 1e-3)) eta.refuse(fmt::format("ETASCA is {} (must be above 0.001); 0.5 is usual", p_.eta));
  }

  /// first, last, count, and how they are spaced; or a table.
  std::vector<double> list(const std::string& what, const std::string& table) {
    Record r = next(what);
    const double first = r.number(what + ", the first");
    const double last = r.number(what + ", the last");
    const double count = r.number("the number of " + what);
    const std::string how = upper(r.word("the spacing of " + what));
    if (how == "TAB") return table_of(beside(table), what);
    if (!(first > 0) || !(last > 0)) r.refuse(what + " must be positive");
    if (count != std::floor(count) || count < 1 || count > double(most_values))
      r.refuse(fmt::format("the number of {} is {} (1 to {})", what, count, most_values));
    if (how != "LIN" && how != "INV" && how != "LOG")
      r.refuse(fmt::format("'{}' is none of LIN, INV, LOG, TAB", shortened(how)));
    const long n = long(count);
    if (n == 1 && first != last)
      r.refuse(fmt::format("1 of {} between different ends, {} and {}; give how many, or equal ends", what,
                           first, last));
    if (n > 1 && first == last) r.refuse(fmt::format("{} {} between equal ends; give 1", n, what));
    std::vector<double> out{first};
    for (long i = 1; i < n; ++i) {
      const double t = double(i) / double(n - 1);
      out.push_back(how == "LIN"   ? first + t * (last - first)
                    : how == "INV" ? 1 / (1 / first + t * (1 / last - 1 / first))
                                   : first * std::pow(last / first, t));
    }
    return out;
  }

  static std::vector<double> table_of(const std::string& path, const std::string& what) {
    Records file(path);
    file.skip_line("a line of comment");
    std::vector<double> out;
    while (!file.at_end()) {
      out.push_back(file.next(what).positive(what));
      if (long(out.size()) > most_values)
        throw BadInput(fmt::format("{}: more than {} {}", path, most_values, what));
    }
    if (out.empty()) throw BadInput(fmt::format("{}: no {} after its first line; give some", path, what));
    return out;
  }

  void lists() {
    comment("Vacuum wavelengths");
    p_.wavelengths = list("wavelengths", "wave.tab");
    comment("Refractive index of ambient medium");
    p_.medium = next("NAMBIENT").positive("NAMBIENT");
    comment("Effective Radii");
    p_.radii = list("effective radii", "aeff.tab");
  }

  void light() {
    comment("Define Incident Polarizations");
    Record r = next("the polarization e01");
    if (r.complex("e01, x") != cplx(0))
      r.refuse("e01 has a component along x, the direction of the wave; make it (0,0)");
    const cplx y = r.complex("e01, y"), z = r.complex("e01, z");
    const double length = std::sqrt(std::norm(y) + std::norm(z));
    if (!(length > 0)) r.refuse("e01 is the zero vector; give one with a direction");
    p_.polarization = {y / length, z / length};
    p_.polarizations = int(next("IORTH").whole("IORTH", 1, 2));
    comment("which output files to write");
    p_.write_each = next("IWRKSC").whole("IWRKSC", 0, 1) == 1;
  }

  Range rotation(const std::string& name) {
    Record r = next(name);
    Range out;
    out.first = r.number(name + ", the least");
    out.last = r.number(name + ", the largest");
    out.count = int(r.whole("N" + name, 1, most_values));
    out.place = r.place();
    const bool polar = name == "THETA" && out.count > 1;  // sampled by its cosine, which turns there
    if (polar && !(out.first >= 0 && out.first <= 180 && out.last >= 0 && out.last <= 180))
      r.refuse(
          fmt::format("THETA runs from {} to {} degrees (several values lie between 0 and 180); beyond, PHI "
                      "turned by 180 has the same orientations",
                      out.first, out.last));
    if (out.count > 1 && out.first == out.last)
      r.refuse(fmt::format("{} values of {} between equal ends; give 1", out.count, name));
    return out;
  }

  void rotations() {
    comment("Prescribe Target Rotations");
    p_.beta = rotation("BETA");
    p_.theta = rotation("THETA");
    p_.phi = rotation("PHI");
    if (p_.phi.count > 1) p_.polarizations = 2;  // as DDSCAT does
    comment("Specify first IWAV, IRAD, IORI");
    Record r = next("IWAV");
    for (const char* name : {"IWAV", "IRAD", "IORI"})
      if (r.whole(name, 0, 1000000) != 0)
        r.refuse(fmt::format(
            "{} is not 0: a run begins at its first case; give 0 0 0, and --resume FOLDER to go on "
            "with a stopped one",
            name));
  }

  void elements() {
    comment("Select Elements of S_ij");
    const long n = next("NSMELTS").whole("NSMELTS", -1000, 16);
    if (n <= 0) {
      p_.elements = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {1, 2}, {1, 3}};  // DDSCAT's own choice
      records_.skip_line("indices of S_ij");
      return;
    }
    Record r = next("indices of S_ij");
    for (long i = 0; i < n; ++i) {
      const int ij = int(r.whole("an index of S_ij", 11, 44));
      if (ij % 10 < 1 || ij % 10 > 4) r.refuse(fmt::format("{} is no element of a 4 by 4 matrix", ij));
      p_.elements.push_back({ij / 10, ij % 10});
    }
  }

  void directions() {
    comment("Specify Scattered Directions");
    p_.target_frame = choice("CMDFRM", {"LFRAME", "TFRAME"}) == "TFRAME";
    const long n = next("NPLANES").whole("NPLANES", 0, 100000);
    double all = 0;
    for (long i = 0; i < n; ++i) {
      Record r = next(fmt::format("scattering plane {}", i + 1));
      ScatteringPlane plane;
      plane.phi = r.number("phi of the plane");
      plane.first = r.number("the first theta");
      plane.last = r.number("the last theta");
      plane.step = std::abs(r.number("the step of theta"));
      if (plane.first != plane.last && plane.step == 0) r.refuse("the step of theta is 0; give one");
      for (const double theta : {plane.first, plane.last})
        if (!(theta >= -360 && theta <= 360))
          r.refuse(fmt::format("theta {} is outside of -360 to 360 degrees", theta));
      if (plane.step > 0 && std::abs(plane.last - plane.first) / plane.step > double(most_values))
        r.refuse(fmt::format("more than {} directions in a plane; take a larger step", most_values));
      all += plane.step > 0 ? std::abs(plane.last - plane.first) / plane.step + 1 : 1;
      if (all > 1e6) r.refuse("more than 1000000 directions in all planes; take larger steps");
      p_.planes.push_back(plane);
    }
  }

  Parameters p_;
  Records records_;
  fs::path folder_;
};

}  // namespace

std::string material_key(std::size_t i) { return fmt::format("the file of material {}", i + 1); }

Parameters read_parameters(const std::string& path) {
  return read_as(FileFormat::ddscat, path, "DDSCAT's parameters are read here",
                 [&] { return Reader(path).read(); });
}

}  // namespace umov::dda::ddscat
