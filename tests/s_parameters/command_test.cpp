// `umov fdtd` with [s_parameters]: what it refuses, kills and resumes, dry runs, ports of layouts.
#include <algorithm>

#include "s_parameters/guides.hpp"
#include "support/gds_writer.hpp"
#include "support/ranked_program.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;
using test::Plates;
using test::text_of;

class SParametersCommand : public testing::Test {
 protected:
  /// What a dry run prints on stderr, having refused the case.
  std::string refused(const std::string& text, const std::string& more = "") {
    folder.write("case.toml", text);
    const auto ended = test::run(folder, "fdtd case.toml --dry-run " + more);
    EXPECT_EQ(ended.code, 2) << ended.out << ended.err;
    return ended.err;
  }
  void expect_refused(const std::string& text, const std::string& part, const std::string& more = "") {
    const std::string said = refused(text, more);
    EXPECT_NE(said.find(part), std::string::npos) << said;
  }
  test::TemporaryFolder folder;
  Plates p;
  const std::string asked = "[s_parameters]\nwavelengths = [1.5]\n";
};

TEST_F(SParametersCommand, RefusesWhatCannotBeWithPlaceAndRemedy) {
  const std::string two = p.domain() + p.ports(1.5);
  expect_refused(p.domain() + asked, "there is no port; give a [[port]]");
  expect_refused(two, "--s-parameters has no frequencies; give wavelengths", "--s-parameters");
  expect_refused(two + asked + "ports = [\"a\", \"c\"]\n",
                 "'s_parameters.ports' names the port 'c', which is not there (there are: a, b)");
  const std::string last = two + asked + "excite = [\"c\"]\n";
  expect_refused(last,
                 fmt::format("case.toml:{}: 's_parameters.excite' names", std::ranges::count(last, '\n')));
  expect_refused(two + asked + "ports = [\"a\", \"a\"]\n", "names the port 'a' twice");
  expect_refused(two + asked + "excite = [\"a:2\"]\n", "names mode 2 of 'a', which is not in the matrix");
  expect_refused(two + asked + "modes = [1, 2, 3]\n", "has 3 numbers for 2 ports (a, b)");
  expect_refused(
      two + asked +
          "[run]\nnormalize = true\n[[monitor]]\nkind = \"flux\"\nsize = [0, 1]\nfrequencies = 0.6\n",
      "has no effect on S-parameters");
  expect_refused(two + asked + "[output]\nview = true\n", "cannot be had with S-parameters");
  expect_refused(two + asked, "cannot be computed on several ranks", "--ranks 2");
  expect_refused(two + "[s_parameters]\nmodes = 2\n", "no S-parameters are asked for");
  expect_refused(two + "[s_parameters]\nfrequency_from = 0.6\nfrequency_count = 3\n", "incomplete or empty");
}

TEST_F(SParametersCommand, RefusesPortsThatCannotBe) {
  const auto port = [&](const std::string& more) {
    return p.domain() + asked + "[[port]]\nname = \"a\"\n" + more;
  };
  expect_refused(port(""), "is a part of a layout (and there is none)");
  expect_refused(port("center = [0, 0]\nsize = [0, 1]\n"), "has a center and no direction");
  expect_refused(port("center = [0, 0]\nsize = [0, 1]\ndirection = \"+z\"\n"), "leaves along z");
  expect_refused(port("center = [0, 0]\nsize = [1, 1]\ndirection = \"+x\"\n"), "has a size along x");
  expect_refused(port("center = [0, 0]\ndirection = \"+x\"\n"), "has no size along y");
  expect_refused(port("center = [0, 0]\nsize = [0, 1]\ndirection = \"+x\"\nat = [1, 0]\n"),
                 "its center and size say where it is");
  expect_refused(p.domain() + asked + p.ports(1) + Plates::port("a", "+x", 0, 0, 1),
                 "has the name of an earlier one");
  expect_refused(p.domain() + asked + p.ports(1.5) + Plates::port("c", "-x", 1.5, 0, 1),
                 "ports 'b' and 'c' have one plane");
  // the layers begin at 2.5, cells are of 0.05
  expect_refused(p.domain() + asked + p.ports(2.35), "move the port inward, or make the domain larger");
  std::string walls = p.domain() + asked + p.ports(1.5);
  walls.replace(walls.find("x = \"pml\""), 9, "x = \"pec\"");
  expect_refused(walls, "leaves towards a wall that sends its waves back");
}

