// A file whose bytes the ranks write side by side.
#include "comm/shared_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "ranks.hpp"
#include "support/program.hpp"
#include "support/temp_folder.hpp"

namespace umov::comm {
namespace {

TEST(SharedFile, HasTheBytesOfEveryRankInTheirPlaces) {
  const test::TempFolder temporary;
  const std::string path = (temporary.path / "file").string();
  on_ranks([&](Communicator& comm) {
    if (comm.first()) std::ofstream(path) << "....";
    comm.barrier();
    const auto file = SharedFile::open(comm, comm.first() ? path : "", comm.first() ? "its name" : "");
    ASSERT_TRUE(file);
    const std::string word(3, char('a' + comm.rank()));
    file->write(comm, [&] { file->put(std::uint64_t(4 + 3 * comm.rank()), std::as_bytes(std::span(word))); });
    if (!comm.first()) return;
    std::string whole = "....";
    for (int r = 0; r < comm.size(); ++r) whole += std::string(3, char('a' + r));
    EXPECT_EQ(test::text_of(path), whole);
  });
}

TEST(SharedFile, TakesSeveralPassesBeforeItIsFinished) {
  const test::TempFolder temporary;
  const std::string path = (temporary.path / "file").string();
  on_ranks([&](Communicator& comm) {
    if (comm.first()) std::ofstream(path) << "";
    comm.barrier();
    const auto file = SharedFile::open(comm, path, "its name");
    ASSERT_TRUE(file);
    for (int pass = 0; pass < 2; ++pass) {
      const std::string word(3, char((pass ? 'A' : 'a') + comm.rank()));
      const auto offset = std::uint64_t(3 * (comm.size() * pass + comm.rank()));
      file->begin(comm, [&] {
        file->put(offset, std::as_bytes(std::span(word)));
        file->hasten(offset, word.size());
      });
    }
    file->finish(comm);
    if (!comm.first()) return;
    std::string whole;
    for (const char letter : {'a', 'A'})
      for (int r = 0; r < comm.size(); ++r) whole += std::string(3, char(letter + r));
    EXPECT_EQ(test::text_of(path), whole);
  });
}

TEST(SharedFile, AnErrorOfOneRankEndsTheWritingOnAll) {
  const test::TempFolder temporary;
  const std::string path = (temporary.path / "file").string();
  on_ranks([&](Communicator& comm) {
    if (comm.first()) std::ofstream(path) << "....";
    comm.barrier();
    const auto file = SharedFile::open(comm, path, "its name");
    ASSERT_TRUE(file);
    const auto write = [&] {
      file->write(comm, [&] {
        if (comm.rank() == comm.size() - 1) throw MachineFailure("a disk is full");
      });
    };
    if (comm.rank() == comm.size() - 1) {
      EXPECT_THROW(write(), MachineFailure);
    } else {
      EXPECT_THROW(write(), OtherRankFailed);
    }
  });
}

TEST(SharedFile, IsNoneOnAnyRankWhereItIsNotFound) {
  on_ranks([](Communicator& comm) { EXPECT_FALSE(SharedFile::open(comm, "/no/such/file", "file")); });
}

}  // namespace
}  // namespace umov::comm
