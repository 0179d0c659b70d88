// `umov fdtd`: what is refused of files and flags, in which words, and what has no effect.
#include "cli/fdtd_front.hpp"

namespace {

using namespace umov;
using namespace umov::fdtd;

class FdtdFrontRefusals : public test::FdtdFrontFolder {};

TEST_F(FdtdFrontRefusals, UnknownKeysNameFileLineAndSuggestion) {
  EXPECT_EQ(refused_file("[domain]\nsize = 4\n[[body]]\nmaterial = \"a\"\nradus = 1\n"),
            "case.toml:5: unknown key 'radus' in [[body]]; did you mean 'radius'?");
  EXPECT_EQ(refused_file("[[material]]\nname = \"a\"\n[[material.pole]]\nkin = \"drude\"\n"),
            "case.toml:4: unknown key 'kin' in [[material.pole]]; did you mean 'kind'?");
  EXPECT_EQ(refused_file("[[sorce]]\n"), "case.toml:1: unknown key 'sorce'; did you mean 'source'?");
  EXPECT_EQ(refused_file("[source]\nkind = \"point\"\n"), "case.toml:1: 'source' wants tables: [[source]]");
  EXPECT_EQ(refused({"--eps-mx", "3"}), "unknown option '--eps-mx'; did you mean '--eps-max'?");
}

TEST_F(FdtdFrontRefusals, WrongValuesNameFileLineAndKey) {
  EXPECT_EQ(refused_file("[domain]\nsize = 4\n[[source]]\nkind = \"pont\"\n").substr(0, 44),
            "case.toml:4: 'source.kind' 'pont' is unknown");
  EXPECT_EQ(refused_file("[[body]]\nradius = -1\n"),
            "case.toml:2: 'body.radius' -1 is out of range (allowed: >= 0)");
  EXPECT_EQ(refused_file("[domain]\nsize = [1, 2, 3, 4]\n"),
            "case.toml:2: 'domain.size' wants one, two or three numbers, not a list of 4");
  EXPECT_EQ(refused_file("[[monitor]]\nplane_at = nan\n"),
            "case.toml:2: 'monitor.plane_at' wants a finite number, not nan");
  EXPECT_EQ(
      refused_file("[domain]\nsize = inf\n"),
      "case.toml:2: 'domain.size' is infinite along x (there is no layout that it could be around); give "
      "its extent there");
  EXPECT_EQ(refused_file("[[monitor]]\ndirection = 2\n"),
            "case.toml:2: 'monitor.direction' wants 1 or -1, not 2");
  EXPECT_EQ(
      refused_file("[boundary]\nx = [\"pec\", \"pml\", \"pml\"]\n"),
      "case.toml:2: 'boundary.x' wants one wall, or those of the low and the high side, not a list of 3");
}

TEST_F(FdtdFrontRefusals, NonsenseOfSeveralParametersIsRefusedByName) {
  const std::string domain = "[domain]\nsize = [4, 4]\n";
  expect_contains(refused({}), "there is no domain");
  expect_contains(refused({"--width", "8", "--size", "4"}), "--width has no effect (no picture is given");
  expect_contains(refused({"missing.png"}), "no such file 'missing.png'");
  expect_contains(refused({"model.svg"}), "neither a case nor a picture");
  expect_contains(refused({"model.GIF"}), "no such file 'model.GIF'");
  expect_contains(refused_file(domain + "[[vary]]\nparameter = \"domain.size\"\n"),
                  "case.toml:3: unknown key 'vary'; umov sweep varies parameters; give it this case");
  expect_contains(refused({"--size", "4", "--steps", "3", "--time", "2"}),
                  "each fixes the length of the run");
  expect_contains(refused({"--size", "4", "--cpu", "--gpu"}), "each chooses where to compute");
  expect_contains(refused_file("[domain]\nsize = [4, 0, 4]\n"),
                  "case.toml:2: 'domain.size' has an extent along z");
  expect_contains(refused_file("[domain]\nsize = 4\npolarization = \"te\"\n"), "case.toml:3");
  expect_contains(refused_file(domain + "[machine]\nranks = 2\ncut = \"blocks\"\n"),
                  "case.toml:5: 'machine.cut' is blocks, but this grid has no two axes to cut across");
  expect_contains(refused_file(domain + "[boundary]\nx = [\"periodic\", \"pml\"]\n"),
                  "case.toml:4: 'boundary.x'");
  expect_contains(refused_file(domain + "[boundary]\nbloch = [0.1]\n"), "set x = \"bloch\"");
  expect_contains(refused_file(domain + "[[source]]\nkind = \"point\"\n"),
                  "case.toml:3: source 'point1' has no frequency");
  expect_contains(refused_file(domain + "[[source]]\nfrequency = 1\nwavelength = 1\n"), "given twice");
  expect_contains(refused_file(domain + "[[source]]\nfrequency = 1\n[[source]]\nwaveform = \"samples\"\n"),
                  "case.toml:5: source 'point2' has a waveform of samples but no file");
  expect_contains(refused_file(domain + "[[body]]\nsize = 1\n"), "case.toml:3: body 1 has no material");
  expect_contains(refused_file(domain + "[[material]]\nindex = 2\n"), "case.toml:3: material 1 has no name");
  expect_contains(refused_file(domain + "[[monitor]]\nname = \"a\"\n[[monitor]]\nname = \"a\"\n"),
                  "case.toml:5: monitor 'a' has the name of an earlier one");
  expect_contains(refused_file(domain + "[[monitor]]\nkind = \"flux\"\nfrequency_from = 1\n"),
                  "range of frequencies is incomplete");
  expect_contains(refused_file(domain + "[[material]]\nname = \"a\"\nnk_file = \"no.csv\"\n"),
                  "no such file 'no.csv'");
}

// What was given and is not read changes nothing in silence.
TEST_F(FdtdFrontRefusals, KeysThatTheirKindDoesNotReadAreRefusedWithLineAndReason) {
  const std::string domain = "[domain]\nsize = [4, 4]\n", body = domain + "[[body]]\nmaterial = \"silver\"\n";
  EXPECT_EQ(
      refused_file(body + "radius = 0.5\n"),
      "case.toml:5: 'radius' of body 1 has no effect (a box does not read it; sphere, cylinder, ring do); "
      "leave it out");
  for (const auto& [shape, key] :
       {std::pair("sphere", "size = 1"), std::pair("cylinder", "inner_radius = 1"),
        std::pair("ellipsoid", "height = 1"), std::pair("box", "vertices = [[0, 1]]"),
        std::pair("ring", "scale = 2"), std::pair("cylinder", "rotation = 9"),
        std::pair("sphere", "axis = [1, 0, 0]"), std::pair("box", "axis = [1, 0, 0]"),
        std::pair("prism", "file = \"a.stl\"")})
    expect_contains(refused_file(body + "shape = \"" + shape + "\"\n" + key + "\n"), "case.toml:6: '");
  const std::string source = domain + "[[source]]\nfrequency = 1\n";
  EXPECT_EQ(refused_file(source + "kind = \"plane_wave\"\ncomponent = \"Hz\"\n"),
            "case.toml:6: 'component' of source 1 has no effect (a plane_wave does not read it; point, line, "
            "box, shape do); leave it out");
  for (const char* key : {"size = 1", "cells = [[1, 1]]", "phi = 3", "mode = 2", "direction = -1",
                          "index_guess = 2", "width = 0.1", "delay = 4", "file = \"a.csv\""})
    expect_contains(refused_file(source + key + "\n"), "case.toml:5: '");
  for (const char* key :
       {"hard = true", "cells = [[1, 1]]", "ramp = 2", "theta = 30", "polarization_angle = 4"})
    expect_contains(refused_file(source + "kind = \"plane_wave\"\nwaveform = \"gaussian\"\n" + key + "\n"),
                    "case.toml:7: '");
  const std::string monitor = domain + "[[monitor]]\nkind = ";
  for (const auto& [kind, key] :
       {std::pair("series", "frequencies = 1"), std::pair("series", "size = 1"),
        std::pair("flux", "fields = \"Ez\""), std::pair("fourier", "box = true"),
        std::pair("fourier", "direction = -1"), std::pair("flux", "cells = [[1, 1]]"),
        std::pair("flux", "start = 3"), std::pair("flux", "theta = 3"), std::pair("flux", "every = 3"),
        std::pair("flux", "mode = 2"), std::pair("snapshot", "interval = 3"),
        std::pair("snapshot", "center = 1")})
    expect_contains(refused_file(monitor + "\"" + kind + "\"\n" + key + "\n"), "case.toml:5: '");
  expect_contains(refused_file(monitor + "\"snapshot\"\nevery = 1\nplane = \"x\"\n"),
                  "case.toml:6: 'plane' of monitor 1 has no effect (the domain has 2 of three dimensions)");
  expect_contains(refused_file(monitor + "\"flux\"\nfrequencies = 1\nbox = true\ndirection = -1\n"),
                  "case.toml:7: 'direction' of monitor 1 has no effect (the faces of a box count outward)");
}

TEST_F(FdtdFrontRefusals, WaysToGiveAMaterialExcludeEachOther) {
  const std::string material = "[domain]\nsize = 4\n[[material]]\nname = \"a\"\n";
  EXPECT_EQ(refused_file(material + "index = 1.5\neps = 9\n"),
            "case.toml:6: 'eps' of material 1 has no effect (index says the whole material); leave it out");
  EXPECT_EQ(refused_file(material + "eps = 1\nindex = 1.5\n"),
            "case.toml:5: 'eps' of material 1 has no effect (index says the whole material); leave it out");
  for (const char* key : {"mu = 2", "sigma = 1", "sigma_magnetic = 1", "perfect_conductor = true"})
    expect_contains(refused_file(material + "index = 1.5\n" + key + "\n"), "has no effect (index says");
  expect_contains(refused_file(material + "library = \"silver\"\neps = 2\n"), "has no effect (library says");
  expect_contains(refused_file(material + "perfect_conductor = true\nsigma = 2\n"),
                  "has no effect (perfect_conductor says");
  expect_contains(refused_file(material + "index = 1.5\nat_wavelength = 2\n"), "there is none");
  expect_contains(refused_file(material + "index = 1.5\n[[material.pole]]\nstrength = 1\nomega = 3\n"),
                  "material 'a' has poles that have no effect");
  expect_contains(
      refused_file(material + "[[material.pole]]\nkind = \"drude\"\nstrength = 1\nomega = 3\n"),
      "case.toml:8: 'omega' of pole 1 of material 1 has no effect (a drude pole does not read it");
  EXPECT_EQ(refused_file(material + "mu = 2\neps = 3\n"), "accepted");
}

TEST_F(FdtdFrontRefusals, FlagsAndSectionsWithoutEffectAreRefused) {
  folder_.write("a.png", "");
  const std::string line = "[domain]\nsize = 4\n", plane = "[domain]\nsize = [4, 4]\n";
  for (const char* flag : {"--width", "--height", "--depth", "--eps-max", "--wavelength"})
    EXPECT_EQ(refused({"--size", "4", flag, "8"}),
              std::string(flag) + " has no effect (no picture is given, which it describes); leave it out");
  expect_contains(refused_file(line + "[picture]\nwidth = 8\n"),
                  "case.toml:4: 'picture.width' has no effect");
  expect_contains(refused({"a.png", "--size", "4,4"}), "--size has no effect (the cells of the picture are");
  folder_.write("size.toml", plane);
  expect_contains(refused({"size.toml", "a.png"}), "size.toml:2: 'domain.size' is given beside a picture");
  expect_contains(refused_file(line + "polarization = \"tm\"\n"), "case.toml:3: 'domain.polarization'");
  expect_contains(refused({"--size", "4,4", "--polarization", "te", "--fields", "Ez"}),
                  "--fields names Ez, which has no effect (the fields of te are Ex, Ey, Hz)");
  expect_contains(
      refused_file(plane + "[output]\nfields = [\"Ez\", \"Hz\"]\n"),
      "case.toml:4: 'output.fields' names Hz, which has no effect (the fields of tm are Ez, Hx, Hy)");
  expect_contains(refused_file(line + "[boundary]\ny = \"pec\"\n"), "no extent along y");
  expect_contains(refused_file(plane + "[boundary]\nz = \"pec\"\n"), "no extent along z");
  expect_contains(refused_file(plane + "[boundary]\nall = \"pec\"\n[pml]\nlayers = 8\n"), "no wall absorbs");
  expect_contains(refused({"--size", "4", "--steps", "9", "--decay", "0.1"}), "fix the length of the run");
  expect_contains(refused({"--size", "4", "--normalize"}), "no monitor has a spectrum to normalise");
  expect_contains(refused({"--size", "4", "--frames", "9"}), "there is no animation");
  expect_contains(refused({"--size", "4", "--backend", "serial", "--threads", "2"}),
                  "--threads is 2 with the backend 'serial' (which has one)");
  expect_contains(refused({"--size", "4", "--backend", "serial", "--simple-kernels"}), "has no others");
  expect_contains(refused_file(plane + "[[body]]\nmaterial = \"silver\"\nin_reference = true\n"),
                  "case.toml:5: 'in_reference' of body 1 has no effect (there is no reference run)");
  // What a flag takes the effect from may stand in the file.
  folder_.write("film.toml", plane + "[output]\nanimation = true\nframes = 9\n[stop]\ndecay = 0.1\n");
  EXPECT_FALSE(parse({"film.toml", "--no-animation", "--steps", "9"}).outputs.animation);
}

}  // namespace