TEST_F(SParametersCommand, RefusesAPulseWithoutTheWavelengthsAndModesThatAreCutOff) {
  const std::string two = p.domain() + p.ports(1.5);
  const std::string source =
      "[[source]]\nkind = \"mode\"\nname = \"own\"\nport = \"a\"\nwaveform = \"gaussian\"\nwavelength = "
      "1.8\nwidth = 0.02\n";
  expect_refused(two + asked + source, "source 'own' has");
  folder.write("case.toml", two + asked + "modes = 2\n");
  const auto ended = test::run(folder, "fdtd case.toml --quiet --output-dir out");
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("no guided mode 2"), std::string::npos) << ended.err;
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(SParametersCommand, DryRunRepeatsTheCaseAndNamesTheRuns) {
  folder.write("case.toml", p.domain() + p.ports(1.5) + "[s_parameters]\nwavelengths_um = [1.6, 1.5]\n");
  const auto planned = test::run(folder, "fdtd case.toml --dry-run");
  ASSERT_EQ(planned.code, 0) << planned.err;
  for (const char* part :
       {"# S-parameters: 2 ports and modes (a, b), 2 runs, 2 frequencies", "# run 2: port = b, mode = 1",
        "sources stand 0.2 behind", "chosen for the wavelengths"})
    EXPECT_NE(planned.out.find(part), std::string::npos) << planned.out;
  folder.write("again.toml", planned.out);
  EXPECT_EQ(test::run(folder, "fdtd again.toml --dry-run").out, planned.out);
}

TEST_F(SParametersCommand, APortThatLooksInwardIsDoubted) {
  for (const bool inward : {false, true}) {
    folder.write("case.toml", p.domain() + Plates::port("a", inward ? "+x" : "-x", -1.5, 0, 1) + asked);
    const auto planned = test::run(folder, "fdtd case.toml --dry-run");
    ASSERT_EQ(planned.code, 0) << planned.err;
    EXPECT_EQ(
        planned.out.find("port 'a' leaves along +x, away from the wall nearest to it (") != std::string::npos,
        inward)
        << planned.out;
    EXPECT_NE(planned.out.find("1 port and mode (a), 1 run, 1 frequency\n"), std::string::npos)
        << planned.out;
  }
}

// A monitor is refused, not the source of the run whose it is; and the case has no source 'pulse'.
TEST_F(SParametersCommand, ARefusalNamesItsPort) {
  std::string text = p.domain() + p.ports(1.5) + asked;
  text += "[[material]]\nname = \"m\"\nperfect_conductor = true\n[[body]]\nmaterial = \"m\"\n";
  const std::string at_b = refused(text + "center = [1.5, 0]\nsize = [0.3, 1]\n");
  EXPECT_NE(at_b.find("S-parameters, port 'b': monitor 'b, mode 1'"), std::string::npos) << at_b;
  const std::string cut_off = refused(p.domain() + p.ports(1.5) + "[s_parameters]\nwavelengths = [3]\n");
  EXPECT_NE(cut_off.find("S-parameters, the run of port = a, mode = 1: the source behind the port"),
            std::string::npos)
      << cut_off;
}

TEST_F(SParametersCommand, TheFolderHasTheModelAndItsPorts) {
  folder.write("case.toml", p.domain() + p.ports(1.5) + asked);
  const auto ended = test::run(folder, "fdtd case.toml --quiet --output-dir out");
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(fs::exists(folder / "out/model.png"));
  const std::string ports = text_of(folder / "out/ports.csv");
  EXPECT_NE(ports.find("\na,-1.5,0,0,0,-1,1,"), std::string::npos) << ports;
}

