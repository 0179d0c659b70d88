// A rank that fails ends the others, wherever they wait, and its error is the run's.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "comm/collect.hpp"
#include "comm/in_process.hpp"
#include "core/contract.hpp"

namespace umov::comm {
namespace {

std::string message_of(int ranks, const std::function<void(Communicator&)>& body) {
  try {
    run_in_process(ranks, body);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "no error";
}

void fail() { throw BadInput("the case is bad (it is); take another"); }

TEST(Failure, EndsRanksThatWaitAtABarrierInASumOrForAMessage) {
  for (int failing = 0; failing < 4; ++failing) {
    std::atomic<int> released{0};
    const auto message = message_of(4, [&](Communicator& comm) {
      if (comm.rank() == failing) fail();
      try {
        if (comm.rank() % 3 == 0) comm.barrier();
        if (comm.rank() % 3 == 1) sum(comm, 1.0);
        double never = 0;
        const In ins[] = {in(failing, &never, 1)};
        comm.exchange({}, ins);
      } catch (const OtherRankFailed&) {
        ++released;
        throw;
      }
    });
    EXPECT_EQ(message, "the case is bad (it is); take another");
    EXPECT_EQ(released, 3);
  }
}

TEST(Failure, IsToldToWhoeverWaitsElsewhere) {
  std::atomic<int> ready{0}, told{0}, told_after{0}, ended{0};
  EXPECT_EQ(message_of(3,
                       [&](Communicator& comm) {
                         comm.check();  // all is well
                         auto gone = comm.on_failure([&] { ++told_after; });
                         gone.reset();
                         const auto mine = comm.on_failure([&] { ++told; });
                         if (comm.rank() == 1) {
                           while (ready < 2) std::this_thread::yield();
                           fail();
                         }
                         ++ready;
                         // as one whose GPU waits: it comes to no message
                         while (told < 2) std::this_thread::yield();
                         try {
                           comm.check();
                         } catch (const OtherRankFailed&) {
                           ++ended;
                           const auto late = comm.on_failure([&] { ++told; });
                           throw;
                         }
                       }),
            "the case is bad (it is); take another");
  EXPECT_EQ(told, 4) << "two that waited, and two that asked when it had happened";
  EXPECT_EQ(told_after, 0);
  EXPECT_EQ(ended, 2);
}

TEST(Failure, IsTheErrorOfItsRankWhereOthersCameFirstWithTheNewsOfIt) {
  std::atomic<int> gone{0};
  EXPECT_EQ(message_of(3,
                       [&](Communicator& comm) {
                         if (comm.rank() != 1) {
                           ++gone;
                           throw OtherRankFailed(Exit::machine, "another rank cannot write it");
                         }
                         while (gone < 2) std::this_thread::yield();
                         std::this_thread::sleep_for(std::chrono::milliseconds(20));
                         fail();
                       }),
            "the case is bad (it is); take another");
}

TEST(Failure, EndsRanksThatWaitInAPart) {
  EXPECT_EQ(message_of(3,
                       [](Communicator& comm) {
                         const auto part = comm.split(comm.rank() == 2);
                         if (comm.rank() == 2) fail();
                         part->barrier();
                         double never = 0;  // neither of the two sends it
                         const In ins[] = {in(1 - part->rank(), &never, 1)};
                         part->start({}, ins).finish();
                       }),
            "the case is bad (it is); take another");
}

TEST(Failure, TakesBackWhatWasUnderWaySoThatItsMemoryMayGo) {
  for (int round = 0; round < 50; ++round)
    EXPECT_EQ(message_of(2,
                         [&](Communicator& comm) {
                           std::vector<double> values(10000, 1.0), other(10000);
                           const Out outs[] = {out(1 - comm.rank(), values.data(), values.size())};
                           const In ins[] = {in(1 - comm.rank(), other.data(), other.size())};
                           auto pending = comm.start(outs, ins);
                           if (comm.rank() == round % 2) fail();
                           pending.finish();
                           comm.barrier();
                         }),
              "the case is bad (it is); take another");
}

TEST(Failure, OfOneRankAloneIsItsError) {
  EXPECT_EQ(message_of(1, [](Communicator&) { fail(); }), "the case is bad (it is); take another");
}

TEST(Failure, MessagesOfTwoLengthsAreABrokenContract) {
  EXPECT_THROW(run_in_process(2,
                              [](Communicator& comm) {
                                double values[2] = {};
                                if (comm.first()) {
                                  const Out outs[] = {out(1, values, 2)};
                                  comm.exchange(outs, {});
                                } else {
                                  const In ins[] = {in(0, values, 1)};
                                  comm.exchange({}, ins);
                                }
                              }),
               BrokenContract);
}

}  // namespace
}  // namespace umov::comm
