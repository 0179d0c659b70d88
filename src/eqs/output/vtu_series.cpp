// Arrays of a frame in VTK's XML form; frames adopted again when a run resumes.
#include "eqs/output/vtu_series.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "core/error.hpp"
#include "core/file_place.hpp"
#include "core/text.hpp"

namespace umov::eqs {

namespace {

namespace fs = std::filesystem;

const char* type_of(float) { return "Float32"; }
const char* type_of(double) { return "Float64"; }
const char* type_of(std::int32_t) { return "Int32"; }
const char* type_of(std::int64_t) { return "Int64"; }
const char* type_of(std::uint8_t) { return "UInt8"; }

void write(int file, const std::string& path, const void* bytes, std::size_t count) {
  if (const int code = write_all(file, static_cast<const char*>(bytes), count)) refuse_path(path, code);
}

std::vector<double> points_of(const Problem& p) {
  std::vector<double> x;
  x.reserve(3 * std::size_t(p.nodes));
  for (const Vec3& v : p.mesh.nodes) x.insert(x.end(), v.begin(), v.end());
  for (const auto& e : p.edges.ends) {
    const Vec3 v = 0.5 * (p.mesh.nodes[e[0]] + p.mesh.nodes[e[1]]);
    x.insert(x.end(), v.begin(), v.end());
  }
  return x;
}

std::vector<std::int32_t> corners_of(const Problem& p, int corners) {
  std::vector<std::int32_t> list;
  list.reserve(p.mesh.tets.size() * std::size_t(corners));
  for (std::size_t i = 0; i < p.mesh.tets.size(); ++i)
    for (int k = 0; k < corners; ++k) list.push_back(p.node(int(i), k));
  return list;
}

/// Texts as VTK writes them: characters as numbers, each text ended by 0.
template <class List>
std::string names_array(const char* name, const List& named) {
  std::string codes;
  for (const auto& n : named) {
    for (const char c : n.name) codes += fmt::format("{} ", static_cast<unsigned char>(c));
    codes += "0 ";
  }
  return fmt::format(
      "<DataArray type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" format=\"ascii\">{}</DataArray>\n", name,
      named.size(), codes);
}

}  // namespace

/// A file: its text, and the arrays that stand behind it, made one after the other as they are written.
class VtuSeries::Frame {
 public:
  /// `make` gives a list of `count` numbers.
  template <class T>
  void add(const char* name, int components, const char* unit, std::size_t count,
           std::function<std::vector<T>()> make) {
    text += fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\">",
        type_of(T()), name, components, bytes_);
    if (unit)
      text += fmt::format(
          "<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{}</InformationKey>", unit);
    text += "</DataArray>\n";
    const std::uint64_t bytes = count * sizeof(T);
    parts_.push_back([bytes, make = std::move(make)](int file, const std::string& path) {
      write(file, path, &bytes, sizeof bytes);
      write(file, path, make().data(), bytes);
    });
    bytes_ += sizeof bytes + bytes;
  }
  void end() { text += "</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_"; }

  std::size_t bytes() const { return text.size() + bytes_ + tail_.size(); }
  void write_to(int file, const std::string& path) const {
    write(file, path, text.data(), text.size());
    for (const auto& part : parts_) part(file, path);
    write(file, path, tail_.data(), tail_.size());
  }

  std::string text;

 private:
  static constexpr std::string_view tail_ = "\n</AppendedData>\n</VTKFile>\n";
  std::size_t bytes_ = 0;
  std::vector<std::function<void(int, const std::string&)>> parts_;
};