TEST_F(SParametersCommand, ProcessesOfMpirunShareTheRuns) {
  folder.write("case.toml", p.domain() + p.ports(1.5) + "[s_parameters]\nfrequencies = [0.62, 0.7]\n");
  ASSERT_EQ(test::run(folder, "fdtd case.toml --quiet --no-pictures --threads 1 --output-dir one").code, 0);
  std::string before = test::mpirun("openmpi", 2);
  if (before.empty()) before = test::mpirun("mpich", 2);
  if (before.empty()) GTEST_SKIP() << "no mpirun is here, or umov was built without it";
  const auto two =
      test::umov_in(folder.path(), "fdtd case.toml --quiet --no-pictures --output-dir two", before);
  ASSERT_EQ(two.code, 0) << two.text;
  EXPECT_TRUE(text_of(folder / "one/s_parameters.csv") == text_of(folder / "two/s_parameters.csv"));
  EXPECT_NE(text_of(folder / "two/log").find("2 runs at a time on 2 ranks"), std::string::npos)
      << text_of(folder / "two/log");
}

TEST_F(SParametersCommand, ATemplateGivesPulseAndDistance) {
  folder.write("case.toml",
               p.domain() + p.ports(1.5) + asked +
                   "[[source]]\nkind = \"mode\"\nname = \"own\"\nport = \"a\"\nport_offset = "
                   "0.3\nwaveform = \"gaussian\"\nwavelength = 1.5\nwidth = 0.1\n[[monitor]]\nkind = "
                   "\"mode\"\nport = \"b\"\nfrequencies = 0.6\n");
  const auto planned = test::run(folder, "fdtd case.toml --dry-run");
  ASSERT_EQ(planned.code, 0) << planned.err;
  for (const char* part : {"pulse: that of source 'own'", "sources stand 0.3 behind",
                           "0 source(s) and 1 monitor(s) of the case are not in these runs"})
    EXPECT_NE(planned.out.find(part), std::string::npos) << planned.out;
  const auto one = test::run(folder, "fdtd case.toml --dry-run --no-s-parameters");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out.find("# S-parameters"), std::string::npos);
  EXPECT_NE(one.out.find("\non = false\n"), std::string::npos) << one.out;
}

TEST_F(SParametersCommand, KilledAndResumedHasTheSameBits) {
  const std::string text = p.domain() + p.ports(1.5) +
                           "[s_parameters]\nfrequencies = [0.62, 0.7]\n[[material]]\nname = "
                           "\"m\"\neps = 4\n[[body]]\nmaterial = \"m\"\nsize = [0.5, 0]\n";
  folder.write("case.toml", text);
  const std::string line = "fdtd case.toml --quiet --no-pictures --threads 2 --output-dir ";
  ASSERT_EQ(test::run(folder, line + "whole").code, 0);
  test::Program killed(folder, line + "cut");
  const fs::path state = folder / "cut/sweep.state";
  std::error_code ignored;
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(state, ignored); }));
  const auto begun = fs::file_size(state);
  test::wait_until([&] { return fs::file_size(state) > begun || fs::exists(folder / "cut/log"); });
  killed.send(SIGKILL);
  killed.wait();
  if (fs::exists(folder / "cut/unfinished")) {
    const auto again = test::run(folder, line + "cut");
    EXPECT_EQ(again.code, 2);
    EXPECT_NE(again.err.find("--resume cut"), std::string::npos) << again.err;
  }
  const auto resumed = test::run(folder, "fdtd --resume cut --quiet --no-pictures");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  for (const char* file : {"results.h5", "s_parameters.csv", "s_parameters.s2p"}) {
    const std::string there = text_of(folder / (std::string("whole/") + file));
    EXPECT_FALSE(there.empty()) << file;
    EXPECT_TRUE(there == text_of(folder / (std::string("cut/") + file))) << file;
  }
}

