// Targets of sites from a file, and principal axes.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "core/text.hpp"
#include "dda/ddscat/record.hpp"
#include "dda/ddscat/target.hpp"

namespace umov::dda::ddscat {

namespace {

Vec3 three(Record r, const std::string& what) {
  Vec3 v;
  for (double& x : v) x = r.number(what);
  return v;
}

void check_axes(const Record& at, const Target& t) {
  const auto dot = [](const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  constexpr double written = 1e-5;  // DDSCAT writes six decimals
  if (std::abs(dot(t.a1, t.a1) - 1) > written || std::abs(dot(t.a2, t.a2) - 1) > written ||
      std::abs(dot(t.a1, t.a2)) > written)
    at.refuse("the target axes A_1 and A_2 are not of unit length and perpendicular; correct them");
}

Target of_records(const std::string& path, bool anisotropic, std::size_t materials) {
  Records file(path);
  Target t;
  t.description = " " + std::string(trim(file.skip_line("its first line").rest()));
  Record count = file.next("the number of sites");
  const long n = count.whole("NAT", 1, 1000000000);
  t.a1 = three(file.next("A_1"), "A_1");
  Record axes = file.next("A_2");
  t.a2 = three(axes, "A_2");
  check_axes(axes, t);
  Record spacing = file.next("the lattice spacings");
  const Vec3 d = three(spacing, "a lattice spacing");
  if (d[0] != 1 || d[1] != 1 || d[2] != 1)
    spacing.refuse(
        "lattice spacings that differ (rectangular dipoles) are not taken; umov dda has --rectangular");
  t.origin = three(file.next("x0"), "x0");
  file.skip_line("the heading of the sites");
  std::set<Axes3> met;
  for (long i = 0; i < n; ++i) {
    Record r = file.next(fmt::format("site {} of {}", i + 1, n));
    r.number("JA");
    Axes3 at, composition;
    for (int& x : at) x = int(r.whole("a coordinate", -1000000, 1000000));
    for (int& m : composition) m = int(r.whole("ICOMP", 1, long(materials))) - 1;
    const bool tensor = composition[0] != composition[1] || composition[1] != composition[2];
    if (anisotropic && tensor)
      for (int k = 0; k < 3; ++k)
        if (r.number("an angle of the material's axes") != 0)
          r.refuse("angles of the material's axes are not read but for 0 0 0; turn the whole target instead");
    if (!met.insert(at).second) r.refuse("a site that is there already; remove one of the two");
    t.sites.add(at, composition);
  }
  return t;
}

}  // namespace

Target target_from_file(const std::string& path, bool anisotropic, std::size_t materials) {
  return read_as(FileFormat::none, path, "a target of DDSCAT's, a list of dipoles, is read here",
                 [&] { return of_records(path, anisotropic, materials); });
}

void set_principal_axes(Target& t) {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const Axes3& s : t.sites.site) centre += Eigen::Vector3d(s[0], s[1], s[2]);
  centre /= double(t.sites.size());
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const Axes3& s : t.sites.site) {
    const Eigen::Vector3d r = Eigen::Vector3d(s[0], s[1], s[2]) - centre;
    second += r * r.transpose();
  }
  // The largest moment of inertia is about the axis of the smallest second moment, which comes first.
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(second);
  const auto column = [&](int i, int positive) {
    Eigen::Vector3d v = axes.eigenvectors().col(i);
    if (v[positive] < 0) v = -v;
    return Vec3{v[0], v[1], v[2]};
  };
  t.a1 = column(0, 0);
  t.a2 = column(1, 1);
}

}  // namespace umov::dda::ddscat
