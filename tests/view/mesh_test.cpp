// Meshes as viewers see them: cuts, surfaces, instants, against functions that elements hold exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "core/error.hpp"
#include "support/temp_folder.hpp"
#include "view/folder.hpp"
#include "view/hub.hpp"
#include "view/mesh_cut.hpp"
#include "view/mesh_series.hpp"
#include "view/over_time.hpp"
#include "view/protocol.hpp"
#include "view/surface.hpp"

namespace umov::view {
namespace {

using results::StoredMesh;

/// The unit cube times (2, 1, 1) in two cubes of six tetrahedra each (Kuhn), the second another region;
/// conductor 0 on x = 0. Of second order on request.
StoredMesh two_cubes(bool second_order = false) {
  StoredMesh m;
  const auto node = [](int i, int j, int k) { return i + 3 * (j + 2 * k); };
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 3; ++i) {
        m.points.push_back({double(i), double(j), double(k)});
        m.conductor.push_back(i == 0 ? 0 : -1);
      }
  m.regions = {"left", "right"};
  m.conductors = {"plate"};
  m.corners = second_order ? 10 : 4;
  std::map<std::pair<int, int>, int> middle;
  for (int cube = 0; cube < 2; ++cube) {
    std::array<int, 3> axes{0, 1, 2};
    do {
      Int3 at{cube, 0, 0};
      std::vector<int> tet{node(at[0], at[1], at[2])};
      for (const int a : axes) {
        ++at[std::size_t(a)];
        tet.push_back(node(at[0], at[1], at[2]));
      }
      if (second_order)
        for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}) {
          const auto key = std::minmax(tet[std::size_t(a)], tet[std::size_t(b)]);
          const auto [found, is_new] = middle.try_emplace(key, int(m.points.size()));
          if (is_new) {
            m.points.push_back(0.5 * (m.points[std::size_t(key.first)] + m.points[std::size_t(key.second)]));
            m.conductor.push_back(-1);
          }
          tet.push_back(found->second);
        }
      m.nodes.insert(m.nodes.end(), tet.begin(), tet.end());
      m.region.push_back(cube);
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  m.times = {0};
  return m;
}

std::vector<float> at_points(const StoredMesh& m, const std::function<double(const Vec3&)>& f) {
  std::vector<float> out;
  for (const Vec3& x : m.points) out.push_back(float(f(x)));
  return out;
}

/// Rounding of floats: values of size 10, a few operations.
constexpr double rounding = 1e-5;

Request cut_of(const MeshRaster& raster, int axis, int index, Int3 size) {
  Request r;
  r.axis = axis;
  r.index = index;
  r.hi = raster.cells;
  r.lo[std::size_t(axis)] = index;
  r.hi[std::size_t(axis)] = index + 1;
  r.size = size;
  return r;
}

TEST(ViewMesh, CutsInterpolateWhatElementsHoldExactly) {
  const auto linear = [](const Vec3& x) { return 1 + 2 * x[0] - x[1] + 3 * x[2]; };
  const auto square = [](const Vec3& x) { return x[0] * x[0] - 2 * x[1] * x[2] + x[2] + 0.5; };
  for (const bool second : {false, true}) {
    const StoredMesh m = two_cubes(second);
    const MeshRaster raster = raster_over(m);
    EXPECT_EQ(raster.cells, (Int3{2048, 1024, 1024}));
    for (int axis = 0; axis < 3; ++axis) {
      Int3 size{31, 17, 23};
      size[std::size_t(axis)] = 1;
      const Request r = cut_of(raster, axis, 300, size);
      const auto places = places_of(m, raster, r);
      const auto values = values_at(m, places, second ? at_points(m, square) : at_points(m, linear), true);
      std::size_t at = 0;
      for (int k = 0; k < size[2]; ++k)
        for (int j = 0; j < size[1]; ++j)
          for (int i = 0; i < size[0]; ++i, ++at) {
            const Int3 n{i, j, k};
            Vec3 x;
            for (std::size_t a = 0; a < 3; ++a) {
              const double box = raster.spacing[a] * (r.hi[a] - r.lo[a]) / size[a];
              x[a] = raster.origin[a] + r.lo[a] * raster.spacing[a] + (n[a] + 0.5) * box;
            }
            ASSERT_NEAR(double(values[at]), second ? square(x) : linear(x), rounding);
          }
    }
  }
}

TEST(ViewMesh, OutsideOfTheMeshNothingIsShown) {
  StoredMesh m = two_cubes();
  // Of the right cube only one tetrahedron: a sixth of its cut places stays inside.
  m.nodes.resize(7 * 4);
  m.region.resize(7);
  const MeshRaster raster = raster_over(m);
  const Request r = cut_of(raster, 2, 512, {64, 32, 1});
  const auto values =
      values_at(m, places_of(m, raster, r), at_points(m, [](const Vec3&) { return 1.0; }), true);
  for (int j = 0; j < 32; ++j)
    for (int i = 0; i < 64; ++i) {
      const double x = (i + 0.5) / 32, y = (j + 0.5) / 32, z = (512.5) / 1024;
      // That tetrahedron is 1 >= x - 1 >= y >= z (axes in the order x, y, z).
      const bool inside = x < 1 || (x - 1 >= y && y >= z);
      ASSERT_EQ(std::isfinite(values[std::size_t(i + 64 * j)]), inside) << i << " " << j;
    }
}

TEST(ViewMesh, SurfacesAreOuterFacesThoseBetweenRegionsAndConductors) {
  StoredMesh m = two_cubes();
  const auto count = [&](int region) {
    const auto faces = surfaces(m);
    return std::count_if(faces.begin(), faces.end(), [&](const Face& f) { return f.region == region; });
  };
  // Two triangles on each of the sides of a cube; x = 0 is the plate's, the face between is there for both.
  EXPECT_EQ(count(0), 10);
  EXPECT_EQ(count(1), 12);
  EXPECT_EQ(count(2), 2);
  m.region.assign(m.count(), 0);
  EXPECT_EQ(surfaces(m).size(), 20u) << "within a region no face is seen";
}

TEST(ViewMesh, ValuesOfElementsDoNotCrossRegions) {
  const StoredMesh m = two_cubes();
  const Surface s(m);
  std::vector<float> values;
  for (const int region : m.region) values.push_back(region == 0 ? 1.0f : 5.0f);
  const Part on_it = s.values(values, false);
  const auto& list = std::get<std::vector<float>>(on_it.values);
  const auto& corners = std::get<std::vector<std::uint32_t>>(s.shape().at(1).values);
  const auto& regions = std::get<std::vector<std::uint32_t>>(s.shape().at(2).values);
  for (std::size_t t = 0; t < regions.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(list[corners[3 * t + c]], regions[t] == 1 ? 5.0f : 1.0f);
  const auto& places = std::get<std::vector<float>>(s.shape().at(0).values);
  const Part x = s.values(at_points(m, [](const Vec3& p) { return p[0]; }), true);
  for (std::size_t v = 0; v < s.vertices(); ++v)
    EXPECT_EQ(std::get<std::vector<float>>(x.values)[v], places[3 * v]);
}

TEST(ViewMesh, InstantsAreKeptAndTheNewestIsTheStateNow) {
  KeptInstants k(1 << 20);
  EXPECT_FALSE(k.at(0, 0));
  k.keep(0, 0, {{1}});
  k.set_now(0.5, 3, {{2}});
  EXPECT_EQ(k.times(), (std::vector<double>{0, 0.5}));
  EXPECT_EQ(k.at(INFINITY, 0)->values->at(0), 2);
  EXPECT_EQ(k.at(0.4, 0)->values->at(0), 1);
  k.keep(1, 5, {{4}});
  EXPECT_EQ(k.times(), (std::vector<double>{0, 1}))
      << "a state between saved ones goes when the next is saved";
  k.set_now(0.7, 4, {{9}});
  EXPECT_EQ(k.at(INFINITY, 0)->time, 1) << "late news are none";
  EXPECT_EQ(k.at(-1, 0)->time, 0);
}

TEST(ViewMesh, WhereMemoryEndsEverySecondInstantIsLeftOut) {
  KeptInstants k(10 * sizeof(float));
  bool all = true;
  for (int i = 0; i < 40; ++i) all &= k.keep(i, i, {{float(i)}});
  EXPECT_FALSE(all);
  const auto times = k.times();
  EXPECT_LE(times.size(), 10u);
  EXPECT_EQ(times.front(), 0);
  EXPECT_EQ(times.back(), 39);
  for (const double t : times) EXPECT_EQ(k.at(t, 0)->values->at(0), float(t));
}

/// A hub with one mesh and a session's way of asking.
struct Shown {
  std::shared_ptr<KeptInstants> instants = std::make_shared<KeptInstants>(1 << 20);
  StoredMesh mesh = two_cubes();
  MeshArrays arrays;
  Hub hub;
  Shown() {
    Shelf shelf;
    arrays = add_mesh(shelf, 0, "fields", std::make_shared<const StoredMesh>(mesh),
                      {{"E", "|E|", "", "V/m", "magnitude", false}}, instants, "m", true);
    hub.publish(std::move(shelf.catalogue), std::move(shelf.makers));
  }
  void keep(double time, float value) {
    const auto newest = instants->times();
    instants->keep(time, time, {std::vector<float>(mesh.count(), value)});
    for (const int id : {arrays.surfaces, arrays.fields[0]})
      hub.renew(id, newest.empty() ? -1 : newest.back());
  }
  SubscriptionPtr ask(int array, const char* more) {
    Echo echo;
    const Command c =
        read_command(R"({"do": "subscribe", "sub": 1, "array": 0)" + std::string(more) + "}", echo);
    Subscription s;
    s.request = request_of(c, hub.catalogue().arrays.at(std::size_t(array)));
    return hub.subscribe(s);
  }
};

TEST(ViewMesh, AnEarlierInstantIsSentOnceAndTheNewestFollowed) {
  Shown shown;
  shown.keep(0, 1);
  const auto newest = shown.ask(shown.arrays.fields[0], R"(, "axis": 1, "pixels": [4, 4])");
  const auto first = shown.ask(shown.arrays.fields[0], R"(, "axis": 1, "pixels": [4, 4], "time": 0.5)");
  const auto value = [&](const Hub::Taken& t) {
    return std::get<std::vector<float>>(t.data->parts[0].values)[0];
  };
  EXPECT_EQ(value(shown.hub.take(newest)), 1);
  EXPECT_EQ(value(shown.hub.take(first)), 1);
  shown.keep(0.25, 2);
  EXPECT_EQ(value(shown.hub.take(newest)), 2);
  const auto renewed = shown.hub.take(first);
  ASSERT_TRUE(renewed.data) << "0.25 is not later than 0.5";
  EXPECT_EQ(value(renewed), 2);
  EXPECT_EQ(renewed.data->time, 0.25);
  shown.hub.acknowledge(newest, 2);
  shown.hub.acknowledge(first, 2);
  shown.keep(1, 3);
  shown.keep(2, 4);
  EXPECT_EQ(value(shown.hub.take(newest)), 4);
  // The first renewal began at 0.25; from 1 on nothing before changes.
  while (shown.hub.take(first).data) {
  }
  shown.keep(3, 5);
  EXPECT_FALSE(shown.hub.take(first).data) << "what is asked for has not changed";
}

TEST(ViewMesh, ShapesAreSentOnceAndValuesWithoutThem) {
  Shown shown;
  const auto shape = shown.ask(shown.arrays.surfaces, R"(, "parts": "shape")");
  const auto values = shown.ask(shown.arrays.surfaces, R"(, "parts": "values")");
  EXPECT_EQ(shown.hub.take(shape).data->parts.size(), 3u) << "before there is any field";
  EXPECT_TRUE(std::isnan(std::get<std::vector<float>>(shown.hub.take(values).data->parts.at(0).values)[0]));
  shown.keep(0, 7);
  EXPECT_FALSE(shown.hub.take(shape).data);
  const auto taken = shown.hub.take(values);
  ASSERT_EQ(taken.data->parts.size(), 1u);
  EXPECT_EQ(std::get<std::vector<float>>(taken.data->parts[0].values)[0], 7);
  const auto all = shown.ask(shown.arrays.surfaces, "");
  EXPECT_EQ(shown.hub.take(all).data->parts.size(), 4u);
  const auto field = shown.hub.catalogue().arrays.at(std::size_t(shown.arrays.fields[0]));
  EXPECT_EQ(field.cut_axis, 1);
  EXPECT_EQ(field.cut_index, 0) << "y = 0 is where this model begins";
  Echo echo;
  EXPECT_THROW(read_command(R"({"do": "subscribe", "sub": 1, "array": 0, "parts": "half"})", echo), BadInput);
  EXPECT_THROW(read_command(R"({"do": "subscribe", "sub": 1, "array": 0, "time": "now"})", echo), BadInput);
}

TEST(ViewTables, ACurveOfEachTimeIsToldFromOthers) {
  EXPECT_EQ(rows_per_instant({{0, 0, 0, 1, 1, 1}, {1, 2, 3, 1, 2, 3}, {9, 9, 9, 9, 9, 9}}), 3u);
  EXPECT_EQ(rows_per_instant({{0, 0, 0}, {1, 2, 3}, {9, 9, 9}}), 3u) << "one instant";
  EXPECT_EQ(rows_per_instant({{0, 0, 1, 1}, {1, 2, 1, 3}, {9, 9, 9, 9}}), 0u) << "other places";
  EXPECT_EQ(rows_per_instant({{0, 1, 2}, {1, 2, 3}, {9, 9, 9}}), 0u) << "a series";
  EXPECT_EQ(rows_per_instant({{1, 1, 0, 0}, {1, 2, 1, 2}, {9, 9, 9, 9}}), 0u) << "time goes back";
  const auto curve = curve_over_time({{0, 0, 2, 2}, {1, 2, 1, 2}, {3, 4, 5, 6}}, 2);
  Request r;
  r.time = 1;
  const Data early = curve(r);
  EXPECT_EQ(std::get<std::vector<double>>(early.parts[0].values), (std::vector<double>{1, 2, 3, 4}));
  const Data late = curve({});
  EXPECT_EQ(std::get<std::vector<double>>(late.parts[0].values), (std::vector<double>{1, 2, 5, 6}));
  EXPECT_EQ(late.time, 2);
}

TEST(ViewTables, LargestValuesKnowTheirPlaces) {
  const std::vector<Column> columns{
      {"time", "s"}, {"oil peak", "V/m"}, {"oil x", "m"}, {"oil y", "m"}, {"oil z", "m"}};
  ASSERT_EQ(peaks_in(columns).size(), 1u);
  EXPECT_TRUE(peaks_in({{"time", "s"}, {"oil peak", "V/m"}, {"x", "m"}, {"y", "m"}, {"z", "m"}}).empty());
  const Numbers table{{0, 1, 2}, {5, 9, 7}, {.1, .2, .3}, {1, 2, 3}, {4, 5, 6}};
  const auto at = peaks_over_time(table, peaks_in(columns));
  EXPECT_EQ(std::get<std::vector<double>>(at({}).parts[0].values),
            (std::vector<double>{.3, 3, 6, 7, 9, .2, 2, 5, 1}));
  Request r;
  r.time = 0.5;
  EXPECT_EQ(std::get<std::vector<double>>(at(r).parts[0].values),
            (std::vector<double>{.1, 1, 4, 5, 5, .1, 1, 4, 0}));
}

TEST(ViewTables, TablesOfAFolderHaveInstantsAndPlaces) {
  test::TempFolder folder;
  const auto run = folder.path / "run001";
  std::filesystem::create_directories(run);
  std::ofstream(run / "resolved.toml") << "# `umov eqs resolved.toml` repeats it.\n";
  std::ofstream(run / "line_gap.csv")
      << "time [s],length [m],E [V/m],material\n0,0,1,a\n0,1,2,a\n1,0,3,a\n1,1,4,a\n";
  std::ofstream(run / "materials.csv")
      << "time [s],oil peak [V/m],oil x [m],oil y [m],oil z [m]\n0,1,0,0,0\n1,2,1,1,1\n";
  std::vector<std::string> complaints;
  const Shelf shelf = shelf_of(find_cases(folder.path.string()), complaints);
  EXPECT_TRUE(complaints.empty());
  std::map<std::string, ArrayInfo> by_name;
  for (const auto& a : shelf.catalogue.arrays) by_name[a.name] = a;
  const auto& line = by_name.at("results/line_gap");
  EXPECT_EQ(line.role, "path");
  EXPECT_EQ(line.columns.at(0).name, "length");
  EXPECT_EQ(line.shape, (std::vector<long long>{2, 2}));
  EXPECT_EQ(by_name.at(line.instants).shape, (std::vector<long long>{2, 2}));
  const auto& peaks = by_name.at("peaks/materials");
  EXPECT_EQ(peaks.rows, (std::vector<std::string>{"oil"}));
  EXPECT_EQ(peaks.kind, Kind::points);
  EXPECT_EQ(by_name.at("results/materials").kind, Kind::curve) << "and over time, as before";
}

}  // namespace
}  // namespace umov::view