TEST_F(SParametersCommand, LeavesFilesThatAgree) {
  const auto s =
      test::scattering_of(folder, p.domain() + p.ports(1.5) + "[s_parameters]\nfrequencies = [0.62, 0.7]\n");
  ASSERT_EQ(s.s.size(), 8u);
  std::istringstream csv(text_of(folder / "out/s_parameters.csv"));
  std::string line, heading;
  while (std::getline(csv, line) && line.starts_with('#')) {
  }
  EXPECT_TRUE(line.starts_with(
      "wavelength [unit],frequency [c / unit],|S11|^2,phase S11 [deg],S11_re,S11_im,|S21|^2"))
      << line;
  std::getline(csv, line);
  std::vector<double> row;
  std::istringstream words(line);
  for (std::string word; std::getline(words, word, ',');) row.push_back(std::stod(word));
  ASSERT_EQ(row.size(), 2u + 16);
  EXPECT_NEAR(row[0], 1 / 0.62, 1e-12);
  EXPECT_NEAR(row[8], s.at(0, 1, 0).real(), 1e-9);
  EXPECT_NEAR(row[9], s.at(0, 1, 0).imag(), 1e-9);
  const std::string log = text_of(folder / "out/log");
  for (const char* part : {"reciprocity: |S_ij - S_ji| is at most", "passivity: of the power",
                           "run 2, port = b, mode = 1: ", " steps, time ",
                           "2 run(s) of this call, added up: time in s", "  monitors ", "  steps "})
    EXPECT_NE(log.find(part), std::string::npos) << log;
  EXPECT_EQ(log.find("warning"), std::string::npos) << log;
}

TEST_F(SParametersCommand, TakesThePortsOfALayout) {
  test::GdsWriter w;
  w.begin("A"), w.rectangle(1, 0, -1000, -150, 1000, 150), w.label(10, 0, -1000, 0, "west"),
      w.label(10, 0, 1000, 0, "east"), w.end(), w.finish();
  w.save((folder / "a.gds").string());
  const auto s = test::scattering_of(
      folder,
      "[domain]\nsize = [inf, 4]\nresolution = 16\n[machine]\nbackend = \"cpu\"\n[layout]\nfile = \"a.gds\"\n"
      "port_layer = [10, 0]\nport_margin = 1\n[[layer]]\nlayer = 1\nmaterial = \"core\"\n[[material]]\nname "
      "= "
      "\"core\"\nindex = 2\n[s_parameters]\nwavelengths = [1.5]\n");
  ASSERT_EQ(s.s.size(), 4u);
  // The rim of the plane has 1e-2 of the field, single precision and the end of the run less.
  EXPECT_LT(std::abs(s.at(0, 1, 0) - std::polar(1.0, 2 * pi / 1.5 * s.index[0] * 2)), 1e-2);
}

// A direction is out of the structure. Of two ports that look at each other the sources send away from what
// is between them.
TEST_F(SParametersCommand, RefusesPortsThatFaceOthers) {
  const auto facing = [&](const char* a, const char* b) {
    return p.domain() + asked + Plates::port("a", a, -1, 0, 1) + Plates::port("b", b, 1, 0, 1);
  };
  folder.write("case.toml", facing("-x", "+x"));
  EXPECT_EQ(test::run(folder, "fdtd case.toml --dry-run").out.find("warning: port"), std::string::npos);
  expect_refused(facing("+x", "-x"), "port 'a' leaves along +x towards port 'b'");
  expect_refused(facing("+x", "+x"), "set the direction of 'a' to \"-x\"");
  expect_refused(facing("-x", "-x"), "set the direction of 'b' to \"+x\"");
  // With absorbers a guide may end before the other's plane.
  folder.write("case.toml", facing("+x", "+x") + "[[absorber]]\ncenter = [0, 0]\nsize = [0.5, 1]\n");
  const auto planned = test::run(folder, "fdtd case.toml --dry-run");
  EXPECT_NE((planned.out + planned.err).find("warning: port 'a' leaves along +x towards port 'b'"),
            std::string::npos)
      << planned.out << planned.err;
}

