// Numbers of threads and GPUs that would have no effect are refused by every family.
#include <gtest/gtest.h>

#include "support/eqs_runs.hpp"
#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;

namespace {

/// A [machine] table as a case, and what the refusal must name.
struct Idle {
  std::string machine, named;
};

}  // namespace

TEST(MachineTable, RefusesWhatItsBackendCannotUse) {
  const TemporaryFolder folder;
  for (const auto& [machine, named] : {Idle{"backend = \"cpu\"\ndevice = 2\n", "machine.device"},
                                       Idle{"backend = \"serial\"\ndevice = 2\n", "machine.device"},
                                       Idle{"backend = \"serial\"\nthreads = 2\n", "machine.threads"},
                                       Idle{"backend = \"cuda\"\nthreads = 2\n", "machine.threads"},
                                       Idle{"threads = 1025\n", "machine.threads"}}) {
    folder.write("c.toml", "[machine]\n" + machine);
    for (const std::string family : {"dda", "fdtd", "eqs"}) {
      const auto end = test::run(folder, family + " c.toml");
      EXPECT_EQ(end.code, 2) << family << " " << machine;
      EXPECT_NE(end.err.find(named), end.err.npos) << end.err;
      EXPECT_NE(end.err.find("c.toml:"), end.err.npos) << end.err;
    }
  }
}

TEST(MachineTable, AGpuThatIsNotThereEndsWithTheCodeOfTheMachineInEveryFamily) {
  const TemporaryFolder folder;
  if (test::run(folder, "devices").out.find("cuda    available") != std::string::npos)
    GTEST_SKIP() << "there is a GPU here";
  const std::string number = "[machine]\ndevice = 2\n",
                    waves =
                        "[domain]\nsize = [5, 5]\nresolution = 12\n[[source]]\nkind = \"point\"\n"
                        "waveform = \"gaussian\"\nfrequency = 1\nwidth = 0.5\n",
                    layers = test::two_layers("[time]\nend = 1e-3\nstep = 5e-4\n"),
                    sphere = "[shape]\ngrid = [4]\n";
  folder.write("f.toml", waves + "[stop]\nsteps = 2\n");
  folder.write("e.toml", layers);
  folder.write("d.toml", sphere);
  folder.write("f2.toml", waves + "[stop]\nsteps = 2\n" + number);
  folder.write("e2.toml", number + layers);
  folder.write("d2.toml", sphere + number);
  folder.write("A.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n");
  for (const std::string line :
       {"fdtd f2.toml", "fdtd f2.toml --dry-run", "eqs e2.toml", "dda d2.toml", "fdtd f.toml --device 2",
        "eqs e.toml --device 2", "dda d.toml --device 2", "fdtd f.toml --gpu", "eqs e.toml --gpu",
        "dda d.toml --gpu", "adda -gpu 2 -grid 4", "solve A.mtx --device 2", "solve A.mtx --gpu",
        "fdtd f.toml --gpu --dry-run", "eqs e.toml --gpu --dry-run", "dda d.toml --gpu --dry-run",
        "dda d.toml --device 0 --dry-run", "adda --backend cuda -grid 4 -prognosis"}) {
    const auto end = test::run(folder, line);
    EXPECT_EQ(end.code, 4) << line << end.err;
    EXPECT_TRUE(end.err.find("no GPU") != end.err.npos ||
                end.err.find("cuda backend cannot be used") != end.err.npos)
        << line << end.err;
  }
}

TEST(CheckpointTable, RefusesAnIntervalWithoutCheckpoints) {
  const TemporaryFolder folder;
  folder.write("c.toml", "[checkpoint]\nkind = \"none\"\ninterval = \"5m\"\n");
  const auto end = test::run(folder, "dda c.toml");
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("checkpoint.interval"), end.err.npos) << end.err;
}
