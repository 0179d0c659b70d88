// Incident fields and frames against ADDA's stored beams and against Maxwell's equations.
#include "dda/sources/beams.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "core/error.hpp"
#include "dda/observables/frame.hpp"
#include "dda/sources/gaussian_beam.hpp"

namespace umov::dda::sources {
namespace {

shapes::Particle full_box(const Int3& box, const Vec3& spacing) {
  shapes::Particle p;
  p.box = box;
  p.spacing = spacing;
  p.material.assign(p.sites(), 1);
  p.dipoles_per_material = {p.sites()};
  return p;
}

IncidentFrame frame_of(const Simulation& sim) {
  return make_beam_frame(sim.propagation, sim.orientation, sim.beam.center);
}

void expect_field(const CVec3& actual, const CVec3& expected, double tolerance) {
  for (int c = 0; c < 3; ++c)
    EXPECT_LT(std::abs(actual[c] - expected[c]), tolerance)
        << c << ": " << actual[c] << " versus " << expected[c];
}

TEST(Frames, IncidentVectorsAreRightHandedForAnyDirection) {
  for (const Vec3& prop : {Vec3{0, 0, 1}, Vec3{0, 0, -2}, Vec3{1, 0, 0}, Vec3{1, 2, 3}, Vec3{-1, 2, -3}}) {
    const IncidentFrame f = laboratory_frame(prop);
    EXPECT_NEAR(norm(f.propagation), 1, 1e-15);
    EXPECT_LT(norm(cross(f.pol_x, f.pol_y) - f.propagation), 1e-15);
  }
}

TEST(Frames, EulerAnglesTurnTheBeamOppositeToTheParticle) {
  const double rad = pi / 180, b = 40 * rad, g = 50 * rad;
  const auto rotation = rotation_to_particle({30, 40, 50, false, {}});
  const Vec3 z = transformed(rotation, {0, 0, 1});
  EXPECT_LT(norm(z - Vec3{-std::sin(b) * std::cos(g), std::sin(b) * std::sin(g), std::cos(b)}), 1e-15);
  // The particle's own z axis (last row) points along (beta, alpha) in the laboratory.
  EXPECT_LT(norm(rotation[2] -
                 Vec3{std::cos(30 * rad) * std::sin(b), std::sin(30 * rad) * std::sin(b), std::cos(b)}),
            1e-15);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(dot(rotation[i], rotation[j]), i == j, 1e-15);
}

TEST(Frames, RefuseAPropagationWithoutDirection) {
  EXPECT_THROW(laboratory_frame({0, 0, 0}), BadInput);
  EXPECT_THROW(laboratory_frame({NAN, 0, 1}), BadInput);
}

// ADDA's IncBeam files of a 16^3 box, printed with ten digits.
TEST(Beams, PlaneWaveMatchesAdda) {
  Simulation sim;
  sim.wavelength = 6.2832;
  sim.propagation = {1, 2, 3};
  const shapes::Particle p = full_box({16, 16, 16}, {0.31416, 0.31416, 0.31416});
  const auto e = incident_field(sim, p, frame_of(sim), 'Y');
  expect_field(e[5 * 16 + 7], {cplx(0.6291316413, 0.6357620451), cplx(-0.3145658206, -0.3178810225), 0},
               1e-9);
  expect_field(e[5 * 16 + 8], {cplx(0.5735978094, 0.6862838721), cplx(-0.2867989047, -0.343141936), 0}, 1e-9);
}

/// ADDA's fields at dipoles 0 and 37 of a 4^3 box with spacing 0.25, lambda = 3, waist 2, beam centre
/// (0.3, 0.2, -0.1), propagation (1, 2, 3), orientation (30, 40, 50); printed with 17 digits.
struct StoredBeam {
  BeamKind kind;
  char polarization;
  CVec3 first, inner;
};

const StoredBeam stored_beams[] = {
    {BeamKind::lminus,
     'Y',
     {cplx(0.12543765666032197, -0.317100122762909), cplx(0.29308539981649068, -0.74090523321473312),
      cplx(-0.12073525206342768, 0.30521267911435657)},
     {cplx(0.35343553516870407, -0.033106450471555693), cplx(0.82580301555522628, -0.077353304671785791),
      cplx(-0.34018595023916659, 0.031865356456973859)}},
    {BeamKind::davis3,
     'Y',
     {cplx(0.12989815831248808, -0.31496951427081737), cplx(0.30158211487644476, -0.73701331324658714),
      cplx(-0.097033691584249543, 0.31895694691177051)},
     {cplx(0.35347017885813919, -0.03246128180806182), cplx(0.82585980090298017, -0.076137171178058224),
      cplx(-0.3398679929064895, 0.035480185201365436)}},
    {BeamKind::davis3,
     'X',
     {cplx(0.33298609131020818, -0.78916989075677191), cplx(-0.11390003680495027, 0.3660938100132366),
      cplx(0.06946237345771071, 0.068787936685609036)},
     {cplx(0.88687024839126427, -0.069877728437319112), cplx(-0.3881466053052291, 0.060826153283487699),
      cplx(-0.020815604725109939, 0.075056446162930376)}},
    {BeamKind::barton5,
     'Y',
     {cplx(0.13213219804391521, -0.31678032794783256), cplx(0.30352168835037469, -0.73763634996121796),
      cplx(-0.095115723383235304, 0.32185988844110425)},
     {cplx(0.35437876779600486, -0.032443263727346128), cplx(0.8274795332755468, -0.076096846711758842),
      cplx(-0.34053739572043734, 0.035982183037933796)}},
    {BeamKind::barton5,
     'X',
     {cplx(0.33341348138696703, -0.78652862134102863), cplx(-0.10929762073126148, 0.36625327542364494),
      cplx(0.077665106955304777, 0.07611473687654316)},
     {cplx(0.88530229992590825, -0.068139603103903323), cplx(-0.3869916964424957, 0.063813322214458679),
      cplx(-0.0201975088927943, 0.08415225026899284)}},
    {BeamKind::dipole,
     'Y',
     {cplx(0.51965425819785582, 0.14713781869440273), cplx(0.0010171970557533577, 0.12358823064608788),
      cplx(0.14064116429818158, 0.38977207582800499)},
     {cplx(0.54723648431290328, 0.10234671096137805), cplx(-0.77736518871023519, 0.18163962409193363),
      cplx(-1.4386447958096049, 0.54651923688724813)}},
};

TEST(Beams, GaussianAndDipoleBeamsMatchAdda) {
  for (const StoredBeam& stored : stored_beams) {
    Simulation sim;
    sim.wavelength = 3;
    sim.beam.kind = stored.kind;
    sim.beam.width = 2;
    sim.beam.center = {0.3, 0.2, -0.1};
    sim.propagation = {1, 2, 3};
    sim.orientation = {30, 40, 50, false, ""};
    const auto e =
        incident_field(sim, full_box({4, 4, 4}, {0.25, 0.25, 0.25}), frame_of(sim), stored.polarization);
    ASSERT_EQ(e.size(), 64u);
    expect_field(e[0], stored.first, 1e-14);  // rounding
    expect_field(e[37], stored.inner, 1e-13);
  }
}

/// |div E| / k at r by central differences.
double divergence(const GaussianBeam& beam, double k, const Vec3& r) {
  const double h = 1e-4;
  cplx sum = 0;
  for (int c = 0; c < 3; ++c) {
    Vec3 a = r, b = r;
    a[c] += h;
    b[c] -= h;
    sum += (beam.field(a)[c] - beam.field(b)[c]) / (2 * h);
  }
  return std::abs(sum) / k;
}

TEST(Beams, HigherOrderGaussianBeamsComeCloserToDivergenceFree) {
  const double k = 1, w0 = 5;  // s = 0.2
  const Vec3 r{3, 2, 4};
  const double l = divergence({GaussianOrder::lminus, k, w0}, k, r);
  const double d = divergence({GaussianOrder::davis3, k, w0}, k, r);
  const double b = divergence({GaussianOrder::barton5, k, w0}, k, r);
  // Each pair of orders gains about s^2 = 1/25; a wrong coefficient loses all of it.
  EXPECT_LT(d, l / 8);
  EXPECT_LT(b, d / 4);
}

TEST(Beams, GaussianBeamsHaveUnitAmplitudeAtTheFocus) {
  for (auto order : {GaussianOrder::lminus, GaussianOrder::davis3, GaussianOrder::barton5}) {
    const CVec3 e = GaussianBeam(order, 2, 3).field({0, 0, 0});
    EXPECT_LT(std::abs(e[0] - 1.0), 1e-15);
    EXPECT_LT(std::abs(e[1]) + std::abs(e[2]), 1e-15);
  }
}

TEST(Beams, DipoleOnADipoleAndBeamWithoutWidthAreRefused) {
  Simulation sim;
  sim.beam.kind = BeamKind::dipole;
  const auto p = full_box({1, 1, 1}, {0.1, 0.1, 0.1});
  EXPECT_THROW(incident_field(sim, p, frame_of(sim), 'Y'), BadInput);
  sim.beam.kind = BeamKind::davis3;
  EXPECT_THROW(incident_field(sim, p, frame_of(sim), 'Y'), BadInput);
}

TEST(Beams, WkbFieldGathersThePhaseOfTheColumnBelow) {
  Simulation sim;
  sim.wavelength = 2 * pi;
  const cplx m(1.2, 0.1);
  sim.m = {{m, m, m}};
  shapes::Particle p = full_box({1, 1, 4}, {0.2, 0.2, 0.2});
  p.material[1] = 0;  // a gap that adds no phase
  p.dipoles_per_material = {3};
  const auto e = wkb_field(sim, p, frame_of(sim), 'Y');
  // Layers 0, 2, 3 have 0.5, 1.5, 2.5 dipoles of material below their centres.
  const int layer[] = {0, 2, 3};
  for (int i = 0; i < 3; ++i) {
    const cplx expected = std::exp(cplx(0, 1) * ((layer[i] - 1.5) * 0.2 + (m - 1.0) * 0.2 * (i + 0.5)));
    EXPECT_LT(std::abs(e[i][1] - expected), 1e-15);
  }
  sim.propagation = {1, 0, 0};
  EXPECT_THROW(wkb_field(sim, p, frame_of(sim), 'Y'), BadInput);
}

/// A file that disappears with the test.
struct TemporaryFile {
  std::string path = testing::TempDir() + "umov_beams_test_field";
  explicit TemporaryFile(const std::string& text) { std::ofstream(path) << text; }
  ~TemporaryFile() { std::remove(path.c_str()); }
};

std::string message_of(const std::string& text, std::size_t dipoles) {
  const TemporaryFile file(text);
  try {
    read_field(file.path, dipoles);
  } catch (const BadInput& e) {
    return std::string(e.what()).substr(file.path.size());
  }
  return "no error";
}

TEST(FieldFile, RowsAreReadInOrder) {
  const TemporaryFile file("x y z |Einc|^2 ...\n0 0 0 1 1 2 3 4 5 6\n\n0 0 1 1 -1 -2 -3 -4 -5 -6e-1\n");
  const auto e = read_field(file.path, 2);
  expect_field(e[0], {cplx(1, 2), cplx(3, 4), cplx(5, 6)}, 1e-300);
  expect_field(e[1], {cplx(-1, -2), cplx(-3, -4), cplx(-5, -0.6)}, 1e-300);
}

/// Fields of all kinds have ten numbers a row; only their headings differ.
TEST(FieldFile, HeadingsMustNameTheFieldThatIsWanted) {
  const auto message = [](const std::string& heading, std::string_view wanted) {
    const TemporaryFile file(heading + "\n0 0 0 1 1 2 3 4 5 6\n");
    try {
      read_field(file.path, 1, {}, wanted);
    } catch (const BadInput& e) {
      return std::string(e.what()).substr(file.path.size());
    }
    return std::string("accepted");
  };
  const std::string incident = "x y z |Einc|^2 Eincx.r Eincx.i", inside = "x y z |E|^2 Ex.r Ex.i",
                    polarization = "x y z |P|^2 Px.r Px.i";
  EXPECT_EQ(message(incident, "Einc"), "accepted");
  EXPECT_EQ(message(inside, "E"), "accepted");
  EXPECT_EQ(message("my own field", "Einc"), "accepted");
  EXPECT_EQ(message(inside, ""), "accepted");
  for (const std::string& heading : {inside, polarization})
    EXPECT_EQ(message(heading, "Einc").substr(0, 16), ":1: its heading ") << heading;
  for (const std::string& heading : {incident, polarization})
    EXPECT_NE(message(heading, "E").find("name a file of that field"), std::string::npos) << heading;
}

TEST(FieldFile, PositionsMustBeThoseOfTheDipoles) {
  const std::string field = " 1 1 2 3 4 5 6\n";
  const std::vector<Vec3> there{{-0.123456789012, 0, 5}, {0.123456789012, 0, 5}};
  const auto message = [&](const std::string& first, const std::string& second) {
    const TemporaryFile file("header\n" + first + field + second + field);
    try {
      read_field(file.path, 2, there);
    } catch (const BadInput& e) {
      return std::string(e.what()).substr(file.path.size());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message("-0.123456789 0 5", "0.123456789 -0 5.0"), "accepted");
  EXPECT_EQ(message("-0.123 0 5", "0.123 0 5"), "accepted");  // three digits have no more to say
  EXPECT_EQ(message("-1.23456789e-1 0 5", "0.123456789 1e-17 5"), "accepted");
  EXPECT_EQ(message("-0.123456789 0 5", "0.123456799 0 5").substr(0, 8), ":3: x = ");
  EXPECT_EQ(message("0.123456789 0 5", "-0.123456789 0 5").substr(0, 8), ":2: x = ");  // another order
  EXPECT_EQ(message("-0.12 0 5", "0.13 0 5").substr(0, 8), ":3: x = ");
  EXPECT_EQ(message("-123.456789 0 5000", "123.456789 0 5000").substr(0, 8), ":2: x = ");  // in nm
  EXPECT_EQ(message("-0.1 0 0", "0.1 0 0").substr(0, 8), ":2: z = ");
}

TEST(FieldFile, ErrorsNameTheLine) {
  const std::string row = "0 0 0 1 1 2 3 4 5 6\n";
  EXPECT_EQ(message_of("header\n" + row + "0 0 0 1 1 2 3 4 5\n", 2).substr(0, 3), ":3:");
  EXPECT_EQ(message_of("header\n" + row + "0 0 0 1 1 2 3 4 5 6 7\n", 2).substr(0, 3), ":3:");
  EXPECT_EQ(message_of("header\n" + row + "0 0 0 1 1 2 nan 4 5 6\n", 2).substr(0, 3), ":3:");
  EXPECT_EQ(message_of("header\n" + row + row, 1).substr(0, 3), ":3:");
  EXPECT_EQ(message_of("header\n" + row, 2).substr(0, 3), ":2:");
  EXPECT_THROW(read_field("no/such/file", 1), BadInput);
}

}  // namespace
}  // namespace umov::dda::sources