TEST_F(SParametersCommand, APortThatGivesNothingIsToldOf) {
  // Each sends away from the other; the absorber lets the case pass.
  folder.write("case.toml", p.domain() + asked + Plates::port("a", "+x", -1, 0, 1) +
                                Plates::port("b", "+x", 1, 0, 1) +
                                "[[absorber]]\ncenter = [0, 0]\nsize = [1, 1]\n");
  const auto ran = test::run(folder, "fdtd case.toml --no-pictures --output-dir out");
  EXPECT_NE(ran.err.find("next to nothing of what enters at"), std::string::npos) << ran.err;
  EXPECT_NE(text_of(folder / "out/log").find("towards port 'b'"), std::string::npos);
}

// What helps a run that comes to its limit is more time, not a smaller criterion; near cutoff neither does.
TEST_F(SParametersCommand, ARunCutShortIsGivenTheRemedyThatHelps) {
  const auto said = [&](const char* frequency) {
    folder.write("case.toml", p.domain() + p.ports(1.5) + "[s_parameters]\nfrequencies = [" + frequency +
                                  "]\n[stop]\nfourier = 1e-4\nmax_time = 60\n");
    const auto ended = test::run(folder, "fdtd case.toml --quiet --no-pictures --output-dir out");
    EXPECT_EQ(ended.code, 3) << ended.err;
    EXPECT_NE(ended.err.find("the limit of"), std::string::npos) << ended.err;
    EXPECT_EQ(ended.err.find("a smaller"), std::string::npos) << ended.err;
    return ended.err;
  };
  const std::string short_run = said("0.65");
  EXPECT_NE(short_run.find("give the runs more time by"), std::string::npos) << short_run;
  EXPECT_NE(short_run.find("(they had 60"), std::string::npos) << short_run;
  // the plates' cutoff is at 0.5: index 0.11
  const std::string slow = said("0.503, 0.65");
  EXPECT_NE(slow.find("leave out wavelengths from 1.988"), std::string::npos) << slow;
  EXPECT_EQ(slow.find("give the runs more time"), std::string::npos) << slow;
}

// Numbers for each port go with the ports as they are found.
TEST_F(SParametersCommand, NumbersForEachPortNeedNoNames) {
  const std::string two = p.domain() + p.ports(1.5) + "[s_parameters]\nfrequencies = [0.65]\n";
  const auto named = test::scattering_of(folder, two + "ports = [\"a\", \"b\"]\nreference = [-0.5, 0.3]\n");
  const auto found = test::scattering_of(folder, two + "reference = [-0.5, 0.3]\n");
  ASSERT_EQ(named.s.size(), 4u);
  EXPECT_TRUE(named.s == found.s);
  expect_refused(two + "reference = [0, 0, 0]\n", "has 3 numbers for 2 ports (a, b)");
}