/// Without values it is good for its size alone.
VtuSeries::Frame VtuSeries::laid_out(std::size_t index, const double* potential,
                                     const std::vector<float>* field) const {
  const Problem& p = *problem_;
  const std::size_t points = std::size_t(p.nodes), cells = p.mesh.tets.size();
  const int corners = p.order == 2 ? 10 : 4;
  Frame f;
  f.text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<FieldData>\n";
  f.text += fmt::format(
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
      shortest(times_[index]));
  f.text += names_array("materials", p.materials);
  if (!p.electrodes.empty()) f.text += names_array("electrodes", p.electrodes);
  f.text += fmt::format(
      "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData Scalars=\"potential\">\n",
      points, cells);
  f.add<float>("potential", 1, "V", points,
               [=] { return std::vector<float>(potential, potential + points); });
  f.add<std::int32_t>("electrode", 1, nullptr, points, [&p, points] {
    auto list = p.node_electrode;
    list.resize(points, -1);  // a problem without electrodes has none
    return list;
  });
  f.text += "</PointData>\n<CellData Vectors=\"E\">\n";
  f.add<float>("E", 3, "V/m", 3 * cells, [field] { return *field; });
  if (!losses_.empty()) f.add<float>("loss", 1, "W/m^3", cells, [this, field] { return losses_.of(*field); });
  f.add<std::int32_t>("material", 1, nullptr, cells, [&p] { return p.material; });
  f.text += "</CellData>\n<Points>\n";
  f.add<double>("Points", 3, nullptr, 3 * points, [&p] { return points_of(p); });
  f.text += "</Points>\n<Cells>\n";
  f.add<std::int32_t>("connectivity", 1, nullptr, cells * std::size_t(corners),
                      [&p, corners] { return corners_of(p, corners); });
  f.add<std::int64_t>("offsets", 1, nullptr, cells, [cells, corners] {
    std::vector<std::int64_t> ends(cells);
    for (std::size_t i = 0; i < cells; ++i) ends[i] = std::int64_t(i + 1) * corners;
    return ends;
  });
  const std::uint8_t type = corners == 10 ? 24 : 10;  // VTK's numbers: quadratic and plain tetrahedra
  f.add<std::uint8_t>("types", 1, nullptr, cells, [=] { return std::vector<std::uint8_t>(cells, type); });
  f.text += "</Cells>\n</Piece>\n";
  f.end();
  return f;
}

std::string VtuSeries::path(std::size_t index) const { return fmt::format("{}-{:04}.vtu", stem_, index); }

void VtuSeries::adopt(std::size_t index) {
  AsideFile& place = frames_.emplace_back(path(index), path(index) + ".part");
  std::error_code failed;
  // A run that ended without converging has put its files in place.
  if (!fs::exists(fs::symlink_status(place.aside(), failed))) fs::rename(place.path(), place.aside(), failed);
  if (!place.is_there() || fs::file_size(place.aside(), failed) != laid_out(index, nullptr, nullptr).bytes())
    throw BadInput(place.aside() +
                   ": the fields saved before the interruption are not there any more (a resumed run "
                   "continues them); run the case again, or with `output.vtu = false`");
}

void VtuSeries::begin(const Problem& p, const std::vector<double>& times, std::size_t done) {
  problem_ = &p;
  times_ = times;
  losses_ = LossDensity(p);
  for (std::size_t k = 0; k < done; ++k) adopt(k);
}

void VtuSeries::frame(std::size_t index, const double* potential, const std::vector<float>& field) {
  if (index == frames_.size()) frames_.emplace_back(path(index), path(index) + ".part");
  AsideFile& place = frames_.at(index);
  place.create();
  Descriptor file(::open(place.aside().c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file) refuse_path(place.path(), errno);
  laid_out(index, potential, &field).write_to(file.get(), place.path());
  if (const int code = file.close()) refuse_path(place.path(), code);
}

void VtuSeries::finish() {
  if (!problem_) return;
  std::string list =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  for (std::size_t k = 0; k < frames_.size(); ++k) {
    frames_[k].commit();
    list += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", shortest(times_[k]),
                        fs::path(path(k)).filename().string());
  }
  write_file(stem_ + ".pvd", list + "</Collection>\n</VTKFile>\n");
}

void VtuSeries::keep() {
  for (AsideFile& f : frames_) f.keep();
}

}  // namespace umov::eqs
