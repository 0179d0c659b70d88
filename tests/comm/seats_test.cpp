// Seats of ranks, what several of them give back, what logs and dry runs say of them, and refusals.
#include <gtest/gtest.h>
#include <omp.h>

#include <string>

#include "backend/gpus.hpp"
#include "core/error.hpp"
#include "run/fit.hpp"
#include "run/ranks.hpp"

namespace umov::run {
namespace {

struct Simulation {
  comm::Asked ranks;
  std::string backend = "cpu";
  int device = 0, threads = 0;
  bool quiet = false;
};

std::string refusal(const Simulation& sim) {
  try {
    seats_of(sim.ranks, sim.backend, sim.device, sim.threads);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Seats, EveryRankRunsAndTheFirstOnesOutcomeIsTheRuns) {
  for (int ranks = 0; ranks <= 4; ++ranks) {
    Simulation sim;
    sim.ranks.ranks = ranks;
    const int size = std::max(ranks, 1);
    const auto found = on_ranks(sim, [&](const Simulation& own, comm::Communicator& comm) {
      EXPECT_EQ(comm.size(), size);
      EXPECT_EQ(own.quiet, !comm.first());
      EXPECT_EQ(own.threads, ranks > 1 && !std::getenv("OMP_NUM_THREADS")
                                 ? std::max(1, omp_get_max_threads() / ranks)
                                 : 0);
      return comm.rank() + 10 * comm.size();
    });
    EXPECT_EQ(found, 10 * size);
  }
}

TEST(Seats, AnErrorOfARankIsTheRuns) {
  Simulation sim;
  sim.ranks.ranks = 3;
  EXPECT_THROW(on_ranks(sim,
                        [](const Simulation&, comm::Communicator& comm) {
                          if (comm.rank() == 2) throw BadInput("bad");
                          comm.barrier();
                          return 0;
                        }),
               BadInput);
}

TEST(Seats, WhatDoesNotGoTogetherIsRefusedByName) {
  Simulation sim;
  sim.ranks = {2, 2};
  EXPECT_NE(refusal(sim).find("`machine.ranks` and `machine.gpus` were both given"), std::string::npos);
  sim.ranks = {0, 2};
  EXPECT_NE(refusal(sim).find("`machine.gpus` was given with backend 'cpu'"), std::string::npos);
  sim.ranks = {2, 0};
  sim.backend = "cuda";
  EXPECT_NE(refusal(sim).find("`machine.ranks` was given with a GPU"), std::string::npos);
  sim.ranks = {0, 1000};
  EXPECT_NE(refusal(sim).find(backend::usable_gpus().empty() ? "there is no GPU to use here"
                                                             : "--gpus 1000: there are"),
            std::string::npos);
  sim.ranks = {};
  EXPECT_EQ(refusal(sim), "");
  EXPECT_NO_THROW(require_one_rank({1, 1}, "a batch"));
  for (const comm::Asked asked : {comm::Asked{2, 0}, comm::Asked{0, 2}, comm::Asked{0, comm::Asked::all}})
    EXPECT_THROW(require_one_rank(asked, "a batch"), BadInput);
}

TEST(Seats, TheLogSaysRanksDevicesTrafficAndTheFullestDevice) {
  std::string text, alone;
  Simulation sim;
  sim.ranks.ranks = 2;
  on_ranks(sim, [&](const Simulation&, comm::Communicator& comm) {
    std::vector<char> data(1000000);
    if (comm.first()) {
      const comm::Out outs[] = {comm::out(1, data.data(), data.size())};
      comm.exchange(outs, {});
    } else {
      const comm::In ins[] = {comm::in(0, data.data(), data.size())};
      comm.exchange({}, ins);
    }
    const auto found =
        describe_ranks(comm, "device " + std::to_string(comm.rank()), 1000, comm.first() ? 1e6 : 3e6);
    if (comm.first())
      text = found;
    else
      EXPECT_EQ(found, "");
    return 0;
  });
  EXPECT_NE(
      text.find("ranks: 2 (threads), 1 MB sent, 0.0 % of the time in communication (0.0 % at most), 3 MB on "
                "the fullest device\n  rank 0: device 0\n  rank 1: device 1\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(describe_ranks(*comm::one_rank(), "device", 1, 1), "") << "one rank is nothing to speak of";
}

TEST(Fit, SaysTheFewestRanksThatHoldACase) {
  const double gb = 1e9;
  // A part that is divided and one that every rank holds.
  const auto bytes = [&](int ranks) { return (10.0 / ranks + 1) * gb; };
  EXPECT_EQ(describe_fit(1, bytes, 12 * gb, "GPU 0"), "# fits one device (GPU 0 has 12 GB left)\n");
  EXPECT_EQ(describe_fit(4, bytes, 3 * gb, "GPU 0"),
            "# each of 4 ranks holds 3.5 GB at most\n"
            "# does not fit one device (11 GB needed, GPU 0 has 3 GB left): it takes 5 ranks of 3 GB each\n");
  EXPECT_EQ(describe_fit(1, bytes, 0.5 * gb, "GPU 0"), "# fits no number of ranks (GPU 0 has 500 MB left)\n");
  EXPECT_EQ(describe_fit(1, bytes, 0, "GPU 0"), "") << "what is left is not known";
  EXPECT_EQ(describe_fit_here(1, 1, bytes, 12 * gb), "# fits this machine (12 GB left)\n");
  EXPECT_EQ(describe_fit_here(2, 2, bytes, 12.5 * gb),
            "# each of 2 ranks holds 6 GB at most\n# fits this machine (12.5 GB left)\n");
  EXPECT_EQ(describe_fit_here(2, 2, bytes, 11.5 * gb),
            "# each of 2 ranks holds 6 GB at most\n"
            "# does not fit this machine (12 GB needed by 2 ranks, 11.5 GB left): one rank fits\n");
  EXPECT_EQ(
      describe_fit_here(1, 1, bytes, 3 * gb),
      "# does not fit this machine (11 GB needed, 3 GB left): it takes 5 machines like this with a rank of "
      "3 GB each\n");
  EXPECT_EQ(describe_fit_here(2, 2, bytes, 12.5 * gb, 1 * gb),
            "# each of 2 ranks holds 6 GB at most, the first one 1 GB besides\n"
            "# does not fit this machine (13 GB needed by 2 ranks, 12.5 GB left): one rank fits\n");
  EXPECT_EQ(
      describe_fit_here(1, 1, bytes, 4 * gb, 1 * gb),
      "# does not fit this machine (12 GB needed, 4 GB left): it takes 5 machines like this with a rank of "
      "4 GB each\n");
  for (int needed = 1; needed <= 40; ++needed) {
    const auto said = describe_fit(1, bytes, bytes(needed), "x");
    EXPECT_NE(said.find(needed == 1 ? "fits one device" : "takes " + std::to_string(needed) + " ranks"),
              std::string::npos)
        << said;
  }
}

}  // namespace
}  // namespace umov::run