TEST_F(SParametersCommand, RunsOfAnotherModelAreNotGoneOnWith) {
  const auto text = [&](const char* eps, const char* more) {
    return p.domain() + p.ports(1.5) + "[s_parameters]\nfrequencies = [0.62, 0.7]\n" + more +
           "[[material]]\nname = \"m\"\neps = " + eps + "\n[[body]]\nmaterial = \"m\"\nsize = [0.5, 0]\n";
  };
  folder.write("case.toml", text("4", ""));
  ASSERT_EQ(test::run(folder, "fdtd case.toml --quiet --no-pictures --output-dir out").code, 0);
  const std::string before = text_of(folder / "out/s_parameters.csv");
  folder.write("other.toml", text("4.5", ""));
  const auto other = test::run(folder, "fdtd other.toml --quiet --no-pictures --resume out");
  EXPECT_EQ(other.code, 2) << other.err;
  for (const char* part : {"its runs are of another case", "[[material]] 1", "eps: 4 there, 4.5 now"})
    EXPECT_NE(other.err.find(part), std::string::npos) << other.err;
  EXPECT_EQ(text_of(folder / "out/s_parameters.csv"), before);
  // what changes no run may change: planes, columns, threads
  folder.write("moved.toml", text("4", "reference = 0.5\nexcite = [\"a\"]\n"));
  const auto moved = test::run(folder, "fdtd moved.toml --quiet --no-pictures --threads 1 --resume out");
  EXPECT_EQ(moved.code, 0) << moved.err;
  EXPECT_NE(text_of(folder / "out/log").find("(kept of a call before)"), std::string::npos);
}

TEST_F(SParametersCommand, PlanesThatShareAPartAreRefused) {
  expect_refused(
      "[domain]\nsize = [6, 5]\nresolution = 16\n[[material]]\nname = \"core\"\nindex = 2\n[[body]]\n"
      "material = \"core\"\nsize = [0, 0.5]\n" +
          asked + Plates::port("a", "-x", -1, 0, 3) + Plates::port("b", "-x", -1, 0.2, 3),
      "have one plane, or a part of it");
}

TEST_F(SParametersCommand, EmptyTablesAndFirstRunsAreToldWithTheirPort) {
  expect_refused(p.domain() + p.ports(1.5) + "[s_parameters]\n", "frequencies under [s_parameters]");
  expect_refused(p.domain() + asked + Plates::port("a", "-x", -2.8, 0, 1), "the run of port = a, mode = 1: ");
}

// Where a port has no direction the case as it was run has none either.
TEST_F(SParametersCommand, APortOnAnEdgeNeedsNoDirection) {
  test::GdsWriter w;
  w.begin("A"), w.rectangle(1, 0, -1000, -150, 1000, 150), w.end(), w.finish();
  w.save((folder / "a.gds").string());
  const std::string text =
      "[domain]\nsize = [inf, 4]\nresolution = 16\n[layout]\nfile = \"a.gds\"\nport_margin = 1\n"
      "[[layer]]\nlayer = 1\nmaterial = \"core\"\n[[material]]\nname = \"core\"\nindex = 2\n" +
      asked + "[[port]]\nname = \"east\"\nat = [1, 0]\n";
  folder.write("case.toml", text);
  const auto planned = test::run(folder, "fdtd case.toml --dry-run");
  ASSERT_EQ(planned.code, 0) << planned.err;
  for (const char* part : {"# layout: a.gds: structure 'A'", "# port 'east' of layer '1' at (1, 0, 0)"})
    EXPECT_NE(planned.out.find(part), std::string::npos) << planned.out;
  folder.write("again.toml", planned.out);
  const auto again = test::run(folder, "fdtd again.toml --dry-run");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.out.find("# run 1: port = east"), std::string::npos) << again.out;
  expect_refused(text + "direction = \"-x\"\nwidth = 0.3\n", "give direction = \"+x\"");
}

TEST_F(SParametersCommand, ASweepComputesAMatrixForEachCase) {
  folder.write("case.toml", p.domain() + p.ports(1.5) + asked);
  const auto swept =
      test::run(folder, "sweep case.toml --set domain.resolution=20,25 --arrays 100 --output-dir all");
  ASSERT_EQ(swept.code, 0) << swept.err;
  const auto coarse = test::scattering_of(folder, p.domain() + p.ports(1.5) + asked).s;
  const auto all =
      test::stored<cplx>(results::read_hdf5((folder / "all" / "results.h5").string()), "arrays/s");
  ASSERT_EQ(all.size(), 2 * coarse.size());
  for (std::size_t i = 0; i < coarse.size(); ++i) EXPECT_EQ(all[i], coarse[i]) << i;
}

}  // namespace
}  // namespace umov
