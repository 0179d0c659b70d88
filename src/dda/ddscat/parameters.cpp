// Reads ddscat.par line by line.
#include "dda/ddscat/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/ddscat/record.hpp"

namespace umov::dda::ddscat {

namespace {

namespace fs = std::filesystem;
constexpr long most_values = 100000;

/// A shape with the number of its parameters, whether a file follows them, and materials (0: any).
struct Shape {
  const char* name;
  int parameters;
  bool file;
  int materials;
};

const std::vector<Shape> shapes{
    {"ANIELLIPS", 3, false, 3}, {"ANIFRMFIL", 0, false, 0}, {"ANIRCTNGL", 3, false, 3},
    {"ANI_ELL_2", 3, false, 6}, {"ANI_ELL_3", 3, false, 9}, {"CONELLIPS", 6, false, 2},
    {"CYLINDER1", 3, false, 1}, {"CYLNDRCAP", 2, false, 1}, {"ELLIPSOID", 3, false, 1},
    {"ELLIPSO_2", 3, false, 2}, {"ELLIPSO_3", 3, false, 3}, {"EL_IN_RCT", 6, false, 2},
    {"FROM_FILE", 0, false, 0}, {"HEX_PRISM", 3, false, 1}, {"LAYRDSLAB", 7, false, 0},
    {"RCTGLPRSM", 3, false, 1}, {"SPHERES_N", 2, true, 1},  {"SUPELLIPS", 5, false, 1},
    {"TETRAHDRN", 1, false, 1}, {"UNIAXICYL", 2, false, 2}};

/// Shapes of DDSCAT that are not there, with what to do.
const std::vector<std::pair<std::string, std::string>> absent{
    {"DSKRCTNGL", ""},
    {"DW1996TAR", ""},
    {"GAUSS_SPH", ""},
    {"MLTBLOCKS", ""},
    {"OCTHEDRON", ""},
    {"ONIONSHEL", "its material turns from site to site"},
    {"RCTGLBLK2", ""},
    {"RCTGLBLK3", ""},
    {"SLAB_HOLE", ""},
    {"SPHROID_2", ""},
    {"SPH_ANI_N", "its materials are turned"},
    {"TRNGLPRSM", ""},
    {"UNIAXIHEX", ""},
    {"ANIFILPBC", "periodic"},
    {"BISLINPBC", "periodic"},
    {"CYLNDRPBC", "periodic"},
    {"DSKBLYPBC", "periodic"},
    {"DSKRCTPBC", "periodic"},
    {"ELLIPSPBC", "periodic"},
    {"FRMFILPBC", "periodic"},
    {"HEXGONPBC", "periodic"},
    {"HEXUNIPBC", "periodic"},
    {"LYRSLBPBC", "periodic"},
    {"RCTGL_PBC", "periodic"},
    {"RECRECPBC", "periodic"},
    {"SLBHOLPBC", "periodic"},
    {"SPHRN_PBC", "periodic"},
    {"TRILYRPBC", "periodic"}};

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
    const auto shape =
        std::find_if(shapes.begin(), shapes.end(), [&](const Shape& s) { return p_.shape == s.name; });
    if (shape == shapes.end()) refuse_shape(r);
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
      Record file = next("the file of a material");
      p_.materials.push_back(beside(file.word("the file of a material")));
    }
  }

  [[noreturn]] void refuse_shape(const Record& r) const {
    for (const auto& [name, why] : absent)
      if (name == p_.shape && why == "periodic")
        r.refuse(
            fmt::format("{}: periodic targets are not computed; take an isolated one (umov fdtd has layered "
                        "periodic cells)",
                        name));
      else if (name == p_.shape)
        r.refuse(
            fmt::format("{}: this shape is not there{}; write its target.out by DDSCAT's calltarget and give "
                        "FROM_FILE, or take one of {}",
                        name, why.empty() ? "" : " (" + why + ")", join(shape_names(), ", ")));
    r.refuse(fmt::format("'{}' is no shape of DDSCAT 7.3 {}", shortened(p_.shape),
                         did_you_mean(p_.shape, shape_names())));
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
      p_.planes.push_back(plane);
    }
  }

  Parameters p_;
  Records records_;
  fs::path folder_;
};

/// Middles of `n` equal intervals.
std::vector<double> middles(double first, double last, int n) {
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(first + (last - first) * (i + 0.5) / n);
  return out;
}

}  // namespace

const std::vector<std::string>& shape_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Shape& s : shapes) all.emplace_back(s.name);
    return all;
  }();
  return names;
}

Parameters read_parameters(const std::string& path) { return Reader(path).read(); }

Orientations orientations(const Parameters& p) {
  Orientations o;
  o.beta = middles(p.beta.first, p.beta.last, p.beta.count);
  o.phi = middles(p.phi.first, p.phi.last, p.phi.count);
  o.beta_weight.assign(o.beta.size(), 1.0 / p.beta.count);
  o.phi_weight.assign(o.phi.size(), 1.0 / p.phi.count);
  const int n = p.theta.count;
  const double c0 = std::cos(p.theta.first * pi / 180), c1 = std::cos(p.theta.last * pi / 180);
  const bool simpson = n > 1 && n % 2 == 1;
  const auto angle = [](double cosine) { return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / pi; };
  if (simpson) {
    for (int i = 0; i < n; ++i) {
      o.theta.push_back(angle(c0 + (c1 - c0) * i / (n - 1)));
      const double weight = i == 0 || i == n - 1 ? 1 : i % 2 == 1 ? 4 : 2;
      o.theta_weight.push_back(weight / (3.0 * (n - 1)));
    }
    o.theta.front() = p.theta.first;
    o.theta.back() = p.theta.last;
  } else {
    for (const double c : middles(c0, c1, n)) o.theta.push_back(angle(c));
    o.theta_weight.assign(o.theta.size(), 1.0 / n);
    if (n == 1 && p.theta.first == p.theta.last) o.theta = {p.theta.first};
  }
  return o;
}

std::vector<std::array<double, 2>> plane_directions(const Parameters& p) {
  std::vector<std::array<double, 2>> out;
  for (const ScatteringPlane& plane : p.planes) {
    const double span = plane.last - plane.first;
    const long n = span == 0 ? 1 : 1 + std::lround(std::abs(span) / plane.step);
    const double step = span < 0 ? -plane.step : plane.step;
    for (long i = 0; i < n; ++i)
      out.push_back({i > 0 && i == n - 1 ? plane.last : plane.first + double(i) * step, plane.phi});
  }
  return out;
}

}  // namespace umov::dda::ddscat
